// Fragment surfaces of all bodies, updated frame by frame.
#include "surface/surface_inside.h"

#include "base/error.h"
#include "base/memory.h"
#include "surface/surface_notes.h"
#include "surface/surface_pose.h"

#include <string.h>

static sherd_status create_body(sherd_surface *s, int index, sherd_error *error)
{
    const sherd_surface_body *from = &s->def.bodies[index];
    const surface_maker *maker =
        from->count > 0 ? sherd_surface_maker_of(s->def.method, from) : NULL;
    if (maker == NULL) return SHERD_OK;
    for (sherd_element_index k = 0; k < from->count; ++k)
        s->element_body[from->first + k] = s->body_count;
    body_surface *b = &s->bodies[s->body_count++];
    *b = (body_surface){.index = index, .first = from->first, .maker = maker};
    const maker_source source = {&s->def, from, index};
    if (!sherd_body_paint_init(&b->paint, from->shape))
        return sherd_fail_memory(error, "paint of surfaces");
    return maker->create(&b->state, &source, &s->parallel, error);
}

static bool allocate(sherd_surface *s)
{
    size_t n = (size_t)s->def.element_count, m = (size_t)s->def.bond_count;
    s->bodies = sherd_alloc((size_t)s->def.body_count, sizeof *s->bodies);
    s->first_piece = sherd_alloc((size_t)s->def.body_count + 1, sizeof *s->first_piece);
    s->given = sherd_alloc((size_t)s->def.body_count, sizeof *s->given);
    s->element_body = sherd_alloc(n, sizeof *s->element_body);
    s->label = sherd_alloc(n, sizeof *s->label);
    s->former_label = sherd_alloc(n, sizeof *s->former_label);
    s->crack_changed = sherd_alloc(n, 1);
    s->broken = sherd_alloc(m, 1);
    s->internal = sherd_alloc(m, 1);
    return s->bodies != NULL && s->first_piece != NULL && s->given != NULL &&
           s->element_body != NULL && s->label != NULL && s->former_label != NULL &&
           s->crack_changed != NULL && s->broken != NULL && s->internal != NULL;
}

sherd_surface *sherd_surface_create(const sherd_surface_def *def, sherd_error *error)
{
    if (sherd_surface_check(def, error) != SHERD_OK) return NULL;
    sherd_surface *s = sherd_alloc(1, sizeof *s);
    if (s != NULL) {
        s->def = *def;
        s->parallel.threads = def->threads;
        s->next_version = 1;
    }
    if (s == NULL || !allocate(s)) {
        sherd_surface_destroy(s);
        sherd_fail_memory(error, "surfaces");
        return NULL;
    }
    // Methods copy their input, so it is freed here.
    if (def->body_count > 0)
        memcpy(s->given, def->bodies, (size_t)def->body_count * sizeof *s->given);
    s->def.bodies = s->given;
    for (sherd_element_index e = 0; e < def->element_count; ++e)
        s->element_body[e] = -1;
    for (int k = 0; k < def->body_count; ++k)
        if (create_body(s, k, error) != SHERD_OK) {
            sherd_surface_destroy(s);
            return NULL;
        }
    return s;
}

void sherd_surface_keep_meshes(sherd_surface *s)
{
    for (int k = 0; k < s->body_count; ++k) {
        sherd_body_paint_release(&s->bodies[k].paint);
        s->bodies[k].maker->destroy(s->bodies[k].state);
        s->bodies[k].state = NULL;
    }
    sherd_free(s->given);
    sherd_free(s->element_body);
    sherd_free(s->label);
    sherd_free(s->former_label);
    sherd_free(s->broken);
    sherd_free(s->internal);
    sherd_free(s->crack_changed);
    s->given = NULL, s->def.bodies = NULL, s->element_body = NULL;
    s->label = s->former_label = NULL;
    s->broken = s->internal = s->crack_changed = NULL;
    s->valid = false;
}

void sherd_surface_destroy(sherd_surface *s)
{
    if (s == NULL) return;
    sherd_surface_keep_meshes(s);
    for (int k = 0; k < s->body_count; ++k)
        sherd_pieces_release(&s->bodies[k].pieces);
    sherd_free(s->bodies);
    sherd_free(s->first_piece);
    sherd_free(s);
}

// --- A frame ---------------------------------------------------------------------------------------

static bool is_internal(const sherd_surface *s, sherd_bond_index b)
{
    sherd_element_index i = s->def.bond_i[b], j = s->def.bond_j[b];
    return s->broken[b] && s->label[i] == s->label[j] && s->element_body[i] >= 0 &&
           s->element_body[i] == s->element_body[j];
}

static void find_cracks(sherd_surface *s)
{
    memset(s->crack_changed, 0, (size_t)s->def.element_count);
    for (sherd_bond_index b = 0; b < s->def.bond_count && s->def.crack_gap > 0.0; ++b) {
        uint8_t now = is_internal(s, b);
        if (now != s->internal[b])
            s->crack_changed[s->def.bond_i[b]] = s->crack_changed[s->def.bond_j[b]] = 1;
        s->internal[b] = now;
    }
}

static sherd_status update_bodies(sherd_surface *s, const sherd_fragment_view *view,
                                  sherd_error *error)
{
    sherd_status status = SHERD_OK;
    for (int k = 0; k < s->body_count && status == SHERD_OK; ++k) {
        body_surface *b = &s->bodies[k];
        const body_frame frame = {.view = view,
                                  .label = s->label + b->first,
                                  .former_label = s->former_label + b->first,
                                  .crack_changed = s->crack_changed + b->first,
                                  .broken = s->broken,
                                  .internal = s->internal,
                                  .index = b->index,
                                  .smallest = s->def.smallest,
                                  .next_version = &s->next_version};
        status = b->maker->update(b->state, &frame, &b->pieces, &s->parallel, error);
        if (status == SHERD_OK && !sherd_paint_pieces(&b->paint, &b->pieces, &s->parallel))
            status = sherd_fail_memory(error, "paint of surfaces");
    }
    return status;
}

// Pieces of all bodies are numbered through.
static void number_pieces(sherd_surface *s)
{
    for (int k = 0; k < s->body_count; ++k)
        s->first_piece[k + 1] = s->first_piece[k] + s->bodies[k].pieces.count;
}

static sherd_status check_view(const sherd_surface *s, const sherd_fragment_view *view,
                               sherd_error *error)
{
    for (sherd_element_index e = 0; e < s->def.element_count; ++e)
        if (view->element_fragment[e] < 1 || view->element_slot[e] < 0 ||
            view->element_slot[e] >= view->count)
            return sherd_fail(error, SHERD_ERROR_INPUT, "sherd_surface_update",
                              "pass the view of an updated sherd_fragments",
                              "element %d has fragment id %d in slot %d of %d", (int)e,
                              (int)view->element_fragment[e], (int)view->element_slot[e],
                              (int)view->count);
    return SHERD_OK;
}

sherd_status sherd_surface_update(sherd_surface *s, const sherd_fragment_view *view,
                                  const uint8_t *bond_broken, sherd_error *error)
{
    size_t n = (size_t)s->def.element_count, m = (size_t)s->def.bond_count;
    if (s->valid && memcmp(s->label, view->element_fragment, n * sizeof *s->label) == 0 &&
        (m == 0 || memcmp(s->broken, bond_broken, m) == 0))
        return SHERD_OK;
    sherd_status status = check_view(s, view, error);
    if (status != SHERD_OK) return status;
    memcpy(s->former_label, s->label, n * sizeof *s->label);
    memcpy(s->label, view->element_fragment, n * sizeof *s->label);
    if (m > 0) memcpy(s->broken, bond_broken, m); // without bonds there is no array
    find_cracks(s);
    // After a failure everything counts as changed.
    if (!s->valid) memset(s->crack_changed, 1, n);
    status = update_bodies(s, view, error);
    number_pieces(s);
    s->valid = status == SHERD_OK;
    return status;
}

int sherd_surface_fallbacks(const sherd_surface *s)
{
    int count = 0;
    for (int k = 0; k < s->body_count; ++k) {
        const surface_maker *maker = s->bodies[k].maker;
        count += maker->fell_back != NULL && maker->fell_back(s->bodies[k].state);
    }
    return count;
}

void sherd_surface_set_threads(sherd_surface *s, int threads)
{
    s->parallel.threads = threads;
}

const char *sherd_surface_note(const sherd_surface *s, int body)
{
    const sherd_surface_body *given = &s->given[body];
    int k = given->count > 0 ? s->element_body[given->first] : -1;
    if (k < 0 || s->bodies[k].maker->note == NULL) return NULL;
    return s->bodies[k].maker->note(s->bodies[k].state);
}

sherd_status sherd_surface_follow(sherd_surface *s, const sherd_fragment_view *view,
                                  sherd_error *error)
{
    if (s->def.rigid)
        return sherd_fail(error, SHERD_ERROR_INPUT, "sherd_surface_follow",
                          "make the surface without `rigid`", "rigid pieces follow nothing");
    sherd_status status = check_view(s, view, error);
    s->valid = false; // the bodies' records of the last update's fragments are overwritten
    for (int k = 0; k < s->body_count && status == SHERD_OK; ++k) {
        body_surface *b = &s->bodies[k];
        if (b->maker->follow == NULL) continue;
        if (!b->maker->follow(b->state, &b->pieces, s->label + b->first, view, &s->parallel))
            status = sherd_fail_memory(error, "bones of surfaces");
    }
    return status;
}

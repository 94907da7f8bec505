// Fragment surfaces of all bodies, brought up to date frame by frame.
#include "surface/surface_inside.h"

#include "base/error.h"
#include "base/memory.h"
#include "geometry/shape/shape_kind.h"
#include "math/vec3.h"
#include "surface/follow.h"
#include "surface/tetra/tetra_surface.h"

#include <stdlib.h>
#include <string.h>

// Wide bells hide the terraces that cracks have in a lattice: steps of two layers over eight radii shrink
// to a tenth. Marching smooths its vertices besides, and loses thin pieces sooner.
static const double SMOOTHING_CUT = 2.2, SMOOTHING_MARCHED = 1.5; // [mean radii]
// What is that smooth, or a fluid, needs no finer cells.
static const double CELL_CUT = 1.0, CELL_MARCHED = 0.75; // [mean radii]

// Yarns and sheets are made of bonds and need no grid.
static sherd_status create_from_bonds(sherd_surface *s, int index, sherd_error *error)
{
    const sherd_surface_def *d = &s->def;
    const sherd_surface_body *from = &d->bodies[index];
    for (sherd_element_index k = 0; k < from->count; ++k)
        s->element_body[from->first + k] = s->body_count;
    body_surface *b = &s->bodies[s->body_count++];
    *b = (body_surface){
        .index = index, .kind = from->kind, .first = from->first, .count = from->count};
    bond_map map = {from->first, from->count, from->shape,   d->rest_x, d->rest_y,
                    d->rest_z,   d->radius,   d->bond_count, d->bond_i, d->bond_j};
    bool good = b->kind == SHERD_SURFACE_YARNS ? sherd_yarns_create(&b->yarns, &map)
                                               : sherd_sheet_create(&b->sheet, &map);
    if (good && b->kind == SHERD_SURFACE_SHEET && from->shape != NULL) {
        b->shape = from->shape;
        good = sherd_shape_uv_create(&b->texture, from->shape, d->radius[from->first]);
    }
    return good ? SHERD_OK : sherd_fail_memory(error, "surfaces of yarns and sheets");
}

static sherd_status create_tetra_body(sherd_surface *s, int index, sherd_error *error)
{
    const sherd_surface_def *d = &s->def;
    const sherd_surface_body *from = &d->bodies[index];
    if (from->tetra->tetra_count != from->count)
        return sherd_fail(error, SHERD_ERROR_INPUT, "surface.bodies", NULL,
                          "body %d has %d elements, but its mesh %d tetrahedra", index,
                          (int)from->count, (int)from->tetra->tetra_count);
    for (sherd_element_index k = 0; k < from->count; ++k)
        s->element_body[from->first + k] = s->body_count;
    body_surface *b = &s->bodies[s->body_count++];
    *b = (body_surface){.index = index, .first = from->first, .count = from->count};
    tetra_surface_source source = {.body = index,
                                   .mesh = from->tetra,
                                   .radius = d->radius + from->first,
                                   .first = from->first,
                                   .bond_count = d->bond_count,
                                   .bond_i = d->bond_i,
                                   .bond_j = d->bond_j};
    b->tetra = sherd_tetra_surface_create(&source, &s->parallel, error);
    return b->tetra != NULL ? SHERD_OK : error != NULL ? error->status : SHERD_ERROR_MEMORY;
}

// Of tubes along yarns, with round ends.
static double volume_of_yarns(const sherd_surface_def *d, const sherd_surface_body *body)
{
    const double pi = 3.14159265358979;
    double volume = 0.0;
    for (sherd_element_index e = body->first; e < body->first + body->count; ++e)
        volume += 4.0 / 3.0 * pi * d->radius[e] * d->radius[e] * d->radius[e];
    for (sherd_bond_index b = 0; b < d->bond_count; ++b) {
        sherd_element_index i = d->bond_i[b], j = d->bond_j[b];
        if (abs(i - j) != 1 || i < body->first || i >= body->first + body->count) continue;
        double x = d->rest_x[j] - d->rest_x[i], y = d->rest_y[j] - d->rest_y[i],
               z = d->rest_z[j] - d->rest_z[i], r = d->radius[i];
        volume += pi * r * r * (sqrt(x * x + y * y + z * z) - 4.0 / 3.0 * r);
    }
    return volume;
}

static double volume_of(const sherd_surface_def *d, const sherd_surface_body *body)
{
    if (body->kind == SHERD_SURFACE_YARNS) return volume_of_yarns(d, body);
    return body->shape != NULL ? sherd_shape_volume(body->shape)
                               : sherd_tetra_mesh_volume(body->tetra);
}

static sherd_status create_body(sherd_surface *s, int index, sherd_error *error)
{
    const sherd_surface_def *d = &s->def;
    const sherd_surface_body *from = &d->bodies[index];
    if (from->count == 0 ||
        (from->shape == NULL && from->tetra == NULL && from->kind != SHERD_SURFACE_YARNS))
        return SHERD_OK;
    bool is_fluid = d->method == SHERD_SURFACE_FLUID;
    if (from->kind != SHERD_SURFACE_SOLID && !is_fluid) return create_from_bonds(s, index, error);
    bool by_faces = d->method == SHERD_SURFACE_AUTO || d->method == SHERD_SURFACE_TETRA_FACES;
    if (from->tetra != NULL && (by_faces || (from->shape == NULL && !is_fluid)))
        return create_tetra_body(s, index, error);
    sherd_vec3 *positions = sherd_alloc((size_t)from->count, sizeof *positions);
    if (positions == NULL) return sherd_fail_memory(error, "surface elements");
    for (sherd_element_index k = 0; k < from->count; ++k) {
        sherd_element_index e = from->first + k;
        positions[k] = vec3(d->rest_x[e], d->rest_y[e], d->rest_z[e]);
        s->element_body[e] = s->body_count;
    }
    body_surface *b = &s->bodies[s->body_count++];
    *b = (body_surface){
        .index = index, .shape = from->shape, .first = from->first, .count = from->count};
    bool is_cut = d->method != SHERD_SURFACE_MARCHING && !is_fluid;
    double cell = is_cut || is_fluid ? CELL_CUT : CELL_MARCHED;
    double smoothing = is_cut ? SMOOTHING_CUT : SMOOTHING_MARCHED;
    fluid_source as_fluid = {volume_of(d, from), from->first, d->bond_count, d->bond_i, d->bond_j};
    body_options options = {.cell_size = d->cell_size > 0.0 ? d->cell_size : cell,
                            .smoothing = d->smoothing > 0.0 ? d->smoothing : smoothing,
                            .crack_gap = d->crack_gap,
                            .smallest = d->smallest,
                            .cut = is_cut,
                            .fluid = is_fluid ? &as_fluid : NULL,
                            .inner_uv_scale = d->inner_uv_scale,
                            .roughness = d->roughness};
    sherd_status status = sherd_body_surface_create(b, positions, d->radius + from->first, &options,
                                                    &s->parallel, error);
    sherd_free(positions);
    return status;
}

static bool allocate(sherd_surface *s)
{
    size_t n = (size_t)s->def.element_count, m = (size_t)s->def.bond_count;
    s->bodies = sherd_alloc((size_t)s->def.body_count, sizeof *s->bodies);
    s->element_body = sherd_alloc(n, sizeof *s->element_body);
    s->label = sherd_alloc(n, sizeof *s->label);
    s->former_label = sherd_alloc(n, sizeof *s->former_label);
    s->crack_changed = sherd_alloc(n, 1);
    s->broken = sherd_alloc(m, 1);
    s->internal = sherd_alloc(m, 1);
    return s->bodies != NULL && s->element_body != NULL && s->label != NULL &&
           s->former_label != NULL && s->crack_changed != NULL && s->broken != NULL &&
           s->internal != NULL;
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
    for (sherd_element_index e = 0; e < def->element_count; ++e)
        s->element_body[e] = -1;
    for (int k = 0; k < def->body_count; ++k)
        if (create_body(s, k, error) != SHERD_OK) {
            sherd_surface_destroy(s);
            return NULL;
        }
    return s;
}

void sherd_surface_destroy(sherd_surface *s)
{
    if (s == NULL) return;
    for (int k = 0; k < s->body_count; ++k) {
        sherd_tetra_surface_destroy(s->bodies[k].tetra);
        sherd_body_surface_release(&s->bodies[k]);
    }
    sherd_free(s->bodies);
    sherd_free(s->element_body);
    sherd_free(s->label);
    sherd_free(s->former_label);
    sherd_free(s->broken);
    sherd_free(s->internal);
    sherd_free(s->crack_changed);
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

// Fracture points of cracks inside fragments, for one body at a time.
typedef struct crack_list {
    int32_t count;
    size_t capacity[3];
    sherd_vec3 *point, *normal;
    sherd_fragment_id *label;
} crack_list;

static bool list_cracks(const sherd_surface *s, int body, crack_list *c)
{
    const sherd_surface_def *d = &s->def;
    c->count = 0;
    for (sherd_bond_index b = 0; b < d->bond_count; ++b) {
        sherd_element_index i = d->bond_i[b], j = d->bond_j[b];
        if (!s->internal[b] || s->element_body[i] != body) continue;
        size_t n = (size_t)c->count + 1;
        if (!sherd_grow((void **)&c->point, &c->capacity[0], n, sizeof *c->point) ||
            !sherd_grow((void **)&c->normal, &c->capacity[1], n, sizeof *c->normal) ||
            !sherd_grow((void **)&c->label, &c->capacity[2], n, sizeof *c->label))
            return false;
        sherd_vec3 p = vec3(d->rest_x[i], d->rest_y[i], d->rest_z[i]);
        sherd_vec3 q = vec3(d->rest_x[j], d->rest_y[j], d->rest_z[j]);
        c->point[c->count] = vec3_scale(0.5, vec3_add(p, q));
        c->normal[c->count] = vec3_normalize(vec3_sub(q, p));
        c->label[c->count++] = s->label[i];
    }
    return true;
}

static sherd_status update_from_bonds(sherd_surface *s, body_surface *b,
                                      const sherd_fragment_view *view, sherd_error *error)
{
    bond_frame frame = {.view = view,
                        .label = s->label + b->first,
                        .broken = s->broken,
                        .index = b->index,
                        .smallest = s->def.smallest,
                        .next_version = &s->next_version};
    bool good =
        b->kind == SHERD_SURFACE_YARNS
            ? sherd_yarns_update(&b->yarns, &frame, &b->pieces, &b->piece_count, &s->parallel)
            : sherd_sheet_update(&b->sheet, &frame, &b->pieces, &b->piece_count, &s->parallel);
    return good ? SHERD_OK : sherd_fail_memory(error, "surfaces of yarns and sheets");
}

// Outer faces get their shape's, if it has any; all others a box projection.
static bool texture_piece(const body_surface *b, sherd_mesh *mesh, const texture_scale *scale)
{
    if (b->texture.surface != NULL) {
        mesh->uv = sherd_alloc(6 * (size_t)mesh->triangle_count, sizeof *mesh->uv);
        if (mesh->uv == NULL) return false;
        sherd_shape_uv_fill(&b->texture, mesh);
    }
    return sherd_texture_piece(mesh, scale);
}

// Pieces whose makers gave them no texture coordinates.
static bool texture_pieces(const sherd_surface *s, const body_surface *b)
{
    const sherd_surface_def *d = &s->def;
    sherd_vec3 low = vec3(INFINITY, INFINITY, INFINITY), high = vec3_scale(-1.0, low);
    for (sherd_element_index e = b->first; e < b->first + b->count; ++e) {
        sherd_vec3 x = vec3(d->rest_x[e], d->rest_y[e], d->rest_z[e]);
        low = vec3_min(low, x);
        high = vec3_max(high, x);
    }
    double extent = fmax(high.x - low.x, fmax(high.y - low.y, high.z - low.z));
    double unit = d->inner_uv_scale > 0.0 ? d->inner_uv_scale : extent;
    bool is_file = b->texture.surface != NULL && sherd_shape_has_own_texture(b->shape);
    const texture_scale scale = {unit > 0.0 ? unit : 1.0, is_file};
    for (int32_t k = 0; k < b->piece_count; ++k)
        if (b->pieces[k].mesh->uv == NULL && b->pieces[k].mesh->face_kind != NULL &&
            !texture_piece(b, b->pieces[k].mesh, &scale))
            return false;
    return true;
}

static sherd_status update_bodies(sherd_surface *s, const sherd_fragment_view *view,
                                  sherd_error *error)
{
    crack_list cracks = {0};
    sherd_status status = SHERD_OK;
    for (int k = 0; k < s->body_count && status == SHERD_OK; ++k) {
        body_surface *b = &s->bodies[k];
        if (b->kind != SHERD_SURFACE_SOLID) {
            status = update_from_bonds(s, b, view, error);
            if (status == SHERD_OK && !texture_pieces(s, b))
                status = sherd_fail_memory(error, "texture coordinates");
            continue;
        }
        if (b->tetra == NULL && !list_cracks(s, k, &cracks)) {
            status = sherd_fail_memory(error, "cracks");
            break;
        }
        body_frame frame = {.view = view,
                            .label = s->label + b->first,
                            .former_label = s->former_label + b->first,
                            .crack_changed = s->crack_changed + b->first,
                            .crack_count = cracks.count,
                            .crack_point = cracks.point,
                            .crack_normal = cracks.normal,
                            .crack_label = cracks.label,
                            .broken = s->broken,
                            .smallest = s->def.smallest,
                            .next_version = &s->next_version};
        status = b->tetra != NULL
                     ? sherd_tetra_surface_update(b->tetra, &frame, s->internal, &b->pieces,
                                                  &b->piece_count, &s->parallel, error)
                     : sherd_body_surface_update(b, &frame, &s->parallel, error);
        if (status == SHERD_OK && b->tetra != NULL && !texture_pieces(s, b))
            status = sherd_fail_memory(error, "texture coordinates");
    }
    sherd_free(cracks.point);
    sherd_free(cracks.normal);
    sherd_free(cracks.label);
    return status;
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
    s->valid = status == SHERD_OK;
    return status;
}

int sherd_surface_fallbacks(const sherd_surface *s)
{
    int count = 0;
    for (int k = 0; k < s->body_count; ++k)
        count += s->bodies[k].fell_back;
    return count;
}

sherd_status sherd_surface_follow(sherd_surface *s, const sherd_fragment_view *view,
                                  sherd_error *error)
{
    sherd_status status = check_view(s, view, error);
    s->valid = false; // what bodies know of the last update's fragments is overwritten
    for (int k = 0; k < s->body_count && status == SHERD_OK; ++k) {
        body_surface *b = &s->bodies[k];
        // Yarns, sheets and tetrahedra are carried by the elements they are made of.
        if (b->partition.elements.count == 0) continue;
        if (!sherd_body_follow(b, s->label + b->first, view, &s->parallel))
            status = sherd_fail_memory(error, "bones of surfaces");
    }
    return status;
}

#include "surface/methods/solid/solid_update.h"

#include "base/error.h"
#include "base/memory.h"
#include "math/vec3.h"

void sherd_solid_mark_piece(solid_update *u, sherd_fragment_id label)
{
    int32_t k = label > 0 ? sherd_key_map_find(&u->number, (uint64_t)label) : -1;
    if (k >= 0) u->stale[k] = 1;
}

// Lists fragments with at least `smallest` elements that have elements in this body.
static bool number_pieces(solid_update *u)
{
    const solid_body *b = u->b;
    const sherd_fragment_view *view = u->frame->view;
    size_t slots = (size_t)view->count;
    int32_t *count = sherd_alloc(slots, sizeof *count), *first = sherd_alloc(slots, sizeof *first);
    bool ok = count != NULL && first != NULL;
    for (sherd_element_index e = b->count - 1; ok && e >= 0; --e) {
        int32_t slot = view->element_slot[b->first + e];
        count[slot]++;
        first[slot] = e;
    }
    for (size_t k = 0; ok && k < slots; ++k)
        u->piece_count += count[k] > 0 && view->fragments[k].count >= u->frame->smallest;
    size_t n = (size_t)u->piece_count;
    u->pieces = sherd_alloc(n, sizeof *u->pieces);
    u->first = sherd_alloc(n, sizeof *u->first);
    u->stale = sherd_alloc(n, 1);
    ok = ok && u->pieces != NULL && u->first != NULL && u->stale != NULL;
    int32_t next = 0;
    for (size_t k = 0; ok && k < slots; ++k) {
        if (count[k] == 0 || view->fragments[k].count < u->frame->smallest) continue;
        u->pieces[next] = (piece){.fragment = view->fragments[k].id,
                                  .body = b->index,
                                  .element_count = view->fragments[k].count};
        u->first[next++] = first[k];
        ok = sherd_key_map_insert(&u->number, (uint64_t)view->fragments[k].id) >= 0;
    }
    sherd_free(count);
    sherd_free(first);
    return ok;
}

// --- Cracks inside fragments -----------------------------------------------------------------------

// Collects the fracture points of cracks inside fragments.
typedef struct crack_list {
    int32_t count;
    size_t capacity[3];
    sherd_vec3 *point, *normal;
    sherd_fragment_id *label;
} crack_list;

static sherd_vec3 end_of(const sherd_surface_def *d, sherd_element_index e)
{
    return vec3(d->rest_x[e], d->rest_y[e], d->rest_z[e]);
}

static bool add_crack(const sherd_surface_def *d, sherd_bond_index b, sherd_fragment_id label,
                      crack_list *c)
{
    size_t n = (size_t)c->count + 1;
    if (!sherd_grow((void **)&c->point, &c->capacity[0], n, sizeof *c->point) ||
        !sherd_grow((void **)&c->normal, &c->capacity[1], n, sizeof *c->normal) ||
        !sherd_grow((void **)&c->label, &c->capacity[2], n, sizeof *c->label))
        return false;
    sherd_vec3 p = end_of(d, d->bond_i[b]), q = end_of(d, d->bond_j[b]);
    c->point[c->count] = vec3_scale(0.5, vec3_add(p, q));
    c->normal[c->count] = vec3_normalize(vec3_sub(q, p));
    c->label[c->count++] = label;
    return true;
}

// Returns whether both ends are in the body.
static bool is_own(const solid_update *u, sherd_bond_index b)
{
    const sherd_surface_def *d = u->b->source.def;
    sherd_element_index i = d->bond_i[b] - u->b->first, j = d->bond_j[b] - u->b->first;
    return i >= 0 && i < u->b->count && j >= 0 && j < u->b->count;
}

static bool list_cracks(const solid_update *u, crack_list *c)
{
    const sherd_surface_def *d = u->b->source.def;
    bool walls = u->b->partition.wall_count > 0;
    // A method that draws cracks by kernels cannot carry both sides of glue separately.
    if (u->b->source.body->wall_count > 0 && !walls) return true;
    for (sherd_bond_index b = 0; b < d->bond_count; ++b) {
        if (!u->frame->internal[b] || !is_own(u, b)) continue;
        if (!add_crack(d, b, u->frame->label[d->bond_i[b] - u->b->first], c)) return false;
        if (walls)
            sherd_cut_links_cut(&u->b->partition.links, end_of(d, d->bond_i[b]),
                                end_of(d, d->bond_j[b]));
    }
    return true;
}

// Intact glue bonds in reach of a crack: only these can show where the crack ends.
static bool list_intact(const solid_update *u, crack_list *c)
{
    const sherd_surface_def *d = u->b->source.def;
    // The ends of a bond are a radius away.
    double reach = sherd_slits_reach(&u->b->slits) + u->b->radius;
    for (sherd_bond_index b = 0; b < d->bond_count; ++b) {
        if (u->frame->broken[b] || !is_own(u, b)) continue;
        sherd_vec3 p = end_of(d, d->bond_i[b]), far = vec3(reach, reach, reach);
        if (sherd_slits_near(&u->b->slits, vec3_sub(p, far), vec3_add(p, far)) &&
            !add_crack(d, b, sherd_slits_intact(u->frame->label[d->bond_i[b] - u->b->first]), c))
            return false;
    }
    return true;
}

static bool build_slits(solid_body *b, const crack_list *c)
{
    sherd_slits_release(&b->slits);
    return sherd_slits_build(&b->slits, c->point, c->normal, c->label, c->count, b->slit_width,
                             b->slit_support);
}

static bool find_slits(const solid_update *u)
{
    crack_list c = {0};
    sherd_cut_links_clear(&u->b->partition.links);
    bool ok = list_cracks(u, &c) && build_slits(u->b, &c);
    if (ok && u->b->partition.links.any) ok = list_intact(u, &c) && build_slits(u->b, &c);
    sherd_free(c.point);
    sherd_free(c.normal);
    sherd_free(c.label);
    return ok;
}

// --- An update -------------------------------------------------------------------------------------

bool sherd_solid_begin(solid_update *u, const sherd_parallel *parallel)
{
    return find_slits(u) && sherd_partition_update(&u->b->partition, u->frame->label, parallel) &&
           number_pieces(u);
}

sherd_status sherd_solid_finish(solid_update *u, bool good, sherd_error *error)
{
    piece_array made = {u->piece_count, u->pieces};
    if (good) {
        piece_array former = *u->former;
        *u->former = made;
        made = former;
    }
    sherd_pieces_release(&made);
    sherd_free(u->first);
    sherd_free(u->stale);
    sherd_key_map_release(&u->number);
    return good ? SHERD_OK : sherd_fail_memory(error, "fragment surfaces");
}

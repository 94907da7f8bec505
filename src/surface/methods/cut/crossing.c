#include "surface/methods/cut/crossing.h"

#include "base/memory.h"
#include "base/random.h"
#include "geometry/exact/triangle_pair.h"
#include "math/vec3.h"
#include "surface/partition/key_map.h"

// The crossings of one block.
typedef struct search {
    const outline *o;
    const crack_block *block;
    int32_t number; // index of the block
    const exact_point *exact;
    crossings *x;
    key_map points; // maps keys to points
    crossing_result result;
} search;

// --- Points ----------------------------------------------------------------------------------------

static uint64_t key_of(const search *s, const triangle_pair *p, const pair_end *e)
{
    const uint64_t *c = p->corner[e->of];
    uint64_t a = c[e->side], b = c[(e->side + 1) % 3], key;
    uint64_t salt = s->o->salt << 40;
    if (e->of == 1)
        key = sherd_random_bits(a < b ? a : b, a < b ? b : a, salt | (uint64_t)p->number[0]);
    else
        key = sherd_random_bits(~(uint64_t)s->o->edge[3 * (size_t)p->number[0] + e->side],
                                (uint64_t)s->number, salt | (uint64_t)p->number[1]);
    return (key >> 2) | UINT64_C(1) << 63;
}

static sherd_vec3 position_of(const search *s, const triangle_pair *p, const pair_end *e)
{
    const int32_t *c = s->o->triangle + 3 * (size_t)p->number[0];
    const sherd_vec3 *x = s->o->position;
    if (e->of == 1)
        return vec3_add_scaled(
            vec3_add_scaled(vec3_scale(e->weight[0], x[c[0]]), e->weight[1], x[c[1]]), e->weight[2],
            x[c[2]]);
    int32_t a = c[e->side], b = c[(e->side + 1) % 3], low = a < b ? a : b, high = a < b ? b : a;
    return vec3_add_scaled(x[low], e->along, vec3_sub(x[high], x[low]));
}

// Returns the point's index in the block, -1 when out of memory.
static int32_t number_point(search *s, const triangle_pair *p, const pair_end *e)
{
    crossings *x = s->x;
    uint64_t key = key_of(s, p, e);
    int32_t k = sherd_key_map_insert(&s->points, key);
    if (k < x->point_count) return k;
    if (!sherd_grow((void **)&x->points, &x->point_capacity, (size_t)k + 1, sizeof *x->points))
        return -1;
    x->points[x->point_count++] =
        (crossing_point){.key = key,
                         .of_crack = e->of == 1,
                         .edge = e->of == 1 ? -1 : s->o->edge[3 * (size_t)p->number[0] + e->side],
                         .along = e->along,
                         .weight = {e->weight[0], e->weight[1], e->weight[2]},
                         .position = position_of(s, p, e)};
    return k;
}

// --- Segments --------------------------------------------------------------------------------------

static bool append(search *s, const triangle_pair *p, const pair_end end[2])
{
    crossings *x = s->x;
    const crack_triangle *t = &s->block->triangles[p->number[1]];
    crossing c = {.outer = p->number[0],
                  .crack = p->number[1],
                  .front = t->front,
                  .back = t->back,
                  .left_is_front = sherd_triangle_pair_front_is_left(p, &end[0])};
    bool ok = sherd_grow((void **)&x->segments, &x->capacity, (size_t)x->count + 1, sizeof c);
    for (int e = 0; e < 2 && ok; ++e) {
        c.point[e] = number_point(s, p, &end[e]);
        c.side[e] = end[e].side;
        ok = c.point[e] >= 0;
    }
    if (ok)
        x->segments[x->count++] = c;
    else
        s->result = CROSSING_MEMORY;
    return ok;
}

static bool cross_pair(search *s, triangle_pair *p)
{
    pair_end end[2];
    pair_result result = sherd_triangle_pair_cross(p, end);
    if (result == PAIR_CROSSES) return append(s, p, end);
    if (result == PAIR_DEGENERATE) s->result = CROSSING_DEGENERATE;
    return result == PAIR_APART;
}

typedef struct visit {
    search *s;
    triangle_pair pair; // 0: the outline's, 1: the crack's
    sherd_bounds box;
} visit;

static bool apart(sherd_bounds a, sherd_bounds b)
{
    return a.low.x > b.high.x || b.low.x > a.high.x || a.low.y > b.high.y || b.low.y > a.high.y ||
           a.low.z > b.high.z || b.low.z > a.high.z;
}

static bool visit_outer(void *context, int32_t t)
{
    visit *v = context;
    const outline *o = v->s->o;
    if (apart(outline_triangle_bounds(o, t), v->box)) return true;
    v->pair.number[0] = t;
    for (int k = 0; k < 3; ++k) {
        int32_t c = o->triangle[3 * (size_t)t + (size_t)k];
        v->pair.corner[0][k] = (uint64_t)c;
        v->pair.at[0][k] = &o->exact[c];
    }
    return cross_pair(v->s, &v->pair);
}

static void set_crack_triangle(visit *v, int32_t t)
{
    const crack_block *b = v->s->block;
    // Lattice points are displaced by up to 2^6 steps, so boxes are enlarged a little.
    double capacity = 256.0 / v->s->o->lattice.steps;
    sherd_vec3 x[3];
    v->pair.number[1] = t;
    for (int k = 0; k < 3; ++k) {
        int32_t c = b->triangles[t].corner[k];
        v->pair.corner[1][k] = b->vertices[c].key;
        v->pair.at[1][k] = &v->s->exact[c];
        x[k] = b->vertices[c].position;
    }
    v->box.low = vec3_sub(vec3_min(x[0], vec3_min(x[1], x[2])), vec3(capacity, capacity, capacity));
    v->box.high =
        vec3_add(vec3_max(x[0], vec3_max(x[1], x[2])), vec3(capacity, capacity, capacity));
}

crossing_result sherd_crossings_find(crossings *x, const outline *o, const crack_grid *g,
                                     int32_t block, const exact_point *exact)
{
    *x = (crossings){0};
    search s = {.o = o,
                .block = &g->blocks[block],
                .number = block,
                .exact = exact,
                .x = x,
                .result = CROSSING_OK};
    visit v = {.s = &s};
    for (int32_t t = 0; t < s.block->triangle_count && s.result == CROSSING_OK; ++t) {
        set_crack_triangle(&v, t);
        sherd_bvh_overlaps(&o->tree, v.box, visit_outer, &v);
    }
    sherd_key_map_release(&s.points);
    return s.result;
}

void sherd_crossings_release(crossings *x)
{
    sherd_free(x->points);
    sherd_free(x->segments);
    *x = (crossings){0};
}

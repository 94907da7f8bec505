#include "surface/methods/cut/crossing.h"

#include "base/memory.h"
#include "base/random.h"
#include "math/vec3.h"
#include "surface/partition/key_map.h"

// --- Pairs of triangles ----------------------------------------------------------------------------

// A point as its pair of triangles sees it.
typedef struct raw_end {
    bool of_crack;
    uint8_t side; // of the triangle whose edge it is
    double along, weight[3];
} raw_end;

// The crossings of one block.
typedef struct search {
    const outline *o;
    const crack_block *block;
    int32_t number; // of the block
    const exact_point *exact;
    crossings *x;
    key_map points; // by key
    crossing_result result;
} search;

// A pair of triangles: 0 the outline's, 1 the crack's.
typedef struct triangle_pair {
    int32_t number[2];
    uint64_t corner[2][3]; // in an order that all triangles around an edge agree on
    const exact_point *at[2][3];
    int side[2][3]; // side[s][k]: of corner k, seen from the other triangle
    int turn[3][3]; // of edge i of the first about edge j of the second
} triangle_pair;

static int edge_turn(const triangle_pair *p, int i, int j)
{
    return sherd_exact_side(p->at[0][i], p->at[0][(i + 1) % 3], p->at[1][j], p->at[1][(j + 1) % 3]);
}

// False where one triangle lies on one side of the other. `flat` is set where a point is in a plane.
static bool find_sides(triangle_pair *p, bool *flat)
{
    for (int s = 0; s < 2; ++s) {
        const exact_point *const *plane = p->at[1 - s];
        for (int k = 0; k < 3; ++k) {
            p->side[s][k] = sherd_exact_side(plane[0], plane[1], plane[2], p->at[s][k]);
            *flat |= p->side[s][k] == 0;
        }
        if (p->side[s][0] == p->side[s][1] && p->side[s][1] == p->side[s][2]) return false;
    }
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            p->turn[i][j] = edge_turn(p, i, j);
            *flat |= p->turn[i][j] == 0;
        }
    return true;
}

// The point where edge `side` of triangle `s` goes through the other, with the lower vertex first so
// that all triangles around the edge compute the same.
static raw_end make_end(const triangle_pair *p, int s, int side)
{
    int a = side, b = (side + 1) % 3;
    if (p->corner[s][a] > p->corner[s][b]) {
        a = b;
        b = side;
    }
    const exact_point *from = p->at[s][a], *to = p->at[s][b], *const *t = p->at[1 - s];
    double start = fabs((double)sherd_exact_volume(t[0], t[1], t[2], from));
    double end = fabs((double)sherd_exact_volume(t[0], t[1], t[2], to));
    raw_end e = {.of_crack = s == 1, .side = (uint8_t)side, .along = start / (start + end)};
    double sum = 0.0;
    for (int k = 0; k < 3; ++k) {
        e.weight[k] = fabs((double)sherd_exact_volume(from, to, t[(k + 1) % 3], t[(k + 2) % 3]));
        sum += e.weight[k];
    }
    for (int k = 0; k < 3; ++k)
        e.weight[k] /= sum;
    return e;
}

// Whether edge k of triangle s goes through the inside of the other.
static bool goes_through(const triangle_pair *p, int s, int k)
{
    if (p->side[s][k] == p->side[s][(k + 1) % 3]) return false;
    int first = s == 0 ? p->turn[k][0] : p->turn[0][k];
    int second = s == 0 ? p->turn[k][1] : p->turn[1][k];
    int third = s == 0 ? p->turn[k][2] : p->turn[2][k];
    return first == second && second == third;
}

// Seen from the first end into the outer triangle, the side to the left: behind on the outer edge,
// if the end lies on one; else the front if the crack's edge comes from below, as the crack triangle
// is to the left of its own edges.
static bool is_front_left(const triangle_pair *p, const raw_end *first)
{
    return first->of_crack ? p->side[1][first->side] < 0 : p->side[0][first->side] > 0;
}

// --- Points ----------------------------------------------------------------------------------------

static uint64_t key_of(const search *s, const triangle_pair *p, const raw_end *e)
{
    const uint64_t *c = p->corner[e->of_crack];
    uint64_t a = c[e->side], b = c[(e->side + 1) % 3], key;
    uint64_t salt = s->o->salt << 40;
    if (e->of_crack)
        key = sherd_random_bits(a < b ? a : b, a < b ? b : a, salt | (uint64_t)p->number[0]);
    else
        key = sherd_random_bits(~(uint64_t)s->o->edge[3 * (size_t)p->number[0] + e->side],
                                (uint64_t)s->number, salt | (uint64_t)p->number[1]);
    return (key >> 2) | UINT64_C(1) << 63;
}

static sherd_vec3 position_of(const search *s, const triangle_pair *p, const raw_end *e)
{
    const int32_t *c = s->o->triangle + 3 * (size_t)p->number[0];
    const sherd_vec3 *x = s->o->position;
    if (e->of_crack)
        return vec3_add_scaled(
            vec3_add_scaled(vec3_scale(e->weight[0], x[c[0]]), e->weight[1], x[c[1]]), e->weight[2],
            x[c[2]]);
    int32_t a = c[e->side], b = c[(e->side + 1) % 3], low = a < b ? a : b, high = a < b ? b : a;
    return vec3_add_scaled(x[low], e->along, vec3_sub(x[high], x[low]));
}

// The point's number in the block, -1 when memory is short.
static int32_t number_point(search *s, const triangle_pair *p, const raw_end *e)
{
    crossings *x = s->x;
    uint64_t key = key_of(s, p, e);
    int32_t k = sherd_key_map_insert(&s->points, key);
    if (k < x->point_count) return k;
    if (!sherd_grow((void **)&x->points, &x->point_room, (size_t)k + 1, sizeof *x->points))
        return -1;
    x->points[x->point_count++] =
        (crossing_point){.key = key,
                         .of_crack = e->of_crack,
                         .edge = e->of_crack ? -1 : s->o->edge[3 * (size_t)p->number[0] + e->side],
                         .along = e->along,
                         .weight = {e->weight[0], e->weight[1], e->weight[2]},
                         .position = position_of(s, p, e)};
    return k;
}

// --- Segments --------------------------------------------------------------------------------------

static bool append(search *s, const triangle_pair *p, const raw_end end[2])
{
    crossings *x = s->x;
    const crack_triangle *t = &s->block->triangles[p->number[1]];
    crossing c = {.outer = p->number[0],
                  .crack = p->number[1],
                  .front = t->front,
                  .back = t->back,
                  .left_is_front = is_front_left(p, &end[0])};
    bool ok = sherd_grow((void **)&x->segments, &x->room, (size_t)x->count + 1, sizeof c);
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
    bool flat = false;
    if (!find_sides(p, &flat) && !flat) return true;
    raw_end end[2];
    int count = 0;
    for (int t = 0; t < 2 && !flat; ++t)
        for (int k = 0; k < 3; ++k) {
            if (!goes_through(p, t, k)) continue;
            if (count < 2) end[count] = make_end(p, t, k);
            ++count;
        }
    if (!flat && count == 0) return true;
    if (!flat && count == 2) return append(s, p, end);
    s->result = CROSSING_DEGENERATE;
    return false;
}

typedef struct visit {
    search *s;
    triangle_pair pair;
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

static void take_crack_triangle(visit *v, int32_t t)
{
    const crack_block *b = v->s->block;
    // Lattice points are moved by up to 2^6 steps: boxes are a little larger.
    double room = 256.0 / v->s->o->lattice.steps;
    sherd_vec3 x[3];
    v->pair.number[1] = t;
    for (int k = 0; k < 3; ++k) {
        int32_t c = b->triangles[t].corner[k];
        v->pair.corner[1][k] = b->vertices[c].key;
        v->pair.at[1][k] = &v->s->exact[c];
        x[k] = b->vertices[c].position;
    }
    v->box.low = vec3_sub(vec3_min(x[0], vec3_min(x[1], x[2])), vec3(room, room, room));
    v->box.high = vec3_add(vec3_max(x[0], vec3_max(x[1], x[2])), vec3(room, room, room));
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
        take_crack_triangle(&v, t);
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

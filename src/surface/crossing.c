#include "surface/crossing.h"

#include "base/memory.h"
#include "math/vec3.h"
#include "surface/key_map.h"

#include <string.h>

// --- The crack's triangles -------------------------------------------------------------------------

typedef struct snap_job {
    crack *c;
    const uint64_t *key;
    const exact_lattice *lattice;
    uint64_t salt;
} snap_job;

static void snap_vertices(void *context, size_t begin, size_t end)
{
    snap_job *job = context;
    for (size_t v = begin; v < end; ++v)
        job->c->exact[v] =
            sherd_exact_snap(job->lattice, job->c->position[v], job->key[v] ^ job->salt << 62);
}

static bool make_crack_room(crack *c, const crack_grid *g, uint64_t **key)
{
    size_t vertices = 0, triangles = 0;
    for (int32_t k = 0; k < g->count; ++k) {
        vertices += (size_t)g->blocks[k].vertex_count;
        triangles += (size_t)g->blocks[k].triangle_count;
    }
    c->position = sherd_alloc(vertices, sizeof *c->position);
    c->exact = sherd_alloc(vertices, sizeof *c->exact);
    c->triangle = sherd_alloc(triangles, sizeof *c->triangle);
    *key = sherd_alloc(vertices, sizeof **key);
    return c->position != NULL && c->exact != NULL && c->triangle != NULL && *key != NULL;
}

// Takes a block's vertices, those already there from its neighbours by their keys, and triangles.
static bool take_block(crack *c, const crack_block *b, key_map *map, uint64_t *key, int32_t *number)
{
    for (int32_t v = 0; v < b->vertex_count; ++v) {
        number[v] = sherd_key_map_insert(map, b->vertices[v].key);
        if (number[v] < 0) return false;
        if (number[v] < c->vertex_count) continue;
        key[c->vertex_count] = b->vertices[v].key;
        c->position[c->vertex_count++] = b->vertices[v].position;
    }
    for (int32_t t = 0; t < b->triangle_count; ++t) {
        crack_triangle from = b->triangles[t];
        for (int k = 0; k < 3; ++k)
            from.corner[k] = number[from.corner[k]];
        c->triangle[c->triangle_count++] = from;
    }
    return true;
}

bool sherd_crack_gather(crack *c, const crack_grid *g, const exact_lattice *lattice, uint64_t salt,
                        const sherd_parallel *parallel)
{
    *c = (crack){0};
    uint64_t *key = NULL;
    key_map map = {0};
    int32_t *number = NULL;
    size_t room = 0;
    bool ok = make_crack_room(c, g, &key);
    for (int32_t k = 0; ok && k < g->count; ++k)
        ok = sherd_grow((void **)&number, &room, (size_t)g->blocks[k].vertex_count + 1,
                        sizeof *number) &&
             take_block(c, &g->blocks[k], &map, key, number);
    snap_job job = {c, key, lattice, salt};
    if (ok) sherd_parallel_for(parallel, (size_t)c->vertex_count, 4096, snap_vertices, &job);
    sherd_key_map_release(&map);
    sherd_free(key);
    sherd_free(number);
    return ok;
}

void sherd_crack_release(crack *c)
{
    sherd_free(c->position);
    sherd_free(c->exact);
    sherd_free(c->triangle);
    *c = (crack){0};
}

// --- Pairs of triangles ----------------------------------------------------------------------------

// A crossing as its pair of triangles sees it, before points are numbered.
typedef struct raw_end {
    bool of_crack;
    uint8_t side; // of the triangle whose edge it is
    double along, weight[3];
} raw_end;

typedef struct raw_crossing {
    int32_t outer, crack;
    bool left_is_front;
    raw_end end[2];
} raw_crossing;

typedef struct raw_list {
    size_t room;
    int32_t count;
    raw_crossing *items;
    crossing_result result;
} raw_list;

typedef struct pair_job {
    const outline *o;
    const crack *c;
    raw_list *lists; // by chunk
} pair_job;

enum { CHUNK = 512 };

// A pair of triangles: 0 the outline's, 1 the crack's.
typedef struct triangle_pair {
    int32_t number[2];
    const int32_t *corner[2];
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

// Looking from the first end into the outer triangle, what is to the left: behind on the outer edge,
// if the end lies on one; else the front if the crack's edge comes from below, as the crack triangle
// is to the left of its own edges.
static bool is_front_left(const triangle_pair *p, const raw_end *first)
{
    return first->of_crack ? p->side[1][first->side] < 0 : p->side[0][first->side] > 0;
}

static bool append(raw_list *l, const triangle_pair *p, const raw_end end[2])
{
    if (!sherd_grow((void **)&l->items, &l->room, (size_t)l->count + 1, sizeof *l->items)) {
        l->result = CROSSING_MEMORY;
        return false;
    }
    l->items[l->count++] =
        (raw_crossing){p->number[0], p->number[1], is_front_left(p, &end[0]), {end[0], end[1]}};
    return true;
}

static bool cross_pair(raw_list *l, triangle_pair *p)
{
    bool flat = false;
    if (!find_sides(p, &flat) && !flat) return true;
    if (flat) {
        l->result = CROSSING_DEGENERATE;
        return false;
    }
    raw_end end[2];
    int count = 0;
    for (int s = 0; s < 2; ++s)
        for (int k = 0; k < 3; ++k) {
            if (!goes_through(p, s, k)) continue;
            if (count < 2) end[count] = make_end(p, s, k);
            ++count;
        }
    if (count == 0) return true;
    if (count == 2) return append(l, p, end);
    l->result = CROSSING_DEGENERATE;
    return false;
}

typedef struct visit {
    const pair_job *job;
    raw_list *list;
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
    const outline *o = v->job->o;
    if (apart(outline_triangle_bounds(o, t), v->box)) return true;
    v->pair.number[0] = t;
    v->pair.corner[0] = o->triangle + 3 * (size_t)t;
    for (int k = 0; k < 3; ++k)
        v->pair.at[0][k] = &o->exact[v->pair.corner[0][k]];
    return cross_pair(v->list, &v->pair);
}

static void find_pairs(void *context, size_t begin, size_t end)
{
    const pair_job *job = context;
    visit v = {.job = job, .list = &job->lists[begin / CHUNK]};
    // Lattice points are moved by up to 2^6 steps: boxes are a little larger.
    double room = 256.0 / job->o->lattice.steps;
    for (size_t t = begin; t < end && v.list->result == CROSSING_OK; ++t) {
        v.pair.number[1] = (int32_t)t;
        v.pair.corner[1] = job->c->triangle[t].corner;
        const sherd_vec3 *x = job->c->position;
        const int32_t *c = v.pair.corner[1];
        for (int k = 0; k < 3; ++k)
            v.pair.at[1][k] = &job->c->exact[c[k]];
        v.box.low = vec3_min(x[c[0]], vec3_min(x[c[1]], x[c[2]]));
        v.box.high = vec3_max(x[c[0]], vec3_max(x[c[1]], x[c[2]]));
        v.box.low = vec3_sub(v.box.low, vec3(room, room, room));
        v.box.high = vec3_add(v.box.high, vec3(room, room, room));
        sherd_bvh_overlaps(&job->o->tree, v.box, visit_outer, &v);
    }
}

// --- Shared points ---------------------------------------------------------------------------------

typedef struct numbering {
    crossings *x;
    const outline *o;
    const crack *c;
    key_map edges; // of the crack, by their vertices
    key_map on_outer,
        on_crack; // points on the outline's and on the crack's edges, by edge and triangle
    int32_t *outer_point, *crack_point; // numbers in either map -> point
    size_t outer_room, crack_room, point_room;
} numbering;

static int32_t edge_of(numbering *n, const raw_crossing *r, const raw_end *e)
{
    if (!e->of_crack) return n->o->edge[3 * (size_t)r->outer + e->side];
    const int32_t *c = n->c->triangle[r->crack].corner;
    uint64_t a = (uint64_t)c[e->side], b = (uint64_t)c[(e->side + 1) % 3];
    return sherd_key_map_insert(&n->edges, a < b ? a << 32 | b : b << 32 | a);
}

static sherd_vec3 position_of(const numbering *n, const raw_crossing *r, const raw_end *e)
{
    const int32_t *c = n->o->triangle + 3 * (size_t)r->outer;
    const sherd_vec3 *p = n->o->position;
    if (e->of_crack)
        return vec3_add_scaled(
            vec3_add_scaled(vec3_scale(e->weight[0], p[c[0]]), e->weight[1], p[c[1]]), e->weight[2],
            p[c[2]]);
    int32_t a = c[e->side], b = c[(e->side + 1) % 3], low = a < b ? a : b, high = a < b ? b : a;
    return vec3_add_scaled(p[low], e->along, vec3_sub(p[high], p[low]));
}

static int32_t number_point(numbering *n, const raw_crossing *r, const raw_end *e)
{
    int32_t edge = edge_of(n, r, e), triangle = e->of_crack ? r->outer : r->crack;
    if (edge < 0) return -1;
    key_map *map = e->of_crack ? &n->on_crack : &n->on_outer;
    int32_t **point = e->of_crack ? &n->crack_point : &n->outer_point;
    size_t *room = e->of_crack ? &n->crack_room : &n->outer_room, before = map->count;
    int32_t k = sherd_key_map_insert(map, (uint64_t)edge << 32 | (uint64_t)triangle);
    if (k < 0 || !sherd_grow((void **)point, room, (size_t)k + 1, sizeof **point)) return -1;
    if (map->count == before) return (*point)[k];
    crossings *x = n->x;
    if (!sherd_grow((void **)&x->points, &n->point_room, (size_t)x->point_count + 1,
                    sizeof *x->points))
        return -1;
    x->points[x->point_count] =
        (crossing_point){.of_crack = e->of_crack,
                         .edge = edge,
                         .triangle = triangle,
                         .along = e->along,
                         .weight = {e->weight[0], e->weight[1], e->weight[2]},
                         .position = position_of(n, r, e)};
    return (*point)[k] = x->point_count++;
}

static bool number_segments(numbering *n, const raw_list *l)
{
    for (int32_t k = 0; k < l->count; ++k) {
        const raw_crossing *r = &l->items[k];
        crossing *s = &n->x->segments[n->x->count++];
        *s = (crossing){.outer = r->outer, .crack = r->crack, .left_is_front = r->left_is_front};
        for (int e = 0; e < 2; ++e) {
            s->point[e] = number_point(n, r, &r->end[e]);
            s->side[e] = r->end[e].side;
            if (s->point[e] < 0) return false;
        }
    }
    return true;
}

static bool sort_by_outer(crossings *x, int32_t triangles)
{
    int32_t *start = sherd_alloc((size_t)triangles + 1, sizeof *start);
    x->by_outer = sherd_alloc((size_t)x->count, sizeof *x->by_outer);
    bool ok = start != NULL && x->by_outer != NULL;
    if (ok) {
        for (int32_t k = 0; k < x->count; ++k)
            start[x->segments[k].outer + 1]++;
        for (int32_t t = 0; t < triangles; ++t)
            start[t + 1] += start[t];
        for (int32_t k = 0; k < x->count; ++k)
            x->by_outer[start[x->segments[k].outer]++] = k;
    }
    sherd_free(start);
    return ok;
}

static crossing_result gather(crossings *x, const outline *o, const crack *c, const raw_list *lists,
                              size_t chunks)
{
    size_t total = 0;
    for (size_t k = 0; k < chunks; ++k) {
        if (lists[k].result != CROSSING_OK) return lists[k].result;
        total += (size_t)lists[k].count;
    }
    numbering n = {.x = x, .o = o, .c = c};
    x->segments = sherd_alloc(total, sizeof *x->segments);
    bool ok = x->segments != NULL;
    for (size_t k = 0; ok && k < chunks; ++k)
        ok = number_segments(&n, &lists[k]);
    ok = ok && sort_by_outer(x, o->triangle_count);
    sherd_key_map_release(&n.edges);
    sherd_key_map_release(&n.on_outer);
    sherd_key_map_release(&n.on_crack);
    sherd_free(n.outer_point);
    sherd_free(n.crack_point);
    return ok ? CROSSING_OK : CROSSING_MEMORY;
}

crossing_result sherd_crossings_find(crossings *x, const outline *o, const crack *c,
                                     const sherd_parallel *parallel)
{
    *x = (crossings){0};
    size_t chunks = ((size_t)c->triangle_count + CHUNK - 1) / CHUNK;
    pair_job job = {o, c, sherd_alloc(chunks, sizeof *job.lists)};
    if (job.lists == NULL) return CROSSING_MEMORY;
    sherd_parallel_for(parallel, (size_t)c->triangle_count, CHUNK, find_pairs, &job);
    crossing_result result = gather(x, o, c, job.lists, chunks);
    for (size_t k = 0; k < chunks; ++k)
        sherd_free(job.lists[k].items);
    sherd_free(job.lists);
    return result;
}

void sherd_crossings_release(crossings *x)
{
    sherd_free(x->points);
    sherd_free(x->segments);
    sherd_free(x->by_outer);
    *x = (crossings){0};
}

// The first layer grows from a seed over one face of the wall: every new sphere touches two of the
// layer and the face. Each further layer, deeper in the wall, is in the hollows of the previous
// one. Layers therefore follow the face, and dislocations appear only where curvature requires
// them.
//
//        face     _______________
//        layer 0   O O O O O O O       each touches the face and two before it
//        layer 1    O O O O O O        in the hollows of layer 0
//        layer 2   O O O O O O O       in the hollows of layer 1
//        other    _______________
//
// Positions nearest to the seed are used first, so that one crystal grows instead of many with
// different orientations.
#include "packing/lattice/wall_layers.h"

#include "base/assertion.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "math/point_grid.h"
#include "math/vec3.h"
#include "packing/lattice/candidate_heap.h"
#include "packing/touching.h"

enum { NEAR = 48, CHUNK = 32 /* spheres */ };

// All in units of the radius.
static const double BRIDGE = 2.4;    // a new sphere may touch two neighbours up to this distance
static const double OVERLAP = 0.2;   // relaxed away later; lets layers bend
static const double STICK_OUT = 0.4; // protrusion from the surface; pushed inside afterwards
// Next to each other in one layer, normals turn by less than 60 degrees: edges end a layer.
static const double SAME_FACE = 0.5;
// The distance of layers (1.63 in close packing).
static const double DEEPER = 1.2;

typedef struct wall {
    const sherd_shape *shape;
    const sherd_wall_def *def;
    sherd_vec3 seed;
    sherd_point_grid grid;
    sherd_centres *centres;
    sherd_vec3 *normal;     // outward normal of the first layer's face, per sphere
    int32_t *layer;         // per sphere
    size_t normals, layers; // capacities
    sherd_candidate_heap candidates;
} wall;

static bool add_sphere(wall *w, sherd_vec3 position, sherd_vec3 normal, int32_t layer)
{
    sherd_centres *c = w->centres;
    size_t n = c->count;
    if (!sherd_grow((void **)&c->point, &c->capacity, n + 1, sizeof *c->point) ||
        !sherd_grow((void **)&w->normal, &w->normals, n + 1, sizeof *w->normal) ||
        !sherd_grow((void **)&w->layer, &w->layers, n + 1, sizeof *w->layer) ||
        !sherd_point_grid_add(&w->grid, position))
        return false;
    c->point[n] = position;
    w->normal[n] = normal;
    w->layer[n] = layer;
    ++c->count;
    return true;
}

static bool is_taken(const wall *w, sherd_vec3 position)
{
    return sherd_point_grid_is_taken(&w->grid, position, (2.0 - OVERLAP) * w->def->radius);
}

static bool push_candidate(const wall *w, sherd_candidate_heap *to, sherd_vec3 position,
                           sherd_vec3 normal)
{
    if (is_taken(w, position)) return true;
    double cost = vec3_distance(position, w->seed);
    return sherd_candidate_heap_push(
        to, (sherd_candidate){.cost = cost, .position = position, .normal = normal});
}

// Moves a position inside; returns false where the wall is thinner than the sphere.
static bool settle_inside(const wall *w, sherd_vec3 *position)
{
    double r = w->def->radius, depth = -sherd_shape_distance(w->shape, *position);
    if (!(depth > (1.0 - STICK_OUT) * r)) return false;
    if (depth >= r) return true;
    *position = sherd_push_inside(w->shape, *position, r);
    return -sherd_shape_distance(w->shape, *position) > 0.98 * r;
}

// ---- First layer ----------------------------------------------------------------------------

// Whether the first layer already covers the opposite face: it must not grow around an edge.
static bool is_behind_first_layer(const wall *w, sherd_vec3 position, sherd_vec3 normal)
{
    double r = w->def->radius;
    for (double way = 0.0; way < 1.5 * w->def->wall; way += 1.5 * r) {
        int32_t near[NEAR];
        sherd_vec3 at = vec3_add_scaled(position, -way, normal);
        int found = sherd_point_grid_near(&w->grid, at, 1.5 * r, near, NEAR);
        for (int k = 0; k < found; ++k)
            if (vec3_dot(w->normal[near[k]], normal) < -0.2) return true;
    }
    return false;
}

// In a wall of one layer the nearest face, and so the normal's sign, depends on rounding.
static sherd_vec3 normal_like(const wall *w, sherd_vec3 position, sherd_vec3 like)
{
    sherd_vec3 normal = sherd_shape_normal(w->shape, position);
    bool one_layer = w->def->wall < 2.6 * w->def->radius;
    return one_layer && vec3_dot(normal, like) < 0.0 ? vec3_scale(-1.0, normal) : normal;
}

static bool push_on_face(wall *w, sherd_vec3 position, sherd_vec3 like)
{
    if (is_taken(w, position) || !settle_inside(w, &position)) return true;
    sherd_vec3 normal = normal_like(w, position, like);
    if (vec3_dot(normal, like) < SAME_FACE) return true;
    if (is_behind_first_layer(w, position, normal)) return true;
    return push_candidate(w, &w->candidates, position, normal);
}

static bool push_beside_pair(wall *w, size_t n, size_t m)
{
    double r = w->def->radius;
    sherd_vec3 like = vec3_normalize(vec3_add(w->normal[n], w->normal[m]));
    sherd_touch_circle circle = sherd_touch_two(w->grid.point[n].at, w->grid.point[m].at, r, like);
    for (int sign = -1; sign <= 1; sign += 2) {
        sherd_vec3 position = vec3_add_scaled(circle.middle, sign * circle.radius, circle.side);
        // Positions that are clearly occupied need not be moved to the surface.
        if (sherd_point_grid_is_taken(&w->grid, position, 1.2 * r)) continue;
        position = sherd_slide_to_surface(w->shape, &circle, position, r);
        if (!push_on_face(w, position, like)) return false;
    }
    return true;
}

static bool push_beside(wall *w, size_t n)
{
    int32_t near[NEAR];
    double reach = BRIDGE * w->def->radius;
    int found = sherd_point_grid_near(&w->grid, w->grid.point[n].at, reach, near, NEAR);
    for (int k = 0; k < found; ++k)
        if ((size_t)near[k] != n && !push_beside_pair(w, n, (size_t)near[k])) return false;
    return true;
}

// The seed and a second sphere next to it, so that there is a pair to start from.
static bool start_first_layer(wall *w)
{
    double r = w->def->radius;
    sherd_vec3 p = w->def->seed, normal = sherd_shape_normal(w->shape, p);
    double depth = -sherd_shape_distance(w->shape, p);
    w->seed = sherd_push_inside(w->shape, vec3_add_scaled(p, depth - r, normal), r);
    normal = normal_like(w, w->seed, normal);
    sherd_vec3 aside = vec3_perpendicular(normal);
    return add_sphere(w, w->seed, normal, 0) &&
           push_on_face(w, vec3_add_scaled(w->seed, 2.0 * r, aside), normal);
}

// ---- Deeper layers --------------------------------------------------------------------------

static bool is_below(const wall *w, sherd_vec3 position, size_t n)
{
    double down = -vec3_dot(vec3_sub(position, w->grid.point[n].at), w->normal[n]);
    return down > DEEPER * w->def->radius;
}

// Pushes the hollow of three spheres of layers `layer - 1` and `layer`.
static bool push_hollow(const wall *w, sherd_candidate_heap *to, const size_t of[3], int32_t layer)
{
    sherd_vec3 position[2], normal = {0};
    if (!sherd_touch_three(w->grid.point[of[0]].at, w->grid.point[of[1]].at,
                           w->grid.point[of[2]].at, w->def->radius, position))
        return true;
    for (int k = 0; k < 3; ++k)
        normal = vec3_add(normal, w->normal[of[k]]);
    normal = vec3_normalize(normal);
    for (int k = 0; k < 2; ++k) {
        bool rests = true;
        for (int m = 0; m < 3; ++m)
            if (w->layer[of[m]] == layer - 1) rests = rests && is_below(w, position[k], of[m]);
        if (!rests || is_taken(w, position[k]) || !settle_inside(w, &position[k])) continue;
        if (!push_candidate(w, to, position[k], normal)) return false;
    }
    return true;
}

static bool push_hollows(const wall *w, sherd_candidate_heap *to, size_t n, int32_t layer)
{
    int32_t near[NEAR];
    double reach = BRIDGE * w->def->radius;
    int found = sherd_point_grid_near(&w->grid, w->grid.point[n].at, reach, near, NEAR);
    for (int k = 0; k < found; ++k) {
        size_t b = (size_t)near[k];
        if (b == n || w->layer[b] < layer - 1) continue;
        for (int m = 0; m < k; ++m) {
            size_t c = (size_t)near[m];
            bool on_top = w->layer[n] < layer || w->layer[b] < layer || w->layer[c] < layer;
            if (c == n || w->layer[c] < layer - 1 || !on_top) continue;
            if (vec3_distance(w->grid.point[b].at, w->grid.point[c].at) > reach) continue;
            if (!push_hollow(w, to, (size_t[3]){n, b, c}, layer)) return false;
        }
    }
    return true;
}

// Of the spheres of the last layer.
typedef struct hollow_job {
    const wall *wall;
    size_t begin; // sphere of the first chunk
    int32_t layer;
    sherd_candidate_heap *candidates; // by chunk
    bool *done;
} hollow_job;

static void push_hollows_of(void *context, size_t begin, size_t end)
{
    const hollow_job *job = context;
    sherd_candidate_heap *to = &job->candidates[begin / CHUNK];
    bool done = true;
    for (size_t k = begin; k < end && done; ++k)
        done = push_hollows(job->wall, to, job->begin + k, job->layer);
    job->done[begin / CHUNK] = done;
}

// Of spheres [begin, end), in their order, whatever thread computed them.
static bool push_layer_hollows(wall *w, size_t begin, size_t end, int32_t layer)
{
    const sherd_parallel threads = {w->def->threads};
    size_t chunks = (end - begin + CHUNK - 1) / CHUNK;
    hollow_job job = {.wall = w,
                      .begin = begin,
                      .layer = layer,
                      .candidates = sherd_alloc(chunks, sizeof *job.candidates),
                      .done = sherd_alloc(chunks, sizeof *job.done)};
    bool done = job.candidates != NULL && job.done != NULL;
    if (done) sherd_parallel_for(&threads, end - begin, CHUNK, push_hollows_of, &job);
    for (size_t k = 0; k < chunks && job.candidates != NULL; ++k) {
        done = done && job.done[k] && sherd_candidate_heap_join(&w->candidates, &job.candidates[k]);
        sherd_candidate_heap_free(&job.candidates[k]);
    }
    sherd_free(job.candidates);
    sherd_free(job.done);
    return done;
}

// ---- Loop -----------------------------------------------------------------------------------

static bool place_candidates(wall *w, int32_t layer)
{
    while (w->candidates.count > 0 && w->centres->count < w->def->most) {
        sherd_candidate best = sherd_candidate_heap_pop(&w->candidates);
        if (is_taken(w, best.position)) continue;
        size_t n = w->centres->count;
        if (!add_sphere(w, best.position, best.normal, layer)) return false;
        if (layer == 0 ? !push_beside(w, n) : !push_hollows(w, &w->candidates, n, layer))
            return false;
    }
    return true;
}

static bool grow_layers(wall *w)
{
    size_t begin = 0;
    if (!start_first_layer(w) || !place_candidates(w, 0)) return false;
    // Stops when a layer has no spheres.
    for (int32_t layer = 1; begin < w->centres->count; ++layer) {
        size_t end = w->centres->count;
        if (!push_layer_hollows(w, begin, end, layer)) return false;
        if (!place_candidates(w, layer)) return false;
        begin = end;
    }
    return true;
}

bool sherd_wall_layers(const sherd_shape *shape, const sherd_wall_def *def, sherd_centres *centres)
{
    SHERD_ASSERT(def->radius > 0.0, "elements have a radius");
    wall w = {.shape = shape, .def = def, .centres = centres};
    if (!sherd_point_grid_init(&w.grid, BRIDGE * def->radius, 1024)) return false;
    bool done = grow_layers(&w);
    sherd_point_grid_free(&w.grid);
    sherd_candidate_heap_free(&w.candidates);
    sherd_free(w.normal);
    sherd_free(w.layer);
    return done;
}

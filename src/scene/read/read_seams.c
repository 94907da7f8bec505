// Detects parts of a union that only touch. They share no volume, so elements stay away from both
// faces, and few bonds or none connect them. Parts that overlap, directly or through others, are
// connected; parts at a distance are separate on purpose.
#include "scene/read/sections.h"

#include "base/assertion.h"
#include "base/forest.h"
#include "math/vec3.h"

#include <math.h>
#include <string.h>

enum {
    // Sample points along an edge of the box in which two parts are searched for a common point.
    SIDE = 12,
    STARTS = 6,                // the deepest of these points, from which the search continues
    REFINEMENTS = 24,          // steps of the search, of decreasing length
    MAX_EVALUATIONS = 1000000, // evaluations for one union; beyond this limit nothing is reported
};

// An overlap below this fraction of the smaller part's smallest extent counts as none, and so does
// a gap: lengths in scenes are rounded.
static const double TOUCH = 1e-3;

typedef struct pair {
    const sherd_shape *a, *b;
    int looks;        // so far
    sherd_bounds box; // of both bounds' intersection
} pair;

// The minimum of this function is minus the depth of the overlap, half its thickness; above 0 it is
// at least half the gap.
static double common(pair *p, sherd_vec3 at)
{
    ++p->looks;
    return fmax(sherd_shape_distance(p->a, at), sherd_shape_distance(p->b, at));
}

static double min_extent(const sherd_shape *shape)
{
    sherd_bounds b = sherd_shape_bounds(shape);
    sherd_vec3 size = vec3_sub(b.high, b.low);
    return fmin(size.x, fmin(size.y, size.z));
}

// Returns false if their bounds are farther from each other than `tolerance`.
static bool intersect(pair *p, double tolerance)
{
    sherd_bounds a = sherd_shape_bounds(p->a), b = sherd_shape_bounds(p->b);
    p->box = (sherd_bounds){vec3_max(a.low, b.low), vec3_min(a.high, b.high)};
    sherd_vec3 size = vec3_sub(p->box.high, p->box.low);
    return size.x >= -tolerance && size.y >= -tolerance && size.z >= -tolerance;
}

static sherd_vec3 point_in(const sherd_bounds *box, double x, double y, double z)
{
    sherd_vec3 size = vec3_sub(box->high, box->low);
    return vec3(box->low.x + x * size.x, box->low.y + y * size.y, box->low.z + z * size.z);
}

// ---------------------------------------------------------------- deepest common point

typedef struct start {
    sherd_vec3 at;
    double value;
} start;

// Retains the smallest values, in order.
static void keep_start(start starts[STARTS], start found)
{
    for (int k = 0; k < STARTS; ++k) {
        if (found.value >= starts[k].value) continue;
        start other = starts[k];
        starts[k] = found, found = other;
    }
}

// Descends along the axes from a sample point. Ends early below `enough`.
static start refine(pair *p, start from, double step, double enough)
{
    for (int k = 0; k < REFINEMENTS && from.value >= enough; ++k) {
        start best = from;
        for (int direction = 0; direction < 6; ++direction) {
            double by = direction % 2 == 0 ? step : -step;
            sherd_vec3 shift = vec3(direction / 2 == 0 ? by : 0.0, direction / 2 == 1 ? by : 0.0,
                                    direction / 2 == 2 ? by : 0.0);
            start next = {vec3_add(from.at, shift), 0.0};
            next.value = common(p, next.at);
            if (next.value < best.value) best = next;
        }
        if (best.value < from.value)
            from = best;
        else
            step *= 0.5;
    }
    return from;
}

static start deepest(pair *p, double enough)
{
    start starts[STARTS];
    for (int k = 0; k < STARTS; ++k)
        starts[k].value = INFINITY;
    for (int k = 0; k < SIDE * SIDE * SIDE; ++k) {
        // Tests the centre first: most overlapping parts share it.
        int n = (k + SIDE * SIDE * SIDE / 2 + SIDE * SIDE / 2 + SIDE / 2) % (SIDE * SIDE * SIDE);
        start here = {point_in(&p->box, (n % SIDE + 0.5) / SIDE, (n / SIDE % SIDE + 0.5) / SIDE,
                               (n / (SIDE * SIDE) + 0.5) / SIDE),
                      0.0};
        here.value = common(p, here.at);
        if (here.value < enough) return here;
        keep_start(starts, here);
    }
    double step = vec3_length(vec3_sub(p->box.high, p->box.low)) / (2.0 * SIDE);
    start best = starts[0];
    for (int k = 0; k < STARTS && best.value >= enough; ++k) {
        start found = refine(p, starts[k], step, enough);
        if (found.value < best.value) best = found;
    }
    return best;
}

// ---------------------------------------------------------------- results

static void keep_seam(sherd_scene_reader *reader, const sherd_scene_seam *seam)
{
    if (reader->seam_count >= reader->seam_capacity) {
        int capacity = 2 * reader->seam_count + 16; // arenas do not free memory
        sherd_scene_seam *seams = sherd_arena_alloc(reader->arena, (size_t)capacity, sizeof *seams);
        if (seams == NULL) return; // the arena records the failure
        if (reader->seam_count > 0)
            memcpy(seams, reader->seams, (size_t)reader->seam_count * sizeof *seams);
        reader->seams = seams;
        reader->seam_capacity = capacity;
    }
    reader->seams[reader->seam_count++] = *seam;
}

void sherd_assign_seams(sherd_scene_reader *reader, int body)
{
    SHERD_ASSERT(body >= 0 && reader->seam_count >= reader->scene->seam_count,
                 "seams are only added");
    sherd_scene *scene = reader->scene;
    for (int k = scene->seam_count; k < reader->seam_count; ++k)
        reader->seams[k].body = body;
    scene->seams = reader->seams;
    scene->seam_count = reader->seam_count;
}

// ---------------------------------------------------------------- a union

typedef struct touching {
    int part, other;
    sherd_vec3 at; // in the union's frame
} touching;

typedef struct union_job {
    sherd_scene_reader *reader;
    sherd_shape *const *parts;
    int count, looks;
    int32_t *root;
    touching *list; // (room)
    int found, capacity;
} union_job;

enum { TOUCHING = 4 }; // stored pairs per part, on average

static void look(union_job *job, int i, int j)
{
    pair p = {.a = job->parts[i], .b = job->parts[j]};
    double tolerance = TOUCH * fmin(min_extent(p.a), min_extent(p.b));
    if (!intersect(&p, tolerance)) return;
    start found = deepest(&p, -0.5 * tolerance);
    job->looks += p.looks;
    if (found.value < -0.5 * tolerance)
        sherd_join_roots(job->root, i, j);
    else if (found.value <= tolerance && job->found < job->capacity)
        job->list[job->found++] = (touching){i, j, found.at};
}

// Reports pairs that nothing else connects, once for each two components that they would connect.
static void tell(union_job *job, const sherd_node *list)
{
    for (int k = 0; k < job->found; ++k) {
        const touching *t = &job->list[k];
        if (sherd_find_root(job->root, t->part) == sherd_find_root(job->root, t->other)) continue;
        sherd_join_roots(job->root, t->part, t->other);
        sherd_scene_seam seam = {-1,
                                 sherd_reader_where(job->reader, sherd_node_item(list, t->other)),
                                 t->part, t->other, t->at};
        keep_seam(job->reader, &seam);
    }
}

void sherd_find_seams(sherd_scene_reader *reader, const sherd_node *list, sherd_shape *const *parts)
{
    union_job job = {
        .reader = reader, .parts = parts, .count = list->count, .capacity = TOUCHING * list->count};
    job.root = sherd_arena_alloc(reader->arena, (size_t)job.count, sizeof *job.root);
    job.list = sherd_arena_alloc(reader->arena, (size_t)job.capacity, sizeof *job.list);
    if (job.root == NULL || job.list == NULL) return; // the arena records the failure
    for (int k = 0; k < job.count; ++k)
        job.root[k] = k;
    for (int i = 0; i < job.count; ++i)
        for (int j = i + 1; j < job.count && job.looks < MAX_EVALUATIONS; ++j)
            look(&job, i, j);
    if (job.looks < MAX_EVALUATIONS) tell(&job, list);
}

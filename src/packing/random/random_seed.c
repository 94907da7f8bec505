#include "packing/random/random_seed.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/random.h"
#include "math/quat.h"
#include "packing/random/random_sizes.h"

// Streams of random numbers.
enum { STREAM_TURN = 100, STREAM_X, STREAM_Y, STREAM_Z, STREAM_SIZE, STREAM_SWAP };

// Cubes by number, in blocks of 2^level along each axis.
typedef struct site_search {
    const sherd_shape *shape;
    sherd_vec3 middle;
    sherd_quat turn;
    double edge;    // of a cube [m]
    int64_t origin; // number of the first cube along each axis
    uint64_t seed;
    int64_t most;
    sherd_rcp *rcp;
    size_t capacity;
    uint64_t cubes; // visited so far
    bool no_memory, too_many;
} site_search;

static sherd_vec3 place(const site_search *s, double i, double j, double k)
{
    sherd_vec3 local = vec3_scale(s->edge, vec3(i, j, k));
    return vec3_add(s->middle, quat_rotate(s->turn, local));
}

static void add_site(site_search *s, sherd_vec3 p)
{
    sherd_rcp *rcp = s->rcp;
    if ((int64_t)rcp->count >= s->most) s->too_many = true;
    if (s->too_many || s->no_memory) return;
    if (!sherd_grow((void **)&rcp->ball, &s->capacity, rcp->count + 1, sizeof *rcp->ball)) {
        s->no_memory = true;
        return;
    }
    rcp->ball[rcp->count++] = (sherd_rcp_ball){p.x, p.y, p.z, 0.0};
}

static void search_cube(site_search *s, int64_t i, int64_t j, int64_t k, bool inside)
{
    uint64_t n = s->cubes++;
    sherd_vec3 p = place(s, (double)i + sherd_random_uniform(s->seed, STREAM_X, n),
                         (double)j + sherd_random_uniform(s->seed, STREAM_Y, n),
                         (double)k + sherd_random_uniform(s->seed, STREAM_Z, n));
    if (inside || sherd_shape_distance(s->shape, p) < 0.0) add_site(s, p);
}

static void search_block(site_search *s, int64_t i, int64_t j, int64_t k, int level, bool inside)
{
    if (s->too_many || s->no_memory) return;
    if (level == 0) {
        search_cube(s, i, j, k, inside);
        return;
    }
    int64_t half = INT64_C(1) << (level - 1);
    if (!inside) {
        double h = (double)half, reach = sqrt(3.0) * h * s->edge;
        sherd_vec3 middle = place(s, (double)i + h, (double)j + h, (double)k + h);
        double distance = sherd_shape_distance(s->shape, middle);
        if (distance > reach) return;
        inside = distance < -reach;
    }
    for (int n = 0; n < 8; ++n)
        search_block(s, i + (n & 1) * half, j + (n >> 1 & 1) * half, k + (n >> 2) * half, level - 1,
                     inside);
}

// Uniform over all rotations: a normal deviate for each component.
static sherd_quat any_turn(uint64_t seed)
{
    return quat_normalize(
        quat(sherd_random_normal(seed, STREAM_TURN, 0), sherd_random_normal(seed, STREAM_TURN, 1),
             sherd_random_normal(seed, STREAM_TURN, 2), sherd_random_normal(seed, STREAM_TURN, 3)));
}

// ---------------------------------------------------------------- sizes

// Whether a ball of radius r fits near p, by moving away from the surface.
static bool has_room(const sherd_shape *shape, sherd_vec3 p, double r)
{
    enum { CLIMBS = 12 };
    const double enough = 0.97; // the scale will be as far below 1, or balls move a little
    for (int step = 0; step < CLIMBS; ++step) {
        double depth = -sherd_shape_distance(shape, p);
        if (depth >= enough * r) return true;
        p = vec3_add_scaled(p, depth - r, sherd_shape_normal(shape, p));
    }
    return false;
}

// Finds another ball to exchange radii with, so that both have room.
static bool exchange(sherd_rcp *rcp, uint64_t seed, size_t n)
{
    enum { TRIES = 24 };
    sherd_rcp_ball *ball = rcp->ball;
    for (uint64_t k = 0; k < TRIES; ++k) {
        size_t m = (size_t)(sherd_random_bits(seed, STREAM_SWAP, TRIES * n + k) % rcp->count);
        if (!(ball[m].r < 0.99 * ball[n].r)) continue;
        if (!has_room(rcp->shape, sherd_rcp_centre(&ball[n]), ball[m].r)) continue;
        if (!has_room(rcp->shape, sherd_rcp_centre(&ball[m]), ball[n].r)) continue;
        double r = ball[n].r;
        ball[n].r = ball[m].r, ball[m].r = r;
        return true;
    }
    return false;
}

typedef struct room_job {
    const sherd_rcp *rcp;
    double skin;      // [m]
    uint8_t *tight;   // no room for its element (n)
    uint8_t *shallow; // less than `skin` deep (n)
} room_job;

static void find_tight(void *context, size_t begin, size_t end)
{
    const room_job *job = context;
    for (size_t n = begin; n < end; ++n) {
        const sherd_rcp_ball *b = &job->rcp->ball[n];
        job->tight[n] = !has_room(job->rcp->shape, sherd_rcp_centre(b), b->r);
        job->shallow[n] = sherd_shape_distance(job->rcp->shape, sherd_rcp_centre(b)) > -job->skin;
    }
}

// Removes balls without room that find no partner for an exchange.
static void make_fit(sherd_rcp *rcp, uint64_t seed, uint8_t *tight)
{
    size_t kept = 0;
    for (size_t n = 0; n < rcp->count; ++n)
        if (tight[n]) tight[n] = !exchange(rcp, seed, n);
    for (size_t n = 0; n < rcp->count; ++n)
        if (!tight[n]) rcp->ball[kept++] = rcp->ball[n];
    rcp->count = kept;
}

// Returns false if memory runs short.
static bool choose_sizes(sherd_rcp *rcp, const sherd_packing_def *def, double skin, double *shallow)
{
    size_t count = rcp->count, near = 0;
    room_job job = {rcp, skin, sherd_alloc(count, 1), sherd_alloc(count, 1)};
    bool done = job.tight != NULL && job.shallow != NULL;
    if (done) {
        for (size_t n = 0; n < count; ++n)
            rcp->ball[n].r = sherd_rcp_radius(def, sherd_random_uniform(def->seed, STREAM_SIZE, n));
        sherd_parallel_for(&rcp->parallel, count, SHERD_RCP_CHUNK, find_tight, &job);
        for (size_t n = 0; n < count; ++n)
            near += job.shallow[n];
        *shallow = count > 0 ? (double)near / (double)count : 0.0;
        make_fit(rcp, def->seed, job.tight);
    }
    sherd_free(job.tight);
    sherd_free(job.shallow);
    return done;
}

sherd_status sherd_rcp_seed(sherd_rcp *rcp, const sherd_packing_def *def, double cell, double skin,
                            double *shallow, sherd_error *error)
{
    sherd_bounds bounds = sherd_shape_bounds(rcp->shape);
    double diagonal = vec3_distance(bounds.low, bounds.high);
    site_search s = {.shape = rcp->shape, .edge = cbrt(cell), .seed = def->seed, .rcp = rcp};
    s.middle = vec3_scale(0.5, vec3_add(bounds.low, bounds.high));
    s.turn = any_turn(def->seed);
    s.most = def->max_elements < INT32_MAX ? def->max_elements : INT32_MAX;
    int level = 1;
    while (level < 40 && (double)(INT64_C(1) << level) * s.edge < diagonal)
        ++level;
    int64_t first = -(INT64_C(1) << (level - 1));
    rcp->count = 0;
    sherd_free(rcp->ball);
    rcp->ball = NULL;
    search_block(&s, first, first, first, level, false);
    if (s.too_many)
        return sherd_fail(error, SHERD_ERROR_INPUT, "packing.radius",
                          "use a larger radius, or raise max_elements; a mesh may lack its scale",
                          "more than %lld elements of radius %g m would be needed",
                          (long long)s.most, def->radius);
    if (s.no_memory || !choose_sizes(rcp, def, skin, shallow))
        return sherd_fail_memory(error, "packing: elements");
    return SHERD_OK;
}

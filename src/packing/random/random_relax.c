// Balls are soft: overlapping pairs repel like springs of stiffness 1, E = (sigma - d)^2 / 2, and
// the energy is minimised by FIRE: damped dynamics that accelerate while the forces do work and
// stop otherwise (Bitzek et al. 2006, "Structural relaxation made simple"). The scale of radii is
// controlled at the same time, so that overlaps converge to the requested one: a jammed packing is
// approached by decompression (O'Hern et al. 2003, "Jamming at zero temperature and zero applied
// stress"). Spheres quenched like this from random positions don't crystallise.
//
// Every ball computes its own forces and sums are taken by chunk: no result depends on threads.
#include "packing/random/random_relax.h"

#include "base/cpu.h"
#include "base/memory.h"
#include "math/vec3.h"
#include "packing/random/random_list.h"
#include "packing/random/random_wall.h"

// Skin of the list [mean radii]: wide while balls move a lot, narrow, with half as many neighbours,
// when a list lasts long.
static const double SKIN_MOST = 0.35, SKIN_LEAST = 0.06;
enum { LONG = 40 };

// Parameters of FIRE, as published, in units of a spring's period over 2 pi.
static const double DT_START = 0.1, DT_MOST = 0.45, DT_GROW = 1.1, DT_SHRINK = 0.5;
static const double MIX_START = 0.1, MIX_SHRINK = 0.99;
static const double LONGEST = 0.03; // displacement in a step [radii]
enum { STEPS_BEFORE_GROWTH = 5 };

// The scale follows the pressure over about 1 / GAIN steps.
static const double GAIN = 0.03, MOST_CHANGE = 5e-4;

// Attraction of balls by the surface, in mean forces between balls: with less, more balls are
// behind the outermost layer, with more, that layer is flat and the next one loose.
static const double PULL = 2.0;

typedef struct sums {
    double power, force2, speed2; // f.v, f.f, v.v
    double overlap;               // half the overlaps of pairs, and those with the surface [radii]
    double most;
    double moved2; // the largest, since the list was made [m^2]
} sums;

typedef struct relaxation {
    sherd_rcp *rcp;
    sums *chunk;
    double dt, mix, keep; // v <- keep v + mix f
    int uphill_ago;
    double skin; // [m]
    int age;     // of the list, in steps
} relaxation;

bool sherd_rcp_relax_prepare(sherd_rcp *rcp)
{
    rcp->velocity = sherd_alloc(rcp->count, sizeof *rcp->velocity);
    rcp->force = sherd_alloc(rcp->count, sizeof *rcp->force);
    return rcp->velocity != NULL && rcp->force != NULL;
}

// ---------------------------------------------------------------- forces

// Forces of a ball's neighbours, in lanes that are added up in the end.
typedef struct lanes {
    double x[SHERD_RCP_LANES], y[SHERD_RCP_LANES], z[SHERD_RCP_LANES];
    double overlap[SHERD_RCP_LANES], most[SHERD_RCP_LANES]; // [m]
} lanes;

// Adds the forces of one vector of neighbours. The last vector is padded with the ball itself:
// balls at the same position don't repel each other.
static inline void add_lanes(const sherd_rcp *rcp, const sherd_rcp_ball *b, const int32_t *number,
                             lanes *sum)
{
    double x[SHERD_RCP_LANES], y[SHERD_RCP_LANES], z[SHERD_RCP_LANES], r[SHERD_RCP_LANES];
    double scale = rcp->scale;
    for (int l = 0; l < SHERD_RCP_LANES; ++l) {
        const sherd_rcp_ball *o = &rcp->ball[number[l]];
        x[l] = o->x, y[l] = o->y, z[l] = o->z, r[l] = o->r;
    }
    for (int l = 0; l < SHERD_RCP_LANES; ++l) {
        double dx = b->x - x[l], dy = b->y - y[l], dz = b->z - z[l];
        double sigma = scale * (b->r + r[l]), d = sqrt(dx * dx + dy * dy + dz * dz);
        double overlap = d < sigma ? sigma - d : 0.0;
        overlap = d > 0.0 ? overlap : 0.0;
        double f = overlap / (d > 0.0 ? d : 1.0);
        sum->x[l] += f * dx, sum->y[l] += f * dy, sum->z[l] += f * dz;
        sum->overlap[l] += overlap;
        sum->most[l] = overlap > sum->most[l] ? overlap : sum->most[l];
    }
}

static inline sherd_vec3 pair_forces(const sherd_rcp *rcp, size_t n, const int32_t *number, sums *s)
{
    const sherd_rcp_ball *b = &rcp->ball[n];
    lanes sum = {0};
    for (uint32_t k = rcp->list.start[n]; k < rcp->list.end[n]; k += SHERD_RCP_LANES)
        add_lanes(rcp, b, number + k, &sum);
    sherd_vec3 force = {0};
    double overlap = 0.0, most = 0.0, r = rcp->scale * b->r;
    for (int l = 0; l < SHERD_RCP_LANES; ++l) {
        force.x += sum.x[l], force.y += sum.y[l], force.z += sum.z[l];
        overlap += sum.overlap[l];
        most = sum.most[l] > most ? sum.most[l] : most;
    }
    s->overlap += 0.5 * overlap / r;
    s->most = fmax(s->most, most / r);
    return force;
}

SHERD_WIDE(static, void, force_chunk, (void *context, size_t begin, size_t end),
           (context, begin, end))
{
    const relaxation *x = context;
    sherd_rcp *rcp = x->rcp;
    const int32_t *number = rcp->list.chunks[begin / SHERD_RCP_CHUNK].number;
    sums s = {0};
    for (size_t n = begin; n < end; ++n) {
        sherd_vec3 f = pair_forces(rcp, n, number, &s);
        if (rcp->wall_of[n] >= 0) {
            sherd_rcp_push push = sherd_rcp_wall_push(rcp, n);
            f = vec3_add(f, push.force);
            double share = push.overlap / (rcp->scale * rcp->ball[n].r);
            s.most = fmax(s.most, share);
            s.overlap += share;
        }
        rcp->force[n] = f;
        s.power += vec3_dot(f, rcp->velocity[n]);
        s.force2 += vec3_dot(f, f);
        s.speed2 += vec3_dot(rcp->velocity[n], rcp->velocity[n]);
    }
    x->chunk[begin / SHERD_RCP_CHUNK] = s;
}

static sums add_up(const relaxation *x)
{
    sums all = {0};
    for (size_t c = 0; c < x->rcp->list.chunk_count; ++c) {
        const sums *s = &x->chunk[c];
        all.power += s->power, all.force2 += s->force2, all.speed2 += s->speed2;
        all.overlap += s->overlap;
        all.most = fmax(all.most, s->most);
        all.moved2 = fmax(all.moved2, s->moved2);
    }
    return all;
}

// ---------------------------------------------------------------- motion

static void move_chunk(void *context, size_t begin, size_t end)
{
    const relaxation *x = context;
    sherd_rcp *rcp = x->rcp;
    double moved2 = 0.0, dt = x->dt;
    for (size_t n = begin; n < end; ++n) {
        sherd_rcp_ball *b = &rcp->ball[n];
        // Mass is proportional to the surface, as is the number of neighbours.
        double share = b->r / rcp->mean_radius, kick = dt / (share * share);
        sherd_vec3 f = rcp->force[n], v = rcp->velocity[n];
        // Balls without contacts don't move.
        double keep = vec3_dot(f, f) > 0.0 ? x->keep : 0.0;
        v = vec3_add_scaled(vec3_scale(keep, v), x->mix + kick, f);
        double step = dt * vec3_length(v), most = LONGEST * rcp->scale * b->r;
        if (step > most) v = vec3_scale(most / step, v);
        rcp->velocity[n] = v;
        b->x += dt * v.x, b->y += dt * v.y, b->z += dt * v.z;
        sherd_vec3 way = vec3_sub(sherd_rcp_centre(b), sherd_rcp_centre(&rcp->list.made[n]));
        moved2 = fmax(moved2, vec3_dot(way, way));
    }
    x->chunk[begin / SHERD_RCP_CHUNK].moved2 = moved2;
}

// Chooses the next step: longer while the energy decreases, from zero velocity after it increased.
static void steer(relaxation *x, const sums *s, double *alpha)
{
    if (s->power > 0.0) {
        x->keep = 1.0 - *alpha;
        x->mix = s->force2 > 0.0 ? *alpha * sqrt(s->speed2 / s->force2) : 0.0;
        if (++x->uphill_ago > STEPS_BEFORE_GROWTH) {
            x->dt = fmin(DT_GROW * x->dt, DT_MOST);
            *alpha *= MIX_SHRINK;
        }
        return;
    }
    x->keep = x->mix = 0.0;
    x->dt = fmax(DT_SHRINK * x->dt, 0.02);
    x->uphill_ago = 0;
    *alpha = MIX_START;
}

static bool renew(relaxation *x)
{
    x->age = 0;
    return sherd_rcp_walls_make(x->rcp, 0.5 * x->skin) && sherd_rcp_list_make(x->rcp, x->skin);
}

// Rebuilds the list if balls have moved too far, or so little that a narrower one suffices.
static bool keep_list(relaxation *x, double moved)
{
    const sherd_rcp *rcp = x->rcp;
    bool is_old = sherd_rcp_list_is_old(rcp, moved);
    bool is_wide =
        ++x->age >= LONG && x->skin > SKIN_LEAST * rcp->mean_radius && 8.0 * moved < x->skin;
    if (is_old && x->age < LONG) x->skin = fmin(2.0 * x->skin, SKIN_MOST * rcp->mean_radius);
    if (is_wide) x->skin = fmax(0.4 * x->skin, SKIN_LEAST * rcp->mean_radius);
    return (!is_old && !is_wide) || renew(x);
}

static sherd_rcp_pressure pressure_of(const sherd_rcp *rcp, const sums *s, int steps)
{
    double n = (double)rcp->count, mean = s->overlap / (6.0 * n);
    double net = sqrt(s->force2 / n) / (2.0 * rcp->scale * rcp->mean_radius);
    return (sherd_rcp_pressure){mean, s->most, net / fmax(mean, 1e-12), steps};
}

static bool run(relaxation *x, const sherd_rcp_goal *goal, sherd_rcp_pressure *pressure)
{
    sherd_rcp *rcp = x->rcp;
    double alpha = MIX_START, start = fmax(pressure->mean, goal->mean);
    if (!renew(x)) return false;
    for (int step = 0;; ++step) {
        sherd_parallel_for(&rcp->parallel, rcp->count, SHERD_RCP_CHUNK, force_chunk, x);
        sums s = add_up(x);
        *pressure = pressure_of(rcp, &s, step);
        if (step >= goal->least && pressure->most <= goal->most) return true;
        if (step >= goal->steps) return true;
        double done = step < goal->ramp ? (double)step / goal->ramp : 1.0;
        double wanted = start * pow(goal->mean / start, done);
        rcp->pull = step < goal->pull ? 2.0 * PULL * rcp->scale * rcp->mean_radius * wanted : 0.0;
        steer(x, &s, &alpha);
        sherd_parallel_for(&rcp->parallel, rcp->count, SHERD_RCP_CHUNK, move_chunk, x);
        double change = GAIN * (wanted - pressure->mean);
        rcp->scale *= 1.0 + fmin(fmax(change, -MOST_CHANGE), MOST_CHANGE);
        rcp->scale = fmin(fmax(rcp->scale, rcp->scale_least), rcp->scale_most);
        if (!keep_list(x, sqrt(add_up(x).moved2))) return false;
    }
}

bool sherd_rcp_relax(sherd_rcp *rcp, const sherd_rcp_goal *goal, sherd_rcp_pressure *pressure)
{
    size_t chunks = (rcp->count + SHERD_RCP_CHUNK - 1) / SHERD_RCP_CHUNK;
    relaxation x = {.rcp = rcp, .dt = DT_START, .skin = SKIN_MOST * rcp->mean_radius};
    x.chunk = sherd_alloc(chunks, sizeof *x.chunk);
    bool done = x.chunk != NULL && run(&x, goal, pressure);
    sherd_free(x.chunk);
    return done;
}

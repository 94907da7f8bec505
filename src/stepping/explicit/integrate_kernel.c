#include "stepping/explicit/integrate_kernel.h"

#include "math/lane_angle.h"
#include "points/element_lanes.h"

static const unsigned ALL_LANES = (1u << SHERD_LANES) - 1u;
enum { AHEAD = 32 }; // elements between prefetch and use

LANE_INLINE lane3 load3(const double *x, const double *y, const double *z, sherd_element_index k)
{
    return (lane3){lane_load(x + k), lane_load(y + k), lane_load(z + k)};
}

LANE_INLINE void store3(double *x, double *y, double *z, sherd_element_index k, lane3 v)
{
    lane_store(x + k, v.x), lane_store(y + k, v.y), lane_store(z + k, v.z);
}

// ---------------------------------------------------------------- held and sleeping elements

// Bits of held components, one per lane.
typedef struct held_lanes {
    unsigned x, y, z, turn;
    bool any, all_asleep;
} held_lanes;

LANE_INLINE held_lanes load_held(const sherd_elements *e, sherd_element_index k)
{
    uint64_t any_held = 0, any_asleep = 0; // a byte a lane
    memcpy(&any_held, e->held + k, SHERD_LANES);
    memcpy(&any_asleep, e->asleep + k, SHERD_LANES);
    if (__builtin_expect((any_held | any_asleep) == 0, 1)) return (held_lanes){0};
    uint8_t held[SHERD_LANES], asleep[SHERD_LANES];
    memcpy(held, &any_held, sizeof held);
    memcpy(asleep, &any_asleep, sizeof asleep);
    held_lanes h = {.any = true, .all_asleep = true};
    for (unsigned l = 0; l < SHERD_LANES; ++l) {
        h.all_asleep &= asleep[l];
        if (asleep[l]) held[l] = SHERD_HELD_ALL;
        h.x |= (unsigned)((held[l] & SHERD_HELD_X) != 0) << l;
        h.y |= (unsigned)((held[l] & SHERD_HELD_Y) != 0) << l;
        h.z |= (unsigned)((held[l] & SHERD_HELD_Z) != 0) << l;
        h.turn |= (unsigned)((held[l] & SHERD_HELD_TURN) != 0) << l;
    }
    return h;
}

LANE_INLINE lane keep(unsigned held, lane old, lane new)
{
    return held == 0 ? new : lane_select(lane_mask_of_bits(held), old, new);
}

LANE_INLINE lane3 keep3(const held_lanes *h, lane3 old, lane3 new)
{
    if (__builtin_expect(!h->any, 1)) return new;
    return (lane3){keep(h->x, old.x, new.x), keep(h->y, old.y, new.y), keep(h->z, old.z, new.z)};
}

LANE_INLINE lane3 keep_rotation(const held_lanes *h, lane3 old, lane3 new)
{
    if (__builtin_expect(!h->any, 1)) return new;
    return (lane3){keep(h->turn, old.x, new.x), keep(h->turn, old.y, new.y),
                   keep(h->turn, old.z, new.z)};
}

// ---------------------------------------------------------------- kick

// Factors from loads to velocity changes.
typedef struct inertia {
    lane radius, per_mass, per_inertia; // half a step over mass and I = 2/5 m r^2
} inertia;

LANE_INLINE inertia inertia_of(const sherd_integration *in, lane radius, lane mass)
{
    lane per_mass = 0.5 * in->dt / mass;
    return (inertia){radius, per_mass, per_mass / (0.4 * radius * radius)};
}

LANE_INLINE inertia inertia_at(const sherd_integration *in, sherd_element_index k)
{
    point_lanes s = {&k, true};
    return inertia_of(in, fetch_radius(&in->e->points, s), fetch_mass(&in->e->points, s));
}

typedef struct motion {
    lane3 v, w;
} motion;

// Applies half kicks one after the other: rounded as if each had been stored.
LANE_INLINE motion kick_lanes(const sherd_integration *in, int kicks, const inertia *i,
                              const held_lanes *h, sherd_element_index k)
{
    const sherd_elements *e = in->e;
    double half = 0.5 * in->dt;
    const lane3 fall = {lane_of(half * in->gravity.x), lane_of(half * in->gravity.y),
                        lane_of(half * in->gravity.z)};
    load_lanes load = load_loads(&e->points, k);
    lane3 force = {load.force[0], load.force[1], load.force[2]};
    lane3 torque = {load.torque[0], load.torque[1], load.torque[2]};
    motion m = {load3(e->vx, e->vy, e->vz, k), load3(e->wx, e->wy, e->wz, k)};
    for (int n = 0; n < kicks; ++n) {
        m.v = keep3(h, m.v, lane3_add_scaled(lane3_add(m.v, fall), i->per_mass, force));
        m.w = keep_rotation(h, m.w, lane3_add_scaled(m.w, i->per_inertia, torque));
    }
    return m;
}

void SHERD_KERNEL(sherd_kick)(const sherd_integration *in, sherd_element_index begin,
                              sherd_element_index end)
{
    sherd_elements *e = in->e;
    for (sherd_element_index k = begin; k < end; k += SHERD_LANES) {
        held_lanes h = load_held(e, k);
        if (h.all_asleep) continue;
        inertia i = inertia_at(in, k);
        motion m = kick_lanes(in, 1, &i, &h, k);
        store3(e->vx, e->vy, e->vz, k, m.v);
        store3(e->wx, e->wy, e->wz, k, m.w);
    }
}

// ---------------------------------------------------------------- drift

// q <- exp(w dt / 2) q, and one Newton step towards |q| = 1.
LANE_INLINE lane4 turned(lane4 q, lane3 w, double dt)
{
    lane3 a = lane3_scale(lane_of(0.5 * dt), w); // half the rotation vector
    lane_half_rotation_factors t = lane_half_rotation(lane3_dot(a, a));
    lane3 s = lane3_scale(t.sine, a), v = {q.x, q.y, q.z};
    lane3 u = lane3_add_scaled(lane3_add_scaled(lane3_scale(t.cosine, v), q.w, s), lane_of(1.0),
                               lane3_cross(s, v));
    lane4 r = {u.x, u.y, u.z, lane_fma(t.cosine, q.w, -lane3_dot(s, v))};
    lane scale = lane_fnma(lane_of(0.5), lane4_dot(r, r), lane_of(1.5));
    return (lane4){scale * r.x, scale * r.y, scale * r.z, scale * r.w};
}

LANE_INLINE void drift_lanes(const sherd_integration *in, const held_lanes *h,
                             sherd_element_index k, const motion *m)
{
    sherd_elements *e = in->e;
    lane3 p = load3(e->px, e->py, e->pz, k);
    store3(e->px, e->py, e->pz, k, keep3(h, p, lane3_add_scaled(p, lane_of(in->dt), m->v)));
    lane4 old = {lane_load(e->qx + k), lane_load(e->qy + k), lane_load(e->qz + k),
                 lane_load(e->qw + k)};
    lane4 q = turned(old, m->w, in->dt);
    if (__builtin_expect(h->any, 0))
        q = (lane4){keep(h->turn, old.x, q.x), keep(h->turn, old.y, q.y), keep(h->turn, old.z, q.z),
                    keep(h->turn, old.w, q.w)};
    lane_store(e->qx + k, q.x), lane_store(e->qy + k, q.y);
    lane_store(e->qz + k, q.z), lane_store(e->qw + k, q.w);
}

// Squared speed of the centre or the rim, the larger of both.
LANE_INLINE lane fastest2_of(lane radius, const motion *m)
{
    lane rim2 = radius * radius * lane3_dot(m->w, m->w);
    lane fastest2 = lane_max(rim2, lane3_dot(m->v, m->v));
    return fastest2 + 0 * rim2; // max(NaN, x) is x: this restores NaN
}

// Lanes that move or turn too far, or are not finite: all that are not known to be within the
// limit.
LANE_INLINE unsigned unstable_lanes(double max_radii, lane radius, lane fastest2)
{
    lane limit = max_radii * radius;
    lane_mask fine = lane_greater(limit * limit, fastest2);
    if (__builtin_expect(!lane_any(lane_not(fine)), 1)) return 0;
    unsigned bits = 0;
    for (unsigned l = 0; l < SHERD_LANES; ++l)
        bits |= (unsigned)!lane_mask_get(fine, (int)l) << l;
    return bits;
}

// Prefetches later elements: hardware prefetchers follow few of about twenty arrays. A cache line
// has eight numbers.
LANE_INLINE void fetch_ahead(const sherd_elements *e, sherd_element_index k)
{
    if (SHERD_LANES < 8 && k % 8 != 0) return;
    const double *state[] = {e->vx, e->vy, e->vz, e->wx, e->wy, e->wz, e->px,
                             e->py, e->pz, e->qx, e->qy, e->qz, e->qw};
    for (size_t c = 0; c < sizeof state / sizeof state[0]; ++c)
        __builtin_prefetch(state[c] + k, 1);
    for (int a = 0; a < 3 && e->fx == NULL; ++a) {
        __builtin_prefetch(e->loads.high[a] + k);
        __builtin_prefetch(e->loads.low[a] + k);
        __builtin_prefetch(e->loads.torque[a] + k);
    }
}

LANE_INLINE double max_lane(lane x)
{
    double limit = 0.0;
    for (int l = 0; l < SHERD_LANES; ++l)
        if (lane_get(x, l) > limit) limit = lane_get(x, l);
    return limit;
}

sherd_drift SHERD_KERNEL(sherd_kick_and_drift)(const sherd_integration *in, int kicks, bool alike,
                                               sherd_element_index begin, sherd_element_index end)
{
    sherd_elements *e = in->e;
    sherd_drift drift = {.bad = -1};
    lane fastest2 = lane_of(0), farthest2 = lane_of(0);
    const double max_radii = in->max_radii_per_step / in->dt; // per second
    const lane3 frame = {lane_of(in->frame.x), lane_of(in->frame.y), lane_of(in->frame.z)};
    inertia i = inertia_of(in, lane_of(sherd_element_radius(e, begin)),
                           lane_of(sherd_element_mass(e, begin)));
    for (sherd_element_index k = begin; k < end; k += SHERD_LANES) {
        fetch_ahead(e, k + AHEAD);
        held_lanes h = load_held(e, k);
        if (h.all_asleep) continue;
        if (!alike) i = inertia_at(in, k);
        motion m = kick_lanes(in, kicks, &i, &h, k);
        store3(e->vx, e->vy, e->vz, k, m.v);
        store3(e->wx, e->wy, e->wz, k, m.w);
        unsigned used = end - k < SHERD_LANES ? (1u << (end - k)) - 1u : ALL_LANES;
        lane here2 = fastest2_of(i.radius, &m);
        unsigned unstable = unstable_lanes(max_radii, i.radius, here2) & used;
        if (__builtin_expect(unstable != 0 && drift.bad < 0, 0))
            drift.bad = k + __builtin_ctz(unstable);
        lane3 seen = lane3_sub(m.v, frame);
        lane_mask counts = lane_mask_of_bits(used);
        fastest2 = lane_max(fastest2, lane_keep(counts, here2));
        farthest2 = lane_max(farthest2, lane_keep(counts, lane3_dot(seen, seen)));
        drift_lanes(in, &h, k, &m);
    }
    drift.fastest2 = max_lane(fastest2);
    drift.farthest2 = max_lane(farthest2);
    return drift;
}

// The pairs of one block: a distance test of all pairs, then forces of those that touch or have a
// history. Compiled several times with different SHERD_LANES and instruction sets
// (cmake/kernels.cmake). Sums are added in the same order everywhere: all kernels that have fused
// multiply-adds agree bitwise, and so do all that have none.
#include "contact/explicit/pair_kernel.h"

#include "contact/explicit/pair_crack_faces.h"
#include "laws/contact/contact_respond.h"
#include "math/lane_singles.h"
#include "math/lane_transpose.h"
#include "points/point_lanes.h"

enum {
    PART = SHERD_PAIR_PART,
    ROW = SHERD_PAIR_ROW,
    SUM_LANES = 8,
    AHEAD = 32, // pairs between the prefetch of a history and its use
};

static const unsigned ALL_LANES = (1u << SHERD_LANES) - 1u;

// ---------------------------------------------------------------- rows

// Transposes the columns of as many rows as there are lanes into one vector per column.
LANE_INLINE void store_part(double *rows, const lane column[PART])
{
    lane r[PART];
    for (int c = 0; c < PART; ++c)
        r[c] = column[c];
    lane_transpose_8(r);
    for (int first = 0; first < PART; first += SHERD_LANES)
        for (int k = 0; k < SHERD_LANES; ++k)
            lane_store(rows + ROW * k + first, r[first + k]);
}

// Bit c of `negative` stands for column c.
LANE_INLINE lane part_signs(unsigned negative, int first)
{
    return lane_select(lane_mask_of_bits(negative >> first), lane_of(-1), lane_of(1));
}

// Column c of lane k is the sum or difference of column c of rows i[k] and j[k].
LANE_INLINE void combine_parts(double *const *i, double *const *j, int part, unsigned negative,
                               lane column[PART])
{
    for (int first = 0; first < PART; first += SHERD_LANES) {
        const lane sign = part_signs(negative, first);
        for (int k = 0; k < SHERD_LANES; ++k)
            column[first + k] =
                lane_fma(sign, lane_load(j[k] + part + first), lane_load(i[k] + part + first));
    }
    lane_transpose_8(column);
}

// ---------------------------------------------------------------- states of members

LANE_INLINE lane fetch_mobility(const sherd_points *e, point_lanes s)
{
    lane mobility = 1.0 / fetch_mass(e, s);
    unsigned held = 0;
    for (int k = 0; k < SHERD_LANES; ++k)
        held |= (unsigned)sherd_point_is_held(e, s.index[k]) << k;
    return held == 0 ? mobility : lane_select(lane_mask_of_bits(held), lane_of(0), mobility);
}

// at least 1: a new contact has not been counted yet
LANE_INLINE lane fetch_count(const uint8_t *counts, point_lanes s)
{
    uint8_t some[SHERD_LANES];
    const uint8_t *count = counts + s.index[0];
    for (int k = 0; k < SHERD_LANES && !s.consecutive; ++k)
        some[k] = counts[s.index[k]];
    return lane_max(dlane_load_bytes(s.consecutive ? count : some), lane_of(1));
}

LANE_INLINE void copy_position_in(const sherd_points *e, point_lanes s, int32_t at,
                                  const sherd_pair_scratch *to)
{
    lane_store(to->x + at, fetch(e->px, s)), lane_store(to->y + at, fetch(e->py, s));
    lane_store(to->z + at, fetch(e->pz, s)), lane_store(to->radius + at, fetch_radius(e, s));
}

LANE_INLINE void copy_row_in(const sherd_points *e, const uint8_t *counts, point_lanes s,
                             int32_t at, const sherd_pair_scratch *to)
{
    lane mobility = fetch_mobility(e, s), r = fetch_radius(e, s);
    lane wx = fetch(e->wx, s), wy = fetch(e->wy, s), wz = fetch(e->wz, s);
    const lane motion[PART] = {fetch(e->px, s),
                               fetch(e->py, s),
                               fetch(e->pz, s),
                               fetch(e->vx, s),
                               fetch(e->vy, s),
                               fetch(e->vz, s),
                               r,
                               fetch_count(counts, s) * mobility};
    const lane turning[PART] = {wx, wy, wz, wx, wy, wz, r, mobility};
    double *row = to->rows + ROW * (size_t)at;
    store_part(row + SHERD_PAIR_MOTION, motion);
    store_part(row + SHERD_PAIR_TURNING, turning);
    for (int k = 0; k < SHERD_LANES; ++k)
        memset(row + ROW * k + SHERD_PAIR_LOADS, 0, PART * sizeof(double));
}

LANE_INLINE point_lanes lanes_at(const sherd_element_index *index)
{
    return (point_lanes){index, index[SHERD_LANES - 1] - index[0] == SHERD_LANES - 1};
}

// Returns whether some are asleep.
static bool copy_positions(const sherd_points *e, const sherd_pair_block *block,
                           const sherd_pair_scratch *to)
{
    uint8_t some = 0;
    for (int32_t m = 0; m < block->member_count; m += SHERD_LANES)
        copy_position_in(e, lanes_at(block->member + m), m, to);
    for (int32_t m = 0; m < block->member_count; ++m)
        some |= to->asleep[m] = e->asleep[block->member[m]];
    return some != 0;
}

// Members with a row.
static void copy_rows(const sherd_points *e, const sherd_pair_law *law,
                      const sherd_pair_scratch *to)
{
    for (int32_t r = 0; r < to->row_count; r += SHERD_LANES)
        copy_row_in(e, law->counts.last, lanes_at(to->element + r), r, to);
    for (int32_t r = 0; r < to->row_count && law->material_count > 1; ++r)
        to->material[r] = sherd_point_material(e, to->element[r]);
}

// ---------------------------------------------------------------- selection of pairs to evaluate

// True if both are parts of one rigid body, or both asleep: nothing changes between them.
static bool is_inactive(const sherd_pair_block *block, const sherd_pair_scratch *s, int32_t i,
                        int32_t at)
{
    int32_t slot = block->slot[at];
    return s->asleep[i] && s->asleep[block->partner[at]] && (slot < 0 || !block->touches[slot]);
}

// Lists pairs nearer than their radii and pairs with a history. Returns their number.
static int32_t find_active(const sherd_pair_block *block, const sherd_pair_scratch *s)
{
    int32_t count = 0;
    for (int32_t i = 0; i < block->own_count; ++i) {
        const lane3 p = {lane_of(s->x[i]), lane_of(s->y[i]), lane_of(s->z[i])};
        const lane radius = lane_of(s->radius[i]);
        int32_t end = block->start[i + 1];
        for (int32_t at = block->start[i]; at < end; at += SHERD_LANES) {
            const int32_t *j = block->partner + at;
            lane3 d = {p.x - lane_gather(s->x, j), p.y - lane_gather(s->y, j),
                       p.z - lane_gather(s->z, j)};
            lane reach = radius + lane_gather(s->radius, j);
            unsigned near = lane_mask_bits(lane_greater(reach * reach, lane3_dot(d, d)));
            unsigned fetch = near | (lane_negative_bits(block->slot + at) ^ ALL_LANES);
            if (end - at < SHERD_LANES) fetch &= ALL_LANES >> (SHERD_LANES - (end - at));
            lane_list_bits(s->active + count, at, fetch);
            lane_list_numbers(s->end_j + count, j, fetch);
            for (int k = 0; k < SHERD_LANES; ++k)
                s->end_i[count + k] = i;
            count += __builtin_popcount(fetch);
        }
    }
    return count;
}

static int32_t leave_resting(const sherd_pair_block *block, const sherd_pair_scratch *s,
                             int32_t count)
{
    int32_t kept = 0;
    for (int32_t a = 0; a < count; ++a) {
        s->active[kept] = s->active[a];
        s->end_i[kept] = s->end_i[a];
        s->end_j[kept] = s->end_j[a];
        kept += !is_inactive(block, s, s->end_i[kept], s->active[kept]);
    }
    return kept;
}

// ---------------------------------------------------------------- assignment of rows to members

// Where pairs are dense, most members have some to evaluate.
static bool weakens_dashpots(const sherd_pair_block *block)
{
    return block->pair_count >= 2 * block->member_count;
}

static void give_rows_to_all(const sherd_pair_block *block, sherd_pair_scratch *s)
{
    for (int32_t m = 0; m < block->member_count + SHERD_LANES; ++m) {
        s->local[m] = m;
        s->element[m] = block->member[m];
    }
    s->row_count = block->member_count;
}

// In the order of local indices.
static void give_rows_to_active(const sherd_pair_block *block, sherd_pair_scratch *s, int32_t count)
{
    memset(s->row_of, 0, (size_t)block->member_count * sizeof *s->row_of);
    for (int32_t a = 0; a < count; ++a)
        s->row_of[s->end_i[a]] = s->row_of[s->end_j[a]] = 1;
    int32_t rows = 0;
    for (int32_t m = 0; m < block->member_count; ++m) {
        int32_t taken = s->row_of[m];
        s->local[rows] = m;
        s->element[rows] = block->member[m];
        s->row_of[m] = rows;
        rows += taken;
    }
    for (int32_t a = 0; a < count; ++a) {
        s->end_i[a] = s->row_of[s->end_i[a]];
        s->end_j[a] = s->row_of[s->end_j[a]];
    }
    for (int k = 0; k < SHERD_LANES; ++k)
        s->element[rows + k] = 0; // breaks no sequence of consecutive elements
    s->row_count = rows;
}

// ---------------------------------------------------------------- relative motion of both ends

// Processes as many pairs as there are lanes; the last `SHERD_LANES - count` lanes repeat another
// pair.
typedef struct pair_lanes {
    const int32_t *at, *i, *j, *slot;
    double *row_i[SHERD_LANES], *row_j[SHERD_LANES];
    sherd_contact_history *history[SHERD_LANES];
    int count;
    unsigned used;
} pair_lanes;

LANE_INLINE pair_lanes load_pairs(const sherd_pair_block *block, const sherd_pair_scratch *s,
                                  int32_t first, int count)
{
    pair_lanes p = {.at = s->active + first,
                    .i = s->end_i + first,
                    .j = s->end_j + first,
                    .slot = s->slot + first,
                    .count = count,
                    .used = ALL_LANES >> (SHERD_LANES - count)};
    for (int k = 0; k < SHERD_LANES; ++k) {
        p.row_i[k] = s->rows + ROW * (size_t)p.i[k];
        p.row_j[k] = s->rows + ROW * (size_t)p.j[k];
        p.history[k] = block->history + p.slot[k];
    }
    return p;
}

typedef struct pair_state {
    contact_state at;
    lane radii, difference; // r_i + r_j, r_i - r_j
    lane arm_i, arm_j;      // from each centre to the contact point
} pair_state;

// The contact point is at half the overlap. Both arms lie on the line of centres, so that forces
// and torques together conserve angular momentum.
LANE_INLINE pair_state state_between(const pair_lanes *p)
{
    lane motion[PART], turning[PART];
    combine_parts(p->row_i, p->row_j, SHERD_PAIR_MOTION, 0x7fu, motion);
    combine_parts(p->row_i, p->row_j, SHERD_PAIR_TURNING, 0x07u, turning);
    const lane3 d = {motion[SHERD_PAIR_P], motion[SHERD_PAIR_P + 1], motion[SHERD_PAIR_P + 2]};
    const lane3 v = {motion[SHERD_PAIR_V], motion[SHERD_PAIR_V + 1], motion[SHERD_PAIR_V + 2]};
    const lane3 w_less = {turning[SHERD_PAIR_W_LESS], turning[SHERD_PAIR_W_LESS + 1],
                          turning[SHERD_PAIR_W_LESS + 2]};
    const lane3 w_more = {turning[SHERD_PAIR_W_MORE], turning[SHERD_PAIR_W_MORE + 1],
                          turning[SHERD_PAIR_W_MORE + 2]};
    lane distance = lane_sqrt(lane3_dot(d, d)), inverse = 1.0 / distance;
    lane_mask apart = lane_greater(distance, lane_of(0));
    lane3 n = lane3_keep(apart, lane3_scale(inverse, d));
    n.z = lane_select(apart, n.z, lane_of(1));
    pair_state out = {.radii = turning[SHERD_PAIR_REACH], .difference = motion[SHERD_PAIR_RADIUS]};
    // Arms r - overlap / 2: half of d plus or minus half of r_i - r_j. The rotational part of the
    // relative velocity is (arm_i w_i + arm_j w_j) x n. (25)
    lane half = LANE_HALF * distance, uneven = LANE_HALF * out.difference;
    out.arm_i = half + uneven;
    out.arm_j = half - uneven;
    lane3 spin = lane3_add_scaled(lane3_scale(half, w_more), uneven, w_less);
    out.at = (contact_state){
        .overlap = out.radii - distance,
        .normal = n,
        .velocity = lane3_sub(v, lane3_cross(spin, n)),
        .inverse_mass = turning[SHERD_PAIR_MOBILITY],
        .weighted_mobility = motion[SHERD_PAIR_WEIGHTED_MOBILITY],
    };
    return out;
}

// ---------------------------------------------------------------- contact law

typedef struct pairing_lanes {
    lane modulus, plane_modulus, friction, damping_ratio, tangential_damping;
} pairing_lanes;

LANE_INLINE pairing_lanes pairing_of(const sherd_pair_law *law, const pair_lanes *p,
                                     const uint16_t *material)
{
    const sherd_contact_pairing *one = law->pairings;
    pairing_lanes out = {lane_of(one->modulus), lane_of(one->plane_modulus), lane_of(one->friction),
                         lane_of(one->damping_ratio), lane_of(one->tangential_damping)};
    for (int k = 0; k < SHERD_LANES && law->material_count > 1; ++k) {
        one = &law->pairings[material[p->i[k]] * law->material_count + material[p->j[k]]];
        out.modulus = lane_set(out.modulus, k, one->modulus);
        out.plane_modulus = lane_set(out.plane_modulus, k, one->plane_modulus);
        out.friction = lane_set(out.friction, k, one->friction);
        out.damping_ratio = lane_set(out.damping_ratio, k, one->damping_ratio);
        out.tangential_damping = lane_set(out.tangential_damping, k, one->tangential_damping);
    }
    return out;
}

// sherd_contact_pair_spring on lanes; r_i r_j is a quarter of (r_i + r_j)^2 - (r_i - r_j)^2.
LANE_INLINE contact_law law_of(sherd_contact_potential_kind kind, double width,
                               const pairing_lanes *pairing, const pair_state *s)
{
    lane r = LANE_HALF * (s->radii - lane_abs(s->difference));
    lane section = pairing->modulus * M_PI * r * r;
    lane inverse = 1.0 / (section * s->radii), stiffness = section * section * inverse;
    lane product = LANE_QUARTER * (s->radii * s->radii - s->difference * s->difference);
    return (contact_law){
        .kind = kind,
        .scale = contact_scale(kind, stiffness, pairing->plane_modulus, product / s->radii),
        .width = lane_of(width),
        .stiffness = stiffness,
        .inverse_stiffness = s->radii * s->radii * inverse,
        .friction = pairing->friction,
        .damping_ratio = pairing->damping_ratio,
        .tangential_damping = pairing->tangential_damping,
    };
}

// ---------------------------------------------------------------- histories

// Prefetches histories of pairs further down the list, which are scattered in memory.
LANE_INLINE void prefetch_histories(const sherd_pair_block *block, const int32_t *slot)
{
    for (int k = 0; k < SHERD_LANES; ++k)
        __builtin_prefetch(block->history + slot[k], 1);
}

LANE_INLINE contact_history load_history(const pair_lanes *p)
{
    lane c[PART];
    for (int first = 0; first < PART; first += SHERD_LANES)
        for (int k = 0; k < SHERD_LANES; ++k)
            c[first + k] = lane_load((const double *)p->history[k] + first);
    lane_transpose_8(c);
    lane damping, pressing;
    lane_split_singles(c[1], &damping, &pressing);
    return (contact_history){
        c[0],       damping,    pressing,  {c[2], c[3], c[4]}, {c[5], c[6], c[7]},
        lane_of(0), lane_of(0), lane_of(0)};
}

LANE_INLINE void store_history(const pair_lanes *p, const contact_history *h)
{
    _Static_assert(sizeof(sherd_contact_history) == PART * sizeof(double), "a part");
    lane c[PART] = {h->rest_overlap, lane_join_singles(h->damping, h->pressing),
                    h->spring.x,     h->spring.y,
                    h->spring.z,     h->tangential.x,
                    h->tangential.y, h->tangential.z};
    lane_transpose_8(c);
    for (int first = 0; first < PART; first += SHERD_LANES)
        for (int k = 0; k < SHERD_LANES; ++k)
            lane_store((double *)p->history[k] + first, c[first + k]);
}

_Static_assert(SHERD_TOUCH_ROUND == 1 && SHERD_TOUCH_FACES == 2, "shifted by what slides");

// Pairs that neither press nor have a rest overlap need no history.
LANE_INLINE void store_states(const pair_lanes *p, sherd_pair_block *block, unsigned presses,
                              unsigned slides, unsigned keeps)
{
    for (int k = 0; k < p->count; ++k)
        block->touches[p->slot[k]] = (uint8_t)((presses >> k & 1u) << (slides >> k & 1u));
    if (__builtin_expect((keeps & p->used) == p->used, 1)) return;
    for (int k = 0; k < p->count; ++k) {
        if (keeps >> k & 1u) continue;
        sherd_pair_block_release_slot(block, p->slot[k]);
        block->slot[p->at[k]] = -1;
    }
}

// ---------------------------------------------------------------- crack faces

typedef struct slide_lanes {
    unsigned slides; // bit mask of lanes that touch by faces
    lane3 between, across, rotation_i, rotation_j;
    // `lost`: energy stored by faces of pairs that touch as spheres from this step on [J]
    lane spread, lost;
} slide_lanes;

LANE_INLINE void set_vector(lane3 *to, int k, sherd_vec3 a)
{
    to->x = lane_set(to->x, k, a.x);
    to->y = lane_set(to->y, k, a.y);
    to->z = lane_set(to->z, k, a.z);
}

LANE_INLINE void begin_anew(contact_history *h, int k, double rest)
{
    const sherd_vec3 none = {0.0, 0.0, 0.0};
    h->rest_overlap = lane_set(h->rest_overlap, k, rest);
    h->damping = lane_set(h->damping, k, 0.0);
    h->pressing = lane_set(h->pressing, k, 0.0);
    set_vector(&h->spring, k, none);
    set_vector(&h->tangential, k, none);
}

// Friction's arms reach to halfway between the centres.
LANE_INLINE void slide_one(const sherd_pair_slide *one, int k, pair_state *s, contact_law *law,
                           slide_lanes *out)
{
    // Where the weight is 0 nothing presses; stiffnesses stay above 0.
    double weight = one->weight > 1e-12 ? one->weight : 1e-12;
    out->slides |= 1u << k;
    set_vector(&out->between, k, one->between);
    set_vector(&out->across, k, one->across);
    set_vector(&out->rotation_i, k, one->rotation_i);
    set_vector(&out->rotation_j, k, one->rotation_j);
    out->spread = lane_set(out->spread, k, one->spread / weight);
    s->at.overlap = lane_set(s->at.overlap, k, one->overlap);
    set_vector(&s->at.normal, k, one->normal);
    set_vector(&s->at.velocity, k, one->velocity);
    s->arm_i = lane_set(s->arm_i, k, 0.5);
    s->arm_j = lane_set(s->arm_j, k, 0.5);
    lane weights = lane_set(lane_of(1), k, weight), inverse = lane_set(lane_of(1), k, 1 / weight);
    law->scale *= weights;
    law->stiffness *= weights;
    law->inverse_stiffness *= inverse;
}

LANE_INLINE lane faces_lost(lane lost, int k, const sherd_pair_slide *one, const contact_law *law,
                            const contact_history *h)
{
    lane pressed = lane_max(lane_of(one->overlap) - h->rest_overlap, lane_of(0));
    lane spring = LANE_HALF * (real)SHERD_CONTACT_TANGENTIAL_RATIO * law->stiffness *
                  lane3_dot(h->spring, h->spring);
    lane mean_force = contact_mean_force(law->kind, law->scale, law->width, pressed);
    lane stored = lane_of(one->lost_weight) * lane_fma(mean_force, pressed, spring);
    return lane_select(lane_mask_of_bits(1u << k), stored, lost);
}

LANE_INLINE slide_lanes slide_pairs(const sherd_pair_law *law, const sherd_pair_block *block,
                                    const sherd_points *points, const sherd_pair_scratch *scratch,
                                    const pair_lanes *p, pair_state *s, contact_law *contact,
                                    contact_history *history)
{
    const lane none = lane_of(0);
    const lane3 zero = {none, none, none};
    slide_lanes out = {0, zero, zero, zero, zero, none, none};
    for (int k = 0; k < SHERD_LANES; ++k) {
        sherd_pair_ends ends = {scratch->element[p->i[k]], scratch->element[p->j[k]], p->row_i[k],
                                p->row_j[k], (sherd_touch)block->touches[p->slot[k]]};
        sherd_pair_slide one = law->slides->of(law->slides, points, &ends, law->dt);
        if (one.lost_weight > 0.0) out.lost = faces_lost(out.lost, k, &one, contact, history);
        if (one.changed) begin_anew(history, k, one.rest_overlap);
        lane stretch = lane_set(lane_of(1), k, one.slides ? one.stretch : 1);
        history->spring = lane3_scale(stretch, history->spring);
        if (one.slides) slide_one(&one, k, s, contact, &out);
    }
    return out;
}

// n x F_t; for faces twice the mean torque with the sign of both arms, and half the difference.
typedef struct pair_twist {
    lane3 both, uneven;
} pair_twist;

// As faces slide apart the spring stores less, which gives a force in the plane. The push turns
// each face by the derivative of the overlap with its rotation (crack_faces.h).
LANE_INLINE pair_twist push_faces(const slide_lanes *slide, const contact_law *law,
                                  const contact_history *h, const pair_state *s,
                                  contact_response *r)
{
    lane pressed = lane_max(s->at.overlap, lane_of(0)) - h->rest_overlap;
    lane energy = pressed * contact_mean_force(law->kind, law->scale, law->width, pressed);
    lane force = lane_keep(r->presses, slide->spread * energy);
    lane mean_force = lane3_dot(r->force, s->at.normal);
    lane turning = lane_fnma(force, lane3_dot(slide->between, s->at.normal), mean_force);
    r->force = lane3_add_scaled(r->force, force, slide->across);
    lane3 difference = lane3_sub(slide->rotation_i, slide->rotation_j),
          sum = lane3_add(slide->rotation_i, slide->rotation_j);
    lane3 both = lane3_add_scaled(lane3_cross(slide->between, r->tangential), turning, difference);
    lane3 round = lane3_cross(s->at.normal, r->tangential);
    lane_mask slides = lane_mask_of_bits(slide->slides);
    return (pair_twist){lane3_select(slides, both, round),
                        lane3_keep(slides, lane3_scale(LANE_HALF * turning, sum))};
}

// ---------------------------------------------------------------- loads

// Adds sign * force, -arm * twist and the count to the loads of a member's row.
LANE_INLINE void add_load(double *row, const lane *load, real sign, real arm)
{
    const unsigned SIGNED = 0x07u, TURNED = 0x38u; // columns
    double *to = row + SHERD_PAIR_LOADS;
    for (int first = 0; first < PART; first += SHERD_LANES) {
        lane plain = lane_select(lane_mask_of_bits(SIGNED >> first), lane_of(sign), lane_of(1));
        lane weight = lane_select(lane_mask_of_bits(TURNED >> first), lane_of(-arm), plain);
        lane_store(to + first, lane_fma(weight, load[first / SHERD_LANES], lane_load(to + first)));
    }
}

// Torques that differ between the two faces.
static void add_uneven(const pair_lanes *p, int k, const double *uneven)
{
    double *i = p->row_i[k] + SHERD_PAIR_LOADS + 3, *j = p->row_j[k] + SHERD_PAIR_LOADS + 3;
    for (int a = 0; a < 3; ++a) {
        i[a] -= uneven[a * SHERD_LANES + k];
        j[a] += uneven[a * SHERD_LANES + k];
    }
}

// Force F on i, -F on j; torques -arm_i (n x F) and -arm_j (n x F). Pair by pair, so that the order
// of additions is that of the list.
LANE_INLINE void add_loads(const pair_lanes *p, const pair_state *s, const contact_response *r,
                           const pair_twist *turns, unsigned slides)
{
    lane3 f = r->force, twist = turns->both;
    lane count = lane_keep(r->presses, lane_of(1));
    lane c[PART] = {f.x, f.y, f.z, twist.x, twist.y, twist.z, count, lane_of(0)};
    double arm_i[SHERD_LANES], arm_j[SHERD_LANES];
    lane_transpose_8(c);
    lane_store(arm_i, s->arm_i), lane_store(arm_j, s->arm_j);
    double uneven[3 * SHERD_LANES];
    lane_store(uneven, turns->uneven.x);
    lane_store(uneven + SHERD_LANES, turns->uneven.y);
    lane_store(uneven + 2 * SHERD_LANES, turns->uneven.z);
    for (int k = 0; k < p->count; ++k) {
        lane one[PART / SHERD_LANES];
        for (int first = 0; first < PART; first += SHERD_LANES)
            one[first / SHERD_LANES] = c[first + k];
        add_load(p->row_i[k], one, 1, arm_i[k]);
        add_load(p->row_j[k], one, -1, arm_j[k]);
        if (__builtin_expect(slides >> k & 1u, 0)) add_uneven(p, k, uneven);
    }
}

static uint8_t count_in(const double *load)
{
    double count = load[SHERD_PAIR_TOUCHING];
    return (uint8_t)(count < UINT8_MAX ? count : UINT8_MAX);
}

// Adds loads to the block's own elements and stores those of its halo. Members without a row have
// none.
static void copy_out(sherd_points *e, uint8_t *counts, const sherd_pair_block *block,
                     const sherd_pair_scratch *s)
{
    size_t halo = (size_t)(block->member_count - block->own_count);
    if (halo > 0 && s->row_count < block->member_count) {
        memset(block->halo_touching, 0, halo);
        memset(block->halo_load, 0, halo * SHERD_PAIR_LOAD * sizeof(double));
    }
    const double *load = s->rows + SHERD_PAIR_LOADS;
    int32_t r = 0;
    for (; r < s->row_count && s->local[r] < block->own_count; ++r, load += ROW) {
        sherd_element_index k = s->element[r];
        counts[k] = count_in(load);
        if (!s->asleep[s->local[r]]) sherd_point_add_loads(e, k, load);
        // Otherwise it is asleep, and its support gets the load.
    }
    for (; r < s->row_count; ++r, load += ROW) {
        size_t h = (size_t)(s->local[r] - block->own_count);
        block->halo_touching[h] = count_in(load);
        memcpy(block->halo_load + SHERD_PAIR_LOAD * h, load, SHERD_PAIR_LOAD * sizeof(double));
    }
}

// ---------------------------------------------------------------- the block

// Energies are summed over groups of eight pairs, whatever the number of lanes.
typedef struct energy_sums {
    double stored[SUM_LANES], damped[SUM_LANES], slid[SUM_LANES];
    double onset[SUM_LANES], pending[SUM_LANES];
    int64_t touching;
} energy_sums;

LANE_INLINE void add_energy(double *sums, int32_t first, lane energy, lane_mask used)
{
    double *to = sums + first % SUM_LANES;
    lane_store(to, lane_load(to) + lane_keep(used, energy));
}

LANE_INLINE void evaluate(sherd_contact_potential_kind kind, const sherd_pair_law *law,
                          sherd_pair_block *block, const sherd_points *points,
                          const sherd_pair_scratch *s, int32_t first, int count, energy_sums *sums)
{
    pair_lanes p = load_pairs(block, s, first, count);
    pair_state state = state_between(&p);
    pairing_lanes pairing = pairing_of(law, &p, s->material);
    contact_law contact = law_of(kind, law->pairings->width, &pairing, &state);
    contact_history history = load_history(&p);
    slide_lanes slide = {.slides = 0, .lost = lane_of(0)};
    if (__builtin_expect(law->slides != NULL, 0))
        slide = slide_pairs(law, block, points, s, &p, &state, &contact, &history);
    contact_response r = contact_respond(&contact, &state.at, &history, law->dt);
    pair_twist turns;
    if (__builtin_expect(slide.slides != 0, 0))
        turns = push_faces(&slide, &contact, &history, &state, &r);
    else
        turns = (pair_twist){lane3_cross(state.at.normal, r.tangential),
                             {lane_of(0), lane_of(0), lane_of(0)}};
    store_history(&p, &history);
    unsigned presses = lane_mask_bits(r.presses);
    unsigned rest = lane_mask_bits(lane_greater(history.rest_overlap, lane_of(0)));
    store_states(&p, block, presses, slide.slides, presses | rest);
    add_loads(&p, &state, &r, &turns, slide.slides);
    lane_mask used = lane_mask_of_bits(p.used);
    add_energy(sums->stored, first, r.stored, used);
    add_energy(sums->damped, first, r.damped, used);
    add_energy(sums->slid, first, r.slid, used);
    add_energy(sums->onset, first, r.onset + slide.lost, used);
    add_energy(sums->pending, first, r.pending, used);
    sums->touching += __builtin_popcount(presses & p.used);
}

static double sum_of(const double part[SUM_LANES])
{
    double sum = 0.0;
    for (int k = 0; k < SUM_LANES; ++k)
        sum += part[k];
    return sum;
}

static bool all_inactive(const sherd_points *e, const sherd_pair_block *block)
{
    if (block->sums.touching > 0) return false;
    for (int32_t m = 0; m < block->member_count; ++m)
        if (!e->asleep[block->member[m]]) return false;
    return true;
}

int32_t SHERD_KERNEL(sherd_pair_find)(const sherd_pair_law *law, const sherd_pair_block *block,
                                      const sherd_points *points, sherd_pair_scratch *scratch)
{
    if (all_inactive(points, block)) return 0;
    bool some_sleep = copy_positions(points, block, scratch);
    const sherd_pair_slides *slides = law->slides;
    if (slides != NULL) slides->widen(slides, block, points, scratch);
    int32_t count = find_active(block, scratch);
    if (slides != NULL) count = slides->leave_apart(slides, block, points, scratch, count);
    if (some_sleep) count = leave_resting(block, scratch, count);
    if (count == 0) return 0;
    if (weakens_dashpots(block))
        give_rows_to_all(block, scratch);
    else
        give_rows_to_active(block, scratch, count);
    copy_rows(points, law, scratch);
    return count;
}

LANE_INLINE void evaluate_all(sherd_contact_potential_kind kind, const sherd_pair_law *law,
                              sherd_pair_block *block, const sherd_points *points,
                              const sherd_pair_scratch *scratch, int32_t count, energy_sums *sums)
{
    int32_t first = 0;
    for (; first + SHERD_LANES <= count; first += SHERD_LANES) {
        if (first + AHEAD < count) prefetch_histories(block, scratch->slot + first + AHEAD);
        evaluate(kind, law, block, points, scratch, first, SHERD_LANES, sums);
    }
    if (first < count) evaluate(kind, law, block, points, scratch, first, count - first, sums);
}

// Instantiated for each potential.
#define EVALUATE_ALL(NAME, ...)                                                                    \
    case SHERD_CONTACT_##NAME:                                                                     \
        evaluate_all(SHERD_CONTACT_##NAME, law, block, points, scratch, count, &sums);             \
        break;

void SHERD_KERNEL(sherd_pair_evaluate)(const sherd_pair_law *law, sherd_pair_block *block,
                                       sherd_points *points, const sherd_pair_scratch *scratch,
                                       int32_t count)
{
    energy_sums sums = {.touching = 0};
    switch (law->pairings->potential) {
        SHERD_CONTACT_POTENTIALS(EVALUATE_ALL)
    case SHERD_CONTACT_POTENTIAL_COUNT:
        break;
    }
    copy_out(points, law->counts.now, block, scratch);
    block->sums = (sherd_contact_sums){
        .stored = sum_of(sums.stored),
        .damped = sum_of(sums.damped),
        .slid = sum_of(sums.slid),
        .onset = sum_of(sums.onset),
        .pending = sum_of(sums.pending),
        .touching = sums.touching,
    };
}

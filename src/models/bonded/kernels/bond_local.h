// The state of a block in its local numbering, for kernels.
//
// A *frame* moves with one element m, with rotation R, position t and velocity. In double precision
// a block has one frame, that of its middle element (or of the next one that is awake, as sleeping
// elements are updated late). In single precision, if the bonds of a block form several connected
// pieces, each piece has its own frame (storage/bond_pieces.h). In the frame an element has
//
//   displacement   u = R' (p - t) - (x - x_m)      x: reference position; zero where nothing is deformed
//   orientation    R' q,  velocity R' (v - v_m),  spin R' w
//
// Bonds are therefore computed from small numbers: single precision resolves strains to about 1e-7
// of themselves and of the angles by which a piece is bent. With one frame for all pieces it would
// resolve them only to 1e-7 of the angles between pieces: rotating fragments would gain energy, and
// vibrate at rest by more than the strain from their weight. Both ends of an intact bond have the
// same frame. In single precision u is stored as the sum of two numbers, u and the remainder
// LOCAL_U_LOW.
#pragma once

#include "math/lane_transpose.h"
#include "models/bonded/storage/bond_awake.h"
#include "models/bonded/storage/bond_blocks.h"
#include "points/element_lanes.h"

// Indices into sherd_bond_scratch.state.
enum {
    LOCAL_U = 0,
    LOCAL_Q = 3,     // x, y, z
    LOCAL_U_LOW = 6, // single precision: remainder of u
    LOCAL_X = 6,     // wide kernels: x - x_m
    LOCAL_QW = 9,    // orientations' real parts
    LOCAL_V = 10,
    LOCAL_W = 13,
};

typedef struct dlane3 {
    dlane x, y, z;
} dlane3;

// One frame for each lane.
typedef struct local_frame {
    dlane r[3][3]; // R
    dlane3 t, v, x;
    dlane q[4]; // R as a quaternion
} local_frame;

static sherd_element_index middle_of(const sherd_elements *e, const sherd_bond_block *block)
{
    sherd_element_index middle = block->begin + (block->end - block->begin) / 2;
    for (sherd_element_index k = middle; k < block->end; ++k)
        if (!e->asleep[k]) return k;
    for (sherd_element_index k = middle; k > block->begin; --k)
        if (!e->asleep[k - 1]) return k - 1;
    return middle;
}

LANE_INLINE dlane3 take3(const double *x, const double *y, const double *z, point_lanes s)
{
    return (dlane3){fetch(x, s), fetch(y, s), fetch(z, s)};
}

LANE_INLINE dlane3 load_reference3(const sherd_elements *e, point_lanes s)
{
    return (dlane3){load_reference(e, e->rx, 0, s), load_reference(e, e->ry, 1, s),
                    load_reference(e, e->rz, 2, s)};
}

LANE_INLINE dlane3 dlane3_sub(dlane3 a, dlane3 b)
{
    return (dlane3){a.x - b.x, a.y - b.y, a.z - b.z};
}

LANE_INLINE local_frame frame_carried_by(const sherd_elements *e, point_lanes s)
{
    dlane x = fetch(e->qx, s), y = fetch(e->qy, s), z = fetch(e->qz, s), w = fetch(e->qw, s);
    return (local_frame){
        .r = {{1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)},
              {2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)},
              {2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)}},
        .t = take3(e->px, e->py, e->pz, s),
        .v = take3(e->vx, e->vy, e->vz, s),
        .x = load_reference3(e, s),
        .q = {x, y, z, w},
    };
}

// The same frame in all lanes.
static local_frame frame_of(const sherd_elements *e, const sherd_bond_block *block)
{
    sherd_element_index middle[DLANES], m = middle_of(e, block);
    for (int l = 0; l < DLANES; ++l)
        middle[l] = m;
    return frame_carried_by(e, (point_lanes){middle, false});
}

// Whether every piece has its own frame. In double precision one frame resolves strains well
// enough.
LANE_INLINE bool has_pieces(const sherd_bond_block *block)
{
#if defined(SHERD_SINGLE)
    return block->carrier != NULL;
#else
    (void)block;
    return false;
#endif
}

// The frames of vectors of consecutive elements; most vectors share one frame.
typedef struct frame_cursor {
    const sherd_bond_block *block;
    int32_t last; // local number of the last element; later ones have its frame
    sherd_element_index
        shared; // carrier of `frame` in all lanes; -1: lanes differ, or there is no frame yet
    local_frame frame;
} frame_cursor;

static frame_cursor first_frame(const sherd_elements *e, const sherd_bond_block *block)
{
    int32_t last = block->end - block->begin + block->halo_count - 1;
    frame_cursor at = {.block = block, .last = last, .shared = -1};
    if (!has_pieces(block)) at.frame = frame_of(e, block);
    return at;
}

// Moves to the frames of the vector of elements that begins at local number `k`.
LANE_INLINE void go_to_frame(frame_cursor *at, const sherd_elements *e, int32_t k)
{
    if (!has_pieces(at->block)) return;
    sherd_element_index carrier[DLANES], differ = 0;
    for (int32_t l = 0; l < DLANES; ++l) {
        carrier[l] = at->block->carrier[k + l < at->last ? k + l : at->last];
        differ |= carrier[l] ^ carrier[0];
    }
    if (differ == 0 && carrier[0] == at->shared) return;
    at->frame = frame_carried_by(e, (point_lanes){carrier, false});
    at->shared = differ == 0 ? carrier[0] : -1;
}

// ---------------------------------------------------------------- in

LANE_INLINE dlane weighted_sum(dlane x, dlane y, dlane z, dlane3 a)
{
    return dlane_fma(z, a.z, dlane_fma(y, a.y, x * a.x));
}

// R' a
LANE_INLINE dlane3 into_frame(const local_frame *f, dlane3 a)
{
    return (dlane3){weighted_sum(f->r[0][0], f->r[1][0], f->r[2][0], a),
                    weighted_sum(f->r[0][1], f->r[1][1], f->r[2][1], a),
                    weighted_sum(f->r[0][2], f->r[1][2], f->r[2][2], a)};
}

LANE_INLINE void store(void *const *arrays, int first, int32_t at, dlane3 a)
{
    real_store((real *)arrays[first] + at, a.x);
    real_store((real *)arrays[first + 1] + at, a.y);
    real_store((real *)arrays[first + 2] + at, a.z);
}

LANE_INLINE void store_displacement(void *const *arrays, int32_t at, dlane3 u)
{
    store(arrays, LOCAL_U, at, u);
#if defined(SHERD_SINGLE)
    dlane3 low_part = {u.x - dlane_rounded(u.x), u.y - dlane_rounded(u.y),
                       u.z - dlane_rounded(u.z)};
    store(arrays, LOCAL_U_LOW, at, low_part);
#endif
}

// conj(R) q
LANE_INLINE void store_orientation(void *const *arrays, int32_t at, const dlane r[4], dlane x,
                                   dlane y, dlane z, dlane w)
{
    dlane3 v = {x, y, z};
    store(arrays, LOCAL_Q, at,
          (dlane3){dlane_fma(-r[0], w, weighted_sum(r[3], r[2], -r[1], v)),
                   dlane_fma(-r[1], w, weighted_sum(-r[2], r[3], r[0], v)),
                   dlane_fma(-r[2], w, weighted_sum(r[1], -r[0], r[3], v))});
    real_store((real *)arrays[LOCAL_QW] + at,
               dlane_fma(r[3], w, weighted_sum(r[0], r[1], r[2], v)));
}

LANE_INLINE void copy_some_in(const sherd_elements *e, const local_frame *f, point_lanes s,
                              void *const *arrays, int32_t at)
{
    dlane3 u = into_frame(f, dlane3_sub(take3(e->px, e->py, e->pz, s), f->t));
    dlane3 x = dlane3_sub(load_reference3(e, s), f->x);
    store_displacement(arrays, at, dlane3_sub(u, x));
#if defined(SHERD_WIDE)
    store(arrays, LOCAL_X, at, x);
#endif
    store_orientation(arrays, at, f->q, fetch(e->qx, s), fetch(e->qy, s), fetch(e->qz, s),
                      fetch(e->qw, s));
    store(arrays, LOCAL_V, at, into_frame(f, dlane3_sub(take3(e->vx, e->vy, e->vz, s), f->v)));
    store(arrays, LOCAL_W, at, into_frame(f, take3(e->wx, e->wy, e->wz, s)));
}

LANE_INLINE void copy_lanes_in(const sherd_elements *e, const local_frame *f, point_lanes s,
                               void *const *arrays, int32_t at)
{
    // Two copies of the code, one for each value.
    if (s.consecutive)
        copy_some_in(e, f, (point_lanes){s.index, true}, arrays, at);
    else
        copy_some_in(e, f, (point_lanes){s.index, false}, arrays, at);
}

// ---------------------------------------------------------------- rows

// For loose bonds the state of an element is also stored contiguously, as a row, so that reading an
// end touches one or two cache lines. Packets need columns.
enum { LOCAL_NUMBERS = 16, LOAD_NUMBERS = 8 }; // of an element in a row

typedef enum row_use {
    ROWS_NONE, // too few loose bonds for rows to pay off
    ROWS_TOO,  // rows in addition to columns
    ROWS_ONLY, // there are neither packets nor row groups
} row_use;

// Transposes the states of one vector of elements from columns, from index `from` on, into rows.
LANE_INLINE void store_rows(void *const *columns, int32_t from, const sherd_bond_scratch *scratch,
                            int32_t at)
{
    for (int part = 0; part < LOCAL_NUMBERS; part += SHERD_LANES) {
        lane r[SHERD_LANES];
        for (int n = 0; n < SHERD_LANES; ++n)
            r[n] = lane_load((const real *)columns[part + n] + from);
        lane_transpose(r);
        for (int n = 0; n < SHERD_LANES; ++n)
            lane_store((real *)scratch->rows + (size_t)LOCAL_NUMBERS * (size_t)(at + n) + part,
                       r[n]);
    }
}

// The elements from number `first` on of a list, or of consecutive elements from `begin` on. There
// are `count`; lanes beyond the last repeat it. Fills `index`.
LANE_INLINE point_lanes lanes_of(const sherd_element_index *list, sherd_element_index begin,
                                 int32_t first, int32_t count, sherd_element_index index[DLANES])
{
    int32_t end = first + DLANES;
    bool consecutive = end <= count && (list == NULL || list[end - 1] - list[first] == DLANES - 1);
    for (int32_t l = 0; l < (consecutive ? 1 : DLANES); ++l) {
        int32_t at = first + l < count ? first + l : count - 1;
        index[l] = list != NULL ? list[at] : begin + at;
    }
    return (point_lanes){index, consecutive};
}

static const unsigned DLANES_MASK = (1u << DLANES) - 1u;

// Whether any element of the vector is awake. The local number of a block's own element is its
// index in the block.
LANE_INLINE bool some_awake(const sherd_elements *e, const awake_bits *awake,
                            const sherd_element_index *list, int32_t first, int32_t count)
{
    if (awake->all) return true;
    if (list == NULL) return (awake_from(awake, first) & DLANES_MASK) != 0;
    bool some = false;
    for (int32_t k = first; k < first + DLANES && k < count; ++k)
        some |= !e->asleep[list[k]];
    return some;
}

// A list of elements of a block: its own ones, or its halo.
typedef struct local_list {
    const sherd_element_index *list; // NULL: consecutive elements from `begin` on
    sherd_element_index begin;
    int32_t count, to; // local numbers from `to` on
} local_list;

// Copies the states of elements, except vectors that sleep. Writes whole vectors, possibly beyond
// the last element.
LANE_INLINE void copy_list_in(const sherd_elements *e, frame_cursor *frames,
                              const awake_bits *awake, const local_list *in,
                              const sherd_bond_scratch *scratch, row_use use)
{
    const sherd_element_index *list = in->list;
    int32_t count = in->count, to = in->to;
    real staged[LOCAL_NUMBERS][SHERD_LANES] __attribute__((aligned(64))) = {{0}};
    void *stage[LOCAL_NUMBERS];
    for (int c = 0; c < LOCAL_NUMBERS; ++c)
        stage[c] = staged[c];
    for (int32_t k = 0; k < count; k += SHERD_LANES) {
        void *const *columns = use == ROWS_ONLY ? stage : scratch->state;
        int32_t at = use == ROWS_ONLY ? 0 : to + k;
        bool some = false;
        for (int32_t l = 0; l < SHERD_LANES; l += DLANES) {
            if (!some_awake(e, awake, list, k + l, count)) continue;
            sherd_element_index index[DLANES];
            point_lanes s = lanes_of(list, in->begin, k + l, count, index);
            go_to_frame(frames, e, to + k + l);
            copy_lanes_in(e, &frames->frame, s, columns, at + l);
            some = true;
        }
        if (some && use != ROWS_NONE) store_rows(columns, at, scratch, to + k);
    }
}

// The halo is ascending and consists mostly of runs of consecutive elements.
static void copy_in(const sherd_elements *e, frame_cursor *frames, const awake_bits *awake,
                    const sherd_bond_scratch *scratch, row_use use)
{
    const sherd_bond_block *block = frames->block;
    int32_t own = block->end - block->begin;
    local_list elements = {NULL, block->begin, own, 0};
    local_list halo = {block->halo, 0, block->halo_count, own};
    copy_list_in(e, frames, awake, &elements, scratch, use);
    copy_list_in(e, frames, awake, &halo, scratch, use);
}

// Loads rows of states: lane k of number[c] gets value c of element index[k].
LANE_INLINE void gather_rows(const sherd_bond_scratch *scratch, const int32_t *index,
                             lane number[LOCAL_NUMBERS])
{
    for (int part = 0; part < LOCAL_NUMBERS; part += SHERD_LANES) {
        for (int k = 0; k < SHERD_LANES; ++k)
            number[part + k] = lane_load((const real *)scratch->rows +
                                         (size_t)LOCAL_NUMBERS * (size_t)index[k] + part);
        lane_transpose(number + part);
    }
}

LANE_INLINE void add_to_row(double *rows, int32_t element, int part, dlane numbers)
{
    double *to = rows + (size_t)LOAD_NUMBERS * (size_t)element + part * DLANES;
    dlane_store(to, dlane_load(to) + numbers);
}

// Adds number[c] of lane k to the row of element index[k], lane by lane, for all lanes or for those
// whose bit is set in `which`. Overwrites `number`.
LANE_INLINE void scatter_rows(double *rows, const int32_t *index, bool all, unsigned which,
                              lane number[LOAD_NUMBERS])
{
    lane_transpose_8(number);
    for (int k = 0; k < SHERD_LANES; ++k) {
        if (!all && !(which >> k & 1u)) continue;
        for (int part = 0; part < LOAD_NUMBERS / DLANES; ++part) {
            int c = part * DLANES;
            // 8 by 8 blocks lie next to each other in a vector, smaller blocks below each other.
            lane v = SHERD_LANES < 8 ? number[c / SHERD_LANES * SHERD_LANES + k] : number[k % 8];
            int at = SHERD_LANES < 8 ? c % SHERD_LANES : k / 8 * 8 + c;
            add_to_row(rows, index[k], part, dlane_of_half(v, at / DLANES));
        }
    }
}

// The same in double precision.
LANE_INLINE void scatter_wide_rows(double *rows, const int32_t *index,
                                   double number[LOAD_NUMBERS][SHERD_LANES])
{
    for (int first = 0; first < SHERD_LANES; first += DLANES) {
        dlane row[LOAD_NUMBERS];
        for (int c = 0; c < LOAD_NUMBERS; ++c)
            row[c] = dlane_load(number[c] + first);
        for (int part = 0; part < LOAD_NUMBERS; part += DLANES)
            dlane_transpose(row + part);
        for (int k = 0; k < DLANES; ++k)
            for (int part = 0; part < LOAD_NUMBERS / DLANES; ++part)
                add_to_row(rows, index[first + k], part, row[part * DLANES + k]);
    }
}

// Moves value c of element at + k to lane k of number[c] and sets it to 0.
LANE_INLINE void fetch_rows(double *rows, int32_t at, dlane number[LOAD_NUMBERS])
{
    for (int part = 0; part < LOAD_NUMBERS; part += DLANES) {
        for (int k = 0; k < DLANES; ++k) {
            double *row = rows + (size_t)LOAD_NUMBERS * (size_t)(at + k) + part;
            number[part + k] = dlane_load(row);
            dlane_store(row, (dlane){0});
        }
        dlane_transpose(number + part);
    }
}

// ---------------------------------------------------------------- out

// R a
LANE_INLINE dlane3 out_of_frame(const local_frame *f, dlane3 a)
{
    return (dlane3){weighted_sum(f->r[0][0], f->r[0][1], f->r[0][2], a),
                    weighted_sum(f->r[1][0], f->r[1][1], f->r[1][2], a),
                    weighted_sum(f->r[2][0], f->r[2][1], f->r[2][2], a)};
}

// Reads a force and sets it to zero for the next block.
LANE_INLINE dlane load_force(double *force)
{
    dlane v = dlane_load(force);
    dlane_store(force, (dlane){0});
    return v;
}

LANE_INLINE dlane load_torque(real *torque)
{
    dlane v = real_load(torque);
    real_store(torque, (dlane){0});
    return v;
}

LANE_INLINE load_lanes load_in_frame(const local_frame *f, const sherd_bond_scratch *s, row_use use,
                                     int32_t at)
{
    dlane n[LOAD_NUMBERS];
    if (use != ROWS_NONE) fetch_rows(s->load_rows, at, n);
    dlane3 force, torque;
    if (use == ROWS_ONLY) {
        force = (dlane3){n[0], n[1], n[2]}, torque = (dlane3){n[3], n[4], n[5]};
    } else {
        force = (dlane3){load_force(s->force[0] + at), load_force(s->force[1] + at),
                         load_force(s->force[2] + at)};
        torque =
            (dlane3){load_torque((real *)s->torque[0] + at), load_torque((real *)s->torque[1] + at),
                     load_torque((real *)s->torque[2] + at)};
    }
    if (use == ROWS_TOO) {
        force = (dlane3){force.x + n[0], force.y + n[1], force.z + n[2]};
        torque = (dlane3){torque.x + n[3], torque.y + n[4], torque.z + n[5]};
    }
    force = out_of_frame(f, force), torque = out_of_frame(f, torque);
    return (load_lanes){{force.x, force.y, force.z}, {torque.x, torque.y, torque.z}};
}

LANE_INLINE void store_halo(double *to, int32_t h, const load_lanes *l)
{
    for (int a = 0; a < 3; ++a) {
        dlane_store(to + sherd_bond_halo_index(h, a), l->force[a]);
        dlane_store(to + sherd_bond_halo_index(h, 3 + a), l->torque[a]);
    }
}

// Loads of the block's own elements are set, not added: they are the first of this pass. Halo loads
// go to halo_load.
static void copy_out(sherd_elements *e, frame_cursor *frames, const awake_bits *awake,
                     const sherd_bond_scratch *scratch, row_use use, double *halo_load)
{
    const sherd_bond_block *block = frames->block;
    int32_t own = block->end - block->begin;
    for (int32_t k = 0; k < own; k += DLANES) {
        if ((awake_from(awake, k) & DLANES_MASK) == 0) continue;
        int32_t at = block->begin + k, count = own - k;
        go_to_frame(frames, e, k);
        load_lanes l = load_in_frame(&frames->frame, scratch, use, k);
        if (__builtin_expect(count >= DLANES, 1))
            store_loads(&e->points, at, &l);
        else
            store_some_loads(&e->points, at, &l, count);
    }
    double *halo = halo_load + SHERD_HALO_LOAD * block->halo_at;
    for (int32_t h = 0; h < block->halo_count; h += DLANES) {
        go_to_frame(frames, e, own + h);
        load_lanes l = load_in_frame(&frames->frame, scratch, use, own + h);
        store_halo(halo, h, &l);
    }
}

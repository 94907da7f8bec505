// Contacts of single elements with all others fixed, for the elimination of grains that slow down a
// minimisation (stepping/implicit/grain_elimination.h).
#include "base/error.h"
#include "base/memory.h"
#include "contact/implicit/contact_trial_state.h"

#include <string.h>

bool sherd_contact_trial_is_grain(const sherd_contact_trial *trial, sherd_element_index k)
{
    return sherd_trial_intact_bonds(trial, k, 1) == 0;
}

// ---------------------------------------------------------------- neighbours

typedef struct gathering {
    sherd_contact_trial *trial;
    const sherd_element_index *list;
    int count;
} gathering;

// Index in the list, or -1.
static int index_of(const gathering *g, sherd_element_index k)
{
    int low = 0, high = g->count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (g->list[middle] < k)
            low = middle + 1;
        else
            high = middle;
    }
    return low < g->count && g->list[low] == k ? low : -1;
}

static bool push_near(sherd_contact_trial *t, int which, size_t candidate)
{
    if (which < 0) return true;
    if (!sherd_grow((void **)&t->near, &t->near_capacity, t->near_count + 1, sizeof *t->near))
        return false;
    t->near[t->near_count++] = (sherd_trial_near){which, (uint32_t)candidate};
    return true;
}

// Counting sort by list index, stable in the order of candidates.
static bool order_near(sherd_contact_trial *t, int count)
{
    size_t starts = (size_t)count + 1;
    if (!sherd_grow((void **)&t->near_start, &t->near_start_capacity, starts,
                    sizeof *t->near_start) ||
        !sherd_grow((void **)&t->near_sorted, &t->near_sorted_capacity, t->near_count + 1,
                    sizeof *t->near_sorted))
        return false;
    size_t *start = t->near_start;
    memset(start, 0, starts * sizeof *start);
    for (size_t k = 0; k < t->near_count; ++k)
        ++start[t->near[k].which + 1];
    for (int k = 0; k < count; ++k)
        start[k + 1] += start[k];
    for (size_t k = 0; k < t->near_count; ++k)
        t->near_sorted[start[t->near[k].which]++] = t->near[k];
    if (t->near_count > 0) memcpy(t->near, t->near_sorted, t->near_count * sizeof *t->near);
    return true;
}

sherd_status sherd_contact_trial_gather(sherd_contact_trial *trial, const sherd_points *points,
                                        const sherd_element_index *list, int count,
                                        sherd_error *error)
{
    double farthest;
    sherd_trial_pose_obstacles(trial);
    sherd_status status = sherd_trial_cover(trial, points, &farthest, error);
    if (status != SHERD_OK) return status;
    gathering g = {trial, list, count};
    bool fits = true;
    trial->near_count = 0;
    for (size_t c = 0; c < trial->candidate_count && fits; ++c) {
        const sherd_trial_candidate *at = &trial->candidates[c];
        fits = push_near(trial, index_of(&g, at->i), c);
        if (fits && at->other >= trial_location_count(trial))
            fits = push_near(trial, index_of(&g, at->other - trial_location_count(trial)), c);
    }
    fits = fits && order_near(trial, count);
    return fits ? SHERD_OK : sherd_fail_memory(error, "contacts of single elements");
}

// ---------------------------------------------------------------- loads and tangents

// Adds weight (row row^T).
static void add_square(double to[6][6], double weight, const double row[6])
{
    for (int r = 0; r < 6; ++r)
        for (int c = 0; c < 6; ++c)
            to[r][c] += weight * row[r] * row[c];
}

// Stiffness of a force through the centre. As one sphere rolls over another the force turns with
// it: -N/d tangentially.
static void add_normal_stiffness(double to[6][6], const sherd_trial_record *r,
                                 const sherd_points *e, bool first)
{
    if (r->slides) {
        sherd_vec3 n = r->now.normal,
                   by_rotation = vec3_cross(first ? r->now.arm_i : r->now.arm_j, n);
        const double row[6] = {n.x, n.y, n.z, by_rotation.x, by_rotation.y, by_rotation.z};
        add_square(to, r->potential.tangent, row);
        return;
    }
    const double n[6] = {r->now.normal.x, r->now.normal.y, r->now.normal.z};
    add_square(to, r->potential.tangent, n);
    if (r->j < 0) return;
    double d = sherd_point_radius(e, r->i) + sherd_point_radius(e, r->j) - r->now.overlap;
    double across = d > 0.0 ? r->potential.force / d : 0.0;
    add_square(to, across, n);
    for (int a = 0; a < 3; ++a)
        to[a][a] -= across;
}

// Slip along `direction` for (dp, dtheta), in addition to the rotation so far.
static void add_slip(double to[6][6], double weight, sherd_vec3 direction, sherd_vec3 rotation,
                     sherd_vec3 arm)
{
    sherd_vec3 by_rotation = contact_rotated_torque(rotation, vec3_cross(arm, direction));
    const double row[6] = {direction.x,   direction.y,   direction.z,
                           by_rotation.x, by_rotation.y, by_rotation.z};
    add_square(to, weight, row);
}

// The same of a couple about an axis.
static void add_turn(double to[6][6], double weight, sherd_vec3 axis, sherd_vec3 rotation)
{
    sherd_vec3 by_rotation = contact_rotated_torque(rotation, axis);
    const double row[6] = {0.0, 0.0, 0.0, by_rotation.x, by_rotation.y, by_rotation.z};
    add_square(to, weight, row);
}

static void add_record(const sherd_contact_trial *trial, const sherd_points *points,
                       const sherd_trial_record *r, sherd_element_index k,
                       sherd_contact_single *single)
{
    bool first = r->i == k;
    single->energy += r->potential.energy + r->slip.energy;
    single->force = vec3_add_scaled(single->force, first ? 1.0 : -1.0, r->force);
    single->torque = vec3_add(single->torque, first ? r->torque_i : r->torque_j);
    add_normal_stiffness(single->stiffness, r, points, first);
    sherd_vec3 rotation = sherd_trial_motion_of(trial, points, k).rotation,
               arm = first ? r->lagged.arm_i : r->lagged.arm_j;
    sherd_trial_slip slip = sherd_trial_slip_of(r, false);
    add_slip(single->stiffness, slip.along, slip.direction, rotation, arm);
    add_slip(single->stiffness, slip.across, vec3_cross(r->lagged.normal, slip.direction), rotation,
             arm);
    if (trial->rolls == NULL) return;
    const sherd_trial_roll *roll = sherd_trial_roll_of(trial, r);
    sherd_trial_tangent tangent = sherd_trial_roll_tangent(r, roll, false);
    single->energy += roll->slip.energy;
    add_turn(single->stiffness, tangent.along, tangent.along_axis, rotation);
    add_turn(single->stiffness, tangent.across, tangent.across_axis, rotation);
}

static size_t first_near(const sherd_contact_trial *t, int which)
{
    size_t low = 0, high = t->near_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (t->near[middle].which < which)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

sherd_status sherd_contact_trial_single(sherd_contact_trial *trial, const sherd_points *points,
                                        const sherd_element_index *list, int which,
                                        sherd_contact_single *single, sherd_error *error)
{
    sherd_trial_poses poses = sherd_trial_now(trial, points);
    *single = (sherd_contact_single){.energy = 0.0};
    for (size_t k = first_near(trial, which);
         k < trial->near_count && trial->near[k].which == which; ++k) {
        sherd_trial_candidate *c = &trial->candidates[trial->near[k].candidate];
        if (c->record < 0) {
            if (!sherd_trial_overlaps(trial, points, c)) continue;
            if (!sherd_trial_record_candidate(trial, points, c))
                return sherd_fail_memory(error, "contacts of single elements");
            if (c->record < 0) continue;
            sherd_trial_start_records(trial, points);
        }
        sherd_trial_record *r = &trial->records[c->record];
        sherd_trial_evaluate_record(trial, points, &poses, r);
        add_record(trial, points, r, list[which], single);
    }
    return SHERD_OK;
}

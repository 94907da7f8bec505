#include "stepping/control/deformation_rates.h"

#include "base/assertion.h"
#include "base/error.h"
#include "base/memory.h"
#include "math/inertia.h"
#include "models/bonded/storage/adjacency.h"

#include <math.h>

// In components of more elements than this, the bonds of every eighth element are sampled.
enum { MAX_UNSAMPLED = 2048 };

// ---------------------------------------------------------------- bonds

// Energy of the strain rates of a bond, and the rate of its stress over its strength.
typedef struct strain_rate {
    double stretch2; // [J/s^2]
    double stress;   // [1/s]
} strain_rate;

// To first order in the strain, as [BDEM21] (3)-(18).
static strain_rate strain_rate_of(const sherd_system *s, int64_t bond)
{
    const sherd_elements *e = &s->elements;
    sherd_element_index i = s->bonds.i[bond], j = s->bonds.j[bond];
    sherd_bond_constants constants = sherd_bond_constants_of(&s->bonds, e, bond);
    sherd_vec3 along = vec3_sub(sherd_element_position(e, j), sherd_element_position(e, i));
    double length = vec3_length(along);
    sherd_vec3 n = vec3_scale(1.0 / length, along), wi = sherd_element_spin(e, i),
               wj = sherd_element_spin(e, j);
    sherd_vec3 rate = vec3_scale(
        1.0 / length, vec3_sub(sherd_element_velocity(e, j), sherd_element_velocity(e, i)));
    double axial = vec3_dot(rate, n);
    sherd_vec3 across = vec3_add_scaled(rate, -axial, n);
    sherd_vec3 shear = vec3_sub(across, vec3_cross(vec3_scale(0.5, vec3_add(wi, wj)), n));
    sherd_vec3 angular_velocity = vec3_scale(1.0 / length, vec3_sub(wj, wi));
    double twist = vec3_dot(angular_velocity, n), r = constants.r0;
    double bend2 = fmax(vec3_dot(angular_velocity, angular_velocity) - twist * twist, 0.0),
           shear2 = vec3_dot(shear, shear);
    double volume = M_PI * r * r * constants.l0, gyration2 = 0.25 * r * r; // I / S
    double normal = constants.E * (fabs(axial) + r * sqrt(bend2)) / constants.sigma_c,
           sliding = constants.G * (sqrt(shear2) + r * fabs(twist)) / constants.tau_c;
    return (strain_rate){
        volume * (constants.E * (axial * axial + gyration2 * bend2) +
                  constants.G * (shear2 + 2.0 * gyration2 * twist * twist)),
        fmax(normal, sliding),
    };
}

// One in eight, at indices that are irregular in a packing.
static bool is_sample(sherd_element_index k)
{
    return ((uint32_t)k * UINT32_C(2654435769)) >> 29 == 0;
}

static void add_bonds(const sherd_system *s, sherd_element_index k, sherd_deforming_sums *sums)
{
    const sherd_adjacency *bonded = &s->adjacency;
    for (uint32_t at = bonded->start[k]; at < bonded->start[k + 1]; ++at) {
        int64_t bond = bonded->bond[at];
        if (s->bonds.i[bond] != k || s->bonds.broken[bond]) continue;
        strain_rate rate = strain_rate_of(s, bond);
        double stress2 = rate.stress * rate.stress, stress4 = stress2 * stress2;
        sums->stretch2 += rate.stretch2;
        sums->stress8 += stress4 * stress4;
        sums->looked_at += 1.0;
    }
}

// ---------------------------------------------------------------- elements

static void add_motion(const sherd_elements *e, sherd_element_index k, sherd_vec3 r,
                       sherd_deforming_sums *sums)
{
    double mass = sherd_element_mass(e, k), moment = sherd_element_own_inertia(e, k);
    sherd_vec3 v = sherd_element_velocity(e, k), w = sherd_element_spin(e, k);
    sums->mass += mass;
    sums->energy2 += mass * vec3_dot(v, v) + moment * vec3_dot(w, w);
    sums->moment = vec3_add_scaled(sums->moment, mass, r);
    sums->momentum = vec3_add_scaled(sums->momentum, mass, v);
    sums->spin = vec3_add_scaled(sums->spin, mass, vec3_cross(r, v));
    sums->spin = vec3_add_scaled(sums->spin, moment, w);
    inertia_add(sums->turning, mass, moment, r);
    if (!sherd_point_is_held(&e->points, k)) return;
    sums->held += 1.0;
    sums->held_at = vec3_add(sums->held_at, r);
    sums->held_v = vec3_add(sums->held_v, v);
    sums->held_w = vec3_add(sums->held_w, w);
}

static void add_pull(const sherd_elements *e, sherd_element_index k, sherd_vec3 gravity,
                     sherd_deforming_sums *sums)
{
    double mass = sherd_element_mass(e, k);
    sherd_vec3 f = vec3_add_scaled(sherd_element_force(e, k), mass, gravity),
               t = sherd_element_own_torque(e, k);
    sums->free_mass += mass;
    sums->force = vec3_add(sums->force, f);
    sums->pull2 += vec3_dot(f, f) / mass + vec3_dot(t, t) / sherd_element_inertia(e, k);
}

void sherd_deforming_sum(const sherd_system *system, const sherd_component_list *list,
                         const uint8_t *driven, const sherd_component_segment *segment, bool bonds,
                         sherd_deforming_sums *sums)
{
    const sherd_elements *e = &system->elements;
    *sums = (sherd_deforming_sums){0};
    sherd_vec3 from = sherd_element_position(e, segment->first);
    bool all = segment->size <= MAX_UNSAMPLED;
    for (sherd_element_index m = segment->begin; m < segment->end; ++m) {
        sherd_element_index k = list->member[m];
        add_motion(e, k, vec3_sub(sherd_element_position(e, k), from), sums);
        if (!driven[k]) add_pull(e, k, system->gravity, sums);
        if (!bonds || (!all && !is_sample(k))) continue;
        add_bonds(system, k, sums);
        sums->samples += 1.0;
    }
    sums->members = segment->end - segment->begin;
}

void sherd_deforming_add(sherd_deforming_sums *sum, const sherd_deforming_sums *part)
{
    sum->mass += part->mass, sum->energy2 += part->energy2;
    sum->moment = vec3_add(sum->moment, part->moment);
    sum->momentum = vec3_add(sum->momentum, part->momentum);
    sum->spin = vec3_add(sum->spin, part->spin);
    for (int c = 0; c < 6; ++c)
        sum->turning[c] += part->turning[c];
    sum->held += part->held;
    sum->held_at = vec3_add(sum->held_at, part->held_at);
    sum->held_v = vec3_add(sum->held_v, part->held_v);
    sum->held_w = vec3_add(sum->held_w, part->held_w);
    sum->free_mass += part->free_mass, sum->pull2 += part->pull2;
    sum->force = vec3_add(sum->force, part->force);
    sum->stretch2 += part->stretch2, sum->stress8 += part->stress8;
    sum->looked_at += part->looked_at;
    sum->members += part->members, sum->samples += part->samples;
}

// ---------------------------------------------------------------- without rigid motion

// Rigid motion: velocity at the first element's position, and spin.
typedef struct rigid_motion {
    sherd_vec3 velocity, spin;
} rigid_motion;

// A driver prescribes the rotation of a driven body, and its angular momentum is not conserved: its
// whole spin counts.
static rigid_motion motion_of_held(const sherd_deforming_sums *s, double *tumbling)
{
    double scale = 1.0 / s->held;
    sherd_vec3 w = vec3_scale(scale, s->held_w), at = vec3_scale(scale, s->held_at);
    *tumbling = vec3_length(w);
    return (rigid_motion){vec3_sub(vec3_scale(scale, s->held_v), vec3_cross(w, at)), w};
}

static rigid_motion motion_of_body(const sherd_deforming_sums *s, double *tumbling)
{
    static const double STEADY = 1e-4; // change of the axis per spin, a radian
    sherd_vec3 centre = vec3_scale(1.0 / s->mass, s->moment);
    double turning[6];
    for (int c = 0; c < 6; ++c)
        turning[c] = s->turning[c];
    inertia_add(turning, -s->mass, 0.0, centre);
    sherd_vec3 own = vec3_sub(s->spin, vec3_cross(centre, s->momentum)),
               w = inertia_solve(turning, own);
    sherd_vec3 v = vec3_scale(1.0 / s->mass, s->momentum);
    double change = vec3_length(inertia_solve(turning, vec3_cross(own, w)));
    *tumbling = change > STEADY * vec3_dot(w, w) ? vec3_length(w) : 0.0;
    return (rigid_motion){vec3_sub(v, vec3_cross(w, centre)), w};
}

// sum m |v - u|^2 + I |w - spin|^2, u the rigid motion.
static double motion_beyond(const sherd_deforming_sums *s, const rigid_motion *rigid)
{
    sherd_vec3 u = rigid->velocity, w = rigid->spin;
    double common = vec3_dot(s->momentum, u) + vec3_dot(s->spin, w);
    double own = s->mass * vec3_dot(u, u) + 2.0 * vec3_dot(u, vec3_cross(w, s->moment)) +
                 vec3_dot(w, inertia_multiply(s->turning, w));
    return fmax(s->energy2 - 2.0 * common + own, 0.0);
}

sherd_deforming sherd_deforming_of(const sherd_deforming_sums *s)
{
    // The 8th root of the mean 8th power is smaller than the maximum: in a bar under tension or
    // bending the most stressed bond has 1.5 to 2.2 times that.
    static const double PEAK = 2.5;
    double tumbling = 0.0;
    rigid_motion rigid =
        s->held > 0.0 ? motion_of_held(s, &tumbling) : motion_of_body(s, &tumbling);
    double pull2 = s->pull2;
    if (s->held == 0.0 && s->free_mass > 0.0) pull2 -= vec3_dot(s->force, s->force) / s->free_mass;
    sherd_deforming result = {
        .motion2 = motion_beyond(s, &rigid), .pull2 = fmax(pull2, 0.0), .tumbling = tumbling};
    if (s->looked_at == 0.0) return result;
    result.stretch2 = s->stretch2 * s->members / s->samples;
    result.stress_rate = PEAK * pow(s->stress8 / s->looked_at, 0.125);
    return result;
}

// ---------------------------------------------------------------- lists of components

enum { FEWEST = 8, SEGMENT = 1024 };

void sherd_component_list_free(sherd_component_list *list)
{
    sherd_free(list->member);
    sherd_free(list->segments);
    *list = (sherd_component_list){0};
}

size_t sherd_component_list_bytes(const sherd_component_list *list, sherd_element_index count)
{
    return (size_t)count * sizeof *list->member +
           (size_t)list->segment_count * sizeof *list->segments;
}

// at[k]: number of elements of the component whose first element is k, 0 if there is none.
static int64_t measure(const sherd_element_index *root, sherd_element_index *at,
                       sherd_element_index count)
{
    int64_t segments = 0;
    for (sherd_element_index k = 0; k < count; ++k)
        ++at[root[k]];
    for (sherd_element_index k = 0; k < count; ++k)
        if (at[k] >= FEWEST) segments += (at[k] - 1) / SEGMENT + 1;
    return segments;
}

// `at` turns from sizes into indices in `member`, -1: left out.
static void cut_into_segments(sherd_component_list *list, sherd_element_index *at,
                              sherd_element_index count)
{
    sherd_element_index offset = 0;
    for (sherd_element_index k = 0; k < count; ++k) {
        sherd_element_index size = at[k];
        at[k] = size >= FEWEST ? offset : -1;
        if (at[k] < 0) continue;
        for (sherd_element_index m = 0; m < size; m += SEGMENT)
            list->segments[list->segment_count++] = (sherd_component_segment){
                offset + m, offset + (m + SEGMENT < size ? m + SEGMENT : size), list->count, k,
                size};
        ++list->count;
        offset += size;
    }
}

sherd_status sherd_component_list_make(sherd_component_list *list, const sherd_bonds *bonds,
                                       sherd_element_index count, sherd_error *error)
{
    size_t n = (size_t)count;
    sherd_element_index *root = sherd_alloc(n, sizeof *root), *at = sherd_alloc(n, sizeof *at);
    *list = (sherd_component_list){.member = sherd_alloc(n, sizeof *list->member)};
    bool done = root != NULL && at != NULL && list->member != NULL;
    if (done) {
        sherd_find_components(bonds, count, root);
        int64_t segments = measure(root, at, count);
        list->segments = sherd_alloc((size_t)segments, sizeof *list->segments);
        done = list->segments != NULL;
    }
    if (done) {
        cut_into_segments(list, at, count);
        for (sherd_element_index k = 0; k < count; ++k)
            if (at[root[k]] >= 0) list->member[at[root[k]]++] = k;
        SHERD_ASSERT(list->segment_count == 0 ||
                         list->segments[list->segment_count - 1].end <= count,
                     "members are elements that there are");
        SHERD_ASSERT(
            list->segment_count == 0 ||
                sherd_strictly_ascending(list->member + list->segments[0].begin,
                                         (size_t)(list->segments[0].end - list->segments[0].begin)),
            "members of a component ascend");
    }
    sherd_free(root);
    sherd_free(at);
    if (done) return SHERD_OK;
    sherd_component_list_free(list);
    return sherd_fail_memory(error, "components");
}

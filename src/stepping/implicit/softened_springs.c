// A softening bond is represented by four springs at its middle, on a circle of r0 / sqrt(2) about
// its axis, with a quarter of its normal and shear stiffness each: its bending stiffness is 2 (kn /
// 4) a^2 = E I / l0, its torsional stiffness 4 (ks / 4) a^2 = G J / l0. A fifth spring on the axis
// adds the excess stiffness in compression. All stiffnesses are secants at the present openings.
#include "stepping/implicit/softened_springs.h"

#include "base/error.h"
#include "base/memory.h"
#include "math/vec3.h"

#include <math.h>
#include <string.h>

enum { SPRINGS = 5 }; // per bond

void sherd_softened_springs_free(sherd_softened_springs *set)
{
    sherd_free(set->springs);
    sherd_free(set->sorted);
    sherd_free(set->order);
    sherd_free(set->scratch);
    *set = (sherd_softened_springs){0};
}

size_t sherd_softened_springs_bytes(const sherd_softened_springs *set)
{
    return set->capacity * sizeof *set->springs + set->sorted_capacity * sizeof *set->sorted +
           set->order_capacity * sizeof *set->order + set->scratch_capacity * sizeof *set->scratch;
}

// At a bond's present position.
typedef struct softened_bond {
    sherd_element_index i, j;
    sherd_vec3 half, n;                // half of i -> j, its direction
    double along, across, compression; // secant stiffness, and its excess in compression [N/m]
    double radius;                     // of its section [m]
} softened_bond;

static softened_bond look_at(const sherd_softened_parts *parts, double damping,
                             const sherd_softening_bond *bond)
{
    const sherd_elements *e = parts->elements;
    sherd_vec3 b = vec3_sub(sherd_element_position(e, bond->j), sherd_element_position(e, bond->i));
    const double *k = bond->numbers;
    double length = vec3_length(b), l0 = 2.0 * k[SHERD_CLASS_HALF_L0];
    double opening = (double)parts->bonds->opening[bond->bond];
    double u = fmin(fmax(opening, 1.0), bond->critical);
    double integrity = (bond->critical - u) / (u * (bond->critical - 1.0));
    double damped = 1.0 + damping * l0 * k[SHERD_CLASS_DAMPING];
    double stretch = k[SHERD_CLASS_STRETCH] / l0;
    return (softened_bond){.i = bond->i,
                           .j = bond->j,
                           .half = vec3_scale(0.5, b),
                           .n = vec3_normalize(b),
                           .along = integrity * damped * stretch,
                           .across = integrity * damped * k[SHERD_CLASS_SHEAR_FORCE] * l0 /
                                     (length * length),
                           .compression = length < l0 ? (1.0 - integrity) * stretch : 0.0,
                           .radius = 2.0 / k[SHERD_CLASS_WEIGHT]};
}

static void store_vector(float to[3], sherd_vec3 v)
{
    to[0] = (float)v.x, to[1] = (float)v.y, to[2] = (float)v.z;
}

static sherd_contact_spring spring_at(const softened_bond *b, sherd_vec3 offset, double along,
                                      double across)
{
    sherd_contact_spring spring = {.i = b->i, .j = b->j};
    store_vector(spring.arm_i, vec3_add(b->half, offset));
    store_vector(spring.arm_j, vec3_sub(offset, b->half));
    double over = along - across;
    sherd_vec3 n = b->n;
    const double k[6] = {across + over * n.x * n.x, across + over * n.y * n.y,
                         across + over * n.z * n.z, over * n.x * n.y,
                         over * n.x * n.z,          over * n.y * n.z};
    for (int c = 0; c < 6; ++c)
        spring.stiffness[c] = k[c];
    return spring;
}

static sherd_vec3 some_normal(sherd_vec3 n)
{
    sherd_vec3 axis = fabs(n.x) < 0.6 ? vec3(1.0, 0.0, 0.0) : vec3(0.0, 1.0, 0.0);
    return vec3_normalize(vec3_cross(n, axis));
}

static void store_bond(const softened_bond *b, sherd_contact_spring to[SPRINGS])
{
    sherd_vec3 u = some_normal(b->n), v = vec3_cross(b->n, u);
    double a = b->radius / sqrt(2.0), along = 0.25 * b->along, across = 0.25 * b->across;
    to[0] = spring_at(b, vec3_scale(a, u), along, across);
    to[1] = spring_at(b, vec3_scale(-a, u), along, across);
    to[2] = spring_at(b, vec3_scale(a, v), along, across);
    to[3] = spring_at(b, vec3_scale(-a, v), along, across);
    to[4] = spring_at(b, vec3(0.0, 0.0, 0.0), b->compression, 0.0);
}

static bool reserve(sherd_softened_springs *set, size_t count)
{
    return sherd_grow((void **)&set->springs, &set->capacity, count, sizeof *set->springs) &&
           sherd_grow((void **)&set->sorted, &set->sorted_capacity, count, sizeof *set->sorted) &&
           sherd_grow((void **)&set->order, &set->order_capacity, count, sizeof *set->order) &&
           sherd_grow((void **)&set->scratch, &set->scratch_capacity, count, sizeof *set->scratch);
}

// By node, in order of creation.
static void sort_springs(sherd_softened_springs *set, size_t count)
{
    for (size_t k = 0; k < count; ++k)
        set->order[k] =
            (sherd_sort_pair){(uint64_t)(uint32_t)set->springs[k].i << 32 | k, (uint32_t)k};
    sherd_sort_pairs_with(set->order, count, set->scratch);
    for (size_t k = 0; k < count; ++k)
        set->sorted[k] = set->springs[set->order[k].value];
}

sherd_status sherd_softened_springs_add(sherd_softened_springs *set,
                                        const sherd_softened_parts *parts,
                                        sherd_linear_system *system, sherd_error *error)
{
    const sherd_softening_list *list = parts->list;
    if (list->count == 0) return SHERD_OK;
    size_t others = (size_t)system->spring_count, count = others + SPRINGS * (size_t)list->count;
    if (!reserve(set, count)) return sherd_fail_memory(error, "softening bonds");
    if (others > 0) memcpy(set->springs, system->springs, others * sizeof *set->springs);
    for (int32_t k = 0; k < list->count; ++k) {
        softened_bond b = look_at(parts, system->damping, &list->bonds[k]);
        store_bond(&b, set->springs + others + SPRINGS * (size_t)k);
    }
    sort_springs(set, count);
    system->springs = set->sorted;
    system->spring_count = (int64_t)count;
    return SHERD_OK;
}

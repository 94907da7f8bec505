#include "output/debris/debris_packing.h"

#include "base/random.h"
#include "math/quat.h"
#include "math/vec3.h"

static const uint64_t STREAM = 0x6372756d6200; // "crumb"
enum { SHAPE = 0, TURN, HEADING = TURN + 3, SCATTER = HEADING + 2, TUMBLE = SCATTER + 3 };
static const double PI = 3.14159265358979323846;
// Distance of crumbs over the sum of their radii: angular ones that were one solid fit closer than
// balls.
static const double CLOSENESS = 0.72;
static const double TUMBLING =
    3.0; // largest component of t_k before their mean is subtracted [rad]
static const double GRAIN_SCATTER = 0.2; // of splinters' directions [rad]

static double draw(const debris_source *of, int crumb, int which)
{
    return sherd_random_uniform(of->seed, STREAM + (uint64_t)which,
                                (uint64_t)of->element << 8 | (uint64_t)crumb);
}

// Uniform among all rotations (Shoemake 1992).
static sherd_quat random_rotation(const debris_source *of, int crumb)
{
    double u = draw(of, crumb, TURN), a = 2.0 * PI * draw(of, crumb, TURN + 1),
           b = 2.0 * PI * draw(of, crumb, TURN + 2);
    double s = sqrt(1.0 - u), c = sqrt(u);
    return quat(s * sin(a), s * cos(a), c * sin(b), c * cos(b));
}

static sherd_quat twist(sherd_vec3 axis, double turn)
{
    return quat_from_rotation_vector(vec3_scale(2.0 * PI * turn, axis));
}

static sherd_quat rotation_of(const debris_source *of, int crumb, bool outer)
{
    sherd_vec3 x = vec3(1.0, 0.0, 0.0), z = vec3(0.0, 0.0, 1.0);
    if (of->form == DEBRIS_SPLINTER) {
        sherd_vec3 off = vec3(draw(of, crumb, SCATTER) - 0.5, draw(of, crumb, SCATTER + 1) - 0.5,
                              draw(of, crumb, SCATTER + 2) - 0.5);
        sherd_vec3 along = vec3_normalize(vec3_add_scaled(of->grain, 2.0 * GRAIN_SCATTER, off));
        return quat_multiply(quat_between(x, along), twist(x, draw(of, crumb, TURN)));
    }
    if (outer) return quat_multiply(quat_between(z, of->outward), twist(z, draw(of, crumb, TURN)));
    return random_rotation(of, crumb);
}

static sherd_vec3 heading(const debris_source *of, int crumb)
{
    double z = 2.0 * draw(of, crumb, HEADING) - 1.0, a = 2.0 * PI * draw(of, crumb, HEADING + 1);
    double away = sqrt(1.0 - z * z);
    return vec3(away * cos(a), away * sin(a), z);
}

// The smallest distance from the largest crumb along `u` at which a crumb touches none of those
// before it.
static double free_distance(const debris_crumb *crumbs, int count, sherd_vec3 u, double radius)
{
    double distance = 0.0;
    for (int j = 0; j < count; ++j) {
        double along = vec3_dot(crumbs[j].offset, u), gap = CLOSENESS * (crumbs[j].radius + radius);
        double across2 = vec3_dot(crumbs[j].offset, crumbs[j].offset) - along * along;
        if (across2 < gap * gap) distance = fmax(distance, along + sqrt(gap * gap - across2));
    }
    return distance;
}

// Those of all crumbs have no angular momentum, with crumbs as balls.
static void tumble(const debris_source *of, int count, debris_crumb *crumbs)
{
    sherd_vec3 sum = vec3(0.0, 0.0, 0.0);
    double inertia = 0.0;
    for (int k = 0; k < count; ++k) {
        crumbs[k].tumble = vec3_scale(2.0 * TUMBLING,
                                      vec3(draw(of, k, TUMBLE) - 0.5, draw(of, k, TUMBLE + 1) - 0.5,
                                           draw(of, k, TUMBLE + 2) - 0.5));
        double own = pow(crumbs[k].radius / of->radius, 5.0);
        sum = vec3_add_scaled(sum, own, crumbs[k].tumble);
        inertia += own;
    }
    for (int k = 0; k < count; ++k)
        crumbs[k].tumble = vec3_add_scaled(crumbs[k].tumble, -1.0 / inertia, sum);
}

void sherd_debris_pack(const debris_source *of, int count, const double *radius,
                       debris_crumb *crumbs)
{
    sherd_vec3 centre = vec3(0.0, 0.0, 0.0); // of mass: volumes sum to 1 in units of R^3
    for (int k = 0; k < count; ++k) {
        crumbs[k] = (debris_crumb){.radius = of->radius * radius[k],
                                   .shape = (uint8_t)(draw(of, k, SHAPE) * DEBRIS_SHAPES)};
        sherd_vec3 u = heading(of, k);
        double distance = free_distance(crumbs, k, u, crumbs[k].radius);
        crumbs[k].offset = vec3_scale(distance, u);
        centre = vec3_add_scaled(centre, radius[k] * radius[k] * radius[k], crumbs[k].offset);
    }
    tumble(of, count, crumbs);
    bool surface = vec3_dot(of->outward, of->outward) > 0.0;
    for (int k = 0; k < count; ++k) {
        crumbs[k].offset = vec3_sub(crumbs[k].offset, centre);
        crumbs[k].outer = surface && (count == 1 || vec3_dot(crumbs[k].offset, of->outward) > 0.0);
        crumbs[k].rotation = rotation_of(of, k, crumbs[k].outer);
    }
}

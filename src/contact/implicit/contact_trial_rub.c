// Friction of velocities after a step of normal springs: [IBDEM25] (34), (35).
#include "base/error.h"
#include "base/memory.h"
#include "contact/implicit/contact_trial_state.h"
#include "laws/contact/velocity_friction.h"

void sherd_contact_trial_use_springs_only(sherd_contact_trial *trial, bool only)
{
    trial->springs_only = only;
}

// Sums of changes over the contacts of an element.
typedef struct changes {
    sherd_vec3 v, w;
} changes;

typedef struct side {
    sherd_vec3 v, w;
} side;

static side side_of_element(const sherd_points *e, sherd_element_index k)
{
    return (side){sherd_point_velocity(e, k), sherd_point_spin(e, k)};
}

// Obstacles have their velocity at the end of the step.
static side side_of_obstacle(const sherd_contact_trial *t, int32_t obstacle, sherd_vec3 at)
{
    const sherd_obstacle *o = &t->obstacles[obstacle];
    return (side){sherd_obstacle_velocity(o, at), o->spin};
}

static void rub(const sherd_points *e, sherd_element_index k, const sherd_trial_record *r,
                const side *own, const side *other, double dt, bool as_printed, changes *sum)
{
    double force = r->potential.force, radius = sherd_point_radius(e, k);
    double lever = as_printed ? radius * radius * radius : radius;
    sherd_vec3 relative = vec3_sub(own->v, other->v), n = r->now.normal;
    sherd_vec3 tangential = vec3_add_scaled(relative, -vec3_dot(relative, n), n);
    sum->v = vec3_add(sum->v,
                      sherd_sliding_change(r->rubs, force, dt, sherd_point_mass(e, k), tangential));
    sum->w =
        vec3_add(sum->w, sherd_rolling_change(r->rolls, force, lever, dt, sherd_point_inertia(e, k),
                                              vec3_sub(own->w, other->w)));
}

static void add_contact(const sherd_contact_trial *t, const sherd_points *e,
                        const sherd_trial_record *r, bool as_printed, changes *sums)
{
    if (!(r->potential.force > 0.0) || r->body_contact >= 0) return;
    side i = side_of_element(e, r->i);
    side j = r->j >= 0 ? side_of_element(e, r->j)
                       : side_of_obstacle(t, r->obstacle,
                                          vec3_add(sherd_point_position(e, r->i), r->now.arm_i));
    rub(e, r->i, r, &i, &j, t->dt, as_printed, &sums[r->i]);
    if (r->j >= 0) rub(e, r->j, r, &j, &i, t->dt, as_printed, &sums[r->j]);
}

static double kinetic(const sherd_points *e, sherd_element_index k)
{
    side s = side_of_element(e, k);
    return 0.5 * (sherd_point_mass(e, k) * vec3_dot(s.v, s.v) +
                  sherd_point_inertia(e, k) * vec3_dot(s.w, s.w));
}

// Returns the kinetic energy that the element loses. Held elements keep their velocities.
static double change(sherd_points *e, sherd_element_index k, const changes *sum)
{
    if (sherd_point_is_held(e, k)) return 0.0;
    double before = kinetic(e, k);
    side s = side_of_element(e, k);
    s.v = vec3_add(s.v, sherd_along_velocity(s.v, sum->v));
    if ((e->held[k] & SHERD_HELD_TURN) == 0) s.w = vec3_add(s.w, sherd_along_velocity(s.w, sum->w));
    e->vx[k] = s.v.x, e->vy[k] = s.v.y, e->vz[k] = s.v.z;
    e->wx[k] = s.w.x, e->wy[k] = s.w.y, e->wz[k] = s.w.z;
    return before - kinetic(e, k);
}

sherd_status sherd_contact_trial_rub(sherd_contact_trial *trial, sherd_points *points,
                                     bool as_printed, sherd_error *error)
{
    if (trial->active_count == 0) return SHERD_OK;
    changes *sums = sherd_alloc((size_t)points->count, sizeof *sums);
    if (sums == NULL) return sherd_fail_memory(error, "friction of velocities");
    for (size_t a = 0; a < trial->active_count; ++a)
        add_contact(trial, points, &trial->records[trial->active[a]], as_printed, sums);
    double lost = 0.0;
    for (sherd_element_index k = 0; k < points->count; ++k)
        lost += change(points, k, &sums[k]);
    sherd_free(sums);
    trial->contacts->slid += lost;
    return SHERD_OK;
}

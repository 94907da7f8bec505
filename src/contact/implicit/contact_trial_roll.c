// Rolling friction within one implicit step, as friction (contact_trial_law.h): a potential of the angle
// rolled, limited by the lagged normal force.
//
//   y = P (theta_n + phi_i - phi_j)       phi: rotation vectors of the step
//   1/2 k |y|^2 while k |y| <= mu_r R N, mu_r R N |y| - (mu_r R N)^2 / 2 k beyond
#include "base/error.h"
#include "base/memory.h"
#include "contact/implicit/contact_trial_state.h"

bool sherd_trial_reserve_rolls(sherd_contact_trial *trial)
{
    if (!trial->contacts->rolling.used || trial->springs_only) {
        sherd_free(trial->rolls); // it may have been used before
        trial->rolls = NULL, trial->roll_capacity = 0;
        return true;
    }
    return sherd_grow((void **)&trial->rolls, &trial->roll_capacity, trial->record_count + 1,
                      sizeof *trial->rolls);
}

static sherd_rolling_law law_of(const sherd_contact_trial *t, const sherd_points *e,
                                const sherd_trial_record *r)
{
    const sherd_contacts *c = t->contacts;
    if (r->body_contact >= 0 || r->slides) return (sherd_rolling_law){.stiffness = 0.0};
    int material = sherd_point_material(e, r->i);
    double radius = sherd_point_radius(e, r->i);
    if (r->j < 0)
        return sherd_rolling_face_law(&c->obstacles[r->obstacle].pairings[material], radius);
    return sherd_rolling_pair_law(
        &c->pairings[material * c->material_count + sherd_point_material(e, r->j)], radius,
        sherd_point_radius(e, r->j));
}

void sherd_trial_start_roll(const sherd_contact_trial *trial, const sherd_points *points,
                            sherd_trial_record *r)
{
    sherd_trial_roll *roll = sherd_trial_roll_of(trial, r);
    *roll = (sherd_trial_roll){.law = law_of(trial, points, r)};
    if (!(roll->law.arm > 0.0)) return;
    const sherd_rolling *rolling = &trial->contacts->rolling;
    const sherd_rolling_group *group = r->j >= 0 ? &rolling->groups[sherd_pair_block_of(r->i)]
                                                 : sherd_rolling_of_obstacle(rolling, r->obstacle);
    const sherd_rolling_history *was = sherd_rolling_find(group, r->i, r->j, r->lagged.normal);
    if (was != NULL)
        roll->spring = sherd_rolling_carried(was->spring, was->normal, r->lagged.normal, 0.0);
}

static sherd_vec3 onto_plane(sherd_vec3 n, sherd_vec3 a)
{
    return vec3_add_scaled(a, -vec3_dot(a, n), n);
}

void sherd_trial_roll_on(const sherd_contact_trial *trial, sherd_trial_record *r,
                         const sherd_trial_motion *i, const sherd_trial_motion *j, bool turns_j)
{
    const sherd_vec3 none = {0.0, 0.0, 0.0};
    sherd_trial_roll *roll = sherd_trial_roll_of(trial, r);
    double cap = roll->law.arm * r->normal_force;
    roll->turned = vec3_sub(i->rotation, j->rotation);
    roll->stretch = onto_plane(r->lagged.normal, vec3_add(roll->spring, roll->turned));
    roll->slip = (contact_slip){.energy = 0.0};
    if (cap > 0.0) roll->slip = contact_limited(roll->law.stiffness, cap, roll->stretch);
    sherd_vec3 couple = roll->slip.gradient; // on j
    r->torque_i = vec3_sub(r->torque_i, contact_rotated_torque(i->rotation, couple));
    r->torque_j =
        vec3_add(r->torque_j, contact_rotated_torque(turns_j ? j->rotation : none, couple));
}

// ---------------------------------------------------------------- tangents

// As that of friction: sherd_trial_slip_of.
sherd_trial_tangent sherd_trial_roll_tangent(const sherd_trial_record *r,
                                             const sherd_trial_roll *roll, bool above_all)
{
    sherd_vec3 axis = vec3_normalize(roll->stretch);
    if (vec3_dot(axis, axis) == 0.0) axis = vec3_perpendicular(r->lagged.normal);
    bool above = (r->dangling || above_all) && roll->slip.slides != 0;
    return (sherd_trial_tangent){axis, vec3_cross(r->lagged.normal, axis),
                                 above ? roll->slip.across : roll->slip.along, roll->slip.across};
}

static sherd_contact_spring spring_at(const sherd_contact_spring *of_contact, sherd_vec3 n,
                                      sherd_vec3 arm, double k)
{
    sherd_contact_spring s = {.i = of_contact->i, .j = of_contact->j};
    const float a[3] = {(float)arm.x, (float)arm.y, (float)arm.z};
    for (int c = 0; c < 3; ++c) {
        s.arm_i[c] = of_contact->arm_i[c] + a[c];
        s.arm_j[c] = of_contact->arm_j[c] + a[c];
    }
    const double stiffness[6] = {n.x * n.x, n.y * n.y, n.z * n.z, n.x * n.y, n.x * n.z, n.y * n.z};
    for (int c = 0; c < 6; ++c)
        s.stiffness[c] = k * stiffness[c];
    return s;
}

void sherd_trial_roll_springs(const sherd_contact_trial *trial, const sherd_points *points,
                              const sherd_trial_record *r, const sherd_contact_spring *of_contact,
                              sherd_contact_spring springs[SHERD_TRIAL_ROLL_SPRINGS])
{
    // Along the normal four of them resist at most 4 (2/7) / (2 LONG^2) = 6e-5 of the contact's stiffness.
    static const double LONG = 100.0; // radii
    const sherd_trial_roll *roll = sherd_trial_roll_of(trial, r);
    for (int s = 0; s < SHERD_TRIAL_ROLL_SPRINGS; ++s)
        springs[s] = (sherd_contact_spring){.i = of_contact->i, .j = of_contact->j};
    if (!(roll->slip.across > 0.0)) return;
    sherd_trial_tangent tangent = sherd_trial_roll_tangent(r, roll, trial->slides_held);
    sherd_vec3 n = r->lagged.normal;
    double length = LONG * sherd_point_radius(points, r->i), each = 0.5 / (length * length);
    const sherd_vec3 axis[2] = {tangent.along_axis, tangent.across_axis};
    const double k[2] = {tangent.along, tangent.across};
    for (int a = 0; a < 2; ++a) {
        sherd_vec3 arm = vec3_scale(length, vec3_cross(n, axis[a]));
        springs[2 * a] = spring_at(of_contact, n, arm, each * k[a]);
        springs[2 * a + 1] = spring_at(of_contact, n, vec3_scale(-1.0, arm), each * k[a]);
    }
}

// ---------------------------------------------------------------- acceptance

static sherd_vec3 spring_after(const sherd_trial_roll *roll)
{
    return vec3_scale(1.0 / roll->law.stiffness, roll->slip.gradient);
}

void sherd_trial_roll_energy(const sherd_contact_trial *trial, const sherd_trial_record *r,
                             double *stored, double *slid)
{
    const sherd_trial_roll *roll = sherd_trial_roll_of(trial, r);
    if (!(roll->law.arm > 0.0)) return;
    double k = roll->law.stiffness, before = sherd_rolling_energy(k, roll->spring);
    if (!(r->pressed > 0.0)) {
        *slid += before;
        return;
    }
    double after = sherd_rolling_energy(k, spring_after(roll));
    *stored += after;
    if (roll->slip.slides || !(r->normal_force > 0.0))
        *slid +=
            fmax(0.0, before - after +
                          vec3_dot(roll->slip.gradient, vec3_sub(roll->stretch, roll->spring)));
}

// Explicit contact continues from the normal at the end.
static sherd_rolling_contact contact_after(const sherd_trial_record *r,
                                           const sherd_trial_roll *roll)
{
    sherd_vec3 from = r->lagged.normal, to = r->now.normal;
    return (sherd_rolling_contact){
        .i = r->i,
        .j = r->j,
        .history = {to, sherd_rolling_carried(spring_after(roll), from, to, 0.0),
                    sherd_rolling_carried(vec3_scale(-1.0, roll->slip.gradient), from, to, 0.0)}};
}

// Active records are in the order of the lists.
sherd_status sherd_trial_accept_rolls(sherd_contact_trial *t, sherd_error *error)
{
    sherd_rolling *rolling = &t->contacts->rolling;
    if (!rolling->used) return SHERD_OK;
    for (int32_t g = 0; g < rolling->block_count + rolling->obstacle_count; ++g)
        rolling->groups[g].last.count = 0;
    for (size_t a = 0; a < t->active_count && t->rolls != NULL; ++a) {
        const sherd_trial_record *r = &t->records[t->active[a]];
        const sherd_trial_roll *roll = sherd_trial_roll_of(t, r);
        if (!(r->pressed > 0.0) || !(roll->law.arm > 0.0)) continue;
        sherd_rolling_group *group = r->j >= 0 ? &rolling->groups[sherd_pair_block_of(r->i)]
                                               : sherd_rolling_of_obstacle(rolling, r->obstacle);
        sherd_rolling_contact contact = contact_after(r, roll);
        if (!sherd_rolling_push(&group->last, &contact))
            return sherd_fail_memory(error, "rolling friction");
    }
    return SHERD_OK;
}

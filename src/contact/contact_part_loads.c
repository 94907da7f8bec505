// Sums over parts of contacts: poses of obstacles, loads on them, energies.
#include "contact/contact_part.h"

#include "base/assertion.h"
#include "contact/contact_part_state.h"
#include "math/vec3.h"

static void copy_pose(sherd_obstacle *to, const sherd_obstacle *from)
{
    sherd_vec3 force = to->force, torque = to->torque;
    sherd_obstacle_copy_pose(to, from);
    to->force = vec3_add(force, from->force);
    to->torque = vec3_add(torque, from->torque);
}

static void sum_obstacles(sherd_contacts *whole, const sherd_contact_part *part)
{
    for (int o = 0, at = 0; o < whole->obstacle_count; ++o) {
        if (sherd_contact_part_lacks(&whole->obstacles[o], &part->members)) continue;
        copy_pose(&whole->obstacles[o], &part->contacts->obstacles[at++]);
    }
}

// ---------------------------------------------------------------- mean loads over several steps

void sherd_contacts_note_loads(sherd_contacts *part, double weight)
{
    SHERD_ASSERT(weight >= 0.0, "time advances");
    bool first = part->noted == 0.0;
    part->noted += weight;
    for (int o = 0; o < part->obstacle_count; ++o) {
        sherd_obstacle *at = &part->obstacles[o];
        at->noted_force = vec3_add_scaled(at->noted_force, weight, at->mean_force);
        at->noted_torque = vec3_add_scaled(at->noted_torque, weight, at->mean_torque);
        if (first) at->noted_range = sherd_load_range_empty();
        sherd_load_range_add(&at->noted_range, (sherd_load){at->mean_force, at->mean_torque},
                             &at->swing);
    }
}

void sherd_contacts_forget_loads(sherd_contacts *part)
{
    part->noted = 0.0;
    for (int o = 0; o < part->obstacle_count; ++o)
        part->obstacles[o].noted_force = part->obstacles[o].noted_torque = vec3(0.0, 0.0, 0.0);
}

// Mean of all recorded loads, and the deviations from it.
static sherd_load noted_mean(const sherd_contacts *part, const sherd_obstacle *at,
                             sherd_load_swing *swing)
{
    double scale = part->noted > 0.0 ? 1.0 / part->noted : 0.0;
    sherd_load mean = {vec3_scale(scale, at->noted_force), vec3_scale(scale, at->noted_torque)};
    *swing =
        part->noted > 0.0 ? sherd_load_range_swing(&at->noted_range, mean) : (sherd_load_swing){0};
    return mean;
}

static void add_mean_loads(sherd_contacts *whole, const sherd_contact_part *parts, int count)
{
    for (int p = 0; p < count; ++p) {
        sherd_contacts *part = parts[p].contacts;
        for (int o = 0, at = 0; o < whole->obstacle_count; ++o) {
            sherd_obstacle *to = &whole->obstacles[o];
            if (sherd_contact_part_lacks(to, &parts[p].members)) continue;
            sherd_load_swing swing;
            sherd_load mean = noted_mean(part, &part->obstacles[at++], &swing);
            to->mean_force = vec3_add(to->mean_force, mean.force);
            to->mean_torque = vec3_add(to->mean_torque, mean.torque);
            sherd_load_swing_widen(&to->swing, &swing);
        }
        sherd_contacts_forget_loads(part);
    }
}

void sherd_contacts_mean_loads(sherd_contacts *whole, const sherd_contact_part *parts, int count)
{
    for (int o = 0; o < whole->obstacle_count; ++o) {
        whole->obstacles[o].mean_force = whole->obstacles[o].mean_torque = vec3(0.0, 0.0, 0.0);
        whole->obstacles[o].swing = (sherd_load_swing){0};
    }
    add_mean_loads(whole, parts, count);
}

void sherd_contacts_add_mean_loads(sherd_contacts *whole, const sherd_contact_part *parts,
                                   int count)
{
    for (int o = 0; o < whole->obstacle_count; ++o) {
        sherd_obstacle *at = &whole->obstacles[o];
        sherd_load mean = noted_mean(whole, at, &at->swing);
        at->mean_force = mean.force, at->mean_torque = mean.torque;
    }
    sherd_contacts_forget_loads(whole);
    add_mean_loads(whole, parts, count);
}

// ---------------------------------------------------------------- accounts

static void move_account(double *to, double *from)
{
    *to += *from;
    *from = 0.0;
}

void sherd_contacts_sum_parts(sherd_contacts *whole, const sherd_contact_part *parts, int count)
{
    for (int o = 0; o < whole->obstacle_count; ++o)
        whole->obstacles[o].force = whole->obstacles[o].torque = vec3(0.0, 0.0, 0.0);
    whole->stored = whole->pending = 0.0;
    whole->touching = 0;
    sherd_contacts_add_parts(whole, parts, count);
}

void sherd_contacts_add_parts(sherd_contacts *whole, const sherd_contact_part *parts, int count)
{
    for (int p = 0; p < count; ++p) {
        sherd_contacts *part = parts[p].contacts;
        sum_obstacles(whole, &parts[p]);
        whole->stored += part->stored;
        whole->pending += part->pending;
        whole->touching += part->touching;
        move_account(&whole->damped, &part->damped);
        move_account(&whole->slid, &part->slid);
        move_account(&whole->onset, &part->onset);
        move_account(&whole->work, &part->work);
    }
}

// ---------------------------------------------------------------- free bodies

// `radius` is the largest distance from the frame's origin; the distance from the centre of mass is
// less than twice that.
static double fastest_point(const sherd_obstacle *o)
{
    return vec3_length(o->body.velocity) +
           2.0 * o->radius * vec3_length(sherd_rigid_body_spin(&o->body));
}

int sherd_contacts_bound_bodies(const sherd_contacts *c, sherd_body_bound *bounds, int max_count)
{
    int count = 0;
    for (int o = 0; o < c->obstacle_count && count < max_count; ++o) {
        const sherd_obstacle *at = &c->obstacles[o];
        if (at->kind != SHERD_OBSTACLE_FREE) continue;
        bounds[count++] = (sherd_body_bound){at->pose.position, at->radius, fastest_point(at)};
    }
    return count;
}

double sherd_contacts_fastest_body(const sherd_contacts *c)
{
    double fastest = 0.0;
    for (int o = 0; o < c->obstacle_count; ++o)
        if (c->obstacles[o].kind == SHERD_OBSTACLE_FREE)
            fastest = fmax(fastest, fastest_point(&c->obstacles[o]));
    return fastest;
}

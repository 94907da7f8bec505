// Creates the contact system and its obstacles; queries of loads, energies, counts and the bound of
// the stiffness. The step itself is in contact_step.c.
#include "contact/contact_system.h"

#include "base/assertion.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "bodies/obstacle_def.h"
#include "contact/explicit/obstacle_distances.h"
#include "laws/law_tables.h"
#include "math/vec3.h"

#include <string.h>

static sherd_status check_potential(const sherd_contact_def *def, int m, sherd_error *error)
{
    const sherd_contact_material *at = &def->materials[m];
    if ((unsigned)at->potential >= SHERD_CONTACT_POTENTIAL_COUNT ||
        at->potential != def->materials[0].potential)
        return sherd_fail(error, SHERD_ERROR_INPUT, "materials", "give all the same potential",
                          "material %d has contact potential %d, the first %d of %d", m,
                          (int)at->potential, (int)def->materials[0].potential,
                          (int)SHERD_CONTACT_POTENTIAL_COUNT);
    if (at->width != def->materials[0].width || at->walled != def->materials[0].walled ||
        at->barrier_limit != def->materials[0].barrier_limit ||
        (at->potential == SHERD_CONTACT_BARRIER && !(at->width > 0.0 && isfinite(at->width))))
        return sherd_fail(error, SHERD_ERROR_INPUT, "materials", "give all the same width",
                          "material %d has a barrier of %g m, the first of %g m", m, at->width,
                          def->materials[0].width);
    if (!(at->poissons_ratio >= 0.0 && at->poissons_ratio <= 0.5))
        return sherd_fail(error, SHERD_ERROR_INPUT, "materials", NULL,
                          "material %d needs a Poisson's ratio of 0 to 0.5, got %g", m,
                          at->poissons_ratio);
    return SHERD_OK;
}

static sherd_status check_def(const sherd_contact_def *def, sherd_error *error)
{
    if (!(def->skin > 0.0 && isfinite(def->skin)))
        return sherd_fail(error, SHERD_ERROR_INPUT, "contact_skin", NULL, "must be > 0, got %g m",
                          def->skin);
    if (def->material_count < 1 || def->materials == NULL)
        return sherd_fail(error, SHERD_ERROR_INPUT, "materials", "add a material first",
                          "contacts need at least one material");
    for (int m = 0; m < def->material_count; ++m) {
        const sherd_contact_material *at = &def->materials[m];
        if (!(at->youngs_modulus > 0.0 && isfinite(at->youngs_modulus)) ||
            !(at->friction >= 0.0 && isfinite(at->friction)) ||
            !(at->rolling_friction >= 0.0 && isfinite(at->rolling_friction)) ||
            !(at->restitution > 0.0 && at->restitution <= 1.0))
            return sherd_fail(error, SHERD_ERROR_INPUT, "materials", NULL,
                              "material %d needs E > 0, friction and rolling friction >= 0, "
                              "restitution in (0, 1]; got %g Pa, %g, %g, %g",
                              m, at->youngs_modulus, at->friction, at->rolling_friction,
                              at->restitution);
        sherd_status status = check_potential(def, m, error);
        if (status != SHERD_OK) return status;
    }
    return SHERD_OK;
}

sherd_contacts *sherd_contacts_create(const sherd_contact_def *def, sherd_error *error)
{
    if (check_def(def, error) != SHERD_OK) return NULL;
    size_t m = (size_t)def->material_count;
    sherd_contacts *contacts = sherd_alloc(1, sizeof *contacts);
    if (contacts != NULL) {
        contacts->materials = sherd_alloc(m, sizeof *contacts->materials);
        contacts->pairings = sherd_alloc(m * m, sizeof *contacts->pairings);
    }
    if (contacts == NULL || contacts->materials == NULL || contacts->pairings == NULL) {
        sherd_contacts_destroy(contacts);
        sherd_fail_memory(error, "contacts");
        return NULL;
    }
    contacts->material_count = def->material_count;
    contacts->skin = def->skin;
    contacts->parallel = def->parallel;
    contacts->fresh = true;
    memcpy(contacts->materials, def->materials, m * sizeof *contacts->materials);
    for (size_t a = 0; a < m; ++a)
        for (size_t b = 0; b < m; ++b)
            contacts->pairings[a * m + b] =
                sherd_contact_pairing_of(&def->materials[a], &def->materials[b]);
    return contacts;
}

void sherd_contacts_set_faces(sherd_contacts *contacts, const sherd_crack_faces *faces)
{
    contacts->faces = faces->start != NULL ? faces : NULL;
}

void sherd_contacts_destroy(sherd_contacts *contacts)
{
    if (contacts == NULL) return;
    for (int o = 0; o < contacts->obstacle_count; ++o)
        sherd_obstacle_free(&contacts->obstacles[o]);
    for (int b = 0; b < contacts->body_contact_count; ++b)
        sherd_body_contact_free(&contacts->body_contacts[b]);
    sherd_pair_search_free(&contacts->search);
    sherd_pair_list_free(&contacts->list);
    sherd_verlet_skin_free(&contacts->margins);
    sherd_displacement_free(&contacts->tracker);
    sherd_contact_count_free(&contacts->counts);
    sherd_pair_workspace_free(&contacts->workspace);
    sherd_rolling_free(&contacts->rolling);
    void *arrays[] = {contacts->materials,     contacts->pairings,      contacts->obstacles,
                      contacts->body_contacts, contacts->search_x,      contacts->search_y,
                      contacts->search_z,      contacts->broken,        contacts->late,
                      contacts->reach,         contacts->obstacle_sums, contacts};
    for (size_t a = 0; a < sizeof arrays / sizeof arrays[0]; ++a)
        sherd_free(arrays[a]);
}

int sherd_contacts_add_obstacle(sherd_contacts *contacts, const sherd_obstacle_def *def,
                                sherd_error *error)
{
    if (contacts->begun) {
        sherd_fail(error, SHERD_ERROR_INPUT, "obstacle", "add everything before the first step",
                   "can't be added to a running simulation");
        return -1;
    }
    if (sherd_obstacle_def_check(def, error) != SHERD_OK) return -1;
    if (!sherd_grow((void **)&contacts->obstacles, &contacts->obstacle_capacity,
                    (size_t)contacts->obstacle_count + 1, sizeof *contacts->obstacles)) {
        sherd_fail_memory(error, "obstacles");
        return -1;
    }
    sherd_obstacle *obstacle = &contacts->obstacles[contacts->obstacle_count];
    if (sherd_obstacle_init(obstacle, def, contacts->materials, contacts->material_count, error) !=
        SHERD_OK)
        return -1;
    return contacts->obstacle_count++;
}

void sherd_contacts_scale_mass(sherd_contacts *contacts, double factor)
{
    SHERD_ASSERT(!contacts->begun && factor > 0.0, "masses are scaled before contacts begin");
    for (int k = 0; k < contacts->obstacle_count; ++k) {
        sherd_rigid_body *body = &contacts->obstacles[k].body;
        body->properties.mass *= factor;
        body->properties.inertia = vec3_scale(factor, body->properties.inertia);
        body->angular_momentum = vec3_scale(factor, body->angular_momentum);
    }
}

int sherd_contacts_obstacle_count(const sherd_contacts *contacts)
{
    return contacts->obstacle_count;
}

const char *sherd_contacts_obstacle_name(const sherd_contacts *contacts, int obstacle)
{
    return contacts->obstacles[obstacle].name;
}

sherd_pose sherd_contacts_obstacle_pose(const sherd_contacts *contacts, int obstacle)
{
    return contacts->obstacles[obstacle].pose;
}

static uint64_t hash_body(uint64_t hash, const sherd_rigid_body *b)
{
    const double motion[] = {b->centre.x,          b->centre.y,           b->centre.z,
                             b->rotation.x,        b->rotation.y,         b->rotation.z,
                             b->rotation.w,        b->velocity.x,         b->velocity.y,
                             b->velocity.z,        b->angular_momentum.x, b->angular_momentum.y,
                             b->angular_momentum.z};
    return sherd_hash_bytes(hash, motion, sizeof motion);
}

uint64_t sherd_contacts_hash_bodies(const sherd_contacts *contacts, uint64_t hash)
{
    for (int k = 0; k < contacts->obstacle_count; ++k)
        if (contacts->obstacles[k].kind == SHERD_OBSTACLE_FREE)
            hash = hash_body(hash, &contacts->obstacles[k].body);
    return hash;
}

void sherd_contacts_obstacle_load(const sherd_contacts *contacts, int obstacle, sherd_vec3 *force,
                                  sherd_vec3 *torque)
{
    *force = contacts->obstacles[obstacle].force;
    *torque = contacts->obstacles[obstacle].torque;
}

sherd_load sherd_contacts_obstacle_mean_load(const sherd_contacts *contacts, int obstacle,
                                             sherd_load_swing *swing)
{
    const sherd_obstacle *at = &contacts->obstacles[obstacle];
    *swing = at->swing;
    return (sherd_load){at->mean_force, at->mean_torque};
}

void sherd_contacts_bonds_broke(sherd_contacts *contacts, const sherd_element_index *i,
                                const sherd_element_index *j, int64_t count)
{
    if (count <= 0) return;
    if (!sherd_grow((void **)&contacts->broken, &contacts->broken_capacity,
                    contacts->broken_count + (size_t)count, sizeof *contacts->broken)) {
        contacts->broken_failed = true; // the next prepare reports it
        return;
    }
    for (int64_t b = 0; b < count; ++b)
        contacts->broken[contacts->broken_count++] =
            i[b] < j[b] ? (sherd_pair){i[b], j[b]} : (sherd_pair){j[b], i[b]};
}

void sherd_contacts_bonds_restored(sherd_contacts *contacts, int64_t count)
{
    SHERD_ASSERT(count >= 0, "the number of restored bonds is not negative");
    size_t last = (size_t)count;
    contacts->broken_count -= last < contacts->broken_count ? last : contacts->broken_count;
}

double sherd_contacts_kick_energy(const sherd_contacts *contacts, double dt, sherd_vec3 gravity)
{
    double sum = 0.0;
    for (int o = 0; o < contacts->obstacle_count; ++o)
        sum += sherd_obstacle_kick_energy(&contacts->obstacles[o], dt, gravity);
    return sum;
}

sherd_contact_energy sherd_contacts_energy(const sherd_contacts *contacts, sherd_vec3 gravity)
{
    sherd_contact_energy energy = {
        .stored = contacts->stored,
        .dissipated_damping = contacts->damped,
        .dissipated_friction = contacts->slid,
        .onset = contacts->onset - contacts->pending,
        .work = contacts->work,
    };
    for (int o = 0; o < contacts->obstacle_count; ++o) {
        if (contacts->obstacles[o].kind != SHERD_OBSTACLE_FREE) continue;
        const sherd_rigid_body *body = &contacts->obstacles[o].body;
        double mass = body->properties.mass;
        sherd_vec3 momentum = vec3_scale(mass, body->velocity);
        energy.rigid_kinetic += sherd_rigid_body_kinetic_energy(body);
        energy.rigid_gravity -= mass * vec3_dot(gravity, vec3_sub(body->centre, body->start));
        energy.rigid_momentum = vec3_add(energy.rigid_momentum, momentum);
        energy.rigid_angular_momentum =
            vec3_add(energy.rigid_angular_momentum,
                     vec3_add(vec3_cross(body->centre, momentum), body->angular_momentum));
    }
    return energy;
}

// Upper bound of E_eff of a material with any other.
static double largest_modulus(const sherd_contacts *contacts, int m)
{
    double modulus = 0.0;
    for (int other = 0; other < contacts->material_count; ++other)
        modulus = fmax(modulus, contacts->pairings[m * contacts->material_count + other].modulus);
    return modulus;
}

// Of free bodies without elements beside them: the bound at which no point's stiffness has to be limited for a face of
// half of them (explicit/body_contact.c, point_stiffness).
static double eigenvalue_of_bodies(const sherd_contacts *contacts)
{
    double largest = 0.0, modulus = sherd_contacts_body_law(contacts).material->youngs_modulus;
    for (int o = 0; o < contacts->obstacle_count; ++o) {
        const sherd_obstacle *body = &contacts->obstacles[o];
        if (body->kind != SHERD_OBSTACLE_FREE) continue;
        double k = modulus * M_PI * 0.25 * body->surface_spacing;
        largest = fmax(largest, 3.5 * (double)body->point_count / body->body.properties.mass * k);
    }
    return largest;
}

// For linear springs, then for stiffer potentials. A dense packing of equal elements has 16 k_r / m
// like a bonded crystal ([IBDEM25] after (27)), and less in rotation where contacts stick
// (stepping/explicit/time_step.c). One face of an obstacle has 2 k_r, which is less.
double sherd_contacts_max_eigenvalue(const sherd_contacts *contacts, const sherd_points *points)
{
    double largest = points->count == 0 ? eigenvalue_of_bodies(contacts) : 0.0, stiffest = 0.0;
    for (int m = 0; m < contacts->material_count; ++m) {
        double ratio = 0.0, radius = 0.0;
        for (sherd_element_index k = 0; k < points->count; ++k) {
            if (sherd_point_material(points, k) != m) continue;
            ratio = fmax(ratio, sherd_point_radius(points, k) / sherd_point_mass(points, k));
            radius = fmax(radius, sherd_point_radius(points, k));
        }
        largest = fmax(largest, 16.0 * largest_modulus(contacts, m) * M_PI * 0.5 * ratio);
        stiffest = fmax(stiffest, sherd_contact_modulus(&contacts->materials[m]) * M_PI * radius);
    }
    // A light free body supported by a few elements: four contacts, and 3.5 for its rotation.
    for (int o = 0; o < contacts->obstacle_count; ++o)
        if (contacts->obstacles[o].kind == SHERD_OBSTACLE_FREE)
            largest = fmax(largest, 14.0 * stiffest / contacts->obstacles[o].body.properties.mass);
    return sherd_contact_potential_describe(contacts->pairings->potential)->stiffest * largest;
}

int64_t sherd_contacts_candidate_count(const sherd_contacts *contacts)
{
    size_t count = (size_t)sherd_pair_list_count(&contacts->list);
    for (int o = 0; o < contacts->obstacle_count; ++o)
        count += contacts->obstacles[o].contacts.count;
    return (int64_t)count;
}

int64_t sherd_contacts_active_count(const sherd_contacts *contacts)
{
    return contacts->touching;
}

size_t sherd_contacts_bytes(const sherd_contacts *contacts)
{
    size_t bytes =
        sizeof *contacts + sherd_pair_search_bytes(&contacts->search) +
        sherd_pair_list_bytes(&contacts->list) + sherd_pair_workspace_bytes(&contacts->workspace) +
        7 * sizeof(double) * (size_t)contacts->element_count + // seen, margins
        2 * (size_t)contacts->element_count +                  // counts
        (contacts->reach != NULL ? sizeof(double) * (size_t)contacts->element_count : 0) +
        contacts->late_capacity * sizeof *contacts->late +
        contacts->obstacle_sums_capacity * sizeof *contacts->obstacle_sums +
        sherd_rolling_bytes(&contacts->rolling);
    for (int o = 0; o < contacts->obstacle_count; ++o) {
        const sherd_obstacle *at = &contacts->obstacles[o];
        bytes += sizeof *at + sherd_obstacle_watch_bytes(&at->watch) +
                 3 * sizeof(double) * (size_t)at->point_count +
                 at->contacts.capacity *
                     (sizeof(sherd_element_index) + sizeof(sherd_obstacle_history) + 1);
        if (at->contacts.patch != NULL)
            bytes += at->contacts.count / (size_t)at->location_count * sizeof *at->contacts.patch;
        if (at->contacts.watched != NULL)
            bytes += at->contacts.count * sizeof *at->contacts.watched;
    }
    for (int b = 0; b < contacts->body_contact_count; ++b)
        bytes += (size_t)contacts->body_contacts[b].point_count *
                 (sizeof(sherd_obstacle_history) + 2 * sizeof(double) + sizeof(sherd_vec3) + 1);
    return bytes;
}

// ---------------------------------------------------------------- contacts per element

static void count_pairs(sherd_contacts *c)
{
    for (sherd_pair_cursor at = {0}; sherd_pair_list_next(&c->list, &at);) {
        if (!sherd_pair_touches(&c->list, &at)) continue;
        sherd_contact_count_add(&c->counts.last[at.pair.i], 1);
        sherd_contact_count_add(&c->counts.last[at.pair.j], 1);
    }
}

static void count_near(sherd_contacts *c, sherd_obstacle *o)
{
    o->touching = 0;
    for (size_t k = 0; k < o->contacts.count; ++k) {
        if (!(o->contacts.state[k] & SHERD_PAIR_TOUCHES)) continue;
        sherd_contact_count_add(&c->counts.last[o->contacts.element[k]], 1);
        ++o->touching;
    }
}

void sherd_contacts_recount(sherd_contacts *contacts)
{
    if (!contacts->begun) return;
    memset(contacts->counts.last, 0, (size_t)contacts->element_count);
    count_pairs(contacts);
    for (int o = 0; o < contacts->obstacle_count; ++o)
        count_near(contacts, &contacts->obstacles[o]);
}

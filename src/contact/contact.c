// The contact system: when to search, what to evaluate, and the energy account.
#include "contact/contact.h"

#include "base/error.h"
#include "base/memory.h"
#include "contact/body_contact.h"
#include "contact/contact_system.h"
#include "contact/obstacle_contact.h"
#include "math/quat.h"

#include <string.h>

enum { MOTION_CHUNK = 4096 };

// ---------------------------------------------------------------- life

static sherd_status make_pairings(sherd_contacts *c, sherd_error *error)
{
    size_t n = (size_t)c->material_count;
    c->pairings = sherd_alloc(n * n, sizeof *c->pairings);
    if (c->pairings == NULL) return sherd_fail_memory(error, "contact materials");
    for (size_t a = 0; a < n; ++a)
        for (size_t b = 0; b < n; ++b)
            c->pairings[a * n + b] = sherd_contact_pairing_of(&c->materials[a], &c->materials[b]);
    return SHERD_OK;
}

sherd_contacts *sherd_contacts_create(const sherd_contact_def *def, sherd_error *error)
{
    sherd_contacts *c = sherd_alloc(1, sizeof *c);
    if (c == NULL) {
        sherd_fail_memory(error, "contacts");
        return NULL;
    }
    size_t bytes = (size_t)def->material_count * sizeof *def->materials;
    c->material_count = def->material_count;
    c->skin = def->skin;
    c->parallel = def->parallel;
    c->materials = sherd_alloc(bytes, 1);
    if (c->materials == NULL) {
        sherd_fail_memory(error, "contact materials");
        sherd_contacts_destroy(c);
        return NULL;
    }
    memcpy(c->materials, def->materials, bytes);
    for (int m = 0; m < c->material_count; ++m)
        c->largest_modulus = fmax(c->largest_modulus, c->materials[m].youngs_modulus);
    if (make_pairings(c, error) != SHERD_OK) {
        sherd_contacts_destroy(c);
        return NULL;
    }
    return c;
}

void sherd_contacts_destroy(sherd_contacts *c)
{
    if (c == NULL) return;
    for (int k = 0; k < c->obstacle_count; ++k)
        sherd_obstacle_free(&c->obstacles[k]);
    sherd_free(c->obstacles);
    sherd_free(c->materials);
    sherd_free(c->pairings);
    sherd_free(c->reference);
    sherd_free(c->chunk_sums);
    sherd_free(c->motion_chunks);
    sherd_free(c->broken);
    sherd_pair_search_free(&c->search);
    sherd_pair_list_free(&c->pairs);
    sherd_free(c);
}

int sherd_contacts_add_obstacle(sherd_contacts *c, const sherd_obstacle_def *def,
                                sherd_error *error)
{
    if (!sherd_grow((void **)&c->obstacles, &c->obstacle_capacity, (size_t)c->obstacle_count + 1,
                    sizeof *c->obstacles)) {
        sherd_fail_memory(error, "obstacles");
        return -1;
    }
    sherd_obstacle *obstacle = &c->obstacles[c->obstacle_count];
    if (sherd_obstacle_init(obstacle, def, c->materials, c->material_count, error) != SHERD_OK)
        return -1;
    return c->obstacle_count++;
}

int sherd_contacts_obstacle_count(const sherd_contacts *c)
{
    return c->obstacle_count;
}

sherd_pose sherd_contacts_obstacle_pose(const sherd_contacts *c, int obstacle)
{
    return c->obstacles[obstacle].pose;
}

void sherd_contacts_obstacle_load(const sherd_contacts *c, int obstacle, sherd_vec3 *force,
                                  sherd_vec3 *torque)
{
    *force = c->obstacles[obstacle].force;
    *torque = c->obstacles[obstacle].torque;
}

// ---------------------------------------------------------------- moving

// The way any point of the obstacle went at most. A plane that turns has no bound.
static double obstacle_way(const sherd_obstacle *o, sherd_pose before)
{
    double shift = vec3_distance(o->pose.position, before.position);
    double turn = vec3_length(
        quat_to_rotation_vector(quat_multiply(o->pose.rotation, quat_conjugate(before.rotation))));
    return turn > 0.0 ? shift + turn * o->radius : shift;
}

void sherd_contacts_move_obstacles(sherd_contacts *c, double time, double dt, sherd_vec3 gravity)
{
    c->step_dt = dt;
    for (int k = 0; k < c->obstacle_count; ++k) {
        sherd_obstacle *o = &c->obstacles[k];
        sherd_pose before = o->pose;
        c->accounts.work += sherd_obstacle_move(o, time, dt, gravity);
        if (o->kind != SHERD_OBSTACLE_FIXED) o->travel += obstacle_way(o, before);
    }
}

void sherd_contacts_bonds_broke(sherd_contacts *c, const sherd_element_index *i,
                                const sherd_element_index *j, int64_t count)
{
    if (!sherd_grow((void **)&c->broken, &c->broken_capacity, c->broken_count + (size_t)count,
                    sizeof *c->broken)) {
        c->out_of_memory = true; // reported by the next prepare
        return;
    }
    for (int64_t k = 0; k < count; ++k)
        c->broken[c->broken_count++] =
            (sherd_pair){i[k] < j[k] ? i[k] : j[k], i[k] < j[k] ? j[k] : i[k]};
}

// ---------------------------------------------------------------- searching

typedef struct motion_scan {
    sherd_contacts *c;
    const sherd_elements *e;
    sherd_vec3 mean; // displacement common to all [m]
} motion_scan;

static sherd_vec3 displacement(const motion_scan *scan, size_t k)
{
    const double *reference = scan->c->reference + 3 * k;
    return vec3(scan->e->px[k] - reference[0], scan->e->py[k] - reference[1],
                scan->e->pz[k] - reference[2]);
}

static void scan_mean(void *context, size_t begin, size_t end)
{
    const motion_scan *scan = context;
    sherd_motion_chunk *chunk = &scan->c->motion_chunks[begin / MOTION_CHUNK];
    *chunk = (sherd_motion_chunk){0};
    for (size_t k = begin; k < end; ++k) {
        sherd_vec3 v = vec3(scan->e->vx[k], scan->e->vy[k], scan->e->vz[k]);
        chunk->sum = vec3_add(chunk->sum, displacement(scan, k));
        chunk->speed2 = fmax(chunk->speed2, vec3_dot(v, v));
    }
}

static void scan_spread(void *context, size_t begin, size_t end)
{
    const motion_scan *scan = context;
    double spread2 = 0.0;
    for (size_t k = begin; k < end; ++k) {
        sherd_vec3 d = vec3_sub(displacement(scan, k), scan->mean);
        spread2 = fmax(spread2, vec3_dot(d, d));
    }
    scan->c->motion_chunks[begin / MOTION_CHUNK].spread2 = spread2;
}

// Largest displacement since the last search after taking out the common one (a pair can't have
// come closer by more than twice that), and the largest speed.
static void scan_motion(sherd_contacts *c, const sherd_elements *e, double *spread, double *speed)
{
    motion_scan scan = {c, e, {0.0, 0.0, 0.0}};
    size_t n = (size_t)e->count, chunks = (n + MOTION_CHUNK - 1) / MOTION_CHUNK;
    sherd_parallel_for(&c->parallel, n, MOTION_CHUNK, scan_mean, &scan);
    double speed2 = 0.0, spread2 = 0.0;
    for (size_t k = 0; k < chunks; ++k) {
        scan.mean = vec3_add_scaled(scan.mean, 1.0 / (double)n, c->motion_chunks[k].sum);
        speed2 = fmax(speed2, c->motion_chunks[k].speed2);
    }
    sherd_parallel_for(&c->parallel, n, MOTION_CHUNK, scan_spread, &scan);
    for (size_t k = 0; k < chunks; ++k)
        spread2 = fmax(spread2, c->motion_chunks[k].spread2);
    *spread = sqrt(spread2);
    *speed = sqrt(speed2);
}

static sherd_status allocate_for(sherd_contacts *c, const sherd_elements *e, sherd_error *error)
{
    size_t n = (size_t)e->count;
    c->reference = sherd_alloc(3 * n, sizeof *c->reference);
    c->motion_chunks = sherd_alloc(n / MOTION_CHUNK + 1, sizeof *c->motion_chunks);
    if (c->reference == NULL || c->motion_chunks == NULL)
        return sherd_fail_memory(error, "contact search");
    c->element_count = e->count;
    return SHERD_OK;
}

static double pair_overlap(const sherd_elements *e, sherd_pair pair)
{
    return e->radius[pair.i] + e->radius[pair.j] -
           vec3_distance(sherd_element_position(e, pair.i), sherd_element_position(e, pair.j));
}

static void take_overlap_as_rest(sherd_pair_list *list, size_t at, const sherd_elements *e)
{
    double overlap = pair_overlap(e, list->pairs[at]);
    if (!(overlap > 0.0)) return;
    list->history[at].rest_overlap = overlap;
    list->state[at] |= SHERD_PAIR_REMEMBERS;
}

static sherd_status search_pairs(sherd_contacts *c, const sherd_elements *e,
                                 const sherd_bond_adjacency *bonds, sherd_error *error)
{
    sherd_status status = sherd_pair_search_run(&c->search, e, bonds, c->skin, &c->parallel, error);
    if (status == SHERD_OK) status = sherd_pair_list_replace(&c->pairs, &c->search.found, error);
    if (status != SHERD_OK) return status;
    for (sherd_element_index k = 0; k < e->count; ++k) {
        double *reference = c->reference + 3 * (size_t)k;
        reference[0] = e->px[k], reference[1] = e->py[k], reference[2] = e->pz[k];
    }
    if (!c->searched)
        for (size_t k = 0; k < c->pairs.count; ++k)
            take_overlap_as_rest(&c->pairs, k, e);
    return SHERD_OK;
}

// Pairs whose bond broke since the last prepare. They were bonded at every search so far, so they
// are not in the list yet.
static sherd_status adopt_broken(sherd_contacts *c, const sherd_elements *e, sherd_error *error)
{
    if (c->out_of_memory) return sherd_fail_memory(error, "contacts of broken bonds");
    for (size_t k = 0; k < c->broken_count; ++k) {
        sherd_status status = sherd_pair_list_append(&c->pairs, c->broken[k], error);
        if (status != SHERD_OK) return status;
        take_overlap_as_rest(&c->pairs, c->pairs.count - 1, e);
    }
    c->broken_count = 0;
    return SHERD_OK;
}

static sherd_status prepare_sums(sherd_contacts *c, sherd_error *error)
{
    size_t chunks = sherd_pair_chunks(&c->pairs);
    if (c->chunk_sums != NULL && chunks <= c->chunk_capacity) return SHERD_OK;
    if (!sherd_grow((void **)&c->chunk_sums, &c->chunk_capacity, chunks + 1, sizeof *c->chunk_sums))
        return sherd_fail_memory(error, "contact sums");
    return SHERD_OK;
}

sherd_status sherd_contacts_prepare(sherd_contacts *c, const sherd_elements *e,
                                    const sherd_bond_adjacency *bonds, sherd_error *error)
{
    sherd_status status = c->reference == NULL ? allocate_for(c, e, error) : SHERD_OK;
    if (status != SHERD_OK) return status;
    double spread, speed;
    scan_motion(c, e, &spread, &speed);
    status = adopt_broken(c, e, error);
    // Not "spread > ...": a position that is not a number must not reach the search.
    if (status == SHERD_OK && !isfinite(spread + speed))
        return sherd_fail(error, SHERD_ERROR_UNSTABLE, "contact", "use a smaller time step",
                          "an element's position or velocity is not a number");
    if (status == SHERD_OK && (!c->searched || spread > 0.5 * c->skin))
        status = search_pairs(c, e, bonds, error);
    double way = c->step_dt * speed;
    for (int k = 0; k < c->obstacle_count && status == SHERD_OK; ++k)
        status = sherd_obstacle_search(&c->obstacles[k], e, way, c->skin, !c->searched, error);
    if (status == SHERD_OK) status = sherd_pair_prepare_scatter(&c->pairs, e->count, error);
    if (status == SHERD_OK) status = prepare_sums(c, error);
    if (status == SHERD_OK) c->searched = true;
    return status;
}

// ---------------------------------------------------------------- forces

static void book(sherd_contacts *c, sherd_contact_sums sums)
{
    c->accounts.stored += sums.stored;
    c->accounts.damped += sums.damped;
    c->accounts.slid += sums.slid;
    c->touching += sums.touching;
}

static void apply_bodies(sherd_contacts *c, double dt)
{
    for (int k = 0; k < c->obstacle_count; ++k) {
        if (c->obstacles[k].kind != SHERD_OBSTACLE_FREE) continue;
        for (int m = 0; m < c->obstacle_count; ++m)
            if (m != k)
                book(c, sherd_body_contact(&c->obstacles[k], &c->obstacles[m], c->largest_modulus,
                                           dt));
    }
}

void sherd_contacts_apply(sherd_contacts *c, sherd_elements *elements, double dt,
                          sherd_vec3 gravity)
{
    c->accounts.stored = 0.0;
    c->touching = 0;
    sherd_pair_job job = {&c->pairs, elements,      c->pairings, c->material_count,
                          dt,        c->chunk_sums, &c->parallel};
    sherd_contact_sums sums = sherd_pair_evaluate(&job);
    sherd_pair_scatter(&job, sums.touching);
    book(c, sums);
    for (int k = 0; k < c->obstacle_count; ++k)
        book(c, sherd_obstacle_apply(&c->obstacles[k], elements, dt, &c->parallel));
    apply_bodies(c, dt);
    for (int k = 0; k < c->obstacle_count; ++k)
        c->accounts.work += sherd_obstacle_finish(&c->obstacles[k], dt, gravity);
}

// ---------------------------------------------------------------- accounts

static void add_body(const sherd_obstacle *o, sherd_vec3 gravity, sherd_contact_energy *energy)
{
    const sherd_rigid_body *body = &o->body;
    double m = body->properties.mass;
    sherd_vec3 p = vec3_scale(m, body->velocity);
    energy->rigid_kinetic += sherd_rigid_body_kinetic_energy(body);
    energy->rigid_gravity -= m * vec3_dot(gravity, vec3_sub(body->centre, body->start));
    energy->rigid_momentum = vec3_add(energy->rigid_momentum, p);
    energy->rigid_angular_momentum =
        vec3_add(energy->rigid_angular_momentum,
                 vec3_add(body->angular_momentum, vec3_cross(body->centre, p)));
}

sherd_contact_energy sherd_contacts_energy(const sherd_contacts *c, sherd_vec3 gravity)
{
    sherd_contact_energy energy = {
        .stored = c->accounts.stored,
        .dissipated_damping = c->accounts.damped,
        .dissipated_friction = c->accounts.slid,
        .work = c->accounts.work,
    };
    for (int k = 0; k < c->obstacle_count; ++k)
        if (c->obstacles[k].kind == SHERD_OBSTACLE_FREE)
            add_body(&c->obstacles[k], gravity, &energy);
    return energy;
}

// A dense pile of equals: lambda = 16 k / m ([IBDEM25] after (27)), with the stiffest partner.
double sherd_contacts_max_eigenvalue(const sherd_contacts *c, const sherd_elements *e)
{
    double worst = 0.0;
    for (sherd_element_index k = 0; k < e->count; ++k) {
        double modulus = 0.0;
        for (int m = 0; m < c->material_count; ++m)
            modulus = fmax(modulus, c->pairings[e->material[k] * c->material_count + m].modulus);
        worst = fmax(worst, 16.0 * modulus * 0.5 * M_PI * e->radius[k] / e->mass[k]);
    }
    return worst;
}

int64_t sherd_contacts_candidate_count(const sherd_contacts *c)
{
    int64_t count = (int64_t)c->pairs.count;
    for (int k = 0; k < c->obstacle_count; ++k)
        count += (int64_t)c->obstacles[k].contacts.count;
    return count;
}

int64_t sherd_contacts_active_count(const sherd_contacts *c)
{
    return c->touching;
}

size_t sherd_contacts_bytes(const sherd_contacts *c)
{
    size_t bytes = sherd_pair_search_bytes(&c->search) + sherd_pair_list_bytes(&c->pairs);
    bytes += (size_t)c->element_count * 3 * sizeof(double);
    for (int k = 0; k < c->obstacle_count; ++k)
        bytes += (size_t)c->element_count * sizeof(double) +
                 c->obstacles[k].contacts.capacity *
                     (sizeof(sherd_contact_history) + sizeof(sherd_element_index) + 1);
    return bytes;
}

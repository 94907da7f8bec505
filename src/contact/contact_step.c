// One force evaluation: move obstacles, search for neighbours if necessary, add forces.
//
// Pairs of elements are searched for when verlet_skin.h requires it. Elements near an obstacle are
// searched for again when the largest displacement relative to it since the last search (a bounding
// box) may exceed the smallest distance of the elements not listed. For a body that falls from far
// above this distance is large.
#include "base/assertion.h"
#include "base/error.h"
#include "base/memory.h"
#include "contact/contact_system.h"
#include "contact/explicit/obstacle_distances.h"
#include "contact/explicit/pair_build.h"
#include "contact/explicit/pair_crack_faces.h"
#include "contact/neighbor_update.h"

#include <string.h>

enum { CHUNK = 4096 };

// Contacts are sorted by body, then by the other obstacle.
static int reverse_of(const sherd_contacts *contacts, const sherd_body_contact *contact)
{
    int at = 0;
    if (contacts->obstacles[contact->other].kind != SHERD_OBSTACLE_FREE) return -1;
    while (contacts->body_contacts[at].body != contact->other)
        at += contacts->obstacle_count - 1;
    return at + contact->body - (contact->body > contact->other);
}

static sherd_status begin_body_contacts(sherd_contacts *contacts, sherd_error *error)
{
    int free_count = 0;
    for (int o = 0; o < contacts->obstacle_count; ++o)
        free_count += contacts->obstacles[o].kind == SHERD_OBSTACLE_FREE;
    size_t max_count = (size_t)free_count * (size_t)contacts->obstacle_count;
    contacts->body_contacts = sherd_alloc(max_count, sizeof *contacts->body_contacts);
    if (contacts->body_contacts == NULL) return sherd_fail_memory(error, "contact of free bodies");
    for (int o = 0; o < contacts->obstacle_count && free_count > 0; ++o) {
        sherd_status status = sherd_obstacle_measure_thickness(&contacts->obstacles[o], error);
        if (status != SHERD_OK) return status;
    }
    for (int a = 0; a < contacts->obstacle_count; ++a) {
        if (contacts->obstacles[a].kind != SHERD_OBSTACLE_FREE) continue;
        for (int b = 0; b < contacts->obstacle_count; ++b) {
            if (a == b) continue;
            sherd_body_contact *at = &contacts->body_contacts[contacts->body_contact_count];
            sherd_status status = sherd_body_contact_init(at, contacts->obstacles, a, b, error);
            if (status != SHERD_OK) return status;
            ++contacts->body_contact_count;
        }
    }
    for (int k = 0; k < contacts->body_contact_count; ++k)
        contacts->body_contacts[k].reverse = reverse_of(contacts, &contacts->body_contacts[k]);
    return SHERD_OK;
}

sherd_status sherd_contacts_begin(sherd_contacts *contacts, sherd_element_index element_count,
                                  sherd_error *error)
{
    if (contacts->begun) {
        if (contacts->element_count == element_count) return SHERD_OK;
        return sherd_fail(error, SHERD_ERROR_INPUT, "elements", NULL,
                          "contacts were begun with %d elements, now there are %d",
                          (int)contacts->element_count, (int)element_count);
    }
    size_t n = (size_t)element_count;
    double **seen[] = {&contacts->search_x, &contacts->search_y, &contacts->search_z};
    for (int a = 0; a < 3; ++a) {
        sherd_free(*seen[a]); // from an earlier attempt that ran out of memory
        *seen[a] = sherd_alloc(n, sizeof **seen[a]);
        if (*seen[a] == NULL) return sherd_fail_memory(error, "contact search");
    }
    sherd_status status =
        sherd_obstacle_watches_begin(contacts->obstacles, contacts->obstacle_count, n, error);
    if (status == SHERD_OK)
        status = sherd_verlet_skin_init(&contacts->margins, element_count, error);
    if (status == SHERD_OK)
        status = sherd_contact_count_init(&contacts->counts, element_count, error);
    if (status == SHERD_OK) status = begin_body_contacts(contacts, error);
    if (status == SHERD_OK) status = sherd_rolling_begin(contacts, element_count, error);
    if (status != SHERD_OK) return status;
    contacts->element_count = element_count;
    contacts->begun = true;
    return SHERD_OK;
}

void sherd_contacts_move_obstacles(sherd_contacts *contacts, double time, double dt,
                                   sherd_vec3 gravity)
{
    SHERD_ASSERT(dt >= 0.0 && isfinite(time), "time advances");
    contacts->margins.dt = dt;
    contacts->margins.elapsed += dt;
    for (int o = 0; o < contacts->obstacle_count; ++o)
        contacts->work += sherd_obstacle_move(&contacts->obstacles[o], time, dt, gravity);
}

// ---------------------------------------------------------------- neighbour search

typedef struct seeing_job {
    const sherd_contacts *contacts;
    const sherd_points *points;
} seeing_job;

static void remember_position(void *context, size_t begin, size_t end)
{
    const seeing_job *job = context;
    for (size_t k = begin; k < end; ++k) {
        job->contacts->search_x[k] = job->points->px[k];
        job->contacts->search_y[k] = job->points->py[k];
        job->contacts->search_z[k] = job->points->pz[k];
    }
}

static sherd_status search_obstacles(sherd_contacts *contacts, const sherd_points *points,
                                     const sherd_displacements *since, sherd_error *error)
{
    for (int o = 0; o < contacts->obstacle_count; ++o) {
        sherd_status status =
            sherd_obstacle_search(&contacts->obstacles[o], points, since, contacts->skin,
                                  contacts->fresh, &contacts->parallel, error);
        if (status != SHERD_OK) return status;
    }
    return SHERD_OK;
}

static sherd_pair_source pair_source(const sherd_contacts *contacts, const sherd_points *e)
{
    return (sherd_pair_source){contacts->element_count, e, contacts->margins.margin,
                               contacts->fresh, &contacts->parallel};
}

static bool some_sleep(const sherd_contacts *contacts)
{
    return contacts->sleepers != NULL && contacts->sleepers->count > 0;
}

const double *sherd_contacts_search_margins(sherd_contacts *contacts, const sherd_points *points)
{
    return sherd_crack_margins(contacts->faces, points, contacts->margins.margin, &contacts->reach);
}

static sherd_status search_pairs(sherd_contacts *contacts, const sherd_points *points,
                                 const sherd_bond_adjacency *bonds, sherd_error *error)
{
    sherd_verlet_skin_renew(&contacts->margins, points, contacts->skin, &contacts->parallel);
    sherd_status status = SHERD_OK;
    if (some_sleep(contacts)) status = sherd_isolate(contacts, points, error);
    if (status != SHERD_OK) return status;
    const double *margin = sherd_contacts_search_margins(contacts, points);
    if (margin == NULL) return sherd_fail_memory(error, "contact search");
    status = sherd_pair_search_run(&contacts->search, points, bonds, margin, contacts->skin,
                                   &contacts->parallel, error);
    if (status != SHERD_OK) return status;
    sherd_pair_source source = pair_source(contacts, points);
    status = sherd_pair_list_replace(&contacts->list, &contacts->search, &source, error);
    if (status != SHERD_OK) return status;
    contacts->searched = contacts->lists_changed = true;
    return SHERD_OK;
}

static bool obstacles_need_search(sherd_contacts *contacts, const sherd_displacements *since)
{
    bool need = contacts->fresh;
    for (int o = 0; o < contacts->obstacle_count; ++o)
        need |= sherd_obstacle_needs_search(&contacts->obstacles[o], since);
    return need;
}

static sherd_displacements displacements_of(const sherd_contacts *contacts, sherd_bounds range)
{
    return (sherd_displacements){contacts->search_x, contacts->search_y, contacts->search_z, range,
                                 contacts->search_bounds};
}

sherd_vec3 sherd_contacts_drift(const sherd_contacts *contacts)
{
    return contacts->margins.drift;
}

void sherd_contacts_moved(sherd_contacts *contacts, const sherd_contact_moves *moves)
{
    contacts->tracker.moves = *moves;
}

// Widens `range` by the displacements of sleepers. True if one may have an element beyond its
// margin.
static bool bound_sleepers(const sherd_contacts *contacts, sherd_bounds *range)
{
    bool beyond = false;
    for (int32_t s = 0; contacts->sleepers != NULL && s < contacts->sleepers->count; ++s)
        beyond |= sherd_contacts_bound_sleeper(contacts, &contacts->sleepers->list[s], range);
    return beyond;
}

// True if obstacles must be searched again; sleepers are represented by their bounds.
static bool obstacles_may_need_search(sherd_contacts *contacts)
{
    sherd_bounds range = sherd_displacement_range(&contacts->tracker);
    bound_sleepers(contacts, &range);
    sherd_displacements since = displacements_of(contacts, range);
    return obstacles_need_search(contacts, &since);
}

// Updates everything that depends on the positions at the last search for obstacles.
static sherd_status renew_obstacles(sherd_contacts *contacts, const sherd_points *points,
                                    sherd_error *error)
{
    const sherd_displacement_tracker *d = &contacts->tracker;
    sherd_displacements since = displacements_of(contacts, sherd_displacement_range(d));
    sherd_status status = search_obstacles(contacts, points, &since, error);
    if (status != SHERD_OK) return status;
    contacts->search_bounds = sherd_displacement_positions(d);
    contacts->lists_changed = true;
    seeing_job job = {contacts, points};
    sherd_parallel_for(&contacts->parallel, (size_t)points->count, CHUNK, remember_position, &job);
    return SHERD_OK;
}

// Lists pairs again if an element may be beyond its margin: those of a few elements, or all if
// `*pairs` is set.
static sherd_status renew_pairs(sherd_contacts *contacts, const sherd_points *points,
                                const sherd_bond_adjacency *bonds, bool *pairs, sherd_error *error)
{
    sherd_displacement_tracker *d = &contacts->tracker;
    sherd_bounds unused = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    *pairs = !contacts->searched || sherd_contacts_list_is_old(contacts);
    if (*pairs || !(sherd_displacement_beyond(d) || bound_sleepers(contacts, &unused)))
        return SHERD_OK;
    bool few;
    sherd_status status = sherd_contacts_renew_few(contacts, points, bonds, &few, error);
    *pairs = !few;
    for (size_t l = 0; few && l < contacts->late_count; ++l)
        sherd_displacement_forget_element(d, contacts->late[l]);
    return status;
}

// Searches for pairs, obstacles or both, with sleepers at their true positions.
static sherd_status search(sherd_contacts *contacts, const sherd_points *points,
                           const sherd_bond_adjacency *bonds, bool pairs, bool obstacles,
                           sherd_error *error)
{
    bool sleepers = some_sleep(contacts);
    sherd_status status = SHERD_OK;
    if (sleepers) {
        contacts->sleepers->update_poses(contacts->sleepers->context);
        status = sherd_displacement_measure_all(contacts, points, error);
        sherd_displacements since =
            displacements_of(contacts, sherd_displacement_range(&contacts->tracker));
        obstacles = obstacles_need_search(contacts, &since);
    }
    if (status == SHERD_OK && pairs) status = search_pairs(contacts, points, bonds, error);
    if (status == SHERD_OK && obstacles) status = renew_obstacles(contacts, points, error);
    // A new list has new margins, and obstacles a new reference.
    sherd_displacement_forget(&contacts->tracker);
    for (int32_t s = 0; sleepers && status == SHERD_OK && s < contacts->sleepers->count; ++s)
        sherd_contacts_see_sleeper(contacts, points, &contacts->sleepers->list[s]);
    return status;
}

static sherd_status search_if_needed(sherd_contacts *contacts, const sherd_points *points,
                                     const sherd_bond_adjacency *bonds, sherd_error *error)
{
    bool sleepers = some_sleep(contacts), pairs;
    sherd_status status = sherd_displacement_advance(contacts, error);
    if (status == SHERD_OK)
        status = sherd_displacement_measure_due(contacts, points, sleepers, error);
    if (status == SHERD_OK) status = renew_pairs(contacts, points, bonds, &pairs, error);
    if (status != SHERD_OK) return status;
    bool obstacles = obstacles_may_need_search(contacts);
    if (obstacles) {
        status = sherd_displacement_measure_moved(contacts, points, sleepers, error);
        if (status != SHERD_OK) return status;
        obstacles = obstacles_may_need_search(contacts);
    }
    return pairs || obstacles ? search(contacts, points, bonds, pairs, obstacles, error) : SHERD_OK;
}

// True if a pair whose bond broke becomes a contact: no other bond joins it, and both ends can meet
// within their margins. Otherwise the next search finds it.
static bool becomes_contact(const sherd_contacts *contacts, const sherd_points *points,
                            const sherd_bond_adjacency *bonds, sherd_pair pair)
{
    if (pair.i < 0 || pair.j >= contacts->element_count || pair.i == pair.j) return false;
    if (sherd_point_is_held(points, pair.i) && sherd_point_is_held(points, pair.j)) return false;
    if (sherd_pair_is_bonded(bonds, pair.i, pair.j)) return false;
    const double *margin = contacts->margins.margin;
    double radii = sherd_point_radius(points, pair.i) + sherd_point_radius(points, pair.j);
    double far = radii + 2.0 * (margin[pair.i] + margin[pair.j]);
    if (contacts->faces != NULL) far += SHERD_CRACK_EXTRA * radii;
    return vec3_distance(sherd_point_position(points, pair.i),
                         sherd_point_position(points, pair.j)) <= far;
}

static sherd_status add_broken(sherd_contacts *contacts, const sherd_points *points,
                               const sherd_bond_adjacency *bonds, sherd_error *error)
{
    if (contacts->broken_failed) return sherd_fail_memory(error, "broken bonds");
    size_t near = 0;
    for (size_t b = 0; b < contacts->broken_count; ++b) {
        sherd_pair pair = contacts->broken[b];
        if (!becomes_contact(contacts, points, bonds, pair)) continue;
        contacts->broken[near++] = pair;
        if (points->asleep[pair.i] || points->asleep[pair.j]) contacts->lists_changed = true;
    }
    contacts->broken_count = 0;
    if (near == 0) return SHERD_OK;
    sherd_pair_source source = pair_source(contacts, points);
    source.at_rest_overlap = true;
    return sherd_pair_list_add(&contacts->list, contacts->broken, near, &source, error);
}

static sherd_status reserve_sums(sherd_contacts *contacts, sherd_error *error)
{
    size_t obstacle_chunks = 0;
    if (contacts->rolling.failed) return sherd_fail_memory(error, "rolling friction");
    for (int o = 0; o < contacts->obstacle_count; ++o) {
        size_t chunks = sherd_obstacle_chunks(&contacts->obstacles[o]);
        if (chunks > obstacle_chunks) obstacle_chunks = chunks;
    }
    if (!sherd_grow((void **)&contacts->obstacle_sums, &contacts->obstacle_sums_capacity,
                    obstacle_chunks, sizeof *contacts->obstacle_sums))
        return sherd_fail_memory(error, "contacts");
    return sherd_pair_workspace_prepare(&contacts->workspace, &contacts->list, &contacts->parallel,
                                        error);
}

sherd_status sherd_contacts_prepare(sherd_contacts *contacts, const sherd_points *points,
                                    const sherd_bond_adjacency *bonds, sherd_error *error)
{
    if (!contacts->begun) {
        sherd_status begun = sherd_contacts_begin(contacts, points->count, error);
        if (begun != SHERD_OK) return begun;
        contacts->element_eigenvalue = sherd_contacts_max_eigenvalue(contacts, points);
    }
    contacts->bonded = bonds != NULL;
    if (bonds != NULL) contacts->bonds = *bonds;
    sherd_status status = sherd_contacts_begin(contacts, points->count, error);
    if (status == SHERD_OK) status = search_if_needed(contacts, points, bonds, error);
    if (status == SHERD_OK) status = add_broken(contacts, points, bonds, error);
    if (status == SHERD_OK) status = reserve_sums(contacts, error);
    return status;
}

// ---------------------------------------------------------------- forces

static void add_pairs(sherd_contacts *contacts, sherd_points *points, double dt,
                      sherd_contact_sums *sums)
{
    sherd_pair_slides slides =
        sherd_pair_slides_of(contacts->faces, contacts->bonded ? &contacts->bonds : NULL);
    sherd_pair_job job = {.list = &contacts->list,
                          .points = points,
                          .law = {contacts->pairings, contacts->material_count, dt,
                                  contacts->counts, contacts->faces != NULL ? &slides : NULL},
                          .kernel = contacts->kernel,
                          .scratch = contacts->workspace.scratch,
                          .parallel = &contacts->parallel};
    sherd_contact_sums pairs = sherd_pair_apply(&job);
    contact_sums_add(sums, &pairs);
}

sherd_body_contact_law sherd_contacts_body_law(const sherd_contacts *contacts)
{
    const sherd_contact_material *stiffest = &contacts->materials[0];
    for (int m = 1; m < contacts->material_count; ++m)
        if (contacts->materials[m].youngs_modulus > stiffest->youngs_modulus)
            stiffest = &contacts->materials[m];
    return (sherd_body_contact_law){stiffest, contacts->element_eigenvalue};
}

double sherd_contacts_fastest_rebound(const sherd_contacts *contacts)
{
    double fastest = 0.0;
    if (contacts->body_contact_count == 0) return fastest;
    sherd_body_contact_law law = sherd_contacts_body_law(contacts);
    for (int b = 0; b < contacts->body_contact_count; ++b) {
        const sherd_body_contact *at = &contacts->body_contacts[b];
        if (at->touching == 0) continue;
        sherd_contact_law point = sherd_body_contact_point_law(at, contacts->obstacles, &law);
        fastest = fmax(fastest, sherd_contact_restitution(point.damping_ratio) *
                                    sherd_body_contact_speed(at, contacts->obstacles, &law));
    }
    return fastest;
}

// Two free bodies press on each other with the points of both; their contact is created once.
static void add_bodies(sherd_contacts *contacts, double dt, sherd_contact_sums *sums)
{
    sherd_body_contact_law law = sherd_contacts_body_law(contacts);
    sherd_body_contact *list = contacts->body_contacts;
    for (int b = 0; b < contacts->body_contact_count; ++b)
        sherd_body_contact_find_overlaps(&list[b], contacts->obstacles, contacts->fresh);
    for (int b = 0; b < contacts->body_contact_count; ++b) {
        int back = list[b].reverse;
        if ((back >= 0 && back < b) || !(list[b].looked || (back >= 0 && list[back].looked)))
            continue;
        sherd_contact_sums bodies = sherd_body_contact_apply(
            &list[b], back >= 0 ? &list[back] : NULL, contacts->obstacles, &law, dt);
        contact_sums_add(sums, &bodies);
    }
}

void sherd_contacts_apply(sherd_contacts *contacts, sherd_points *points, double dt,
                          sherd_vec3 gravity)
{
    SHERD_ASSERT(contacts->begun && dt >= 0.0, "contacts have begun before they are applied");
    sherd_contact_sums sums = {0};
    for (int o = 0; o < contacts->obstacle_count; ++o)
        contacts->obstacles[o].force = contacts->obstacles[o].torque = vec3(0.0, 0.0, 0.0);
    add_pairs(contacts, points, dt, &sums);
    for (int o = 0; o < contacts->obstacle_count; ++o) {
        sherd_contact_sums near =
            sherd_obstacle_apply(&contacts->obstacles[o], points, dt, &contacts->counts,
                                 contacts->obstacle_sums, &contacts->parallel);
        contact_sums_add(&sums, &near);
    }
    sherd_contact_count_finish(&contacts->counts);
    sherd_rolling_apply(contacts, points, dt, &sums);
    add_bodies(contacts, dt, &sums);
    for (int o = 0; o < contacts->obstacle_count; ++o) {
        sherd_obstacle *at = &contacts->obstacles[o];
        contacts->work += sherd_obstacle_finish(at, dt, gravity);
        at->mean_force = at->force, at->mean_torque = at->torque;
        at->swing = (sherd_load_swing){0};
    }
    contacts->stored = sums.stored;
    contacts->damped += sums.damped;
    contacts->slid += sums.slid;
    contacts->onset += sums.onset;
    contacts->pending = sums.pending;
    contacts->touching = sums.touching;
    contacts->fresh = false;
}

// Creation of trials; beginning and abandoning steps.
#include "contact/implicit/contact_trial.h"

#include "base/error.h"
#include "base/memory.h"
#include "contact/implicit/contact_trial_state.h"

#include <string.h>

// ---------------------------------------------------------------- creation

static bool allocate(sherd_contact_trial *t)
{
    size_t obstacles = (size_t)t->obstacle_count;
    t->obstacles = sherd_alloc(obstacles, sizeof *t->obstacles);
    t->bodies = sherd_alloc(obstacles, sizeof *t->bodies);
    t->body_of = sherd_alloc(obstacles, sizeof *t->body_of);
    t->sides = sherd_alloc(obstacles, sizeof *t->sides);
    t->loads = sherd_alloc(obstacles, sizeof *t->loads);
    t->mean_loads = sherd_alloc(obstacles, sizeof *t->mean_loads);
    t->rotation_reach = sherd_alloc(obstacles, sizeof *t->rotation_reach);
    return t->obstacles != NULL && t->bodies != NULL && t->body_of != NULL && t->sides != NULL &&
           t->loads != NULL && t->mean_loads != NULL && t->rotation_reach != NULL;
}

// A trial owns its lists of elements near obstacles; everything else belongs to the contacts.
static sherd_obstacle image_of(const sherd_obstacle *obstacle)
{
    sherd_obstacle image = *obstacle;
    image.watch = (sherd_obstacle_watch){0};
    image.contacts = (sherd_obstacle_contacts){.count = 0};
    image.reference = image.pose;
    image.moved = 0.0;
    image.min_slack = -INFINITY; // not searched yet
    return image;
}

sherd_contact_trial *sherd_contact_trial_create(sherd_contacts *contacts, sherd_error *error)
{
    sherd_contact_trial *trial = sherd_alloc(1, sizeof *trial);
    if (trial != NULL) {
        trial->contacts = contacts;
        trial->obstacle_count = contacts->obstacle_count;
    }
    if (trial == NULL || !allocate(trial)) {
        sherd_contact_trial_destroy(trial);
        sherd_fail_memory(error, "implicit contact");
        return NULL;
    }
    for (int o = 0; o < trial->obstacle_count; ++o) {
        trial->obstacles[o] = image_of(&contacts->obstacles[o]);
        bool is_free = trial->obstacles[o].kind == SHERD_OBSTACLE_FREE;
        trial->body_of[o] = is_free ? trial->body_count : -1;
        if (is_free) trial->bodies[trial->body_count++] = o;
    }
    if (!sherd_trial_number_locations(trial)) {
        sherd_contact_trial_destroy(trial);
        sherd_fail_memory(error, "implicit contact");
        return NULL;
    }
    return trial;
}

void sherd_contact_trial_destroy(sherd_contact_trial *t)
{
    if (t == NULL) return;
    for (int o = 0; t->obstacles != NULL && o < t->obstacle_count; ++o) {
        sherd_obstacle_watch_free(&t->obstacles[o].watch);
        sherd_obstacle_contacts_free(&t->obstacles[o].contacts);
    }
    for (int b = 0; t->point_record != NULL && b < t->body_contact_count; ++b)
        sherd_free(t->point_record[b]);
    sherd_trial_search_free(t);
    for (int a = 0; a < SHERD_TRIAL_COLUMNS; ++a)
        sherd_free(t->start[a]);
    sherd_pair_histories_free(&t->histories);
    void *arrays[] = {t->obstacles,
                      t->bodies,
                      t->body_of,
                      t->sides,
                      t->loads,
                      t->mean_loads,
                      t->path,
                      t->active,
                      t->point_record,
                      t->records,
                      t->springs,
                      t->near,
                      t->near_start,
                      t->near_sorted,
                      t->first_location,
                      t->obstacle_of,
                      t->rotation_reach,
                      t->rolls,
                      t};
    for (size_t a = 0; a < sizeof arrays / sizeof arrays[0]; ++a)
        sherd_free(arrays[a]);
}

int sherd_contact_trial_body_count(const sherd_contact_trial *trial)
{
    return trial->body_count;
}

const sherd_rigid_body *sherd_contact_trial_body_start(const sherd_contact_trial *trial, int body)
{
    return &trial->contacts->obstacles[trial->bodies[body]].body;
}

sherd_rigid_body *sherd_contact_trial_body(sherd_contact_trial *trial, int body)
{
    return &trial->obstacles[trial->bodies[body]].body;
}

// Obstacles store torques about their poses.
void sherd_contact_trial_body_start_load(const sherd_contact_trial *trial, int body,
                                         sherd_vec3 *force, sherd_vec3 *torque)
{
    const sherd_obstacle *o = &trial->contacts->obstacles[trial->bodies[body]];
    sherd_vec3 arm = vec3_sub(o->body.centre, o->pose.position);
    *force = o->force;
    *torque = vec3_sub(o->torque, vec3_cross(arm, o->force));
}

size_t sherd_contact_trial_bytes(const sherd_contact_trial *t)
{
    size_t bytes =
        sizeof *t + sherd_trial_search_bytes(t) +
        SHERD_TRIAL_COLUMNS * (size_t)t->count * sizeof(double) +
        t->record_capacity * sizeof *t->records + t->roll_capacity * sizeof *t->rolls +
        t->active_capacity * sizeof *t->active + t->spring_capacity * sizeof *t->springs +
        t->near_capacity * sizeof *t->near + t->near_sorted_capacity * sizeof *t->near_sorted +
        t->near_start_capacity * sizeof *t->near_start + sherd_pair_histories_bytes(&t->histories);
    bytes += (size_t)t->obstacle_count *
             (sizeof *t->obstacles + sizeof *t->sides + 2 * sizeof *t->loads + sizeof *t->bodies +
              sizeof *t->body_of + sizeof *t->rotation_reach);
    bytes += (size_t)trial_location_count(t) * sizeof *t->obstacle_of;
    for (int b = 0; b < t->body_contact_count; ++b)
        bytes += (size_t)t->contacts->body_contacts[b].point_count * sizeof(int32_t);
    return bytes;
}

// ---------------------------------------------------------------- allocation at the first step

static sherd_status begin_points(sherd_contact_trial *t, sherd_error *error)
{
    size_t count = (size_t)t->contacts->body_contact_count;
    if (t->point_record == NULL) t->point_record = sherd_alloc(count, sizeof *t->point_record);
    if (t->path == NULL) t->path = sherd_alloc(count, sizeof *t->path);
    if (t->point_record == NULL || t->path == NULL)
        return sherd_fail_memory(error, "contact of free bodies");
    t->body_contact_count = (int)count;
    for (size_t b = 0; b < count; ++b) {
        size_t points = (size_t)t->contacts->body_contacts[b].point_count;
        if (t->point_record[b] == NULL)
            t->point_record[b] = sherd_alloc(points, sizeof *t->point_record[b]);
        if (t->point_record[b] == NULL) return sherd_fail_memory(error, "contact of free bodies");
        memset(t->point_record[b], 0xff, points * sizeof *t->point_record[b]); // -1: none
    }
    return SHERD_OK;
}

static sherd_status begin_first(sherd_contact_trial *t, const sherd_points *points,
                                sherd_error *error)
{
    sherd_contacts *c = t->contacts;
    bool begun = c->begun;
    sherd_status status = sherd_contacts_begin(c, points->count, error);
    if (status == SHERD_OK && !begun)
        c->element_eigenvalue = sherd_contacts_max_eigenvalue(c, points);
    if (status != SHERD_OK || t->ready) return status;
    for (int a = 0; a < SHERD_TRIAL_COLUMNS; ++a) {
        sherd_free(t->start[a]); // from an earlier attempt that ran out of memory
        t->start[a] = sherd_alloc((size_t)points->count, sizeof(double));
        if (t->start[a] == NULL) return sherd_fail_memory(error, "implicit contact");
    }
    status = sherd_trial_search_init(t, points, error);
    if (status == SHERD_OK) status = begin_points(t, error);
    if (status != SHERD_OK) return status;
    t->count = points->count;
    t->ready = true;
    return SHERD_OK;
}

// ---------------------------------------------------------------- a step

static sherd_status check_step(const sherd_contact_trial *t, double time, double dt, double reach,
                               double barrier, sherd_error *error)
{
    if (t->contacts->obstacle_count != t->obstacle_count)
        return sherd_fail(error, SHERD_ERROR_INPUT, "obstacle", "add everything before",
                          "%d obstacles, there were %d when implicit contact was made",
                          t->contacts->obstacle_count, t->obstacle_count);
    if (!isfinite(time) || !(dt > 0.0 && isfinite(dt)))
        return sherd_fail(error, SHERD_ERROR_INPUT, "time_step", NULL,
                          "must be > 0 and finite, got %g s at %g s", dt, time);
    if (!(reach >= 0.0) || !(barrier >= 0.0 && isfinite(barrier)))
        return sherd_fail(error, SHERD_ERROR_INPUT, "contact", NULL,
                          "reach and barrier must be >= 0, got %g m and %g m", reach, barrier);
    return SHERD_OK;
}

static void copy_start(sherd_contact_trial *t, const sherd_points *e)
{
    const double *from[SHERD_TRIAL_COLUMNS] = {e->px, e->py, e->pz, e->qx, e->qy,
                                               e->qz, e->qw, e->vx, e->vy, e->vz};
    for (int a = 0; a < SHERD_TRIAL_COLUMNS; ++a)
        memcpy(t->start[a], from[a], (size_t)e->count * sizeof(double));
}

// Sets the obstacles' poses at the start of the step; moves driven ones to their poses dt later.
static void start_obstacle(sherd_obstacle *at, const sherd_obstacle *from, double time, double dt)
{
    at->body = from->body;
    at->motion = from->motion; // borrowed; may have been replaced
    at->pose = from->pose;
    at->velocity = from->velocity;
    at->spin = from->spin;
    at->force = from->force;
    at->torque = from->torque;
    at->shift = at->rotation = vec3(0.0, 0.0, 0.0);
    if (at->kind == SHERD_OBSTACLE_DRIVEN && dt > 0.0)
        sherd_obstacle_move(at, time + dt, dt, vec3(0.0, 0.0, 0.0));
}

static void forget_points(sherd_contact_trial *t)
{
    for (size_t r = 0; r < t->record_count; ++r)
        if (t->records[r].body_contact >= 0)
            t->point_record[t->records[r].body_contact][t->records[r].point] = -1;
}

static void forget_records(sherd_contact_trial *t)
{
    forget_points(t);
    t->record_count = t->started_count = t->active_count = 0;
    t->open = t->evaluated = t->has_mean = false;
}

void sherd_contact_trial_place_driven(sherd_contact_trial *trial, double time, double dt)
{
    for (int o = 0; o < trial->obstacle_count; ++o)
        if (trial->obstacles[o].kind == SHERD_OBSTACLE_DRIVEN)
            start_obstacle(&trial->obstacles[o], &trial->contacts->obstacles[o], time, dt);
}

sherd_status sherd_contact_trial_begin(sherd_contact_trial *trial, const sherd_points *points,
                                       const sherd_bond_adjacency *bonds, double time, double dt,
                                       double reach, double barrier, sherd_error *error)
{
    sherd_status status = check_step(trial, time, dt, reach, barrier, error);
    if (status == SHERD_OK) status = begin_first(trial, points, error);
    if (status != SHERD_OK) return status;
    forget_records(trial);
    trial->dt = dt;
    trial->reach = reach;
    trial->barrier = barrier;
    trial->bonded = bonds != NULL;
    if (bonds != NULL) trial->bonds = *bonds;
    copy_start(trial, points);
    for (int o = 0; o < trial->obstacle_count; ++o)
        start_obstacle(&trial->obstacles[o], &trial->contacts->obstacles[o], time, dt);
    if (sherd_trial_bonds_changed(trial)) trial->searched = false;
    status = sherd_trial_recall(trial, points, error);
    if (status == SHERD_OK) status = sherd_trial_join(trial, error);
    trial->open = status == SHERD_OK;
    return status;
}

void sherd_contact_trial_abandon(sherd_contact_trial *trial)
{
    forget_records(trial);
    for (int b = 0; b < trial->body_count; ++b)
        *sherd_contact_trial_body(trial, b) = *sherd_contact_trial_body_start(trial, b);
}

// ---------------------------------------------------------------- limit of displacements

// Shortens predicted moves that would end deep inside an obstacle, or behind a thin one.

enum { CHUNK = 1024 };

// Maximum number of steps along a move (sphere tracing): each is as long as the distance, so that
// few are needed except at grazing angles.
enum { MAX_MARCHES = 64 };

typedef struct limit_job {
    const sherd_contact_trial *trial;
    sherd_points *points;
    double deepest;
} limit_job;

// Lower bound of the distance of an element at its start, from the last search for obstacles.
static double min_gap(const limit_job *job, int number, sherd_element_index k)
{
    const sherd_contact_trial *t = job->trial;
    const sherd_obstacle *o = &t->obstacles[number];
    sherd_vec3 start = vec3(t->start[0][k], t->start[1][k], t->start[2][k]);
    sherd_vec3 search_position = vec3(t->search_x[k], t->search_y[k], t->search_z[k]);
    sherd_vec3 shift = vec3_sub(o->pose.position, o->reference.position);
    return sherd_obstacle_watch_slack(&o->watch, k) -
           vec3_distance(vec3_sub(start, search_position), shift) - t->rotation_reach[number];
}

// The fraction of a move that is allowed. Shapes give lower bounds of distances, so that a march by
// the distance to the deepest allowed surface crosses nothing. An element that starts deeper may
// leave, but not go deeper.
static double allowed_fraction(const sherd_obstacle *o, sherd_vec3 from, sherd_vec3 move,
                               double radius, double deepest)
{
    double length = vec3_length(move), travelled = 0.0;
    double gap = sherd_obstacle_distance(o, from) - radius, floor = fmin(-deepest, gap);
    double end = sherd_obstacle_distance(o, vec3_add(from, move)) - radius;
    if (gap <= -deepest && end >= floor) return 1.0;
    for (int k = 0; k < MAX_MARCHES; ++k) {
        travelled += gap - floor;
        if (travelled >= length) return 1.0;
        gap = sherd_obstacle_distance(o, vec3_add_scaled(from, travelled / length, move)) - radius;
        if (gap - floor <= 1e-3 * deepest) return travelled / length;
    }
    return end >= floor ? 1.0 : travelled / length; // it slides along
}

static double allowed_fraction_of(const limit_job *job, sherd_element_index k, sherd_vec3 from,
                                  sherd_vec3 move)
{
    const sherd_contact_trial *t = job->trial;
    double fraction = 1.0, length = vec3_length(move), radius = sherd_point_radius(job->points, k);
    if (length > t->reach) fraction = t->reach / length;
    for (int o = 0; o < t->obstacle_count; ++o) {
        const sherd_obstacle *at = &t->obstacles[o];
        if (min_gap(job, o, k) > fraction * length - job->deepest) continue;
        fraction *= allowed_fraction(at, from, vec3_scale(fraction, move), radius, job->deepest);
    }
    return fraction;
}

// Positions at the last search, without bounds of displacements.
static sherd_displacements seen_by(const sherd_contact_trial *t)
{
    const sherd_bounds none = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    return (sherd_displacements){t->search_x, t->search_y, t->search_z, none, t->search_bounds};
}

static double limit_range(void *context, size_t begin, size_t end)
{
    const limit_job *job = context;
    const sherd_contact_trial *t = job->trial;
    sherd_points *e = job->points;
    double count = 0.0;
    for (size_t k = begin; k < end; ++k) {
        if (sherd_point_is_held(e, (sherd_element_index)k)) continue;
        sherd_vec3 from = vec3(t->start[0][k], t->start[1][k], t->start[2][k]);
        sherd_vec3 move = vec3_sub(vec3(e->px[k], e->py[k], e->pz[k]), from);
        if (move.x == 0.0 && move.y == 0.0 && move.z == 0.0) continue;
        double fraction = allowed_fraction_of(job, (sherd_element_index)k, from, move);
        if (fraction >= 1.0) continue;
        sherd_vec3 p = vec3_add_scaled(from, fraction, move);
        e->px[k] = p.x, e->py[k] = p.y, e->pz[k] = p.z;
        count += 1.0;
    }
    return count;
}

int64_t sherd_contact_trial_limit(sherd_contact_trial *trial, sherd_points *points, double deepest)
{
    if (!trial->open || points->count != trial->count) return 0;
    sherd_trial_pose_obstacles(trial);
    double wall = sherd_trial_wall(trial);
    if (wall > 0.0) deepest = fmin(deepest, 0.5 * wall);
    limit_job job = {trial, points, fmax(deepest, 0.0)};
    sherd_displacements since = seen_by(trial);
    for (int o = 0; o < trial->obstacle_count; ++o)
        trial->rotation_reach[o] = sherd_obstacle_rotation_reach(&trial->obstacles[o], &since);
    double count = sherd_parallel_sum(&trial->contacts->parallel, (size_t)points->count, CHUNK,
                                      limit_range, &job);
    return (int64_t)count;
}

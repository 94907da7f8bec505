// Shortens predicted moves that would end deep inside an obstacle, or behind a thin one.
#include "contact/implicit/contact_trial_state.h"

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
        if (e->held[k]) continue;
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

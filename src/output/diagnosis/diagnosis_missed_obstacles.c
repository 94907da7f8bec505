#include "output/diagnosis/diagnosis_missed_obstacles.h"

#include "output/diagnosis/diagnosis_overlaps.h"

#include <math.h>
#include <stdlib.h>

enum { MAX_FRAMES = 60 }; // frames that are examined

bool sherd_no_contacts_occurred(const sherd_run_stats *stats, int64_t count)
{
    for (int64_t k = 0; k < count; ++k) {
        const sherd_energy *e = &stats[k].energy;
        if (e->contact != 0.0 || e->dissipated_contact != 0.0 || e->dissipated_friction != 0.0 ||
            e->dissipated_onset != 0.0)
            return false;
    }
    return true;
}

// What is known of an obstacle up to some frame.
typedef struct approach {
    sherd_miss nearest;
    double gap; // in the last frame
    bool touched;
} approach;

typedef struct search {
    const sherd_run_model *model;
    const sherd_scene *scene;
    approach *list; // by obstacle
    int count;
} search;

// ---------------------------------------------------------------- one frame

static double length(double x, double y, double z)
{
    return sqrt(x * x + y * y + z * z);
}

// The smallest distance between the obstacle and the sphere of any element.
static void measure(const search *s, const sherd_run_frame *f, int o)
{
    approach *a = &s->list[o];
    const sherd_obstacle_def *def = &s->scene->obstacles[o].def;
    sherd_pose pose = f->obstacles[o];
    double reach = sherd_obstacle_reach(def);
    a->gap = INFINITY;
    for (sherd_element_index k = 0; k < s->model->element_count; ++k) {
        sherd_vec3 x = {f->x[k], f->y[k], f->z[k]};
        double radius = s->model->radius[k];
        double distance =
            length(x.x - pose.position.x, x.y - pose.position.y, x.z - pose.position.z);
        if (distance - reach - radius > a->gap) continue;
        double gap = sherd_distance_to_obstacle(def, pose, x) - radius;
        if (gap < a->gap) a->gap = gap;
        if (gap < a->nearest.gap) a->nearest = (sherd_miss){o, k, gap, f->time};
    }
    if (!(a->gap > 0.0)) a->touched = true;
}

// ---------------------------------------------------------------- between two frames

static double turn_between(sherd_quat a, sherd_quat b)
{
    double cosine = fabs(a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w);
    return 2.0 * acos(fmin(cosine, 1.0));
}

static double way_of_elements(const sherd_run_model *m, const sherd_run_frame *a,
                              const sherd_run_frame *b)
{
    double most = 0.0;
    for (sherd_element_index k = 0; k < m->element_count; ++k)
        most = fmax(most, length(b->x[k] - a->x[k], b->y[k] - a->y[k], b->z[k] - a->z[k]));
    return most;
}

// A plane that rotates sweeps all of space.
static double way_of_obstacle(const sherd_obstacle_def *def, sherd_pose a, sherd_pose b)
{
    double turn = turn_between(a.rotation, b.rotation);
    double way = length(b.position.x - a.position.x, b.position.y - a.position.y,
                        b.position.z - a.position.z);
    return turn > 0.0 ? way + turn * sherd_obstacle_reach(def) : way;
}

// Updates an obstacle's approach between two frames, at whose ends the gap is `before` and a->gap.
static void follow(const search *s, const sherd_run_frame *from, const sherd_run_frame *to)
{
    double elements = way_of_elements(s->model, from, to);
    for (int o = 0; o < s->count; ++o) {
        approach *a = &s->list[o];
        if (a->touched) continue;
        double before = a->gap;
        measure(s, to, o);
        double way =
            way_of_obstacle(&s->scene->obstacles[o].def, from->obstacles[o], to->obstacles[o]);
        if (!(before + a->gap > way + elements)) a->touched = true; // possibly touched
    }
}

// ---------------------------------------------------------------- all of it

static bool follow_all(const search *s, sherd_run *run, const sherd_run_stats *stats, int64_t count)
{
    sherd_error ignored;
    sherd_run_frame *previous = sherd_run_read_frame(run, stats[0].frame, &ignored);
    if (previous == NULL) return false;
    for (int o = 0; o < s->count; ++o) {
        s->list[o].nearest.gap = INFINITY;
        measure(s, previous, o);
    }
    int64_t frames = count < MAX_FRAMES ? count : MAX_FRAMES;
    for (int64_t k = 1; k < frames; ++k) {
        int64_t at = k * (count - 1) / (frames - 1);
        sherd_run_frame *frame = sherd_run_read_frame(run, stats[at].frame, &ignored);
        if (frame != NULL) follow(s, previous, frame);
        sherd_run_frame_destroy(previous);
        previous = frame;
        if (previous == NULL) return false;
    }
    sherd_run_frame_destroy(previous);
    return true;
}

static int list_moving(const search *s, sherd_miss *misses, int most)
{
    int found = 0;
    for (int o = 0; o < s->count && found < most; ++o)
        if (s->scene->obstacles[o].def.kind != SHERD_OBSTACLE_FIXED && !s->list[o].touched)
            misses[found++] = s->list[o].nearest;
    return found;
}

static int list_nearest(const search *s, sherd_miss *misses)
{
    int nearest = -1;
    for (int o = 0; o < s->count; ++o)
        if (!s->list[o].touched &&
            (nearest < 0 || s->list[o].nearest.gap < s->list[nearest].nearest.gap))
            nearest = o;
    if (nearest < 0) return 0;
    misses[0] = s->list[nearest].nearest;
    return 1;
}

static bool has_points(const sherd_scene *scene)
{
    for (int b = 0; b < scene->body_count; ++b)
        if (sherd_scene_is_of_points(&scene->bodies[b])) return true;
    return false;
}

int sherd_find_misses(sherd_run *run, const sherd_run_model *model, const sherd_scene *scene,
                      const sherd_run_stats *stats, int64_t count, sherd_miss *misses, int most)
{
    bool nothing = sherd_no_contacts_occurred(stats, count), moving = false;
    search s = {.model = model, .scene = scene, .count = model->obstacle_count};
    if (scene == NULL || count < 1 || s.count != scene->obstacle_count || s.count == 0 ||
        has_points(scene)) // material points touch obstacles through the grid, at a distance
        return 0;
    for (int o = 0; o < s.count; ++o)
        moving = moving || scene->obstacles[o].def.kind != SHERD_OBSTACLE_FIXED;
    if (!moving && !nothing) return 0;
    s.list = calloc((size_t)s.count, sizeof *s.list);
    int found = 0;
    if (s.list != NULL && follow_all(&s, run, stats, count)) {
        found = list_moving(&s, misses, most);
        if (found == 0 && nothing) found = list_nearest(&s, misses);
    }
    free(s.list);
    return found;
}

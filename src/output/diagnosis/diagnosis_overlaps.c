#include "output/diagnosis/diagnosis_overlaps.h"
#include "output/run_file/run_format.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

static const sherd_overlap NONE = {.element = -1};

// ---------------------------------------------------------------- cells of elements

// Linked lists of elements by hashed cell, with as many buckets as elements.
typedef struct cells {
    double size; // [m], at least the largest diameter
    sherd_element_index count, *first, *next;
} cells;

static int64_t cell_of(const cells *c, double x)
{
    return (int64_t)floor(fmin(fmax(x / c->size, -1e15), 1e15));
}

static size_t bucket_of(const cells *c, int64_t x, int64_t y, int64_t z)
{
    uint64_t hash = (uint64_t)x * 73856093u ^ (uint64_t)y * 19349663u ^ (uint64_t)z * 83492791u;
    return (size_t)(hash % (uint64_t)c->count);
}

static bool make_cells(cells *c, const sherd_run_model *model, const sherd_run_frame *frame)
{
    double largest = 0.0;
    for (sherd_element_index k = 0; k < model->element_count; ++k)
        largest = fmax(largest, model->radius[k]);
    *c = (cells){.size = 2.0 * largest, .count = model->element_count};
    c->first = malloc((size_t)c->count * sizeof *c->first);
    c->next = malloc((size_t)c->count * sizeof *c->next);
    if (c->first == NULL || c->next == NULL || !(c->size > 0.0)) return false;
    for (sherd_element_index k = 0; k < c->count; ++k)
        c->first[k] = -1;
    for (sherd_element_index k = 0; k < c->count; ++k) {
        size_t bucket =
            bucket_of(c, cell_of(c, frame->x[k]), cell_of(c, frame->y[k]), cell_of(c, frame->z[k]));
        c->next[k] = c->first[bucket];
        c->first[bucket] = k;
    }
    return true;
}

static void free_cells(cells *c)
{
    free(c->first);
    free(c->next);
}

// ---------------------------------------------------------------- elements

static int body_of(const sherd_run_model *model, sherd_element_index k)
{
    int b = sherd_run_body_of(model, k);
    return k - model->bodies[b].first < model->bodies[b].count ? b : -1;
}

static double length(double x, double y, double z)
{
    return sqrt(x * x + y * y + z * z);
}

static bool is_tetrahedron(const sherd_run_model *m, sherd_element_index k)
{
    int body = m->tetras != NULL ? body_of(m, k) : -1;
    return body >= 0 && m->tetras[body] != NULL;
}

// Radius of a material point's ball; 0 for elements.
static double ball_of(const sherd_scene *scene, const sherd_run_model *m, sherd_element_index k)
{
    int body = scene != NULL ? body_of(m, k) : -1;
    bool point =
        body >= 0 && body < scene->body_count && sherd_scene_is_of_points(&scene->bodies[body]);
    return point ? m->radius[k] : 0.0;
}

// Radius of an element at the start. The ball of a material point is half a spacing wide even where
// the body's surface is nearer; in that case use the distance to the surface.
static double radius_at_start(const sherd_scene *scene, const sherd_run_model *m,
                              sherd_element_index k)
{
    int body = scene != NULL ? body_of(m, k) : -1;
    if (body < 0 || body >= scene->body_count) return m->radius[k];
    const sherd_scene_body *b = &scene->bodies[body];
    if (!sherd_scene_is_of_points(b) || b->shape == NULL) return m->radius[k];
    sherd_vec3 rest = {m->rest_x[k], m->rest_y[k], m->rest_z[k]};
    return fmin(m->radius[k], fmax(-sherd_shape_distance(b->shape, rest), 0.0));
}

// Overlap of two elements at the start or, without a start frame, at rest if they belong to one
// body.
static double overlap_before(const sherd_run_model *m, const sherd_run_frame *start,
                             sherd_element_index i, sherd_element_index j)
{
    const double *x = start != NULL ? start->x : m->rest_x,
                 *y = start != NULL ? start->y : m->rest_y,
                 *z = start != NULL ? start->z : m->rest_z;
    if (start == NULL && (is_tetrahedron(m, i) || is_tetrahedron(m, j))) return INFINITY;
    if (start == NULL && body_of(m, i) != body_of(m, j)) return 0.0;
    double distance = length(x[i] - x[j], y[i] - y[j], z[i] - z[j]);
    return fmax(m->radius[i] + m->radius[j] - distance, 0.0);
}

// How deep two reach into each other: now, before, and what is no overlap yet, as the grid keeps
// centres of material points out of others, not their balls [m].
typedef struct depths {
    double now, before, allowed;
} depths;

static void keep_deeper(sherd_overlap *deepest, sherd_element_index element, int32_t other,
                        depths d, double radius)
{
    double more = d.now - fmax(d.before, d.allowed);
    if (more > deepest->fraction * radius)
        *deepest = (sherd_overlap){element, other, more, more / radius, d.before > d.allowed};
}

// True if the two lie on opposite sides of one cut of the scene: their spheres may overlap while
// the faces slide.
static bool slide_on_each_other(const sherd_scene *scene, const sherd_run_model *m,
                                sherd_element_index i, sherd_element_index j)
{
    enum { MAX_FACES = 4 };
    int body = scene != NULL ? body_of(m, i) : -1;
    if (body < 0 || body >= scene->body_count || body_of(m, j) != body) return false;
    const sherd_weakness_list *list = &scene->bodies[body].weakness;
    double reach = 2.0 * (m->radius[i] + m->radius[j]);
    sherd_cut_face a[MAX_FACES], b[MAX_FACES];
    sherd_vec3 x = {m->rest_x[i], m->rest_y[i], m->rest_z[i]},
               y = {m->rest_x[j], m->rest_y[j], m->rest_z[j]};
    int of_i = sherd_weakness_list_faces(list, x, reach, MAX_FACES, a);
    int of_j = sherd_weakness_list_faces(list, y, reach, MAX_FACES, b);
    for (int f = 0; f < of_i; ++f)
        for (int g = 0; g < of_j; ++g)
            if (a[f].cut == b[g].cut && a[f].normal.x * b[g].normal.x +
                                                a[f].normal.y * b[g].normal.y +
                                                a[f].normal.z * b[g].normal.z <
                                            0.0)
                return true;
    return false;
}

static void examine_bucket(const cells *c, size_t bucket, const sherd_scene *scene,
                           const sherd_run_model *m, const sherd_run_frame *start,
                           const sherd_run_frame *f, sherd_element_index i, sherd_overlap *deepest)
{
    for (sherd_element_index j = c->first[bucket]; j >= 0; j = c->next[j]) {
        if (j <= i || f->element_fragment[i] == f->element_fragment[j]) continue;
        double distance = length(f->x[i] - f->x[j], f->y[i] - f->y[j], f->z[i] - f->z[j]);
        double smaller = fmin(m->radius[i], m->radius[j]);
        double depth = m->radius[i] + m->radius[j] - distance;
        if (depth <= deepest->fraction * smaller || slide_on_each_other(scene, m, i, j)) continue;
        if (start == NULL)
            depth = radius_at_start(scene, m, i) + radius_at_start(scene, m, j) - distance;
        depths d = {depth, overlap_before(m, start, i, j), 0.0};
        if (start != NULL) d.allowed = ball_of(scene, m, i) + ball_of(scene, m, j);
        keep_deeper(deepest, i, j, d, smaller);
    }
}

static bool is_in_pieces(const sherd_run_frame *frame, sherd_element_index count)
{
    for (sherd_element_index k = 1; k < count; ++k)
        if (frame->element_fragment[k] != frame->element_fragment[0]) return true;
    return false;
}

sherd_overlap sherd_deepest_among_elements(const sherd_scene *scene, const sherd_run_model *model,
                                           const sherd_run_frame *start,
                                           const sherd_run_frame *frame)
{
    cells c;
    sherd_overlap deepest = NONE;
    if (!is_in_pieces(frame, model->element_count)) return deepest;
    bool made = make_cells(&c, model, frame);
    for (sherd_element_index i = 0; made && i < c.count; ++i) {
        int64_t x = cell_of(&c, frame->x[i]), y = cell_of(&c, frame->y[i]),
                z = cell_of(&c, frame->z[i]);
        for (int k = 0; k < 27; ++k)
            examine_bucket(&c, bucket_of(&c, x + k % 3 - 1, y + k / 3 % 3 - 1, z + k / 9 - 1),
                           scene, model, start, frame, i, &deepest);
    }
    free_cells(&c);
    return deepest;
}

// ---------------------------------------------------------------- obstacles

// v rotated by the inverse of q.
static sherd_vec3 turn_back(sherd_quat q, sherd_vec3 v)
{
    sherd_vec3 t = {2.0 * (q.z * v.y - q.y * v.z), 2.0 * (q.x * v.z - q.z * v.x),
                    2.0 * (q.y * v.x - q.x * v.y)};
    return (sherd_vec3){v.x + q.w * t.x + q.z * t.y - q.y * t.z,
                        v.y + q.w * t.y + q.x * t.z - q.z * t.x,
                        v.z + q.w * t.z + q.y * t.x - q.x * t.y};
}

double sherd_distance_to_obstacle(const sherd_obstacle_def *o, sherd_pose pose, sherd_vec3 x)
{
    sherd_vec3 arm = {x.x - pose.position.x, x.y - pose.position.y, x.z - pose.position.z};
    sherd_vec3 own = turn_back(pose.rotation, arm);
    return o->is_plane ? own.z : sherd_shape_distance(o->shape, own);
}

double sherd_obstacle_reach(const sherd_obstacle_def *o)
{
    if (o->is_plane) return INFINITY;
    sherd_bounds b = sherd_shape_bounds(o->shape);
    return length(fmax(fabs(b.low.x), fabs(b.high.x)), fmax(fabs(b.low.y), fabs(b.high.y)),
                  fmax(fabs(b.low.z), fabs(b.high.z)));
}

// Depth of element k in obstacle o [m], < 0 outside; -INFINITY if far away.
static double depth_in(const sherd_run_model *model, const sherd_run_frame *frame,
                       const sherd_obstacle_def *def, int o, double reach, sherd_element_index k)
{
    sherd_pose pose = frame->obstacles[o];
    sherd_vec3 x = {frame->x[k], frame->y[k], frame->z[k]};
    double distance = length(x.x - pose.position.x, x.y - pose.position.y, x.z - pose.position.z);
    if (distance > reach + model->radius[k]) return -INFINITY;
    return model->radius[k] - sherd_distance_to_obstacle(def, pose, x);
}

sherd_overlap sherd_deepest_in_obstacles(const sherd_run_model *model, const sherd_run_frame *start,
                                         const sherd_run_frame *frame, const sherd_scene *scene)
{
    sherd_overlap deepest = NONE;
    for (int o = 0; o < model->obstacle_count && o < scene->obstacle_count; ++o) {
        const sherd_obstacle_def *def = &scene->obstacles[o].def;
        double reach = sherd_obstacle_reach(def);
        for (sherd_element_index k = 0; k < model->element_count; ++k) {
            depths d = {depth_in(model, frame, def, o, reach, k), 0.0, 0.0};
            if (!(d.now > deepest.fraction * model->radius[k])) continue;
            if (start == NULL) {
                if (is_tetrahedron(model, k)) continue;
                d.now += radius_at_start(scene, model, k) - model->radius[k];
            } else {
                d.before = fmax(depth_in(model, start, def, o, reach, k), 0.0);
                d.allowed = ball_of(scene, model, k);
            }
            keep_deeper(&deepest, k, o, d, model->radius[k]);
        }
    }
    return deepest;
}

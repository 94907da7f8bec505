#include "output/debris/debris.h"

#include "base/assertion.h"
#include "base/error.h"
#include "base/memory.h"
#include "geometry/shape/shape_kind.h"
#include "math/quat.h"
#include "math/vec3.h"
#include "output/debris/debris_packing.h"
#include "output/dust/dust.h"

#include <string.h>

static const double PI = 3.14159265358979323846;
// A bond's ends are apart when their distance has grown by this share: before, a crumb would leave
// a hole in a body that still fits together.
static const double APART = 0.3;
static const double SMALLEST = 0.2; // radius of the smallest crumb over that of the element
// Material that strains by more before it breaks is soft: it does not crumble.
static const double SOFT = 0.2;
// Mean of the directions to bonded neighbours. A lattice's surface has 0.27, edges have more, and a
// random packing's interior up to 0.15.
static const double ONE_SIDED = 0.22;
static const double DRIFT = 2.4, DRIFT_WAY = 25.0; // E; S over R
static const double FLOOR_REACH = 1.3;             // of an element that lies on a plane, in R
static const double DEEPEST = 8.0;                 // that crumbs fall, in R: the largest distance

// A body's crumbs.
typedef struct debris_body {
    bool crumbles;
    debris_form form;
    double scale;    // R over the element's radius
    double smallest; // radius [m]
    sherd_vec3 grain;
    bool painted; // its outer surface has a picture or colours, which crumbs have not
} debris_body;

struct sherd_debris {
    const sherd_scene *scene;
    const sherd_run_model *model;
    debris_body *bodies;
    debris_shape shapes[DEBRIS_FORM_COUNT][DEBRIS_SHAPES];
    flight_plane *planes; // that do not move
    int plane_count;
    // By element.
    int32_t *body;   // -1: of none that crumbles
    int32_t *number; // of the one that replaces it, plus 1; 0: none
    float *inward;   // sum of unit vectors to bonded neighbours over their number     (n x 3)
    float *former;   // orientation in the frame before                                (n x 4)
    int64_t next;    // the next frame to process
    double time;     // of the last one
    int64_t count, crumb_count, left_out;
    size_t room, crumb_room;
    debris_element *elements;
    debris_crumb *crumbs;
};

// ---------------------------------------------------------------- bodies

static bool crumbles(const sherd_scene *scene, const sherd_run_model *m, int b)
{
    const sherd_scene_body *body = &scene->bodies[b];
    const sherd_material_def *material = &scene->materials[body->material].def;
    bool solid = !body->loose && !body->is_yarn && !sherd_scene_is_of_points(body) &&
                 body->shape != NULL && (m->tetras == NULL || m->tetras[b] == NULL);
    bool breaks = isfinite(material->tensile_strength) || isfinite(material->shear_strength);
    bool brittle = material->tensile_strength < SOFT * material->youngs_modulus &&
                   !isfinite(material->yield_stress);
    return solid && breaks && brittle;
}

static void describe_body(sherd_debris *d, int b)
{
    const sherd_scene_body *body = &d->scene->bodies[b];
    const sherd_scene_material *material = &d->scene->materials[body->material];
    const sherd_body_info *info = &d->model->bodies[b];
    double volume = 0.0, mean = 0.0;
    for (sherd_element_index e = info->first; e < info->first + info->count; ++e) {
        double r = d->model->radius[e];
        volume += 4.0 / 3.0 * PI * r * r * r;
        mean += r / info->count;
        d->body[e] = b;
    }
    double given = d->scene->output.debris.smallest;
    bool grained = material->def.grain_stiffening > 0.0 || material->def.grain_strengthening > 0.0;
    debris_body *to = &d->bodies[b];
    to->crumbles = true;
    to->form = grained ? DEBRIS_SPLINTER : DEBRIS_CHUNK;
    to->grain = vec3_normalize(material->def.grain_direction);
    to->scale = cbrt(sherd_shape_volume(body->shape) / volume);
    to->smallest = given > 0.0 ? 0.5 * given : SMALLEST * mean;
    to->painted = material->appearance.picture != NULL || sherd_shape_is_painted(body->shape);
}

static void find_inward(sherd_debris *d)
{
    const sherd_run_model *m = d->model;
    int32_t *count = (int32_t *)(void *)d->former; // scratch: orientations come with frame 0
    for (sherd_bond_index k = 0; k < m->bond_count - m->glue_count; ++k) {
        sherd_element_index i = m->bond_i[k], j = m->bond_j[k];
        if (d->body[i] < 0 || d->body[i] != d->body[j]) continue;
        sherd_vec3 u = vec3_normalize(vec3(m->rest_x[j] - m->rest_x[i], m->rest_y[j] - m->rest_y[i],
                                           m->rest_z[j] - m->rest_z[i]));
        const float to[3] = {(float)u.x, (float)u.y, (float)u.z};
        for (int c = 0; c < 3; ++c) {
            d->inward[3 * (size_t)i + (size_t)c] += to[c];
            d->inward[3 * (size_t)j + (size_t)c] -= to[c];
        }
        ++count[i], ++count[j];
    }
    for (size_t e = 0; e < (size_t)m->element_count; ++e)
        for (size_t c = 0; c < 3 && count[e] > 0; ++c)
            d->inward[3 * e + c] /= (float)count[e];
}

// ---------------------------------------------------------------- life

static bool allocate(sherd_debris *d)
{
    size_t n = (size_t)d->model->element_count;
    d->bodies = sherd_alloc((size_t)d->model->body_count, sizeof *d->bodies);
    d->planes = sherd_alloc((size_t)d->scene->obstacle_count, sizeof *d->planes);
    d->body = sherd_alloc(n, sizeof *d->body);
    d->number = sherd_alloc(n, sizeof *d->number);
    d->inward = sherd_alloc(3 * n, sizeof *d->inward);
    d->former = sherd_alloc(4 * n, sizeof *d->former);
    return d->bodies != NULL && d->planes != NULL && d->body != NULL && d->number != NULL &&
           d->inward != NULL && d->former != NULL;
}

sherd_debris *sherd_debris_create(const sherd_scene *scene, const sherd_run_model *model,
                                  sherd_error *error)
{
    if (error != NULL) *error = (sherd_error){.status = SHERD_OK};
    if (scene == NULL || !scene->output.debris.enabled) return NULL;
    bool any = false;
    for (int b = 0; b < model->body_count; ++b)
        any = any || crumbles(scene, model, b);
    if (!any) return NULL;
    sherd_debris *d = sherd_alloc(1, sizeof *d);
    if (d != NULL) d->scene = scene, d->model = model;
    if (d == NULL || !allocate(d)) {
        sherd_debris_destroy(d);
        sherd_fail_memory(error, "debris");
        return NULL;
    }
    for (sherd_element_index e = 0; e < model->element_count; ++e)
        d->body[e] = -1;
    for (int b = 0; b < model->body_count; ++b)
        if (crumbles(scene, model, b)) describe_body(d, b);
    for (int f = 0; f < DEBRIS_FORM_COUNT; ++f)
        for (int k = 0; k < DEBRIS_SHAPES; ++k)
            sherd_debris_shape_make((debris_form)f, k, &d->shapes[f][k]);
    find_inward(d);
    d->plane_count = sherd_flight_planes(scene, d->planes);
    return d;
}

void sherd_debris_destroy(sherd_debris *d)
{
    if (d == NULL) return;
    sherd_free(d->bodies);
    sherd_free(d->planes);
    sherd_free(d->body);
    sherd_free(d->number);
    sherd_free(d->inward);
    sherd_free(d->former);
    sherd_free(d->elements);
    sherd_free(d->crumbs);
    sherd_free(d);
}

// ---------------------------------------------------------------- elements that came off

// A fragment in a frame.
typedef struct fragment_bonds {
    int32_t elements;       // how many it has
    int32_t severed, apart; // bonds that it had to others; those whose ends are apart
} fragment_bonds;

static double rest_length(const sherd_run_model *m, sherd_element_index i, sherd_element_index j)
{
    return vec3_distance(vec3(m->rest_x[i], m->rest_y[i], m->rest_z[i]),
                         vec3(m->rest_x[j], m->rest_y[j], m->rest_z[j]));
}

static sherd_vec3 place_of(const sherd_run_frame *f, sherd_element_index e)
{
    return vec3(f->x[e], f->y[e], f->z[e]);
}

static void count_bonds(const sherd_debris *d, const sherd_run_frame *f, fragment_bonds *table)
{
    const sherd_run_model *m = d->model;
    int32_t most = d->scene->output.debris.elements;
    for (sherd_bond_index k = 0; k < m->bond_count - m->glue_count; ++k) {
        sherd_element_index i = m->bond_i[k], j = m->bond_j[k];
        if (!f->bond_broken[k] || d->body[i] < 0 || d->body[i] != d->body[j]) continue;
        sherd_fragment_id a = f->element_fragment[i], b = f->element_fragment[j];
        if (a == b || (table[a].elements > most && table[b].elements > most)) continue;
        bool apart =
            vec3_distance(place_of(f, i), place_of(f, j)) > (1.0 + APART) * rest_length(m, i, j);
        ++table[a].severed, ++table[b].severed;
        table[a].apart += apart, table[b].apart += apart;
    }
}

static sherd_quat rotation_of(const sherd_run_frame *f, sherd_element_index e)
{
    return quat_normalize(quat(f->qx[e], f->qy[e], f->qz[e], f->qw[e]));
}

// Beyond half of the limit elements are cut into three at most, beyond the limit not at all.
static int cut_element(sherd_debris *d, sherd_element_index e, double sizes[DEBRIS_MOST_CRUMBS])
{
    const sherd_scene_debris *s = &d->scene->output.debris;
    int count = sherd_debris_sizes(s->exponent, s->pieces, s->seed, e, sizes), most = s->pieces;
    if (d->crumb_count >= DEBRIS_MOST_OF_RUN / 2) most = 3;
    if (d->crumb_count >= DEBRIS_MOST_OF_RUN) most = 1;
    if (count <= most) return count;
    int fewer = sherd_debris_sizes(s->exponent, most, s->seed, e, sizes);
    d->left_out += count - fewer;
    return fewer;
}

static sherd_status replace(sherd_debris *d, const sherd_run_frame *f, sherd_element_index e,
                            sherd_error *error)
{
    const sherd_scene_debris *settings = &d->scene->output.debris;
    const debris_body *body = &d->bodies[d->body[e]];
    if (!sherd_grow((void **)&d->elements, &d->room, (size_t)d->count + 1, sizeof *d->elements) ||
        !sherd_grow((void **)&d->crumbs, &d->crumb_room,
                    (size_t)d->crumb_count + DEBRIS_MOST_CRUMBS, sizeof *d->crumbs))
        return sherd_fail_memory(error, "debris");
    double sizes[DEBRIS_MOST_CRUMBS];
    int count = cut_element(d, e, sizes);
    const float *in = d->inward + 3 * (size_t)e;
    sherd_vec3 inward = vec3((double)in[0], (double)in[1], (double)in[2]);
    debris_source of = {.seed = settings->seed,
                        .element = e,
                        .radius = body->scale * d->model->radius[e],
                        .form = body->form,
                        .grain = body->grain};
    if (vec3_length(inward) > ONE_SIDED && !body->painted)
        of.outward = vec3_scale(-1.0, vec3_normalize(inward));
    sherd_debris_pack(&of, count, sizes, d->crumbs + d->crumb_count);
    d->elements[d->count++] = (debris_element){.element = e,
                                               .body = d->body[e],
                                               .first = d->crumb_count,
                                               .count = count,
                                               .frame = f->index,
                                               .radius = of.radius,
                                               .turn = rotation_of(f, e),
                                               .velocity = vec3(f->vx[e], f->vy[e], f->vz[e]),
                                               .plane = -1};
    d->crumb_count += count;
    d->number[e] = (int32_t)d->count;
    return SHERD_OK;
}

// Fragments that lost more than half of their severed neighbours.
static sherd_status replace_elements(sherd_debris *d, const sherd_run_frame *f, sherd_error *error)
{
    sherd_element_index n = d->model->element_count;
    sherd_fragment_id largest = 0;
    for (sherd_element_index e = 0; e < n; ++e) {
        if (f->element_fragment[e] < 0)
            return sherd_fail(error, SHERD_ERROR_INPUT, "debris", NULL,
                              "element %d is of fragment %d in frame %lld", (int)e,
                              (int)f->element_fragment[e], (long long)f->index);
        largest = f->element_fragment[e] > largest ? f->element_fragment[e] : largest;
    }
    fragment_bonds *table = sherd_alloc((size_t)largest + 1, sizeof *table);
    if (table == NULL) return sherd_fail_memory(error, "debris");
    for (sherd_element_index e = 0; e < n; ++e)
        ++table[f->element_fragment[e]].elements;
    count_bonds(d, f, table);
    sherd_status status = SHERD_OK;
    for (sherd_element_index e = 0; e < n && status == SHERD_OK; ++e) {
        const fragment_bonds *own = &table[f->element_fragment[e]];
        bool leaves =
            own->elements <= d->scene->output.debris.elements && 2 * own->apart > own->severed;
        if (leaves && d->body[e] >= 0 && d->number[e] == 0) status = replace(d, f, e, error);
    }
    sherd_free(table);
    return status;
}

// ---------------------------------------------------------------- motion

static double drift(const debris_element *p)
{
    return DRIFT * (1.0 - exp(-p->way / (DRIFT_WAY * p->radius)));
}

// Solves J w = l for the inertia of the crumbs of unit mass, drifted apart by the factor `apart`.
static sherd_vec3 turn_by(const debris_crumb *crumbs, const debris_element *p, double apart,
                          sherd_vec3 l)
{
    double a[3][3] = {{0}};
    for (int k = 0; k < p->count; ++k) {
        const debris_crumb *c = &crumbs[k];
        double share = c->radius / p->radius, m = share * share * share;
        sherd_vec3 d = vec3_scale(apart, quat_rotate(p->turn, c->offset));
        const double x[3] = {d.x, d.y, d.z};
        double ball = 0.4 * m * c->radius * c->radius + m * vec3_dot(d, d);
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j)
                a[i][j] += (i == j ? ball : 0.0) - m * x[i] * x[j];
    }
    sherd_vec3 r0 = vec3(a[0][0], a[0][1], a[0][2]), r1 = vec3(a[1][0], a[1][1], a[1][2]),
               r2 = vec3(a[2][0], a[2][1], a[2][2]); // symmetric: rows are columns
    sherd_vec3 c0 = vec3_cross(r1, r2), c1 = vec3_cross(r2, r0), c2 = vec3_cross(r0, r1);
    double scale = 1.0 / vec3_dot(r0, c0);
    return vec3_scale(scale, vec3(vec3_dot(c0, l), vec3_dot(c1, l), vec3_dot(c2, l)));
}

static sherd_quat former_rotation(const sherd_debris *d, sherd_element_index e)
{
    const float *q = d->former + 4 * (size_t)e;
    return quat_normalize(quat((double)q[0], (double)q[1], (double)q[2], (double)q[3]));
}

// Time above a floor counts once the element has reached it.
static void rest_on_floor(const sherd_debris *d, debris_element *p, sherd_vec3 x, double step)
{
    for (int k = 0; k < d->plane_count; ++k) {
        if (p->plane >= 0 && p->plane != k) continue;
        double height = vec3_dot(vec3_sub(x, d->planes[k].point), d->planes[k].normal);
        if (fabs(height) > FLOOR_REACH * p->radius) continue;
        p->plane = k;
        p->rested += step;
        return;
    }
}

static void advance(const sherd_debris *d, debris_element *p, const sherd_run_frame *f, double step)
{
    sherd_element_index e = p->element;
    double r = d->model->radius[e];
    sherd_quat change = quat_multiply(rotation_of(f, e), quat_conjugate(former_rotation(d, e)));
    sherd_vec3 l = vec3_scale(0.4 * r * r / step, quat_to_rotation_vector(quat_normalize(change)));
    p->way += step * vec3_length(vec3(f->vx[e], f->vy[e], f->vz[e]));
    rest_on_floor(d, p, place_of(f, e), step);
    if (p->plane < 0) p->velocity = vec3(f->vx[e], f->vy[e], f->vz[e]);
    p->spin = vec3(0.0, 0.0, 0.0);
    if (p->plane >= 0) return;
    // With the inertia in the middle of the turn rather than at its start the error of a step is of
    // third order; the spin at its end has the angular momentum exactly.
    const debris_crumb *crumbs = sherd_debris_crumbs(d, p);
    debris_element half = *p;
    sherd_vec3 spin = turn_by(crumbs, p, 1.0 + drift(p), l);
    half.turn = quat_multiply(quat_from_rotation_vector(vec3_scale(0.5 * step, spin)), p->turn);
    spin = turn_by(crumbs, &half, 1.0 + drift(p), l);
    p->turn =
        quat_normalize(quat_multiply(quat_from_rotation_vector(vec3_scale(step, spin)), p->turn));
    p->spin = turn_by(crumbs, p, 1.0 + drift(p), l);
}

sherd_status sherd_debris_take(sherd_debris *d, const sherd_run_frame *f, sherd_error *error)
{
    if (d == NULL || f->index < d->next) return SHERD_OK;
    double step = f->time - d->time;
    for (int64_t k = 0; k < d->count && step > 0.0; ++k)
        advance(d, &d->elements[k], f, step);
    int64_t before = d->count;
    sherd_status status = replace_elements(d, f, error);
    if (status != SHERD_OK) return status;
    for (int64_t k = before; k < d->count && f->index > 0 && step > 0.0; ++k) {
        debris_element *p = &d->elements[k];
        double r = d->model->radius[p->element];
        sherd_quat change = quat_multiply(p->turn, quat_conjugate(former_rotation(d, p->element)));
        sherd_vec3 w = quat_to_rotation_vector(quat_normalize(change));
        p->spin = turn_by(d->crumbs + p->first, p, 1.0, vec3_scale(0.4 * r * r / step, w));
    }
    for (sherd_element_index e = 0; e < d->model->element_count; ++e) {
        const float q[4] = {(float)f->qx[e], (float)f->qy[e], (float)f->qz[e], (float)f->qw[e]};
        memcpy(d->former + 4 * (size_t)e, q, sizeof q);
    }
    d->next = f->index + 1;
    d->time = f->time;
    return SHERD_OK;
}

sherd_status sherd_debris_catch_up(sherd_debris *d, sherd_run *run, int64_t frame,
                                   sherd_error *error)
{
    sherd_status status = SHERD_OK;
    for (int64_t k = d != NULL ? d->next : frame; k < frame && status == SHERD_OK; ++k) {
        sherd_error problem = {0};
        sherd_run_frame *before = sherd_run_read_frame(run, k, &problem);
        if (before != NULL)
            status = sherd_debris_take(d, before, error);
        else if (problem.status != SHERD_ERROR_INPUT) { // input error: the frame is damaged
            status = problem.status;
            if (error != NULL) *error = problem;
        }
        sherd_run_frame_destroy(before);
    }
    return status;
}

// ---------------------------------------------------------------- what there is

bool sherd_debris_replaces(const sherd_debris *d, sherd_element_index element)
{
    return d != NULL && d->number[element] != 0;
}

const debris_element *sherd_debris_find(const sherd_debris *d, sherd_element_index element)
{
    return sherd_debris_replaces(d, element) ? &d->elements[d->number[element] - 1] : NULL;
}

const debris_element *sherd_debris_elements(const sherd_debris *d, int64_t *count)
{
    *count = d != NULL ? d->count : 0;
    return d != NULL ? d->elements : NULL;
}

const debris_crumb *sherd_debris_crumbs(const sherd_debris *d, const debris_element *element)
{
    return d->crumbs + element->first;
}

const debris_shape *sherd_debris_shape(const sherd_debris *d, int body, int shape)
{
    SHERD_ASSERT(shape >= 0 && shape < DEBRIS_SHAPES, "the shape exists");
    return &d->shapes[d->bodies[body].form][shape];
}

double sherd_debris_smallest(const sherd_debris *d, int body)
{
    return d->bodies[body].smallest;
}

int64_t sherd_debris_left_out(const sherd_debris *d)
{
    return d != NULL ? d->left_out : 0;
}

// The lowest point of a crumb below its centre [m].
static double depth_of(const debris_shape *s, double radius, sherd_quat q, sherd_vec3 up)
{
    sherd_vec3 own = quat_rotate_inverse(q, up);
    double lowest = 0.0;
    for (int v = 0; v < s->vertex_count; ++v)
        lowest = fmin(lowest, vec3_dot(s->vertex[v], own));
    return -radius * lowest;
}

// Turned towards the side on which the shape is flattest, all the way when `share` is 1.
static sherd_quat laid_flat(sherd_quat q, sherd_vec3 up, double share)
{
    sherd_vec3 z = quat_rotate(q, vec3(0.0, 0.0, 1.0));
    if (vec3_dot(z, up) < 0.0) z = vec3_scale(-1.0, z);
    sherd_vec3 turn = quat_to_rotation_vector(quat_between(z, up));
    return quat_multiply(quat_from_rotation_vector(vec3_scale(share, turn)), q);
}

// Lets a crumb fall to the floor below its element.
static void settle(const sherd_debris *d, const debris_element *p, const debris_crumb *c,
                   sherd_pose *pose)
{
    const flight_plane *floor = &d->planes[p->plane];
    double pull = fmax(-vec3_dot(d->scene->world.gravity, floor->normal), 0.0),
           speed = fmax(-vec3_dot(p->velocity, floor->normal), 0.0), t = p->rested;
    double fallen = fmin(speed * t + 0.5 * pull * t * t, DEEPEST * p->radius);
    pose->rotation = laid_flat(pose->rotation, floor->normal, fmin(fallen / p->radius, 1.0));
    double height = vec3_dot(vec3_sub(pose->position, floor->point), floor->normal);
    double lowest = depth_of(sherd_debris_shape(d, p->body, c->shape), c->radius, pose->rotation,
                             floor->normal);
    double now = fmax(height - fallen, lowest);
    pose->position = vec3_add_scaled(pose->position, now - height, floor->normal);
}

// Lifts a crumb that its way would take below a plane above which its element is.
static void keep_above(const sherd_debris *d, const debris_element *p, const debris_crumb *c,
                       sherd_vec3 x, sherd_pose *pose)
{
    static const double LONGEST = 5.0; // distance of a shape's vertex in radii of its ball
    for (int k = 0; k < d->plane_count; ++k) {
        const flight_plane *plane = &d->planes[k];
        double height = vec3_dot(vec3_sub(pose->position, plane->point), plane->normal);
        bool above = vec3_dot(vec3_sub(x, plane->point), plane->normal) > 0.0;
        if (!above || height > LONGEST * c->radius) continue;
        double lowest = depth_of(sherd_debris_shape(d, p->body, c->shape), c->radius,
                                 pose->rotation, plane->normal);
        if (height < lowest)
            pose->position = vec3_add_scaled(pose->position, lowest - height, plane->normal);
    }
}

void sherd_debris_poses(const sherd_debris *d, const debris_element *p, const sherd_run_frame *f,
                        debris_pose poses[DEBRIS_MOST_CRUMBS])
{
    sherd_element_index e = p->element;
    const debris_crumb *crumbs = sherd_debris_crumbs(d, p);
    sherd_vec3 x = place_of(f, e), v = vec3(f->vx[e], f->vy[e], f->vz[e]);
    double apart = 1.0 + drift(p); // its rate over itself:
    double rate = (DRIFT - drift(p)) / (DRIFT_WAY * p->radius) * vec3_length(v) / apart;
    for (int k = 0; k < p->count; ++k) {
        sherd_vec3 arm = vec3_scale(apart, quat_rotate(p->turn, crumbs[k].offset));
        poses[k].pose.position = vec3_add(x, arm);
        sherd_quat tumble = quat_from_rotation_vector(vec3_scale(drift(p), crumbs[k].tumble));
        poses[k].pose.rotation = quat_multiply(p->turn, quat_multiply(tumble, crumbs[k].rotation));
        poses[k].velocity = vec3_add(v, vec3_add_scaled(vec3_cross(p->spin, arm), rate, arm));
        if (p->plane >= 0) settle(d, p, &crumbs[k], &poses[k].pose);
        keep_above(d, p, &crumbs[k], x, &poses[k].pose);
    }
}

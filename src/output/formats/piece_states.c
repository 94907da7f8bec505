#include "output/formats/piece_states.h"

#include "base/error.h"
#include "base/memory.h"
#include "math/quat.h"
#include "output/files/readable_frame.h"

#include <math.h>
#include <string.h>

bool sherd_piece_states_init(sherd_piece_states *s, int32_t count)
{
    *s = (sherd_piece_states){.count = count,
                              .items = sherd_alloc((size_t)count, sizeof *s->items),
                              .momentum = sherd_alloc(3 * (size_t)count, sizeof *s->momentum),
                              .since = sherd_alloc((size_t)count, sizeof *s->since)};
    return s->items != NULL && s->momentum != NULL && s->since != NULL;
}

void sherd_piece_states_free(sherd_piece_states *s)
{
    sherd_free(s->items);
    sherd_free(s->momentum);
    sherd_free(s->since);
    *s = (sherd_piece_states){0};
}

static const float *stress_of(const sherd_run_frame *f)
{
    for (int k = 0; k < f->column_count; ++k)
        if (f->columns[k].per == SHERD_RUN_PER_ELEMENT &&
            strcmp(f->columns[k].name, "von_mises_pa") == 0)
            return f->columns[k].values;
    return f->stress_ratio;
}

// A fragment keeps its id until its children are smaller; so its id is there once it is apart.
static double age_of(sherd_piece_states *s, int32_t slot, const sherd_fragment *fragment,
                     const sherd_run_frame *f)
{
    bool apart = f->element_fragment[fragment->first] == fragment->id;
    if (!s->started) s->since[slot] = apart ? -INFINITY : NAN;
    if (apart && isnan(s->since[slot])) s->since[slot] = f->time;
    return isfinite(s->since[slot]) ? f->time - s->since[slot] : 0.0;
}

void sherd_piece_states_take(sherd_piece_states *s, const sherd_fragment_view *last,
                             const sherd_run_model *model, const sherd_run_frame *f)
{
    const float *stress = stress_of(f);
    memset(s->items, 0, (size_t)s->count * sizeof *s->items);
    memset(s->momentum, 0, 3 * (size_t)s->count * sizeof *s->momentum);
    for (sherd_element_index e = 0; e < model->element_count; ++e) {
        int32_t slot = last->element_slot[e];
        double *to = s->momentum + 3 * (size_t)slot, mass = model->mass[e];
        to[0] += mass * f->vx[e], to[1] += mass * f->vy[e], to[2] += mass * f->vz[e];
        if (stress != NULL && isfinite(stress[e]))
            s->items[slot].stress = fmax(s->items[slot].stress, (double)stress[e]);
    }
    for (int32_t k = 0; k < s->count; ++k) {
        const double *m = s->momentum + 3 * (size_t)k;
        double mass = last->fragments[k].mass;
        if (mass > 0.0) s->items[k].speed = sqrt(m[0] * m[0] + m[1] * m[1] + m[2] * m[2]) / mass;
        s->items[k].age = age_of(s, k, &last->fragments[k], f);
    }
    s->started = true;
}

// ---------------------------------------------------------------- bending

// A piece is shown with moving vertices, which take some 40 bytes each in every frame, if it leaves
// its rigid motion by so many mean radii, as in the page, and by this share of its size. A body that
// is softened for a quick run (stiffness_scale s) bends 1 / sqrt(s) times as far as its material
// would, at the same speeds: what counts is what the material would do.
static const double BENDING = 0.2, BENDING_SHARE = 0.01;
// At most so many elements, times frames, are in such pieces: some 120 MB. Those that bend least
// for their limit are rigid beyond it.
static const double MAX_BENDING = 4e5;

typedef struct bending_search {
    const sherd_scene *scene;
    const sherd_run_model *model;
    const sherd_fragments *last;
    sherd_fragment_view view;
    sherd_fragment_motion *motion; // of each fragment in the current frame
    double *limit;                 // of each fragment [m]; 0: not known yet
    double *excess;                // largest deviation over the limit, squared
} bending_search;

static double mean_radius(const sherd_run_model *m)
{
    double sum = 0.0;
    for (sherd_element_index e = 0; e < m->element_count; ++e)
        sum += m->radius[e];
    return m->element_count > 0 ? sum / m->element_count : 0.0;
}

static void find_limits(bending_search *s)
{
    const sherd_run_model *m = s->model;
    double radius = mean_radius(m);
    for (int b = 0; b < m->body_count; ++b) {
        const sherd_body_info *body = &m->bodies[b];
        double softened = s->scene->materials[s->scene->bodies[b].material].stiffness_scale;
        for (sherd_element_index e = body->first; e < body->first + body->count; ++e) {
            int32_t slot = s->view.element_slot[e];
            sherd_vec3 c = s->motion[slot].rest_center;
            double x = m->rest_x[e] - c.x, y = m->rest_y[e] - c.y, z = m->rest_z[e] - c.z,
                   size = 2.0 * sqrt(x * x + y * y + z * z),
                   limit = fmax(BENDING * radius, BENDING_SHARE * size) / sqrt(softened);
            s->limit[slot] = fmax(s->limit[slot], limit);
        }
    }
}

static void examine(bending_search *s, const sherd_run_frame *f)
{
    const sherd_run_model *m = s->model;
    bool first = s->view.count > 0 && !(s->limit[0] > 0.0);
    for (int32_t k = 0; k < s->view.count; ++k)
        s->motion[k] = sherd_fragments_motion(s->last, k, m->mass, m->rest_x, m->rest_y, m->rest_z,
                                              f->x, f->y, f->z);
    if (first) find_limits(s);
    for (sherd_element_index e = 0; e < m->element_count; ++e) {
        int32_t slot = s->view.element_slot[e];
        const sherd_fragment_motion *rigid = &s->motion[slot];
        sherd_vec3 c = rigid->rest_center, p = rigid->pose.position;
        sherd_vec3 to =
            quat_rotate(rigid->pose.rotation,
                        (sherd_vec3){m->rest_x[e] - c.x, m->rest_y[e] - c.y, m->rest_z[e] - c.z});
        double x = f->x[e] - p.x - to.x, y = f->y[e] - p.y - to.y, z = f->z[e] - p.z - to.z;
        double limit = s->limit[slot];
        s->excess[slot] = fmax(s->excess[slot], (x * x + y * y + z * z) / (limit * limit));
    }
}

// Those that bend most, as long as they fit.
static bool *choose(const bending_search *s, int64_t frames)
{
    bool *bends = sherd_alloc((size_t)s->view.count, sizeof *bends);
    double elements = 0.0;
    for (bool more = bends != NULL; more;) {
        int32_t most = -1;
        for (int32_t k = 0; k < s->view.count; ++k)
            if (!bends[k] && s->excess[k] > 1.0 && (most < 0 || s->excess[k] > s->excess[most]))
                most = k;
        more = most >= 0;
        if (more) elements += (double)s->view.fragments[most].count * (double)frames;
        more = more && elements <= MAX_BENDING;
        if (more) bends[most] = true;
    }
    return bends;
}

bool *sherd_find_bending(const sherd_format_job *job, const sherd_run_model *model,
                         const sherd_fragments *last, sherd_error *error)
{
    bending_search s = {
        .scene = job->scene, .model = model, .last = last, .view = sherd_fragments_view(last)};
    s.motion = sherd_alloc((size_t)s.view.count, sizeof *s.motion);
    s.excess = sherd_alloc((size_t)s.view.count, sizeof *s.excess);
    s.limit = sherd_alloc((size_t)s.view.count, sizeof *s.limit);
    sherd_status status = SHERD_OK;
    if (s.motion == NULL || s.excess == NULL || s.limit == NULL)
        status = sherd_fail_memory(error, "usd");
    for (int64_t k = job->first; k <= job->last && status == SHERD_OK; ++k) {
        sherd_run_frame *frame = sherd_readable_frame(job->run, k, job->first, job->last, error);
        if (frame != NULL)
            examine(&s, frame);
        else
            status = error->status;
        sherd_run_frame_destroy(frame);
    }
    bool *bends = status == SHERD_OK ? choose(&s, job->last - job->first + 1) : NULL;
    if (status == SHERD_OK && bends == NULL) (void)sherd_fail_memory(error, "usd");
    sherd_free(s.motion);
    sherd_free(s.limit);
    sherd_free(s.excess);
    return bends;
}

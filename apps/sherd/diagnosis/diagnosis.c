#include "diagnosis/diagnosis.h"

#include "diagnosis/diagnosis_overlaps.h"
#include "diagnosis/diagnosis_step.h"
#include "diagnosis/noise_energy.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

// Told from here on: roundings, rest and bounces stay below.
static const double LEAST_BALANCE = 0.005, // of the largest store
    LEAST_RISE = 0.05,                     // of the largest store
    LEAST_OVERLAP = 0.1,                   // of a radius; contacts at rest stay within hundredths
    DEEP_OVERLAP = 0.5, FAR = 10.0,        // of the scene's size
    LEAST_GAIN = 1.1;                      // of the time step

void diagnosis_add(diagnosis *d, sherd_report_level level, const char *format, ...)
{
    if (d->count == MOST_FINDINGS) return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(d->findings[d->count].text, FINDING_TEXT, format, arguments);
    va_end(arguments);
    d->findings[d->count++].level = level;
}

const char *diagnosis_body(const sherd_run_model *model, sherd_element_index element)
{
    for (int b = 0; b < model->body_count; ++b)
        if (element >= model->bodies[b].first &&
            element - model->bodies[b].first < model->bodies[b].count)
            return model->bodies[b].name;
    return "";
}

void diagnosis_say(const diagnosis *d)
{
    for (int k = 0; k < d->count; ++k)
        printf("  %s\n", d->findings[k].text);
}

// What is looked at: the run, its model and every frame's figures.
typedef struct subject {
    sherd_run *run;
    sherd_run_model model;
    const sherd_scene *scene; // or NULL
    int64_t count;            // frames whose figures can be read, stats[k].frame their numbers
    const sherd_run_stats *stats;
} subject;

static sherd_run_frame *read_frame(const subject *s, int64_t k)
{
    sherd_error ignored;
    return sherd_run_read_frame(s->run, s->stats[k].frame, &ignored);
}

// ---------------------------------------------------------------- why nothing broke

static sherd_element_index most_stressed(const sherd_run_model *model, const sherd_run_frame *frame)
{
    sherd_element_index most = 0;
    for (sherd_element_index k = 1; k < model->element_count; ++k)
        if (frame->stress_ratio[k] > frame->stress_ratio[most]) most = k;
    return most;
}

static void tell_unbroken(diagnosis *d, const subject *s)
{
    int64_t last = s->count - 1, peak = 0;
    int64_t before = s->stats[0].frame == 0 ? s->stats[0].broken_bonds : 0; // pre-cracks
    if (s->model.bond_count == 0 || s->stats[last].broken_bonds > before) return;
    for (int64_t k = 1; k <= last; ++k)
        if (s->stats[k].energy.max_stress_ratio > s->stats[peak].energy.max_stress_ratio) peak = k;
    double ratio = s->stats[peak].energy.max_stress_ratio;
    if (!(ratio > 0.0)) {
        diagnosis_add(d, SHERD_REPORT_NOTE,
                      "Nothing broke: no bond was stressed in any frame, or nothing can break");
        return;
    }
    sherd_run_frame *frame = read_frame(s, peak);
    if (frame == NULL) return;
    sherd_element_index k = most_stressed(&s->model, frame);
    diagnosis_add(d, SHERD_REPORT_NOTE,
                  "Nothing broke: of all frames the highest stress is %.2g of the strength, at t = "
                  "%.4g ms in body '%.60s' at (%.4g, %.4g, %.4g) mm%s",
                  ratio, 1e3 * frame->time, diagnosis_body(&s->model, k), 1e3 * frame->x[k],
                  1e3 * frame->y[k], 1e3 * frame->z[k],
                  peak == last && last > 0 ? "; it was still rising at the end" : "");
    sherd_run_frame_destroy(frame);
}

// ---------------------------------------------------------------- why energy rose

static double stores_of(const sherd_energy *e)
{
    return e->kinetic + e->elastic + e->gravity + e->contact;
}

static double largest_store(const subject *s)
{
    double largest = noise_energy(&s->model, s->scene);
    for (int64_t k = 0; k < s->count; ++k) {
        const sherd_energy *e = &s->stats[k].energy;
        largest =
            fmax(largest, fmax(fmax(e->kinetic, e->elastic), fmax(fabs(e->gravity), e->contact)));
    }
    return largest;
}

static void tell_rise(diagnosis *d, const subject *s, double largest)
{
    int64_t top = 0;
    for (int64_t k = 1; k < s->count; ++k)
        if (stores_of(&s->stats[k].energy) > stores_of(&s->stats[top].energy)) top = k;
    const sherd_energy *e = &s->stats[top].energy;
    double rise = stores_of(e) - stores_of(&s->stats[0].energy);
    double work = e->work - s->stats[0].energy.work, given = -e->dissipated_integration;
    if (!(rise > LEAST_RISE * largest)) return;
    if (work > 0.5 * rise)
        diagnosis_add(d, SHERD_REPORT_NOTE,
                      "Energy rose by %.3g J up to t = %.4g ms: drivers and driven obstacles did "
                      "%.3g J of work",
                      rise, 1e3 * s->stats[top].time, work);
    else if (given > 0.5 * rise)
        diagnosis_add(d, SHERD_REPORT_WARNING,
                      "Energy rose by %.3g J up to t = %.4g ms: integration gave %.3g J; a smaller "
                      "`accuracy` or explicit steps give less, or shorter ones of a given length",
                      rise, 1e3 * s->stats[top].time, given);
    else
        diagnosis_add(d, SHERD_REPORT_WARNING,
                      "Energy rose by %.3g J up to t = %.4g ms, of which drivers and driven "
                      "obstacles did %.3g J of work",
                      rise, 1e3 * s->stats[top].time, work);
}

static void tell_balance(diagnosis *d, const subject *s)
{
    int64_t worst = 0;
    for (int64_t k = 1; k < s->count; ++k)
        if (fabs(s->stats[k].energy.balance_error) > fabs(s->stats[worst].energy.balance_error))
            worst = k;
    double error = s->stats[worst].energy.balance_error;
    if (!(fabs(error) > LEAST_BALANCE)) return;
    diagnosis_add(
        d, SHERD_REPORT_WARNING,
        "Energy %s without a cause: %+.2g %% of the largest store at t = %.4g ms; a smaller "
        "`safety` or time step helps",
        error > 0.0 ? "appeared" : "vanished", 100.0 * error, 1e3 * s->stats[worst].time);
}

// ---------------------------------------------------------------- what flew away

typedef struct extent {
    sherd_vec3 centre;
    double size; // diagonal [m]
} extent;

static extent extent_of(const sherd_run_model *m, const sherd_run_frame *f)
{
    sherd_vec3 low = {INFINITY, INFINITY, INFINITY}, high = {-INFINITY, -INFINITY, -INFINITY};
    for (sherd_element_index k = 0; k < m->element_count; ++k) {
        low = (sherd_vec3){fmin(low.x, f->x[k]), fmin(low.y, f->y[k]), fmin(low.z, f->z[k])};
        high = (sherd_vec3){fmax(high.x, f->x[k]), fmax(high.y, f->y[k]), fmax(high.z, f->z[k])};
    }
    double x = high.x - low.x, y = high.y - low.y, z = high.z - low.z;
    return (extent){{0.5 * (low.x + high.x), 0.5 * (low.y + high.y), 0.5 * (low.z + high.z)},
                    sqrt(x * x + y * y + z * z) + 2.0 * m->radius[0]};
}

static void tell_lost(diagnosis *d, const subject *s, const sherd_run_frame *start,
                      const sherd_run_frame *last)
{
    extent e = extent_of(&s->model, start);
    sherd_element_index away = 0, farthest = 0;
    double most = 0.0;
    for (sherd_element_index k = 0; k < s->model.element_count; ++k) {
        double x = last->x[k] - e.centre.x, y = last->y[k] - e.centre.y,
               z = last->z[k] - e.centre.z;
        double way = sqrt(x * x + y * y + z * z);
        away += way > FAR * e.size;
        if (way > most) most = way, farthest = k;
    }
    if (away == 0) return;
    diagnosis_add(
        d, SHERD_REPORT_NOTE,
        "%d of %d elements have left: they are more than %.3g m, ten times the bodies' size, "
        "from where these began; the farthest is of body '%.60s', at (%.4g, %.4g, %.4g) m",
        away, s->model.element_count, FAR * e.size, diagnosis_body(&s->model, farthest),
        last->x[farthest], last->y[farthest], last->z[farthest]);
}

// ---------------------------------------------------------------- what penetrates

static sherd_report_level level_of(double share)
{
    return share > DEEP_OVERLAP ? SHERD_REPORT_WARNING : SHERD_REPORT_NOTE;
}

static void tell_overlaps(diagnosis *d, const subject *s, const sherd_run_frame *start,
                          const sherd_run_frame *f)
{
    overlap o = deepest_among_elements(&s->model, start, f);
    if (o.element >= 0 && o.share > LEAST_OVERLAP)
        diagnosis_add(
            d, level_of(o.share),
            "At t = %.4g ms elements of bodies '%.60s' and '%.60s' are %.3g mm %swithin each "
            "other%s, %.2g of the smaller one's radius: the deepest of that frame",
            1e3 * f->time, diagnosis_body(&s->model, o.element), diagnosis_body(&s->model, o.other),
            1e3 * o.depth, o.began ? "farther " : "", o.began ? " than at the start" : "", o.share);
    if (s->scene == NULL) return;
    o = deepest_in_obstacles(&s->model, start, f, s->scene);
    if (o.element >= 0 && o.share > LEAST_OVERLAP)
        diagnosis_add(
            d, level_of(o.share),
            "At t = %.4g ms an element of body '%.60s' is %.3g mm %swithin obstacle '%.60s'%s, "
            "%.2g of its radius: the deepest of that frame%s",
            1e3 * f->time, diagnosis_body(&s->model, o.element), 1e3 * o.depth,
            o.began ? "farther " : "", s->model.obstacle_names[o.other],
            o.began ? " than at the start" : "", o.share,
            o.share > 1.0 ? "; it passed through the surface" : "");
}

static void tell_start(diagnosis *d, const subject *s, const sherd_run_frame *start)
{
    static const char REST[] = "contact takes that for rest and pushes only what goes deeper";
    overlap o = deepest_among_elements(&s->model, NULL, start);
    if (o.element >= 0 && o.share > LEAST_OVERLAP)
        diagnosis_add(d, level_of(o.share),
                      "Elements of bodies '%.60s' and '%.60s' began %.3g mm within each other, "
                      "%.2g of the smaller one's radius: %s",
                      diagnosis_body(&s->model, o.element), diagnosis_body(&s->model, o.other),
                      1e3 * o.depth, o.share, REST);
    if (s->scene == NULL) return;
    o = deepest_in_obstacles(&s->model, NULL, start, s->scene);
    if (o.element >= 0 && o.share > LEAST_OVERLAP)
        diagnosis_add(d, level_of(o.share),
                      "An element of body '%.60s' began %.3g mm within obstacle '%.60s', %.2g of "
                      "its radius: %s",
                      diagnosis_body(&s->model, o.element), 1e3 * o.depth,
                      s->model.obstacle_names[o.other], o.share, REST);
}

// Frames: the one with most energy in contacts, and the last.
static int64_t most_pressed(const subject *s)
{
    int64_t most = 0;
    for (int64_t k = 1; k < s->count; ++k)
        if (s->stats[k].energy.contact > s->stats[most].energy.contact) most = k;
    return most;
}

static void tell_frames(diagnosis *d, const subject *s)
{
    int64_t pressed = most_pressed(s), last = s->count - 1;
    // What was there before is that of the start, or nothing is known of it.
    sherd_run_frame *start = s->stats[0].frame == 0 ? read_frame(s, 0) : NULL;
    if (start != NULL) tell_start(d, s, start);
    sherd_run_frame *frame = pressed < last ? read_frame(s, pressed) : NULL;
    if (frame != NULL) tell_overlaps(d, s, start, frame);
    sherd_run_frame_destroy(frame);
    frame = last > 0 || start == NULL ? read_frame(s, last) : NULL;
    if (frame != NULL) tell_overlaps(d, s, start, frame);
    if (frame != NULL && start != NULL) tell_lost(d, s, start, frame);
    sherd_run_frame_destroy(frame);
    sherd_run_frame_destroy(start);
}

// ---------------------------------------------------------------- what was never bonded

static int32_t root_of(int32_t *parent, int32_t k)
{
    while (parent[k] != k)
        k = parent[k] = parent[parent[k]];
    return k;
}

// Pieces of one body by the bonds it was given, whether or not they were cut before the start.
static void tell_pieces_of(diagnosis *d, const sherd_run_model *m, int body, int32_t *parent,
                           int32_t *size)
{
    sherd_element_index first = m->bodies[body].first, count = m->bodies[body].count;
    int32_t largest = 0, pieces = 0, single = 0;
    for (sherd_element_index k = 0; k < count; ++k)
        ++size[root_of(parent, first + k)];
    for (sherd_element_index k = first; k < first + count; ++k) {
        pieces += size[k] > 0;
        single += size[k] == 1;
        if (size[k] > largest) largest = size[k];
    }
    if (pieces < 2 || largest < 2) return; // whole, or granules
    diagnosis_add(
        d, SHERD_REPORT_NOTE,
        "Body '%.60s' was %d pieces from the start: %d of its %d elements were never bonded "
        "to the largest, %d of them to nothing",
        m->bodies[body].name, pieces, count - largest, count, single);
}

static void tell_pieces(diagnosis *d, const subject *s)
{
    const sherd_run_model *m = &s->model;
    size_t n = (size_t)m->element_count + 1;
    int32_t *parent = malloc(n * sizeof *parent), *size = calloc(n, sizeof *size);
    if (parent != NULL && size != NULL) {
        for (int32_t k = 0; k < m->element_count; ++k)
            parent[k] = k;
        for (sherd_bond_index k = 0; k < m->bond_count; ++k)
            parent[root_of(parent, m->bond_i[k])] = root_of(parent, m->bond_j[k]);
        for (int b = 0; b < m->body_count; ++b)
            if (s->scene == NULL || b >= s->scene->body_count || !s->scene->bodies[b].is_yarn)
                tell_pieces_of(d, m, b, parent, size);
    }
    free(parent);
    free(size);
}

// ---------------------------------------------------------------- what limits the time step

static void tell_step(diagnosis *d, const subject *s)
{
    if (s->scene == NULL || s->scene->world.method == SHERD_METHOD_IMPLICIT) return;
    step_limit limit = step_limit_find(&s->model, s->scene);
    if (limit.element < 0 || limit.gain < LEAST_GAIN) return;
    sherd_element_index k = limit.element;
    diagnosis_add(
        d, SHERD_REPORT_NOTE,
        "Element %d of body '%.60s' (radius %.3g mm, %.3g mg, at rest at (%.4g, %.4g, %.4g) mm) "
        "limits explicit time steps: without it and the next %d stiffest for their mass they "
        "could be about %.2g times as long",
        k, diagnosis_body(&s->model, k), 1e3 * s->model.radius[k], 1e6 * s->model.mass[k],
        1e3 * s->model.rest_x[k], 1e3 * s->model.rest_y[k], 1e3 * s->model.rest_z[k], limit.next,
        limit.gain);
}

// ---------------------------------------------------------------- all of it

void diagnosis_make(diagnosis *d, sherd_run *run, const sherd_scene *scene)
{
    *d = (diagnosis){0};
    int64_t count = sherd_run_frame_count(run), kept = 0;
    sherd_run_stats *stats = calloc((size_t)count + 1, sizeof *stats);
    subject s = {.run = run, .model = sherd_run_get_model(run), .scene = scene, .stats = stats};
    for (int64_t k = 0; stats != NULL && k < count; ++k) {
        sherd_error damaged;
        if (sherd_run_read_stats(run, k, &stats[kept], &damaged) == SHERD_OK)
            stats[kept++].frame = k;
    }
    s.count = kept;
    if (kept > 0 && s.model.element_count > 0) {
        tell_unbroken(d, &s);
        tell_rise(d, &s, largest_store(&s));
        tell_balance(d, &s);
        tell_frames(d, &s);
        tell_pieces(d, &s);
        tell_step(d, &s);
    }
    free(stats);
}

#include "base/forest.h"
#include "output/diagnosis/diagnosis_escaped.h"
#include "output/diagnosis/diagnosis_missed_obstacles.h"
#include "output/diagnosis/diagnosis_overlaps.h"
#include "output/diagnosis/diagnosis_time_step.h"
#include "output/diagnosis/energy_errors.h"
#include "output/diagnosis/finding.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// Thresholds of findings: rounding errors, material at rest and bounces stay below them.
static const double MIN_BALANCE = 0.005, // of the largest energy
    MIN_RISE = 0.05,                     // of the largest stored energy
    MIN_FRACTION = 0.05, // of the largest stored energy, lost or gained by time integration
    MIN_OVERLAP = 0.1,   // of a radius; contacts at rest stay within hundredths
    DEEP_OVERLAP = 0.5,
                    MIN_GAIN = 1.1; // of the time step

// What is diagnosed: a run, its model, and the statistics of every frame.
typedef struct subject {
    sherd_run *run;
    sherd_run_model model;
    const sherd_scene *scene; // or NULL
    int64_t count;            // readable frames; stats[k].frame is their number
    const sherd_run_stats *stats;
} subject;

static bool has_points(const sherd_scene *scene)
{
    for (int b = 0; scene != NULL && b < scene->body_count; ++b)
        if (sherd_scene_is_of_points(&scene->bodies[b])) return true;
    return false;
}

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

enum { MAX_MISSES = 2 };
static const double MIN_STRESS = 1e-6; // of the strength; smaller stresses are not loads

// Explains why nothing was loaded if no obstacle or body met another. False without a text if they
// met or it is unknown.
static bool why_nothing_met(const subject *s, char text[SHERD_FINDING_TEXT])
{
    sherd_miss list[MAX_MISSES];
    int count = s->scene == NULL ? 0
                                 : sherd_find_misses(s->run, &s->model, s->scene, s->stats,
                                                     s->count, list, MAX_MISSES);
    size_t used = 0;
    char gap[SHERD_LENGTH_TEXT];
    for (int k = 0; k < count && used < SHERD_FINDING_TEXT; ++k)
        used += (size_t)snprintf(text + used, SHERD_FINDING_TEXT - used,
                                 "%sobstacle '%.40s' never touched body '%.40s' (nearest %s, "
                                 "at t = %.4g ms)",
                                 k > 0 ? ", " : "", s->model.obstacle_names[list[k].obstacle],
                                 sherd_finding_body(&s->model, list[k].element),
                                 sherd_length_text(list[k].gap, gap), 1e3 * list[k].time);
    if (count == 0 && s->model.body_count > 1 && sherd_no_contacts_occurred(s->stats, s->count) &&
        !has_points(s->scene))
        snprintf(text, SHERD_FINDING_TEXT, "no body touched another one or an obstacle");
    return text[0] != '\0';
}

static void report_unbroken(sherd_diagnosis *d, const subject *s)
{
    int64_t last = s->count - 1, peak = 0;
    int64_t before = s->stats[0].frame == 0 ? s->stats[0].broken_bonds : 0; // pre-cracks
    if (s->model.bond_count == s->model.glue_count || s->stats[last].broken_bonds > before) return;
    for (int64_t k = 1; k <= last; ++k)
        if (s->stats[k].energy.max_stress_ratio > s->stats[peak].energy.max_stress_ratio) peak = k;
    double ratio = s->stats[peak].energy.max_stress_ratio;
    char reason[SHERD_FINDING_TEXT] = "", but[64] = "";
    if (before > 0)
        snprintf(but, sizeof but, " but the %lld bond%s that the scene cuts", (long long)before,
                 before == 1 ? "" : "s");
    if (why_nothing_met(s, reason) && !(ratio > MIN_STRESS)) {
        sherd_finding_add(d, SHERD_REPORT_NOTE, "Nothing broke%s: %.300s", but, reason);
        return;
    }
    if (!(ratio > 0.0)) {
        sherd_finding_add(d, SHERD_REPORT_NOTE,
                          "Nothing broke%s: no bond was stressed in any frame, or nothing can "
                          "break",
                          but);
        return;
    }
    sherd_run_frame *frame = read_frame(s, peak);
    if (frame == NULL) return;
    sherd_element_index k = most_stressed(&s->model, frame);
    char softened[SHERD_FINDING_TEXT] = "", percent[SHERD_PERCENT_TEXT];
    if (s->stats[last].energy.dissipated_softening > 0.0) // softening between frames is possible
        snprintf(softened, sizeof softened,
                 "; bonds were loaded past their strength at times and have softened, which took "
                 "%.3g J",
                 s->stats[last].energy.dissipated_softening);
    sherd_finding_add(
        d, SHERD_REPORT_NOTE,
        "Nothing broke%s: %.150s%sof all frames the highest stress is %s of the strength, at t = "
        "%.4g ms in body '%.60s' at (%.4g, %.4g, %.4g) mm%s%s",
        but, reason, reason[0] != '\0' ? "; " : "", sherd_percent_text(ratio, percent),
        1e3 * frame->time, sherd_finding_body(&s->model, k), 1e3 * frame->x[k], 1e3 * frame->y[k],
        1e3 * frame->z[k], softened,
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
    double largest = sherd_noise_energy(&s->model, s->scene);
    for (int64_t k = 0; k < s->count; ++k)
        largest = fmax(largest, sherd_largest_store(&s->stats[k].energy));
    return largest;
}

// What lessens the error of time integration. Measured on bars that ring, beams that swing, jelly and
// water: steps of implicit methods follow `accuracy`, not `safety`, and given lengths are Euler's;
// material points lose by their grid, and more often with shorter steps.
static const char *advice_on_integration(const subject *s)
{
    bool given = s->scene != NULL && s->scene->world.time_step > 0.0;
    if (has_points(s->scene))
        return s->scene->world.point_transfer != SHERD_POINT_TRANSFER_AFFINE
                   ? "`transfer: affine` lessens it, and points closer to each other; a shorter "
                     "step "
                     "does not"
                   : "points closer to each other lessen it, a shorter step does not";
    if (s->stats[s->count - 1].implicit_steps > 0)
        return given ? "chosen lengths of steps lessen it (leave out `time_step`), and `method: "
                       "explicit` most"
                     : "a smaller `accuracy` lessens it, and `method: explicit` most";
    return given ? "a smaller `time_step` lessens it" : "a smaller `safety` lessens it";
}

static void report_rise(sherd_diagnosis *d, const subject *s, double largest)
{
    int64_t top = 0;
    for (int64_t k = 1; k < s->count; ++k)
        if (stores_of(&s->stats[k].energy) > stores_of(&s->stats[top].energy)) top = k;
    const sherd_energy *e = &s->stats[top].energy;
    double rise = stores_of(e) - stores_of(&s->stats[0].energy);
    double work = e->work - s->stats[0].energy.work, given = -e->dissipated_integration;
    if (!(rise > MIN_RISE * largest)) return;
    if (work > 0.5 * rise) return; // drivers and driven obstacles did it
    if (given > 0.5 * rise)
        sherd_finding_add(d, SHERD_REPORT_WARNING,
                          "Energy rose by %.3g J up to t = %.4g ms: integration gave %.3g J; %s",
                          rise, 1e3 * s->stats[top].time, given, advice_on_integration(s));
    else
        sherd_finding_add(d, SHERD_REPORT_WARNING,
                          "Energy rose by %.3g J up to t = %.4g ms, of which drivers and driven "
                          "obstacles did %.3g J of work",
                          rise, 1e3 * s->stats[top].time, work);
}

// The account of integration closes the energy balance, so no other check warns of it.
static void report_integration(sherd_diagnosis *d, const subject *s, double largest)
{
    const sherd_run_stats *last = &s->stats[s->count - 1];
    double taken = last->energy.dissipated_integration;
    if (!(fabs(taken) > MIN_FRACTION * largest)) return;
    char percent[SHERD_PERCENT_TEXT];
    sherd_finding_add(d, SHERD_REPORT_WARNING,
                      "The method itself %s %.3g J, %s of the largest stored energy "
                      "(integration): what moves or vibrates %s than its material makes it; %s",
                      taken > 0.0 ? "took" : "gave", fabs(taken),
                      sherd_percent_text(fabs(taken) / largest, percent),
                      taken > 0.0 ? "comes to rest sooner" : "moves longer and faster",
                      advice_on_integration(s));
}

// The energy that a frame's balance is relative to, as of world/measure.c.
static double balance_scale(const sherd_energy *e)
{
    double spent = e->dissipated_bonds + e->dissipated_fracture + e->dissipated_contact +
                   e->dissipated_friction + e->dissipated_softening + e->dissipated_plastic;
    return fmax(sherd_largest_store(e), fmax(spent, fabs(e->work)));
}

// Errors of steps in time come and go with vibrations, most where something just broke, and in
// early frames they are large beside the little energy that there is. Energy that appeared or
// vanished stays missing: what counts is the least of the errors from the worst frame on, of the
// largest energy of all frames.
static void report_balance(sherd_diagnosis *d, const subject *s)
{
    double largest = sherd_noise_energy(&s->model, s->scene), left = INFINITY;
    int64_t worst = 0;
    for (int64_t k = 0; k < s->count; ++k) {
        const sherd_energy *e = &s->stats[k].energy, *most = &s->stats[worst].energy;
        largest = fmax(largest, balance_scale(e));
        if (fabs(e->balance_error) * balance_scale(e) >
            fabs(most->balance_error) * balance_scale(most))
            worst = k;
    }
    double sign = copysign(1.0, s->stats[worst].energy.balance_error), error = 0.0;
    for (int64_t k = worst; k < s->count; ++k) {
        const sherd_energy *e = &s->stats[k].energy;
        double share = e->balance_error * balance_scale(e) / largest;
        if (k == worst) error = share;
        left = fmin(left, sign * share);
    }
    if (!(largest > 0.0) || !(left > MIN_BALANCE)) return;
    char percent[SHERD_PERCENT_TEXT], rest[SHERD_PERCENT_TEXT];
    sherd_finding_add(d, SHERD_REPORT_WARNING,
                      "Energy %s for no known reason: %s%s of the largest energy at t = %.4g ms, "
                      "of which %s are left at the end; a smaller `safety` or time step helps",
                      error > 0.0 ? "appeared" : "vanished", error > 0.0 ? "+" : "",
                      sherd_percent_text(error, percent), 1e3 * s->stats[worst].time,
                      sherd_percent_text(left, rest));
}

// ---------------------------------------------------------------- what mass scaling made of it

// The ratio of inertial forces to loads is that of velocities: a body of stiffness k that
// oscillates with amplitude a about its deflection u has kinetic energy up to k a^2/2, work k
// u^2/2, and forces that are wrong by a factor a/u.
static void report_mass_scaling(sherd_diagnosis *d, const subject *s)
{
    static const double MUCH = 0.1;
    double scaling = s->scene != NULL ? s->scene->world.mass_scaling : 1.0;
    if (!(scaling > 1.0)) return;
    const sherd_energy *start = &s->stats[0].energy;
    double work = 0.0;
    int64_t fastest = 0;
    for (int64_t k = 1; k < s->count; ++k) {
        const sherd_energy *e = &s->stats[k].energy;
        work = fmax(work, (e->work - start->work) - (e->gravity - start->gravity));
        if (e->kinetic > s->stats[fastest].energy.kinetic) fastest = k;
    }
    double kinetic = s->stats[fastest].energy.kinetic, fraction = sqrt(kinetic / work);
    if (kinetic == 0.0) return;
    if (!(fraction < 1.0)) {
        sherd_finding_add(d, SHERD_REPORT_WARNING,
                          "Everything had %.3g times its mass (`mass_scaling`), and at t = %.4g ms "
                          "more kinetic energy than all work done: it is for slow loads, and for "
                          "what hardly falls, and says nothing here",
                          scaling, 1e3 * s->stats[fastest].time);
        return;
    }
    char moving[SHERD_PERCENT_TEXT], off[SHERD_PERCENT_TEXT];
    sherd_finding_add(
        d, fraction > MUCH ? SHERD_REPORT_WARNING : SHERD_REPORT_NOTE,
        "Everything had %.3g times its mass (`mass_scaling`): of the work done, %s was kinetic "
        "energy at t = %.4g ms, so that forces may be off by %s of the largest%s",
        scaling, sherd_percent_text(fraction * fraction, moving), 1e3 * s->stats[fastest].time,
        sherd_percent_text(fraction, off),
        fraction > MUCH ? "; it is for slow loads, and for what hardly falls: a smaller "
                          "`mass_scaling` or slower loads do less"
                        : "");
}

// ---------------------------------------------------------------- what penetrates

static bool is_point(const subject *s, sherd_element_index element)
{
    for (int b = 0; s->scene != NULL && b < s->model.body_count && b < s->scene->body_count; ++b) {
        const sherd_body_info *info = &s->model.bodies[b];
        if (element >= info->first && element - info->first < info->count)
            return sherd_scene_is_of_points(&s->scene->bodies[b]);
    }
    return false;
}

static sherd_report_level level_of(double fraction)
{
    return fraction > DEEP_OVERLAP ? SHERD_REPORT_WARNING : SHERD_REPORT_NOTE;
}

static void report_overlaps(sherd_diagnosis *d, const subject *s, const sherd_run_frame *start,
                            const sherd_run_frame *f)
{
    sherd_overlap o = sherd_deepest_among_elements(s->scene, &s->model, start, f);
    // Points come as near to others as the grid lets them, by a share of its cells.
    bool points = o.element >= 0 && (is_point(s, o.element) || is_point(s, o.other));
    if (o.element >= 0 && o.fraction > (points ? DEEP_OVERLAP : MIN_OVERLAP))
        sherd_finding_add(
            d, level_of(o.fraction),
            "At t = %.4g ms elements of bodies '%.60s' and '%.60s' overlap by %.3g mm%s%s, %.2g of "
            "the smaller one's radius: the deepest of that frame",
            1e3 * f->time, sherd_finding_body(&s->model, o.element),
            sherd_finding_body(&s->model, o.other), 1e3 * o.depth, o.began ? " more" : "",
            o.began ? " than at the start" : "", o.fraction);
    if (s->scene == NULL) return;
    o = sherd_deepest_in_obstacles(&s->model, start, f, s->scene);
    if (o.element < 0) return;
    const char *body = sherd_finding_body(&s->model, o.element),
               *obstacle = s->model.obstacle_names[o.other];
    if (!is_point(s, o.element)) {
        if (!(o.fraction > MIN_OVERLAP)) return;
        sherd_finding_add(
            d, level_of(o.fraction),
            "At t = %.4g ms the sphere of an element of body '%.60s' reaches %.3g mm %sinto "
            "obstacle '%.60s'%s, %.2g of its radius: the deepest of that frame%s",
            1e3 * f->time, body, 1e3 * o.depth, o.began ? "farther " : "", obstacle,
            o.began ? " than at the start" : "", o.fraction,
            o.fraction > 1.0 ? "; it passed through the surface" : "");
    } else if (start != NULL && o.fraction > DEEP_OVERLAP) {
        sherd_finding_add(d, level_of(o.fraction),
                          "At t = %.4g ms a point of body '%.60s' lies %.3g mm %s obstacle "
                          "'%.60s'%s, %.2g of the spacing: the deepest of that frame%s",
                          1e3 * f->time, body, 1e3 * o.depth,
                          o.began ? "deeper in" : "behind the surface of", obstacle,
                          o.began ? " than at the start" : "", 0.5 * o.fraction,
                          o.fraction > 1.0 ? "; it passed through the surface" : "");
    }
}

static void report_start(sherd_diagnosis *d, const subject *s, const sherd_run_frame *start)
{
    static const char REST[] = "contact takes this overlap as the rest state and resists deeper "
                               "ones only";
    sherd_overlap o = sherd_deepest_among_elements(s->scene, &s->model, NULL, start);
    if (o.element >= 0 && o.fraction > MIN_OVERLAP)
        sherd_finding_add(d, level_of(o.fraction),
                          "Elements of bodies '%.60s' and '%.60s' began with an overlap of %.3g "
                          "mm, %.2g of the smaller one's radius: %s",
                          sherd_finding_body(&s->model, o.element),
                          sherd_finding_body(&s->model, o.other), 1e3 * o.depth, o.fraction, REST);
    if (s->scene == NULL) return;
    o = sherd_deepest_in_obstacles(&s->model, NULL, start, s->scene);
    if (o.element >= 0 && o.fraction > MIN_OVERLAP)
        sherd_finding_add(
            d, level_of(o.fraction),
            "The sphere of %s of body '%.60s' began %.3g mm inside obstacle '%.60s', %.2g of its "
            "radius: %s",
            is_point(s, o.element) ? "a point" : "an element",
            sherd_finding_body(&s->model, o.element), 1e3 * o.depth,
            s->model.obstacle_names[o.other], o.fraction, REST);
}

// The frame with the most contact energy; the last frame if there is none.
static int64_t most_pressed(const subject *s)
{
    int64_t most = 0;
    for (int64_t k = 1; k < s->count; ++k)
        if (s->stats[k].energy.contact > s->stats[most].energy.contact) most = k;
    return most;
}

static void report_frames(sherd_diagnosis *d, const subject *s)
{
    int64_t pressed = most_pressed(s), last = s->count - 1;
    // Overlaps at the start are excluded, if the start is known.
    sherd_run_frame *start = s->stats[0].frame == 0 ? read_frame(s, 0) : NULL;
    if (start != NULL) report_start(d, s, start);
    sherd_run_frame *frame = pressed < last ? read_frame(s, pressed) : NULL;
    if (frame != NULL) report_overlaps(d, s, start, frame);
    sherd_run_frame_destroy(frame);
    frame = last > 0 || start == NULL ? read_frame(s, last) : NULL;
    if (frame != NULL) report_overlaps(d, s, start, frame);
    if (frame != NULL && start != NULL)
        sherd_diagnose_escaped(d, &s->model, s->scene, start, frame);
    sherd_run_frame_destroy(frame);
    sherd_run_frame_destroy(start);
}

// ---------------------------------------------------------------- what was never bonded

// Counts pieces of one body that its initial bonds join, including bonds that were cut before the
// start.
static void report_pieces_of(sherd_diagnosis *d, const sherd_run_model *m, int body,
                             int32_t *parent, int32_t *size)
{
    sherd_element_index first = m->bodies[body].first, count = m->bodies[body].count;
    int32_t largest = 0, pieces = 0, single = 0;
    for (sherd_element_index k = 0; k < count; ++k)
        ++size[sherd_find_root(parent, first + k)];
    for (sherd_element_index k = first; k < first + count; ++k) {
        pieces += size[k] > 0;
        single += size[k] == 1;
        if (size[k] > largest) largest = size[k];
    }
    if (pieces < 2 || largest < 2) return; // intact, or loose granules
    sherd_finding_add(
        d, SHERD_REPORT_NOTE,
        "Body '%.60s' was %d pieces from the start: %d of its %d elements were never bonded "
        "to the largest, %d of them to nothing",
        m->bodies[body].name, pieces, count - largest, count, single);
}

static void report_pieces(sherd_diagnosis *d, const subject *s)
{
    const sherd_run_model *m = &s->model;
    size_t n = (size_t)m->element_count + 1;
    int32_t *parent = malloc(n * sizeof *parent), *size = calloc(n, sizeof *size);
    if (parent != NULL && size != NULL) {
        for (int32_t k = 0; k < m->element_count; ++k)
            parent[k] = k;
        for (sherd_bond_index k = 0; k < m->bond_count - m->glue_count; ++k)
            sherd_join_roots(parent, m->bond_i[k], m->bond_j[k]);
        for (int b = 0; b < m->body_count; ++b)
            if (s->scene == NULL || b >= s->scene->body_count || !s->scene->bodies[b].is_yarn)
                report_pieces_of(d, m, b, parent, size);
    }
    free(parent);
    free(size);
}

// ---------------------------------------------------------------- what limits the time step

static void report_step(sherd_diagnosis *d, const subject *s)
{
    if (s->scene == NULL || !sherd_method_describe(s->scene->world.method).explicit_steps) return;
    sherd_step_limit limit = sherd_step_limit_find(&s->model, s->scene);
    if (limit.element < 0 || limit.gain < MIN_GAIN) return;
    sherd_element_index k = limit.element;
    sherd_finding_add(
        d, SHERD_REPORT_NOTE,
        "Element %d of body '%.60s' (radius %.3g mm, %.3g mg, at rest at (%.4g, %.4g, %.4g) mm) "
        "limits explicit time steps: without it and the next %d stiffest for their mass they "
        "could be about %.3g times as long",
        k, sherd_finding_body(&s->model, k), 1e3 * s->model.radius[k], 1e6 * s->model.mass[k],
        1e3 * s->model.rest_x[k], 1e3 * s->model.rest_y[k], 1e3 * s->model.rest_z[k], limit.next,
        limit.gain);
}

// ---------------------------------------------------------------- what implicit steps left undone

// True if friction and the contacts that limit it are too weak to matter: neighbours of one body
// that are not bonded to each other touch a little wherever it bends.
static bool is_friction_negligible(const subject *s, double largest)
{
    static const double LITTLE = 1e-4;
    double pressed = 0.0, strained = 0.0;
    for (int64_t k = 0; k < s->count; ++k) {
        pressed = fmax(pressed, s->stats[k].energy.contact);
        strained = fmax(strained, s->stats[k].energy.elastic);
    }
    double rubbed = fabs(s->stats[s->count - 1].energy.dissipated_friction);
    return pressed < LITTLE * strained && rubbed < LITTLE * largest;
}

static void report_unsettled(sherd_diagnosis *d, const subject *s, double largest)
{
    const sherd_run_stats *last = &s->stats[s->count - 1];
    if (last->unsettled_steps == 0) return;
    if (s->scene != NULL && s->scene->world.optimizer != SHERD_STEP_OPTIMIZER_NEWTON) {
        sherd_finding_add(d, SHERD_REPORT_NOTE,
                          "%lld of %lld implicit steps were accepted before their unbalanced force "
                          "was down to a tenth of `accuracy`",
                          (long long)last->unsettled_steps, (long long)last->implicit_steps);
        return;
    }
    if (is_friction_negligible(s, largest)) return;
    sherd_finding_add(d, SHERD_REPORT_NOTE,
                      "In %lld of %lld implicit steps friction did not converge: normal forces "
                      "that cap it still changed by more than 2 %% of the largest after twelve "
                      "rounds",
                      (long long)last->unsettled_steps, (long long)last->implicit_steps);
}

// ---------------------------------------------------------------- all of it

void sherd_diagnosis_make(sherd_diagnosis *d, sherd_run *run, const sherd_scene *scene)
{
    *d = (sherd_diagnosis){0};
    int64_t count = sherd_run_frame_count(run), retained = 0;
    sherd_run_stats *stats = calloc((size_t)count + 1, sizeof *stats);
    subject s = {.run = run, .model = sherd_run_get_model(run), .scene = scene, .stats = stats};
    for (int64_t k = 0; stats != NULL && k < count; ++k) {
        sherd_error damaged;
        if (sherd_run_read_stats(run, k, &stats[retained], &damaged) == SHERD_OK)
            stats[retained++].frame = k;
    }
    s.count = retained;
    if (retained > 0 && s.model.element_count > 0) {
        report_unbroken(d, &s);
        double largest = largest_store(&s);
        report_rise(d, &s, largest);
        report_integration(d, &s, largest);
        report_balance(d, &s);
        report_mass_scaling(d, &s);
        report_frames(d, &s);
        report_pieces(d, &s);
        report_step(d, &s);
        report_unsettled(d, &s, largest);
    }
    free(stats);
}

#include "packing/lattice/fit_lattice.h"

#include "base/error.h"
#include "math/vec3.h"

#include <stdio.h>

enum { PHASES = 4 }; // offsets tried along each axis

// A sphere may protrude from the surface by this fraction of r: for rounding, and meshes with flat
// faces.
static const double SLACK_SHARE = 1e-3;

// ---- Radius and number of layers ------------------------------------------------------------

// Radius at which `layers` touching layers are exactly `thickness` thick.
static double radius_for_layers(double thickness, int layers, double layer_spacing)
{
    return thickness / (2.0 + (layers - 1) * layer_spacing);
}

static double clamp(double x, double low, double high)
{
    return fmin(fmax(x, low), high);
}

// The radius nearest to the requested one at which whole layers fit; if it is out of tolerance, as
// many layers as fit, with the radius that fills the thickness best.
static double choose_radius(const sherd_packing_def *def, double thickness, int *layers)
{
    double spacing = sherd_lattice_layer_spacing(def->kind), r = def->radius;
    double smallest = r * (1.0 - def->radius_tolerance);
    double largest = r * (1.0 + def->radius_tolerance);
    if (*layers == 0) {
        double exact = clamp((thickness / r - 2.0) / spacing + 1.0, 1.0, 1e9);
        int fewer = (int)(exact + 1e-9);
        double wide = radius_for_layers(thickness, fewer, spacing);
        double narrow = radius_for_layers(thickness, fewer + 1, spacing);
        bool narrow_fits = narrow >= smallest * (1.0 - 1e-9);
        *layers = narrow_fits && r - narrow < fabs(wide - r) ? fewer + 1 : fewer;
        if (wide > largest && narrow_fits) *layers = fewer + 1;
    }
    return clamp(radius_for_layers(thickness, *layers, spacing), smallest, largest);
}

static sherd_status refuse_size(const sherd_packing_def *def, double largest, sherd_error *error)
{
    sherd_status status =
        sherd_fail(error, SHERD_ERROR_INPUT, "packing.radius", NULL,
                   "no element of radius %g m fits inside the shape", def->radius);
    if (error != NULL)
        snprintf(error->hint, sizeof error->hint, "the largest radius that fits is %.4g m",
                 largest);
    return status;
}

static sherd_status refuse_layers(const sherd_packing_def *def, double thickness,
                                  sherd_error *error)
{
    double fits = radius_for_layers(thickness, def->layers, sherd_lattice_layer_spacing(def->kind));
    sherd_status status = sherd_fail(error, SHERD_ERROR_INPUT, "packing.layers", NULL,
                                     "%d layers of radius %g m do not fit into a thickness of %g m",
                                     def->layers, def->radius, thickness);
    if (error != NULL)
        snprintf(error->hint, sizeof error->hint,
                 "the largest radius for %d layers is %.4g m; or use fewer layers", def->layers,
                 fits);
    return status;
}

// Estimated from the volume, before filling: the estimate of the cells' fraction is so low that no
// shape is rejected that would have fitted by more than the walls' empty rims.
static sherd_status check_count(const sherd_packing_def *def, const sherd_shape_analysis *analysis,
                                double r, sherd_error *error)
{
    double height = analysis->high.z - analysis->low.z;
    double spacing = sherd_lattice_layer_spacing(def->kind) * r;
    double share = def->layers > 0 ? fmin(1.0, def->layers * spacing / height) : 1.0;
    double limit = fmin((double)def->max_elements, (double)INT32_MAX);
    double count = share * analysis->volume / (sherd_lattice_cell_volume(def->kind) * r * r * r);
    if (count <= limit) return SHERD_OK;
    sherd_status status = sherd_fail(error, SHERD_ERROR_INPUT, "packing.radius", NULL,
                                     "about %.3g elements of radius %g m would be needed, "
                                     "the limit (max_elements) is %.0f",
                                     count, r, limit);
    if (error != NULL)
        snprintf(
            error->hint, sizeof error->hint,
            "use a radius of at least %.3g m, or raise max_elements; a mesh may lack its scale",
            1.005 * def->radius * cbrt(count / limit));
    return status;
}

// ---- Phase along one axis of a flat shape ---------------------------------------------------

// Rows (or sites within rows) of two families with the same period, one shifted against the other.
typedef struct family_pair {
    double period, shift; // [m]
    double weight[2];     // number of elements in a row of each family
} family_pair;

// Rows of a family at start, start + period, ... within [0, extent].
static double rows_within(double start, double period, double extent)
{
    double tiny = 1e-9 * period;
    double first = ceil((-start - tiny) / period), last = floor((extent - start + tiny) / period);
    return fmax(last - first + 1.0, 0.0);
}

static double weighted_rows(const family_pair *pair, double start, double extent)
{
    return pair->weight[0] * rows_within(start, pair->period, extent) +
           pair->weight[1] * rows_within(start + pair->shift, pair->period, extent);
}

static double wrap(double x, double period)
{
    return x - period * floor(x / period + 1e-12);
}

// Shifts `start` so that the gaps at both ends are equal.
static double centred(const family_pair *pair, double start, double extent)
{
    double low = extent, high = 0.0;
    for (int f = 0; f < 2; ++f) {
        if (pair->weight[f] == 0.0) continue;
        double first = wrap(start + f * pair->shift, pair->period);
        if (first > extent * (1.0 + 1e-9)) continue;
        double count = rows_within(first, pair->period, extent);
        low = fmin(low, first);
        high = fmax(high, first + (count - 1.0) * pair->period);
    }
    return start + 0.5 * ((extent - high) - low);
}

// The position of the first row of the first family, in [0, period), with which most rows fit into
// `extent`.
static double best_start(const family_pair *pair, double extent)
{
    double candidate[4] = {0.0, wrap(-pair->shift, pair->period), wrap(extent, pair->period),
                           wrap(extent - pair->shift, pair->period)};
    double best = candidate[0], most = -1.0;
    for (int k = 0; k < 4; ++k) {
        double rows = weighted_rows(pair, candidate[k], extent);
        if (rows <= most) continue;
        most = rows;
        best = candidate[k];
    }
    return centred(pair, best, extent);
}

// The phase in which most elements fit a box, with equal gaps at opposite faces.
static sherd_vec3 box_phase(const sherd_lattice *lattice, const sherd_shape_analysis *analysis,
                            int layers)
{
    double r = lattice->radius, period = sherd_lattice_row_spacing(lattice->kind) * r;
    sherd_vec3 extent =
        vec3_sub(vec3_sub(analysis->high, analysis->low), vec3(2 * r, 2 * r, 2 * r));
    bool close = lattice->kind != SHERD_PACKING_CUBIC;
    double upper = close ? layers / 2 : 0; // layers shifted into the hollows
    family_pair rows = {period, close ? period / 3.0 : 0.0, {layers - upper, upper}};
    double v = best_start(&rows, extent.y);
    // Rows alternate along u; in the first layer the even ones are unshifted.
    double in_layer = rows_within(v, period, extent.y);
    double even = ceil(0.5 * in_layer), odd = close ? in_layer - even : 0.0;
    family_pair sites = {2.0 * r, close ? r : 0.0, {even, odd}};
    double u = best_start(&sites, extent.x);
    double stack = (layers - 1) * sherd_lattice_layer_spacing(lattice->kind) * r;
    double w = 0.5 * (extent.z - stack);
    return vec3_add(vec3_add(analysis->low, vec3(r, r, r)), vec3(u, v, w));
}

// ---- Phase of any other shape: tried out ----------------------------------------------------

typedef struct search {
    const sherd_shape *shape;
    const sherd_shape_analysis *analysis;
    const sherd_packing_def *def;
    sherd_lattice_fit *fit;
    double best;      // best score so far
    sherd_vec3 phase; // its phase
} search;

// Score: volume match, minus a tenth of the mean gap (in radii) at the surface.
static sherd_status try_phase(search *s, sherd_vec3 phase, sherd_error *error)
{
    sherd_lattice *lattice = &s->fit->lattice;
    sherd_lattice_count count;
    lattice->phase = phase;
    sherd_status status =
        sherd_lattice_fill(lattice, s->shape, s->fit->slack, s->def->threads, &count, NULL, error);
    if (status != SHERD_OK) return status;
    double r = lattice->radius, cell = sherd_lattice_cell_volume(lattice->kind) * r * r * r;
    double score = (double)count.sites * cell / s->analysis->volume - 0.1 * count.surface_gap / r;
    if (count.sites == 0) score = -1.0;
    if (score > s->best + 1e-9) {
        s->best = score;
        s->phase = phase;
    }
    return SHERD_OK;
}

// Touching the low face, then a site at the middle, then the middle between two sites.
static void axis_phases(double low, double high, double r, double period, double out[PHASES])
{
    double middle = 0.5 * (low + high);
    out[0] = low + r;
    out[1] = middle;
    out[2] = middle + 0.5 * period;
    out[3] = middle + 0.25 * period;
}

static sherd_status search_phase(search *s, bool layers_are_fixed, sherd_error *error)
{
    const sherd_lattice *lattice = &s->fit->lattice;
    double r = lattice->radius, u[PHASES], v[PHASES], w[PHASES];
    sherd_vec3 low = s->analysis->low, high = s->analysis->high;
    axis_phases(low.x, high.x, r, 2.0 * r, u);
    axis_phases(low.y, high.y, r, sherd_lattice_row_spacing(lattice->kind) * r, v);
    axis_phases(low.z, high.z, r, sherd_lattice_layer_spacing(lattice->kind) * r, w);
    // The work is limited: for large bodies, whose phase matters little, fewer offsets are tried.
    double cell = sherd_lattice_cell_volume(lattice->kind) * r * r * r;
    double tries = 4e6 / (s->analysis->volume / cell);
    int in_plane = tries >= 64.0 ? PHASES : tries >= 8.0 ? 2 : 1;
    int across = layers_are_fixed ? 1 : tries >= 64.0 ? 3 : 1;
    sherd_status status = SHERD_OK;
    sherd_vec3 first = s->phase;
    for (int n = 0; n < in_plane * in_plane * across && status == SHERD_OK; ++n) {
        sherd_vec3 phase = vec3(u[n % in_plane], v[n / in_plane % in_plane],
                                layers_are_fixed ? first.z : w[n / (in_plane * in_plane)]);
        status = try_phase(s, phase, error);
    }
    // A site at the deepest point: succeeds whenever a sphere fits.
    if (status == SHERD_OK && lattice->layers == 0)
        status = try_phase(s, sherd_frame_to_local(&lattice->frame, s->analysis->deepest), error);
    return status;
}

static sherd_status choose_phase(search *s, sherd_error *error)
{
    sherd_lattice_fit *fit = s->fit;
    fit->lattice.phase = box_phase(&fit->lattice, s->analysis, fit->layers);
    if (s->analysis->is_box) return SHERD_OK;
    s->phase = fit->lattice.phase;
    s->best = -1.0;
    sherd_status status = try_phase(s, s->phase, error);
    if (status == SHERD_OK)
        status = search_phase(s, fit->is_flat || fit->lattice.layers > 0, error);
    fit->lattice.phase = s->phase;
    return status;
}

sherd_status sherd_fit_lattice(const sherd_shape *shape, const sherd_shape_analysis *analysis,
                               const sherd_packing_def *def, sherd_lattice_fit *fit,
                               sherd_error *error)
{
    double height = analysis->high.z - analysis->low.z, smallest = 1.0 - def->radius_tolerance;
    *fit = (sherd_lattice_fit){.layers = def->layers};
    // 1 % is the error of the sampled extent.
    fit->is_flat =
        analysis->is_box || (analysis->wall_is_uniform && analysis->wall > 0.99 * height);
    // Layers are counted across the wall if there is one: clearly thinner than the whole, and
    // nearly nowhere thicker. Most of a bar is nearer to a face than its middle is, which does not
    // make it a wall.
    bool is_walled = analysis->wall < 0.6 * height && analysis->wall > 1.6 * analysis->depth_max;
    bool follow_wall =
        !analysis->is_box && def->layers == 0 && (analysis->wall_is_uniform || is_walled);
    double thickness = follow_wall ? analysis->wall : height;
    if (def->radius * smallest > analysis->depth_max * (1.0 + SLACK_SHARE))
        return refuse_size(def, analysis->depth_max, error);
    double r = choose_radius(def, thickness, &fit->layers);
    double stack = (2.0 + (fit->layers - 1) * sherd_lattice_layer_spacing(def->kind)) * r;
    if (def->layers > 0 && stack > height * (1.0 + SLACK_SHARE))
        return refuse_layers(def, height, error);
    r = fmin(r, analysis->depth_max);
    fit->slack = SLACK_SHARE * r;
    fit->lattice = (sherd_lattice){.kind = def->kind,
                                   .frame = analysis->frame,
                                   .radius = r,
                                   .low = analysis->low,
                                   .high = analysis->high,
                                   .layers = def->layers};
    sherd_status status = check_count(def, analysis, r, error);
    if (status != SHERD_OK) return status;
    search s = {.shape = shape, .analysis = analysis, .def = def, .fit = fit};
    return choose_phase(&s, error);
}

// The stiffness of a body: a piece from its middle is gripped, pulled and bent both ways like a
// test bar, with its own elements and bonds, statically, by the solver of implicit steps.
//
//        ______________________________
//       |____|____________________|____|    at least twice as long as the section is wide
//        grip                      grip
#include "base/error.h"
#include "base/memory.h"
#include "calibration/elastic_test.h"
#include "calibration/homogenise.h"
#include "calibration/section.h"
#include "calibration/yield_test.h"
#include "math/vec3.h"
#include "packing/packing_alloc.h"

#include <math.h>

static const double LONG = 3.0, MIN_LONG = 2.0; // between the grips, of the longer side
static const double GRIPS = 8.0;                // both, in radii
static const double EVEN = 0.1; // largest relative difference of sections from the mean

// Limits for the elements of a piece. With 100 000 bonds, as in close packing, the three loads take
// a second. Thin bars are lengthened up to FEW elements.
enum { MAX_ELEMENTS = 20000, FEW = 5000 };

// The loaded piece, along x, in units in which the mean radius is that of test bars.
typedef struct piece {
    const sherd_packing *body;
    sherd_section section;
    sherd_vec3 centre; // of the elements' solid
    double length;     // [m]
    double scale;
    int32_t *index; // index in the piece, -1: outside    (body's elements)
    size_t elements, bonds;
} piece;

static sherd_vec3 at(const sherd_packing *p, int32_t k)
{
    return vec3(p->x[k], p->y[k], p->z[k]);
}

// ---------------------------------------------------------------- which piece

static double mean_radius(const sherd_packing *body)
{
    return cbrt(0.75 * body->shape_volume / body->count / 3.14159265358979323846);
}

// The longest extent of the elements' centres along a principal axis.
static double longest_axis(const sherd_packing *body, sherd_vec3 *along, double *low, double *high)
{
    sherd_vec3 axis[3];
    double longest = -1.0;
    sherd_body_axes(body, axis);
    for (int a = 0; a < 3; ++a) {
        double least = INFINITY, most = -INFINITY;
        for (int32_t k = 0; k < body->count; ++k) {
            double x = vec3_dot(axis[a], at(body, k));
            least = fmin(least, x), most = fmax(most, x);
        }
        if (!(most - least > longest)) continue;
        longest = most - least;
        *along = axis[a], *low = least, *high = most;
    }
    return longest;
}

static double along_piece(const piece *p, int32_t k)
{
    return vec3_dot(p->section.axis[0], vec3_sub(at(p->body, k), p->centre));
}

static void choose_elements(piece *p)
{
    p->elements = 0;
    for (int32_t k = 0; k < p->body->count; ++k) {
        bool inside = fabs(along_piece(p, k)) <= 0.5 * p->length;
        p->index[k] = inside ? (int32_t)p->elements++ : -1;
    }
}

static bool keeps_bond(const piece *p, sherd_bond_index b)
{
    return p->index[p->body->bond_i[b]] >= 0 && p->index[p->body->bond_j[b]] >= 0;
}

// Bending is about the centroid of the elements' solid, not about that of the shape.
static void find_centre(piece *p, double middle)
{
    sherd_vec3 sum = {0};
    double half = 0.5 * p->length, n = 0.0;
    for (int32_t k = 0; k < p->body->count; ++k) {
        sherd_vec3 x = at(p->body, k);
        if (fabs(vec3_dot(p->section.axis[0], x) - middle) > half) continue;
        double r = p->body->radius[k], weight = p->body->volume ? p->body->volume[k] : r * r * r;
        sum = vec3_add_scaled(sum, weight, x), n += weight;
    }
    sum = vec3_scale(1.0 / n, sum);
    double off = middle - vec3_dot(p->section.axis[0], sum);
    p->centre = vec3_add_scaled(sum, off, p->section.axis[0]);
}

static void set_length(piece *p, double middle, double length)
{
    p->length = length;
    find_centre(p, middle);
    choose_elements(p);
}

// Tests the middle half of the piece, where strains are measured. Bending moments are constant
// along it.
static bool is_even(piece *p, const sherd_shape *shape, double middle)
{
    double quarter = 0.25 * p->length;
    sherd_vec3 along = p->section.axis[0];
    return sherd_section_measure(shape, along, middle - quarter, middle + quarter, &p->section) &&
           p->section.unevenness <= EVEN;
}

// Returns NULL, or the reason why the body has no such piece.
static const char *choose_piece(piece *p, const sherd_shape *shape)
{
    double low = 0.0, high = 0.0, r = mean_radius(p->body);
    sherd_vec3 along = {0};
    double longest = longest_axis(p->body, &along, &low, &high), middle = 0.5 * (low + high);
    if (!sherd_section_measure(shape, along, middle - 0.25 * longest, middle + 0.25 * longest,
                               &p->section))
        return "there is nothing in its middle";
    double side = p->section.high[1] - p->section.low[1];
    double least = MIN_LONG * side + GRIPS * r, wanted = LONG * side + GRIPS * r;
    if (longest < least) return "it is not twice as long as it is wide, beside room for grips";
    set_length(p, middle, longest);
    // For thin bars a longer piece is better.
    if (p->elements > FEW) set_length(p, middle, fmax(longest * FEW / (double)p->elements, wanted));
    if (p->length > wanted && !is_even(p, shape, middle)) set_length(p, middle, wanted);
    set_length(p, middle, fmin(p->length, longest));
    if (p->elements > MAX_ELEMENTS) // shorter, as far as allowed
        set_length(p, middle, fmax(p->length * MAX_ELEMENTS / (double)p->elements, least));
    if (p->elements > MAX_ELEMENTS) return "it is too thick for that to be found in a second";
    return is_even(p, shape, middle) ? NULL
                                     : "its section is not the same along its longest extent";
}

// ---------------------------------------------------------------- as a test bar

static void copy_elements(const piece *p, sherd_packing *to)
{
    for (int32_t k = 0; k < p->body->count; ++k) {
        int32_t n = p->index[k];
        if (n < 0) continue;
        sherd_vec3 x = vec3_scale(p->scale, vec3_sub(at(p->body, k), p->centre));
        to->x[n] = vec3_dot(p->section.axis[0], x);
        to->y[n] = vec3_dot(p->section.axis[1], x);
        to->z[n] = vec3_dot(p->section.axis[2], x);
        to->radius[n] = p->scale * p->body->radius[k];
    }
}

static bool copy_bonds(piece *p, sherd_packing *to)
{
    const sherd_packing *body = p->body;
    p->bonds = 0;
    if (body->bond_i == NULL) return true;
    for (sherd_bond_index b = 0; b < body->bond_count; ++b)
        p->bonds += keeps_bond(p, b);
    if (!sherd_packing_alloc_bonds(to, p->bonds)) return false;
    if (body->bond_section != NULL) {
        to->bond_section = sherd_alloc(p->bonds, sizeof *to->bond_section);
        if (to->bond_section == NULL) return false;
    }
    for (sherd_bond_index b = 0; b < body->bond_count; ++b) {
        if (!keeps_bond(p, b)) continue;
        sherd_bond_index n = to->bond_count++;
        to->bond_i[n] = p->index[body->bond_i[b]];
        to->bond_j[n] = p->index[body->bond_j[b]];
        if (body->bond_section != NULL)
            to->bond_section[n] = p->scale * p->scale * body->bond_section[b];
    }
    return true;
}

static sherd_packing *pack(piece *p)
{
    sherd_packing *to = sherd_alloc(1, sizeof *to);
    if (to == NULL) return NULL;
    if (!sherd_packing_alloc(to, p->elements, false) || !copy_bonds(p, to)) {
        sherd_packing_destroy(to);
        return NULL;
    }
    copy_elements(p, to);
    return to;
}

static sherd_status make_bar(piece *p, double bond_reach, int threads, sherd_bar *bar,
                             sherd_error *error)
{
    *bar = (sherd_bar){.fill = 1.0, .bond_reach = bond_reach, .own = true, .threads = threads};
    bar->size[0] = p->scale * p->length;
    for (int a = 1; a < 3; ++a)
        bar->size[a] = p->scale * (p->section.high[a] - p->section.low[a]);
    bar->packing = pack(p);
    if (bar->packing == NULL) return sherd_fail_memory(error, "a test bar");
    bar->packing->shape_volume = bar->size[0] * bar->size[1] * bar->size[2];
    return bar->packing->bond_i != NULL ? sherd_bar_even_out(bar, error) : SHERD_OK;
}

// A quarter turn about x: bending along y becomes bending along -z.
static void turn_bar(sherd_bar *bar)
{
    sherd_packing *p = bar->packing;
    for (int32_t k = 0; k < p->count; ++k) {
        double y = p->y[k];
        p->y[k] = p->z[k];
        p->z[k] = -y;
    }
    double side = bar->size[1];
    bar->size[1] = bar->size[2], bar->size[2] = side;
}

// ---------------------------------------------------------------- loading it

// Does nothing unless the bonds yield.
static sherd_status let_flow(const sherd_bar *bar, const sherd_stiffness_task *task,
                             const sherd_elastic_bonds *elastic, const sherd_elastic_result *pulled,
                             double section, sherd_body_stiffness_result *out, sherd_error *error)
{
    const sherd_material_def *m = task->bonds;
    if (!(task->yield_stress > 0.0) || !isfinite(task->yield_stress) || !isfinite(m->yield_stress))
        return SHERD_OK;
    // Bodies that do not harden may localise plastic flow.
    static const double MIN_HARDENING = 0.002;
    sherd_yield_bonds bonds = {*elastic,
                               fmax(m->hardening_modulus / m->youngs_modulus, MIN_HARDENING),
                               m->weibull_modulus};
    sherd_yield_result r;
    sherd_status status = sherd_yield_test(bar, &bonds, pulled, &r, NULL, error);
    if (status != SHERD_OK) return status;
    out->yield = r.yield * m->yield_stress / task->yield_stress * section;
    out->hardening = r.hardening * m->youngs_modulus * section;
    return SHERD_OK;
}

static sherd_status load(sherd_bar *bar, const piece *p, const sherd_elastic_bonds *bonds,
                         const sherd_stiffness_task *task, sherd_body_stiffness_result *out,
                         sherd_error *error)
{
    sherd_elastic_result r;
    double youngs_modulus = task->bonds->youngs_modulus / task->youngs_modulus;
    double scale4 = pow(p->scale, 4.0), area = p->scale * p->scale * p->section.area;
    double section = sherd_bar_section(bar) / area; // of the bar's box over that of the shape
    sherd_status status = sherd_elastic_test(bar, bonds, SHERD_BAR_PULL, &r, NULL, error);
    out->tension = youngs_modulus * r.modulus * section;
    if (status == SHERD_OK) status = let_flow(bar, task, bonds, &r, section, out, error);
    for (int a = 0; a < 2 && status == SHERD_OK; ++a) {
        if (a == 1) turn_bar(bar);
        status = sherd_elastic_test(bar, bonds, SHERD_BAR_BEND, &r, NULL, error);
        out->bending[a] =
            youngs_modulus * r.modulus * sherd_bar_bending(bar) / (scale4 * p->section.second[a]);
    }
    return status;
}

static sherd_status measure(piece *p, const sherd_stiffness_task *task,
                            sherd_body_stiffness_result *out, sherd_error *error)
{
    p->index = sherd_alloc((size_t)p->body->count, sizeof *p->index);
    if (p->index == NULL) return sherd_fail_memory(error, "a test bar");
    out->reason = choose_piece(p, task->shape);
    if (out->reason != NULL) return SHERD_OK;
    out->elements = (int)p->elements;
    for (int a = 0; a < 3; ++a)
        out->axis[a] = p->section.axis[a];
    out->thickness =
        fmin(p->section.high[1] - p->section.low[1], p->section.high[2] - p->section.low[2]);
    sherd_bar bar;
    sherd_status status = make_bar(p, task->bond_reach, task->threads, &bar, error);
    const sherd_material_def *bonds = task->bonds;
    bool at_rest = sherd_bond_law_describe(bonds->law)->has_energy;
    const sherd_elastic_bonds elastic = {
        .law = at_rest ? bonds->law : sherd_material_def_default().law,
        .shear_correction = bonds->shear_correction,
        .bond_radius = bonds->bond_radius,
        .breakage = SHERD_BREAKAGE_NONE,
        .g = bonds->shear_modulus / bonds->youngs_modulus,
        .shear_weight = 1.0,
    };
    if (status == SHERD_OK) status = load(&bar, p, &elastic, task, out, error);
    if (bar.packing != NULL) sherd_bar_free(&bar);
    if (status == SHERD_OK || status == SHERD_ERROR_MEMORY) return status;
    sherd_error_clear(error); // only the forecast fails
    out->reason = "its bonds do not hold its middle together";
    return SHERD_OK;
}

sherd_status sherd_calibration_stiffness(const sherd_stiffness_task *task,
                                         sherd_body_stiffness_result *out, sherd_error *error)
{
    sherd_error_clear(error);
    *out = (sherd_body_stiffness_result){0};
    if (task->shape == NULL) {
        out->reason = "it has no shape to be compared with";
        return SHERD_OK;
    }
    piece p = {.body = task->body, .scale = SHERD_BAR_RADIUS / mean_radius(task->body)};
    sherd_status status = measure(&p, task, out, error);
    sherd_free(p.index);
    return status;
}

#include "calibration/cut.h"

#include "base/assertion.h"
#include "base/error.h"
#include "base/memory.h"
#include "calibration/homogenise.h"
#include "geometry/box_clip.h"
#include "geometry/tetra/tetra_mesh.h"
#include "packing/packing_alloc.h"

#include <math.h>

// A body slightly wider than test bars is used as a whole: the effect of cutting is larger than
// that of size.
static const double WHOLE = 1.3;

// Smallest width and length of bars that are cut out, in radii.
static const double NARROWEST = 7.5, SHORTEST = 20.0;
static const double LONG = 4.0, MIN_LONG = 2.0; // in units of the width
static const double AS_LONG = 0.8;   // extents of a body that are tried, relative to the longest
static const double NARROWER = 0.87; // width from one trial to the next

// The section of a bar is uniform if the volume of each sixth of its length is within this fraction
// of the mean. A bar that was cut must fill at least this fraction of its box; whole bodies need
// not, and in torsion are treated as rectangles of their area.
enum { SLICES = 6 };
static const double EVEN = 0.1, MIN_FILL = 0.7;

// Bonds with less than this fraction of their face in the box are omitted.
static const double MIN_FRACTION = 0.02;

// ---------------------------------------------------------------- the body as the bar sees it

// The body with its longest extent along x, the next along y and the shortest along z, scaled so
// that its mean radius is that of bars.
typedef struct view {
    const sherd_packing *body;
    sherd_vec3 axis[3];
    double scale;
    sherd_clip_box bounds;
} view;

static sherd_vec3 seen(const view *v, sherd_vec3 p)
{
    return vec3(v->scale * vec3_dot(v->axis[0], p), v->scale * vec3_dot(v->axis[1], p),
                v->scale * vec3_dot(v->axis[2], p));
}

static sherd_clip_box bounds_of(const view *v)
{
    sherd_clip_box b = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    const sherd_tetra_mesh *mesh = v->body->tetra;
    for (int32_t k = 0; k < mesh->vertex_count; ++k) {
        sherd_vec3 p = seen(v, tetra_vertex(mesh, k));
        const double x[3] = {p.x, p.y, p.z};
        for (int a = 0; a < 3; ++a)
            b.low[a] = fmin(b.low[a], x[a]), b.high[a] = fmax(b.high[a], x[a]);
    }
    return b;
}

static double extent(const sherd_clip_box *box, int axis)
{
    return box->high[axis] - box->low[axis];
}

static view view_along(const sherd_packing *body, const sherd_vec3 axis[3])
{
    double each = body->shape_volume / body->count;
    view v = {.body = body,
              .axis = {axis[0], axis[1], axis[2]},
              .scale = SHERD_BAR_RADIUS / cbrt(0.75 * each / M_PI)};
    v.bounds = bounds_of(&v);
    int order[3] = {0, 1, 2};
    for (int k = 1; k < 3; ++k)
        for (int at = k; at > 0 && extent(&v.bounds, order[at]) > extent(&v.bounds, order[at - 1]);
             --at) {
            int swap = order[at];
            order[at] = order[at - 1], order[at - 1] = swap;
        }
    v.axis[0] = axis[order[0]];
    v.axis[1] = axis[order[1]];
    v.axis[2] = vec3_cross(v.axis[0], v.axis[1]);
    v.bounds = bounds_of(&v);
    return v;
}

// ---------------------------------------------------------------- where to cut

static sherd_clip_box box_in_the_middle(const view *v, int axis, double length, double width)
{
    sherd_clip_box box;
    for (int a = 0; a < 3; ++a) {
        double middle = 0.5 * (v->bounds.low[a] + v->bounds.high[a]);
        double half = 0.5 * fmin(a == axis ? length : width, extent(&v->bounds, a));
        // Rounding must not cut faces from a body that is used as a whole.
        half *= 1.0 + 1e-9;
        box.low[a] = middle - half, box.high[a] = middle + half;
    }
    return box;
}

// Volume within each slice of the box along `axis`.
static void measure_slices(const view *v, const sherd_clip_box *box, int axis,
                           double volume[SLICES])
{
    const sherd_tetra_mesh *mesh = v->body->tetra;
    double step = extent(box, axis) / SLICES;
    for (int s = 0; s < SLICES; ++s) {
        sherd_clip_box slice = *box;
        slice.low[axis] = box->low[axis] + s * step;
        slice.high[axis] = box->low[axis] + (s + 1) * step;
        volume[s] = 0.0;
        for (int32_t t = 0; t < mesh->tetra_count; ++t) {
            sherd_vec3 p[4];
            tetra_points(mesh, t, p);
            for (int k = 0; k < 4; ++k)
                p[k] = seen(v, p[k]);
            volume[s] += sherd_clip_tetra(&slice, p);
        }
    }
}

// Solid fraction of the box, 0 if its section is not uniform.
static double fill_of(const view *v, const sherd_clip_box *box, int axis)
{
    double volume[SLICES], sum = 0.0;
    measure_slices(v, box, axis, volume);
    for (int s = 0; s < SLICES; ++s)
        sum += volume[s];
    for (int s = 0; s < SLICES; ++s)
        if (!(fabs(SLICES * volume[s] / sum - 1.0) <= EVEN)) return 0.0;
    return sum / (extent(box, 0) * extent(box, 1) * extent(box, 2));
}

static bool is_whole(const view *v, int axis, double width)
{
    bool whole = true;
    for (int a = 0; a < 3; ++a)
        whole = whole && (a == axis || extent(&v->bounds, a) <= width);
    return whole;
}

// The widest box with a uniform section. Returns its solid fraction, 0 if there is none.
static double choose_box(const view *v, int axis, double width, sherd_clip_box *box)
{
    double r = SHERD_BAR_RADIUS;
    for (double w = WHOLE * width; w >= NARROWEST; w *= NARROWER) {
        bool whole = is_whole(v, axis, w * r);
        if (w > width && !whole) continue;
        *box = box_in_the_middle(v, axis, LONG * fmin(w, width) * r, w * r);
        double length = extent(box, axis);
        double side = fmax(extent(box, (axis + 1) % 3), extent(box, (axis + 2) % 3));
        if (length < SHORTEST * r || length < MIN_LONG * side) continue;
        double fill = fill_of(v, box, axis);
        if (fill >= MIN_FILL || (whole && fill > 0.0)) return fill;
    }
    return 0.0;
}

// Along the body's principal axes, or along those of its reference frame: for cubes and similar
// bodies all axes are principal.
static double find_box(const sherd_packing *body, int axis, double width, view *v,
                       sherd_clip_box *box)
{
    sherd_vec3 principal[3];
    const sherd_vec3 rest[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    sherd_body_axes(body, principal);
    for (int k = 0; k < 2; ++k) {
        *v = view_along(body, k == 0 ? principal : rest);
        if (extent(&v->bounds, axis) < AS_LONG * extent(&v->bounds, 0)) continue;
        double fill = choose_box(v, axis, width, box);
        if (fill > 0.0) return fill;
    }
    return 0.0;
}

// ---------------------------------------------------------------- the bar's elements and bonds

typedef struct cutting {
    const view *v;
    const sherd_clip_box *box;
    double *share;  // remaining fraction of each bond's face          (body's bonds)
    int32_t *index; // index in the bar, -1: not in it                (body's elements)
    sherd_packing *bar;
} cutting;

// Fraction of the face between tetrahedra i and j that is in the box.
static double share_of(const cutting *c, int32_t i, int32_t j)
{
    const sherd_tetra_mesh *mesh = c->v->body->tetra;
    sherd_vec3 p[4];
    int n = 0;
    for (int k = 0; k < 4; ++k) {
        int32_t corner = tetra_corners(mesh, i)[k];
        if (tetra_corner_of(mesh, j, corner) >= 0) p[n++] = seen(c->v, tetra_vertex(mesh, corner));
    }
    double full = 0.5 * vec3_length(vec3_cross(vec3_sub(p[1], p[0]), vec3_sub(p[2], p[0])));
    double share = sherd_clip_triangle(c->box, p) / full;
    return share >= MIN_FRACTION ? fmin(share, 1.0) : 0.0;
}

// Counts the elements and bonds of the bar.
static void choose_bonds(cutting *c, size_t *elements, size_t *bonds)
{
    const sherd_packing *body = c->v->body;
    *elements = *bonds = 0;
    for (int32_t k = 0; k < body->count; ++k)
        c->index[k] = -1;
    for (int64_t b = 0; b < body->bond_count; ++b) {
        int32_t i = body->bond_i[b], j = body->bond_j[b];
        c->share[b] = share_of(c, i, j);
        if (c->share[b] > 0.0) c->index[i] = c->index[j] = 0, ++*bonds;
    }
    for (int32_t k = 0; k < body->count; ++k)
        if (c->index[k] == 0) c->index[k] = (int32_t)(*elements)++;
}

static void copy_elements(const cutting *c)
{
    const sherd_packing *body = c->v->body;
    sherd_packing *bar = c->bar;
    const sherd_clip_box *box = c->box;
    sherd_vec3 middle = vec3(0.5 * (box->low[0] + box->high[0]), 0.5 * (box->low[1] + box->high[1]),
                             0.5 * (box->low[2] + box->high[2]));
    for (int32_t k = 0; k < body->count; ++k) {
        int32_t to = c->index[k];
        if (to < 0) continue;
        sherd_vec3 p = vec3_sub(seen(c->v, vec3(body->x[k], body->y[k], body->z[k])), middle);
        bar->x[to] = p.x, bar->y[to] = p.y, bar->z[to] = p.z;
        // Only rotational inertia depends on it: flat elements would determine the time step.
        bar->radius[to] = fmax(c->v->scale * body->radius[k], SHERD_BAR_RADIUS);
    }
}

static void copy_bonds(const cutting *c)
{
    const sherd_packing *body = c->v->body;
    sherd_packing *bar = c->bar;
    double area = c->v->scale * c->v->scale;
    for (int64_t b = 0; b < body->bond_count; ++b) {
        if (!(c->share[b] > 0.0)) continue;
        sherd_bond_index to = bar->bond_count++;
        bar->bond_i[to] = c->index[body->bond_i[b]];
        bar->bond_j[to] = c->index[body->bond_j[b]];
        bar->bond_section[to] = area * c->share[b] * body->bond_section[b];
    }
}

static bool fill_bar(cutting *c)
{
    size_t elements, bonds;
    choose_bonds(c, &elements, &bonds);
    c->bar->bond_section = sherd_alloc(bonds, sizeof *c->bar->bond_section);
    if (c->bar->bond_section == NULL || !sherd_packing_alloc(c->bar, elements, false) ||
        !sherd_packing_alloc_bonds(c->bar, bonds))
        return false;
    copy_elements(c);
    copy_bonds(c);
    return true;
}

static sherd_packing *cut(const view *v, const sherd_clip_box *box)
{
    cutting c = {.v = v,
                 .box = box,
                 .share = sherd_alloc((size_t)v->body->bond_count, sizeof *c.share),
                 .index = sherd_alloc((size_t)v->body->count, sizeof *c.index),
                 .bar = sherd_alloc(1, sizeof *c.bar)};
    bool ok = c.share != NULL && c.index != NULL && c.bar != NULL && fill_bar(&c);
    sherd_free(c.share);
    sherd_free(c.index);
    if (ok) return c.bar;
    sherd_packing_destroy(c.bar);
    return NULL;
}

// ---------------------------------------------------------------- the bar

sherd_status sherd_bar_cut(sherd_bar *bar, const sherd_packing *body, double width, int axis,
                           int threads, bool *found, sherd_error *error)
{
    SHERD_ASSERT(axis >= 0 && axis < 3 && width > 0.0, "a bar lies along an axis");
    *bar = (sherd_bar){.axis = axis, .fill = 1.0, .own = true, .threads = threads};
    view v;
    sherd_clip_box box;
    double fill = find_box(body, axis, width, &v, &box);
    *found = fill > 0.0;
    if (!*found) return SHERD_OK;
    for (int k = 0; k < 3; ++k)
        bar->size[k] = extent(&box, k) * (k == axis ? 1.0 : sqrt(fill));
    bar->packing = cut(&v, &box);
    if (bar->packing == NULL) return sherd_fail_memory(error, "a test bar");
    bar->packing->shape_volume = bar->size[0] * bar->size[1] * bar->size[2];
    return sherd_bar_even_out(bar, error);
}

#include "models/bonded/exposed_faces.h"

#include "base/assertion.h"
#include "base/error.h"
#include "base/memory.h"
#include "math/symmetric_eigen.h"
#include "math/vec3.h"

#include <math.h>
#include <stdlib.h>

static const double PI = 3.14159265358979323846;

// ---------------------------------------------------------------- bonds of one element

typedef struct surroundings {
    sherd_vec3 vector; // sum of S d [m^2]
    double moment[9];  // sum of S l/2 d d' [m^3]; eigenvectors are found in place
    double section;    // sum of S [m^2]
    double length;     // sum of l [m]
    int count;         // bonds
} surroundings;

static surroundings look_around(const sherd_face_source *source, sherd_element_index k,
                                bool with_broken)
{
    const sherd_elements *e = source->elements;
    surroundings sum = {0};
    sherd_vec3 here = sherd_element_rest(e, k);
    for (uint32_t at = source->adjacency->start[k]; at < source->adjacency->start[k + 1]; ++at) {
        int64_t bond = source->adjacency->bond[at];
        if (source->bonds->broken[bond] && !with_broken) continue;
        sherd_element_index other = sherd_bond_partner(source->bonds, bond, k);
        sherd_vec3 d = vec3_sub(sherd_element_rest(e, other), here);
        double length = vec3_length(d), r = sherd_bond_stiffness_of(source->bonds, e, bond).r0;
        double section = PI * r * r;
        d = vec3_scale(1.0 / length, d);
        double x[3] = {d.x, d.y, d.z};
        for (int a = 0; a < 9; ++a)
            sum.moment[a] += 0.5 * section * length * x[a / 3] * x[a % 3];
        sum.section += section;
        sum.length += length;
        sum.vector = vec3_add_scaled(sum.vector, section, d);
        ++sum.count;
    }
    return sum;
}

static double volume_of(const sherd_face_source *source, sherd_element_index k)
{
    const sherd_bond_solid *solid = sherd_bond_solid_of(source->bonds, source->elements, k);
    double r = sherd_element_radius(source->elements, k);
    if (solid == NULL) return 4.0 / 3.0 * PI * r * r * r;
    return sherd_element_mass(source->elements, k) * solid->volume_per_mass;
}

// ---------------------------------------------------------------- faces

// Directions with less than this fraction of the bonds of the densest have none.
static const double NOTHING = 0.15, LINE = 0.3;
// Bonds to one side less those to the other, of all: a sheet or a yarn has as many on both.
static const double BALANCED = 0.1;
// Area of an element in a sheet over the square of its distance to the others: six of them, or four.
static const double HEXAGON = 0.86602540378443865;
// Areas below this fraction of an element's section are the lattice's irregularity.
static const double SMALLEST = 0.15;

static sherd_vec3 column(const double v[9], int c)
{
    return vec3(v[c], v[3 + c], v[6 + c]);
}

static sherd_face face_of(const sherd_face_source *source, sherd_element_index k, surroundings *s,
                          double scale)
{
    double r = sherd_element_radius(source->elements, k), section = PI * r * r;
    if (s->count == 0 || !(scale > 0.0))
        return (sherd_face){.shape = SHERD_FACE_BALL, .front = section};
    double spacing = s->length / s->count, values[3], vectors[9];
    sherd_symmetric_eigen(3, s->moment, values, vectors);
    int low = 0, high = 0;
    for (int a = 1; a < 3; ++a) {
        if (values[a] < values[low]) low = a;
        if (values[a] >= values[high]) high = a;
    }
    int middle = 3 - low - high;
    sherd_vec3 axis = column(vectors, high), normal = column(vectors, low);
    double to_side = vec3_length(vec3_add_scaled(s->vector, -vec3_dot(s->vector, axis), axis));
    if (values[middle] < LINE * values[high] && to_side < BALANCED * s->section)
        return (sherd_face){SHERD_FACE_LINE, axis, 2.0 * r * spacing, 0.0};
    if (values[low] < NOTHING * values[high] &&
        fabs(vec3_dot(s->vector, normal)) < BALANCED * s->section) {
        double area = (s->count > 4 ? HEXAGON : 1.0) * spacing * spacing;
        return (sherd_face){SHERD_FACE_PLATE, normal, area, area};
    }
    sherd_vec3 out = vec3_scale(-scale, s->vector);
    double area = vec3_length(out);
    if (area < SMALLEST * section) return (sherd_face){.shape = SHERD_FACE_NONE};
    return (sherd_face){SHERD_FACE_PLATE, vec3_scale(1.0 / area, out), area, 0.0};
}

static bool has_lost_bonds(const sherd_face_source *source, sherd_element_index k,
                           const surroundings *s)
{
    return (uint32_t)s->count < source->adjacency->start[k + 1] - source->adjacency->start[k];
}

sherd_face sherd_exposed_face(const sherd_face_source *source, sherd_element_index k, bool outer,
                              double scale)
{
    SHERD_ASSERT(scale >= 0.0, "areas are not negative");
    surroundings s = look_around(source, k, false);
    if (!outer && !has_lost_bonds(source, k, &s)) return (sherd_face){.shape = SHERD_FACE_NONE};
    return face_of(source, k, &s, scale);
}

// ---------------------------------------------------------------- rays

// The part of a ray inside an element.
typedef struct span {
    int64_t ray;
    double from, to;
    sherd_element_index element;
} span;

// Balls of this fraction of the radius at which they have the elements' volume; gaps between them
// inside a body, in radii.
static const double COVERING = 0.95, LARGEST_GAP = 2.5;
// At most so many spans are stored for an axis; then rays are farther apart.
static const double MAX_SPANS = 2e7;

typedef struct ray_grid {
    const sherd_face_source *source;
    sherd_element_index first, end;
    double spacing, radius; // mean of the balls [m]
    int axis;
    span *spans;
    size_t count, capacity;
    uint8_t *outer;
} ray_grid;

static double ball_radius(const sherd_face_source *source, sherd_element_index k)
{
    return COVERING * cbrt(0.75 / PI * volume_of(source, k));
}

static int compare_spans(const void *a, const void *b)
{
    const span *p = a, *q = b;
    if (p->ray != q->ray) return p->ray < q->ray ? -1 : 1;
    if (p->from != q->from) return p->from < q->from ? -1 : 1;
    return (p->element > q->element) - (p->element < q->element);
}

static bool add_element(ray_grid *g, sherd_element_index k)
{
    static const int64_t ROW = INT64_C(1) << 31;
    sherd_vec3 p = sherd_element_rest(g->source->elements, k);
    double x[3] = {p.x, p.y, p.z}, radius = ball_radius(g->source, k);
    double along = x[g->axis], u = x[(g->axis + 1) % 3], v = x[(g->axis + 2) % 3], h = g->spacing;
    for (int64_t i = (int64_t)ceil((u - radius) / h); (double)i * h <= u + radius; ++i)
        for (int64_t j = (int64_t)ceil((v - radius) / h); (double)j * h <= v + radius; ++j) {
            double du = (double)i * h - u, dv = (double)j * h - v;
            double half2 = radius * radius - du * du - dv * dv;
            if (!(half2 > 0.0)) continue;
            if (!sherd_grow((void **)&g->spans, &g->capacity, g->count + 1, sizeof *g->spans))
                return false;
            double half = sqrt(half2);
            g->spans[g->count++] = (span){i * ROW + j, along - half, along + half, k};
        }
    return true;
}

static double centre_of(const span *s)
{
    return 0.5 * (s->from + s->to);
}

// Volume between the centres of the outermost elements of all rays along an axis, which are marked.
static bool volume_along(ray_grid *g, double *volume)
{
    g->count = 0;
    for (sherd_element_index k = g->first; k < g->end; ++k)
        if (!add_element(g, k)) return false;
    qsort(g->spans, g->count, sizeof *g->spans, compare_spans);
    double gap = LARGEST_GAP * g->radius, sum = 0.0;
    for (size_t at = 0; at < g->count;) {
        const span *first = &g->spans[at], *last = first;
        for (++at;
             at < g->count && g->spans[at].ray == first->ray && g->spans[at].from <= last->to + gap;
             ++at)
            if (g->spans[at].to > last->to) last = &g->spans[at];
        g->outer[first->element - g->first] = g->outer[last->element - g->first] = 1;
        sum += centre_of(last) - centre_of(first);
    }
    *volume = sum * g->spacing * g->spacing;
    return true;
}

static sherd_status measure_volume(const sherd_face_source *source, sherd_element_index first,
                                   sherd_element_index end, uint8_t *outer, double *volume,
                                   sherd_error *error)
{
    double sum = 0.0, squares = 0.0;
    for (sherd_element_index k = first; k < end; ++k) {
        double radius = ball_radius(source, k);
        sum += radius, squares += radius * radius;
    }
    double mean = sum / (double)(end - first);
    ray_grid g = {.source = source, .first = first, .end = end, .radius = mean, .outer = outer};
    // Not a fraction of the lattice's spacing, so that rays meet it everywhere.
    g.spacing = fmax(0.3937 * mean, sqrt(PI * squares / MAX_SPANS));
    *volume = 0.0;
    bool fits = true;
    for (g.axis = 0; g.axis < 3 && fits; ++g.axis) {
        double along = 0.0;
        fits = volume_along(&g, &along);
        *volume += along;
    }
    sherd_free(g.spans);
    return fits ? SHERD_OK : sherd_fail_memory(error, "faces");
}

sherd_status sherd_face_scale(const sherd_face_source *source, sherd_element_index first,
                              sherd_element_index end, uint8_t *outer, double *scale,
                              sherd_error *error)
{
    // Each bond is seen from both ends, with half its length.
    double volume, sum = 0.0;
    for (sherd_element_index k = first; k < end; ++k) {
        surroundings s = look_around(source, k, true);
        sum += s.moment[0] + s.moment[4] + s.moment[8];
    }
    *scale = 0.0;
    if (!(sum > 0.0)) return SHERD_OK;
    sherd_status status = measure_volume(source, first, end, outer, &volume, error);
    *scale = volume / sum;
    return status;
}

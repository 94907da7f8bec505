#include "geometry/tetra/tetra_lattice.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"
#include "geometry/shape/shape_kind.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A vertex nearer to a crossing than this fraction of the edge moves onto the surface. With these
// values the dihedral angles of a smooth surface stay within 10.7 and 164.8 degrees (Labelle and
// Shewchuk 2007, table 1, for long and short edges).
static const double ALPHA_LONG = 0.24999, ALPHA_SHORT = 0.41189;

// ---------------------------------------------------------------- the lattice

static int32_t cells_along(double length, double edge)
{
    double cells = round(length / edge);
    return cells < 1.0 ? 1 : (int32_t)fmin(cells, 1e6);
}

// Deviation from cubes of cells of about `edge` that fill the extents.
static double unevenness(sherd_vec3 extent, double edge)
{
    double x = extent.x / cells_along(extent.x, edge), y = extent.y / cells_along(extent.y, edge),
           z = extent.z / cells_along(extent.z, edge);
    return log(fmax(x, fmax(y, z)) / fmin(x, fmin(y, z)));
}

// Finds the edge within an eighth of the requested one for which cells are nearly cubes: elongated
// cells make the solid anisotropic. A deviation of a tenth in length counts as much as one of 3 %
// in shape.
static double fit_edge(sherd_vec3 extent, double wanted)
{
    enum { STEPS = 12 }; // of a hundredth, in each direction
    double best = wanted, lowest = INFINITY;
    for (int k = -STEPS; k <= STEPS; ++k) {
        double edge = wanted * (1.0 + 0.01 * k);
        double cost = unevenness(extent, edge) + 0.003 * abs(k);
        if (cost >= lowest) continue;
        lowest = cost;
        best = edge;
    }
    return best;
}

sherd_status sherd_tetra_lattice_fit(const sherd_shape *shape, const sherd_tetra_lattice_def *def,
                                     tetra_lattice *lattice, sherd_error *error)
{
    sherd_bounds b = sherd_shape_bounds(shape);
    sherd_vec3 extent = vec3_sub(b.high, b.low);
    double edge = def->size / TETRA_LATTICE_MEAN_EDGE;
    double wanted = TETRA_LATTICE_PER_CELL * sherd_shape_volume(shape) / (edge * edge * edge);
    double cell_count = extent.x / edge * (extent.y / edge) * (extent.z / edge);
    // Vertices of the bounds' lattice are counted in 31 bits, two per cell.
    if (!(wanted <= (double)def->max_tetrahedra) || !(cell_count < 5e8))
        return sherd_fail(error, SHERD_ERROR_INPUT, "tetra.size",
                          "use a larger size, or raise max_elements; a mesh may lack its scale",
                          "edges of %g m make about %.3g tetrahedra, the limit is %lld", def->size,
                          wanted, (long long)def->max_tetrahedra);
    edge = fit_edge(extent, edge);
    int32_t n[3] = {cells_along(extent.x, edge), cells_along(extent.y, edge),
                    cells_along(extent.z, edge)};
    *lattice = (tetra_lattice){.cells = {n[0] + 2, n[1] + 2, n[2] + 2},
                               .cell = vec3(extent.x / n[0], extent.y / n[1], extent.z / n[2])};
    lattice->origin = vec3_sub(b.low, lattice->cell);
    int64_t corners = 1, centres = 1;
    for (int a = 0; a < 3; ++a) {
        corners *= lattice->cells[a] + 1;
        centres *= lattice->cells[a];
    }
    lattice->corner_count = corners;
    lattice->vertex_count = corners + centres;
    return SHERD_OK;
}

sherd_vec3 sherd_tetra_lattice_vertex(const tetra_lattice *l, int64_t v)
{
    bool centre = v >= l->corner_count;
    int64_t nx = l->cells[0] + !centre, ny = l->cells[1] + !centre;
    int64_t n = centre ? v - l->corner_count : v;
    double shift = centre ? 0.5 : 0.0;
    return vec3(l->origin.x + l->cell.x * ((double)(n % nx) + shift),
                l->origin.y + l->cell.y * ((double)(n / nx % ny) + shift),
                l->origin.z + l->cell.z * ((double)(n / nx / ny) + shift));
}

static double shortest_cell_edge(const tetra_lattice *l)
{
    return fmin(l->cell.x, fmin(l->cell.y, l->cell.z));
}

// ---------------------------------------------------------------- sides

static void find_sides(void *context, size_t begin, size_t end)
{
    tetra_field *f = context;
    double none = 1e-7 * shortest_cell_edge(&f->lattice);
    for (size_t v = begin; v < end; ++v) {
        f->point[v] = sherd_tetra_lattice_vertex(&f->lattice, (int64_t)v);
        double d = sherd_shape_distance(f->shape, f->point[v]);
        f->side[v] = fabs(d) <= none ? 0.0f : d < 0.0 ? -1.0f : 1.0f;
    }
}

// ---------------------------------------------------------------- tetrahedra

static bool add_tetra(tetra_field *f, const int32_t v[4])
{
    bool inside = false;
    for (int k = 0; k < 4; ++k)
        inside = inside || f->side[v[k]] < 0.0f;
    if (!inside) return true;
    if (!sherd_grow((void **)&f->tetra, &f->tetra_capacity, f->tetra_count + 1, sizeof *f->tetra))
        return false;
    memcpy(f->tetra[f->tetra_count++], v, 4 * sizeof *v);
    return true;
}

// Appends the four tetrahedra around the line from a cell's centre to the next one's along axis
// `a`: each has one edge of the face in between.
static bool add_face(tetra_field *f, const int32_t at[3], int a)
{
    const tetra_lattice *l = &f->lattice;
    const int32_t *n = l->cells;
    const int64_t corner_step[3] = {1, n[0] + 1, (int64_t)(n[0] + 1) * (n[1] + 1)};
    const int64_t centre_step[3] = {1, n[0], (int64_t)n[0] * n[1]};
    int64_t corner = 0, centre = l->corner_count;
    for (int k = 0; k < 3; ++k) {
        corner += at[k] * corner_step[k];
        centre += at[k] * centre_step[k];
    }
    int64_t e = corner_step[(a + 1) % 3], g = corner_step[(a + 2) % 3];
    corner += corner_step[a];
    // Counter-clockwise, seen against the axis.
    const int64_t ring[4] = {corner, corner + e, corner + e + g, corner + g};
    for (int k = 0; k < 4; ++k) {
        int32_t v[4] = {(int32_t)centre, (int32_t)(centre + centre_step[a]), (int32_t)ring[k],
                        (int32_t)ring[(k + 1) % 4]};
        if (!add_tetra(f, v)) return false;
    }
    return true;
}

static bool add_all_tetras(tetra_field *f)
{
    const int32_t *n = f->lattice.cells;
    for (int32_t k = 0; k < n[2]; ++k)
        for (int32_t j = 0; j < n[1]; ++j)
            for (int32_t i = 0; i < n[0]; ++i) {
                const int32_t at[3] = {i, j, k};
                for (int a = 0; a < 3; ++a)
                    if (at[a] + 1 < n[a] && !add_face(f, at, a)) return false;
            }
    return true;
}

// ---------------------------------------------------------------- crossings

static uint64_t edge_key(int32_t a, int32_t b)
{
    return a < b ? (uint64_t)a << 32 | (uint64_t)b : (uint64_t)b << 32 | (uint64_t)a;
}

// Lists the keys of edges with one end inside and one outside, each edge once, ascending.
static sherd_sort_pair *list_crossing_keys(const tetra_field *f, size_t *count)
{
    size_t capacity = 0;
    sherd_sort_pair *pairs = NULL;
    *count = 0;
    for (size_t t = 0; t < f->tetra_count; ++t)
        for (int k = 0; k < 6; ++k) {
            int32_t a = f->tetra[t][sherd_tetra_edge[k][0]];
            int32_t b = f->tetra[t][sherd_tetra_edge[k][1]];
            if (f->side[a] * f->side[b] >= 0.0f) continue;
            if (!sherd_grow((void **)&pairs, &capacity, *count + 1, sizeof *pairs)) goto short_of;
            pairs[(*count)++].key = edge_key(a, b);
        }
    if (pairs == NULL && !sherd_grow((void **)&pairs, &capacity, 1, sizeof *pairs)) return NULL;
    if (!sherd_sort_pairs(pairs, *count)) goto short_of;
    size_t kept = 0;
    for (size_t k = 0; k < *count; ++k)
        if (kept == 0 || pairs[kept - 1].key != pairs[k].key) pairs[kept++] = pairs[k];
    *count = kept;
    return pairs;
short_of:
    sherd_free(pairs);
    return NULL;
}

// Finds the surface between a point inside and one outside, by bisection to 2^-40 of an edge:
// distances of combined shapes are only bounds, but their signs are right.
static double find_crossing(const sherd_shape *shape, sherd_vec3 in, sherd_vec3 out)
{
    double low = 0.0, high = 1.0;
    sherd_vec3 edge_vector = vec3_sub(out, in);
    for (int k = 0; k < 40; ++k) {
        double middle = 0.5 * (low + high);
        bool inside = sherd_shape_distance(shape, vec3_add_scaled(in, middle, edge_vector)) < 0.0;
        if (inside)
            low = middle;
        else
            high = middle;
    }
    return 0.5 * (low + high);
}

static void find_crossings(void *context, size_t begin, size_t end)
{
    tetra_field *f = context;
    for (size_t k = begin; k < end; ++k) {
        int32_t a = (int32_t)(f->crossing_key[k] >> 32);
        int32_t b = (int32_t)(f->crossing_key[k] & UINT32_MAX);
        tetra_crossing *c = &f->crossing[k];
        c->inside = f->side[a] < 0.0f ? a : b;
        c->outside = c->inside == a ? b : a;
        sherd_vec3 in = f->point[c->inside], edge_vector = vec3_sub(f->point[c->outside], in);
        double fraction = find_crossing(f->shape, in, f->point[c->outside]);
        c->cut = vec3_add_scaled(in, fraction, edge_vector);
        c->depth = fraction * vec3_length(edge_vector);
    }
}

static bool list_crossings(tetra_field *f, const sherd_parallel *parallel)
{
    size_t n;
    sherd_sort_pair *keys = list_crossing_keys(f, &n);
    if (keys == NULL) return false;
    f->crossing_count = n;
    f->crossing = sherd_alloc(n, sizeof *f->crossing);
    f->crossing_key = sherd_alloc(n, sizeof *f->crossing_key);
    bool ok = f->crossing != NULL && f->crossing_key != NULL;
    for (size_t k = 0; ok && k < n; ++k)
        f->crossing_key[k] = keys[k].key;
    sherd_free(keys);
    if (ok) sherd_parallel_for(parallel, n, 64, find_crossings, f);
    return ok;
}

// ---------------------------------------------------------------- warping

// Crossings of each vertex's edges: rows by vertex, as in a counting sort.
typedef struct crossing_rows {
    uint32_t *start, *crossing;
} crossing_rows;

static bool sort_crossings(const tetra_field *f, crossing_rows *rows)
{
    size_t n = (size_t)f->lattice.vertex_count;
    rows->start = sherd_alloc(n + 2, sizeof *rows->start);
    rows->crossing = sherd_alloc(2 * f->crossing_count, sizeof *rows->crossing);
    if (rows->start == NULL || rows->crossing == NULL) return false;
    for (size_t k = 0; k < f->crossing_count; ++k) {
        rows->start[f->crossing[k].inside + 2]++;
        rows->start[f->crossing[k].outside + 2]++;
    }
    for (size_t v = 1; v <= n; ++v)
        rows->start[v + 1] += rows->start[v];
    for (size_t k = 0; k < f->crossing_count; ++k) {
        rows->crossing[rows->start[f->crossing[k].inside + 1]++] = (uint32_t)k;
        rows->crossing[rows->start[f->crossing[k].outside + 1]++] = (uint32_t)k;
    }
    return true;
}

// Returns the distance from v to the crossing if that is too near, otherwise INFINITY.
static double too_near(const tetra_field *f, const tetra_crossing *c, int64_t v)
{
    if (c->depth < 0.0) return INFINITY;
    int64_t corners = f->lattice.corner_count;
    bool is_long = (c->inside < corners) == (c->outside < corners);
    sherd_vec3 a = f->point[c->inside], b = f->point[c->outside];
    double from = vec3_distance(f->point[v], c->cut);
    return from < (is_long ? ALPHA_LONG : ALPHA_SHORT) * vec3_distance(a, b) ? from : INFINITY;
}

static void warp_vertex(tetra_field *f, const crossing_rows *rows, size_t v)
{
    double nearest = INFINITY;
    sherd_vec3 to = f->point[v];
    for (uint32_t k = rows->start[v]; k < rows->start[v + 1]; ++k) {
        const tetra_crossing *c = &f->crossing[rows->crossing[k]];
        double from = too_near(f, c, (int64_t)v);
        if (from >= nearest) continue;
        nearest = from;
        to = c->cut;
    }
    if (nearest == INFINITY) return;
    f->point[v] = to;
    f->side[v] = 0.0f;
    for (uint32_t k = rows->start[v]; k < rows->start[v + 1]; ++k)
        f->crossing[rows->crossing[k]].depth = -1.0;
}

static bool warp(tetra_field *f)
{
    crossing_rows rows = {0};
    bool ok = sort_crossings(f, &rows);
    for (int64_t v = 0; ok && v < f->lattice.vertex_count; ++v)
        warp_vertex(f, &rows, (size_t)v);
    sherd_free(rows.start);
    sherd_free(rows.crossing);
    return ok;
}

sherd_status sherd_tetra_field_make(tetra_field *f, const sherd_parallel *parallel,
                                    sherd_error *error)
{
    size_t n = (size_t)f->lattice.vertex_count;
    f->point = sherd_alloc(n, sizeof *f->point);
    f->side = sherd_alloc(n, sizeof *f->side);
    if (f->point == NULL || f->side == NULL)
        return sherd_fail_memory(error, "a tetrahedral lattice");
    sherd_parallel_for(parallel, n, 256, find_sides, f);
    if (!add_all_tetras(f) || !list_crossings(f, parallel) || !warp(f))
        return sherd_fail_memory(error, "a tetrahedral lattice");
    return SHERD_OK;
}

void sherd_tetra_field_release(tetra_field *f)
{
    sherd_free(f->point);
    sherd_free(f->side);
    sherd_free(f->tetra);
    sherd_free(f->crossing);
    sherd_free(f->crossing_key);
    f->point = NULL, f->side = NULL, f->tetra = NULL, f->crossing = NULL, f->crossing_key = NULL;
}

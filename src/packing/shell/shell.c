// Thin shells: one or more layers of elements in a thin wall, bonded so that the wall stretches and
// bends like a plate of its thickness, for any size of elements.
//
// A bond of two points of a layer represents a strip of wall with the width w of their cells'
// common edge and the thickness t of the layer. In a hexagonal layer of bonds of length l = sqrt(3)
// w, with stretching
// k_n = f E S / l, shearing f G S / l, bending f E I / l and twisting f G 2 I / l (I = S^2 / 4 pi, the
// bond a round rod; f a factor on its moduli) and g = G / E, sums over the three directions of bonds
// give
//
//     pulled:  E_layer t     = f E S / w . 2 (1 + g) / (3 + g)
//     bent:    E_layer t^3/12 = f E I / w . 2 (1 + 2 g) / (3 + 2 g)      (a strip's, not a wide plate's)
//
// so that a layer has the bonds' own E in tension and in bending with
//
//     f S = t w (3 + g) / (2 (1 + g)),     f I = t^3 w (3 + 2 g) / (24 (1 + 2 g)),
//     S = 4 pi (f I) / (f S).
//
// S is 0.91 t^2 for g = 0.4: a rod about as thick as the wall. f also scales strengths, which
// preserves the strain at which a bond breaks. The dependence on g is weak (f S by 10 % from g =
// 0.2 to 0.5), so that 0.4, the default of materials, is used for all. Cells of a non-uniform layer
// use their own w: a Voronoi-scaled lattice strains uniformly. Poisson's ratio of the layer is (1 -
// g) / (3 + g), 0.18.
//
// Several layers are exactly above each other, joined by bonds of the cell's area across the wall.
#include "packing/shell/shell.h"

#include "base/error.h"
#include "base/memory.h"
#include "math/vec3.h"
#include "packing/packing_alloc.h"
#include "packing/shell/shell_cells.h"

static const double PI = 3.14159265358979323846;
static const double SHEAR_SHARE = 0.4; // g

typedef struct shell {
    const sherd_shape *shape;
    const sherd_packing_def *def;
    int layers;
    sherd_shell_target target;
    sherd_shell_points points;
    sherd_shell_cells cells;
} shell;

// Section and factor of a strip of the given width and thickness.
static void strip_bond(double width, double thickness, double *section, double *factor)
{
    const double g = SHEAR_SHARE;
    double pulled = thickness * width * (3.0 + g) / (2.0 * (1.0 + g));
    double bent =
        thickness * thickness * thickness * width * (3.0 + 2.0 * g) / (24.0 * (1.0 + 2.0 * g));
    *section = 4.0 * PI * bent / pulled;
    *factor = pulled / *section;
}

// ---------------------------------------------------------------- elements

// Elements of stacked layers that are no neighbours must not overlap: half their smallest distance.
static double element_radius(const shell *s)
{
    double r = s->def->radius, least = 2.0 * r;
    if (s->layers == 1) return r;
    for (size_t b = 0; b < s->cells.bond_count; ++b) {
        const sherd_shell_bond *bond = &s->cells.bond[b];
        double d = vec3_distance(s->points.point[bond->i], s->points.point[bond->j]);
        double h = fmin(s->points.wall[bond->i], s->points.wall[bond->j]) / s->layers;
        least = fmin(least, hypot(d, h));
    }
    return 0.5 * least;
}

static void store_elements(const shell *s, sherd_packing *p)
{
    double r = element_radius(s);
    for (size_t n = 0; n < s->points.count; ++n)
        for (int layer = 0; layer < s->layers; ++layer) {
            size_t e = n * (size_t)s->layers + (size_t)layer;
            double height = s->points.wall[n] * ((layer + 0.5) / s->layers - 0.5);
            sherd_vec3 at = vec3_add_scaled(s->points.point[n], height, s->points.normal[n]);
            p->x[e] = at.x, p->y[e] = at.y, p->z[e] = at.z;
            p->radius[e] = r;
            p->volume[e] = s->cells.area[n] * s->points.wall[n] / s->layers;
            p->element_volume += 4.0 / 3.0 * PI * r * r * r;
        }
}

// The surfaces of both faces contribute points, with opposite normals: layers need a common side.
static void agree_on_sides(shell *s, int32_t *queue, uint8_t *done, const int32_t *start,
                           const int32_t *other)
{
    for (size_t seed = 0; seed < s->points.count; ++seed) {
        if (done[seed]) continue;
        size_t head = 0, tail = 0;
        queue[tail++] = (int32_t)seed;
        done[seed] = 1;
        while (head < tail) {
            int32_t i = queue[head++];
            for (int32_t k = start[i]; k < start[i + 1]; ++k) {
                int32_t j = other[k];
                if (done[j]) continue;
                done[j] = 1;
                queue[tail++] = j;
                if (vec3_dot(s->points.normal[i], s->points.normal[j]) < 0.0)
                    s->points.normal[j] = vec3_scale(-1.0, s->points.normal[j]);
            }
        }
    }
}

static bool orient(shell *s)
{
    size_t n = s->points.count, m = s->cells.bond_count;
    int32_t *start = sherd_alloc(n + 2, sizeof *start), *other = sherd_alloc(2 * m, sizeof *other);
    int32_t *queue = sherd_alloc(n, sizeof *queue);
    uint8_t *done = sherd_alloc(n, 1);
    bool good = start != NULL && other != NULL && queue != NULL && done != NULL;
    for (size_t b = 0; b < m && good; ++b) {
        ++start[s->cells.bond[b].i + 2];
        ++start[s->cells.bond[b].j + 2];
    }
    for (size_t k = 1; k <= n && good; ++k)
        start[k + 1] += start[k];
    for (size_t b = 0; b < m && good; ++b) {
        other[start[s->cells.bond[b].i + 1]++] = s->cells.bond[b].j;
        other[start[s->cells.bond[b].j + 1]++] = s->cells.bond[b].i;
    }
    if (good) agree_on_sides(s, queue, done, start, other);
    sherd_free(start);
    sherd_free(other);
    sherd_free(queue);
    sherd_free(done);
    return good;
}

// ---------------------------------------------------------------- bonds

static void put_bond(sherd_packing *p, size_t i, size_t j, double section, double factor)
{
    sherd_bond_index b = p->bond_count++;
    p->bond_i[b] = (sherd_element_index)i;
    p->bond_j[b] = (sherd_element_index)j;
    p->bond_section[b] = section;
    p->bond_factor[b] = factor;
}

// In order of (i, j): for each element first the one above it in the wall, then its neighbours.
static void store_bonds(const shell *s, sherd_packing *p)
{
    size_t layers = (size_t)s->layers, b = 0;
    for (size_t n = 0; n < s->points.count; ++n) {
        size_t end = b;
        while (end < s->cells.bond_count && (size_t)s->cells.bond[end].i == n)
            ++end;
        for (size_t layer = 0; layer < layers; ++layer) {
            size_t i = n * layers + layer;
            if (layer + 1 < layers) put_bond(p, i, i + 1, s->cells.area[n], 1.0);
            for (size_t k = b; k < end; ++k) {
                const sherd_shell_bond *bond = &s->cells.bond[k];
                double wall = 0.5 * (s->points.wall[n] + s->points.wall[bond->j]);
                double section, factor;
                strip_bond(bond->width, wall / s->layers, &section, &factor);
                put_bond(p, i, (size_t)bond->j * layers + layer, section, factor);
            }
        }
        b = end;
    }
}

static bool allocate(sherd_packing *p, size_t n, size_t m)
{
    p->bond_section = sherd_alloc(m, sizeof *p->bond_section);
    p->bond_factor = sherd_alloc(m, sizeof *p->bond_factor);
    return sherd_packing_alloc(p, n, true) && sherd_packing_alloc_bonds(p, m) &&
           p->bond_section != NULL && p->bond_factor != NULL;
}

static sherd_packing *make_packing(shell *s, sherd_error *error)
{
    size_t n = s->points.count, layers = (size_t)s->layers;
    size_t m = layers * s->cells.bond_count + (layers - 1) * n;
    if (n * layers > INT32_MAX || (int64_t)(n * layers) > s->def->max_elements) {
        sherd_fail(
            error, SHERD_ERROR_INPUT, "packing.radius",
            "use a larger radius or fewer layers, or raise max_elements; a mesh may lack its scale",
            "%zu elements would be needed, the limit is %lld", n * layers,
            (long long)s->def->max_elements);
        return NULL;
    }
    sherd_packing *p = sherd_alloc(1, sizeof *p);
    if (p == NULL || !allocate(p, n * layers, m) || !orient(s)) {
        sherd_packing_destroy(p);
        sherd_fail_memory(error, "shell");
        return NULL;
    }
    store_elements(s, p);
    store_bonds(s, p);
    for (int32_t k = 0; k < p->count; ++k)
        p->cell_volume_match += p->volume[k];
    p->shape_volume = sherd_shape_volume(s->shape);
    p->cell_volume_match /= p->shape_volume;
    p->solid_fraction = p->element_volume / p->shape_volume;
    p->lattice_radius = s->def->radius;
    p->layers = s->layers;
    return p;
}

sherd_packing *sherd_pack_shell(const sherd_shape *shape, const sherd_packing_def *def,
                                sherd_error *error)
{
    shell s = {.shape = shape, .def = def, .layers = def->layers > 0 ? def->layers : 1};
    double spacing = 2.0 * def->radius;
    sherd_packing *packing = NULL;
    if (sherd_shell_target_init(&s.target, shape, spacing, def->max_elements, error) == SHERD_OK &&
        sherd_shell_points_init(&s.points, shape, &s.target, def, error) == SHERD_OK) {
        if (sherd_shell_cells_init(&s.cells, &s.points, &s.target, spacing, def->threads))
            packing = make_packing(&s, error);
        else
            sherd_fail_memory(error, "shell");
    }
    sherd_shell_cells_free(&s.cells);
    sherd_shell_points_free(&s.points);
    sherd_shell_target_free(&s.target);
    return packing;
}

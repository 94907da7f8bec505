#include "packing/yarn/yarn_build.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"
#include "math/point_grid.h"
#include "math/vec3.h"
#include "packing/packing_alloc.h"

static const double PI = 3.14159265358979323846;

// Yarns may overlap by this fraction of the smaller radius: contact handles this without a visible
// jolt.
static const double MOST_OVERLAP = 0.1;

// Elements of different yarns closer than this fraction of the smaller radius are glued.
static const double GLUE_REACH = 0.35;

enum { NEAR = 128 }; // elements within two diameters of one: 33 in the closest packing

void sherd_yarn_build_free(sherd_yarn_build *build)
{
    sherd_free(build->point);
    sherd_free(build->radius);
    sherd_free(build->yarn);
    sherd_free(build->edge);
    *build = (sherd_yarn_build){0};
}

static bool make_room(sherd_yarn_build *b, size_t n)
{
    return sherd_grow((void **)&b->point, &b->capacity[0], n, sizeof *b->point) &&
           sherd_grow((void **)&b->radius, &b->capacity[1], n, sizeof *b->radius) &&
           sherd_grow((void **)&b->yarn, &b->capacity[2], n, sizeof *b->yarn) &&
           sherd_grow((void **)&b->edge, &b->capacity[3], n, sizeof *b->edge);
}

size_t sherd_yarn_build_add(sherd_yarn_build *b, sherd_yarn_curve *curve, double radius,
                            double spacing)
{
    size_t first = b->count;
    double pieces = curve->failed || curve->count == 0
                        ? 0.0
                        : round(sherd_yarn_curve_length(curve) / (2.0 * radius * spacing));
    double total = (double)b->count + fmax(pieces, 1.0) + 1.0;
    if (curve->failed) b->failed = true;
    if (total > (double)b->max_elements || total > INT32_MAX) b->too_many = true;
    if (!b->failed && !b->too_many && curve->count > 0) {
        size_t count = (size_t)fmax(pieces, 1.0) + 1;
        if (make_room(b, b->count + count)) {
            sherd_yarn_curve_sample(curve, count, b->point + first);
            for (size_t k = first; k < first + count; ++k) {
                b->radius[k] = radius;
                b->yarn[k] = b->yarn_count;
                b->edge[k] = 0;
            }
            b->count += count;
            ++b->yarn_count;
        } else {
            b->failed = true;
        }
    }
    sherd_yarn_curve_free(curve);
    return first;
}

// ---------------------------------------------------------------- neighbours

typedef struct neighbours {
    const sherd_yarn_build *build;
    sherd_point_grid grid;
} neighbours;

static bool find_neighbours(neighbours *n, const sherd_yarn_build *b)
{
    double largest = 0.0;
    for (size_t k = 0; k < b->count; ++k)
        largest = fmax(largest, b->radius[k]);
    n->build = b;
    bool good = sherd_point_grid_init(&n->grid, (2.0 + GLUE_REACH) * largest, b->count);
    for (size_t k = 0; k < b->count && good; ++k)
        good = sherd_point_grid_add(&n->grid, b->point[k]);
    return good;
}

// Gap between two elements over the smaller radius.
static double gap_of(const sherd_yarn_build *b, size_t i, size_t j)
{
    double gap = vec3_distance(b->point[i], b->point[j]) - b->radius[i] - b->radius[j];
    return gap / fmin(b->radius[i], b->radius[j]);
}

// The nearest element to `i` of `yarn`, or with -1 of any other yarn, within reach; -1 if there is
// none.
static int32_t nearest_of(const neighbours *n, size_t i, int32_t yarn)
{
    const sherd_yarn_build *b = n->build;
    int32_t near[NEAR], best = -1;
    int found = sherd_point_grid_near(&n->grid, b->point[i], n->grid.cell, near, NEAR);
    for (int k = 0; k < found; ++k) {
        size_t j = (size_t)near[k];
        if (yarn < 0 ? b->yarn[j] == b->yarn[i] : b->yarn[j] != yarn) continue;
        // If equal, the lower index, so that both ends agree.
        if (best < 0 || gap_of(b, i, j) < gap_of(b, i, (size_t)best) ||
            (gap_of(b, i, j) == gap_of(b, i, (size_t)best) && near[k] < best))
            best = near[k];
    }
    return best;
}

static sherd_status check_overlaps(const neighbours *n, sherd_error *error)
{
    for (size_t i = 0; i < n->build->count; ++i) {
        int32_t j = nearest_of(n, i, -1);
        double gap = j >= 0 ? gap_of(n->build, i, (size_t)j) : 0.0;
        if (gap >= -MOST_OVERLAP) continue;
        sherd_vec3 at = n->build->point[i];
        return sherd_fail(error, SHERD_ERROR_INPUT, "yarn",
                          "make yarns thinner or their distances, pitch or the path's bends wider",
                          "yarns cut each other by %.0f %% of a radius at (%g, %g, %g) m",
                          -100.0 * gap, at.x, at.y, at.z);
    }
    return SHERD_OK;
}

// ---------------------------------------------------------------- bonds

typedef struct bond_list {
    size_t count, capacity;
    sherd_sort_pair *bond; // key = i << 32 | j
    bool failed;
} bond_list;

static void add_bond(bond_list *list, size_t i, size_t j)
{
    if (list->failed ||
        !sherd_grow((void **)&list->bond, &list->capacity, list->count + 1, sizeof *list->bond)) {
        list->failed = true;
        return;
    }
    list->bond[list->count++] = (sherd_sort_pair){(uint64_t)i << 32 | (uint64_t)j, 0};
}

// One bond wherever two yarns touch: between pairs that are nearest to each other.
static void add_glue(const neighbours *n, sherd_yarn_glue glue, bond_list *list)
{
    const sherd_yarn_build *b = n->build;
    for (size_t i = 0; i < b->count; ++i) {
        int32_t near[NEAR];
        int found = sherd_point_grid_near(&n->grid, b->point[i], n->grid.cell, near, NEAR);
        for (int k = 0; k < found; ++k) {
            size_t j = (size_t)near[k];
            // Adjacent list entries are consecutive along one yarn, and nothing else.
            if (j <= i + 1 || b->yarn[i] == b->yarn[j] || gap_of(b, i, j) > GLUE_REACH) continue;
            if (glue == SHERD_YARN_GLUE_EDGES && !(b->edge[i] && b->edge[j])) continue;
            if (nearest_of(n, i, b->yarn[j]) == (int32_t)j &&
                nearest_of(n, j, b->yarn[i]) == (int32_t)i)
                add_bond(list, i, j);
        }
    }
}

static void list_bonds(const neighbours *n, sherd_yarn_glue glue, bond_list *list)
{
    const sherd_yarn_build *b = n->build;
    for (size_t k = 0; k + 1 < b->count; ++k)
        if (b->yarn[k] == b->yarn[k + 1]) add_bond(list, k, k + 1);
    if (glue != SHERD_YARN_GLUE_NONE) add_glue(n, glue, list);
    if (!list->failed && !sherd_sort_pairs(list->bond, list->count)) list->failed = true;
}

// ---------------------------------------------------------------- packing

static bool allocate(sherd_packing *p, size_t n, size_t m)
{
    p->bond_count = (sherd_bond_index)m;
    p->bond_section = sherd_alloc(m, sizeof *p->bond_section);
    return sherd_packing_alloc(p, n, true) && sherd_packing_alloc_bonds(p, m) &&
           p->bond_section != NULL;
}

// The cylinder of yarn that an element represents, up to half-way to its neighbours; ends are half
// spheres.
static double volume_of(const sherd_yarn_build *b, size_t k)
{
    double r = b->radius[k], length = 0.0;
    bool before = k > 0 && b->yarn[k - 1] == b->yarn[k];
    bool after = k + 1 < b->count && b->yarn[k + 1] == b->yarn[k];
    length += before ? 0.5 * vec3_distance(b->point[k - 1], b->point[k]) : 2.0 / 3.0 * r;
    length += after ? 0.5 * vec3_distance(b->point[k + 1], b->point[k]) : 2.0 / 3.0 * r;
    return PI * r * r * length;
}

static void store(sherd_packing *p, const sherd_yarn_build *b, const bond_list *bonds,
                  double fiber_share)
{
    for (size_t k = 0; k < b->count; ++k) {
        p->x[k] = b->point[k].x;
        p->y[k] = b->point[k].y;
        p->z[k] = b->point[k].z;
        p->radius[k] = b->radius[k];
        p->volume[k] = volume_of(b, k);
        p->shape_volume += p->volume[k];
        p->element_volume += 4.0 / 3.0 * PI * b->radius[k] * b->radius[k] * b->radius[k];
    }
    for (size_t k = 0; k < bonds->count; ++k) {
        size_t i = (size_t)(bonds->bond[k].key >> 32);
        size_t j = (size_t)(bonds->bond[k].key & UINT32_MAX);
        double r = 0.5 * (b->radius[i] + b->radius[j]);
        p->bond_i[k] = (sherd_element_index)i;
        p->bond_j[k] = (sherd_element_index)j;
        p->bond_section[k] = fiber_share * PI * r * r;
    }
    p->solid_fraction = p->element_volume / p->shape_volume;
    p->cell_volume_match = 1.0;
    p->lattice_radius = b->radius[0];
}

static sherd_packing *make_packing(const sherd_yarn_build *b, const neighbours *n,
                                   const sherd_yarn_def *def, sherd_error *error)
{
    bond_list bonds = {0};
    list_bonds(n, def->glue, &bonds);
    sherd_packing *packing = bonds.failed ? NULL : sherd_alloc(1, sizeof *packing);
    if (packing != NULL && allocate(packing, b->count, bonds.count)) {
        store(packing, b, &bonds, def->fiber_share);
    } else {
        sherd_packing_destroy(packing);
        packing = NULL;
        sherd_fail_memory(error, "yarns");
    }
    sherd_free(bonds.bond);
    return packing;
}

sherd_packing *sherd_yarn_build_finish(sherd_yarn_build *build, const sherd_yarn_def *def,
                                       sherd_error *error)
{
    sherd_packing *packing = NULL;
    neighbours near = {0};
    if (build->too_many)
        sherd_fail(error, SHERD_ERROR_INPUT, "yarn.max_elements",
                   "use thicker or fewer yarns, or raise max_elements",
                   "more than %lld elements would be needed", (long long)build->max_elements);
    else if (build->failed || build->count == 0 || !find_neighbours(&near, build))
        sherd_fail_memory(error, "yarns");
    else if (check_overlaps(&near, error) == SHERD_OK)
        packing = make_packing(build, &near, def, error);
    sherd_point_grid_free(&near.grid);
    sherd_yarn_build_free(build);
    return packing;
}

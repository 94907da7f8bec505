// Making bonds: rest geometry, stiffness, strengths, and the search for near pairs.
#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"
#include "bond/bonds.h"
#include "material/strength.h"
#include "math/vec3.h"

#include <stddef.h>

static const double PI = 3.14159265358979323846;

// ---------------------------------------------------------------- storage

typedef struct array_slot {
    size_t offset, item_size;
} array_slot;

#define SLOT(name)                                                                                 \
    {                                                                                              \
        offsetof(sherd_bonds, name), sizeof *((sherd_bonds *)0)->name                              \
    }
static const array_slot SLOTS[] = {
    SLOT(i), SLOT(j), SLOT(d0x),  SLOT(d0y),     SLOT(d0z),   SLOT(l0),   SLOT(r0),
    SLOT(E), SLOT(G), SLOT(beta), SLOT(sigma_c), SLOT(tau_c), SLOT(kind), SLOT(broken),
};
#undef SLOT
enum { SLOT_COUNT = sizeof SLOTS / sizeof SLOTS[0] };

static void **slot_pointer(sherd_bonds *bonds, int slot)
{
    return (void **)((char *)bonds + SLOTS[slot].offset);
}

void sherd_bonds_free(sherd_bonds *bonds)
{
    for (int s = 0; s < SLOT_COUNT; ++s)
        sherd_free(*slot_pointer(bonds, s));
    *bonds = (sherd_bonds){0};
}

size_t sherd_bonds_bytes_each(void)
{
    size_t bytes = 0;
    for (int s = 0; s < SLOT_COUNT; ++s)
        bytes += SLOTS[s].item_size;
    return bytes;
}

static sherd_status reserve(sherd_bonds *bonds, int64_t needed, sherd_error *error)
{
    if (needed <= bonds->capacity) return SHERD_OK;
    // Lists of bonds are 32-bit.
    if (needed > INT32_MAX)
        return sherd_fail(error, SHERD_ERROR_INPUT, "bonds", "use a coarser packing",
                          "more than %d bonds", INT32_MAX);
    size_t capacity = 0;
    for (int s = 0; s < SLOT_COUNT; ++s) {
        capacity = (size_t)bonds->capacity;
        if (!sherd_grow(slot_pointer(bonds, s), &capacity, (size_t)needed, SLOTS[s].item_size))
            return sherd_fail_memory(error, "bonds");
    }
    bonds->capacity = (int64_t)capacity;
    return SHERD_OK;
}

// ---------------------------------------------------------------- one bond

static sherd_vec3 rest_position(const sherd_elements *e, sherd_element_index k)
{
    return vec3(e->rx[k], e->ry[k], e->rz[k]);
}

static uint8_t kind_of(const sherd_material_def *material)
{
    int absolute = material->breakage == SHERD_BREAKAGE_ABSOLUTE;
    if (material->law == SHERD_BOND_LAW_LU)
        return absolute ? SHERD_BOND_LU_ABSOLUTE : SHERD_BOND_LU_TENSILE;
    return absolute ? SHERD_BOND_QUATERNION_ABSOLUTE : SHERD_BOND_QUATERNION_TENSILE;
}

sherd_status sherd_bonds_add(sherd_bonds *bonds, const sherd_elements *elements,
                             const sherd_material_def *material, sherd_element_index i,
                             sherd_element_index j, uint64_t index, sherd_error *error)
{
    if (i > j) {
        sherd_element_index swap = i;
        i = j;
        j = swap;
    }
    sherd_vec3 b = vec3_sub(rest_position(elements, j), rest_position(elements, i));
    double l0 = vec3_length(b);
    if (i == j || !(l0 > 0.0))
        return sherd_fail(error, SHERD_ERROR_INPUT, "bond",
                          "remove duplicate elements or bonds of an element with itself",
                          "elements %d and %d are at the same place", i, j);
    sherd_status status = reserve(bonds, bonds->count + 1, error);
    if (status != SHERD_OK) return status;

    int64_t k = bonds->count++;
    sherd_vec3 d0 = vec3_scale(1.0 / l0, b);
    double r0 = 0.5 * (elements->radius[i] + elements->radius[j]); // [BDEM21] (2)
    double stiffening =
        sherd_material_grain_factor(material->grain_stiffening, material->grain_direction, d0);
    double strength =
        sherd_material_strength_factor(material, index) *
        sherd_material_grain_factor(material->grain_strengthening, material->grain_direction, d0);
    double never = material->breakage == SHERD_BREAKAGE_NONE ? INFINITY : 1.0;
    double m_i = elements->mass[i], m_j = elements->mass[j];
    bonds->i[k] = i;
    bonds->j[k] = j;
    bonds->d0x[k] = d0.x;
    bonds->d0y[k] = d0.y;
    bonds->d0z[k] = d0.z;
    bonds->l0[k] = l0;
    bonds->r0[k] = r0;
    bonds->E[k] = stiffening * material->youngs_modulus;
    bonds->G[k] = stiffening * material->shear_modulus;
    bonds->beta[k] = sherd_material_damping_time(material, m_i * m_j / (m_i + m_j),
                                                 bonds->E[k] * PI * r0 * r0 / l0);
    bonds->sigma_c[k] = strength * material->tensile_strength * never;
    bonds->tau_c[k] = strength * material->shear_strength * never;
    bonds->kind[k] = kind_of(material);
    bonds->broken[k] = 0;
    return SHERD_OK;
}

// ---------------------------------------------------------------- near pairs

// Elements of one body sorted into cubic cells at least as wide as the longest bond.
typedef struct cell_grid {
    sherd_vec3 origin;
    double cell;
    int64_t nx, ny, nz;
    sherd_sort_pair *order; // key = cell, value = element - first; sorted
    sherd_element_index count;
} cell_grid;

// Few enough cells that their number fits the keys, whatever the body's extent.
static const double MOST_CELLS_ACROSS = 1048576.0;

static uint64_t cell_key(const cell_grid *grid, sherd_vec3 p)
{
    uint64_t x = (uint64_t)((p.x - grid->origin.x) / grid->cell);
    uint64_t y = (uint64_t)((p.y - grid->origin.y) / grid->cell);
    uint64_t z = (uint64_t)((p.z - grid->origin.z) / grid->cell);
    return (z * (uint64_t)grid->ny + y) * (uint64_t)grid->nx + x;
}

static sherd_status grid_build(cell_grid *grid, const sherd_elements *e, sherd_element_index first,
                               sherd_element_index count, double reach, sherd_error *error)
{
    sherd_vec3 low = rest_position(e, first), high = low;
    double r_max = 0.0;
    for (sherd_element_index k = first; k < first + count; ++k) {
        low = vec3_min(low, rest_position(e, k));
        high = vec3_max(high, rest_position(e, k));
        r_max = fmax(r_max, e->radius[k]);
    }
    sherd_vec3 extent = vec3_sub(high, low);
    double widest = fmax(extent.x, fmax(extent.y, extent.z));
    grid->cell = fmax((2.0 + reach) * r_max * (1.0 + 1e-12), widest / MOST_CELLS_ACROSS);
    grid->origin = low;
    grid->nx = (int64_t)(extent.x / grid->cell) + 1;
    grid->ny = (int64_t)(extent.y / grid->cell) + 1;
    grid->nz = (int64_t)(extent.z / grid->cell) + 1;
    grid->count = count;
    grid->order = sherd_alloc((size_t)count, sizeof *grid->order);
    if (grid->order == NULL) return sherd_fail_memory(error, "bond search");
    for (sherd_element_index k = 0; k < count; ++k)
        grid->order[k] =
            (sherd_sort_pair){cell_key(grid, rest_position(e, first + k)), (uint32_t)k};
    if (!sherd_sort_pairs(grid->order, (size_t)count)) {
        sherd_free(grid->order);
        return sherd_fail_memory(error, "bond search");
    }
    return SHERD_OK;
}

// First position in the sorted order whose key is at least `key`.
static sherd_element_index lower_bound(const cell_grid *grid, uint64_t key)
{
    sherd_element_index low = 0, high = grid->count;
    while (low < high) {
        sherd_element_index middle = low + (high - low) / 2;
        if (grid->order[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

enum { MOST_PARTNERS = 512 }; // of one element; 10:1 size ratios reach about 500 on a sphere

typedef struct partner_list {
    sherd_element_index partner[MOST_PARTNERS];
    int count;
    bool overflow;
} partner_list;

static bool is_near(const sherd_elements *e, sherd_element_index i, sherd_element_index j,
                    double reach)
{
    double gap =
        vec3_distance(rest_position(e, i), rest_position(e, j)) - e->radius[i] - e->radius[j];
    return gap <= reach * fmin(e->radius[i], e->radius[j]);
}

// Adds partners j > i found in the run of cells [key, key + width).
static void search_run(const cell_grid *grid, const sherd_elements *e, sherd_element_index first,
                       sherd_element_index i, double reach, uint64_t key, uint64_t width,
                       partner_list *list)
{
    for (sherd_element_index at = lower_bound(grid, key);
         at < grid->count && grid->order[at].key < key + width; ++at) {
        sherd_element_index j = first + (sherd_element_index)grid->order[at].value;
        if (j <= i || !is_near(e, i, j, reach)) continue;
        if (list->count == MOST_PARTNERS) {
            list->overflow = true;
            return;
        }
        // Keep the list sorted: it is short, and bonds come in order of (i, j).
        int k = list->count++;
        for (; k > 0 && list->partner[k - 1] > j; --k)
            list->partner[k] = list->partner[k - 1];
        list->partner[k] = j;
    }
}

static void find_partners(const cell_grid *grid, const sherd_elements *e, sherd_element_index first,
                          sherd_element_index i, double reach, partner_list *list)
{
    sherd_vec3 p = vec3_sub(rest_position(e, i), grid->origin);
    int64_t x = (int64_t)(p.x / grid->cell), y = (int64_t)(p.y / grid->cell),
            z = (int64_t)(p.z / grid->cell);
    int64_t x_low = x > 0 ? x - 1 : 0, x_high = x + 1 < grid->nx ? x + 1 : grid->nx - 1;
    *list = (partner_list){.count = 0};
    for (int64_t cz = z - 1; cz <= z + 1; ++cz) {
        for (int64_t cy = y - 1; cy <= y + 1; ++cy) {
            if (cz < 0 || cz >= grid->nz || cy < 0 || cy >= grid->ny) continue;
            uint64_t key = (uint64_t)((cz * grid->ny + cy) * grid->nx + x_low);
            search_run(grid, e, first, i, reach, key, (uint64_t)(x_high - x_low + 1), list);
        }
    }
}

sherd_status sherd_bonds_add_near(sherd_bonds *bonds, const sherd_elements *elements,
                                  const sherd_material_def *material, sherd_element_index first,
                                  sherd_element_index count, double reach, sherd_error *error)
{
    cell_grid grid;
    sherd_status status = grid_build(&grid, elements, first, count, reach, error);
    if (status != SHERD_OK) return status;
    uint64_t index = 0; // numbers this body's bonds for their random strengths
    for (sherd_element_index i = first; i < first + count && status == SHERD_OK; ++i) {
        partner_list list;
        find_partners(&grid, elements, first, i, reach, &list);
        if (list.overflow)
            status =
                sherd_fail(error, SHERD_ERROR_INPUT, "bond_reach",
                           "reduce bond_reach or make radii more alike",
                           "element %d has more than %d partners within reach", i, MOST_PARTNERS);
        for (int k = 0; k < list.count && status == SHERD_OK; ++k)
            status = sherd_bonds_add(bonds, elements, material, i, list.partner[k], index++, error);
    }
    sherd_free(grid.order);
    return status;
}

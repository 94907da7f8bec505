// Making bonds: rest geometry, stiffness, strengths, and the search for near pairs.
#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"
#include "material/strength.h"
#include "math/vec3.h"
#include "models/bonded/storage/bond_classes.h"

#include <string.h>

// ---------------------------------------------------------------- storage

void sherd_bond_columns(sherd_bonds *bonds, sherd_bond_column columns[SHERD_BOND_COLUMNS])
{
    const sherd_bond_column all[SHERD_BOND_COLUMNS] = {
        {(void **)&bonds->i, sizeof *bonds->i},
        {(void **)&bonds->j, sizeof *bonds->j},
        {(void **)&bonds->class_index, sizeof *bonds->class_index},
        {(void **)&bonds->broken, sizeof *bonds->broken},
        {(void **)&bonds->strength, sizeof *bonds->strength},
        {(void **)&bonds->stiffness, sizeof *bonds->stiffness},
        {(void **)&bonds->section, sizeof *bonds->section},
        {(void **)&bonds->whole, sizeof *bonds->whole},
    };
    memcpy(columns, all, sizeof all);
}

void sherd_bonds_free(sherd_bonds *bonds)
{
    sherd_bond_column columns[SHERD_BOND_COLUMNS];
    sherd_bond_columns(bonds, columns);
    for (int c = 0; c < SHERD_BOND_COLUMNS; ++c)
        sherd_free(*columns[c].array);
    sherd_free(bonds->classes);
    sherd_free(bonds->materials);
    *bonds = (sherd_bonds){0};
}

size_t sherd_bonds_bytes(const sherd_bonds *bonds)
{
    sherd_bonds copy = *bonds;
    sherd_bond_column columns[SHERD_BOND_COLUMNS];
    sherd_bond_columns(&copy, columns);
    size_t bytes = (size_t)bonds->class_count * sizeof *bonds->classes +
                   bonds->material_capacity * sizeof *bonds->materials;
    for (int c = 0; c < SHERD_BOND_COLUMNS; ++c)
        if (*columns[c].array != NULL) bytes += (size_t)bonds->capacity * columns[c].item_size;
    return bytes;
}

bool sherd_bonds_make_column(const sherd_bonds *bonds, float **column, float value)
{
    if (*column != NULL) return true;
    *column = sherd_alloc((size_t)bonds->capacity, sizeof **column);
    for (int64_t k = 0; k < bonds->count && *column != NULL; ++k)
        (*column)[k] = value;
    return *column != NULL;
}

// Those that every bond needs come first.
static bool is_optional(int column)
{
    return column >= 4;
}

// Room for `needed` bonds. Strengths get an array with the first bond that has one of its own.
static sherd_status reserve(sherd_bonds *bonds, int64_t needed, bool strengths, sherd_error *error)
{
    // Bond indices are 32-bit, and two for each bond are counted in 32 bits.
    if (needed > INT32_MAX)
        return sherd_fail(error, SHERD_ERROR_INPUT, "bonds", "use a coarser packing",
                          "%lld bonds, at most %d are possible", (long long)needed, INT32_MAX);
    sherd_bond_column columns[SHERD_BOND_COLUMNS];
    sherd_bond_columns(bonds, columns);
    size_t capacity = (size_t)bonds->capacity;
    for (int c = 0; c < SHERD_BOND_COLUMNS && needed > bonds->capacity; ++c) {
        if (is_optional(c) && *columns[c].array == NULL) continue;
        capacity = (size_t)bonds->capacity;
        if (!sherd_grow(columns[c].array, &capacity, (size_t)needed, columns[c].item_size))
            return sherd_fail_memory(error, "bonds");
    }
    bonds->capacity = (int64_t)capacity;
    if (strengths && !sherd_bonds_make_column(bonds, &bonds->strength, 1.0F))
        return sherd_fail_memory(error, "bonds");
    return SHERD_OK;
}

// The material's number among those of bonds.
static sherd_status find_material(sherd_bonds *bonds, const sherd_material_def *material,
                                  int *number, sherd_error *error)
{
    sherd_material_def nameless; // copied byte by byte, padding included: bytes are compared
    memcpy(&nameless, material, sizeof nameless);
    nameless.name = NULL;
    for (*number = 0; *number < bonds->material_count; ++*number)
        if (memcmp(&bonds->materials[*number], &nameless, sizeof nameless) == 0) return SHERD_OK;
    if (bonds->material_count == SHERD_BOND_OWN)
        return sherd_fail(error, SHERD_ERROR_INPUT, "bonds", "use fewer materials",
                          "more than %d materials", SHERD_BOND_OWN);
    if (!sherd_grow((void **)&bonds->materials, &bonds->material_capacity,
                    (size_t)bonds->material_count + 1, sizeof nameless))
        return sherd_fail_memory(error, "bonds");
    *number = bonds->material_count++;
    memcpy(&bonds->materials[*number], &nameless, sizeof nameless);
    return SHERD_OK;
}

// ---------------------------------------------------------------- one bond

static sherd_status fail_same_place(sherd_element_index i, sherd_element_index j,
                                    sherd_error *error)
{
    return sherd_fail(error, SHERD_ERROR_INPUT, "bond",
                      "remove duplicate elements or bonds of an element with itself",
                      "elements %d and %d are at the same place", i, j);
}

// i < j; there is room for it.
static void put_bond(sherd_bonds *bonds, int64_t k, int material, sherd_element_index i,
                     sherd_element_index j, uint64_t index)
{
    bonds->i[k] = i;
    bonds->j[k] = j;
    bonds->class_index[k] = (uint16_t)(SHERD_BOND_OWN + material);
    bonds->broken[k] = 0;
    if (bonds->strength != NULL)
        bonds->strength[k] =
            (float)sherd_material_strength_factor(&bonds->materials[material], index);
    if (bonds->stiffness != NULL) bonds->stiffness[k] = 1.0F;
    if (bonds->section != NULL) bonds->section[k] = 0.0F;
}

sherd_status sherd_bonds_add(sherd_bonds *bonds, const sherd_elements *elements,
                             const sherd_material_def *material, sherd_element_index i,
                             sherd_element_index j, uint64_t index, sherd_error *error)
{
    if (i == j ||
        !(vec3_distance(sherd_element_rest(elements, i), sherd_element_rest(elements, j)) > 0.0))
        return fail_same_place(i, j, error);
    int number;
    sherd_status status = find_material(bonds, material, &number, error);
    if (status == SHERD_OK)
        status = reserve(bonds, bonds->count + 1, material->weibull_modulus > 0.0, error);
    if (status != SHERD_OK) return status;
    put_bond(bonds, bonds->count++, number, i < j ? i : j, i < j ? j : i, index);
    return SHERD_OK;
}

sherd_status sherd_bonds_set_section(sherd_bonds *bonds, int64_t bond, double area,
                                     sherd_error *error)
{
    if (!sherd_bonds_make_column(bonds, &bonds->section, 0.0F))
        return sherd_fail_memory(error, "bonds");
    bonds->section[bond] = (float)area;
    return SHERD_OK;
}

sherd_status sherd_bonds_set_factor(sherd_bonds *bonds, int64_t bond, double factor,
                                    sherd_error *error)
{
    if (!sherd_bonds_make_column(bonds, &bonds->stiffness, 1.0F) ||
        !sherd_bonds_make_column(bonds, &bonds->strength, 1.0F))
        return sherd_fail_memory(error, "bonds");
    bonds->stiffness[bond] = (float)factor;
    bonds->strength[bond] = (float)((double)bonds->strength[bond] * factor);
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
    sherd_vec3 low = sherd_element_rest(e, first), high = low;
    double r_max = 0.0;
    for (sherd_element_index k = first; k < first + count; ++k) {
        low = vec3_min(low, sherd_element_rest(e, k));
        high = vec3_max(high, sherd_element_rest(e, k));
        r_max = fmax(r_max, sherd_element_radius(e, k));
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
            (sherd_sort_pair){cell_key(grid, sherd_element_rest(e, first + k)), (uint32_t)k};
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
    sherd_element_index coincident; // a partner at the same place, -1 = none
} partner_list;

typedef struct near_search {
    const cell_grid *grid;
    const sherd_elements *elements;
    sherd_element_index first;
    double reach;
} near_search;

static void add_partner(partner_list *list, sherd_element_index j)
{
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

// Adds partners j > i found in the run of cells [key, key + width).
static void search_run(const near_search *search, sherd_element_index i, uint64_t key,
                       uint64_t width, partner_list *list)
{
    const cell_grid *grid = search->grid;
    const sherd_elements *e = search->elements;
    for (sherd_element_index at = lower_bound(grid, key);
         at < grid->count && grid->order[at].key < key + width; ++at) {
        sherd_element_index j = search->first + (sherd_element_index)grid->order[at].value;
        if (j <= i) continue;
        double distance = vec3_distance(sherd_element_rest(e, i), sherd_element_rest(e, j));
        double gap = distance - sherd_element_radius(e, i) - sherd_element_radius(e, j);
        if (!(gap <= search->reach * fmin(sherd_element_radius(e, i), sherd_element_radius(e, j))))
            continue;
        if (!(distance > 0.0)) list->coincident = j;
        add_partner(list, j);
    }
}

static void find_partners(const near_search *search, sherd_element_index i, partner_list *list)
{
    const cell_grid *grid = search->grid;
    sherd_vec3 p = vec3_sub(sherd_element_rest(search->elements, i), grid->origin);
    int64_t x = (int64_t)(p.x / grid->cell), y = (int64_t)(p.y / grid->cell),
            z = (int64_t)(p.z / grid->cell);
    int64_t x_low = x > 0 ? x - 1 : 0, x_high = x + 1 < grid->nx ? x + 1 : grid->nx - 1;
    list->count = 0, list->overflow = false, list->coincident = -1;
    for (int64_t cz = z - 1; cz <= z + 1; ++cz) {
        for (int64_t cy = y - 1; cy <= y + 1; ++cy) {
            if (cz < 0 || cz >= grid->nz || cy < 0 || cy >= grid->ny) continue;
            uint64_t key = (uint64_t)((cz * grid->ny + cy) * grid->nx + x_low);
            search_run(search, i, key, (uint64_t)(x_high - x_low + 1), list);
        }
    }
}

// Bonds of chunks of elements: first counted, so that exactly the memory they need is taken, then
// put where their numbers say.
enum { CHUNK = 1024 };

typedef struct near_pairs {
    near_search search;
    sherd_bonds *bonds;
    int material;
    int64_t base;             // the body's first bond
    int64_t *start;           // of chunks, from the base
    sherd_element_index *bad; // by chunk: first element in trouble, -1 = none
} near_pairs;

static void count_chunk(void *context, size_t begin, size_t end)
{
    const near_pairs *in = context;
    partner_list list;
    int64_t count = 0;
    sherd_element_index bad = -1;
    for (size_t k = begin; k < end && bad < 0; ++k) {
        sherd_element_index i = in->search.first + (sherd_element_index)k;
        find_partners(&in->search, i, &list);
        if (list.overflow || list.coincident >= 0) bad = i;
        count += list.count;
    }
    in->start[begin / CHUNK + 1] = count;
    in->bad[begin / CHUNK] = bad;
}

static void put_chunk(void *context, size_t begin, size_t end)
{
    const near_pairs *in = context;
    partner_list list;
    int64_t at = in->start[begin / CHUNK];
    for (size_t k = begin; k < end; ++k) {
        sherd_element_index i = in->search.first + (sherd_element_index)k;
        find_partners(&in->search, i, &list);
        for (int n = 0; n < list.count; ++n, ++at)
            put_bond(in->bonds, in->base + at, in->material, i, list.partner[n], (uint64_t)at);
    }
}

static sherd_status report_bad(const near_search *search, sherd_element_index i, sherd_error *error)
{
    partner_list list;
    find_partners(search, i, &list);
    if (list.coincident >= 0) return fail_same_place(i, list.coincident, error);
    return sherd_fail(error, SHERD_ERROR_INPUT, "bond_reach",
                      "reduce bond_reach or make radii more alike",
                      "element %d has more than %d partners within reach", i, MOST_PARTNERS);
}

static sherd_status add_pairs(near_pairs *in, const sherd_parallel *parallel, sherd_error *error)
{
    size_t count = (size_t)in->search.grid->count, chunks = (count + CHUNK - 1) / CHUNK;
    sherd_parallel_for(parallel, count, CHUNK, count_chunk, in);
    for (size_t c = 0; c < chunks; ++c) {
        if (in->bad[c] >= 0) return report_bad(&in->search, in->bad[c], error);
        in->start[c + 1] += in->start[c];
    }
    sherd_bonds *bonds = in->bonds;
    bool scatter = bonds->materials[in->material].weibull_modulus > 0.0;
    sherd_status status = reserve(bonds, in->base + in->start[chunks], scatter, error);
    if (status != SHERD_OK) return status;
    sherd_parallel_for(parallel, count, CHUNK, put_chunk, in);
    bonds->count = in->base + in->start[chunks];
    return SHERD_OK;
}

sherd_status sherd_bonds_add_near(sherd_bonds *bonds, const sherd_elements *elements,
                                  const sherd_material_def *material, sherd_element_index first,
                                  sherd_element_index count, double reach,
                                  const sherd_parallel *parallel, sherd_error *error)
{
    cell_grid grid;
    near_pairs in = {
        .search = {&grid, elements, first, reach}, .bonds = bonds, .base = bonds->count};
    sherd_status status = find_material(bonds, material, &in.material, error);
    if (status == SHERD_OK) status = grid_build(&grid, elements, first, count, reach, error);
    if (status != SHERD_OK) return status;
    size_t chunks = ((size_t)count + CHUNK - 1) / CHUNK;
    in.start = sherd_alloc(chunks + 1, sizeof *in.start);
    in.bad = sherd_alloc(chunks, sizeof *in.bad);
    status = in.start != NULL && in.bad != NULL ? add_pairs(&in, parallel, error)
                                                : sherd_fail_memory(error, "bond search");
    sherd_free(in.start);
    sherd_free(in.bad);
    sherd_free(grid.order);
    return status;
}

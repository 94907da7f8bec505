// Creates bonds: reference geometry, stiffness, strengths, and the search for neighbours.
#include "base/assertion.h"
#include "base/error.h"
#include "base/memory.h"
#include "material/strength.h"
#include "math/point_bins.h"
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
        {(void **)&bonds->history, (size_t)bonds->history_stride * sizeof *bonds->history},
        {(void **)&bonds->opening, sizeof *bonds->opening},
        {(void **)&bonds->damage, sizeof *bonds->damage},
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
    sherd_free(bonds->solids.solid);
    *bonds = (sherd_bonds){0};
}

int sherd_bonds_state(const sherd_bonds *bonds,
                      sherd_record_column columns[SHERD_BOND_STATE_COLUMNS])
{
    size_t count = (size_t)bonds->count, new_history = count * (size_t)bonds->history_stride;
    int columns_there = 0;
    columns[columns_there++] =
        (sherd_record_column){"broken", &sherd_rows_u8, bonds->broken, count, 0};
    if (bonds->history != NULL)
        columns[columns_there++] =
            (sherd_record_column){"history", &sherd_rows_f32, bonds->history, new_history, 0};
    if (bonds->opening != NULL)
        columns[columns_there++] =
            (sherd_record_column){"opening", &sherd_rows_f32, bonds->opening, count, 0};
    if (bonds->damage != NULL)
        columns[columns_there++] =
            (sherd_record_column){"damage", &sherd_rows_f64, bonds->damage, count, 0};
    return columns_there;
}

size_t sherd_bonds_bytes(const sherd_bonds *bonds)
{
    sherd_bonds copy = *bonds;
    sherd_bond_column columns[SHERD_BOND_COLUMNS];
    sherd_bond_columns(&copy, columns);
    size_t bytes = (size_t)bonds->class_count * sizeof *bonds->classes +
                   bonds->material_capacity * sizeof *bonds->materials +
                   bonds->solids.capacity * sizeof *bonds->solids.solid;
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

// Creates the history array, with empty histories for the bonds that exist.
static bool make_history(sherd_bonds *bonds)
{
    if (bonds->history != NULL) return true;
    bonds->history_stride = sherd_bond_max_history();
    bonds->history = sherd_alloc((size_t)bonds->capacity,
                                 (size_t)bonds->history_stride * sizeof *bonds->history);
    return bonds->history != NULL;
}

static bool make_damage(sherd_bonds *bonds)
{
    if (bonds->damage == NULL)
        bonds->damage = sherd_alloc((size_t)bonds->capacity, sizeof *bonds->damage);
    return bonds->damage != NULL;
}

// The first columns are required, the others optional.
static bool is_optional(int column)
{
    return column >= 4;
}

// Reserves memory for `needed` bonds. The arrays of strengths and histories are created with the
// first bond that needs them.
static sherd_status reserve(sherd_bonds *bonds, int64_t needed, const sherd_material_def *material,
                            sherd_error *error)
{
    // Bond indices are 32-bit, and adjacency counts two entries for each bond in 32 bits.
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
    bool strengths = material->weibull_modulus > 0.0;
    bool has_history = sherd_bond_law_history(sherd_material_effective_law(material)) > 0;
    bool softens = sherd_material_fracture_energy(material) > 0.0;
    if ((strengths && !sherd_bonds_make_column(bonds, &bonds->strength, 1.0F)) ||
        (softens && !sherd_bonds_make_column(bonds, &bonds->opening, 0.0F)) ||
        (material->rate_time > 0.0 && !make_damage(bonds)) || (has_history && !make_history(bonds)))
        return sherd_fail_memory(error, "bonds");
    return SHERD_OK;
}

// Finds the index of a material among the bonds' materials, or adds it.
static sherd_status find_material(sherd_bonds *bonds, const sherd_material_def *material,
                                  int *number, sherd_error *error)
{
    if (sherd_bond_law_describe(material->law) == NULL ||
        sherd_breakage_describe(material->breakage) == NULL)
        return sherd_fail(error, SHERD_ERROR_INPUT, "material", "see sherd/laws.h",
                          "there is no bond law %d or no criterion %d", (int)material->law,
                          (int)material->breakage);
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

static sherd_status fail_same_position(sherd_element_index i, sherd_element_index j,
                                       sherd_error *error)
{
    return sherd_fail(error, SHERD_ERROR_INPUT, "bond",
                      "remove duplicate elements or bonds of an element with itself",
                      "elements %d and %d are at the same place", i, j);
}

// Stores bond k, i < j; memory is reserved.
static void store_bond(sherd_bonds *bonds, int64_t k, int material, sherd_element_index i,
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
    if (bonds->opening != NULL) bonds->opening[k] = 0.0F;
    if (bonds->damage != NULL) bonds->damage[k] = 0.0;
    for (int n = 0; n < bonds->history_stride; ++n)
        bonds->history[k * bonds->history_stride + n] = 0.0F;
}

sherd_status sherd_bonds_add(sherd_bonds *bonds, const sherd_elements *elements,
                             const sherd_material_def *material, sherd_element_index i,
                             sherd_element_index j, uint64_t index, sherd_error *error)
{
    SHERD_ASSERT(i >= 0 && i < elements->count && j >= 0 && j < elements->count,
                 "bonds join elements that there are");
    if (i == j ||
        !(vec3_distance(sherd_element_rest(elements, i), sherd_element_rest(elements, j)) > 0.0))
        return fail_same_position(i, j, error);
    int number;
    sherd_status status = find_material(bonds, material, &number, error);
    if (status == SHERD_OK) status = reserve(bonds, bonds->count + 1, material, error);
    if (status != SHERD_OK) return status;
    store_bond(bonds, bonds->count++, number, i < j ? i : j, i < j ? j : i, index);
    return SHERD_OK;
}

sherd_status sherd_bonds_set_section(sherd_bonds *bonds, int64_t bond, double area,
                                     sherd_error *error)
{
    if (!sherd_bonds_make_column(bonds, &bonds->section, 0.0F))
        return sherd_fail_memory(error, "bonds");
    SHERD_ASSERT(area > 0.0 && bond >= 0 && bond < bonds->count, "a section has an area");
    bonds->section[bond] = (float)area;
    return SHERD_OK;
}

sherd_status sherd_bonds_set_factor(sherd_bonds *bonds, int64_t bond, double factor,
                                    sherd_error *error)
{
    if (!sherd_bonds_make_column(bonds, &bonds->stiffness, 1.0F) ||
        !sherd_bonds_make_column(bonds, &bonds->strength, 1.0F))
        return sherd_fail_memory(error, "bonds");
    SHERD_ASSERT(factor > 0.0 && bond >= 0 && bond < bonds->count, "a factor is positive");
    bonds->stiffness[bond] = (float)factor;
    bonds->strength[bond] = (float)((double)bonds->strength[bond] * factor);
    return SHERD_OK;
}

// ---------------------------------------------------------------- near pairs

enum { MAX_PARTNERS = 512 }; // of one element; 10:1 size ratios reach about 500 on a sphere

typedef struct partner_list {
    sherd_element_index partner[MAX_PARTNERS];
    int count;
    bool overflow;
    sherd_element_index coincident; // a partner at the same position, -1 = none
} partner_list;

typedef struct near_search {
    const sherd_elements *elements;
    sherd_element_index first, count; // elements of one body
    double reach;
    double distance;       // of centres, instead of `reach`; 0: not given [m]
    sherd_point_bins bins; // its elements in the reference state
    double longest;        // the longest possible bond [m]
} near_search;

static sherd_vec3 reference_position_of(const void *context, int32_t k)
{
    const near_search *search = context;
    return sherd_element_rest(search->elements, search->first + k);
}

static bool sort_elements(near_search *search)
{
    double r_max = 0.0;
    for (sherd_element_index k = 0; k < search->count; ++k)
        r_max = fmax(r_max, sherd_element_radius(search->elements, search->first + k));
    search->longest =
        search->distance > 0.0 ? search->distance : (2.0 + search->reach) * r_max * (1.0 + 1e-12);
    const sherd_bin_size size = {search->longest, .max_per_point = 8.0, .growth = 1.25};
    return sherd_point_bins_build(&search->bins, reference_position_of, search, search->count,
                                  size);
}

static void add_partner(partner_list *list, sherd_element_index j)
{
    if (list->count == MAX_PARTNERS) {
        list->overflow = true;
        return;
    }
    // Insertion sort: the list is short, and bonds come in order of (i, j).
    int k = list->count++;
    for (; k > 0 && list->partner[k - 1] > j; --k)
        list->partner[k] = list->partner[k - 1];
    list->partner[k] = j;
}

static bool is_within_reach(const near_search *search, sherd_element_index i, sherd_element_index j,
                            double distance)
{
    if (search->distance > 0.0) return distance <= search->distance;
    double r_i = sherd_element_radius(search->elements, i),
           r_j = sherd_element_radius(search->elements, j);
    return distance - r_i - r_j <= search->reach * fmin(r_i, r_j);
}

// Adds partners j > i among the sorted elements [begin, end).
static void search_run(const near_search *search, sherd_element_index i, int32_t begin, int32_t end,
                       partner_list *list)
{
    const sherd_elements *e = search->elements;
    sherd_vec3 x = sherd_element_rest(e, i);
    for (int32_t at = begin; at < end; ++at) {
        sherd_element_index j = search->first + search->bins.source[at];
        if (j <= i) continue;
        double distance = vec3_distance(x, search->bins.point[at]);
        if (!is_within_reach(search, i, j, distance)) continue;
        if (!(distance > 0.0)) list->coincident = j;
        add_partner(list, j);
    }
}

static void find_partners(const near_search *search, sherd_element_index i, partner_list *list)
{
    sherd_vec3 x = sherd_element_rest(search->elements, i);
    sherd_bin_rows rows = sherd_point_bins_rows(&search->bins, x, x, search->longest);
    int32_t begin, end;
    list->count = 0, list->overflow = false, list->coincident = -1;
    while (sherd_point_bins_next(&search->bins, &rows, &begin, &end))
        search_run(search, i, begin, end, list);
}

// Bonds of chunks of elements are first counted, so that exactly the memory they need is allocated,
// and then stored.
enum { CHUNK = 1024 };

typedef struct near_pairs {
    near_search search;
    sherd_bonds *bonds;
    int material;
    int64_t base;             // the body's first bond
    int64_t *start;           // by chunk, relative to base
    sherd_element_index *bad; // by chunk: the first element that can't be bonded, -1 = none
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

static void store_chunk(void *context, size_t begin, size_t end)
{
    const near_pairs *in = context;
    partner_list list;
    int64_t at = in->start[begin / CHUNK];
    for (size_t k = begin; k < end; ++k) {
        sherd_element_index i = in->search.first + (sherd_element_index)k;
        find_partners(&in->search, i, &list);
        for (int n = 0; n < list.count; ++n, ++at)
            store_bond(in->bonds, in->base + at, in->material, i, list.partner[n], (uint64_t)at);
    }
}

static sherd_status report_bad(const near_search *search, sherd_element_index i, sherd_error *error)
{
    partner_list list;
    find_partners(search, i, &list);
    if (list.coincident >= 0) return fail_same_position(i, list.coincident, error);
    return sherd_fail(error, SHERD_ERROR_INPUT, "bond_reach",
                      "reduce bond_reach or make radii more alike",
                      "element %d has more than %d partners within reach", i, MAX_PARTNERS);
}

static sherd_status add_pairs(near_pairs *in, const sherd_parallel *parallel, sherd_error *error)
{
    size_t count = (size_t)in->search.count, chunks = (count + CHUNK - 1) / CHUNK;
    sherd_parallel_for(parallel, count, CHUNK, count_chunk, in);
    for (size_t c = 0; c < chunks; ++c) {
        if (in->bad[c] >= 0) return report_bad(&in->search, in->bad[c], error);
        in->start[c + 1] += in->start[c];
    }
    sherd_bonds *bonds = in->bonds;
    sherd_status status =
        reserve(bonds, in->base + in->start[chunks], &bonds->materials[in->material], error);
    if (status != SHERD_OK) return status;
    sherd_parallel_for(parallel, count, CHUNK, store_chunk, in);
    bonds->count = in->base + in->start[chunks];
    return SHERD_OK;
}

static sherd_status add_found(sherd_bonds *bonds, const sherd_material_def *material,
                              const near_search *search, const sherd_parallel *parallel,
                              sherd_error *error)
{
    near_pairs in = {.search = *search, .bonds = bonds, .base = bonds->count};
    sherd_element_index count = search->count;
    sherd_status status = find_material(bonds, material, &in.material, error);
    if (status != SHERD_OK) return status;
    size_t chunks = ((size_t)count + CHUNK - 1) / CHUNK;
    in.start = sherd_alloc(chunks + 1, sizeof *in.start);
    in.bad = sherd_alloc(chunks, sizeof *in.bad);
    status = in.start != NULL && in.bad != NULL && sort_elements(&in.search)
                 ? add_pairs(&in, parallel, error)
                 : sherd_fail_memory(error, "bond search");
    sherd_free(in.start);
    sherd_free(in.bad);
    sherd_point_bins_release(&in.search.bins);
    return status;
}

sherd_status sherd_bonds_add_near(sherd_bonds *bonds, const sherd_elements *elements,
                                  const sherd_material_def *material, sherd_element_index first,
                                  sherd_element_index count, double reach,
                                  const sherd_parallel *parallel, sherd_error *error)
{
    const near_search search = {
        .elements = elements, .first = first, .count = count, .reach = reach};
    return add_found(bonds, material, &search, parallel, error);
}

sherd_status sherd_bonds_add_within(sherd_bonds *bonds, const sherd_elements *elements,
                                    const sherd_material_def *material, sherd_element_index first,
                                    sherd_element_index count, double distance,
                                    const sherd_parallel *parallel, sherd_error *error)
{
    SHERD_ASSERT(distance > 0.0, "a reach is a distance");
    const near_search search = {
        .elements = elements, .first = first, .count = count, .distance = distance};
    return add_found(bonds, material, &search, parallel, error);
}

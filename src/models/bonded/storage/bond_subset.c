#include "models/bonded/storage/bond_subset.h"

#include "base/assertion.h"
#include "base/error.h"
#include "base/memory.h"
#include "models/bonded/storage/bond_classes.h"

#include <string.h>

typedef struct extraction {
    sherd_bonds *part;
    const sherd_bonds *whole;
    const sherd_adjacency *adjacency;
    const sherd_element_index *member, *local;
    sherd_element_index count;
} extraction;

typedef void bond_visitor(const extraction *in, int64_t bond);

static void count_bond(const extraction *in, int64_t bond)
{
    (void)bond;
    ++in->part->count;
}

static uint16_t material_of(const sherd_bonds *whole, int64_t bond)
{
    uint16_t index = whole->class_index[bond];
    return index < SHERD_BOND_OWN ? (uint16_t)(SHERD_BOND_OWN + whole->classes[index].material)
                                  : index;
}

static void extract_bond(const extraction *in, int64_t bond)
{
    sherd_bonds *part = in->part;
    const sherd_bonds *whole = in->whole;
    int64_t at = part->count++;
    part->i[at] = in->local[whole->i[bond]];
    part->j[at] = in->local[whole->j[bond]];
    part->class_index[at] = material_of(whole, bond);
    part->whole[at] = (int32_t)bond;
    if (whole->strength != NULL) part->strength[at] = whole->strength[bond];
    if (whole->stiffness != NULL) part->stiffness[at] = whole->stiffness[bond];
    if (whole->section != NULL) part->section[at] = whole->section[bond];
}

// Visits each bond once, from its lower end.
static void visit_bonds(const extraction *in, bond_visitor *visit)
{
    for (sherd_element_index m = 0; m < in->count; ++m) {
        sherd_element_index k = in->member[m];
        for (uint32_t s = in->adjacency->start[k]; s < in->adjacency->start[k + 1]; ++s) {
            int64_t bond = in->adjacency->bond[s];
            if (in->whole->i[bond] == k && in->local[in->whole->j[bond]] >= 0) visit(in, bond);
        }
    }
}

static bool make_columns(sherd_bonds *part, const sherd_bonds *whole)
{
    part->history_stride = whole->history_stride;
    sherd_bond_column to[SHERD_BOND_COLUMNS], from[SHERD_BOND_COLUMNS];
    sherd_bond_columns(part, to);
    sherd_bond_columns((sherd_bonds *)whole, from);
    for (int c = 0; c < SHERD_BOND_COLUMNS; ++c) {
        bool own = to[c].array == (void **)&part->whole;
        if (!own && *from[c].array == NULL) continue;
        *to[c].array = sherd_alloc((size_t)part->capacity, to[c].item_size);
        if (*to[c].array == NULL) return false;
    }
    return true;
}

static bool copy_materials(sherd_bonds *part, const sherd_bonds *whole)
{
    size_t count = (size_t)whole->material_count;
    part->materials = sherd_alloc(count, sizeof *part->materials);
    if (part->materials == NULL) return false;
    if (count > 0) memcpy(part->materials, whole->materials, count * sizeof *part->materials);
    part->material_count = whole->material_count;
    part->material_capacity = count;
    return true;
}

static bool copy_solids(sherd_bond_solids *part, const sherd_bond_solids *whole)
{
    size_t count = (size_t)whole->count;
    part->solid = sherd_alloc(count, sizeof *part->solid);
    if (part->solid == NULL) return false;
    if (count > 0) memcpy(part->solid, whole->solid, count * sizeof *part->solid);
    part->count = whole->count;
    part->capacity = count;
    return true;
}

sherd_status sherd_bonds_extract_part(sherd_bonds *part, const sherd_bonds *whole,
                                      const sherd_adjacency *adjacency,
                                      const sherd_element_index *member, sherd_element_index count,
                                      const sherd_element_index *local, sherd_error *error)
{
    SHERD_ASSERT(sherd_strictly_ascending(member, (size_t)count), "members ascend");
    *part = (sherd_bonds){0};
    extraction in = {part, whole, adjacency, member, local, count};
    visit_bonds(&in, count_bond);
    part->capacity = part->count;
    part->count = 0;
    if (!make_columns(part, whole) || !copy_materials(part, whole) ||
        !copy_solids(&part->solids, &whole->solids))
        return sherd_fail_memory(error, "bonds of a region");
    visit_bonds(&in, extract_bond);
    return SHERD_OK;
}

// Copies the history of bond k of the part from or to that of the whole.
static void copy_history(float *to, int64_t at, const float *from, int64_t bond, int stride)
{
    if (stride > 0) memcpy(to + at * stride, from + bond * stride, (size_t)stride * sizeof *to);
}

void sherd_bonds_fetch_state(sherd_bonds *part, const sherd_bonds *whole)
{
    part->broken_count = 0;
    for (int64_t k = 0; k < part->count && whole->opening != NULL; ++k)
        part->opening[k] = whole->opening[part->whole[k]];
    for (int64_t k = 0; k < part->count && whole->damage != NULL; ++k)
        part->damage[k] = whole->damage[part->whole[k]];
    for (int64_t k = 0; k < part->count; ++k)
        copy_history(part->history, k, whole->history, part->whole[k], part->history_stride);
    for (int64_t k = 0; k < part->count; ++k) {
        part->broken[k] = whole->broken[part->whole[k]];
        part->broken_count += part->broken[k];
    }
}

void sherd_bonds_return_state(const sherd_bonds *part, sherd_bonds *whole)
{
    for (int64_t k = 0; k < part->count && whole->opening != NULL; ++k)
        whole->opening[part->whole[k]] = part->opening[k];
    for (int64_t k = 0; k < part->count && whole->damage != NULL; ++k)
        whole->damage[part->whole[k]] = part->damage[k];
    for (int64_t k = 0; k < part->count; ++k)
        copy_history(whole->history, part->whole[k], part->history, k, part->history_stride);
    for (int64_t k = 0; k < part->count; ++k) {
        uint8_t *broken = &whole->broken[part->whole[k]];
        whole->broken_count += part->broken[k] - *broken;
        *broken = part->broken[k];
    }
}

// Contact springs of levels. Every spring between two clusters is one item for each of them;
// springs to the ground or to held nodes are one item. Items are sorted by row and column and added
// in that order.
#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"
#include "linear/multigrid/coarse_matrices.h"

#include <string.h>

// The column in a key: 0 is the ground.
static uint64_t key_of(int32_t row, int32_t column)
{
    return (uint64_t)(uint32_t)row << 32 | (uint64_t)(uint32_t)(column + 1);
}

static int32_t row_of(const sherd_sort_pair *item)
{
    return (int32_t)(item->key >> 32);
}

static int32_t column_of(const sherd_sort_pair *item)
{
    return (int32_t)(item->key & 0xffffffffu) - 1;
}

// Adds an item's spring, relative to the row's centre; sets the offset from the column's centre.
typedef void item_function(const void *source, uint32_t value, double spring[SHERD_SPRING_NUMBERS],
                           sherd_vec3 *offset);

static void push_contact(sherd_coarse_level *level, size_t at, int32_t column,
                         const double spring[SHERD_SPRING_NUMBERS], sherd_vec3 offset)
{
    sherd_coarse_contact *contact = &level->contacts[at];
    contact->column = column;
    for (int n = 0; n < SHERD_SPRING_NUMBERS; ++n)
        contact->spring[n] = spring[n];
    contact->offset[0] = (float)offset.x;
    contact->offset[1] = (float)offset.y;
    contact->offset[2] = (float)offset.z;
}

// Replaces the contacts; some nodes may have become used or unused.
static void finish(sherd_coarse_level *level)
{
    for (size_t row = 0; row < level->stride; ++row)
        level->contact_start[row + 1] += level->contact_start[row];
    int32_t used = level->joining > 0 ? level->count : level->lasting;
    if (used != level->used)
        memset(level->vectors, 0,
               (size_t)SHERD_COARSE_VECTORS * 6 * level->stride * sizeof *level->vectors);
    level->used = used;
}

static sherd_status add_items(sherd_coarse_level *level, sherd_sort_pair *items, size_t count,
                              item_function *add, const void *source, sherd_error *error)
{
    memset(level->contact_start, 0, (level->stride + 1) * sizeof *level->contact_start);
    if (!sherd_sort_pairs(items, count) ||
        !sherd_grow((void **)&level->contacts, &level->contact_capacity, count,
                    sizeof *level->contacts))
        return sherd_fail_memory(error, "contacts of clusters");
    size_t contacts = 0;
    level->joining = 0;
    for (size_t k = 0; k < count;) {
        double spring[SHERD_SPRING_NUMBERS] = {0};
        sherd_vec3 offset = vec3(0.0, 0.0, 0.0);
        int32_t row = row_of(&items[k]), column = column_of(&items[k]);
        for (uint64_t key = items[k].key; k < count && items[k].key == key; ++k)
            add(source, items[k].value, spring, &offset);
        if (column < 0) {
            column = (int32_t)level->stride - 1;
            offset = vec3(0.0, 0.0, 0.0);
        } else {
            ++level->joining;
        }
        push_contact(level, contacts++, column, spring, offset);
        ++level->contact_start[row + 1];
    }
    finish(level);
    return SHERD_OK;
}

// ---------------------------------------------------------------- first level

typedef struct spring_source {
    const sherd_coarse_level *level;
    const sherd_linear_system *system;
} spring_source;

// From the centre of the node's cluster to the contact point.
static sherd_vec3 arm_of(const spring_source *s, int32_t node, const float arm[3])
{
    const float *offset = s->level->offset + node;
    size_t stride = s->level->fine_stride;
    return vec3((double)offset[0] + (double)arm[0], (double)offset[stride] + (double)arm[1],
                (double)offset[2 * stride] + (double)arm[2]);
}

// Value: 2 spring + 0 for i's, 1 for j's side.
static void add_spring(const void *source, uint32_t value, double spring[SHERD_SPRING_NUMBERS],
                       sherd_vec3 *offset)
{
    const spring_source *s = source;
    const sherd_contact_spring *contact = &s->system->springs[value / 2];
    bool of_j = value % 2 != 0;
    sherd_vec3 arm =
        of_j ? arm_of(s, contact->j, contact->arm_j) : arm_of(s, contact->i, contact->arm_i);
    double stiffness[6];
    for (int n = 0; n < 6; ++n)
        stiffness[n] = contact->stiffness[n];
    sherd_spring_add_point(spring, arm, stiffness);
    if (contact->j < 0) return;
    sherd_vec3 other =
        of_j ? arm_of(s, contact->i, contact->arm_i) : arm_of(s, contact->j, contact->arm_j);
    *offset = vec3_sub(other, arm);
}

static int32_t cluster_of(const sherd_coarse_level *level, int32_t node)
{
    if (node < 0) return SHERD_CLUSTER_NONE;
    int32_t parent = level->parent[node];
    return parent < level->count ? parent : SHERD_CLUSTER_NONE;
}

sherd_status sherd_coarse_first_contacts(sherd_coarse_level *level,
                                         const sherd_linear_system *system, sherd_error *error)
{
    sherd_sort_pair *items = sherd_alloc(2 * (size_t)system->spring_count, sizeof *items);
    if (items == NULL) return sherd_fail_memory(error, "contacts of clusters");
    size_t count = 0;
    for (int64_t k = 0; k < system->spring_count; ++k) {
        const sherd_contact_spring *s = &system->springs[k];
        int32_t i = cluster_of(level, s->i), j = cluster_of(level, s->j);
        if (i == j) continue;
        if (i >= 0) items[count++] = (sherd_sort_pair){key_of(i, j), (uint32_t)(2 * k)};
        if (j >= 0) items[count++] = (sherd_sort_pair){key_of(j, i), (uint32_t)(2 * k + 1)};
    }
    spring_source source = {level, system};
    sherd_status status = add_items(level, items, count, add_spring, &source, error);
    sherd_free(items);
    return status;
}

// ---------------------------------------------------------------- coarser levels

typedef struct contact_source {
    const sherd_coarse_level *level, *finer;
    const int32_t *row; // of the finer level's contacts
} contact_source;

static sherd_vec3 offset_of(const sherd_coarse_level *level, int32_t child)
{
    size_t stride = level->fine_stride, k = (size_t)child;
    return vec3((double)level->offset[k], (double)level->offset[stride + k],
                (double)level->offset[2 * stride + k]);
}

static void add_contact(const void *source, uint32_t value, double spring[SHERD_SPRING_NUMBERS],
                        sherd_vec3 *offset)
{
    const contact_source *s = source;
    const sherd_coarse_contact *contact = &s->finer->contacts[value];
    double from[SHERD_SPRING_NUMBERS];
    for (int n = 0; n < SHERD_SPRING_NUMBERS; ++n)
        from[n] = contact->spring[n];
    sherd_vec3 here = offset_of(s->level, s->row[value]);
    sherd_spring_add_shifted(spring, from, here);
    if ((size_t)contact->column + 1 == s->finer->stride) return;
    sherd_vec3 there = offset_of(s->level, contact->column);
    sherd_vec3 between =
        vec3((double)contact->offset[0], (double)contact->offset[1], (double)contact->offset[2]);
    *offset = vec3_add(vec3_sub(between, here), there);
}

static int32_t column_parent(const sherd_coarse_level *level, const sherd_coarse_level *finer,
                             int32_t contact)
{
    int32_t column = finer->contacts[contact].column;
    return (size_t)column + 1 == finer->stride ? SHERD_CLUSTER_NONE : level->parent[column];
}

sherd_status sherd_coarse_level_contacts(sherd_coarse_level *level, const sherd_coarse_level *finer,
                                         sherd_error *error)
{
    size_t all = (size_t)finer->contact_start[finer->stride], count = 0;
    sherd_sort_pair *items = sherd_alloc(all, sizeof *items);
    int32_t *rows = sherd_alloc(all, sizeof *rows);
    sherd_status status = SHERD_OK;
    if (items == NULL || rows == NULL) status = sherd_fail_memory(error, "contacts of clusters");
    for (int32_t row = 0; status == SHERD_OK && all > 0 && row < finer->count; ++row)
        for (int32_t k = finer->contact_start[row]; k < finer->contact_start[row + 1]; ++k) {
            int32_t i = level->parent[row], j = column_parent(level, finer, k);
            rows[k] = row;
            if (i != j) items[count++] = (sherd_sort_pair){key_of(i, j), (uint32_t)k};
        }
    contact_source source = {level, finer, rows};
    if (status == SHERD_OK) status = add_items(level, items, count, add_contact, &source, error);
    sherd_free(items);
    sherd_free(rows);
    return status;
}

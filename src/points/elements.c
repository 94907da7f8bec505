#include "points/elements.h"

#include "base/assertion.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/pages/pages.h"

#include <stdbool.h>
#include <string.h>

// Offset of each array pointer in the struct, its name in checkpoints, and its number of items.
typedef struct array_slot {
    const char *name;
    size_t offset, item_size;
    const sherd_row_layout *layout;
} array_slot;

#define ITEM(array) (*((sherd_elements *)0)->array)
#define SLOT(array)                                                                                \
    {                                                                                              \
#array, offsetof(sherd_elements, array), sizeof ITEM(array),                               \
            _Generic(ITEM(array), double                                                           \
                     : &sherd_rows_f64, float                                                      \
                     : &sherd_rows_f32, uint32_t                                                   \
                     : &sherd_rows_u32, uint16_t                                                   \
                     : &sherd_rows_u16, uint8_t                                                    \
                     : &sherd_rows_u8)                                                             \
    }
// Arrays of sherd_elements_state come first.
static const array_slot SLOTS[] = {
    SLOT(px),
    SLOT(py),
    SLOT(pz),
    SLOT(qx),
    SLOT(qy),
    SLOT(qz),
    SLOT(qw),
    SLOT(vx),
    SLOT(vy),
    SLOT(vz),
    SLOT(wx),
    SLOT(wy),
    SLOT(wz),
    SLOT(fx),
    SLOT(fy),
    SLOT(fz),
    SLOT(tx),
    SLOT(ty),
    SLOT(tz),
    SLOT(loads.high[0]),
    SLOT(loads.high[1]),
    SLOT(loads.high[2]),
    SLOT(loads.low[0]),
    SLOT(loads.low[1]),
    SLOT(loads.low[2]),
    SLOT(loads.torque[0]),
    SLOT(loads.torque[1]),
    SLOT(loads.torque[2]),
    SLOT(held),
    SLOT(asleep),
    SLOT(rx),
    SLOT(ry),
    SLOT(rz),
    SLOT(radius),
    SLOT(mass),
    SLOT(material),
    SLOT(given.rest_index[0]),
    SLOT(given.rest_index[1]),
    SLOT(given.rest_index[2]),
    SLOT(kinds.line),
};
enum {
    SLOT_COUNT = sizeof SLOTS / sizeof SLOTS[0],
    STATE_SLOTS = 28,
    FULL_LOADS = 13,  // slots [13, 19)
    SHORT_LOADS = 19, // slots [19, 28)
    TABLES = 36,      // slots from here on
};

// Arrays that are allocated while elements are added.
static bool is_full(int slot)
{
    return slot < SHORT_LOADS || (slot >= STATE_SLOTS && slot < TABLES);
}

static void **slot_pointer(sherd_elements *elements, int slot)
{
    return (void **)((char *)elements + SLOTS[slot].offset);
}

static void *slot_array(const sherd_elements *elements, int slot)
{
    return *slot_pointer((sherd_elements *)elements, slot);
}

// Large arrays of the state start at different cache lines of a page: loops read 22 of them in
// parallel, and arrays that start at the same line of a page would compete for the same sets of the
// first-level cache.
static size_t bytes_skipped(const sherd_elements *elements, int slot)
{
    enum { PAGE = 4096, LINES_APART = 3 };
    if (!elements->staggered || slot >= STATE_SLOTS) return 0;
    return (size_t)slot * LINES_APART * SHERD_ALIGNMENT % PAGE;
}

static bool alloc_slot(sherd_elements *elements, int slot)
{
    size_t item_size = SLOTS[slot].item_size, skipped = bytes_skipped(elements, slot);
    char *array = sherd_alloc_pages((size_t)elements->capacity + skipped, item_size);
    if (array != NULL) *slot_pointer(elements, slot) = array + skipped;
    return array != NULL;
}

static void free_slot(sherd_elements *elements, int slot)
{
    char *array = slot_array(elements, slot);
    if (array != NULL) sherd_free_pages(array - bytes_skipped(elements, slot));
    *slot_pointer(elements, slot) = NULL;
}

// Moves the first elements to arrays for `capacity` ones; the others are zeroed.
static sherd_status move(sherd_elements *elements, sherd_element_index count,
                         sherd_element_index capacity, sherd_error *error)
{
    enum { LARGE = 8192 };
    sherd_elements other = {.count = count, .capacity = capacity, .staggered = capacity >= LARGE};
    for (int s = 0; s < SLOT_COUNT; ++s) {
        if (!is_full(s) || alloc_slot(&other, s)) continue;
        sherd_elements_free(&other);
        return sherd_fail_memory(error, "elements");
    }
    sherd_element_index kept = elements->count < count ? elements->count : count;
    for (int s = 0; s < SLOT_COUNT && kept > 0; ++s)
        if (is_full(s))
            memcpy(slot_array(&other, s), slot_array(elements, s),
                   (size_t)kept * SLOTS[s].item_size);
    sherd_elements_free(elements);
    *elements = other;
    return SHERD_OK;
}

// A quarter more than there was keeps the cost of adding many bodies linear; the first body's
// arrays, often the only one's, are exact.
sherd_status sherd_elements_resize(sherd_elements *elements, sherd_element_index count,
                                   sherd_error *error)
{
    SHERD_ASSERT(count >= 0, "the number of elements is not negative");
    int64_t grown = (int64_t)elements->capacity + elements->capacity / 4;
    if (count > elements->capacity || elements->capacity == 0)
        return move(elements, count, (sherd_element_index)(count > grown ? count : grown), error);
    for (int s = 0; s < SLOT_COUNT && count > elements->count; ++s) {
        size_t size = SLOTS[s].item_size, first = (size_t)elements->count;
        if (is_full(s))
            memset((char *)slot_array(elements, s) + first * size, 0,
                   ((size_t)count - first) * size);
    }
    elements->count = count;
    return SHERD_OK;
}

sherd_status sherd_elements_trim(sherd_elements *elements, sherd_error *error)
{
    if (elements->capacity == elements->count) return SHERD_OK;
    return move(elements, elements->count, elements->count, error);
}

void sherd_elements_free(sherd_elements *elements)
{
    for (int s = 0; s < SLOT_COUNT; ++s)
        free_slot(elements, s);
    for (int a = 0; a < 3; ++a)
        sherd_free(elements->given.rest_value[a]);
    sherd_free(elements->kinds.radius);
    sherd_free(elements->kinds.mass);
    sherd_free(elements->kinds.material);
    *elements = (sherd_elements){0};
}

sherd_status sherd_elements_shorten_loads(sherd_elements *elements, sherd_error *error)
{
    if (elements->fx == NULL) return SHERD_OK;
    for (int s = SHORT_LOADS; s < STATE_SLOTS; ++s) {
        if (alloc_slot(elements, s)) continue;
        while (s-- > SHORT_LOADS)
            free_slot(elements, s);
        return sherd_fail_memory(error, "elements");
    }
    for (int s = FULL_LOADS; s < SHORT_LOADS; ++s)
        free_slot(elements, s);
    return SHERD_OK;
}

int sherd_elements_state(const sherd_elements *elements,
                         sherd_record_column columns[SHERD_STATE_COLUMNS])
{
    int count = 0;
    for (int s = 0; s < STATE_SLOTS; ++s) {
        void *array = slot_array(elements, s);
        if (array != NULL)
            columns[count++] = (sherd_record_column){SLOTS[s].name, SLOTS[s].layout, array,
                                                     (size_t)elements->count, 0};
    }
    return count;
}

void sherd_elements_clear_loads(sherd_elements *elements, sherd_element_index begin,
                                sherd_element_index end)
{
    SHERD_ASSERT(begin >= 0 && begin <= end && end <= elements->count,
                 "the range lies in the elements");
    for (int s = FULL_LOADS; s < STATE_SLOTS; ++s) {
        char *array = slot_array(elements, s);
        size_t size = SLOTS[s].item_size;
        if (array != NULL) memset(array + (size_t)begin * size, 0, (size_t)(end - begin) * size);
    }
}

void sherd_elements_clear_motion(sherd_elements *elements, bool turns)
{
    const sherd_elements *e = elements;
    size_t bytes = (size_t)e->count * sizeof(double);
    double *motion[] = {e->px, e->py, e->pz, e->vx, e->vy, e->vz},
           *orientation[] = {e->qx, e->qy, e->qz, e->qw};
    for (size_t k = 0; k < sizeof motion / sizeof *motion; ++k)
        sherd_clear_pages(motion[k], bytes);
    for (size_t k = 0; k < sizeof orientation / sizeof *orientation && turns; ++k)
        sherd_clear_pages(orientation[k], bytes);
}

size_t sherd_elements_bytes(const sherd_elements *elements)
{
    const sherd_given *given = &elements->given;
    size_t each = 0, tables = 0;
    for (int s = 0; s < SLOT_COUNT; ++s)
        if (slot_array(elements, s) != NULL) each += SLOTS[s].item_size;
    for (int a = 0; a < 3; ++a)
        tables += (size_t)given->rest_values[a] * sizeof *given->rest_value[a];
    const sherd_point_kinds *kinds = &elements->kinds;
    tables += (size_t)kinds->count *
              (sizeof *kinds->radius + sizeof *kinds->mass + sizeof *kinds->material);
    return (size_t)elements->capacity * each + tables;
}

// ---------------------------------------------------------------- a part of the elements

sherd_status sherd_elements_extract_part(sherd_elements *part, const sherd_elements *whole,
                                         const sherd_element_index *member,
                                         sherd_element_index count, sherd_error *error)
{
    *part = (sherd_elements){0};
    sherd_status status = sherd_elements_resize(part, count, error);
    if (status != SHERD_OK) return status;
    part->number = member;
    for (sherd_element_index m = 0; m < count; ++m) {
        sherd_element_index k = member[m];
        SHERD_ASSERT(k >= 0 && k < whole->count, "members are in the whole");
        SHERD_ASSERT(m == 0 || member[m - 1] < k, "members are sorted");
        sherd_vec3 rest = sherd_element_rest(whole, k);
        part->rx[m] = rest.x, part->ry[m] = rest.y, part->rz[m] = rest.z;
        part->radius[m] = sherd_element_radius(whole, k);
        part->mass[m] = sherd_element_mass(whole, k);
        part->material[m] = sherd_element_material(whole, k);
        part->held[m] = whole->held[k];
    }
    return sherd_elements_pack(part, error);
}

enum { COLUMNS = 19 };

static void state_columns(const sherd_elements *e, double *columns[COLUMNS])
{
    double *all[COLUMNS] = {e->px, e->py, e->pz, e->qx, e->qy, e->qz, e->qw, e->vx, e->vy, e->vz,
                            e->wx, e->wy, e->wz, e->fx, e->fy, e->fz, e->tx, e->ty, e->tz};
    for (int c = 0; c < COLUMNS; ++c)
        columns[c] = all[c];
}

void sherd_elements_fetch_state(sherd_elements *part, const sherd_elements *whole,
                                const sherd_element_index *member)
{
    SHERD_ASSERT(part->number == member && part->count <= whole->count,
                 "the part was taken with these members");
    double *to[COLUMNS], *from[COLUMNS];
    state_columns(part, to);
    state_columns(whole, from);
    for (int c = 0; c < COLUMNS; ++c)
        for (sherd_element_index m = 0; m < part->count; ++m)
            to[c][m] = from[c][member[m]];
}

void sherd_elements_return_state(const sherd_elements *part, sherd_elements *whole,
                                 const sherd_element_index *member)
{
    SHERD_ASSERT(part->number == member && part->count <= whole->count,
                 "the part was taken with these members");
    double *to[COLUMNS], *from[COLUMNS];
    state_columns(whole, to);
    state_columns(part, from);
    for (int c = 0; c < COLUMNS; ++c)
        for (sherd_element_index m = 0; m < part->count; ++m)
            to[c][member[m]] = from[c][m];
}

uint64_t sherd_points_hash(const sherd_points *p, uint64_t hash)
{
    const double *columns[] = {p->px, p->py, p->pz, p->qx, p->qy, p->qz, p->qw,
                               p->vx, p->vy, p->vz, p->wx, p->wy, p->wz};
    for (size_t c = 0; c < sizeof columns / sizeof columns[0]; ++c)
        hash = sherd_hash_bytes(hash, columns[c], (size_t)p->count * sizeof(double));
    return hash;
}

// Tables of given properties of elements: a regular packing has few distinct coordinates along each
// axis and few kinds of elements. An element then stores the index of a table entry (2 bytes)
// instead of the values (8 bytes each), without loss. If there are more entries than 2 bytes can
// index, or so many that nothing is saved, the full arrays stay.
#include "points/elements.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/pages/pages.h"

#include <stdbool.h>
#include <string.h>

enum {
    MAX_LINES = 1 << 16,    // that 2 bytes can index
    PLACES = 2 * MAX_LINES, // of the hash table
    ELEMENTS_PER_LINE = 8,  // minimum for the table to save memory
    KEY_NUMBERS = 3,
};

// Numbers compared by their bits: -0 and 0 differ.
typedef struct line_key {
    uint64_t bits[KEY_NUMBERS];
} line_key;

// Entries of a table, in order of first use.
typedef struct line_table {
    int32_t count, most;
    line_key *lines; // (most)
    int32_t *place;  // by hash: index of an entry + 1, or 0 (PLACES)
} line_table;

static bool table_create(line_table *table, sherd_element_index elements)
{
    *table = (line_table){.most = 16 + elements / ELEMENTS_PER_LINE};
    if (table->most > MAX_LINES) table->most = MAX_LINES;
    table->lines = sherd_alloc((size_t)table->most, sizeof *table->lines);
    table->place = sherd_alloc(PLACES, sizeof *table->place);
    return table->lines != NULL && table->place != NULL;
}

static void table_free(line_table *table)
{
    sherd_free(table->lines);
    sherd_free(table->place);
}

// Multiplicative hashing; upper bits are the mixed ones. [Knuth, TAOCP vol. 3, 6.4]
static uint32_t place_of(const line_key *key)
{
    const uint64_t golden = UINT64_C(0x9e3779b97f4a7c15); // 2^64 / golden ratio
    uint64_t hash = 0;
    for (int n = 0; n < KEY_NUMBERS; ++n)
        hash = ((hash ^ (hash >> 32)) + key->bits[n]) * golden;
    return (uint32_t)(hash >> 40) % PLACES;
}

// The entry's index, or -1 if there are too many.
static int32_t find_line(line_table *table, const line_key *key)
{
    uint32_t at = place_of(key);
    for (; table->place[at] != 0; at = (at + 1) % PLACES)
        if (memcmp(&table->lines[table->place[at] - 1], key, sizeof *key) == 0)
            return table->place[at] - 1;
    if (table->count == table->most) return -1;
    table->lines[table->count] = *key;
    table->place[at] = ++table->count;
    return table->count - 1;
}

static uint64_t bits_of(double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

static double number_of(uint64_t bits)
{
    double number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

typedef line_key key_of_element(const sherd_elements *elements, int axis, sherd_element_index k);

static line_key rest_key(const sherd_elements *e, int axis, sherd_element_index k)
{
    const double *rest[3] = {e->rx, e->ry, e->rz};
    return (line_key){{bits_of(rest[axis][k])}};
}

static line_key kind_key(const sherd_elements *e, int axis, sherd_element_index k)
{
    (void)axis;
    return (line_key){{bits_of(e->radius[k]), bits_of(e->mass[k]), e->material[k]}};
}

// Finds every element's entry; false if there are too many entries.
static bool number_elements(const sherd_elements *e, key_of_element *key_of, int axis,
                            line_table *table, uint16_t *number)
{
    for (sherd_element_index k = 0; k < e->count; ++k) {
        line_key key = key_of(e, axis, k);
        int32_t line = find_line(table, &key);
        if (line < 0) return false;
        number[k] = (uint16_t)line;
    }
    return true;
}

// ---------------------------------------------------------------- reference positions

// Replaces *full by the table, whose values stay.
static bool take_rest(sherd_given *given, int axis, double **full, const line_table *table,
                      uint16_t *number)
{
    double *value = sherd_alloc((size_t)table->count, sizeof *value);
    if (value == NULL) return false;
    for (int32_t n = 0; n < table->count; ++n)
        value[n] = number_of(table->lines[n].bits[0]);
    given->rest_value[axis] = value;
    given->rest_values[axis] = table->count;
    given->rest_index[axis] = number;
    sherd_free_pages(*full);
    *full = NULL;
    return true;
}

static bool take_kinds(sherd_elements *e, const line_table *table, uint16_t *number)
{
    size_t count = (size_t)table->count;
    double *radius = sherd_alloc(count, sizeof *radius), *mass = sherd_alloc(count, sizeof *mass);
    uint16_t *material = sherd_alloc(count, sizeof *material);
    if (radius == NULL || mass == NULL || material == NULL) {
        sherd_free(radius), sherd_free(mass), sherd_free(material);
        return false;
    }
    for (size_t n = 0; n < count; ++n) {
        radius[n] = number_of(table->lines[n].bits[0]);
        mass[n] = number_of(table->lines[n].bits[1]);
        material[n] = (uint16_t)table->lines[n].bits[2];
    }
    e->kinds = (sherd_point_kinds){number, radius, mass, material, table->count};
    sherd_free_pages(e->radius), sherd_free_pages(e->mass), sherd_free_pages(e->material);
    e->radius = e->mass = NULL, e->material = NULL;
    return true;
}

// Packs coordinates along an axis, or with axis -1 kinds.
static sherd_status pack_one(sherd_elements *e, int axis, sherd_error *error)
{
    double **rest[3] = {&e->rx, &e->ry, &e->rz};
    if (axis < 0 ? e->radius == NULL : *rest[axis] == NULL) return SHERD_OK;
    line_table table;
    uint16_t *number = sherd_alloc((size_t)e->count, sizeof *number);
    bool ok = table_create(&table, e->count) && number != NULL;
    bool few = ok && number_elements(e, axis < 0 ? kind_key : rest_key, axis, &table, number);
    if (few)
        ok = axis < 0 ? take_kinds(e, &table, number)
                      : take_rest(&e->given, axis, rest[axis], &table, number);
    if (!few || !ok) sherd_free(number);
    table_free(&table);
    return ok ? SHERD_OK : sherd_fail_memory(error, "elements");
}

sherd_status sherd_elements_pack(sherd_elements *elements, sherd_error *error)
{
    sherd_status status = SHERD_OK;
    for (int axis = -1; axis < 3 && status == SHERD_OK; ++axis)
        status = pack_one(elements, axis, error);
    return status;
}

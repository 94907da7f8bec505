// Reads a .msh: values, text or binary; nodes; elements.
#include "output/mesh_file/msh_reader.h"

#include "base/error.h"
#include "base/memory.h"
#include "math/vec3.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void sherd_msh_fail(msh_reader *r, const char *hint, const char *what_format, ...)
{
    if (msh_failed(r)) return;
    char where[SHERD_ERROR_TEXT_SIZE], what[SHERD_ERROR_TEXT_SIZE];
    if (r->binary)
        snprintf(where, sizeof where, "%s: byte %zu", r->scanner.path,
                 (size_t)(r->scanner.at - r->begin));
    else
        snprintf(where, sizeof where, "%s:%ld", r->scanner.path, r->scanner.line);
    va_list arguments;
    va_start(arguments, what_format);
    vsnprintf(what, sizeof what, what_format, arguments);
    va_end(arguments);
    r->status = sherd_fail(r->error, SHERD_ERROR_INPUT, where, hint, "%s", what);
}

const unsigned char *sherd_msh_take_bytes(msh_reader *r, size_t size, const char *what)
{
    if (!msh_failed(r) && msh_bytes_left(r) < size)
        sherd_msh_fail(r, "the file is cut off: export it again",
                       "the file ends where %s should be", what);
    if (msh_failed(r)) return NULL;
    const unsigned char *bytes = (const unsigned char *)r->scanner.at;
    r->scanner.at += size;
    return bytes;
}

double sherd_msh_text_number(msh_reader *r, const char *what)
{
    double value = 0.0;
    if (msh_failed(r)) return 0.0;
    sherd_text_word word = sherd_scan_word(&r->scanner);
    if (word.size > 0 && word.text[0] == '$')
        sherd_msh_fail(r, "the section ends too early: export the mesh again", "%s is missing",
                       what);
    else
        r->status = sherd_scan_number(&r->scanner, word, what, &value, r->error);
    return msh_failed(r) ? 0.0 : value;
}

double sherd_msh_take_real(msh_reader *r, const char *what)
{
    if (!r->binary) return sherd_msh_text_number(r, what);
    const unsigned char *bytes = sherd_msh_take_bytes(r, 8, what);
    double value = bytes != NULL ? sherd_load_f64(bytes, r->order) : 0.0;
    if (!isfinite(value)) sherd_msh_fail(r, "export the mesh again", "%s must be finite", what);
    return msh_failed(r) ? 0.0 : value;
}

int64_t sherd_msh_take_integer(msh_reader *r, size_t size, const char *what)
{
    if (r->binary) {
        const unsigned char *bytes = sherd_msh_take_bytes(r, size, what);
        if (bytes == NULL) return 0;
        uint64_t bits = sherd_load_bytes(bytes, size, r->order);
        return size == 4 ? (int32_t)(uint32_t)bits : (int64_t)bits;
    }
    double value = sherd_msh_text_number(r, what);
    if (value != floor(value) || fabs(value) > 9e15)
        sherd_msh_fail(r, NULL, "%s must be a whole number, got %g", what, value);
    return msh_failed(r) ? 0 : (int64_t)value;
}

int64_t sherd_msh_take_size(msh_reader *r, const char *what)
{
    return sherd_msh_take_integer(r, 8, what);
}

int64_t sherd_msh_take_int(msh_reader *r, const char *what)
{
    return sherd_msh_take_integer(r, 4, what);
}

size_t sherd_msh_check_count(msh_reader *r, int64_t count, size_t text_bytes, size_t binary_bytes,
                             const char *what)
{
    size_t each = r->binary ? binary_bytes : text_bytes;
    if (count < 0 || (uint64_t)count > msh_bytes_left(r) / each || count > INT32_MAX / 4)
        sherd_msh_fail(r, "the file is cut off or damaged: export it again",
                       "it announces %lld %s, more than the rest of the file can hold",
                       (long long)count, what);
    return msh_failed(r) ? 0 : (size_t)count;
}

int64_t sherd_msh_take_section_count(msh_reader *r, const char *what)
{
    bool binary = r->binary;
    r->binary = false;
    int64_t count = sherd_msh_take_int(r, what);
    r->binary = binary;
    if (binary && !msh_failed(r)) sherd_scan_next_line(&r->scanner);
    return count;
}

// ---------------------------------------------------------------- nodes

static void set_node(msh_reader *r, size_t at, int64_t id, const double x[3])
{
    if (msh_failed(r)) return;
    if (id < 0) sherd_msh_fail(r, NULL, "nodes have positive numbers, got %lld", (long long)id);
    r->id[at] = (sherd_sort_pair){(uint64_t)id, (uint32_t)at};
    r->node[at] = vec3(r->scale * x[0], r->scale * x[1], r->scale * x[2]);
    if (!msh_failed(r) && !vec3_is_finite(r->node[at]))
        sherd_msh_fail(r, "check the scale", "a coordinate of node %lld is not finite",
                       (long long)id);
}

static void take_coordinates(msh_reader *r, int count, double x[6])
{
    for (int k = 0; k < count; ++k)
        x[k] = sherd_msh_take_real(r, "a node's coordinate");
}

static bool room_for_nodes(msh_reader *r, size_t count)
{
    if (msh_failed(r)) return false;
    if (r->node != NULL) {
        sherd_msh_fail(r, "one $Nodes section is all there may be", "nodes were there already");
        return false;
    }
    r->node = sherd_alloc(count, sizeof *r->node);
    r->id = sherd_alloc(count, sizeof *r->id);
    if (r->node == NULL || r->id == NULL) r->status = sherd_fail_memory(r->error, "nodes");
    r->node_count = count;
    return !msh_failed(r);
}

void sherd_msh_read_nodes_2(msh_reader *r)
{
    int64_t announced = sherd_msh_take_section_count(r, "the number of nodes");
    size_t count = sherd_msh_check_count(r, announced, 7, 28, "nodes");
    if (!room_for_nodes(r, count)) return;
    for (size_t k = 0; k < count && !msh_failed(r); ++k) {
        double x[6];
        int64_t id = sherd_msh_take_int(r, "a node's number");
        take_coordinates(r, 3, x);
        set_node(r, k, id, x);
    }
}

static void read_node_block_4(msh_reader *r, size_t *at)
{
    int64_t dimension = sherd_msh_take_int(r, "an entity's dimension");
    sherd_msh_take_int(r, "an entity's number");
    int64_t parametric = sherd_msh_take_int(r, "an entity's kind of nodes");
    size_t n =
        sherd_msh_check_count(r, sherd_msh_take_size(r, "a number of nodes"), 7, 32, "nodes");
    if (!msh_failed(r) && (n > r->node_count - *at || dimension < 0 || dimension > 3))
        sherd_msh_fail(r, "the file is damaged: export it again",
                       "an entity of dimension %lld has %zu nodes, but %zu are left",
                       (long long)dimension, n, r->node_count - *at);
    for (size_t k = 0; k < n && !msh_failed(r); ++k)
        r->id[*at + k].key = (uint64_t)sherd_msh_take_size(r, "a node's number");
    if (msh_failed(r)) return; // the dimension may be any number
    int numbers = 3 + (parametric != 0 ? (int)dimension : 0);
    for (size_t k = 0; k < n && !msh_failed(r); ++k, ++*at) {
        double x[6];
        take_coordinates(r, numbers, x);
        set_node(r, *at, (int64_t)r->id[*at].key, x);
    }
}

void sherd_msh_read_nodes_4(msh_reader *r)
{
    int64_t blocks = sherd_msh_take_size(r, "the number of entities");
    size_t count =
        sherd_msh_check_count(r, sherd_msh_take_size(r, "the number of nodes"), 7, 32, "nodes");
    sherd_msh_take_size(r, "the lowest node number");
    sherd_msh_take_size(r, "the highest node number");
    if (!room_for_nodes(r, count)) return;
    size_t at = 0;
    for (int64_t b = 0; b < blocks && !msh_failed(r); ++b)
        read_node_block_4(r, &at);
    if (!msh_failed(r) && at < count)
        sherd_msh_fail(r, "the file is damaged: export it again",
                       "%zu nodes are announced, %zu are there", count, at);
}

void sherd_msh_sort_nodes(msh_reader *r)
{
    if (msh_failed(r) || r->node_count == 0) return;
    if (!sherd_sort_pairs(r->id, r->node_count)) {
        r->status = sherd_fail_memory(r->error, "nodes");
        return;
    }
    for (size_t k = 1; k < r->node_count; ++k)
        if (r->id[k].key == r->id[k - 1].key) {
            sherd_msh_fail(r, "export the mesh again", "node %llu is there twice",
                           (unsigned long long)r->id[k].key);
            return;
        }
}

// The index of a node, or 0 with an error.
int32_t sherd_msh_find_node(msh_reader *r, int64_t id, int64_t element)
{
    size_t low = 0, high = r->node_count;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (id >= 0 && r->id[middle].key <= (uint64_t)id)
            low = middle;
        else
            high = middle;
    }
    if (r->node_count > 0 && id >= 0 && r->id[low].key == (uint64_t)id)
        return (int32_t)r->id[low].value;
    sherd_msh_fail(r, "the file is damaged: export it again",
                   "element %lld uses node %lld, which is not there", (long long)element,
                   (long long)id);
    return 0;
}

// ---------------------------------------------------------------- elements

// Tetrahedra are read, others are ignored.

// Number of nodes of Gmsh's element types 1 .. 31; 0: not a type.
static const uint8_t NODES[32] = {0, 2,  3,  4,  4, 8,  6,  5,  3,  6,  9, 10, 27, 18, 14, 1,
                                  8, 20, 15, 13, 9, 10, 12, 15, 15, 21, 4, 5,  6,  20, 35, 56};

static bool is_tetra(int64_t type)
{
    return type == 4 || type == 11 || (type >= 29 && type <= 31);
}

static void add_tetra(msh_reader *r, const int64_t id[4], int64_t element)
{
    int32_t v[4];
    for (int k = 0; k < 4; ++k)
        v[k] = sherd_msh_find_node(r, id[k], element);
    for (int k = 0; k < 4 && !msh_failed(r); ++k)
        for (int j = 0; j < k; ++j)
            if (v[j] == v[k])
                sherd_msh_fail(r, "the file is damaged: export it again",
                               "tetrahedron %lld has node %lld twice", (long long)element,
                               (long long)id[k]);
    if (msh_failed(r)) return;
    if (!sherd_grow((void **)&r->tetra, &r->tetra_capacity, r->tetra_count + 1, sizeof *r->tetra)) {
        r->status = sherd_fail_memory(r->error, "tetrahedra");
        return;
    }
    memcpy(r->tetra[r->tetra_count++], v, sizeof v);
}

static void take_element(msh_reader *r, int64_t type, int64_t element, size_t size)
{
    if (!is_tetra(type)) ++r->report.other_elements;
    int64_t id[4] = {0};
    for (int k = 0; k < NODES[type] && !msh_failed(r); ++k) {
        int64_t node = sherd_msh_take_integer(r, size, "an element's node");
        if (k < 4) id[k] = node;
    }
    if (!msh_failed(r) && is_tetra(type)) add_tetra(r, id, element);
}

static bool known_type(msh_reader *r, int64_t type)
{
    if (!msh_failed(r) && (type < 1 || type > 31))
        sherd_msh_fail(r, "have Gmsh write tetrahedra only", "unknown element type %lld",
                       (long long)type);
    return !msh_failed(r);
}

// Records the group of an element of version 2, its first tag; 0: no group.
static void note_group(msh_reader *r, int64_t type, int64_t group)
{
    const int most = (int)(sizeof r->group / sizeof r->group[0]);
    if (!is_tetra(type) || group == 0) return;
    for (int k = 0; k < r->group_count; ++k)
        if (r->group[k] == group) return;
    if (r->group_count < most) r->group[r->group_count++] = group;
}

static void read_elements_2_text(msh_reader *r, size_t count)
{
    for (size_t k = 0; k < count && !msh_failed(r); ++k) {
        int64_t element = sherd_msh_take_int(r, "an element's number"),
                type = sherd_msh_take_int(r, "its type");
        int64_t tags = sherd_msh_take_int(r, "its number of tags");
        if (!known_type(r, type)) return;
        for (int64_t t = 0; t < tags && !msh_failed(r); ++t) {
            int64_t tag = sherd_msh_take_int(r, "a tag");
            if (t == 0) note_group(r, type, tag);
        }
        take_element(r, type, element, 4);
    }
}

static void read_elements_2_binary(msh_reader *r, size_t count)
{
    for (size_t k = 0; k < count && !msh_failed(r);) {
        int64_t type = sherd_msh_take_int(r, "an element type"),
                n = sherd_msh_take_int(r, "a number of elements");
        int64_t tags = sherd_msh_take_int(r, "a number of tags");
        if (!msh_failed(r) && (n < 1 || (uint64_t)n > count - k || tags < 0 || tags > 1000))
            sherd_msh_fail(r, "the file is damaged: export it again",
                           "a block of %lld elements with %lld tags, %zu elements left",
                           (long long)n, (long long)tags, count - k);
        if (!known_type(r, type)) return;
        for (int64_t j = 0; j < n && !msh_failed(r); ++j, ++k) {
            int64_t element = sherd_msh_take_int(r, "an element's number");
            const unsigned char *tag = sherd_msh_take_bytes(r, 4 * (size_t)tags, "tags");
            if (tag != NULL && tags > 0)
                note_group(r, type, (int32_t)sherd_load_u32(tag, r->order));
            take_element(r, type, element, 4);
        }
    }
}

void sherd_msh_read_elements_2(msh_reader *r)
{
    int64_t announced = sherd_msh_take_section_count(r, "the number of elements");
    size_t count = sherd_msh_check_count(r, announced, 7, 8, "elements");
    if (r->binary)
        read_elements_2_binary(r, count);
    else
        read_elements_2_text(r, count);
}

void sherd_msh_read_elements_4(msh_reader *r)
{
    int64_t blocks = sherd_msh_take_size(r, "the number of entities");
    sherd_msh_take_size(r, "the number of elements");
    sherd_msh_take_size(r, "the lowest element number");
    sherd_msh_take_size(r, "the highest element number");
    for (int64_t b = 0; b < blocks && !msh_failed(r); ++b) {
        sherd_msh_take_int(r, "an entity's dimension");
        sherd_msh_take_int(r, "an entity's number");
        int64_t type = sherd_msh_take_int(r, "an element type");
        size_t n = sherd_msh_check_count(r, sherd_msh_take_size(r, "a number of elements"), 3, 16,
                                         "elements");
        if (!known_type(r, type)) return;
        for (size_t k = 0; k < n && !msh_failed(r); ++k) {
            int64_t element = sherd_msh_take_size(r, "an element's number");
            take_element(r, type, element, 8);
        }
    }
}

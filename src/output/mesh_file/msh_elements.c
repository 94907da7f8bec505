// Elements of a .msh: tetrahedra; others are ignored.
#include "output/mesh_file/msh_reader.h"

#include "base/error.h"
#include "base/memory.h"

#include <string.h>

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

// The parts of the reader of Gmsh's .msh: numbers, nodes, elements.
#pragma once

#include "base/sort.h"
#include "output/byte_order.h"
#include "output/mesh_file/text_scanner.h"

#include <sherd/tetra.h>

// After the first failure nothing is read: all values are 0.
typedef struct msh_reader {
    sherd_text_scanner scanner;
    const char *begin; // of the file
    double scale;
    int version; // 2 or 4
    bool binary;
    sherd_byte_order order;
    sherd_status status;
    sherd_error *error;
    // Nodes in the order of the file.
    size_t node_count;
    sherd_vec3 *node;
    sherd_sort_pair *id; // (id, index), sorted by id when all nodes are read
    // Tetrahedra as indices of nodes.
    size_t tetra_count, tetra_capacity;
    int32_t (*tetra)[4];
    sherd_tetra_report report;
    // Physical groups of tetrahedra in version 2, in order of first occurrence; up to a limit.
    int group_count;
    int64_t group[16];
} msh_reader;

static inline bool msh_failed(const msh_reader *r)
{
    return r->status != SHERD_OK;
}

static inline size_t msh_bytes_left(const msh_reader *r)
{
    return (size_t)(r->scanner.end - r->scanner.at);
}

// Records the first failure at the current position.
void sherd_msh_fail(msh_reader *r, const char *hint, const char *what_format, ...)
    SHERD_PRINTF(3, 4);

// ---- numbers, text or binary; 0 after a failure. `what` is for messages.

const unsigned char *sherd_msh_take_bytes(msh_reader *r, size_t size, const char *what);
double sherd_msh_text_number(msh_reader *r, const char *what);
double sherd_msh_take_real(msh_reader *r, const char *what);
// An integer; `size` is its size in a binary file.
int64_t sherd_msh_take_integer(msh_reader *r, size_t size, const char *what);
int64_t sherd_msh_take_size(msh_reader *r, const char *what); // 8 bytes
int64_t sherd_msh_take_int(msh_reader *r, const char *what);  // 4 bytes
// Checks a count of items that take at least this many bytes each.
size_t sherd_msh_check_count(msh_reader *r, int64_t count, size_t text_bytes, size_t binary_bytes,
                             const char *what);
// The first line of a section: text in version 2, even in binary files.
int64_t sherd_msh_take_section_count(msh_reader *r, const char *what);

// ---- nodes

void sherd_msh_read_nodes_2(msh_reader *r);
void sherd_msh_read_nodes_4(msh_reader *r);
void sherd_msh_sort_nodes(msh_reader *r);
// The index of a node; records a failure if there is no such node.
int32_t sherd_msh_find_node(msh_reader *r, int64_t id, int64_t element);

// ---- elements: only tetrahedra are stored

void sherd_msh_read_elements_2(msh_reader *r);
void sherd_msh_read_elements_4(msh_reader *r);

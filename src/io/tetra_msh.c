// Gmsh's .msh, versions 2.2 and 4.1, text and binary: nodes and tetrahedra; everything else is passed
// over. Both kinds are a text of $sections; in binary files the numbers in them are bytes.
#include <sherd/tetra.h>

#include "base/error.h"
#include "base/file_writer.h"
#include "base/memory.h"
#include "base/sort.h"
#include "io/byte_order.h"
#include "io/text_scanner.h"
#include "math/vec3.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

// After the first failure nothing more is read: every value is 0 then.
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
    sherd_sort_pair *id; // (id, place), ascending once all are read
    // Tetrahedra as places of nodes.
    size_t tetra_count, tetra_capacity;
    int32_t (*tetra)[4];
    sherd_tetra_report report;
} msh_reader;

static bool failed(const msh_reader *r)
{
    return r->status != SHERD_OK;
}

static void fail(msh_reader *r, const char *hint, const char *what_format, ...) SHERD_PRINTF(3, 4);
static void fail(msh_reader *r, const char *hint, const char *what_format, ...)
{
    if (failed(r)) return;
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

// ---------------------------------------------------------------- numbers

static size_t bytes_left(const msh_reader *r)
{
    return (size_t)(r->scanner.end - r->scanner.at);
}

static const unsigned char *take_bytes(msh_reader *r, size_t size, const char *what)
{
    if (!failed(r) && bytes_left(r) < size)
        fail(r, "the file is cut off: export it again", "the file ends where %s should be", what);
    if (failed(r)) return NULL;
    const unsigned char *bytes = (const unsigned char *)r->scanner.at;
    r->scanner.at += size;
    return bytes;
}

static double text_number(msh_reader *r, const char *what)
{
    double value = 0.0;
    if (failed(r)) return 0.0;
    sherd_word word = sherd_scan_word(&r->scanner);
    if (word.size > 0 && word.text[0] == '$')
        fail(r, "the section ends too early: export the mesh again", "%s is missing", what);
    else
        r->status = sherd_scan_number(&r->scanner, word, what, &value, r->error);
    return failed(r) ? 0.0 : value;
}

static double take_real(msh_reader *r, const char *what)
{
    if (!r->binary) return text_number(r, what);
    const unsigned char *bytes = take_bytes(r, 8, what);
    double value = bytes != NULL ? sherd_load_f64(bytes, r->order) : 0.0;
    if (!isfinite(value)) fail(r, "export the mesh again", "%s must be finite", what);
    return failed(r) ? 0.0 : value;
}

// A whole number; `size` is what it takes in a binary file.
static int64_t take_integer(msh_reader *r, size_t size, const char *what)
{
    if (r->binary) {
        const unsigned char *bytes = take_bytes(r, size, what);
        if (bytes == NULL) return 0;
        uint64_t bits = sherd_load_bytes(bytes, size, r->order);
        return size == 4 ? (int32_t)(uint32_t)bits : (int64_t)bits;
    }
    double value = text_number(r, what);
    if (value != floor(value) || fabs(value) > 9e15)
        fail(r, NULL, "%s must be a whole number, got %g", what, value);
    return failed(r) ? 0 : (int64_t)value;
}

static int64_t take_size(msh_reader *r, const char *what)
{
    return take_integer(r, 8, what);
}

static int64_t take_int(msh_reader *r, const char *what)
{
    return take_integer(r, 4, what);
}

// A number of things that take at least so many bytes each.
static size_t check_count(msh_reader *r, int64_t count, size_t text_bytes, size_t binary_bytes,
                          const char *what)
{
    size_t each = r->binary ? binary_bytes : text_bytes;
    if (count < 0 || (uint64_t)count > bytes_left(r) / each || count > INT32_MAX / 4)
        fail(r, "the file is cut off or damaged: export it again",
             "it announces %lld %s, more than the rest of the file can hold", (long long)count,
             what);
    return failed(r) ? 0 : (size_t)count;
}

// ---------------------------------------------------------------- header

static void read_format(msh_reader *r)
{
    double version = text_number(r, "the version");
    int64_t type = (int64_t)text_number(r, "the file type"),
            size = (int64_t)text_number(r, "the data size");
    if (failed(r)) return;
    if (fabs(version - 2.2) > 1e-9 && fabs(version - 4.1) > 1e-9) {
        fail(r, "have Gmsh write version 4.1 or 2.2: gmsh -format msh41, or Mesh.MshFileVersion",
             "can't read version %g of the .msh format", version);
        return;
    }
    if ((type != 0 && type != 1) || size != 8) {
        fail(r, NULL, "file type must be 0 or 1 and data size 8, got %lld and %lld",
             (long long)type, (long long)size);
        return;
    }
    r->version = version > 3.0 ? 4 : 2;
    if (type == 0) return;
    sherd_scan_next_line(&r->scanner);
    r->binary = true;
    const unsigned char *one = take_bytes(r, 4, "the number 1 that tells the byte order");
    if (one == NULL) return;
    r->order =
        sherd_load_u32(one, SHERD_LITTLE_ENDIAN) == 1 ? SHERD_LITTLE_ENDIAN : SHERD_BIG_ENDIAN;
    if (sherd_load_u32(one, r->order) != 1)
        fail(r, "the file is damaged: export it again",
             "the number 1 that tells the byte order is missing");
}

// The first line of a section: text in version 2, also in binary files.
static int64_t take_section_count(msh_reader *r, const char *what)
{
    bool binary = r->binary;
    r->binary = false;
    int64_t count = take_int(r, what);
    r->binary = binary;
    if (binary && !failed(r)) sherd_scan_next_line(&r->scanner);
    return count;
}

// ---------------------------------------------------------------- nodes

static void set_node(msh_reader *r, size_t at, int64_t id, const double x[3])
{
    if (failed(r)) return;
    if (id < 0) fail(r, NULL, "nodes have positive numbers, got %lld", (long long)id);
    r->id[at] = (sherd_sort_pair){(uint64_t)id, (uint32_t)at};
    r->node[at] = vec3(r->scale * x[0], r->scale * x[1], r->scale * x[2]);
    if (!failed(r) && !vec3_is_finite(r->node[at]))
        fail(r, "check the scale", "a coordinate of node %lld is not finite", (long long)id);
}

static void take_coordinates(msh_reader *r, int count, double x[6])
{
    for (int k = 0; k < count; ++k)
        x[k] = take_real(r, "a node's coordinate");
}

static bool room_for_nodes(msh_reader *r, size_t count)
{
    if (failed(r)) return false;
    if (r->node != NULL) {
        fail(r, "one $Nodes section is all there may be", "nodes were there already");
        return false;
    }
    r->node = sherd_alloc(count, sizeof *r->node);
    r->id = sherd_alloc(count, sizeof *r->id);
    if (r->node == NULL || r->id == NULL) r->status = sherd_fail_memory(r->error, "nodes");
    r->node_count = count;
    return !failed(r);
}

static void read_nodes_2(msh_reader *r)
{
    int64_t announced = take_section_count(r, "the number of nodes");
    size_t count = check_count(r, announced, 7, 28, "nodes");
    if (!room_for_nodes(r, count)) return;
    for (size_t k = 0; k < count && !failed(r); ++k) {
        double x[6];
        int64_t id = take_int(r, "a node's number");
        take_coordinates(r, 3, x);
        set_node(r, k, id, x);
    }
}

static void read_node_block_4(msh_reader *r, size_t *at)
{
    int64_t dimension = take_int(r, "an entity's dimension");
    take_int(r, "an entity's number");
    int64_t parametric = take_int(r, "an entity's kind of nodes");
    size_t n = check_count(r, take_size(r, "a number of nodes"), 7, 32, "nodes");
    if (!failed(r) && (n > r->node_count - *at || dimension < 0 || dimension > 3))
        fail(r, "the file is damaged: export it again",
             "an entity of dimension %lld has %zu nodes, but %zu are left", (long long)dimension, n,
             r->node_count - *at);
    for (size_t k = 0; k < n && !failed(r); ++k)
        r->id[*at + k].key = (uint64_t)take_size(r, "a node's number");
    int numbers = 3 + (parametric != 0 ? (int)dimension : 0);
    for (size_t k = 0; k < n && !failed(r); ++k, ++*at) {
        double x[6];
        take_coordinates(r, numbers, x);
        set_node(r, *at, (int64_t)r->id[*at].key, x);
    }
}

static void read_nodes_4(msh_reader *r)
{
    int64_t blocks = take_size(r, "the number of entities");
    size_t count = check_count(r, take_size(r, "the number of nodes"), 7, 32, "nodes");
    take_size(r, "the lowest node number");
    take_size(r, "the highest node number");
    if (!room_for_nodes(r, count)) return;
    size_t at = 0;
    for (int64_t b = 0; b < blocks && !failed(r); ++b)
        read_node_block_4(r, &at);
    if (!failed(r) && at < count)
        fail(r, "the file is damaged: export it again", "%zu nodes are announced, %zu are there",
             count, at);
}

static void sort_nodes(msh_reader *r)
{
    if (failed(r) || r->node_count == 0) return;
    if (!sherd_sort_pairs(r->id, r->node_count)) {
        r->status = sherd_fail_memory(r->error, "nodes");
        return;
    }
    for (size_t k = 1; k < r->node_count; ++k)
        if (r->id[k].key == r->id[k - 1].key) {
            fail(r, "export the mesh again", "node %llu is there twice",
                 (unsigned long long)r->id[k].key);
            return;
        }
}

// The place of a node, or 0 with an error.
static int32_t find_node(msh_reader *r, int64_t id, int64_t element)
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
    fail(r, "the file is damaged: export it again",
         "element %lld uses node %lld, which is not there", (long long)element, (long long)id);
    return 0;
}

// ---------------------------------------------------------------- elements

// Nodes of Gmsh's element types 1 .. 31; 0: not a type.
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
        v[k] = find_node(r, id[k], element);
    for (int k = 0; k < 4 && !failed(r); ++k)
        for (int j = 0; j < k; ++j)
            if (v[j] == v[k])
                fail(r, "the file is damaged: export it again",
                     "tetrahedron %lld has node %lld twice", (long long)element, (long long)id[k]);
    if (failed(r)) return;
    if (!sherd_grow((void **)&r->tetra, &r->tetra_capacity, r->tetra_count + 1, sizeof *r->tetra)) {
        r->status = sherd_fail_memory(r->error, "tetrahedra");
        return;
    }
    memcpy(r->tetra[r->tetra_count++], v, sizeof v);
}

static void need_nodes(msh_reader *r)
{
    if (!failed(r) && r->node == NULL)
        fail(r, "export the mesh again", "elements come before the nodes");
}

// The rest of an element whose number is known: its nodes, each of `size` bytes.
static void take_element(msh_reader *r, int64_t type, int64_t element, size_t size)
{
    if (!is_tetra(type)) ++r->report.other_elements;
    int64_t id[4] = {0};
    for (int k = 0; k < NODES[type] && !failed(r); ++k) {
        int64_t node = take_integer(r, size, "an element's node");
        if (k < 4) id[k] = node;
    }
    if (!failed(r) && is_tetra(type)) add_tetra(r, id, element);
}

static bool known_type(msh_reader *r, int64_t type)
{
    if (!failed(r) && (type < 1 || type > 31))
        fail(r, "have Gmsh write tetrahedra only", "unknown element type %lld", (long long)type);
    return !failed(r);
}

static void read_elements_2_text(msh_reader *r, size_t count)
{
    for (size_t k = 0; k < count && !failed(r); ++k) {
        int64_t element = take_int(r, "an element's number"), type = take_int(r, "its type");
        int64_t tags = take_int(r, "its number of tags");
        if (!known_type(r, type)) return;
        for (int64_t t = 0; t < tags && !failed(r); ++t)
            take_int(r, "a tag");
        take_element(r, type, element, 4);
    }
}

static void read_elements_2_binary(msh_reader *r, size_t count)
{
    for (size_t k = 0; k < count && !failed(r);) {
        int64_t type = take_int(r, "an element type"), n = take_int(r, "a number of elements");
        int64_t tags = take_int(r, "a number of tags");
        if (!failed(r) && (n < 1 || (uint64_t)n > count - k || tags < 0 || tags > 1000))
            fail(r, "the file is damaged: export it again",
                 "a block of %lld elements with %lld tags, %zu elements left", (long long)n,
                 (long long)tags, count - k);
        if (!known_type(r, type)) return;
        for (int64_t j = 0; j < n && !failed(r); ++j, ++k) {
            int64_t element = take_int(r, "an element's number");
            take_bytes(r, 4 * (size_t)tags, "tags");
            take_element(r, type, element, 4);
        }
    }
}

static void read_elements_2(msh_reader *r)
{
    int64_t announced = take_section_count(r, "the number of elements");
    size_t count = check_count(r, announced, 7, 8, "elements");
    if (r->binary)
        read_elements_2_binary(r, count);
    else
        read_elements_2_text(r, count);
}

static void read_elements_4(msh_reader *r)
{
    int64_t blocks = take_size(r, "the number of entities");
    take_size(r, "the number of elements");
    take_size(r, "the lowest element number");
    take_size(r, "the highest element number");
    for (int64_t b = 0; b < blocks && !failed(r); ++b) {
        take_int(r, "an entity's dimension");
        take_int(r, "an entity's number");
        int64_t type = take_int(r, "an element type");
        size_t n = check_count(r, take_size(r, "a number of elements"), 3, 16, "elements");
        if (!known_type(r, type)) return;
        for (size_t k = 0; k < n && !failed(r); ++k) {
            int64_t element = take_size(r, "an element's number");
            take_element(r, type, element, 8);
        }
    }
}

// ---------------------------------------------------------------- sections

// Goes behind the line "$End...".
static void leave_section(msh_reader *r, sherd_word name)
{
    char end[64];
    int size = snprintf(end, sizeof end, "$End%.*s", (int)(name.size < 50 ? name.size - 1 : 49),
                        name.text + 1);
    while (!failed(r) && sherd_scan_next_line(&r->scanner)) {
        if (bytes_left(r) >= (size_t)size && memcmp(r->scanner.at, end, (size_t)size) == 0) {
            sherd_scan_next_line(&r->scanner);
            return;
        }
    }
    fail(r, "the file is cut off: export it again", "%s is missing", end);
}

static bool is_section(sherd_word word, const char *name)
{
    return word.size == strlen(name) && memcmp(word.text, name, word.size) == 0;
}

static void read_section(msh_reader *r, sherd_word name)
{
    if (is_section(name, "$Nodes")) {
        sherd_scan_next_line(&r->scanner);
        if (r->version == 2)
            read_nodes_2(r);
        else
            read_nodes_4(r);
        sort_nodes(r);
    } else if (is_section(name, "$Elements")) {
        need_nodes(r);
        sherd_scan_next_line(&r->scanner);
        if (r->version == 2)
            read_elements_2(r);
        else
            read_elements_4(r);
    }
    leave_section(r, name);
}

static void read_file(msh_reader *r)
{
    sherd_word name = sherd_scan_word(&r->scanner);
    if (!is_section(name, "$MeshFormat")) {
        fail(r, "tetrahedra are read from Gmsh's .msh files, versions 2.2 and 4.1",
             "this is no .msh file");
        return;
    }
    read_format(r);
    leave_section(r, name);
    while (!failed(r)) {
        name = sherd_scan_word(&r->scanner);
        if (name.size == 0) break;
        if (name.text[0] != '$' || (name.size > 4 && memcmp(name.text, "$End", 4) == 0))
            fail(r, "the file is damaged: export it again", "expected a section, got '%.*s'",
                 (int)(name.size < 40 ? name.size : 40), name.text);
        else
            read_section(r, name);
    }
}

// ---------------------------------------------------------------- the mesh

static double signed_volume(const msh_reader *r, const int32_t v[4])
{
    sherd_vec3 a = vec3_sub(r->node[v[1]], r->node[v[0]]);
    sherd_vec3 b = vec3_sub(r->node[v[2]], r->node[v[0]]);
    sherd_vec3 c = vec3_sub(r->node[v[3]], r->node[v[0]]);
    return vec3_dot(vec3_cross(a, b), c) / 6.0;
}

static double longest_edge(const msh_reader *r, const int32_t v[4])
{
    double longest = 0.0;
    for (int j = 0; j < 4; ++j)
        for (int k = 0; k < j; ++k)
            longest = fmax(longest, vec3_distance(r->node[v[j]], r->node[v[k]]));
    return longest;
}

// Turns what is inside out and drops what has no volume (a millionth of a regular one).
static void straighten(msh_reader *r)
{
    size_t kept = 0;
    for (size_t t = 0; t < r->tetra_count; ++t) {
        int32_t v[4];
        memcpy(v, r->tetra[t], sizeof v);
        double volume = signed_volume(r, v), edge = longest_edge(r, v);
        if (!(fabs(volume) > 1e-7 * edge * edge * edge)) {
            ++r->report.flat;
            continue;
        }
        if (volume < 0.0) {
            ++r->report.turned;
            int32_t swap = v[2];
            v[2] = v[3];
            v[3] = swap;
        }
        memcpy(r->tetra[kept++], v, sizeof v);
    }
    r->tetra_count = kept;
}

static sherd_tetra_mesh *make_mesh(msh_reader *r)
{
    int32_t *number = sherd_alloc(r->node_count, sizeof *number);
    if (number == NULL) {
        sherd_fail_memory(r->error, "nodes");
        return NULL;
    }
    for (size_t c = 0; c < 4 * r->tetra_count; ++c)
        number[r->tetra[c / 4][c % 4]] = 1;
    int32_t used = 0;
    for (size_t v = 0; v < r->node_count; ++v)
        number[v] = number[v] != 0 ? used++ : -1;
    r->report.unused = (int32_t)r->node_count - used;
    sherd_tetra_mesh *mesh = sherd_tetra_mesh_create(used, (int32_t)r->tetra_count, r->error);
    for (size_t v = 0; mesh != NULL && v < r->node_count; ++v)
        if (number[v] >= 0) memcpy(mesh->vertices + 3 * number[v], &r->node[v], 3 * sizeof(double));
    for (size_t c = 0; mesh != NULL && c < 4 * r->tetra_count; ++c)
        mesh->tetras[c] = number[r->tetra[c / 4][c % 4]];
    sherd_free(number);
    return mesh;
}

static sherd_status check_arguments(const char *path, double scale, sherd_error *error)
{
    struct stat status;
    if (!(scale > 0.0) || !isfinite(scale))
        return sherd_fail(error, SHERD_ERROR_INPUT, "sherd_tetra_mesh_read",
                          "1 for files in metres, 1e-3 for millimetres",
                          "the scale must be finite and > 0, got %g", scale);
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode)) // a device might never end
        return sherd_fail(error, SHERD_ERROR_IO, path, "give the path of a mesh file",
                          "can't read: not a regular file");
    return SHERD_OK;
}

sherd_tetra_mesh *sherd_tetra_mesh_read(const char *path, double scale, sherd_tetra_report *report,
                                        sherd_error *error)
{
    unsigned char *bytes = NULL;
    size_t size = 0;
    if (check_arguments(path, scale, error) != SHERD_OK ||
        sherd_file_read(path, &bytes, &size, error) != SHERD_OK)
        return NULL;
    const char *text = (const char *)bytes;
    msh_reader r = {
        .scanner = {path, text, text + size, 1}, .begin = text, .scale = scale, .error = error};
    read_file(&r);
    if (!failed(&r)) straighten(&r);
    if (!failed(&r) && r.tetra_count == 0)
        r.status =
            sherd_fail(error, SHERD_ERROR_INPUT, path,
                       "mesh the volume (gmsh -3), and save all elements or a physical volume",
                       "the file has no tetrahedra (%zu nodes, %lld other elements)", r.node_count,
                       (long long)r.report.other_elements);
    sherd_tetra_mesh *mesh = failed(&r) ? NULL : make_mesh(&r);
    if (report != NULL) *report = r.report;
    sherd_free(r.node);
    sherd_free(r.id);
    sherd_free(r.tetra);
    sherd_free(bytes);
    return mesh;
}

// Gmsh's .msh, versions 2.2 and 4.1, text and binary: nodes and tetrahedra; everything else is
// ignored. Both kinds consist of text lines $SECTION; in binary files the numbers within sections
// are binary.
#include <sherd/tetra.h>

#include "base/error.h"
#include "base/file_writer.h"
#include "base/memory.h"
#include "geometry/tetra/tetra_mesh.h"
#include "math/vec3.h"
#include "output/mesh_file/msh_reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static void read_format(msh_reader *r)
{
    double version = sherd_msh_text_number(r, "the version");
    double type = sherd_msh_text_number(r, "the file type"),
           size = sherd_msh_text_number(r, "the data size");
    if (msh_failed(r)) return;
    if (fabs(version - 2.2) > 1e-9 && fabs(version - 4.1) > 1e-9) {
        sherd_msh_fail(
            r, "have Gmsh write version 4.1 or 2.2: gmsh -format msh41, or Mesh.MshFileVersion",
            "can't read version %g of the .msh format", version);
        return;
    }
    if ((type != 0.0 && type != 1.0) || size != 8.0) {
        sherd_msh_fail(r, NULL, "file type must be 0 or 1 and data size 8, got %g and %g", type,
                       size);
        return;
    }
    r->version = version > 3.0 ? 4 : 2;
    if (type == 0) return;
    sherd_scan_next_line(&r->scanner);
    r->binary = true;
    const unsigned char *one = sherd_msh_take_bytes(r, 4, "the number 1 that tells the byte order");
    if (one == NULL) return;
    r->order =
        sherd_load_u32(one, SHERD_LITTLE_ENDIAN) == 1 ? SHERD_LITTLE_ENDIAN : SHERD_BIG_ENDIAN;
    if (sherd_load_u32(one, r->order) != 1)
        sherd_msh_fail(r, "the file is damaged: export it again",
                       "the number 1 that tells the byte order is missing");
}

static void need_nodes(msh_reader *r)
{
    if (!msh_failed(r) && r->node == NULL)
        sherd_msh_fail(r, "export the mesh again", "elements come before the nodes");
}

// Skips or reads the nodes of an element, each of `size` bytes.
// ---------------------------------------------------------------- sections

// Skips to the line after "$End...".
static void leave_section(msh_reader *r, sherd_text_word name)
{
    char end[64];
    int size = snprintf(end, sizeof end, "$End%.*s", (int)(name.size < 50 ? name.size - 1 : 49),
                        name.text + 1);
    while (!msh_failed(r) && sherd_scan_next_line(&r->scanner)) {
        if (msh_bytes_left(r) >= (size_t)size && memcmp(r->scanner.at, end, (size_t)size) == 0) {
            sherd_scan_next_line(&r->scanner);
            return;
        }
    }
    sherd_msh_fail(r, "the file is cut off: export it again", "%s is missing", end);
}

static bool is_section(sherd_text_word word, const char *name)
{
    return word.size == strlen(name) && memcmp(word.text, name, word.size) == 0;
}

static void add_group(msh_reader *r, const char *name, size_t size)
{
    char *names = r->report.group_names;
    size_t used = strlen(names), room = sizeof r->report.group_names - used;
    if (size + 3 < room)
        snprintf(names + used, room, "%s%.*s", used > 0 ? ", " : "", (int)size, name);
    ++r->report.groups;
}

// Lines with a dimension, a number and a quoted name, text even in binary files. Other lines are
// ignored.
static void read_names(msh_reader *r)
{
    const char *at = r->scanner.at, *end = r->scanner.end;
    while ((at = memchr(at, '\n', (size_t)(end - at))) != NULL && ++at < end && *at != '$') {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        size_t line = (size_t)((stop != NULL ? stop : end) - at);
        const char *quote = memchr(at, '"', line);
        if (*at != '3' || quote == NULL) continue; // skip groups of surfaces and lines
        const char *name = quote + 1;
        const char *last = memchr(name, '"', line - (size_t)(name - at));
        if (last != NULL) add_group(r, name, (size_t)(last - name));
    }
}

// Groups without a name are reported by number.
static void report_groups(msh_reader *r)
{
    if (r->report.groups > 0) return;
    for (int k = 0; k < r->group_count; ++k) {
        char number[24];
        int size = snprintf(number, sizeof number, "%lld", (long long)r->group[k]);
        add_group(r, number, (size_t)size);
    }
}

static void read_section(msh_reader *r, sherd_text_word name)
{
    if (is_section(name, "$PhysicalNames")) read_names(r);
    if (is_section(name, "$Nodes")) {
        sherd_scan_next_line(&r->scanner);
        if (r->version == 2)
            sherd_msh_read_nodes_2(r);
        else
            sherd_msh_read_nodes_4(r);
        sherd_msh_sort_nodes(r);
    } else if (is_section(name, "$Elements")) {
        need_nodes(r);
        sherd_scan_next_line(&r->scanner);
        if (r->version == 2)
            sherd_msh_read_elements_2(r);
        else
            sherd_msh_read_elements_4(r);
    }
    leave_section(r, name);
}

static void read_file(msh_reader *r)
{
    sherd_text_word name = sherd_scan_word(&r->scanner);
    if (!is_section(name, "$MeshFormat")) {
        sherd_msh_fail(r, "tetrahedra are read from Gmsh's .msh files, versions 2.2 and 4.1",
                       "this is no .msh file");
        return;
    }
    read_format(r);
    leave_section(r, name);
    while (!msh_failed(r)) {
        name = sherd_scan_word(&r->scanner);
        if (name.size == 0) break;
        if (name.text[0] != '$' || (name.size > 4 && memcmp(name.text, "$End", 4) == 0))
            sherd_msh_fail(r, "the file is damaged: export it again",
                           "expected a section, got '%.*s'", (int)(name.size < 40 ? name.size : 40),
                           name.text);
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

// Reverses inverted tetrahedra and drops those without volume (less than 1e-6 of a regular one).
static void straighten(msh_reader *r)
{
    size_t retained = 0;
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
        memcpy(r->tetra[retained++], v, sizeof v);
    }
    r->tetra_count = retained;
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
    if (!msh_failed(&r)) straighten(&r);
    if (!msh_failed(&r) && r.tetra_count == 0)
        r.status =
            sherd_fail(error, SHERD_ERROR_INPUT, path,
                       "mesh the volume (gmsh -3), and save all elements or a physical volume",
                       "the file has no tetrahedra (%zu nodes, %lld other elements)", r.node_count,
                       (long long)r.report.other_elements);
    sherd_tetra_mesh *mesh = msh_failed(&r) ? NULL : make_mesh(&r);
    report_groups(&r);
    if (report != NULL) *report = r.report;
    sherd_free(r.node);
    sherd_free(r.id);
    sherd_free(r.tetra);
    sherd_free(bytes);
    return mesh;
}

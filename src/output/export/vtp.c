// .vtp: an XML header with the offset of each array in the appended binary data.
//
//     <VTKFile ...> ... <DataArray ... offset="0"/> ... <AppendedData encoding="raw">_BYTES
//
// Every array is divided into blocks and compressed with zlib (ParaView 5.11 does not read zstd):
//     number of blocks u64, block size u64, size of the last block if shorter or 0 u64,
//     compressed size of each block u64, blocks
#include "output/export/vtp.h"

#include <sherd/file.h>

#include "base/byte_buffer.h"
#include "base/error.h"
#include "base/file_writer.h"
#include "base/memory.h"
#include "output/export/xml.h"
#include "output/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

enum {
    BLOCK_SIZE = 1 << 18,   // [bytes]
    LARGEST_COMPONENTS = 9, // a 3x3 matrix
    ZLIB_LEVEL = 1,         // higher levels gain little on noisy coordinates and are much slower
};

typedef struct vtp_file {
    sherd_byte_buffer head, data;
} vtp_file;

static void put(sherd_byte_buffer *buffer, const char *text)
{
    sherd_byte_buffer_append(buffer, text, strlen(text));
}

static void put_count(sherd_byte_buffer *buffer, const char *name, int64_t count)
{
    char text[64];
    snprintf(text, sizeof text, " %s=\"%" PRId64 "\"", name, count);
    put(buffer, text);
}

// ---------------------------------------------------------------- arrays

static void compress_block(vtp_file *file, const unsigned char *bytes, size_t size,
                           uint64_t *packed_size)
{
    unsigned char packed[BLOCK_SIZE + BLOCK_SIZE / 100 + 64]; // zlib's bound is lower
    uLongf length = sizeof packed;
    if (compress2(packed, &length, bytes, size, ZLIB_LEVEL) != Z_OK) file->data.failed = true;
    sherd_byte_buffer_append(&file->data, packed, length);
    *packed_size = length;
}

static void compress_array(vtp_file *file, const unsigned char *bytes, size_t size)
{
    size_t blocks = (size + BLOCK_SIZE - 1) / BLOCK_SIZE;
    uint64_t start[3] = {blocks, BLOCK_SIZE, size % BLOCK_SIZE};
    sherd_byte_buffer_append(&file->data, start, sizeof start);
    size_t sizes_at = file->data.size;
    uint64_t packed_size = 0;
    for (size_t k = 0; k < blocks; ++k)
        sherd_byte_buffer_append(&file->data, &packed_size, sizeof packed_size);
    for (size_t k = 0; k < blocks && !file->data.failed; ++k) {
        size_t from = k * BLOCK_SIZE, part = size - from < BLOCK_SIZE ? size - from : BLOCK_SIZE;
        compress_block(file, bytes + from, part, &packed_size);
        if (!file->data.failed)
            memcpy(file->data.bytes + sizes_at + k * sizeof packed_size, &packed_size,
                   sizeof packed_size);
    }
}

static void add_array(vtp_file *file, const char *name, const char *type, size_t item_size,
                      int components, int64_t count, const void *data)
{
    put(&file->head, "        <DataArray type=\"");
    put(&file->head, type);
    put(&file->head, "\" Name=\"");
    sherd_xml_escape(&file->head, name);
    put(&file->head, "\"");
    put_count(&file->head, "NumberOfComponents", components);
    put(&file->head, " format=\"appended\"");
    put_count(&file->head, "offset", (int64_t)file->data.size);
    put(&file->head, "/>\n");
    compress_array(file, data, item_size * (size_t)components * (size_t)count);
}

static void add_typed_array(vtp_file *file, const sherd_vtk_array *array, int64_t count)
{
    static const struct {
        const char *name;
        size_t size;
    } types[] = {[SHERD_VTK_FLOAT64] = {"Float64", 8},
                 [SHERD_VTK_FLOAT32] = {"Float32", 4},
                 [SHERD_VTK_INT32] = {"Int32", 4},
                 [SHERD_VTK_UINT8] = {"UInt8", 1}};
    add_array(file, array->name, types[array->type].name, types[array->type].size,
              array->components, count, array->data);
}

static void add_arrays(vtp_file *file, const char *section, const sherd_vtk_array *arrays,
                       int array_count, int64_t count)
{
    put(&file->head, "      <");
    put(&file->head, section);
    put(&file->head, ">\n");
    for (int k = 0; k < array_count; ++k)
        add_typed_array(file, &arrays[k], count);
    put(&file->head, "      </");
    put(&file->head, section);
    put(&file->head, ">\n");
}

// ---------------------------------------------------------------- cells

typedef struct cell_list {
    const char *section;
    int corners;
    int64_t count;
    const int32_t *connectivity; // NULL: each point is a cell
} cell_list;

static cell_list cells_of(const sherd_vtk_mesh *mesh)
{
    if (mesh->lines != NULL) return (cell_list){"Lines", 2, mesh->line_count, mesh->lines};
    if (mesh->triangle_count == 0) return (cell_list){"Verts", 1, mesh->point_count, NULL};
    return (cell_list){"Polys", 3, mesh->triangle_count, mesh->triangles};
}

// Writes the connectivity and, for each cell, the end offset of its points.
static sherd_status add_cells(vtp_file *file, const cell_list *cells, sherd_error *error)
{
    int64_t count = cells->count;
    const int32_t *connectivity = cells->connectivity;
    int32_t *ends = sherd_alloc((size_t)count, sizeof *ends);
    int32_t *points = sherd_alloc(connectivity == NULL ? (size_t)count : 0, sizeof *points);
    sherd_status status = SHERD_OK;
    if (ends == NULL || points == NULL) {
        status = sherd_fail_memory(error, "cells");
    } else {
        for (int64_t k = 0; k < count; ++k)
            ends[k] = (int32_t)(cells->corners * (k + 1));
        for (int64_t k = 0; connectivity == NULL && k < count; ++k)
            points[k] = (int32_t)k;
        put(&file->head, "      <");
        put(&file->head, cells->section);
        put(&file->head, ">\n");
        add_array(file, "connectivity", "Int32", sizeof(int32_t), 1, cells->corners * count,
                  connectivity != NULL ? connectivity : points);
        add_array(file, "offsets", "Int32", sizeof(int32_t), 1, count, ends);
        put(&file->head, "      </");
        put(&file->head, cells->section);
        put(&file->head, ">\n");
    }
    sherd_free(ends);
    sherd_free(points);
    return status;
}

// ---------------------------------------------------------------- checks

static sherd_status fail_mesh(const char *path, const char *what, sherd_error *error)
{
    return sherd_fail(error, SHERD_ERROR_INPUT, path, "this is an error in the calling program",
                      "%s", what);
}

static sherd_status check_arrays(const char *path, const sherd_vtk_array *arrays, int count,
                                 sherd_error *error)
{
    if (count < 0) return fail_mesh(path, "the number of arrays is negative", error);
    for (int k = 0; k < count; ++k) {
        if (arrays[k].name == NULL || arrays[k].data == NULL)
            return fail_mesh(path, "an array has no name or no data", error);
        if (arrays[k].components < 1 || arrays[k].components > LARGEST_COMPONENTS)
            return fail_mesh(path, "an array has no components or more than 9", error);
        if (arrays[k].type < SHERD_VTK_FLOAT64 || arrays[k].type > SHERD_VTK_UINT8)
            return fail_mesh(path, "an array has an unknown type", error);
    }
    return SHERD_OK;
}

static sherd_status check_mesh(const char *path, const sherd_vtk_mesh *mesh, sherd_error *error)
{
    const cell_list cells = cells_of(mesh);
    if (mesh->point_count < 0 || mesh->point_count > INT32_MAX || cells.count < 0 ||
        cells.count > INT32_MAX / cells.corners)
        return fail_mesh(path, "too many points or cells for 32-bit numbers", error);
    for (int64_t k = 0; cells.connectivity != NULL && k < cells.corners * cells.count; ++k)
        if (cells.connectivity[k] < 0 || cells.connectivity[k] >= mesh->point_count)
            return fail_mesh(path, "a cell has a corner that does not exist", error);
    sherd_status status = check_arrays(path, mesh->point_arrays, mesh->point_array_count, error);
    if (status != SHERD_OK) return status;
    return check_arrays(path, mesh->cell_arrays, mesh->cell_array_count, error);
}

// ---------------------------------------------------------------- the file

// A string array: bytes of all strings, each with its terminating zero.
static void put_names(vtp_file *file, const char *names, int count)
{
    char text[8];
    if (count == 0) return;
    put(&file->head, "      <Array type=\"String\" Name=\"group_names\"");
    put_count(&file->head, "NumberOfTuples", count);
    put(&file->head, " format=\"ascii\">");
    for (int k = 0; k < count; ++names) {
        snprintf(text, sizeof text, "%d ", (unsigned char)*names);
        put(&file->head, text);
        k += *names == '\0';
    }
    put(&file->head, "</Array>\n");
}

static void put_start(vtp_file *file, const sherd_vtk_mesh *mesh, const cell_list *cells)
{
    char time[SHERD_NUMBER_SIZE];
    put(&file->head, "<?xml version=\"1.0\"?>\n"
                     "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" "
                     "header_type=\"UInt64\" compressor=\"vtkZLibDataCompressor\">\n"
                     "  <PolyData>\n"
                     "    <FieldData>\n"
                     "      <DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" "
                     "format=\"ascii\">");
    put(&file->head, sherd_number_text(time, mesh->time, 17));
    put(&file->head, "</DataArray>\n");
    put_names(file, mesh->group_names, mesh->group_count);
    put(&file->head, "    </FieldData>\n    <Piece");
    put_count(&file->head, "NumberOfPoints", mesh->point_count);
    static const char *const sections[] = {"Verts", "Lines", "Strips", "Polys"};
    for (int k = 0; k < 4; ++k) {
        char name[32];
        snprintf(name, sizeof name, "NumberOf%s", sections[k]);
        put_count(&file->head, name, strcmp(sections[k], cells->section) == 0 ? cells->count : 0);
    }
    put(&file->head, ">\n");
}

static sherd_status fill(vtp_file *file, const sherd_vtk_mesh *mesh, sherd_error *error)
{
    const cell_list cells = cells_of(mesh);
    put_start(file, mesh, &cells);
    add_arrays(file, "PointData", mesh->point_arrays, mesh->point_array_count, mesh->point_count);
    add_arrays(file, "CellData", mesh->cell_arrays, mesh->cell_array_count, cells.count);
    put(&file->head, "      <Points>\n");
    add_array(file, "Points", "Float64", sizeof(double), 3, mesh->point_count, mesh->points);
    put(&file->head, "      </Points>\n");
    sherd_status status = add_cells(file, &cells, error);
    put(&file->head, "    </Piece>\n  </PolyData>\n  <AppendedData encoding=\"raw\">\n_");
    if (status == SHERD_OK && (file->head.failed || file->data.failed))
        status = sherd_fail_memory(error, "export");
    return status;
}

static sherd_status store(const char *path, const vtp_file *file, sherd_error *error)
{
    sherd_file_writer *writer = sherd_file_writer_create(path, error);
    if (writer == NULL) return error != NULL ? error->status : SHERD_ERROR_IO;
    sherd_file_writer_write(writer, file->head.bytes, file->head.size);
    sherd_file_writer_write(writer, file->data.bytes, file->data.size);
    sherd_file_writer_text(writer, "\n  </AppendedData>\n</VTKFile>\n");
    return sherd_file_writer_commit(writer, error);
}

sherd_status sherd_vtp_write(const char *path, const sherd_vtk_mesh *mesh, sherd_error *error)
{
    sherd_status status = check_mesh(path, mesh, error);
    if (status != SHERD_OK) return status;
    vtp_file file = {0};
    status = fill(&file, mesh, error);
    if (status == SHERD_OK) status = store(path, &file, error);
    sherd_byte_buffer_free(&file.head);
    sherd_byte_buffer_free(&file.data);
    return status;
}

// ---------------------------------------------------------------- collection

sherd_status sherd_pvd_write(const char *path, const sherd_pvd_entry *entries, int64_t entry_count,
                             sherd_error *error)
{
    sherd_byte_buffer text = {0};
    put(&text, "<?xml version=\"1.0\"?>\n"
               "<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n"
               "  <Collection>\n");
    for (int64_t k = 0; k < entry_count; ++k) {
        char time[SHERD_NUMBER_SIZE];
        put(&text, "    <DataSet timestep=\"");
        put(&text, sherd_number_text(time, entries[k].time, 17));
        put(&text, "\" part=\"0\" file=\"");
        sherd_xml_escape(&text, entries[k].file);
        put(&text, "\"/>\n");
    }
    put(&text, "  </Collection>\n</VTKFile>\n");
    sherd_status status = text.failed ? sherd_fail_memory(error, path)
                                      : sherd_file_write(path, text.bytes, text.size, error);
    sherd_byte_buffer_free(&text);
    return status;
}

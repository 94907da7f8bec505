// Writes a .usda: one Mesh prim per piece below /run, with time samples of its transform.
//
// Meshes that several pieces share (granules) are classes that the pieces inherit. Frame k of the
// run is time code k.                          openusd.org, "USD file formats: usda", UsdGeom,
// UsdPreviewSurface
#include "base/error.h"
#include "base/file_writer.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/sort.h"
#include "output/export/json.h"
#include "output/export/usda.h"
#include "output/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TIME_CODES_PER_SECOND = 24 };

typedef struct output {
    sherd_animation *run;
    sherd_usda_file *usda;
    sherd_file_writer *writer;
    bool failed;                    // keys could not be read back
    int *uses;                      // number of pieces that use each mesh
    char (*names)[SHERD_USDA_NAME]; // of the pieces' prims
} output;

// ---------------------------------------------------------------- names

// Different names may give the same identifier; then the piece's number is appended.
static bool name_pieces(output *out)
{
    size_t n = (size_t)out->run->piece_count;
    out->names = sherd_alloc(n, sizeof *out->names);
    sherd_sort_pair *order = sherd_alloc(n, sizeof *order);
    bool good = out->names != NULL && order != NULL;
    for (size_t k = 0; good && k < n; ++k) {
        sherd_usda_identifier(out->run->pieces[k].name, out->names[k]);
        uint64_t hash = sherd_hash_bytes(SHERD_HASH_START, out->names[k], strlen(out->names[k]));
        order[k] = (sherd_sort_pair){hash, (uint32_t)k};
    }
    good = good && sherd_sort_pairs(order, n);
    for (size_t k = 1; good && k < n; ++k) {
        if (order[k].key != order[k - 1].key) continue;
        char number[32], *name = out->names[order[k].value];
        int length = snprintf(number, sizeof number, "_piece_%u", order[k].value);
        size_t end = strlen(name), most = SHERD_USDA_NAME - 1 - (size_t)length;
        memcpy(name + (end < most ? end : most), number, (size_t)length + 1);
    }
    sherd_free(order);
    return good;
}

// ---------------------------------------------------------------- transforms

// Playback times are frame numbers of the timeline, up to float rounding.
static double time_code(const sherd_animation *glb, int64_t frame)
{
    double code = (double)glb->times[frame] * TIME_CODES_PER_SECOND, whole = nearbyint(code);
    return fabs(code - whole) < 1e-4 ? whole : code;
}

static void write_tuple(const output *out, const double *values, int count)
{
    char text[SHERD_NUMBER_SIZE];
    for (int k = 0; k < count; ++k)
        sherd_file_writer_printf(out->writer, "%s%s", k == 0 ? "(" : ", ",
                                 sherd_number_text(text, values[k], 9));
    sherd_file_writer_text(out->writer, ")");
}

static void write_position(const output *out, const sherd_posed_piece *node, size_t k)
{
    sherd_vec3 p = node->poses[k].position;
    write_tuple(out, (const double[]){p.x, p.y, p.z}, 3);
}

// Real part first. q and -q are the same rotation; equal signs of neighbours give the shorter path.
static void write_rotation(const output *out, const sherd_posed_piece *node, size_t k, double *sign)
{
    sherd_quat q = node->poses[k].rotation;
    if (k > 0) {
        sherd_quat p = node->poses[k - 1].rotation;
        if (p.x * q.x + p.y * q.y + p.z * q.z + p.w * q.w < 0.0) *sign = -*sign;
    }
    double scale = *sign / sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    write_tuple(out, (const double[]){scale * q.w, scale * q.x, scale * q.y, scale * q.z}, 4);
}

static void write_time(const output *out, const sherd_posed_piece *node, size_t k)
{
    char text[SHERD_NUMBER_SIZE];
    double code = time_code(out->run, node->track->first_frame + (int64_t)k);
    sherd_file_writer_printf(out->writer, "            %s: ", sherd_number_text(text, code, 9));
}

static void write_motion(const output *out, const sherd_posed_piece *node)
{
    bool rests = !node->track->moves;
    size_t count = rests ? 1 : (size_t)node->track->count;
    double sign = 1.0;
    sherd_file_writer_text(out->writer,
                           rests ? "        double3 xformOp:translate = "
                                 : "        double3 xformOp:translate.timeSamples = {\n");
    for (size_t k = 0; k < count; ++k) {
        if (!rests) write_time(out, node, k);
        write_position(out, node, k);
        sherd_file_writer_text(out->writer, rests ? "\n" : ",\n");
    }
    if (!rests) sherd_file_writer_text(out->writer, "        }\n");
    sherd_file_writer_text(out->writer, rests ? "        quatf xformOp:orient = "
                                              : "        quatf xformOp:orient.timeSamples = {\n");
    for (size_t k = 0; k < count; ++k) {
        if (!rests) write_time(out, node, k);
        write_rotation(out, node, k, &sign);
        sherd_file_writer_text(out->writer, rests ? "\n" : ",\n");
    }
    if (!rests) sherd_file_writer_text(out->writer, "        }\n");
    double s = node->piece->scale;
    sherd_file_writer_text(out->writer, "        float3 xformOp:scale = ");
    write_tuple(out, (const double[]){s, s, s}, 3);
    sherd_file_writer_text(out->writer,
                           "\n        uniform token[] xformOpOrder = [\"xformOp:translate\", "
                           "\"xformOp:orient\", \"xformOp:scale\"]\n");
}

// A piece is invisible in frames in which it does not exist.
static void write_visibility(const output *out, const sherd_posed_piece *node)
{
    int64_t end = node->track->first_frame + node->track->count;
    if (node->track->first_frame == 0 && end == out->run->frame_count) return;
    char text[SHERD_NUMBER_SIZE];
    sherd_file_writer_text(out->writer, "        token visibility.timeSamples = {\n");
    if (node->track->first_frame > 0)
        sherd_file_writer_printf(out->writer, "            %s: \"invisible\",\n",
                                 sherd_number_text(text, time_code(out->run, 0), 9));
    sherd_file_writer_printf(
        out->writer, "            %s: \"inherited\",\n",
        sherd_number_text(text, time_code(out->run, node->track->first_frame), 9));
    if (end < out->run->frame_count)
        sherd_file_writer_printf(out->writer, "            %s: \"invisible\",\n",
                                 sherd_number_text(text, time_code(out->run, end), 9));
    sherd_file_writer_text(out->writer, "        }\n");
}

// ---------------------------------------------------------------- prims

static void write_mesh(const output *out, int mesh)
{
    const sherd_usda_text *text = &out->usda->meshes[mesh];
    sherd_spool_copy(&out->usda->text, text->offset, text->size, out->writer);
}

static void write_piece(output *out, int k)
{
    sherd_posed_piece course, *node = &course;
    if (!sherd_animation_posed_piece(out->run, k, node)) {
        out->failed = true;
        return;
    }
    int mesh = node->piece->mesh;
    bool shared = out->uses[mesh] > 1;
    char mass[SHERD_NUMBER_SIZE];
    bool points = out->usda->meshes[mesh].is_points;
    sherd_file_writer_printf(out->writer, "    def %s \"%s\" (\n", points ? "Points" : "Mesh",
                             out->names[k]);
    if (shared)
        sherd_file_writer_printf(out->writer, "        prepend inherits = </run/mesh_%d>\n", mesh);
    sherd_file_writer_text(out->writer, "        prepend apiSchemas = [\"MaterialBindingAPI\"]\n"
                                        "    )\n    {\n");
    write_motion(out, node);
    write_visibility(out, node);
    if (points) {
        write_mesh(out, mesh);
        sherd_file_writer_text(out->writer, "    }\n\n");
        return;
    }
    sherd_file_writer_printf(
        out->writer,
        "        int primvars:fragment = %d (\n            interpolation = \"constant\"\n        "
        ")\n"
        "        custom int64 sherd:elements = %lld\n        custom double sherd:mass_kg = %s\n",
        node->piece->fragment, (long long)node->piece->elements,
        sherd_number_text(mass, isfinite(node->piece->mass) ? node->piece->mass : 0.0, 9));
    if (!shared) write_mesh(out, mesh);
    sherd_file_writer_text(out->writer, "    }\n\n");
}

static void write_head(const output *out)
{
    sherd_byte_buffer name = {0};
    sherd_json_string(&name, out->run->name);
    sherd_byte_buffer_append(&name, "", 1);
    char first[SHERD_NUMBER_SIZE], last[SHERD_NUMBER_SIZE];
    sherd_file_writer_printf(
        out->writer,
        "#usda 1.0\n(\n    defaultPrim = \"run\"\n    doc = %s\n    endTimeCode = %s\n"
        "    framesPerSecond = %d\n    metersPerUnit = 1\n    startTimeCode = %s\n"
        "    timeCodesPerSecond = %d\n    upAxis = \"Z\"\n)\n\n"
        "def Xform \"run\" (\n    kind = \"assembly\"\n)\n{\n    def Scope \"materials\"\n    {\n",
        name.failed ? "\"Sherd\"" : (const char *)name.bytes,
        sherd_number_text(last, time_code(out->run, out->run->frame_count - 1), 9),
        TIME_CODES_PER_SECOND, sherd_number_text(first, time_code(out->run, 0), 9),
        TIME_CODES_PER_SECOND);
    sherd_byte_buffer_free(&name);
    sherd_file_writer_write(out->writer, out->usda->materials.bytes, out->usda->materials.size);
    sherd_file_writer_text(out->writer, "    }\n\n");
}

static sherd_status store(output *out, const char *path, sherd_error *error)
{
    out->writer = sherd_file_writer_create(path, error);
    if (out->writer == NULL) return error != NULL ? error->status : SHERD_ERROR_IO;
    write_head(out);
    for (int k = 0; k < out->run->mesh_count; ++k) {
        if (out->uses[k] < 2) continue;
        sherd_file_writer_printf(out->writer, "    class Mesh \"mesh_%d\"\n    {\n", k);
        write_mesh(out, k);
        sherd_file_writer_text(out->writer, "    }\n\n");
    }
    for (int k = 0; k < out->run->piece_count; ++k)
        if (out->run->tracks.items[k].count > 0) write_piece(out, k);
    sherd_file_writer_text(out->writer, "}\n");
    sherd_status status = sherd_spool_check(&out->run->tracks.spool, path, error);
    if (status == SHERD_OK) status = sherd_spool_check(&out->usda->text, path, error);
    if (status == SHERD_OK && out->failed) status = sherd_fail_memory(error, path);
    if (status == SHERD_OK) return sherd_file_writer_commit(out->writer, error);
    sherd_file_writer_abort(out->writer);
    return status;
}

static sherd_status write_file(sherd_animation *animation, const char *path, sherd_error *error)
{
    output out = {.run = animation,
                  .usda = animation->file,
                  .uses = sherd_alloc((size_t)animation->mesh_count, sizeof *out.uses)};
    for (int k = 0; k < animation->piece_count && out.uses != NULL; ++k)
        if (animation->tracks.items[k].count > 0) ++out.uses[animation->pieces[k].mesh];
    bool good = out.uses != NULL && name_pieces(&out);
    sherd_status status = good ? store(&out, path, error) : sherd_fail_memory(error, path);
    sherd_free(out.uses);
    sherd_free(out.names);
    return status;
}

// ---------------------------------------------------------------- life

static void *create(const sherd_animation *animation)
{
    sherd_usda_file *usda = sherd_alloc(1, sizeof *usda);
    if (usda != NULL) usda->text.folder = animation->folder;
    return usda;
}

static void destroy(void *file)
{
    sherd_usda_file *usda = file;
    sherd_byte_buffer_free(&usda->materials);
    sherd_byte_buffer_free(&usda->draft);
    sherd_spool_free(&usda->text);
    sherd_free(usda->meshes);
    sherd_free(usda->material_names);
    sherd_free(usda);
}

const sherd_animation_writer sherd_usda_writer = {.create = create,
                                                  .destroy = destroy,
                                                  .add_material = sherd_usda_add_material,
                                                  .add_mesh = sherd_usda_add_mesh,
                                                  .add_points = sherd_usda_add_points,
                                                  .write = write_file};

// ---------------------------------------------------------------- points

// Clouds of points are UsdGeomPoints.

enum { DIGITS = 9 };

static void put_number(sherd_byte_buffer *text, double value)
{
    char number[SHERD_NUMBER_SIZE];
    sherd_json_raw(text, sherd_number_text(number, value, DIGITS));
}

static void put_tuple(sherd_byte_buffer *text, const float v[3])
{
    for (int c = 0; c < 3; ++c) {
        sherd_json_raw(text, c == 0 ? "(" : ", ");
        put_number(text, (double)v[c]);
    }
    sherd_json_raw(text, ")");
}

static void put_tuples(sherd_byte_buffer *text, const char *declaration, const float *values,
                       int32_t count)
{
    sherd_json_raw(text, declaration);
    for (int32_t k = 0; k < count; ++k) {
        if (k > 0) sherd_json_raw(text, ", ");
        put_tuple(text, values + 3 * (size_t)k);
    }
    sherd_json_raw(text, "]\n");
}

static void put_numbers(sherd_byte_buffer *text, const char *declaration, const float *values,
                        double scale, int32_t count)
{
    sherd_json_raw(text, declaration);
    for (int32_t k = 0; k < count; ++k) {
        if (k > 0) sherd_json_raw(text, ", ");
        put_number(text, scale * (double)values[k]);
    }
    sherd_json_raw(text, "]");
}

static void put_extent(sherd_byte_buffer *text, const sherd_animation_points *p)
{
    float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (size_t k = 0; k < 3 * (size_t)p->count; ++k) {
        float r = p->radius[k / 3];
        low[k % 3] = fminf(low[k % 3], p->positions[k] - r);
        high[k % 3] = fmaxf(high[k % 3], p->positions[k] + r);
    }
    sherd_json_raw(text, "        float3[] extent = [");
    put_tuple(text, low);
    sherd_json_raw(text, ", ");
    put_tuple(text, high);
    sherd_json_raw(text, "]\n");
}

static void put_points(sherd_byte_buffer *text, const sherd_animation_points *p,
                       const char *material)
{
    static const char *const VERTEX = " (\n            interpolation = \"vertex\"\n        )\n";
    put_tuples(text, "        point3f[] points = [", p->positions, p->count);
    put_extent(text, p);
    put_tuples(text, "        vector3f[] velocities = [", p->velocity, p->count);
    put_numbers(text, "        float[] widths = [", p->radius, 2.0, p->count);
    sherd_json_raw(text, VERTEX);
    put_numbers(text, "        float[] primvars:age = [", p->age, 1.0, p->count);
    sherd_json_raw(text, VERTEX);
    sherd_json_raw(text, "        int[] primvars:fragment = [");
    for (int32_t k = 0; k < p->count; ++k) {
        if (k > 0) sherd_json_raw(text, ", ");
        sherd_json_integer(text, p->fragment[k]);
    }
    sherd_json_raw(text, "]");
    sherd_json_raw(text, VERTEX);
    sherd_json_raw(text, "        rel material:binding = </run/materials/");
    sherd_json_raw(text, material);
    sherd_json_raw(text, ">\n");
}

sherd_status sherd_usda_add_points(sherd_animation *animation, const sherd_animation_points *points,
                                   sherd_error *error)
{
    sherd_usda_file *usda = animation->file;
    put_points(sherd_usda_draft(usda), points, usda->material_names[points->material]);
    return sherd_usda_end_mesh(usda, true, error);
}

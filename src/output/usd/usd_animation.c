#include "output/usd/usd_animation.h"

#include "base/error.h"
#include "base/file_writer.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/sort.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct output {
    sherd_animation *run;
    sherd_usd_file *usd;
    sherd_usd_output to;
    int *uses;                     // number of pieces that use each mesh
    char (*names)[SHERD_USD_NAME]; // of the pieces' prims
    bool failed;                   // memory was short, or keys could not be read back
} output;

// ---------------------------------------------------------------- names

// Appends a number to the name, which gets shorter if necessary.
static void tell_apart(char name[SHERD_USD_NAME], const char *word, unsigned number)
{
    char end[32];
    int length = snprintf(end, sizeof end, "_%s_%u", word, number);
    size_t at = strlen(name), most = SHERD_USD_NAME - 1 - (size_t)length;
    memcpy(name + (at < most ? at : most), end, (size_t)length + 1);
}

// Names of the scope of materials and of classes.
static bool is_reserved(const char *name)
{
    static const char CLASS[] = "mesh_";
    size_t start = sizeof CLASS - 1, length = strlen(name);
    bool is_class = strncmp(name, CLASS, start) == 0 && length > start &&
                    strspn(name + start, "0123456789") == length - start;
    return is_class || strcmp(name, "materials") == 0;
}

static bool is_taken(const output *out, const char *name)
{
    for (int k = 0; k < out->run->piece_count; ++k)
        if (strcmp(out->names[k], name) == 0) return true;
    return is_reserved(name);
}

// Different names may give the same identifier; then the piece's number is appended.
static bool name_pieces(output *out)
{
    size_t n = (size_t)out->run->piece_count;
    out->names = sherd_alloc(n, sizeof *out->names);
    sherd_sort_pair *order = sherd_alloc(n, sizeof *order);
    bool good = out->names != NULL && order != NULL;
    for (size_t k = 0; good && k < n; ++k) {
        sherd_usd_identifier(out->run->pieces[k].name, out->names[k]);
        if (is_reserved(out->names[k])) tell_apart(out->names[k], "piece", (unsigned)k);
        uint64_t hash = sherd_hash_bytes(SHERD_HASH_START, out->names[k], strlen(out->names[k]));
        order[k] = (sherd_sort_pair){hash, (uint32_t)k};
    }
    good = good && sherd_sort_pairs(order, n);
    for (size_t k = 1; good && k < n; ++k)
        if (order[k].key == order[k - 1].key)
            tell_apart(out->names[order[k].value], "piece", order[k].value);
    for (size_t k = 0; good && k < out->usd->instancer_count; ++k) {
        char *name = out->usd->instancers[k].name;
        bool taken = is_taken(out, name);
        for (size_t j = 0; j < k; ++j)
            taken = taken || strcmp(out->usd->instancers[j].name, name) == 0;
        if (taken) tell_apart(name, "instances", (unsigned)k);
    }
    sherd_free(order);
    return good;
}

// ---------------------------------------------------------------- prims

static bool get_visibility(void *context, size_t k, sherd_usd_value *value)
{
    *value = (sherd_usd_value){1, (const char **)context + k};
    return true;
}

// A piece is invisible in frames in which it does not exist.
static void put_visibility(const output *out, const sherd_pose_track *track)
{
    static const char *const HIDDEN = "invisible", *const SHOWN = "inherited";
    int64_t end = track->first_frame + track->count;
    const char *words[3];
    double times[3];
    size_t count = 0;
    if (track->first_frame == 0 && end == out->run->frame_count) return;
    if (track->first_frame > 0) {
        times[count] = sherd_usd_time_code(out->run, 0);
        words[count++] = HIDDEN;
    }
    times[count] = sherd_usd_time_code(out->run, track->first_frame);
    words[count++] = SHOWN;
    if (end < out->run->frame_count) {
        times[count] = sherd_usd_time_code(out->run, end);
        words[count++] = HIDDEN;
    }
    const sherd_usd_samples samples = {count, times, get_visibility, words};
    const sherd_usd_attribute a = {.type = "token", .name = "visibility", .samples = &samples};
    out->to.encoding->attribute(out->to.file, &a);
}

static void put_custom(const output *out, const char *type, const char *name, const void *value)
{
    const sherd_usd_attribute a = {.type = type, .name = name, .custom = true, .value = {1, value}};
    out->to.encoding->attribute(out->to.file, &a);
}

static void begin_piece(const output *out, int k)
{
    int mesh = out->run->pieces[k].mesh;
    char class[40];
    snprintf(class, sizeof class, "/run/mesh_%d", mesh);
    const sherd_usd_prim prim = {.type = "Mesh",
                                 .name = out->names[k],
                                 .inherits = out->uses[mesh] > 1 ? class : NULL,
                                 .schema = "MaterialBindingAPI"};
    out->to.encoding->begin(out->to.file, &prim);
}

static void put_piece(output *out, int k)
{
    sherd_posed_piece course;
    if (!sherd_animation_posed_piece(out->run, k, &course)) {
        out->failed = true;
        return;
    }
    const sherd_animation_piece *piece = course.piece;
    const sherd_usd_mesh *mesh = &out->usd->meshes[piece->mesh];
    double mass = isfinite(piece->mass) ? piece->mass : 0.0;
    begin_piece(out, k);
    bool good = mesh->deforms || sherd_usd_put_motion(out->run, &course, &out->to);
    put_visibility(out, course.track);
    sherd_usd_put_primvar(&out->to, "int", "primvars:fragment", "constant", 1, &piece->fragment);
    put_custom(out, "int64", "sherd:elements", &piece->elements);
    put_custom(out, "double", "sherd:mass_kg", &mass);
    good = good && sherd_usd_put_state(out->run, k, &out->to);
    if (mesh->deforms) good = good && sherd_usd_put_shapes(out->run, k, &out->to);
    if (out->uses[piece->mesh] < 2)
        good = good && sherd_usd_record_play(mesh->record, &out->usd->spool, &out->to);
    out->to.encoding->end(out->to.file);
    out->failed = out->failed || !good;
}

static void put_classes(output *out)
{
    for (int k = 0; k < out->run->mesh_count; ++k) {
        if (out->uses[k] < 2) continue;
        char name[32];
        snprintf(name, sizeof name, "mesh_%d", k);
        const sherd_usd_prim prim = {
            .type = "Mesh", .name = name, .is_class = true, .schema = "MaterialBindingAPI"};
        out->to.encoding->begin(out->to.file, &prim);
        if (!sherd_usd_record_play(out->usd->meshes[k].record, &out->usd->spool, &out->to))
            out->failed = true;
        out->to.encoding->end(out->to.file);
    }
}

static void put_materials(output *out)
{
    const sherd_usd_prim scope = {.type = "Scope", .name = "materials"};
    out->to.encoding->begin(out->to.file, &scope);
    sherd_usd_record record = sherd_usd_record_store(&out->usd->materials, &out->usd->spool);
    if (!sherd_usd_record_play(record, &out->usd->spool, &out->to)) out->failed = true;
    out->to.encoding->end(out->to.file);
}

static void put_run(output *out)
{
    const sherd_usd_prim root = {.type = "Xform", .name = "run", .kind = "assembly"};
    double frame_time = out->run->slow_motion / SHERD_USD_RATE;
    out->to.encoding->begin(out->to.file, &root);
    put_custom(out, "double", "sherd:seconds_per_frame", &frame_time);
    put_materials(out);
    put_classes(out);
    for (int k = 0; k < out->run->piece_count; ++k)
        if (out->run->tracks.items[k].count > 0) put_piece(out, k);
    for (int k = 0; k < out->run->instancer_count; ++k)
        if (!sherd_usd_put_instancer(out->run, k, &out->to)) out->failed = true;
    out->to.encoding->end(out->to.file);
}

// ---------------------------------------------------------------- file

static sherd_status store(output *out, const char *path, sherd_error *error)
{
    sherd_file_writer *writer = sherd_file_writer_create(path, error);
    if (writer == NULL) return error != NULL ? error->status : SHERD_ERROR_IO;
    const sherd_usd_stage stage = {.default_prim = "run",
                                   .documentation = out->run->name,
                                   .first_code = sherd_usd_time_code(out->run, 0),
                                   .last_code =
                                       sherd_usd_time_code(out->run, out->run->frame_count - 1),
                                   .codes_per_second = SHERD_USD_RATE,
                                   .meters_per_unit = 1.0,
                                   .up_axis = "Z"};
    out->to.file = out->to.encoding->create(writer, &stage);
    out->failed = out->to.file == NULL;
    if (!out->failed) put_run(out);
    out->failed = out->failed || !out->to.encoding->finish(out->to.file);
    out->to.encoding->destroy(out->to.file);
    const sherd_spool *spools[] = {&out->run->tracks.spool, &out->run->states.spool,
                                   &out->usd->spool};
    sherd_status status = SHERD_OK;
    for (int k = 0; k < 3 && status == SHERD_OK; ++k)
        status = sherd_spool_check(spools[k], path, error);
    if (status == SHERD_OK && out->failed) status = sherd_fail_memory(error, path);
    if (status == SHERD_OK) return sherd_file_writer_commit(writer, error);
    sherd_file_writer_abort(writer);
    return status;
}

static sherd_status write_as(sherd_animation *animation, const sherd_usd_encoding *encoding,
                             const char *path, sherd_error *error)
{
    output out = {.run = animation,
                  .usd = animation->file,
                  .to = {.encoding = encoding},
                  .uses = sherd_alloc((size_t)animation->mesh_count, sizeof *out.uses)};
    for (int k = 0; k < animation->piece_count && out.uses != NULL; ++k)
        if (animation->tracks.items[k].count > 0) ++out.uses[animation->pieces[k].mesh];
    bool good = out.uses != NULL && name_pieces(&out);
    sherd_status status = good ? store(&out, path, error) : sherd_fail_memory(error, path);
    sherd_free(out.uses);
    sherd_free(out.names);
    return status;
}

static sherd_status write_text(sherd_animation *animation, const char *path, sherd_error *error)
{
    return write_as(animation, &sherd_usda_encoding, path, error);
}

static sherd_status write_crate(sherd_animation *animation, const char *path, sherd_error *error)
{
    return write_as(animation, &sherd_usdc_encoding, path, error);
}

// ---------------------------------------------------------------- life

static void *create(const sherd_animation *animation)
{
    sherd_usd_file *usd = sherd_alloc(1, sizeof *usd);
    if (usd != NULL) usd->spool.folder = animation->folder;
    return usd;
}

static void destroy(void *file)
{
    sherd_usd_file *usd = file;
    sherd_byte_buffer_free(&usd->materials);
    sherd_byte_buffer_free(&usd->draft);
    sherd_spool_free(&usd->spool);
    sherd_free(usd->meshes);
    sherd_free(usd->material_names);
    sherd_free(usd->shapes);
    sherd_free(usd->crowds);
    sherd_free(usd->instancers);
    sherd_free(usd);
}

const sherd_animation_writer sherd_usda_writer = {.create = create,
                                                  .destroy = destroy,
                                                  .add_material = sherd_usd_add_material,
                                                  .add_mesh = sherd_usd_add_mesh,
                                                  .set_vertices = sherd_usd_set_vertices,
                                                  .add_instancer = sherd_usd_add_instancer,
                                                  .set_instances = sherd_usd_set_instances,
                                                  .write = write_text};

const sherd_animation_writer sherd_usdc_writer = {.create = create,
                                                  .destroy = destroy,
                                                  .add_material = sherd_usd_add_material,
                                                  .add_mesh = sherd_usd_add_mesh,
                                                  .set_vertices = sherd_usd_set_vertices,
                                                  .add_instancer = sherd_usd_add_instancer,
                                                  .set_instances = sherd_usd_set_instances,
                                                  .write = write_crate};

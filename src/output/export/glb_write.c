// Writes a .glb: a JSON chunk that describes ranges of one binary chunk.
//
// Node 0 rotates z-up to y-up; its children are the pieces. A moving piece has samplers for
// translation and rotation (LINEAR) over its frames; a piece that appears or disappears has a
// sampler for scale (STEP), which is 0 while the piece does not exist.
//                            glTF 2.0, sections 3.6 (accessors), 3.11 (animation), 4.4 (GLB layout)
#include "animation/pose_tracks.h"
#include "base/assertion.h"
#include "base/error.h"
#include "base/file_writer.h"
#include "base/memory.h"
#include "output/export/glb_file.h"
#include "output/export/json.h"

#include <math.h>
#include <string.h>

enum {
    TARGET_VERTICES = 34962,
    TARGET_INDICES = 34963,
    ROOT = 0,
};

static const uint32_t GLB_MAGIC = 0x46546c67, GLB_JSON = 0x4e4f534a, GLB_BINARY = 0x004e4942;

typedef struct output {
    sherd_animation *run;
    sherd_glb_file *glb;
    sherd_spool animation; // the view of times, translations, rotations and scales
    sherd_glb_accessors accessors;
    sherd_byte_buffer json, nodes, children, channels, samplers;
    int node_count, sampler_count;
    int shared_times; // accessor of the previous piece's times, valid if shared_count > 0
    int64_t shared_first;
    size_t shared_count;
} output;

// ---------------------------------------------------------------- numbers

static void put_numbers(sherd_byte_buffer *json, const char *name, const float *numbers, int count)
{
    sherd_json_key(json, name);
    sherd_json_raw(json, "[");
    for (int k = 0; k < count; ++k) {
        sherd_json_separate(json);
        sherd_json_number(json, (double)numbers[k]);
    }
    sherd_json_raw(json, "]");
}

static void put_integer(sherd_byte_buffer *json, const char *name, int64_t value)
{
    sherd_json_key(json, name);
    sherd_json_integer(json, value);
}

static void translation_floats(sherd_pose pose, float to[3])
{
    to[0] = (float)pose.position.x;
    to[1] = (float)pose.position.y;
    to[2] = (float)pose.position.z;
}

static void rotation_floats(sherd_pose pose, float to[4])
{
    sherd_quat q = pose.rotation;
    double length = sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    to[0] = (float)(q.x / length);
    to[1] = (float)(q.y / length);
    to[2] = (float)(q.z / length);
    to[3] = (float)(q.w / length);
}

// ---------------------------------------------------------------- animation

static int add_animated(output *out, const float *items, int64_t count, int components)
{
    sherd_glb_accessor accessor = {.view = SHERD_GLB_ANIMATION,
                                   .offset = sherd_spool_size(&out->animation),
                                   .count = count,
                                   .components = components};
    sherd_spool_append(&out->animation, items, sizeof *items * (size_t)components * (size_t)count);
    return sherd_glb_add_accessor(&out->accessors, &accessor);
}

static int add_times(output *out, const float *times, int64_t count)
{
    SHERD_ASSERT(count >= 1 && times[0] <= times[count - 1], "times of an animation ascend");
    sherd_glb_accessor accessor = {.view = SHERD_GLB_ANIMATION,
                                   .offset = sherd_spool_size(&out->animation),
                                   .count = count,
                                   .components = 1,
                                   .bounded = true,
                                   .low = {times[0]},
                                   .high = {times[count - 1]}};
    sherd_spool_append(&out->animation, times, sizeof *times * (size_t)count);
    return sherd_glb_add_accessor(&out->accessors, &accessor);
}

static void add_channel(output *out, const char *path, const char *interpolation, int input,
                        int values)
{
    sherd_json_separate(&out->samplers);
    sherd_json_raw(&out->samplers, "{\"interpolation\":");
    sherd_json_string(&out->samplers, interpolation);
    put_integer(&out->samplers, "input", input);
    put_integer(&out->samplers, "output", values);
    sherd_json_raw(&out->samplers, "}");
    sherd_json_separate(&out->channels);
    sherd_json_raw(&out->channels, "{");
    put_integer(&out->channels, "sampler", out->sampler_count++);
    sherd_json_raw(&out->channels, ",\"target\":{");
    put_integer(&out->channels, "node", out->node_count);
    sherd_json_key(&out->channels, "path");
    sherd_json_string(&out->channels, path);
    sherd_json_raw(&out->channels, "}}");
}

// Consecutive pieces with the same frames share an accessor of times.
static int add_frame_times(output *out, const sherd_posed_piece *node)
{
    SHERD_ASSERT(node->track->first_frame + node->track->count <= out->run->frame_count,
                 "poses are of frames of the animation");
    if (out->shared_count != (size_t)node->track->count ||
        out->shared_first != node->track->first_frame) {
        out->shared_times =
            add_times(out, out->run->times + node->track->first_frame, node->track->count);
        out->shared_count = (size_t)node->track->count,
        out->shared_first = node->track->first_frame;
    }
    return out->shared_times;
}

// Translations and rotations of a piece in its frames, and which of them are keys.
typedef struct piece_keys {
    float *times, *translation, *rotation;
    bool *needed;
    size_t all;
} piece_keys;

static bool make_keys(piece_keys *k, const output *out, const sherd_posed_piece *node)
{
    size_t n = (size_t)node->track->count;
    *k = (piece_keys){.times = sherd_alloc(n, sizeof *k->times),
                      .translation = sherd_alloc(3 * n, sizeof *k->translation),
                      .rotation = sherd_alloc(4 * n, sizeof *k->rotation),
                      .needed = sherd_alloc(n, sizeof *k->needed),
                      .all = n};
    if (k->times == NULL || k->translation == NULL || k->rotation == NULL || k->needed == NULL)
        return false;
    memcpy(k->times, out->run->times + node->track->first_frame, n * sizeof *k->times);
    for (size_t f = 0; f < n; ++f) {
        float *q = k->rotation + 4 * f;
        translation_floats(node->poses[f], k->translation + 3 * f);
        rotation_floats(node->poses[f], q);
        // q and -q are the same rotation; equal signs of neighbours give the shorter path
        bool flip = f > 0 && q[0] * q[-4] + q[1] * q[-3] + q[2] * q[-2] + q[3] * q[-1] < 0.0f;
        for (int c = 0; flip && c < 4; ++c)
            q[c] = -q[c];
    }
    return true;
}

static void free_keys(piece_keys *k)
{
    sherd_free(k->times);
    sherd_free(k->translation);
    sherd_free(k->rotation);
    sherd_free(k->needed);
}

static bool rests(const piece_keys *k, size_t f)
{
    return memcmp(k->translation + 3 * f, k->translation + 3 * f - 3, 3 * sizeof(float)) == 0 &&
           memcmp(k->rotation + 4 * f, k->rotation + 4 * f - 4, 4 * sizeof(float)) == 0;
}

// Removes keys between two equal ones. Returns the number of keys.
static size_t keep_moving(const piece_keys *k)
{
    size_t total = 0;
    for (size_t f = 0; f < k->all; ++f) {
        k->needed[f] = f == 0 || f + 1 == k->all || !rests(k, f) || !rests(k, f + 1);
        total += k->needed[f];
    }
    return total;
}

static void drop_others(piece_keys *k)
{
    size_t to = 0;
    for (size_t f = 0; f < k->all; ++f) {
        if (!k->needed[f]) continue;
        memmove(k->translation + 3 * to, k->translation + 3 * f, 3 * sizeof(float));
        memmove(k->rotation + 4 * to, k->rotation + 4 * f, 4 * sizeof(float));
        k->times[to++] = k->times[f];
    }
}

static void add_keys(output *out, const sherd_posed_piece *node, const piece_keys *k, int times,
                     int64_t count)
{
    add_channel(out, "translation", "LINEAR", times, add_animated(out, k->translation, count, 3));
    if (node->track->turns)
        add_channel(out, "rotation", "LINEAR", times, add_animated(out, k->rotation, count, 4));
}

// Removes translation keys within the tolerance; rotations keep all keys.
static void animate_within(output *out, const sherd_posed_piece *node, piece_keys *k, size_t total)
{
    if (node->track->turns)
        add_channel(out, "rotation", "LINEAR", add_frame_times(out, node),
                    add_animated(out, k->rotation, (int64_t)k->all, 4));
    drop_others(k);
    int times = add_times(out, k->times, (int64_t)total);
    add_channel(out, "translation", "LINEAR", times,
                add_animated(out, k->translation, (int64_t)total, 3));
}

static void animate_keys(output *out, const sherd_posed_piece *node, piece_keys *k)
{
    double tolerance = node->piece->tolerance;
    size_t total = tolerance > 0.0
                       ? sherd_thin_keys(k->times, k->translation, k->all, tolerance, k->needed)
                       : keep_moving(k);
    if (tolerance > 0.0 && total < k->all) {
        animate_within(out, node, k, total);
    } else if (tolerance > 0.0 || 4 * total > 3 * k->all) {
        // An accessor of times for one piece costs space too: removing only a few keys does not
        // pay.
        add_keys(out, node, k, add_frame_times(out, node), (int64_t)k->all);
    } else {
        drop_others(k);
        add_keys(out, node, k, add_times(out, k->times, (int64_t)total), (int64_t)total);
    }
}

static void animate_motion(output *out, const sherd_posed_piece *node)
{
    piece_keys k;
    if (make_keys(&k, out, node))
        animate_keys(out, node, &k);
    else
        out->json.failed = true;
    free_keys(&k);
}

static float scale_of(const output *out, const sherd_posed_piece *node)
{
    return (float)(node->piece->scale * out->glb->mesh_scale[node->piece->mesh]);
}

// Hidden, shown, hidden: at most three keys.
static void animate_visibility(output *out, const sherd_posed_piece *node)
{
    const sherd_animation *run = out->run;
    int64_t end = node->track->first_frame + node->track->count;
    float times[3], scales[3][3];
    int keys = 0;
    const struct {
        bool wanted;
        int64_t frame;
        float scale;
    } steps[] = {{node->track->first_frame > 0, 0, 0.0f},
                 {true, node->track->first_frame, scale_of(out, node)},
                 {end < run->frame_count, end, 0.0f}};
    for (int k = 0; k < 3; ++k) {
        if (!steps[k].wanted) continue;
        times[keys] = run->times[steps[k].frame];
        for (int c = 0; c < 3; ++c)
            scales[keys][c] = steps[k].scale;
        ++keys;
    }
    if (keys == 1) return; // always visible
    int input = add_times(out, times, keys);
    add_channel(out, "scale", "STEP", input, add_animated(out, scales[0], keys, 3));
}

// ---------------------------------------------------------------- nodes

static void add_node(output *out, const sherd_posed_piece *node)
{
    const sherd_animation_piece *piece = node->piece;
    float translation[3], rotation[4];
    float scale = node->track->first_frame == 0 ? scale_of(out, node) : 0.0f;
    const float scales[3] = {scale, scale, scale};
    translation_floats(node->poses[0], translation);
    rotation_floats(node->poses[0], rotation);
    sherd_byte_buffer *json = &out->nodes;
    sherd_json_raw(json, ",{\"name\":");
    sherd_json_string(json, piece->name);
    put_integer(json, "mesh", piece->mesh);
    put_numbers(json, "translation", translation, 3);
    put_numbers(json, "rotation", rotation, 4);
    put_numbers(json, "scale", scales, 3);
    sherd_json_raw(json, ",\"extras\":{");
    put_integer(json, "fragment", piece->fragment);
    put_integer(json, "elements", piece->elements);
    sherd_json_key(json, "mass_kg");
    sherd_json_number(json, isfinite(piece->mass) ? piece->mass : 0.0);
    sherd_json_raw(json, "}}");
    sherd_json_separate(&out->children);
    sherd_json_integer(&out->children, out->node_count);
    if (node->track->moves) animate_motion(out, node);
    animate_visibility(out, node);
    ++out->node_count;
}

static void add_nodes(output *out)
{
    out->node_count = ROOT + 1;
    for (int k = 0; k < out->run->piece_count; ++k) {
        sherd_posed_piece course;
        if (out->run->tracks.items[k].count == 0) continue;
        if (sherd_animation_posed_piece(out->run, k, &course))
            add_node(out, &course);
        else
            out->json.failed = true;
    }
}

// ---------------------------------------------------------------- JSON

static sherd_spool *view_spool(output *out, int view)
{
    return view == SHERD_GLB_ANIMATION ? &out->animation : &out->glb->data[view];
}

static int64_t view_size(const output *out, int view)
{
    return sherd_spool_size(view == SHERD_GLB_ANIMATION ? &out->animation : &out->glb->data[view]);
}

// Index of a view in the file; empty views are omitted because the format has none.
static int view_index(const output *out, int view)
{
    int index = 0;
    for (int k = 0; k < view; ++k)
        index += view_size(out, k) > 0;
    return index;
}

static void put_views(output *out)
{
    static const int strides[SHERD_GLB_VIEW_COUNT] = {12, 12, 8, 12, 4, 8, 4, 4, 8, 0, 0};
    int64_t offset = 0;
    sherd_json_raw(&out->json, ",\"bufferViews\":[");
    for (int view = 0; view < SHERD_GLB_VIEW_COUNT; ++view) {
        int64_t size = view_size(out, view);
        if (size == 0) continue;
        sherd_json_separate(&out->json);
        sherd_json_raw(&out->json, "{\"buffer\":0");
        put_integer(&out->json, "byteOffset", offset);
        put_integer(&out->json, "byteLength", size);
        if (strides[view] > 0) put_integer(&out->json, "byteStride", strides[view]);
        if (view != SHERD_GLB_ANIMATION)
            put_integer(&out->json, "target",
                        view == SHERD_GLB_INDEX ? TARGET_INDICES : TARGET_VERTICES);
        sherd_json_raw(&out->json, "}");
        offset += size;
    }
    const sherd_glb_pictures *p = &out->glb->pictures;
    for (int k = 0; k < p->count; ++k) {
        sherd_json_raw(&out->json, ",{\"buffer\":0");
        put_integer(&out->json, "byteOffset", offset + (int64_t)p->items[k].offset);
        put_integer(&out->json, "byteLength", (int64_t)p->items[k].size);
        sherd_json_raw(&out->json, "}");
    }
    sherd_json_raw(&out->json, "],\"buffers\":[{");
    put_integer(&out->json, "byteLength", offset + (int64_t)p->bytes.size);
    sherd_json_raw(&out->json, "}]");
}

// Writes one texture per picture, with the same index.
static void put_pictures(output *out)
{
    const sherd_glb_pictures *p = &out->glb->pictures;
    int view = view_index(out, SHERD_GLB_VIEW_COUNT);
    if (p->count == 0) return;
    sherd_json_raw(&out->json, ",\"images\":[");
    for (int k = 0; k < p->count; ++k) {
        bool png = p->items[k].size > 0 && p->bytes.bytes[p->items[k].offset] == 0x89;
        sherd_json_separate(&out->json);
        sherd_json_raw(&out->json,
                       png ? "{\"mimeType\":\"image/png\"" : "{\"mimeType\":\"image/jpeg\"");
        put_integer(&out->json, "bufferView", view + k);
        sherd_json_raw(&out->json, "}");
    }
    sherd_json_raw(&out->json, "],\"textures\":[");
    for (int k = 0; k < p->count; ++k) {
        sherd_json_separate(&out->json);
        sherd_json_raw(&out->json, "{\"source\":");
        sherd_json_integer(&out->json, k);
        sherd_json_raw(&out->json, "}");
    }
    sherd_json_raw(&out->json, "]");
}

static void put_accessor(output *out, const sherd_glb_accessor *a)
{
    static const char *const types[] = {"", "SCALAR", "VEC2", "VEC3", "VEC4"};
    static const int numbers[] = {
        [SHERD_GLB_FLOAT] = 5126,  [SHERD_GLB_INT8] = 5120,   [SHERD_GLB_INT16] = 5122,
        [SHERD_GLB_UNIT16] = 5123, [SHERD_GLB_UINT16] = 5123, [SHERD_GLB_UINT32] = 5125};
    bool normalized = a->number == SHERD_GLB_INT8 || a->number == SHERD_GLB_INT16 ||
                      a->number == SHERD_GLB_UNIT16;
    sherd_json_separate(&out->json);
    sherd_json_raw(&out->json, "{");
    put_integer(&out->json, "bufferView", view_index(out, (int)a->view));
    put_integer(&out->json, "byteOffset", a->offset);
    put_integer(&out->json, "componentType", numbers[a->number]);
    put_integer(&out->json, "count", a->count);
    sherd_json_key(&out->json, "type");
    sherd_json_string(&out->json, types[a->components]);
    if (normalized) sherd_json_raw(&out->json, ",\"normalized\":true");
    if (a->bounded) {
        put_numbers(&out->json, "min", a->low, a->components);
        put_numbers(&out->json, "max", a->high, a->components);
    }
    sherd_json_raw(&out->json, "}");
}

static void put_buffer(sherd_byte_buffer *json, const sherd_byte_buffer *part)
{
    if (part->failed) json->failed = true;
    sherd_byte_buffer_append(json, part->bytes, part->size);
}

static void put_extensions(output *out)
{
    sherd_byte_buffer *json = &out->json;
    bool compact = out->glb->compact, transmits = out->glb->transmits;
    if (!compact && !transmits) return;
    sherd_json_raw(json, "\"extensionsUsed\":[");
    if (transmits) sherd_json_raw(json, "\"KHR_materials_transmission\"");
    if (compact) {
        sherd_json_separate(json);
        sherd_json_raw(json, "\"KHR_mesh_quantization\"],"
                             "\"extensionsRequired\":[\"KHR_mesh_quantization\"");
    }
    sherd_json_raw(json, "],");
}

static void put_json(output *out)
{
    sherd_byte_buffer *json = &out->json;
    sherd_json_raw(json, "{\"asset\":{\"version\":\"2.0\",\"generator\":\"Sherd\"},");
    put_extensions(out);
    sherd_json_raw(json, "\"scene\":0,\"scenes\":[{\"nodes\":[0],\"name\":");
    sherd_json_string(json, out->run->name);
    // A quarter turn about x maps z to y.
    sherd_json_raw(json, "}],\"nodes\":[{\"name\":\"world\",\"rotation\":[-0.707106781,0,0,"
                         "0.707106781],\"children\":[");
    put_buffer(json, &out->children);
    sherd_json_raw(json, "]}");
    put_buffer(json, &out->nodes);
    sherd_json_raw(json, "],\"materials\":[");
    put_buffer(json, &out->glb->materials);
    sherd_json_raw(json, "],\"meshes\":[");
    put_buffer(json, &out->glb->meshes);
    sherd_json_raw(json, "],\"accessors\":[");
    for (size_t k = 0; k < out->accessors.count; ++k)
        put_accessor(out, &out->accessors.items[k]);
    sherd_json_raw(json, "]");
    put_views(out);
    put_pictures(out);
    if (out->sampler_count > 0) {
        sherd_json_raw(json, ",\"animations\":[{\"name\":\"run\",\"channels\":[");
        put_buffer(json, &out->channels);
        sherd_json_raw(json, "],\"samplers\":[");
        put_buffer(json, &out->samplers);
        sherd_json_raw(json, "]}]");
    }
    sherd_json_raw(json, "}");
    while (!json->failed && json->size % 4 != 0)
        sherd_json_raw(json, " ");
}

// ---------------------------------------------------------------- file

static void write_word(sherd_file_writer *writer, uint32_t word)
{
    sherd_file_writer_write(writer, &word, sizeof word);
}

static sherd_status check_spools(output *out, const char *path, sherd_error *error)
{
    sherd_status status = sherd_spool_check(&out->run->tracks.spool, path, error);
    for (int view = 0; view < SHERD_GLB_VIEW_COUNT && status == SHERD_OK; ++view)
        status = sherd_spool_check(view_spool(out, view), path, error);
    return status;
}

static sherd_status store(output *out, const char *path, sherd_error *error)
{
    const sherd_byte_buffer *pictures = &out->glb->pictures.bytes;
    uint64_t binary = pictures->size;
    for (int view = 0; view < SHERD_GLB_VIEW_COUNT; ++view)
        binary += (uint64_t)view_size(out, view); // all sizes are multiples of 4 bytes
    uint64_t total = 12 + 8 + (uint64_t)out->json.size + 8 + binary;
    if (total > UINT32_MAX)
        return sherd_fail(
            error, SHERD_ERROR_UNSUPPORTED, path, "export fewer frames or use larger surface cells",
            "%.1f GB do not fit a .glb file, which ends at 4.3 GB", 1e-9 * (double)total);
    sherd_file_writer *writer = sherd_file_writer_create(path, error);
    if (writer == NULL) return error != NULL ? error->status : SHERD_ERROR_IO;
    const uint32_t head[] = {GLB_MAGIC, 2, (uint32_t)total, (uint32_t)out->json.size, GLB_JSON};
    sherd_file_writer_write(writer, head, sizeof head);
    sherd_file_writer_write(writer, out->json.bytes, out->json.size);
    write_word(writer, (uint32_t)binary);
    write_word(writer, GLB_BINARY);
    for (int view = 0; view < SHERD_GLB_VIEW_COUNT; ++view)
        sherd_spool_copy(view_spool(out, view), 0, view_size(out, view), writer);
    sherd_file_writer_write(writer, pictures->bytes, pictures->size);
    sherd_status status = check_spools(out, path, error);
    if (status == SHERD_OK) return sherd_file_writer_commit(writer, error);
    sherd_file_writer_abort(writer);
    return status;
}

// Accessors of meshes keep their indices; those of the animation are appended.
static void copy_accessors(output *out)
{
    SHERD_ASSERT(out->accessors.count == 0, "accessors of meshes keep their indices");
    for (size_t k = 0; k < out->glb->accessors.count; ++k)
        sherd_glb_add_accessor(&out->accessors, &out->glb->accessors.items[k]);
}

sherd_status sherd_glb_file_write(sherd_animation *animation, const char *path, sherd_error *error)
{
    output out = {.run = animation, .glb = animation->file, .animation.folder = animation->folder};
    copy_accessors(&out);
    add_nodes(&out);
    sherd_status status = check_spools(&out, path, error);
    if (status == SHERD_OK) {
        put_json(&out);
        bool failed = out.json.failed || out.accessors.failed || out.glb->accessors.failed;
        status = failed ? sherd_fail_memory(error, path) : store(&out, path, error);
    }
    sherd_byte_buffer *const buffers[] = {&out.json, &out.nodes, &out.children, &out.channels,
                                          &out.samplers};
    for (size_t k = 0; k < sizeof buffers / sizeof *buffers; ++k)
        sherd_byte_buffer_free(buffers[k]);
    sherd_spool_free(&out.animation);
    sherd_free(out.accessors.items);
    return status;
}

#include <sherd/export_glb.h>

#include "base/error.h"
#include "base/memory.h"
#include "output/export/glb_build.h"
#include "output/export/glb_split.h"
#include "output/export/icosphere.h"
#include "output/export/json.h"
#include "output/export/usda.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static sherd_status fail_glb(sherd_error *error, const char *where, const char *what)
{
    return sherd_fail(error, SHERD_ERROR_INPUT, where, NULL, "%s", what);
}

// ---------------------------------------------------------------- life

static sherd_status check_def(const sherd_glb_def *def, sherd_error *error)
{
    if (def->frame_count < 1 || def->times == NULL)
        return fail_glb(error, "glb.frame_count", "there must be at least one frame");
    if (!(def->texture_size > 0.0) || !isfinite(def->texture_size))
        return fail_glb(error, "glb.texture_size", "must be > 0");
    for (int64_t k = 0; k < def->frame_count; ++k) {
        bool ascends =
            k == 0 ? def->times[k] >= 0.0 : (float)def->times[k] > (float)def->times[k - 1];
        if (!ascends || !isfinite(def->times[k]))
            return fail_glb(error, "glb.times", "must be finite, >= 0 and ascend");
    }
    return SHERD_OK;
}

sherd_glb *sherd_glb_create(const sherd_glb_def *def, sherd_error *error)
{
    if (check_def(def, error) != SHERD_OK) return NULL;
    sherd_glb *glb = sherd_alloc(1, sizeof *glb);
    if (glb == NULL) {
        sherd_fail_memory(error, "glb");
        return NULL;
    }
    glb->name = sherd_string_copy(def->name != NULL ? def->name : "Sherd");
    glb->format = def->format;
    glb->frame_count = def->frame_count;
    glb->texture_size = def->texture_size;
    glb->times = sherd_alloc((size_t)def->frame_count, sizeof *glb->times);
    glb->compact = def->compact && def->format == SHERD_GLB_BINARY;
    glb->folder = sherd_string_copy(def->folder);
    for (int k = 0; k < SHERD_GLB_ANIMATION; ++k)
        glb->data[k].folder = glb->folder;
    glb->usda.text.folder = glb->tracks.spool.folder = glb->folder;
    if (glb->name == NULL || glb->times == NULL || (def->folder != NULL && glb->folder == NULL)) {
        sherd_glb_destroy(glb);
        sherd_fail_memory(error, "glb");
        return NULL;
    }
    for (int64_t k = 0; k < def->frame_count; ++k)
        glb->times[k] = (float)def->times[k];
    return glb;
}

void sherd_glb_destroy(sherd_glb *glb)
{
    if (glb == NULL) return;
    for (int k = 0; k < SHERD_GLB_ANIMATION; ++k)
        sherd_spool_free(&glb->data[k]);
    for (int k = 0; k < glb->node_count; ++k)
        sherd_free((char *)glb->nodes[k].piece.name);
    sherd_pose_tracks_free(&glb->tracks);
    sherd_byte_buffer_free(&glb->usda.draft);
    sherd_spool_free(&glb->usda.text);
    sherd_byte_buffer_free(&glb->usda.materials);
    sherd_free(glb->usda.meshes);
    sherd_free(glb->usda.material_names);
    sherd_byte_buffer_free(&glb->materials);
    sherd_byte_buffer_free(&glb->pictures.bytes);
    sherd_free(glb->pictures.items);
    sherd_byte_buffer_free(&glb->meshes);
    sherd_free(glb->accessors.items);
    sherd_free(glb->nodes);
    sherd_free(glb->mesh_scale);
    for (size_t k = 0; k < glb->part_room; ++k)
        sherd_glb_vertices_free(&glb->parts[k]);
    sherd_free(glb->parts);
    sherd_free(glb->part_material);
    sherd_glb_scratch_free(&glb->scratch);
    sherd_free(glb->folder);
    sherd_free(glb->times);
    sherd_free(glb->name);
    sherd_free(glb);
}

// ---------------------------------------------------------------- materials

static bool is_share(double value)
{
    return value >= 0.0 && value <= 1.0;
}

static int add_usda_material(sherd_glb *glb, const sherd_glb_material *m, sherd_error *error)
{
    sherd_glb_usda *usda = &glb->usda;
    int index = glb->material_count;
    if (!sherd_grow((void **)&usda->material_names, &usda->name_capacity, (size_t)index + 1,
                    sizeof *usda->material_names)) {
        sherd_fail_memory(error, "usda");
        return -1;
    }
    sherd_usda_identifier(m->name != NULL ? m->name : "material", usda->material_names[index]);
    for (int k = 0; k < index; ++k) {
        if (strcmp(usda->material_names[k], usda->material_names[index]) != 0) continue;
        snprintf(usda->material_names[index], SHERD_USDA_NAME, "material_%d", index);
    }
    sherd_usda_put_material(&usda->materials, m, usda->material_names[index]);
    if (usda->materials.failed) {
        sherd_fail_memory(error, "usda");
        return -1;
    }
    return glb->material_count++;
}

// The number of a material's picture; -1: it has none, or memory is short.
static int add_picture(sherd_glb *glb, const sherd_glb_material *m)
{
    sherd_glb_pictures *p = &glb->pictures;
    if (m->picture == NULL) return -1;
    for (int k = 0; k < p->count; ++k)
        if (p->items[k].source == m->picture && p->items[k].size == m->picture_size) return k;
    if (!sherd_grow((void **)&p->items, &p->capacity, (size_t)p->count + 1, sizeof *p->items)) {
        glb->materials.failed = true;
        return -1;
    }
    p->items[p->count] = (struct sherd_glb_picture){m->picture, p->bytes.size, m->picture_size};
    sherd_byte_buffer_append(&p->bytes, m->picture, m->picture_size);
    while (!p->bytes.failed && p->bytes.size % 4 != 0)
        sherd_byte_buffer_append(&p->bytes, "", 1);
    if (p->bytes.failed) glb->materials.failed = true;
    return p->count++;
}

int sherd_glb_add_material(sherd_glb *glb, const sherd_glb_material *m, sherd_error *error)
{
    if (!is_share(m->red) || !is_share(m->green) || !is_share(m->blue) || !is_share(m->roughness) ||
        !is_share(m->metallic) || !is_share(m->transmission)) {
        fail_glb(error, "glb material",
                 "colours, roughness, metallic and transmission must be from 0 to 1");
        return -1;
    }
    if (glb->format == SHERD_GLB_USDA) return add_usda_material(glb, m, error);
    sherd_byte_buffer *json = &glb->materials;
    sherd_json_separate(json);
    sherd_json_raw(json, "{");
    sherd_json_key(json, "name");
    sherd_json_string(json, m->name != NULL ? m->name : "material");
    sherd_json_raw(json, ",\"pbrMetallicRoughness\":{\"baseColorFactor\":[");
    const double colour[] = {m->red, m->green, m->blue, 1.0};
    for (int k = 0; k < 4; ++k) {
        sherd_json_separate(json);
        sherd_json_number(json, colour[k]);
    }
    sherd_json_raw(json, "]");
    int picture = add_picture(glb, m);
    if (picture >= 0) {
        sherd_json_raw(json, ",\"baseColorTexture\":{\"index\":");
        sherd_json_integer(json, picture);
        sherd_json_raw(json, "}");
    }
    sherd_json_raw(json, ",\"metallicFactor\":");
    sherd_json_number(json, m->metallic);
    sherd_json_raw(json, ",\"roughnessFactor\":");
    sherd_json_number(json, m->roughness);
    sherd_json_raw(json, "}");
    if (m->transmission > 0.0) {
        glb->transmits = true;
        sherd_json_raw(json, ",\"extensions\":{\"KHR_materials_transmission\":{"
                             "\"transmissionFactor\":");
        sherd_json_number(json, m->transmission);
        sherd_json_raw(json, "}}");
    }
    sherd_json_raw(json, "}");
    if (json->failed) {
        sherd_fail_memory(error, "glb");
        return -1;
    }
    return glb->material_count++;
}

// ---------------------------------------------------------------- pieces

int sherd_glb_add_piece(sherd_glb *glb, const sherd_glb_piece *piece, sherd_error *error)
{
    if (piece->mesh < 0 || piece->mesh >= glb->mesh_count || !(piece->scale > 0.0) ||
        !isfinite(piece->scale)) {
        fail_glb(error, "glb piece", "it needs a mesh that exists and a scale > 0");
        return -1;
    }
    char *name = sherd_string_copy(piece->name != NULL ? piece->name : "piece");
    if (name == NULL ||
        !sherd_grow((void **)&glb->nodes, &glb->node_capacity, (size_t)glb->node_count + 1,
                    sizeof *glb->nodes) ||
        !sherd_pose_tracks_begin(&glb->tracks)) {
        sherd_free(name);
        sherd_fail_memory(error, "glb");
        return -1;
    }
    glb->nodes[glb->node_count] = (sherd_glb_node){.piece = *piece};
    glb->nodes[glb->node_count].piece.name = name;
    return glb->node_count++;
}

static bool pose_is_finite(sherd_pose pose)
{
    const double words[] = {pose.position.x, pose.position.y, pose.position.z, pose.rotation.x,
                            pose.rotation.y, pose.rotation.z, pose.rotation.w};
    double norm = 0.0;
    for (int k = 0; k < 7; ++k) {
        if (!isfinite(words[k])) return false;
        if (k >= 3) norm += words[k] * words[k];
    }
    return norm > 0.25 && norm < 4.0; // a unit quaternion, give or take
}

sherd_status sherd_glb_set_pose(sherd_glb *glb, int piece, int64_t frame, sherd_pose pose,
                                sherd_error *error)
{
    if (piece < 0 || piece >= glb->node_count || frame < 0 || frame >= glb->frame_count)
        return fail_glb(error, "glb pose", "no such piece or frame");
    if (!pose_is_finite(pose))
        return fail_glb(error, "glb pose", "not a position and a unit quaternion");
    const sherd_pose_track *track = &glb->tracks.items[piece];
    if (track->count > 0 && frame != track->first_frame + track->count)
        return fail_glb(error, "glb pose", "the frames of a piece must follow each other");
    if (!sherd_pose_tracks_add(&glb->tracks, piece, frame, pose))
        return sherd_fail_memory(error, "glb");
    return SHERD_OK;
}

bool sherd_glb_course_of(sherd_glb *glb, int piece, sherd_glb_course *course)
{
    *course = (sherd_glb_course){&glb->nodes[piece].piece, &glb->tracks.items[piece],
                                 sherd_pose_tracks_read(&glb->tracks, piece)};
    return course->poses != NULL;
}

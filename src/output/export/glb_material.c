// Creates and destroys a .glb that is being written, and adds materials with their pictures.
#include "base/error.h"
#include "base/memory.h"
#include "output/export/glb_file.h"
#include "output/export/json.h"

static void *create(const sherd_animation *animation)
{
    sherd_glb_file *glb = sherd_alloc(1, sizeof *glb);
    if (glb == NULL) return NULL;
    glb->compact = animation->compact;
    glb->texture_size = animation->texture_size;
    for (int k = 0; k < SHERD_GLB_ANIMATION; ++k)
        glb->data[k].folder = animation->folder;
    return glb;
}

static void destroy(void *file)
{
    sherd_glb_file *glb = file;
    for (int k = 0; k < SHERD_GLB_ANIMATION; ++k)
        sherd_spool_free(&glb->data[k]);
    for (size_t k = 0; k < glb->part_room; ++k)
        sherd_glb_vertices_free(&glb->parts[k]);
    sherd_glb_scratch_free(&glb->scratch);
    sherd_glb_shared_free(&glb->shared);
    sherd_byte_buffer_free(&glb->materials);
    sherd_byte_buffer_free(&glb->meshes);
    sherd_byte_buffer_free(&glb->pictures.bytes);
    sherd_free(glb->pictures.items);
    sherd_free(glb->accessors.items);
    sherd_free(glb->parts);
    sherd_free(glb->part_material);
    sherd_free(glb->mesh_scale);
    sherd_free(glb);
}

// The index of a material's picture; -1 if it has none or memory is short.
static int add_picture(sherd_glb_file *glb, const sherd_animation_material *m)
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

static sherd_status add_material(sherd_animation *animation, const sherd_animation_material *m,
                                 sherd_error *error)
{
    sherd_glb_file *glb = animation->file;
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
    return json->failed ? sherd_fail_memory(error, "glb") : SHERD_OK;
}

const sherd_animation_writer sherd_glb_writer = {.create = create,
                                                 .destroy = destroy,
                                                 .add_material = add_material,
                                                 .add_mesh = sherd_glb_file_add_mesh,
                                                 .add_points = sherd_glb_file_add_points,
                                                 .write = sherd_glb_file_write};

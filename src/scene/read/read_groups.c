// What a mesh's file says of its material groups.
#include "base/assertion.h"
#include "geometry/mesh/mesh_access.h"
#include "render/texture/image.h"
#include "scene/read/sections.h"
#include "scene/scene_notes.h"

static const sherd_texture_image *decode(sherd_scene_reader *reader, const sherd_node *node,
                                         const sherd_mesh_picture *picture)
{
    sherd_error error;
    sherd_texture_link *link = sherd_arena_alloc(reader->arena, 1, sizeof *link);
    if (link == NULL) return NULL;
    link->image = sherd_texture_image_decode(picture->name, picture->bytes, picture->size, &error);
    if (link->image == NULL) {
        sherd_scene_note(reader, node, "%.200s %.200s: the plain colour stays", picture->name,
                         error.what);
        return NULL;
    }
    link->next = reader->scene->storage->textures;
    reader->scene->storage->textures = link;
    return link->image;
}

// By their numbers in the mesh. NULL: memory is short.
static const sherd_texture_image **keep_pictures(sherd_scene_reader *reader, const sherd_node *node,
                                                 const sherd_mesh *mesh)
{
    const sherd_texture_image **kept =
        sherd_arena_alloc(reader->arena, (size_t)mesh->picture_count + 1, sizeof *kept);
    for (int32_t k = 0; kept != NULL && k < mesh->picture_count; ++k)
        kept[k] = decode(reader, node, &mesh->pictures[k]);
    return kept;
}

void sherd_keep_groups(sherd_scene_reader *reader, const sherd_node *node, const sherd_mesh *mesh)
{
    SHERD_ASSERT(mesh->group_count >= 0 && mesh->note_count >= 0, "groups can be counted");
    reader->group_count = 0;
    for (int32_t k = 0; k < mesh->note_count; ++k)
        sherd_scene_note(reader, node, "%s", sherd_mesh_note(mesh, k));
    if (mesh->materials == NULL) return;
    size_t count = (size_t)mesh->group_count;
    sherd_scene_group *groups = sherd_arena_alloc(reader->arena, count, sizeof *groups);
    const sherd_texture_image **pictures = keep_pictures(reader, node, mesh);
    if (groups == NULL || pictures == NULL) return;
    for (int32_t g = 0; g < mesh->group_count; ++g) {
        const sherd_mesh_material *from = &mesh->materials[g];
        if (from->picture >= 0) groups[g].picture = pictures[from->picture];
        groups[g].look = *from;
        groups[g].name = sherd_arena_string(reader->arena, sherd_mesh_group_name(mesh, g));
    }
    reader->groups = groups;
    reader->group_count = mesh->group_count;
}

const sherd_scene_group *sherd_take_groups(sherd_scene_reader *reader, int *count)
{
    *count = reader->group_count;
    reader->group_count = 0;
    return *count > 0 ? reader->groups : NULL;
}

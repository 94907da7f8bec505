// fracture: {pieces: {voronoi: ...}, glue: {tensile_strength, shear_strength, ...}} of a body of material points
#include "scene/read/sections.h"

#include "base/field.h"
#include "base/hash.h"

static void read_pieces(sherd_scene_reader *reader, const sherd_node *node, sherd_scene_body *body)
{
    bool is_list = node->kind == SHERD_NODE_LIST;
    size_t count = is_list ? (size_t)node->count : 1;
    const sherd_weakness **walls = sherd_arena_alloc(reader->arena, count, sizeof *walls);
    if (walls == NULL) return;
    sherd_fracture_def *def = &body->fracture;
    if (count == 0)
        sherd_reader_fail(reader, node, "e.g. voronoi: {size: 3 cm}",
                          "names nothing that cuts the body");
    for (const sherd_node *wall = is_list ? node->first : node; wall != NULL;
         wall = is_list ? wall->next : NULL) {
        walls[def->wall_count] = sherd_read_wall(reader, wall, &body->fracture_digest);
        if (walls[def->wall_count] != NULL) ++def->wall_count;
    }
    def->walls = walls;
}

static void read_glue(sherd_scene_reader *reader, const sherd_node *node, sherd_scene_body *body)
{
    static const char *const MEMBERS[] = {"tensile_strength", "shear_strength", "fracture_energy",
                                          "scatter", "seed"};
    static const char *const MORE[] = {"inside", NULL};
    enum { COUNT = sizeof MEMBERS / sizeof MEMBERS[0] };
    sherd_field fields[COUNT];
    for (int k = 0; k < COUNT; ++k) {
        fields[k] = *sherd_field_find(sherd_fracture_def_fields(), MEMBERS[k]);
        if (k < 2) fields[k].flags |= SHERD_FIELD_REQUIRED;
    }
    const sherd_keys keys = {fields, COUNT, 0, &body->fracture};
    if (!sherd_read_keys(reader, node, &keys, 1, MORE)) return;
    const sherd_node *inside = sherd_node_find(node, "inside");
    if (inside == NULL) return;
    body->fracture.glued = sherd_read_placed_shape(reader, inside);
    body->fracture_digest =
        sherd_hash_bytes(body->fracture_digest, &reader->shape_digest, sizeof reader->shape_digest);
}

void sherd_read_fracture(sherd_scene_reader *reader, const sherd_node *body_node,
                         sherd_scene_body *body)
{
    static const char *const KEYS[] = {"pieces", "glue", NULL};
    const sherd_node *node = sherd_node_find(body_node, "fracture");
    body->fracture = sherd_fracture_def_default();
    body->fracture_digest = SHERD_HASH_START;
    if (node == NULL) return;
    if (!sherd_names_packing(sherd_node_find(body_node, "packing"))) return; // reported
    if (!sherd_scene_is_of_points(body)) {
        sherd_reader_fail_key(reader, node,
                              "packing: {points: {spacing: ...}}; bonds are weakened by 'weakness'",
                              "is for bodies of material points");
        return;
    }
    if (!sherd_read_keys(reader, node, NULL, 0, KEYS)) return;
    const sherd_node *pieces = sherd_require(reader, node, "pieces", "e.g. voronoi: {size: 3 cm}"),
                     *glue = sherd_require(reader, node, "glue",
                                           "e.g. {tensile_strength: 1 kPa, shear_strength: 1 kPa}");
    body->is_fractured = true;
    if (pieces != NULL) read_pieces(reader, pieces, body);
    if (glue != NULL) read_glue(reader, glue, body);
}

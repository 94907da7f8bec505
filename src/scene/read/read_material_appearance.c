// appearance: {texture, size, image, roughness, inner: {...}} of a material
#include "scene/read/sections.h"

#include "base/error.h"
#include "scene/scene_fields.h"

#include <stdio.h>
#include <string.h>

static sherd_word texture_word(int number)
{
    sherd_texture_look look = sherd_texture_describe((sherd_texture_kind)number);
    return (sherd_word){look.word, look.doc};
}

#define FIELD(kind, member, ...) SHERD_FIELD(sherd_scene_appearance, kind, member, __VA_ARGS__)
#define APPEARANCE .maps = SHERD_MAP_APPEARANCE
#define INNER .maps = SHERD_MAP_INNER
#define NOT_PHYSICS .flags = SHERD_FIELD_NOT_PHYSICS
#define UNSET .flags = SHERD_FIELD_NOT_PHYSICS | SHERD_FIELD_UNSET, .initial = {NAN}
#define ROUGH .range = SHERD_BETWEEN(0.001, 1.0)
#define FRACTION .range = SHERD_UNIT_INTERVAL

static const sherd_field FIELDS[] = {
    FIELD(CHOICE, outer.texture, .choice = texture_word, APPEARANCE, NOT_PHYSICS,
          .doc = "kind of texture"),
    FIELD(REAL, size, .quantity = SHERD_QUANTITY_LENGTH, .range = SHERD_POSITIVE, APPEARANCE,
          .flags = SHERD_FIELD_NOT_PHYSICS | SHERD_FIELD_UNSET, .usual = "by the body's size",
          .doc = "size of the texture's features; of an `image` without texture coordinates, its "
                 "width"),
    FIELD(REAL, contrast, .initial = {1.0}, .range = SHERD_BETWEEN(0.0, 4.0), APPEARANCE,
          NOT_PHYSICS, .doc = "strength of the pattern: 0 none, 1 realistic"),
    FIELD(UINT64, seed, APPEARANCE, NOT_PHYSICS, .doc = "random seed of the texture"),
    FIELD(VECTOR, grain, .quantity = SHERD_QUANTITY_NUMBER, APPEARANCE, NOT_PHYSICS,
          .usual = "the material's `grain`, or x",
          .doc = "direction of fibres or brush marks, in the body's or obstacle's frame, of any "
                 "length but 0"),
    FIELD(REAL, grains, .quantity = SHERD_QUANTITY_LENGTH, .range = SHERD_AT_LEAST(0.0), APPEARANCE,
          NOT_PHYSICS,
          .doc =
              "`loose` bodies: draws each element as grains at random places around it, with this"
              " diameter at most and half of it at least. 0: elements are drawn as balls"),
    FIELD(TEXT, image, APPEARANCE, NOT_PHYSICS, .values = "a path", .usual = "none",
          .doc = "PNG or JPEG file on the outer surface, mapped by the mesh's texture coordinates "
                 "or, without them, along the axes; multiplied by `color`, by default white"),
    FIELD(OTHER, picture, NOT_PHYSICS, .doc = "the image of the file"),
    FIELD(BOOLEAN, has_texture, NOT_PHYSICS, .doc = "the scene gives one"),
    FIELD(BOOLEAN, has_roughness, NOT_PHYSICS, .doc = "the scene gives it"),
    FIELD(BOOLEAN, has_metal, NOT_PHYSICS, .doc = "the scene gives it"),
    FIELD(REAL, outer.roughness, ROUGH, UNSET, APPEARANCE, .usual = "the texture's",
          .doc = "roughness of the gloss: 0.001 a mirror, 1 dull"),
    FIELD(REAL, outer.coat, FRACTION, UNSET, APPEARANCE, .usual = "the texture's",
          .doc = "strength of the glossy coat: 0 none, 1 a glaze"),
    FIELD(REAL, outer.metal, FRACTION, UNSET, APPEARANCE, .usual = "the texture's",
          .doc = "1: bare metal of that `color`"),
    {.key = "inner",
     APPEARANCE,
     .values = "map",
     .usual = "by the texture",
     .doc = "look of broken faces, below"},
    FIELD(CHOICE, inner.texture, .choice = texture_word, INNER, NOT_PHYSICS,
          .usual = "as outside; below `glaze`, `ceramic`", .doc = "texture of broken faces"),
    FIELD(BOOLEAN, has_inner_color, NOT_PHYSICS, .doc = "the scene gives it"),
    FIELD(COLOR, inner_color, .key = "color", FRACTION, INNER, NOT_PHYSICS,
          .usual = "the body's, a little paler", .doc = "colour of broken faces"),
    FIELD(REAL, inner.roughness, ROUGH, UNSET, INNER, .usual = "rougher than outside",
          .doc = "roughness of their gloss"),
    FIELD(REAL, inner.coat, FRACTION, UNSET, INNER, .usual = "a tenth of the outside's",
          .doc = "strength of their glossy coat"),
    FIELD(REAL, inner.metal, FRACTION, UNSET, INNER, .usual = "the texture's",
          .doc = "1: bare metal"),
};

const sherd_definition *sherd_scene_appearance_fields(void)
{
    static const sherd_definition DEFINITION = SHERD_DEFINITION(sherd_scene_appearance, FIELDS);
    return &DEFINITION;
}

const sherd_scene_map sherd_map_appearance = {
    "appearance", {{sherd_scene_appearance_fields, SHERD_MAP_APPEARANCE, 0}}};
const sherd_scene_map sherd_map_inner = {"inner",
                                         {{sherd_scene_appearance_fields, SHERD_MAP_INNER, 0}}};

static void read_image(sherd_scene_reader *reader, const sherd_node *node,
                       sherd_scene_appearance *appearance)
{
    if (appearance->image == NULL) return; // not a text, as reported
    const char *path = sherd_reader_path(reader, appearance->image);
    sherd_texture_link *link = sherd_arena_alloc(reader->arena, 1, sizeof *link);
    if (path == NULL || link == NULL) return;
    sherd_error error;
    link->image = sherd_texture_image_read(path, &error);
    if (link->image == NULL) {
        sherd_reader_fail(reader, node, error.hint, "%.120s: %s", appearance->image, error.what);
        return;
    }
    link->next = reader->scene->storage->textures;
    reader->scene->storage->textures = link;
    appearance->picture = link->image;
}

static void complete_side(sherd_scene_face *side, double roughness, double coat)
{
    sherd_texture_look look = sherd_texture_describe(side->texture);
    if (isnan(side->roughness)) side->roughness = roughness;
    if (isnan(side->coat)) side->coat = coat;
    if (isnan(side->metal)) side->metal = look.metal;
}

// Cracks are rough and have no glaze.
static void complete(sherd_scene_appearance *appearance)
{
    sherd_texture_look outer = sherd_texture_describe(appearance->outer.texture);
    complete_side(&appearance->outer, outer.roughness, outer.coat);
    complete_side(&appearance->inner, fmin(0.65 + 0.35 * appearance->outer.roughness, 1.0),
                  0.1 * appearance->outer.coat);
}

void sherd_appearance_set_initial(sherd_scene_appearance *appearance)
{
    sherd_fields_set_initial(sherd_scene_appearance_fields(), appearance);
    appearance->image = NULL;
    appearance->picture = NULL;
    complete(appearance);
}

void sherd_read_appearance(sherd_scene_reader *reader, const sherd_node *node,
                           sherd_scene_appearance *appearance)
{
    sherd_fields_set_initial(sherd_scene_appearance_fields(), appearance);
    if (sherd_read_map(reader, node, &sherd_map_appearance, NULL, appearance)) {
        const sherd_node *inner = sherd_node_find(node, "inner");
        const sherd_node *texture = NULL, *image = sherd_node_find(node, "image");
        if (inner != NULL && sherd_read_map(reader, inner, &sherd_map_inner, NULL, appearance)) {
            texture = sherd_node_find(inner, "texture");
            appearance->has_inner_color = sherd_node_find(inner, "color") != NULL;
        }
        if (texture == NULL)
            appearance->inner.texture = sherd_texture_describe(appearance->outer.texture).inner;
        if (image != NULL) read_image(reader, image, appearance);
        appearance->has_texture = image != NULL || sherd_node_find(node, "texture") != NULL;
        appearance->has_roughness = sherd_node_find(node, "roughness") != NULL;
        appearance->has_metal = sherd_node_find(node, "metal") != NULL;
    }
    complete(appearance);
}

bool sherd_appearance_has_color(const sherd_scene_appearance *appearance)
{
    return appearance->outer.texture != SHERD_TEXTURE_PLAIN || appearance->picture != NULL;
}

sherd_vec3 sherd_appearance_usual_color(const sherd_scene_appearance *appearance)
{
    if (appearance->picture != NULL) return (sherd_vec3){1.0, 1.0, 1.0};
    uint32_t color = sherd_texture_describe(appearance->outer.texture).color;
    return (sherd_vec3){(color >> 16 & 255u) / 255.0, (color >> 8 & 255u) / 255.0,
                        (color & 255u) / 255.0};
}

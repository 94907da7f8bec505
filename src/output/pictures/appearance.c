#include "output/pictures/appearance.h"

#include "geometry/shape/shape_display_mesh.h"

#include <math.h>

sherd_color sherd_appearance_color(sherd_vec3 c)
{
    uint32_t r = (uint32_t)(255.0 * c.x + 0.5), g = (uint32_t)(255.0 * c.y + 0.5),
             b = (uint32_t)(255.0 * c.z + 0.5);
    return sherd_color_srgb(r << 16 | g << 8 | b);
}

static sherd_color mix(sherd_color a, sherd_color b, float t)
{
    return (sherd_color){a.r + t * (b.r - a.r), a.g + t * (b.g - a.g), a.b + t * (b.b - a.b)};
}

bool sherd_appearance_is_glass(const sherd_scene *scene, int body)
{
    return scene->materials[scene->bodies[body].material].opacity < 0.999;
}

// Mean diameter of the elements, for a body without a shape.
static double smallest_extent(const sherd_scene_body *body)
{
    if (body->shape == NULL) return 0.0;
    sherd_bounds b = sherd_shape_bounds(body->shape);
    sherd_vec3 size = {b.high.x - b.low.x, b.high.y - b.low.y, b.high.z - b.low.z};
    return fmin(size.x, fmin(size.y, size.z));
}

void sherd_appearance_set_glass(const sherd_scene *scene, int body, sherd_render_material *look)
{
    const double polished = 0.01,
                 broken = 0.12; // roughness: shell-like fracture surfaces are nearly smooth
    const sherd_scene_material *material = &scene->materials[scene->bodies[body].material];
    double depth = material->color_depth;
    if (depth <= 0.0) depth = smallest_extent(&scene->bodies[body]);
    look->surface = SHERD_RENDER_GLASS;
    look->outer_roughness = polished;
    look->inner_roughness = broken;
    look->refractive_index = material->refractive_index;
    look->absorption = sherd_render_absorption(look->outer_color, depth);
}

static const sherd_scene_appearance *appearance_of(const sherd_scene *scene, int body)
{
    return &scene->materials[scene->bodies[body].material].appearance;
}

const sherd_texture_image *sherd_appearance_picture(const sherd_scene *scene, int body)
{
    return scene->bodies[body].loose ? NULL : appearance_of(scene, body)->picture;
}

// Bodies of the same kind get the same texture scale whatever their size, unless the scene sets it.
// Planes and bodies without a shape count as a cube of 1 m.
static double texture_size(const sherd_scene_appearance *appearance, const sherd_scene_face *face,
                           const sherd_shape *shape)
{
    if (appearance->size > 0.0) return appearance->size;
    double share = sherd_texture_describe(face->texture).share, extent = 1.0;
    if (shape != NULL) {
        sherd_bounds box = sherd_shape_bounds(shape);
        extent =
            cbrt((box.high.x - box.low.x) * (box.high.y - box.low.y) * (box.high.z - box.low.z));
    }
    return isfinite(extent) && extent > 0.0 ? share * extent : share;
}

// Paler, because broken faces scatter light from many small cracks.
static sherd_color paler(sherd_color c)
{
    float grey = 0.2126f * c.r + 0.7152f * c.g + 0.0722f * c.b;
    float light = grey + 0.12f * (1.0f - grey);
    return mix(c, (sherd_color){light, light, light}, 0.25f);
}

sherd_color sherd_appearance_broken(const sherd_scene *scene, int body, sherd_color outer)
{
    const sherd_scene_appearance *appearance = appearance_of(scene, body);
    sherd_texture_kind outside = appearance->outer.texture, inside = appearance->inner.texture;
    if (appearance->has_inner_color) return sherd_appearance_color(appearance->inner_color);
    if (scene->bodies[body].is_yarn) return outer;
    if (sherd_appearance_is_glass(scene, body)) return mix(outer, sherd_color_srgb(0xffffff), 0.8f);
    sherd_color clay = sherd_color_srgb(0xb98a63);
    if (outside == SHERD_TEXTURE_GLAZE && inside == SHERD_TEXTURE_CERAMIC)
        return mix(outer, clay, 0.75f);
    // The interior of a pictured surface has no known colour.
    if (inside == outside && appearance->picture == NULL)
        return inside == SHERD_TEXTURE_PLAIN ? paler(outer) : outer;
    return sherd_color_srgb(sherd_texture_describe(inside).color);
}

// Everything except the colours.
static sherd_render_material look_of(const sherd_scene_appearance *appearance,
                                     const sherd_shape *shape, sherd_vec3 grain)
{
    sherd_render_material look = sherd_render_material_default();
    look.outer_roughness = appearance->outer.roughness;
    look.inner_roughness = appearance->inner.roughness;
    look.outer_coat = appearance->outer.coat, look.inner_coat = appearance->inner.coat;
    look.outer_metal = appearance->outer.metal, look.inner_metal = appearance->inner.metal;
    sherd_vec3 own = appearance->grain;
    if (own.x != 0.0 || own.y != 0.0 || own.z != 0.0) grain = own;
    look.outer_texture = look.inner_texture =
        (sherd_texture){.grain = grain, .contrast = appearance->contrast, .seed = appearance->seed};
    look.outer_texture.kind = appearance->outer.texture;
    look.inner_texture.kind = appearance->inner.texture;
    look.outer_texture.image = appearance->picture;
    look.outer_texture.size = texture_size(appearance, &appearance->outer, shape);
    look.inner_texture.size = texture_size(appearance, &appearance->inner, shape);
    return look;
}

sherd_render_material sherd_appearance_obstacle_look(const sherd_scene_obstacle *o)
{
    sherd_render_material look = sherd_render_material_default();
    look.outer_roughness = 0.35;
    if (o->has_appearance)
        look = look_of(&o->appearance, o->def.shape, (sherd_vec3){0.0, 0.0, 0.0});
    look.outer_color = look.inner_color = sherd_appearance_color(o->color);
    return look;
}

sherd_render_material sherd_appearance_look(const sherd_scene *scene, int body, sherd_color outer)
{
    const sherd_scene_body *b = &scene->bodies[body];
    sherd_render_material look = look_of(appearance_of(scene, body), b->shape,
                                         scene->materials[b->material].def.grain_direction);
    look.outer_color = outer;
    look.inner_color = sherd_appearance_broken(scene, body, outer);
    if (b->is_yarn) look.outer_coat = look.inner_coat; // fibres are matt
    if (sherd_appearance_is_glass(scene, body)) sherd_appearance_set_glass(scene, body, &look);
    return look;
}

static sherd_surface_kind surface_kind(const sherd_scene_body *body)
{
    if (body->is_yarn) return SHERD_SURFACE_YARNS;
    // Walls of several layers are thick enough to be meshed as solids.
    bool sheet = body->packing.kind == SHERD_PACKING_SHELL && body->packing.layers <= 1;
    return sheet && !body->loose ? SHERD_SURFACE_SHEET : SHERD_SURFACE_SOLID;
}

sherd_surface_def sherd_appearance_surface(const sherd_scene *scene, const sherd_run_model *model,
                                           sherd_surface_body *bodies)
{
    for (int b = 0; b < model->body_count; ++b)
        bodies[b] = (sherd_surface_body){
            .shape = scene->bodies[b].loose ? NULL : scene->bodies[b].shape,
            .first = model->bodies[b].first,
            .count = model->bodies[b].count,
            .kind = surface_kind(&scene->bodies[b]),
            .tetra = model->tetras != NULL ? model->tetras[b] : NULL,
            .wall_count = scene->bodies[b].is_fractured ? scene->bodies[b].fracture.wall_count : 0,
            .walls = scene->bodies[b].fracture.walls};
    sherd_surface_def def = sherd_surface_def_default();
    def.body_count = model->body_count;
    def.bodies = bodies;
    def.element_count = model->element_count;
    def.rest_x = model->rest_x, def.rest_y = model->rest_y, def.rest_z = model->rest_z;
    def.radius = model->radius;
    def.bond_count = model->bond_count;
    def.bond_i = model->bond_i, def.bond_j = model->bond_j;
    def.method = scene->output.surface.method;
    def.cell_size = scene->output.surface.cell_size;
    def.smoothing = scene->output.surface.smoothing;
    def.chips = scene->output.surface.chips;
    def.crack_gap = scene->output.surface.crack_gap;
    def.inner_uv_scale = scene->output.surface.inner_uv_scale;
    def.roughness = scene->output.surface.roughness;
    return def;
}

void sherd_appearance_coarsen(const sherd_scene *scene, sherd_surface_def *def)
{
    // Colours that show numbers are those of vertices.
    bool colors = scene->output.render.color_by != SHERD_SCENE_COLOR_MATERIAL;
    // Cells twice as wide as usual make a half to a third of the triangles. Along walls drawn into
    // bodies they would miss corners.
    if (!colors) def->outer_edge = 2.0;
    for (int b = 0; b < def->body_count; ++b)
        if (def->bodies[b].wall_count > 0) return;
    bool cut = def->method == SHERD_SURFACE_AUTO || def->method == SHERD_SURFACE_CUT;
    double usual = def->cell_size > 0.0 ? def->cell_size : cut ? 1.0 : 0.75;
    def->cell_size = fmin(2.0 * usual, SHERD_SURFACE_CELL_MOST);
}

sherd_mesh *sherd_appearance_obstacle_mesh(const sherd_scene_obstacle *o, sherd_error *error)
{
    *error = (sherd_error){.status = SHERD_OK};
    if (o->def.is_plane || !o->visible) return NULL;
    sherd_bounds b = sherd_shape_bounds(o->def.shape);
    double size = hypot(hypot(b.high.x - b.low.x, b.high.y - b.low.y), b.high.z - b.low.z);
    return sherd_shape_display_mesh(o->def.shape, size / 40.0, error); // fine enough to look round
}

#include "output/pictures/group_appearance.h"

#include <math.h>
#include <stdlib.h>

sherd_look_keys sherd_body_look_keys(const sherd_scene *scene, int body)
{
    const sherd_scene_body *b = &scene->bodies[body];
    const sherd_scene_material *material = &scene->materials[b->material];
    const sherd_scene_appearance *appearance = &material->appearance;
    return (sherd_look_keys){b->has_color || material->has_color, appearance->has_texture,
                             appearance->has_roughness, appearance->has_metal};
}

sherd_look_keys sherd_obstacle_look_keys(const sherd_scene_obstacle *o)
{
    if (!o->has_appearance) return (sherd_look_keys){.color = o->has_color};
    return (sherd_look_keys){o->has_color, o->appearance.has_texture, o->appearance.has_roughness,
                             o->appearance.has_metal};
}

// A texture of the scene overrides the group's colour, roughness and metallic value.
sherd_group_look sherd_group_look_of(const sherd_scene_group *group, sherd_look_keys keys,
                                     const sherd_group_look *whole)
{
    const double smoothest = 1e-3;
    const sherd_mesh_material *file = &group->look;
    sherd_group_look look = *whole;
    bool colored = !keys.color && !keys.texture;
    if (colored && !isnan(file->color[0]))
        look.color = (sherd_color){file->color[0], file->color[1], file->color[2]};
    if (colored && group->picture != NULL) look.picture = group->picture;
    if (!keys.roughness && !keys.texture && !isnan(file->roughness))
        look.roughness = fmax((double)file->roughness, smoothest);
    if (!keys.metal && !keys.texture && !isnan(file->metal)) look.metal = (double)file->metal;
    if (!isnan(file->opacity)) look.opacity = (double)file->opacity;
    return look;
}

sherd_render_group *sherd_group_looks(const sherd_scene_group *groups, int count,
                                      sherd_look_keys keys, const sherd_render_material *whole)
{
    const sherd_group_look outside = {whole->outer_color, whole->outer_roughness,
                                      whole->outer_metal, 1.0, whole->outer_texture.image};
    sherd_render_group *looks = calloc((size_t)count + 1, sizeof *looks);
    for (int g = 0; looks != NULL && g < count; ++g) {
        sherd_group_look look = sherd_group_look_of(&groups[g], keys, &outside);
        looks[g] =
            (sherd_render_group){look.color, look.roughness, look.metal, whole->outer_texture};
        looks[g].texture.image = look.picture;
    }
    return looks;
}

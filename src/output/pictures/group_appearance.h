// Looks of a mesh's material groups: those of the mesh file, unless keys of the scene override
// them.
#pragma once

#include <sherd/render.h>
#include <sherd/scene.h>

// Looks set by the scene, which override those of groups.
typedef struct sherd_look_keys {
    bool color, texture, roughness, metal;
} sherd_look_keys;

sherd_look_keys sherd_body_look_keys(const sherd_scene *scene, int body);
sherd_look_keys sherd_obstacle_look_keys(const sherd_scene_obstacle *obstacle);

typedef struct sherd_group_look {
    sherd_color color; // linear
    double roughness, metal, opacity;
    const sherd_texture_image *picture; // picture on its surface; NULL: none
} sherd_group_look;

// `whole`: look of the whole body or obstacle.
sherd_group_look sherd_group_look_of(const sherd_scene_group *group, sherd_look_keys keys,
                                     const sherd_group_look *whole);

// Looks for pictures (count), owned; NULL if memory is short. Borrows the scene's pictures.
sherd_render_group *sherd_group_looks(const sherd_scene_group *groups, int count,
                                      sherd_look_keys keys, const sherd_render_material *whole);

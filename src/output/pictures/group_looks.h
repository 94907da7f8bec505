// What a mesh's material groups look like: as its file says, where no key of the scene does.
#pragma once

#include <sherd/render.h>
#include <sherd/scene.h>

// What the scene gives of the whole, and groups of the file can't change.
typedef struct sherd_look_keys {
    bool color, texture, roughness, metal;
} sherd_look_keys;

sherd_look_keys sherd_body_look_keys(const sherd_scene *scene, int body);
sherd_look_keys sherd_obstacle_look_keys(const sherd_scene_obstacle *obstacle);

typedef struct sherd_group_look {
    sherd_color color; // linear
    double roughness, metal, opacity;
    const sherd_texture_image *picture; // laid on it; NULL: none is
} sherd_group_look;

// `whole`: the body's or obstacle's own look.
sherd_group_look sherd_group_look_of(const sherd_scene_group *group, sherd_look_keys keys,
                                     const sherd_group_look *whole);

// Owned looks for pictures (count), NULL when memory is short. Borrows the scene's pictures.
sherd_render_group *sherd_group_looks(const sherd_scene_group *groups, int count,
                                      sherd_look_keys keys, const sherd_render_material *whole);

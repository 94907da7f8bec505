// Appearance of a scene's objects: colours and shapes that pictures and exported animations share.
#pragma once

#include <sherd/mesh.h>
#include <sherd/render.h>
#include <sherd/run_file.h>
#include <sherd/scene.h>
#include <sherd/surface.h>

// Linear colour of a scene's sRGB colour.
sherd_color sherd_appearance_color(sherd_vec3 srgb);

// True if the body is at least a little transparent.
bool sherd_appearance_is_glass(const sherd_scene *scene, int body);

// Sets the glass of a body's material, clear outside and slightly rough on broken faces.
// look->outer_color is the transmittance over its colour's depth.
void sherd_appearance_set_glass(const sherd_scene *scene, int body, sherd_render_material *look);

// Default colour of broken faces, unless the material sets one: slightly paler than outside; glass
// is frosted, fibres have one colour throughout, clay appears below a glaze.
sherd_color sherd_appearance_broken(const sherd_scene *scene, int body, sherd_color outer);

// Picture on the body's outer surface, multiplied by its colour; NULL: none, as for loose grains.
const sherd_texture_image *sherd_appearance_picture(const sherd_scene *scene, int body);

// The complete look for pictures. Borrows the scene's textures.
sherd_render_material sherd_appearance_look(const sherd_scene *scene, int body, sherd_color outer);

sherd_render_material sherd_appearance_obstacle_look(const sherd_scene_obstacle *obstacle);

// Definition of the surfaces of a run's fragments. Fills and borrows `bodies` (model->body_count).
sherd_surface_def sherd_appearance_surface(const sherd_scene *scene, const sherd_run_model *model,
                                           sherd_surface_body *bodies);

// Makes surfaces coarser, for previews.
void sherd_appearance_coarsen(const sherd_scene *scene, sherd_surface_def *def);

// An obstacle's mesh in its own frame of reference; NULL without an error for planes and hidden
// obstacles.
sherd_mesh *sherd_appearance_obstacle_mesh(const sherd_scene_obstacle *obstacle,
                                           sherd_error *error);

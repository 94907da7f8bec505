// How a scene's things look: colours and shapes that pictures and exported animations share.
#pragma once

#include <sherd/mesh.h>
#include <sherd/render.h>
#include <sherd/run_file.h>
#include <sherd/scene.h>
#include <sherd/surface.h>

// Linear colour of a scene's sRGB colour.
sherd_color sherd_appearance_color(sherd_vec3 srgb);

// Seen through, at least a little.
bool sherd_appearance_is_glass(const sherd_scene *scene, int body);

// Makes it the glass of a body's material, clear outside and a little rough where it broke; look->outer_color is what
// is left of light behind its colour's depth.
void sherd_appearance_set_glass(const sherd_scene *scene, int body, sherd_render_material *look);

// Broken faces of a body of this outer colour, unless its material gives another: a little paler; glass is frosted,
// fibres are of one colour throughout, below a glaze there is clay.
sherd_color sherd_appearance_broken(const sherd_scene *scene, int body, sherd_color outer);

// Laid on its outside, times its colour; NULL: none is, as on loose grains.
const sherd_texture_image *sherd_appearance_picture(const sherd_scene *scene, int body);

// All of it, for pictures. Borrows the scene's textures.
sherd_render_material sherd_appearance_look(const sherd_scene *scene, int body, sherd_color outer);

sherd_render_material sherd_appearance_obstacle_look(const sherd_scene_obstacle *obstacle);

// How a run's fragments are meshed. `bodies` (model->body_count) is filled and borrowed.
sherd_surface_def sherd_appearance_surface(const sherd_scene *scene, const sherd_run_model *model,
                                           sherd_surface_body *bodies);

// An obstacle's surface in its own frame, for planes and hidden ones NULL without an error.
sherd_mesh *sherd_appearance_obstacle_mesh(const sherd_scene_obstacle *obstacle,
                                           sherd_error *error);

// Readers of a scene file's sections. Each fills its part of reader->scene and reports every error.
#pragma once

#include "scene/read/reader.h"

// Memory of the scene. Shapes and weaknesses are stored in lists; everything else is in the arena.
typedef struct sherd_shape_link {
    sherd_shape *shape;
    struct sherd_shape_link *next;
} sherd_shape_link;

typedef struct sherd_weakness_link {
    sherd_weakness *weakness;
    struct sherd_weakness_link *next;
} sherd_weakness_link;

typedef struct sherd_texture_link {
    sherd_texture_image *image;
    struct sherd_texture_link *next;
} sherd_texture_link;

struct sherd_scene_storage {
    sherd_arena arena;
    sherd_shape_link *shapes;
    sherd_weakness_link *weaknesses;
    sherd_texture_link *textures;
    const sherd_node *root; // the file with its variant and overrides, for places in later messages
};

// Maps of a scene.
extern const sherd_scene_map sherd_map_scene, sherd_map_solver, sherd_map_material, sherd_map_grain,
    sherd_map_body, sherd_map_obstacle, sherd_map_free, sherd_map_motion, sherd_map_driver,
    sherd_map_output, sherd_map_surface, sherd_map_roughness, sherd_map_render, sherd_map_camera,
    sherd_map_clip, sherd_map_sky, sherd_map_camera_key, sherd_map_lamp, sherd_map_dust,
    sherd_map_debris, sherd_map_appearance, sherd_map_inner, sherd_map_wind, sherd_map_blast,
    sherd_map_pressure;

// Keys that name a shape: NULL-terminated.
extern const char *const sherd_shape_keys[];
// Reports that none of them is present; `others` are further permitted keys, "plane, ".
void sherd_reader_fail_no_shape(sherd_scene_reader *reader, const sherd_node *map,
                                const char *others);

// A mesh file's shape, not yet the scene's. NULL with an error.
sherd_shape *sherd_read_mesh(sherd_scene_reader *reader, const sherd_node *node);
// Notes what a mesh's reader had to leave out, and stores what its file says of its groups in
// reader->groups.
void sherd_keep_groups(sherd_scene_reader *reader, const sherd_node *node, const sherd_mesh *mesh);
// Returns and clears the groups of the shape read last. NULL if it is not a single mesh, or its
// file has no groups.
const sherd_scene_group *sherd_take_groups(sherd_scene_reader *reader, int *count);
// Reads the one shape key of `map`; other keys are left to the caller. The scene owns the result. NULL with an error.
// reader->shape_digest is that of the shape afterwards.
sherd_shape *sherd_read_shape(sherd_scene_reader *reader, const sherd_node *map);
// The same for a node with only a shape and its placement: checks all keys.
sherd_shape *sherd_read_placed_shape(sherd_scene_reader *reader, const sherd_node *node);
// Transfers a shape to the scene. NULL stays NULL; when out of memory the shape is freed.
sherd_shape *sherd_adopt_shape(sherd_scene_reader *reader, sherd_shape *shape);

// `motion: {...}`; `pivot` is the default pivot.
void sherd_read_motion(sherd_scene_reader *reader, const sherd_node *node, sherd_vec3 pivot,
                       sherd_motion *motion);

// The models of material points, for hints.
#define SHERD_POINT_MODELS "corotated, neo_hookean, hencky, snow, sand, fluid, phase_field or nacc"
void sherd_read_materials(sherd_scene_reader *reader, const sherd_node *root);
// `like: NAME` of a material, if present: adds the library's keys. Returns false with an error.
bool sherd_read_like(sherd_scene_reader *reader, sherd_node *material);
// Returns whether a material's key has a meaning for bodies of this model.
bool sherd_material_key_counts(const char *key, sherd_solid_model model);
// Finds parts of a union that only touch, and stores them for the body being read.
void sherd_find_seams(sherd_scene_reader *reader, const sherd_node *list,
                      sherd_shape *const *parts);
// Gives the scene the seams of this body's shape.
void sherd_assign_seams(sherd_scene_reader *reader, int body);
// Adds "path=value" to the settings recorded with the scene.
void sherd_scene_keep_setting(sherd_scene_reader *reader, const char *setting);
// `appearance: {...}` of a material or an obstacle, and that of one without; whether it has a colour of its
// own, and which, for those that give none.
void sherd_read_appearance(sherd_scene_reader *reader, const sherd_node *node,
                           sherd_scene_appearance *appearance);
void sherd_appearance_set_initial(sherd_scene_appearance *appearance);
bool sherd_appearance_has_color(const sherd_scene_appearance *appearance);
sherd_vec3 sherd_appearance_usual_color(const sherd_scene_appearance *appearance);
// `yarn: {...}` of a body.
void sherd_read_yarn(sherd_scene_reader *reader, const sherd_node *node, sherd_yarn_def *def);
// Returns whether a known kind of packing is present; reports an error otherwise.
bool sherd_names_packing(const sherd_node *node);
void sherd_read_packing(sherd_scene_reader *reader, const sherd_node *node, sherd_packing_def *def);
// `random: {...}` and `tetra: {...}` of a packing: keys that their rows don't read.
void sherd_read_packing_random(sherd_scene_reader *reader, const sherd_node *node,
                               sherd_packing_def *def);
void sherd_read_tetra(sherd_scene_reader *reader, const sherd_node *node, sherd_packing_def *def);
// The mesh file of a body's tetra packing: its digest and, where the body has no shape, its surface.
void sherd_read_tetra_mesh(sherd_scene_reader *reader, const sherd_node *packing,
                           sherd_scene_body *body);
// The body's `weakness: [...]`, after its shape.
void sherd_read_weakness(sherd_scene_reader *reader, const sherd_node *body_node,
                         sherd_scene_body *body);
// The body's `fracture: {...}`, after its packing.
void sherd_read_fracture(sherd_scene_reader *reader, const sherd_node *body_node,
                         sherd_scene_body *body);
// Reads a map of one separating pattern, `voronoi` or `cut`; the scene owns it. NULL with an error.
sherd_weakness *sherd_read_wall(sherd_scene_reader *reader, const sherd_node *node,
                                uint64_t *digest);
void sherd_read_bodies(sherd_scene_reader *reader, const sherd_node *root);
// After bodies: each body of a material to be calibrated gets a copy of its own.
void sherd_split_calibrated(sherd_scene_reader *reader);
void sherd_read_obstacles(sherd_scene_reader *reader, const sherd_node *root);
void sherd_read_drivers(sherd_scene_reader *reader, const sherd_node *root);
// After obstacles and drivers; regions become drivers that prescribe nothing.
void sherd_read_probes(sherd_scene_reader *reader, const sherd_node *root);
// Obstacles, drivers and probes share one set of names: reports an error if `name` is in use
// already.
void sherd_check_probe_name(sherd_scene_reader *reader, const sherd_node *node, const char *name);
void sherd_read_output(sherd_scene_reader *reader, const sherd_node *root);
// Of the map `render`: what light and camera there are.
void sherd_read_camera(sherd_scene_reader *reader, const sherd_node *node,
                       sherd_scene_output *output);
void sherd_read_sky(sherd_scene_reader *reader, const sherd_node *node, const char *const *words,
                    sherd_scene_output *output);
void sherd_read_lamps(sherd_scene_reader *reader, const sherd_node *node,
                      sherd_scene_output *output);
void sherd_read_solver(sherd_scene_reader *reader, const sherd_node *root);

// The index of a named body, or -1 with an error and a suggestion.
int sherd_find_body(sherd_scene_reader *reader, const sherd_node *name);

// Hash of all data that influence the physics.
uint64_t sherd_scene_physics_digest(const sherd_scene *scene);

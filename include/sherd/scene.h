// Scene files: YAML text into definitions, every error located.                    docs/reference/scene.md
//
//     sherd_diagnostics diagnostics = {0};
//     sherd_scene *scene = sherd_scene_load("scenes/plate.yaml", NULL, &diagnostics);
//     for (int k = 0; k < diagnostics.count; ++k) report(&diagnostics.errors[k]);
//     sherd_diagnostics_free(&diagnostics);
#pragma once

#include <sherd/body.h>
#include <sherd/calibrate.h>
#include <sherd/driver.h>
#include <sherd/fracture.h>
#include <sherd/obstacle.h>
#include <sherd/packing.h>
#include <sherd/surface.h>
#include <sherd/texture.h>
#include <sherd/weakness.h>
#include <sherd/world_def.h>
#include <sherd/yarn.h>

// ---------------------------------------------------------------- diagnostics

// Largest number of errors kept of one file; more are only counted.
enum { SHERD_DIAGNOSTICS_MAX = 100 };

// Every error found, in the order of reading. Zero-filled is empty and ready for use.
typedef struct sherd_diagnostics {
    int count;           // errors kept
    sherd_error *errors; // owned; where = "file:line:column  key.path"  (count)
    int dropped;         // errors beyond SHERD_DIAGNOSTICS_MAX, or beyond memory
} sherd_diagnostics;

// Frees the errors; the list is then empty and can be reused.
SHERD_API void sherd_diagnostics_free(sherd_diagnostics *diagnostics);

// ---------------------------------------------------------------- what a scene holds

// Raised whenever the same scene gets another digest; a run can't be resumed across that.
enum { SHERD_SCENE_DIGEST_VERSION = 5 };

// How faces look, see sherd_render_material.
typedef struct sherd_scene_face {
    // its texture
    sherd_texture_kind texture;
    double roughness, coat, metal; // [0, 1]
} sherd_scene_face;

// Appearance of a body in pictures.
typedef struct sherd_scene_appearance {
    // original surface, fracture faces
    sherd_scene_face outer, inner;
    bool has_texture, has_roughness, has_metal; // the scene gives them for the outside
    double size;                                // of features [m]; 0: by the body's size
    // of the texture, [0, 4]
    double contrast;
    // of the texture
    uint64_t seed;
    sherd_vec3 grain; // of the texture, in the rest frame, any length; 0: the material's
    double grains; // diameter of those that loose elements are drawn as [m]; 0: elements are balls
    const char *image;                  // as given, may be NULL
    const sherd_texture_image *picture; // what the file holds; owned by the scene
    bool has_inner_color;               // else it follows the outer one
    sherd_vec3 inner_color;             // sRGB
} sherd_scene_appearance;

// A material of a scene.
typedef struct sherd_scene_material {
    // def.name is the key in the file; moduli, strengths and what belongs to them are scaled
    sherd_material_def def;
    double stiffness_scale; // s of `def`, (0, 1], default 1: E s, strengths sqrt(s), same G_f
    sherd_vec3 color;       // sRGB, 0..1 each
    bool has_color;         // the scene gives it, or another texture than plain
    // in pictures
    sherd_scene_appearance appearance;
    double opacity; // (0, 1]; below 1 it is glass:
    // of glass, [1, 4]
    double refractive_index;
    double color_depth; // through which it has its colour [m]; 0: a body's smallest extent
    // def has the solid's values, not the bonds': the world gets what calibration makes of them.
    // Bodies then have a material each, of the same name.
    bool calibrate;
    double poissons_ratio;         // as given, else 0
    const char *where;             // "file:line:column  materials.NAME"
    const char *law_where;         // of `bond_law`, NULL: not given
    const char *restitution_where; // of `restitution`, NULL: not given, or by `like`
} sherd_scene_material;

// Two parts of a body's `union` that touch, share no volume, and are joined by no others: elements
// keep off both faces.
typedef struct sherd_scene_seam {
    // index into bodies
    int body;
    const char *where; // of the second part: "file:line:column  bodies.NAME.shape.union.K"
    int part, other;   // positions in the union, from 0
    sherd_vec3 at;     // where they touch, in the frame of the union [m]
} sherd_scene_seam;

// What a mesh's file says of one of its material groups; keys of the scene count more.
typedef struct sherd_scene_group {
    // of the group in the file
    const char *name;
    sherd_mesh_material look;           // not a number: as the body
    const sherd_texture_image *picture; // of its colour, NULL: none; owned by the scene
} sherd_scene_group;

// A body of a scene.
typedef struct sherd_scene_body {
    const char *name;         // unique among bodies
    const sherd_shape *shape; // in the body's rest frame; owned by the scene. NULL: made of yarns
    uint64_t shape_digest;    // of everything that makes the shape, mesh files' content included
    // how its shape is filled
    sherd_packing_def packing;
    bool is_yarn; // made of yarns: no shape, and `packing` does not count
    // its yarns, where is_yarn
    sherd_yarn_def yarn;
    bool loose;                   // granules: no bonds
    sherd_weakness_list weakness; // in the body's rest frame; owned by the scene
    uint64_t weakness_digest;     // of everything that makes it
    bool is_fractured;            // of material points in pieces that are glued:
    sherd_fracture_def fracture;  // walls and shape owned by the scene
    uint64_t fracture_digest;     // of walls and shape
    double bond_reach;            // largest gap bonded, as a share of the smaller radius
    int material;                 // index into materials
    // at time 0
    sherd_pose pose;
    sherd_vec3 velocity, angular_velocity; // [m/s], [rad/s] about the body's origin
    sherd_vec3 color;                      // sRGB; the material's unless given
    bool has_color;                        // the scene gives it
    int group_count;                       // 0 unless the shape is one mesh, whose file says more:
    const sherd_scene_group *groups;       // what its groups look like            (group_count)
    // "file:line:column bodies.NAME"
    const char *where;
} sherd_scene_body;

// Of material points, not of elements and bonds.
static inline bool sherd_scene_is_of_points(const sherd_scene_body *body)
{
    return !body->is_yarn && body->packing.kind == SHERD_PACKING_POINTS;
}

// Returns whether a body consists of finite elements.
static inline bool sherd_scene_is_of_tetrahedra(const sherd_scene_body *body)
{
    return !body->is_yarn && body->packing.kind == SHERD_PACKING_TETRA &&
           body->packing.tetra.model == SHERD_TETRA_FEM;
}

// An obstacle of a scene.
typedef struct sherd_scene_obstacle {
    sherd_obstacle_def def; // def.name is unique among obstacles, drivers and probes
    // of everything that makes the shape
    uint64_t shape_digest;
    sherd_vec3 color; // sRGB
    bool has_color;   // the scene gives it
    int group_count;  // as a body's
    // as a body's (group_count)
    const sherd_scene_group *groups;
    bool visible; // drawn in pictures
    // the scene gives one
    bool has_appearance;
    sherd_scene_appearance appearance; // where has_appearance
    // "file:line:column obstacles.NAME"
    const char *where;
} sherd_scene_obstacle;

// Also probes on regions, as drivers that prescribe nothing.
typedef struct sherd_scene_driver {
    sherd_driver_def def;  // def.region.body is left null: `body` says which
    uint64_t shape_digest; // of the region's shape
    int body;              // index into bodies, -1 = all
    // "file:line:column drivers.NAME"
    const char *where;
} sherd_scene_driver;

// A probe of a scene.
typedef struct sherd_scene_probe {
    // of the driver or obstacle
    const char *name;
    bool on_obstacle; // else on a driver
    int index;        // into obstacles or drivers
} sherd_scene_probe;

// Stresses are those of elements (sherd/stress.h), tension positive [Pa].
typedef enum sherd_scene_color_by {
    // the material's colour
    SHERD_SCENE_COLOR_MATERIAL = 0,
    // a colour for each fragment
    SHERD_SCENE_COLOR_FRAGMENT,
    SHERD_SCENE_COLOR_SPEED,            // [m/s]
    SHERD_SCENE_COLOR_STRESS_RATIO,     // largest stress over strength of an element's bonds
    SHERD_SCENE_COLOR_STRESS,           // von Mises
    SHERD_SCENE_COLOR_PRINCIPAL_STRESS, // the largest
    SHERD_SCENE_COLOR_MEAN_STRESS,      // of the principal ones: less the pressure
    // components of the stress, in world axes
    SHERD_SCENE_COLOR_STRESS_XX,
    SHERD_SCENE_COLOR_STRESS_YY,
    SHERD_SCENE_COLOR_STRESS_ZZ,
    SHERD_SCENE_COLOR_STRESS_XY,
    SHERD_SCENE_COLOR_STRESS_YZ,
    SHERD_SCENE_COLOR_STRESS_ZX,
} sherd_scene_color_by;

// Of the number that colours show, in its unit. Not fixed: as the values are.
typedef struct sherd_scene_range {
    bool fixed;       // default false
    double low, high; // low < high
} sherd_scene_range;

// Where the camera is at a time.
typedef struct sherd_scene_camera_key {
    double time; // [s]
    // [m]
    sherd_vec3 position, target;
    double fov;   // [rad]; 0: the camera's
    double focus; // [m]; 0: the camera's
} sherd_scene_camera_key;

// The camera of a scene.
typedef struct sherd_scene_camera {
    bool automatic;                     // frame everything; position and target are then unset
    sherd_vec3 position, target;        // [m]; of the first key, where there are keys
    double fov;                         // vertical opening angle [rad], default 35 degrees
    double aperture;                    // diameter of the lens [m], default 0: all is sharp
    double focus;                       // distance that is sharp [m], default 0: the target's
    int key_count;                      // 0: at rest
    const sherd_scene_camera_key *keys; // times increase (key_count)
} sherd_scene_camera;

// Surroundings in pictures.
typedef enum sherd_scene_sky_kind {
    // a studio
    SHERD_SCENE_SKY_STUDIO = 0,
    SHERD_SCENE_SKY_DARK, // lamps are all the light
    // a clear sky with a sun
    SHERD_SCENE_SKY_CLEAR,
    // a picture
    SHERD_SCENE_SKY_IMAGE,
} sherd_scene_sky_kind;

// What surrounds a scene in pictures.
typedef struct sherd_scene_sky {
    // default STUDIO
    sherd_scene_sky_kind kind;
    const char *image;                 // path of a Radiance picture, NULL: none
    double rotation;                   // of the picture about z [rad]
    double sun_azimuth, sun_elevation; // of a clear sky [rad], default 40 and 35 degrees
    double sun_size;                   // seen from here [rad], default 0.53 degrees
    double haze, brightness;           // factors, default 1
} sherd_scene_sky;

// See sherd_render_lamp.
typedef struct sherd_scene_lamp {
    sherd_vec3 position, target; // [m]
    double width, height;        // [m]
    sherd_vec3 color;            // sRGB, default white
    double brightness;           // radiance of white, default 5
} sherd_scene_lamp;

// Pictures leave out what lies on the normal's side of a plane.
typedef struct sherd_scene_clip {
    sherd_vec3 point;  // [m]
    sherd_vec3 normal; // default 0: nothing is left out
} sherd_scene_clip;

// Quality of pictures.
typedef enum sherd_scene_quality {
    SHERD_SCENE_QUALITY_AUTO = 0, // previews while a run is simulated, final pictures otherwise
    SHERD_SCENE_QUALITY_FINAL,    // SHERD_RENDER_FINAL
    SHERD_SCENE_QUALITY_PREVIEW   // SHERD_RENDER_PREVIEW
} sherd_scene_quality;

// How pictures are rendered.
typedef struct sherd_scene_render {
    bool enabled;      // default true
    int width, height; // [pixels], default 1280 x 720
    int samples;       // per pixel, default 16
    // default AUTO
    sherd_scene_quality quality;
    int exr;    // sherd_exr_pixels: layers beside each picture, default none
    bool video; // join the pictures to a video, default true
    // what colours show, default MATERIAL
    sherd_scene_color_by color_by;
    // of the number that colours show
    sherd_scene_range range;
    bool legend;           // of colours that show numbers, in pictures, default true
    sherd_vec3 background; // sRGB, default light grey
    // its camera
    sherd_scene_camera camera;
    // default: nothing is cut off
    sherd_scene_clip clip;
    // the surroundings
    sherd_scene_sky sky;
    // number of lamps
    int lamp_count;
    const sherd_scene_lamp *lamps; // (lamp_count)
    double exposure;               // factor on all light, default 1
    int bounces;                   // [0, 4], default 1
    double shutter; // share of the time between frames that it is open, default 0: nothing blurs
} sherd_scene_render;

// How fragments are meshed, see sherd_surface_def.
typedef struct sherd_scene_surface {
    bool enabled; // default true
    // default AUTO
    sherd_surface_method method;
    double inner_uv_scale;       // [m], default 0: the largest extent of each body
    double cell_size, smoothing; // [mean radii], default 0: as suits the method
    bool chips;                  // small and thin fragments are angular, default true
    double crack_gap;            // [mean radii], 0 to 1, default 0.03
    // of fracture faces
    sherd_surface_roughness roughness;
} sherd_scene_surface;

// Grains that fly off where bonds break, told from a run's record of breaks: they are in pictures
// and exports, not in the simulation.
typedef struct sherd_scene_dust {
    bool enabled;  // default false
    double amount; // grains of a bond that breaks, in the mean, default 12
    double size;   // diameter of the largest, the smallest have a quarter [m]; 0 (default): a
                   // quarter of the mean radius of a body's elements
    double energy; // share of what a bond sets free that its grains fly off with, default 0.002
    double drag;   // of air, in what Stokes' law says; 0: none; default 1
    uint64_t seed;
} sherd_scene_dust;

// Angular crumbs that are drawn in place of loose elements: they are in pictures and animations, not
// in the simulation.
typedef struct sherd_scene_debris {
    bool enabled;    // default true
    double exponent; // D of the number N(>r) ~ r^-D of crumbs larger than r [-], default 2.5
    int pieces;      // most crumbs of an element, 1 to 20, default 20
    int elements;    // fragments of up to so many elements are drawn as crumbs, default 2
    double smallest; // smaller crumbs are dust: diameter [m]; 0 (default): a fifth of the elements'
    uint64_t seed;   // another number gives other shapes and ways
} sherd_scene_debris;

// What a run writes.
typedef struct sherd_scene_output {
    double frame_rate; // frames per second of simulated time [Hz], default 480
    double probe_rate; // rows of probes.csv per second of simulated time [Hz], default frame_rate
    // meshes of fragments
    sherd_scene_surface surface;
    // grains from breaks
    sherd_scene_dust dust;
    // crumbs in place of loose elements
    sherd_scene_debris debris;
    bool stress;     // frames have the elements' stresses, default false
    bool bond_loads; // frames have the bonds' loads, default false
    bool contacts;   // frames have the contacts' forces, default false
    uint32_t meshes; // bit k: a run makes files of format k (<sherd/replay.h>); default glb only
    // pictures
    sherd_scene_render render;
} sherd_scene_output;

// A key of the map `solver:` that the file, its variant or a setting gives.
typedef struct sherd_scene_key {
    const char *key, *where; // "time_step", its place
} sherd_scene_key;

typedef struct sherd_scene_storage sherd_scene_storage; // what the scene owns; internal

// A scene. Read-only; owned by the caller with all it refers to. Free it with sherd_scene_destroy.
typedef struct sherd_scene {
    // of the scene
    const char *name;
    double duration;       // [s], > 0
    sherd_world_def world; // threads = 0
    // what a run writes
    sherd_scene_output output;
    // numbers of materials and so on
    int material_count, body_count, obstacle_count, driver_count, probe_count;
    sherd_scene_material *materials; // (material_count), in the order of the file
    sherd_scene_body *bodies;        // (body_count)
    sherd_scene_obstacle *obstacles; // (obstacle_count)
    sherd_scene_driver *drivers;     // (driver_count)
    sherd_scene_probe *probes;       // (probe_count)
    // number of solver keys
    int solver_key_count;
    sherd_scene_key *solver_keys; // (solver_key_count)
    // number of variants
    int variant_count;
    const char *const *variants; // names the file offers (variant_count)
    // Notes for the user that are no errors: "bodies.bunny.shape.mesh.file: bunny.obj was mended: 2
    // holes of at most 3.1 mm closed, 14 triangles turned".
    int note_count;
    const char *const *notes; // (note_count)
    // The same of what may well be meant otherwise, which sherd_scene_tell_warnings tells.
    int warning_count;
    const char *const *warnings; // (warning_count)
    int seam_count;
    const sherd_scene_seam *seams; // (seam_count)
    // The source of this scene: enough to load it again.
    const char *path;    // as given
    const char *variant; // chosen, or NULL
    int override_count;
    const char *const
        *overrides;   // "path=value"; behind those given, what `like` stands for  (override_count)
    const char *text; // complete source text (text_size), zero-terminated
    size_t text_size;
    uint64_t digest; // of everything that influences physics: equal digests, equal simulations.
                     // Names, colours, pictures, mesh formats and duration do not enter
    sherd_scene_storage *storage;
} sherd_scene;

// ---------------------------------------------------------------- loading

// How a scene file is changed while it is read.
typedef struct sherd_scene_options {
    const char *variant; // apply this entry of `variants:`; NULL = none
    // number of overrides
    int override_count;
    const char *const *overrides; // "path=value", applied after the variant  (override_count)
} sherd_scene_options;

// Reads a scene file; paths of mesh files are relative to its folder. Free the result with
// sherd_scene_destroy. NULL if at least one error was added to *diagnostics, which must not be
// NULL. `options` may be NULL.
SHERD_API sherd_scene *sherd_scene_load(const char *path, const sherd_scene_options *options,
                                        sherd_diagnostics *diagnostics);

// As sherd_scene_load, from memory (size). `name` replaces the path in messages and gives the
// folder of mesh files.
SHERD_API sherd_scene *sherd_scene_parse(const char *text, size_t size, const char *name,
                                         const sherd_scene_options *options,
                                         sherd_diagnostics *diagnostics);

// Destroys a scene. NULL is allowed.
SHERD_API void sherd_scene_destroy(sherd_scene *scene);

// Replaces the `where` of an error of the scene's world, as "scheme" or "glass.bond_law", by that
// key's place in the scene file, if the scene gives it.
SHERD_API void sherd_scene_locate(const sherd_scene *scene, sherd_error *error);

// ---------------------------------------------------------------- building

// A body's calibrated bonds.
typedef struct sherd_scene_calibration {
    int material, body; // indices into the scene's
    // the task
    sherd_calibration_def def;
    // its result
    sherd_calibration result;
    sherd_material_def bonds; // as given to the world
} sherd_scene_calibration;

// The results of sherd_scene_create_world, in the scene's order.
typedef struct sherd_scene_build {
    // number of bodies
    int body_count;
    // owned; bodies of the same shape and packing share one (body_count)
    sherd_packing **packings;
    // the first body with the same packing, itself if there is none before it, -1: the packing
    // belongs to another build (body_count)
    int *packed_with;
    // the world's ids of the scene's materials, bodies, obstacles and drivers
    sherd_material_id *material_ids;
    // (body_count)
    sherd_body_id *body_ids;
    sherd_body_bonds *body_bonds; // (body_count)
    // (obstacle_count) of the scene
    sherd_obstacle_id *obstacle_ids;
    // (driver_count of the scene)
    sherd_driver_id *driver_ids;
    // number of calibrations
    int calibration_count;
    sherd_scene_calibration *calibrations; // (calibration_count)
    // wall time of packing and of calibration [s]
    double packing_wall, calibration_wall;
} sherd_scene_build;

// Fills the shape of body number `body`, from 0. Free the result with sherd_packing_destroy. NULL
// with an error whose `where` is in the scene file.
SHERD_API sherd_packing *sherd_scene_pack_body(const sherd_scene *scene, int body, int threads,
                                               sherd_error *error);

// Returns the calibration that the material of body number `body` requests. The packing decides
// whether the body is a plate of few layers.
SHERD_API sherd_calibration_def sherd_scene_calibration_task(const sherd_scene *scene, int body,
                                                             const sherd_packing *packing);

// Packs every body, calibrates materials that ask for it (seconds each, unless the user's cache has
// them) and builds the world. The scene must outlive the world (obstacles' shapes are borrowed).
// `build` is filled on success and emptied on failure; free it with sherd_scene_build_free, at any
// time. NULL on failure, `where` pointing into the scene file.
SHERD_API sherd_world *sherd_scene_create_world(const sherd_scene *scene, int threads,
                                                sherd_scene_build *build, sherd_error *error);
// Frees a build's arrays. A zero-filled or emptied build is allowed.
SHERD_API void sherd_scene_build_free(sherd_scene_build *build);

// Preview pictures of a simulation: a small path tracer (Embree), colour maps, PNG and video.
//
//     sherd_render_scene scene = sherd_render_scene_default();
//     scene.spheres = &batch, scene.sphere_batch_count = 1;
//     scene.camera = sherd_camera_frame_bounds(bounds, 16.0 / 9.0);
//     sherd_image *image = sherd_render(&scene, &error);
//     sherd_image_write_png(image, "frame.png", &error);
//     sherd_image_destroy(image);
//
// All arrays are borrowed for the duration of a call and never changed. Colours in scenes are
// linear reflectances or radiances (Rec. 709 primaries); sherd_color_srgb makes them from screen
// colours.
#pragma once

#include <sherd/error.h>
#include <sherd/texture.h>
#include <sherd/types.h>

// Checks whether this build makes pictures. SHERD_ERROR_UNSUPPORTED in builds with
// -DSHERD_PICTURES=OFF, in which sherd_render and all functions that make images or layers fail alike.
SHERD_API sherd_status sherd_pictures_check(sherd_error *error);

// A colour, Rec. 709 primaries.
typedef struct sherd_color {
    float r, g, b; // linear, 0..1 for reflectances
} sherd_color;

// Returns the linear colour of a screen colour 0xRRGGBB.
SHERD_API sherd_color sherd_color_srgb(uint32_t rgb);
// Returns a colour of a perceptually uniform map from dark violet over red and orange to pale
// yellow. `t` is clamped to [0, 1]; NaN counts as 0. For stresses, speeds, ages.
SHERD_API sherd_color sherd_color_map(double t);
// Returns a colour for numbers of both signs: blue at -1, light grey at 0, red at 1, equally light
// at
// -t and t. `t` is clamped to [-1, 1]; NaN counts as 0.
SHERD_API sherd_color sherd_color_map_signed(double t);
// Returns well separated, equally bright colours for ids of fragments or materials. Colours repeat
// after a million ids.
SHERD_API sherd_color sherd_color_categorical(int64_t id);

// How light passes a surface.
typedef enum sherd_render_surface {
    // not at all
    SHERD_RENDER_OPAQUE = 0,
    // Light is refracted into it and absorbed on its way, clear where roughness is at most 0.03.
    // Bodies of glass are closed meshes and spheres; each face of an open mesh is a thin clear
    // pane, tinted by its colour.
    SHERD_RENDER_GLASS,
} sherd_render_surface;

// Look of a body: a diffuse base below a clear glossy coat (glaze). Fracture faces have their own.
typedef struct sherd_render_material {
    sherd_color outer_color; // default warm white porcelain
    sherd_color inner_color; // default terracotta-tinted biscuit
    double outer_roughness;  // of the coat, (0, 1], default 0.15
    double inner_roughness;  // (0, 1], default 0.7
    double outer_coat;       // strength of the coat, 0 matte to 1 glazed, default 1
    double inner_coat;       // default 0.1
    // How much of it is bare metal, [0, 1], default 0: reflects by its colour and has no base.
    double outer_metal, inner_metal;
    sherd_texture outer_texture, inner_texture; // default plain; their sizes > 0 unless plain
    sherd_render_surface surface;
    double refractive_index; // of glass, [1, 4], default 1.5
    sherd_color
        absorption; // of glass: light falls by a factor e over 1 / absorption [1/m], default 0
} sherd_render_material;

// Returns the absorption of glass that transmits the fraction `color` of light over a depth [m], >
// 0. Fractions below 0.001 count as 0.001.
SHERD_API sherd_color sherd_render_absorption(sherd_color color, double depth);

// Returns a material with the defaults above.
SHERD_API sherd_render_material sherd_render_material_default(void);

// What the outer faces of a group of triangles look like, in place of the mesh's material; their
// coat and what glass they are of stay that one's.
typedef struct sherd_render_group {
    // of the base
    sherd_color color;
    double roughness;      // (0, 1]
    double metal;          // [0, 1]
    sherd_texture texture; // its size > 0 unless plain
} sherd_render_group;

// Triangles. Without normals, smooth ones are made per corner, split at creases. So they are where
// a face turns from a given normal by more than 25 degrees, and on inner faces beside outer ones.
typedef struct sherd_render_mesh {
    const char *name;          // for error messages, may be NULL
    int32_t vertex_count;      // n
    int32_t triangle_count;    // m
    const double *vertices;    // x, y, z                                        [m]  (n x 3)
    const int32_t *triangles;  // corners                                            (m x 3)
    const double *normals;     // optional, per vertex                           [-]  (n x 3)
    const uint8_t *face_kind;  // optional, sherd_face_kind: 0 outer, 1 inner         (m)
    const float *colors;       // optional, linear r, g, b; replaces both colours     (n x 3)
    const float *outer_colors; // optional, the same of outer faces alone            (n x 3)
    // Optional: displacement of each vertex while the shutter is open, halfway at `vertices` [m] (n
    // x 3).
    const double *motions;
    // Optional: undeformed positions of vertices, for textures; NULL: `vertices` [m] (n x 3).
    const double *rest;
    const float *uv;      // optional, texture coordinates of each corner        (m x 3 x 2)
    const int32_t *group; // optional, of each triangle, -1: none; without `colors`       (m)
    int32_t group_count;  // 0 without `group`
    const sherd_render_group *groups;        //                                      (group_count)
    const char *object_name, *material_name; // in layers (<sherd/layers.h>); NULL: `name`, and none
    sherd_render_material material;          // sherd_render_material_default()
} sherd_render_mesh;

// Spheres, one batch per material.
typedef struct sherd_render_spheres {
    const char *name;        // for error messages, may be NULL
    int32_t count;           // n
    const double *x, *y, *z; // centres                                       [m]  (n)
    const double *radius;    // > 0                                           [m]  (n)
    const float *colors;     // optional, linear r, g, b; replaces the colour      (n x 3)
    const double *motions;   // optional, as a mesh's: of the centres [m]          (n x 3)
    const char *object_name, *material_name; // as a mesh's
    sherd_render_material material;          // sherd_render_material_default()
} sherd_render_spheres;

// Kinds of ground.
typedef enum sherd_render_ground_kind {
    SHERD_RENDER_GROUND_NONE = 0, // everything floats before the backdrop
    SHERD_RENDER_GROUND_PLANE,    // endless floor that melts into the backdrop
} sherd_render_ground_kind;

// The ground.
typedef struct sherd_render_ground {
    sherd_render_ground_kind kind; // default plane
    sherd_vec3 point;              // on the plane [m], default the origin
    sherd_vec3 normal;             // up, any length > 0, default z
    sherd_color color;             // default slate; also the backdrop's colour
    double roughness;              // of its faint sheen, (0, 1], default 0.35
    double coat;                   // sheen, [0, 1], default 0
    double metal;                  // as a material's, default 0
    sherd_texture texture;         // default plain; fills the world's space
} sherd_render_ground;

// A camera.
typedef struct sherd_camera {
    sherd_vec3 position; // [m]
    sherd_vec3 target;   // the point that the camera looks at [m]
    sherd_vec3 up;       // default z
    double vertical_fov; // full angle [rad], (0, pi)
    double aperture;     // diameter of the lens [m], >= 0; 0: everything is sharp
    double focus;        // distance at which things are sharp, along the view [m]; 0: the target's
} sherd_camera;

// Returns a camera with a three-quarter view from above of all of `bounds` with a margin; z is up.
// `aspect` is width / height. Empty or non-finite bounds give a view of the unit cube at the
// origin.
SHERD_API sherd_camera sherd_camera_frame_bounds(sherd_bounds bounds, double aspect);
// As sherd_camera_frame_bounds, from a given side: azimuth about z from +x, elevation above the xy
// plane [rad].
SHERD_API sherd_camera sherd_camera_orbit(sherd_bounds bounds, double aspect, double azimuth,
                                          double elevation);

// One soft key light, far away, and a sky dome. The light stands in the studio beside the camera
// and turns with it. A panel behind the scene, some times as bright as the horizon, draws
// highlights on glazes and edges.
typedef struct sherd_render_light {
    double key_azimuth;         // from the camera, positive to its right [rad], default -62 deg
    double key_elevation;       // above the ground [rad], (0, pi/2], default 35 deg
    double key_angular_radius;  // softness of shadows [rad], (0, 0.7], default 8 deg
    sherd_color key_irradiance; // on a surface facing the light
    sherd_color sky_zenith;     // radiance overhead
    sherd_color sky_horizon;    // radiance at the horizon
} sherd_render_light;

// A lamp: a rectangle that shines evenly on one side. It is seen, too, from that side; from behind
// it is black.
typedef struct sherd_render_lamp {
    sherd_vec3 position;  // of its middle [m]
    sherd_vec3 target;    // what it faces [m]
    double width, height; // [m], > 0; the height's edge is as upright as can be
    sherd_color radiance; // what it sends from each point
} sherd_render_lamp;

// What surrounds a scene in place of the studio: a picture, or a clear sky with a sun. Owned, z is
// up.
typedef struct sherd_environment sherd_environment;

// Reads a Radiance picture (.hdr) of all directions, rows from zenith to nadir. Its centre is
// towards x; `rotation` [rad] turns it about z, counterclockwise seen from above. `brightness`:
// factor, [0, 1e6]. NULL with SHERD_ERROR_IO, SHERD_ERROR_INPUT or SHERD_ERROR_MEMORY.
SHERD_API sherd_environment *sherd_environment_read(const char *path, double rotation,
                                                    double brightness, sherd_error *error);

// A clear sky by single scattering in air, haze and ozone; about as bright as the studio.
typedef struct sherd_sky_def {
    double sun_azimuth;   // about z from +x [rad], default 40 deg
    double sun_elevation; // above the horizon [rad], [-pi/2, pi/2], default 35 deg
    double
        sun_diameter; // seen from here [rad], [0.001, 1], default 0.53 deg; larger ones make shadows softer
    double haze;       // of the usual amount, [0, 100], default 1
    double brightness; // factor, [0, 1e6], default 1
} sherd_sky_def;

// Returns a definition with the defaults above.
SHERD_API sherd_sky_def sherd_sky_def_default(void);
// Creates a clear sky; free it with sherd_environment_destroy. NULL with SHERD_ERROR_INPUT or
// SHERD_ERROR_MEMORY.
SHERD_API sherd_environment *sherd_environment_sky(const sherd_sky_def *def, sherd_error *error);
// Destroys an environment. NULL is allowed.
SHERD_API void sherd_environment_destroy(sherd_environment *environment);

// Largest number of lamps.
enum { SHERD_RENDER_MOST_LAMPS = 64 };

// A cut through everything but the ground: what lies on the normal's side is left out, and closed
// meshes and spheres show their inner colour where they are cut.
typedef struct sherd_render_clip {
    sherd_vec3 point;  // of the plane [m]
    sherd_vec3 normal; // any length > 0, or 0: nothing is cut; default 0
} sherd_render_clip;

// Noise filter after rendering.
typedef enum sherd_render_denoise {
    // none
    SHERD_RENDER_DENOISE_OFF = 0,
    SHERD_RENDER_DENOISE_ON, // edge-aware wavelets; with them 16 samples are enough
} sherd_render_denoise;

// What a picture may cost.
typedef enum sherd_render_quality {
    SHERD_RENDER_FINAL = 0, // `samples_per_pixel` samples, nothing left out
    // One sample per pixel for light, three more of what is seen at edges. An instant with all of it
    // sharp; glass is polished, and only its first face mirrors the scene. `samples_per_pixel` and
    // the motions are not used.
    SHERD_RENDER_PREVIEW,
} sherd_render_quality;

// Samples of what is seen at edges in a preview.
enum { SHERD_RENDER_PREVIEW_SAMPLES = 4 };

// A picture to render: objects, camera, light and quality. All pointers are borrowed.
typedef struct sherd_render_scene {
    uint32_t cookie; // set by sherd_render_scene_default; any other value is rejected
    // meshes (mesh_count)
    const sherd_render_mesh *meshes;
    // number of meshes, >= 0
    int32_t mesh_count;
    // batches of spheres (sphere_batch_count)
    const sherd_render_spheres *spheres;
    // number of batches, >= 0
    int32_t sphere_batch_count;
    // default a slate plane through the origin
    sherd_render_ground ground;
    sherd_camera camera; // default frames the unit cube
    // Where the camera is when the shutter opens and closes, NULL: at rest; `camera` is half way.
    // Both are used, or none.
    const sherd_camera *camera_opens, *camera_closes;
    sherd_render_light light;             // of the studio
    const sherd_environment *environment; // NULL: the studio
    const sherd_render_lamp *lamps;       // besides
    int32_t lamp_count;                   // [0, SHERD_RENDER_MOST_LAMPS]
    sherd_render_clip clip;               // default none
    double exposure;                      // factor on all light before tone mapping, > 0, default 1
    int32_t width, height;                // [1, 16384], default 1280 x 720
    int32_t samples_per_pixel;            // [1, 4096], default 16
    int32_t bounces;                      // diffuse light from other surfaces, [0, 4], default 1
    sherd_render_denoise denoise;         // default on
    sherd_render_quality quality;         // default final
    int32_t threads;                      // 0 = all
    uint64_t seed;
} sherd_render_scene;

// Returns a scene without objects, with the defaults above.
SHERD_API sherd_render_scene sherd_render_scene_default(void);

// A picture; owned, free with sherd_image_destroy.
typedef struct sherd_image {
    // size [pixels]
    int32_t width, height;
    uint8_t *pixels; // sRGB r, g, b; rows from the top (height x width x 3)
} sherd_image;

// Renders a scene. Free the result with sherd_image_destroy. The same scene gives the same bytes
// for any number of threads. NULL with SHERD_ERROR_INPUT (a value out of range, a corner that does
// not exist, a vertex or sphere that is not finite: `where` names mesh or batch),
// SHERD_ERROR_MEMORY, or SHERD_ERROR_UNSUPPORTED (Embree can't start here). Thread-safe; leaves the
// caller's floating-point modes as they were.
SHERD_API sherd_image *sherd_render(const sherd_render_scene *scene, sherd_error *error);

// Creates a black image; free it with sherd_image_destroy. NULL with SHERD_ERROR_MEMORY or
// SHERD_ERROR_INPUT (size).
SHERD_API sherd_image *sherd_image_create(int32_t width, int32_t height, sherd_error *error);
// Destroys an image. NULL is allowed.
SHERD_API void sherd_image_destroy(sherd_image *image);

// Writes an image as PNG, under a temporary name that is then renamed. SHERD_ERROR_IO.
SHERD_API sherd_status sherd_image_write_png(const sherd_image *image, const char *path,
                                             sherd_error *error);

// Largest number of pictures per second in videos of runs [Hz]. What a scene has more frames of than
// that plays in slow motion.
enum { SHERD_VIDEO_RATE_MAX = 30 };

// Makes an H.264 (else MPEG-4) .mp4 with the `ffmpeg` program from numbered pictures. `pattern`
// holds one %d or %0Nd, as in "frames/frame_%06d.png"; in the rest of it a percent sign is doubled.
// The video has the first pictures from number `first` to `last` without a gap. Written to a
// temporary name and renamed; the pictures stay. SHERD_ERROR_INPUT: bad pattern or rate;
// SHERD_ERROR_IO: no pictures or unwritable target; SHERD_ERROR_UNSUPPORTED: ffmpeg is missing or
// refused (its last words are in `what`).
SHERD_API sherd_status sherd_video_from_frames(const char *pattern, int first, int last,
                                               double frame_rate, const char *path,
                                               sherd_error *error);

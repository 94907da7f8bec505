// output: {frame_rate, probe_rate, surface: {...}, dust: {...}, debris: {...}, meshes, render: {...}}
#include "scene/read/sections.h"

#include "math/vec3.h"
#include "scene/scene_fields.h"

#include <sherd/layers.h>
#include <sherd/replay.h>

#include <string.h>

static const char *const COLOR_BY[] = {
    "material",    "fragment",  "speed",     "stress_ratio", "stress",    "principal_stress",
    "mean_stress", "stress_xx", "stress_yy", "stress_zz",    "stress_xy", "stress_yz",
    "stress_zx",   NULL};

static const char *const SKIES[] = {"studio", "dark", "clear", "image", NULL};

static sherd_word surface_word(int number)
{
    sherd_surface_method_info method = sherd_surface_method_describe((sherd_surface_method)number);
    return (sherd_word){method.word, method.doc};
}

static const char *const QUALITIES[] = {"auto", "final", "preview", NULL}; // sherd_scene_quality
static const char *const EXR[] = {"none", "half", "float", NULL};          // sherd_exr_pixels

#define FIELD(kind, member, ...) SHERD_FIELD(sherd_scene_output, kind, member, __VA_ARGS__)
#define OUTPUT .maps = SHERD_MAP_OUTPUT
#define SURFACE .maps = SHERD_MAP_SURFACE
#define ROUGHNESS .maps = SHERD_MAP_ROUGHNESS
#define DUST .maps = SHERD_MAP_DUST
#define DEBRIS .maps = SHERD_MAP_DEBRIS
#define RENDER .maps = SHERD_MAP_RENDER
#define CAMERA .maps = SHERD_MAP_CAMERA
#define CLIP .maps = SHERD_MAP_CLIP
#define SKY .maps = SHERD_MAP_SKY
#define ANGLE .quantity = SHERD_QUANTITY_ANGLE
#define NOT_PHYSICS .flags = SHERD_FIELD_NOT_PHYSICS
#define RATE .quantity = SHERD_QUANTITY_FREQUENCY, .range = SHERD_POSITIVE
#define LENGTH .quantity = SHERD_QUANTITY_LENGTH

static const sherd_field FIELDS[] = {
    FIELD(REAL, frame_rate, RATE, .initial = {480.0}, OUTPUT,
          .doc = "frames per second of simulated time"),
    FIELD(REAL, probe_rate, RATE, OUTPUT, .usual = "`frame_rate`",
          .doc = "rows of `probes.csv` per second of simulated time; a row has means, and extremes "
                 "of all steps, since the row before. Steps end at each row, so a rate far above "
                 "`frame_rate` shortens implicit steps and slows the run"),
    {.key = "surface",
     OUTPUT,
     .values = "true, false, map",
     .usual = "true",
     .doc = "fragments' surfaces in mesh files; `false`: no `ply`, no `glb`, and only elements "
            "in `vtk`. `true`, or a map as below"},
    {.key = "dust",
     OUTPUT,
     .values = "true, false, map",
     .usual = "false",
     .doc = "grains thrown off by breaking bonds, in pictures and exports. `true`, or a map as "
            "below"},
    {.key = "debris",
     OUTPUT,
     .values = "true, false, map",
     .usual = "true",
     .doc = "angular crumbs of many sizes instead of loose elements, which are all alike, in "
            "pictures, `glb` and `usda` ([how](../theory/surfaces.md#crumbs)). `false`: none, or a "
            "map as below"},
    FIELD(BOOLEAN, stress, OUTPUT, NOT_PHYSICS,
          .doc = "frames contain the stress of every element, for `csv` and `vtk`: six components, "
                 "three principal values, von Mises"),
    FIELD(BOOLEAN, bond_loads, OUTPUT, NOT_PHYSICS,
          .doc = "frames contain the load of every bond and particle of glue, for `csv` and `vtk`: "
                 "force, moment, stress over strength, damage "
                 "([which](exports.md#loads-of-bonds-and-glue))"),
    FIELD(BOOLEAN, contacts, OUTPUT, NOT_PHYSICS,
          .doc = "frames contain contact forces, for tables of `csv` and `vtk` "
                 "([which](exports.md#forces-of-contacts))"),
    FIELD(OTHER, meshes, OUTPUT, .values = "list of words", .usual = "`[glb]`", NOT_PHYSICS,
          .doc = "mesh files to write, below; may be empty"),
    {.key = "render",
     OUTPUT,
     .values = "true, false, map",
     .usual = "true",
     .doc = "pictures; `false`, `true`, or a map as below"},

    FIELD(BOOLEAN, surface.enabled, .initial = {true}, SURFACE, NOT_PHYSICS,
          .doc = "mesh the fragments"),
    FIELD(REAL, surface.inner_uv_scale, LENGTH, .range = SHERD_POSITIVE, SURFACE,
          NOT_PHYSICS | SHERD_FIELD_UNSET, .usual = "the body's largest extent",
          .doc = "length covered by one unit of texture coordinates on broken faces; the same on "
                 "both sides of a crack"),
    FIELD(CHOICE, surface.method, .choice = surface_word, SURFACE, NOT_PHYSICS,
          .doc =
              "how surfaces are meshed ([compared](../theory/surfaces.md)); `auto` meshes bodies "
              "that this method can't"),
    FIELD(REAL, surface.smoothing,
          .range = SHERD_BETWEEN(SHERD_SURFACE_SMOOTHING_LEAST, SHERD_SURFACE_SMOOTHING_MOST),
          SURFACE, NOT_PHYSICS | SHERD_FIELD_UNSET, .hint = "in mean radii of a body's elements",
          .usual = "2.2 with `cut`, 0.9 with `blobs`, else 1.5",
          .doc =
              "width of the smoothing kernels of cracks and surfaces (`fluid`: of the particles),"
              " in mean radii of a body's elements. Wider ones hide the lattice better, but lose "
              "more of thin pieces and edges. Not for yarns, sheets and tetrahedra"),
    FIELD(REAL, surface.cell_size,
          .range = SHERD_BETWEEN(SHERD_SURFACE_CELL_LEAST, SHERD_SURFACE_CELL_MOST), SURFACE,
          NOT_PHYSICS | SHERD_FIELD_UNSET, .hint = "in mean radii of a body's elements",
          .usual = "0.75 with `marching` and `blobs`, 0.5 with `cut` along walls, else 1",
          .doc = "cell size of the sampling grid, in mean radii"),
    FIELD(BOOLEAN, surface.chips, .initial = {true}, SURFACE, NOT_PHYSICS,
          .doc = "with `cut`: fragments of up to eight elements, and thin ones, are angular chips "
                 "that fill their part of the body ([how](../theory/surfaces.md#chips)); `false`: "
                 "rounded"),
    FIELD(REAL, surface.crack_gap, .initial = {0.03}, .range = SHERD_UNIT_INTERVAL, SURFACE,
          NOT_PHYSICS, .hint = "in mean radii of a body's elements",
          .doc = "drawn opening of cracks inside a fragment, in mean radii; 0: none"),
    {.key = "roughness",
     SURFACE,
     .values = "map",
     .usual = "none",
     .doc = "noise on broken faces, below"},
    FIELD(REAL, surface.roughness.amplitude, LENGTH, .range = SHERD_AT_LEAST(0.0), ROUGHNESS,
          NOT_PHYSICS | SHERD_FIELD_REQUIRED, .doc = "largest displacement of broken faces"),
    FIELD(REAL, surface.roughness.size, LENGTH, .range = SHERD_POSITIVE, ROUGHNESS,
          NOT_PHYSICS | SHERD_FIELD_UNSET, .usual = "four amplitudes",
          .doc = "length of the largest bumps, at least four amplitudes"),
    FIELD(UINT64, surface.roughness.seed, ROUGHNESS, NOT_PHYSICS,
          .doc = "random seed of the noise"),

    FIELD(BOOLEAN, dust.enabled, NOT_PHYSICS, .doc = "true: draw dust"),
    FIELD(REAL, dust.amount, .initial = {12.0}, .range = SHERD_BETWEEN(0.0, 1000.0), DUST,
          NOT_PHYSICS, .doc = "mean number of grains per broken bond"),
    FIELD(REAL, dust.size, LENGTH, .range = SHERD_POSITIVE, DUST, NOT_PHYSICS | SHERD_FIELD_UNSET,
          .usual = "a quarter of the mean radius of a body's elements",
          .doc = "diameter of the largest grains; the smallest have a quarter of it"),
    FIELD(REAL, dust.energy, .initial = {0.002}, .range = SHERD_UNIT_INTERVAL, DUST, NOT_PHYSICS,
          .doc = "fraction of a broken bond's released energy that becomes kinetic energy of its "
                 "grains, in addition to the velocity of the material"),
    FIELD(REAL, dust.drag, .initial = {1.0}, .range = SHERD_AT_LEAST(0.0), DUST, NOT_PHYSICS,
          .doc = "factor on the air drag of a grain after Stokes; 0: none"),
    FIELD(UINT64, dust.seed, DUST, NOT_PHYSICS,
          .doc = "random seed of the grains' places and sizes"),

    FIELD(BOOLEAN, debris.enabled, .initial = {true}, NOT_PHYSICS, .doc = "true: draw crumbs"),
    FIELD(REAL, debris.exponent, .initial = {2.5}, .range = SHERD_BETWEEN(1.0, 5.0), DEBRIS,
          NOT_PHYSICS,
          .doc = "D of their number N(>r) ~ r^-D: a larger one makes more fine crumbs. 2.5 is that "
                 "of most broken rock ([Tur86])"),
    FIELD(INT, debris.pieces, .initial = {20.0}, .range = SHERD_BETWEEN(1.0, 20.0), DEBRIS,
          NOT_PHYSICS, .doc = "largest number of crumbs of an element"),
    FIELD(INT, debris.elements, .initial = {2.0}, .range = SHERD_BETWEEN(1.0, 100.0), DEBRIS,
          NOT_PHYSICS, .doc = "fragments of up to this many elements are drawn as crumbs"),
    FIELD(REAL, debris.smallest, LENGTH, .range = SHERD_POSITIVE, DEBRIS,
          NOT_PHYSICS | SHERD_FIELD_UNSET,
          .usual = "a fifth of the mean diameter of a body's elements",
          .doc = "diameter below which crumbs are drawn as grains of dust"),
    FIELD(UINT64, debris.seed, DEBRIS, NOT_PHYSICS,
          .doc = "random seed of the crumbs' shapes and sizes"),

    FIELD(BOOLEAN, render.enabled, .initial = {true}, RENDER, NOT_PHYSICS, .doc = "make pictures"),
    FIELD(INT, render.width, .initial = {1280.0}, .range = SHERD_BETWEEN(16.0, 16384.0), RENDER,
          NOT_PHYSICS, .doc = "width of pictures in pixels"),
    FIELD(INT, render.height, .initial = {720.0}, .range = SHERD_BETWEEN(16.0, 16384.0), RENDER,
          NOT_PHYSICS, .doc = "height of pictures in pixels"),
    FIELD(INT, render.samples, .initial = {16.0}, .range = SHERD_BETWEEN(1.0, 4096.0), RENDER,
          NOT_PHYSICS, .doc = "samples per pixel, of `final` pictures"),
    FIELD(CHOICE, render.quality, .choices = QUALITIES, RENDER, NOT_PHYSICS,
          .doc = "`preview`: quick pictures, without motion blur and depth of field "
                 "([previews](../guide/pictures.md#previews)); `auto`: those in `sherd run`, final "
                 "ones in `sherd render`; `--quality` sets it, too"),
    FIELD(CHOICE, render.exr, .choices = EXR, RENDER, NOT_PHYSICS,
          .doc = "an OpenEXR file with each picture: light, normals, depth, ids "
                 "([layers](../guide/textures.md#layers)); 16 or 32 bits per number"),
    FIELD(BOOLEAN, render.video, .initial = {true}, RENDER, NOT_PHYSICS,
          .doc = "join the pictures to a video"),
    FIELD(CHOICE, render.color_by, .choices = COLOR_BY, RENDER, NOT_PHYSICS,
          .doc = "quantity that colours show, [below](#colours-that-show-numbers)"),
    FIELD(OTHER, render.range, RENDER, NOT_PHYSICS, .values = "`auto`, `[low, high]`",
          .usual = "`auto`",
          .doc = "range of values of the colour scale, [below](#colours-that-show-numbers)"),
    FIELD(BOOLEAN, render.legend, .initial = {true}, RENDER, NOT_PHYSICS,
          .doc = "colour bar with numbers and unit, if colours show a number"),
    FIELD(COLOR, render.background, .range = SHERD_UNIT_INTERVAL, .initial = {0.93, 0.94, 0.96},
          RENDER, NOT_PHYSICS,
          .doc = "colour of the background if no plane is visible. Like all colours it is lit and "
                 "passes the film response: the default becomes 0.68"),
    {.key = "camera",
     RENDER,
     .values = "`auto`, map",
     .usual = "`auto`",
     .doc = "`auto`: shows the bodies, their predicted paths (up to 8 times their own length) "
            "and obstacles nearby; if bodies leave the picture the camera moves back, and "
            "beyond that length follows the body of most elements. A map as below; z is up, so "
            "the camera can't look straight along it"},
    {.key = "sky",
     RENDER,
     .values = "`studio`, `dark`, `clear`, map",
     .usual = "`studio`",
     .doc = "light from around the scene ([pictures](../guide/pictures.md#light)). `studio`: a "
            "soft key light beside the camera, a dome, a backdrop. `dark`: none, only lamps. "
            "`clear`: a blue sky with a sun. A map as below"},
    FIELD(CHOICE, render.sky.kind, .choices = SKIES, NOT_PHYSICS, .doc = "kind of sky"),
    FIELD(OTHER, render.lamps, RENDER, NOT_PHYSICS, .values = "list of maps", .usual = "none",
          .doc = "rectangular lamps, visible in pictures; at most 64. Maps as below"),
    FIELD(INT, render.lamp_count, NOT_PHYSICS, .doc = "number of lamps"),
    FIELD(REAL, render.exposure, .initial = {1.0}, .range = SHERD_BETWEEN(1e-6, 1e6), RENDER,
          NOT_PHYSICS, .doc = "factor on all light; 2 is one stop brighter"),
    FIELD(INT, render.bounces, .initial = {1.0}, .range = SHERD_BETWEEN(0.0, 4.0), RENDER,
          NOT_PHYSICS,
          .doc = "number of indirect reflections of light that are traced; further ones are "
                 "estimated"),
    FIELD(REAL, render.shutter, .range = SHERD_UNIT_INTERVAL, RENDER, NOT_PHYSICS,
          .doc = "exposure time as a fraction of the time between frames, centred on each frame: "
                 "motion blur. Film has 0.5; 0: no blur"),
    FIELD(BOOLEAN, render.camera.automatic, .initial = {true}, NOT_PHYSICS,
          .doc = "true: choose the view automatically"),
    FIELD(VECTOR, render.camera.position, LENGTH, CAMERA, NOT_PHYSICS,
          .usual = "**required** without `keys`", .doc = "position of the camera"),
    FIELD(VECTOR, render.camera.target, LENGTH, CAMERA, NOT_PHYSICS,
          .usual = "**required** without `keys`", .doc = "point that the camera looks at"),
    FIELD(REAL, render.camera.fov, .quantity = SHERD_QUANTITY_ANGLE,
          .initial = {0.6108652381980153}, .range = SHERD_ABOVE(0.0, 3.0543261909900763), CAMERA,
          NOT_PHYSICS, .doc = "vertical field of view"),
    FIELD(REAL, render.camera.aperture, LENGTH, .range = SHERD_AT_LEAST(0.0), CAMERA, NOT_PHYSICS,
          .doc = "diameter of the lens. With the focus at distance f, a point at z blurs to a disc "
                 "of aperture |z - f| / z in the plane of focus; 0: everything is sharp"),
    FIELD(REAL, render.camera.focus, LENGTH, .range = SHERD_POSITIVE, CAMERA,
          NOT_PHYSICS | SHERD_FIELD_UNSET, .usual = "the target's",
          .doc = "distance of sharp focus from the camera"),
    FIELD(OTHER, render.camera.keys, CAMERA, NOT_PHYSICS, .values = "list of maps", .usual = "none",
          .doc = "camera positions over time, instead of `position` and `target`; smoothly "
                 "interpolated, constant before the first and after the last. Maps as below"),
    FIELD(INT, render.camera.key_count, NOT_PHYSICS, .doc = "number of keys"),
    {.key = "clip",
     RENDER,
     .values = "map",
     .usual = "none",
     .doc = "a plane that cuts bodies and obstacles open: the side of its normal is not drawn, "
            "and closed surfaces show their inner colour on the cut. A map as below"},
    FIELD(VECTOR, render.clip.point, LENGTH, CLIP, NOT_PHYSICS | SHERD_FIELD_REQUIRED,
          .doc = "a point of the plane"),
    FIELD(VECTOR, render.clip.normal, CLIP, NOT_PHYSICS | SHERD_FIELD_REQUIRED,
          .doc = "direction of the side that is removed, of any length but 0"),
    FIELD(TEXT, render.sky.image, SKY, NOT_PHYSICS, .values = "path", .usual = "none: a clear sky",
          .doc =
              "panorama of all directions in Radiance's format (.hdr), twice as wide as high; its"
              " middle lies towards x. Relative to the scene's file"),
    FIELD(REAL, render.sky.rotation, ANGLE, SKY, NOT_PHYSICS,
          .doc = "rotation of the image about z, counterclockwise seen from above"),
    FIELD(REAL, render.sky.sun_azimuth, ANGLE, .initial = {0.6981317007977318}, SKY, NOT_PHYSICS,
          .doc = "azimuth of a clear sky's sun, from x towards y"),
    FIELD(REAL, render.sky.sun_elevation, ANGLE, .initial = {0.6108652381980153},
          .range = SHERD_BETWEEN(-1.5707963267948966, 1.5707963267948966), SKY, NOT_PHYSICS,
          .doc = "elevation of the sun above the horizon"),
    FIELD(REAL, render.sky.sun_size, ANGLE, .initial = {0.009250245035569946},
          .range = SHERD_BETWEEN(0.001, 1.0), SKY, NOT_PHYSICS,
          .doc = "angular diameter of the sun; a larger one gives softer shadows"),
    FIELD(REAL, render.sky.haze, .initial = {1.0}, .range = SHERD_BETWEEN(0.0, 100.0), SKY,
          NOT_PHYSICS, .doc = "haze relative to a clear day; whitens sky and horizon"),
    FIELD(REAL, render.sky.brightness, .initial = {1.0}, .range = SHERD_BETWEEN(0.0, 1e6), SKY,
          NOT_PHYSICS, .doc = "factor on the sky's light, images included"),
};

const sherd_definition *sherd_scene_output_fields(void)
{
    static const sherd_definition DEFINITION = SHERD_DEFINITION(sherd_scene_output, FIELDS);
    return &DEFINITION;
}

const sherd_scene_map sherd_map_output = {"output",
                                          {{sherd_scene_output_fields, SHERD_MAP_OUTPUT, 0}}};
const sherd_scene_map sherd_map_surface = {"surface",
                                           {{sherd_scene_output_fields, SHERD_MAP_SURFACE, 0}}};
const sherd_scene_map sherd_map_roughness = {"roughness",
                                             {{sherd_scene_output_fields, SHERD_MAP_ROUGHNESS, 0}}};
const sherd_scene_map sherd_map_dust = {"dust", {{sherd_scene_output_fields, SHERD_MAP_DUST, 0}}};
const sherd_scene_map sherd_map_debris = {"debris",
                                          {{sherd_scene_output_fields, SHERD_MAP_DEBRIS, 0}}};
const sherd_scene_map sherd_map_render = {"render",
                                          {{sherd_scene_output_fields, SHERD_MAP_RENDER, 0}}};
const sherd_scene_map sherd_map_camera = {"camera",
                                          {{sherd_scene_output_fields, SHERD_MAP_CAMERA, 0}}};

const sherd_scene_map sherd_map_clip = {"clip", {{sherd_scene_output_fields, SHERD_MAP_CLIP, 0}}};
const sherd_scene_map sherd_map_sky = {"sky", {{sherd_scene_output_fields, SHERD_MAP_SKY, 0}}};

static void read_clip(sherd_scene_reader *reader, const sherd_node *node,
                      sherd_scene_output *output)
{
    int before = sherd_diagnostics_total(reader->diagnostics);
    sherd_read_map(reader, node, &sherd_map_clip, NULL, output);
    if (sherd_diagnostics_total(reader->diagnostics) > before) return;
    if (!(vec3_length(output->render.clip.normal) > 0.0))
        sherd_reader_fail(reader, sherd_node_find(node, "normal"),
                          "the normal points to what is left out", "must have a length > 0");
}

// The unit of `range`; false: colours show no number.
static bool range_quantity(sherd_scene_color_by by, sherd_quantity *quantity)
{
    if (by == SHERD_SCENE_COLOR_MATERIAL || by == SHERD_SCENE_COLOR_FRAGMENT) return false;
    *quantity = by == SHERD_SCENE_COLOR_SPEED          ? SHERD_QUANTITY_SPEED
                : by == SHERD_SCENE_COLOR_STRESS_RATIO ? SHERD_QUANTITY_NUMBER
                                                       : SHERD_QUANTITY_STRESS;
    return true;
}

static void read_range(sherd_scene_reader *reader, const sherd_node *node,
                       sherd_scene_render *render)
{
    sherd_quantity quantity;
    double ends[2];
    if (node->kind == SHERD_NODE_SCALAR && strcmp(node->text, "auto") == 0) return;
    if (!range_quantity(render->color_by, &quantity)) {
        sherd_reader_fail(reader, node, "color_by: stress, for instance, or no range",
                          "is for colours that show a number, not for color_by: %s",
                          COLOR_BY[render->color_by]);
        return;
    }
    if (node->kind != SHERD_NODE_LIST || node->count != 2) {
        sherd_reader_fail(reader, node, NULL, "must be auto or [low, high]");
        return;
    }
    const sherd_field wanted = {.quantity = quantity};
    if (!sherd_read_numbers(reader, node, &wanted, 2, ends)) return;
    if (!(ends[0] < ends[1])) {
        sherd_reader_fail(reader, node, NULL, "must rise: low, then high");
        return;
    }
    render->range = (sherd_scene_range){true, ends[0], ends[1]};
}

static void read_render(sherd_scene_reader *reader, const sherd_node *node,
                        sherd_scene_output *output)
{
    if (node->kind == SHERD_NODE_SCALAR) { // render: false
        sherd_read_boolean(reader, node, &output->render.enabled);
        return;
    }
    sherd_read_map(reader, node, &sherd_map_render, NULL, output);
    const sherd_node *camera = sherd_node_find(node, "camera");
    if (camera != NULL) sherd_read_camera(reader, camera, output);
    const sherd_node *exr = sherd_node_find(node, "exr");
    if (exr != NULL && output->render.exr != SHERD_EXR_NONE && !sherd_exr_available())
        sherd_reader_fail_unsupported(
            reader, exr, "install libopenexr-dev and build Sherd again, or use exr: none",
            "needs OpenEXRCore, which this build of Sherd was made without");
    const sherd_node *range = sherd_node_find(node, "range");
    if (range != NULL) read_range(reader, range, &output->render);
    const sherd_node *clip = sherd_node_find(node, "clip");
    if (clip != NULL) read_clip(reader, clip, output);
    const sherd_node *sky = sherd_node_find(node, "sky");
    if (sky != NULL) sherd_read_sky(reader, sky, SKIES, output);
    const sherd_node *lamps = sherd_node_find(node, "lamps");
    if (lamps != NULL) sherd_read_lamps(reader, lamps, output);
}

static void read_roughness(sherd_scene_reader *reader, const sherd_node *node,
                           sherd_scene_output *output)
{
    const sherd_surface_roughness *roughness = &output->surface.roughness;
    sherd_read_map(reader, node, &sherd_map_roughness, NULL, output);
    const sherd_node *size = sherd_node_find(node, "size");
    double min_size = SHERD_ROUGHNESS_LEAST_SIZE * roughness->amplitude;
    if (size != NULL && roughness->size > 0.0 && roughness->size < min_size)
        sherd_reader_fail(reader, size, "larger bumps, or a smaller amplitude",
                          "must be at least four amplitudes, %g m, got %.80s", min_size,
                          size->text);
}

static void read_surface(sherd_scene_reader *reader, const sherd_node *node,
                         sherd_scene_output *output)
{
    if (node->kind == SHERD_NODE_SCALAR) { // surface: false
        sherd_read_boolean(reader, node, &output->surface.enabled);
        return;
    }
    sherd_read_map(reader, node, &sherd_map_surface, NULL, output);
    const sherd_node *roughness = sherd_node_find(node, "roughness");
    if (roughness != NULL) read_roughness(reader, roughness, output);
}

static void read_dust(sherd_scene_reader *reader, const sherd_node *node,
                      sherd_scene_output *output)
{
    output->dust.enabled = true;
    if (node->kind == SHERD_NODE_SCALAR) // dust: false
        sherd_read_boolean(reader, node, &output->dust.enabled);
    else
        sherd_read_map(reader, node, &sherd_map_dust, NULL, output);
}

static void read_debris(sherd_scene_reader *reader, const sherd_node *node,
                        sherd_scene_output *output)
{
    output->debris.enabled = true;
    if (node->kind == SHERD_NODE_SCALAR) // debris: false
        sherd_read_boolean(reader, node, &output->debris.enabled);
    else
        sherd_read_map(reader, node, &sherd_map_debris, NULL, output);
}

// Formats that a run can make, by their words.
static void read_meshes(sherd_scene_reader *reader, const sherd_node *node,
                        sherd_scene_output *output)
{
    enum { MAX_FORMATS = 32 }; // bits of output->meshes
    const char *words[MAX_FORMATS + 1] = {NULL};
    int formats[MAX_FORMATS], count = 0, choice;
    for (int k = sherd_export_format_count() - 1; k >= 0; --k) {
        if (!sherd_export_format_get(k)->in_runs) continue;
        formats[count] = k;
        words[count++] = sherd_export_format_get(k)->word;
    }
    if (!sherd_require_list(reader, node)) return;
    output->meshes = 0;
    for (const sherd_node *item = node->first; item != NULL; item = item->next)
        if (sherd_read_choice(reader, item, words, &choice))
            output->meshes |= 1u << formats[choice];
}

void sherd_read_output(sherd_scene_reader *reader, const sherd_node *root)
{
    sherd_scene_output *output = &reader->scene->output;
    sherd_fields_set_initial(sherd_scene_output_fields(), output);
    output->meshes = 1u << sherd_export_format_find("glb");
    const sherd_node *node = sherd_node_find(root, "output");
    if (node != NULL && sherd_read_map(reader, node, &sherd_map_output, NULL, output)) {
        const sherd_node *surface = sherd_node_find(node, "surface");
        const sherd_node *meshes = sherd_node_find(node, "meshes");
        const sherd_node *render = sherd_node_find(node, "render");
        const sherd_node *dust = sherd_node_find(node, "dust");
        const sherd_node *debris = sherd_node_find(node, "debris");
        if (surface != NULL) read_surface(reader, surface, output);
        if (dust != NULL) read_dust(reader, dust, output);
        if (debris != NULL) read_debris(reader, debris, output);
        if (meshes != NULL) read_meshes(reader, meshes, output);
        if (render != NULL) read_render(reader, render, output);
    }
    if (output->probe_rate == 0.0) output->probe_rate = output->frame_rate;
}

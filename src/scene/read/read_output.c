// output: {frame_rate, probe_rate, surface: {...}, meshes, render: {...}}
#include "scene/read/sections.h"

#include "math/vec3.h"

#include <string.h>

static const char *const COLOR_BY[] = {"material", "fragment", "stress", "speed", NULL};

#define OF_OUTPUT(field) offsetof(sherd_scene_output, field)

static const sherd_field FIELDS[] = {
    {"frame_rate", SHERD_FIELD_REAL, false, OF_OUTPUT(frame_rate), SHERD_QUANTITY_FREQUENCY,
     SHERD_RANGE_POSITIVE, NULL},
    {"probe_rate", SHERD_FIELD_REAL, false, OF_OUTPUT(probe_rate), SHERD_QUANTITY_FREQUENCY,
     SHERD_RANGE_POSITIVE, NULL},
    {"surface", SHERD_FIELD_OTHER, false, 0, 0, 0, NULL},
    {"meshes", SHERD_FIELD_OTHER, false, 0, 0, 0, NULL},
    {"render", SHERD_FIELD_OTHER, false, 0, 0, 0, NULL},
};

#define OF_SURFACE(field) offsetof(sherd_scene_surface, field)

static const char *const SURFACE_METHODS[] = {"auto",        "cut",   "marching",
                                              "tetra_faces", "fluid", NULL};

static const sherd_field SURFACE_FIELDS[] = {
    {"enabled", SHERD_FIELD_BOOLEAN, false, OF_SURFACE(enabled), 0, 0, NULL},
    {"method", SHERD_FIELD_CHOICE, false, OF_SURFACE(method), 0, 0, SURFACE_METHODS},
    {"inner_uv_scale", SHERD_FIELD_REAL, false, OF_SURFACE(inner_uv_scale), SHERD_QUANTITY_LENGTH,
     SHERD_RANGE_POSITIVE, NULL},
    {"cell_size", SHERD_FIELD_REAL, false, OF_SURFACE(cell_size), SHERD_QUANTITY_NUMBER,
     SHERD_RANGE_POSITIVE, NULL},
    {"smoothing", SHERD_FIELD_REAL, false, OF_SURFACE(smoothing), SHERD_QUANTITY_NUMBER,
     SHERD_RANGE_POSITIVE, NULL},
    {"roughness", SHERD_FIELD_OTHER, false, 0, 0, 0, NULL},
};

#define OF_ROUGHNESS(field) offsetof(sherd_surface_roughness, field)

static const sherd_field ROUGHNESS_FIELDS[] = {
    {"amplitude", SHERD_FIELD_REAL, true, OF_ROUGHNESS(amplitude), SHERD_QUANTITY_LENGTH,
     SHERD_RANGE_NOT_NEGATIVE, NULL},
    {"size", SHERD_FIELD_REAL, false, OF_ROUGHNESS(size), SHERD_QUANTITY_LENGTH,
     SHERD_RANGE_POSITIVE, NULL},
    {"seed", SHERD_FIELD_SEED, false, OF_ROUGHNESS(seed), 0, 0, NULL},
};

#define OF_RENDER(field) offsetof(sherd_scene_render, field)

static const sherd_field RENDER_FIELDS[] = {
    {"enabled", SHERD_FIELD_BOOLEAN, false, OF_RENDER(enabled), 0, 0, NULL},
    {"width", SHERD_FIELD_INT, false, OF_RENDER(width), 0, SHERD_RANGE_PIXELS, NULL},
    {"height", SHERD_FIELD_INT, false, OF_RENDER(height), 0, SHERD_RANGE_PIXELS, NULL},
    {"samples", SHERD_FIELD_INT, false, OF_RENDER(samples), 0, SHERD_RANGE_SAMPLES, NULL},
    {"video", SHERD_FIELD_BOOLEAN, false, OF_RENDER(video), 0, 0, NULL},
    {"color_by", SHERD_FIELD_CHOICE, false, OF_RENDER(color_by), 0, 0, COLOR_BY},
    {"background", SHERD_FIELD_COLOR, false, OF_RENDER(background), 0, 0, NULL},
    {"camera", SHERD_FIELD_OTHER, false, 0, 0, 0, NULL},
};

static void read_camera(sherd_scene_reader *reader, const sherd_node *node,
                        sherd_scene_camera *camera)
{
    static const sherd_field CAMERA[] = {
        {"position", SHERD_FIELD_VECTOR, true, offsetof(sherd_scene_camera, position),
         SHERD_QUANTITY_LENGTH, 0, NULL},
        {"target", SHERD_FIELD_VECTOR, true, offsetof(sherd_scene_camera, target),
         SHERD_QUANTITY_LENGTH, 0, NULL},
        {"fov", SHERD_FIELD_REAL, false, offsetof(sherd_scene_camera, fov), SHERD_QUANTITY_ANGLE,
         SHERD_RANGE_FOV, NULL},
    };
    if (node->kind == SHERD_NODE_SCALAR && strcmp(node->text, "auto") == 0) return;
    if (node->kind == SHERD_NODE_SCALAR) {
        sherd_reader_fail(reader, node, NULL, "must be auto or {position, target, fov}, got %.80s",
                          sherd_node_is_null(node) ? "nothing" : node->text);
        return;
    }
    int before = sherd_diagnostics_total(reader->diagnostics);
    camera->automatic = false;
    sherd_read_fields(reader, node, &SHERD_FIELD_TABLE(CAMERA), camera);
    if (sherd_diagnostics_total(reader->diagnostics) > before) return;
    sherd_vec3 view = vec3_sub(camera->target, camera->position);
    double distance = vec3_length(view);
    if (!(distance > 0.0))
        sherd_reader_fail(reader, node, NULL, "position and target must differ");
    else if (hypot(view.x, view.y) < 1e-3 * distance) // up is z
        sherd_reader_fail(reader, node, "move the position a little sideways",
                          "looks straight along z, which is up in pictures");
}

static void read_render(sherd_scene_reader *reader, const sherd_node *node,
                        sherd_scene_render *render)
{
    if (node->kind == SHERD_NODE_SCALAR) { // render: false
        sherd_read_boolean(reader, node, &render->enabled);
        return;
    }
    sherd_read_fields(reader, node, &SHERD_FIELD_TABLE(RENDER_FIELDS), render);
    const sherd_node *camera = sherd_node_find(node, "camera");
    if (camera != NULL) read_camera(reader, camera, &render->camera);
}

static void read_roughness(sherd_scene_reader *reader, const sherd_node *node,
                           sherd_surface_roughness *roughness)
{
    sherd_read_fields(reader, node, &SHERD_FIELD_TABLE(ROUGHNESS_FIELDS), roughness);
    const sherd_node *size = sherd_node_find(node, "size");
    double least = SHERD_ROUGHNESS_LEAST_SIZE * roughness->amplitude;
    if (size != NULL && roughness->size > 0.0 && roughness->size < least)
        sherd_reader_fail(reader, size, "larger bumps, or a smaller amplitude",
                          "must be at least four amplitudes, %g m, got %.80s", least, size->text);
}

// In mean radii of a body's elements.
static void check_radii(sherd_scene_reader *reader, const sherd_node *map, const char *key,
                        double value, double least, double most)
{
    const sherd_node *node = sherd_node_find(map, key);
    if (node != NULL && value > 0.0 && !(value >= least && value <= most))
        sherd_reader_fail(reader, node, NULL, "must be between %g and %g mean radii, got %.80s",
                          least, most, node->text);
}

static void read_surface(sherd_scene_reader *reader, const sherd_node *node,
                         sherd_scene_surface *surface)
{
    if (node->kind == SHERD_NODE_SCALAR) { // surface: false
        sherd_read_boolean(reader, node, &surface->enabled);
        return;
    }
    sherd_read_fields(reader, node, &SHERD_FIELD_TABLE(SURFACE_FIELDS), surface);
    check_radii(reader, node, "cell_size", surface->cell_size, SHERD_SURFACE_CELL_LEAST,
                SHERD_SURFACE_CELL_MOST);
    check_radii(reader, node, "smoothing", surface->smoothing, SHERD_SURFACE_SMOOTHING_LEAST,
                SHERD_SURFACE_SMOOTHING_MOST);
    const sherd_node *roughness = sherd_node_find(node, "roughness");
    if (roughness != NULL) read_roughness(reader, roughness, &surface->roughness);
}

static void read_meshes(sherd_scene_reader *reader, const sherd_node *node,
                        sherd_scene_output *output)
{
    static const char *const FORMATS[] = {"ply", "vtk", "glb", NULL};
    if (!sherd_require_list(reader, node)) return;
    bool *const wanted[] = {&output->write_ply, &output->write_vtk, &output->write_glb};
    for (int k = 0; k < 3; ++k)
        *wanted[k] = false;
    for (const sherd_node *item = node->first; item != NULL; item = item->next) {
        int format;
        if (sherd_read_choice(reader, item, FORMATS, &format)) *wanted[format] = true;
    }
}

static sherd_scene_output default_output(void)
{
    return (sherd_scene_output){
        .frame_rate = 480.0,
        .surface = {.enabled = true},
        .write_glb = true,
        .render = {.enabled = true,
                   .width = 1280,
                   .height = 720,
                   .samples = 16,
                   .video = true,
                   .background = {0.93, 0.94, 0.96},
                   .camera = {.automatic = true, .fov = 0.6108652381980153}}, // 35 degrees
    };
}

void sherd_read_output(sherd_scene_reader *reader, const sherd_node *root)
{
    sherd_scene_output *output = &reader->scene->output;
    *output = default_output();
    const sherd_node *node = sherd_node_find(root, "output");
    if (node != NULL && sherd_read_fields(reader, node, &SHERD_FIELD_TABLE(FIELDS), output)) {
        const sherd_node *surface = sherd_node_find(node, "surface");
        const sherd_node *meshes = sherd_node_find(node, "meshes");
        const sherd_node *render = sherd_node_find(node, "render");
        if (surface != NULL) read_surface(reader, surface, &output->surface);
        if (meshes != NULL) read_meshes(reader, meshes, output);
        if (render != NULL) read_render(reader, render, &output->render);
    }
    if (output->probe_rate == 0.0) output->probe_rate = output->frame_rate;
}

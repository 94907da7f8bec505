// Lesson 4: pictures of a world. A ball falls on a block of concrete; we draw the broken block under
// a clear sky, coloured by its fragments, by stress, or by the vertical velocity. Beside the
// picture we write its layers as an OpenEXR file for compositing, where the build can.
//
//     cc picture.c $(pkg-config --cflags --libs sherd) -lm -o picture
//     ./picture fragments broken.png
//     ./picture von-mises broken.png 40             from 40 degrees about z
//     ./picture principal broken.png 40 wood.jpg    on a floor with a picture
//     ./picture velocity broken.png
#include <sherd/layers.h>
#include <sherd/packing.h>
#include <sherd/world.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double DEGREE = 3.14159265358979323846 / 180.0, BALL = 8e-3; // radius [m]

static void stop(const sherd_error *error)
{
    fprintf(stderr, "%s: %s\n%s\n", error->where, error->what, error->hint);
    exit(1);
}

static void add_block(sherd_world *world)
{
    sherd_error error;
    sherd_material_def concrete = sherd_material_def_default();
    concrete.tensile_strength = 4e5, concrete.shear_strength = 6e5; // [Pa]
    concrete.youngs_modulus = 1e8, concrete.shear_modulus = 4e7;    // [Pa]
    sherd_material_id material = sherd_world_add_material(world, &concrete, &error);
    sherd_shape *box = sherd_shape_box((sherd_vec3){0.05, 0.03, 0.01}, &error); // [m]
    if (material.index1 == 0 || box == NULL) stop(&error);
    sherd_packing_def def = sherd_packing_def_default();
    def.radius = 1.2e-3; // [m]
    sherd_packing *packing = sherd_packing_create(box, &def, &error);
    if (packing == NULL) stop(&error);
    sherd_body_def body = sherd_body_def_default();
    body.count = packing->count;
    body.x = packing->x, body.y = packing->y, body.z = packing->z;
    body.radius = packing->radius;
    body.material = material;
    body.pose.position.z = 5.2e-3;
    if (sherd_world_add_body(world, &body, &error).index1 == 0) stop(&error);
    sherd_packing_destroy(packing);
    sherd_shape_destroy(box);
}

// One colour for each element, by what `by` names; stresses from 0 to the block's tensile strength.
static void color_elements(const sherd_world *world, const char *by, float *colors)
{
    sherd_element_view e = sherd_world_elements(world);
    sherd_stress *stress = malloc((size_t)e.count * sizeof *stress);
    sherd_element_index *first = malloc((size_t)e.count * sizeof *first);
    if (stress == NULL || first == NULL) abort();
    sherd_world_stress(world, stress);
    sherd_world_components(world, first);
    for (sherd_element_index k = 0; k < e.count; ++k) {
        sherd_color c;
        double principal[3];
        if (strcmp(by, "von-mises") == 0) {
            c = sherd_color_map(sherd_stress_von_mises(&stress[k]) / 4e5);
        } else if (strcmp(by, "principal") == 0) {
            sherd_stress_principal(&stress[k], principal);
            c = sherd_color_map(principal[0] / 4e5);
        } else if (strcmp(by, "velocity") == 0) {
            c = sherd_color_map_signed(e.vz[k] / 4.0); // blue: down at 4 m/s, red: up
        } else {
            c = sherd_color_categorical(first[k]); // one colour for each fragment
        }
        colors[3 * k] = c.r, colors[3 * k + 1] = c.g, colors[3 * k + 2] = c.b;
    }
    free(stress);
    free(first);
}

// The bounds of the elements [m].
static sherd_bounds bounds_of(const sherd_element_view *e)
{
    sherd_bounds b = {{1.0, 1.0, 0.0}, {-1.0, -1.0, 0.03}};
    for (sherd_element_index k = 0; k < e->count; ++k) {
        b.low.x = fmin(b.low.x, e->x[k]), b.high.x = fmax(b.high.x, e->x[k]);
        b.low.y = fmin(b.low.y, e->y[k]), b.high.y = fmax(b.high.y, e->y[k]);
    }
    return b;
}

static void set_sky_and_floor(sherd_render_scene *scene, const char *file)
{
    sherd_error error;
    sherd_sky_def sky = sherd_sky_def_default();
    sky.sun_elevation = 50.0 * DEGREE;
    scene->environment = sherd_environment_sky(&sky, &error);
    if (scene->environment == NULL) stop(&error);
    // The floor looks as concrete does, or has the picture of a file on it.
    sherd_texture_look look = sherd_texture_describe(SHERD_TEXTURE_CONCRETE);
    scene->ground.color = sherd_color_srgb(look.color);
    scene->ground.roughness = look.roughness;
    scene->ground.texture =
        (sherd_texture){.kind = SHERD_TEXTURE_CONCRETE, .size = 0.01, .contrast = 1.0};
    if (file == NULL) return;
    scene->ground.texture.image = sherd_texture_image_read(file, &error);
    scene->ground.texture.size = 0.1; // width of the picture [m]
    if (scene->ground.texture.image == NULL) stop(&error);
}

static sherd_render_mesh ball_mesh(const sherd_mesh *ball)
{
    return (sherd_render_mesh){.name = "ball",
                               .vertex_count = ball->vertex_count,
                               .triangle_count = ball->triangle_count,
                               .vertices = ball->vertices,
                               .triangles = ball->triangles,
                               .normals = ball->normals,
                               .material = sherd_render_material_default()};
}

static void write_picture(const sherd_render_scene *scene, const char *path)
{
    sherd_error error;
    sherd_layers *layers;
    sherd_image *image = sherd_render_layers(scene, &layers, &error);
    if (image == NULL) stop(&error);
    if (sherd_image_write_png(image, path, &error) != SHERD_OK) stop(&error);
    char exr[1024];
    snprintf(exr, sizeof exr, "%s.exr", path);
    if (sherd_exr_available() &&
        sherd_layers_write_exr(layers, SHERD_EXR_HALF, exr, &error) != SHERD_OK)
        stop(&error);
    printf("%s: %d x %d pixels\n", path, (int)image->width, (int)image->height);
    sherd_layers_destroy(layers);
    sherd_image_destroy(image);
}

static void draw(const sherd_world *world, const sherd_shape *ball, int argc, char **argv)
{
    sherd_error error;
    sherd_element_view e = sherd_world_elements(world);
    double *radius = malloc((size_t)e.count * sizeof *radius);
    float *colors = malloc(3 * (size_t)e.count * sizeof *colors);
    if (radius == NULL || colors == NULL) abort();
    for (sherd_element_index k = 0; k < e.count; ++k)
        radius[k] = sherd_world_element(world, k).radius;
    color_elements(world, argv[1], colors);
    sherd_render_spheres spheres = {.name = "block",
                                    .count = e.count,
                                    .x = e.x,
                                    .y = e.y,
                                    .z = e.z,
                                    .radius = radius,
                                    .colors = colors,
                                    .material = sherd_render_material_default()};
    // The ball's triangles, moved to where it is now.
    sherd_mesh *surface = sherd_shape_surface(ball, BALL / 8.0, &error);
    if (surface == NULL) stop(&error);
    for (int32_t v = 0; v < surface->vertex_count; ++v) {
        sherd_vec3 at = sherd_world_obstacle_pose(world, 1).position;
        surface->vertices[3 * v] += at.x, surface->vertices[3 * v + 1] += at.y;
        surface->vertices[3 * v + 2] += at.z;
    }
    sherd_render_mesh mesh = ball_mesh(surface);

    sherd_render_scene scene = sherd_render_scene_default();
    scene.width = 480, scene.height = 270;
    scene.spheres = &spheres, scene.sphere_batch_count = 1;
    scene.meshes = &mesh, scene.mesh_count = 1;
    double aspect = (double)scene.width / scene.height;
    sherd_bounds bounds = bounds_of(&e);
    scene.camera = argc < 4
                       ? sherd_camera_frame_bounds(bounds, aspect)
                       : sherd_camera_orbit(bounds, aspect, atof(argv[3]) * DEGREE, 30.0 * DEGREE);
    set_sky_and_floor(&scene, argc < 5 ? NULL : argv[4]);
    write_picture(&scene, argv[2]);
    sherd_texture_image_destroy((sherd_texture_image *)scene.ground.texture.image);
    sherd_environment_destroy((sherd_environment *)scene.environment);
    sherd_mesh_destroy(surface);
    free(radius);
    free(colors);
}

int main(int argc, char **argv)
{
    if (argc < 3 || argc > 5) {
        fprintf(stderr, "usage: picture COLOURS OUTPUT.png [DEGREES [FLOOR]]\n");
        return 2;
    }
    sherd_error error;
    if (sherd_pictures_check(&error) != SHERD_OK) stop(&error);
    sherd_world_def def = sherd_world_def_default();
    sherd_world *world = sherd_world_create(&def, &error);
    sherd_shape *ball = sherd_shape_sphere(BALL, &error);
    if (world == NULL || ball == NULL) stop(&error);
    sherd_obstacle_def floor_def = sherd_obstacle_def_default();
    floor_def.is_plane = true; // z = 0
    sherd_obstacle_def ball_def = sherd_obstacle_def_default();
    ball_def.kind = SHERD_OBSTACLE_FREE;
    ball_def.shape = ball;
    ball_def.density = 7800;                  // [kg/m^3]
    ball_def.pose.position.z = 0.0105 + BALL; // just above the block [m]
    ball_def.velocity.z = -6.0;               // [m/s]
    if (sherd_world_add_obstacle(world, &floor_def, &error).index1 == 0 ||
        sherd_world_add_obstacle(world, &ball_def, &error).index1 == 0)
        stop(&error);
    add_block(world);
    if (sherd_world_advance(world, 2e-3, &error) != SHERD_OK) stop(&error);
    draw(world, ball, argc, argv);
    sherd_world_destroy(world);
    sherd_shape_destroy(ball);
    return 0;
}

// The text of a scene from a mesh file, and the times and places that follow from what happens.
#include "shell/new_mesh.h"

#include "message.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const double GRAVITY = 9.81;
// Lengths as fractions of the body's largest extent D.
static const double FALL_SHOWN = 0.15; // from the start to the floor
static const double BALL = 0.1, BALL_WAY = 0.25, PLATE = 0.06, PLATE_GAP = 0.01;
// Of the body's height, and of its length.
static const double PRESSED = 0.4, TORN = 0.8, GRIP = 0.15, TORN_ABOVE = 0.5;
// Strength of the grains over the stress of the impact: at a third of its strength a body loses
// less than 0.1 % of its elements (docs/reference/scene-bodies.md, how many pieces). Pressed bodies
// are compressed far beyond the stress of the press's speed.
static const double GRAINS = 4.0, PRESSED_GRAINS = 10.0;
static const double SHEAR = 1.25; // shear over tensile strength

// ---------------------------------------------------------------- sizes and times

sherd_vec3 mesh_scene_size(const mesh_scene *m)
{
    return (sherd_vec3){m->high.x - m->low.x, m->high.y - m->low.y, m->high.z - m->low.z};
}

double mesh_scene_extent(const mesh_scene *m)
{
    sherd_vec3 size = mesh_scene_size(m);
    return fmax(size.x, fmax(size.y, size.z));
}

double mesh_scene_pace(const mesh_scene *m)
{
    return fmax(m->speed, sqrt(GRAVITY * mesh_scene_extent(m)));
}

double mesh_scene_stress(const mesh_scene *m)
{
    return m->material->density * m->sound * mesh_scene_pace(m);
}

double mesh_scene_grain_strength(const mesh_scene *m)
{
    return m->action == MESH_PRESS ? PRESSED_GRAINS : GRAINS;
}

double mesh_scene_gap(const mesh_scene *m)
{
    double fall = m->speed * m->speed / (2.0 * GRAVITY);
    if (m->action == MESH_DROP) return fmin(FALL_SHOWN * mesh_scene_extent(m), fall);
    return m->action == MESH_TEAR ? TORN_ABOVE * mesh_scene_extent(m) : 0.0;
}

// Where the ball starts.
static sherd_vec3 ball_start(const mesh_scene *m)
{
    double D = mesh_scene_extent(m);
    return (sherd_vec3){-0.5 * mesh_scene_size(m).x - (BALL + BALL_WAY) * D, m->aim.y,
                        fmax(m->aim.z, 1.1 * BALL * D)};
}

// The speed with which a falling body starts.
static double start_speed(const mesh_scene *m)
{
    return sqrt(fmax(m->speed * m->speed - 2.0 * GRAVITY * mesh_scene_gap(m), 0.0));
}

double mesh_scene_contact_time(const mesh_scene *m)
{
    switch (m->action) {
    case MESH_DROP:
        return (m->speed - start_speed(m)) / GRAVITY;
    case MESH_HIT:
        return (m->aim.x - ball_start(m).x) / m->speed;
    case MESH_PRESS:
        return PLATE_GAP * mesh_scene_extent(m) / m->speed;
    case MESH_TEAR:
        break;
    }
    return 0.0;
}

// How far the press or each end is moved.
static double way(const mesh_scene *m)
{
    if (m->action == MESH_PRESS)
        return PRESSED * mesh_scene_size(m).z + PLATE_GAP * mesh_scene_extent(m);
    return 0.5 * TORN * mesh_scene_extent(m);
}

double mesh_scene_action_time(const mesh_scene *m)
{
    bool moves = m->action == MESH_PRESS || m->action == MESH_TEAR;
    return moves ? way(m) / m->speed : mesh_scene_contact_time(m);
}

// ---------------------------------------------------------------- the text

typedef struct writer {
    char *text;
    size_t used;
} writer;

static void put(writer *w, const char *format, ...) SHERD_PRINTF(2, 3);

static void put(writer *w, const char *format, ...)
{
    if (w->used >= MESH_TEXT) return;
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(w->text + w->used, MESH_TEXT - w->used, format, arguments);
    va_end(arguments);
    w->used += (size_t)length;
}

// "[0.1, 0, -2]": 0.0001 of the body's extent is shown.
static void put_vector(writer *w, sherd_vec3 v, double extent)
{
    double unit = pow(10.0, floor(log10(extent)) - 4.0);
    const double x[3] = {v.x, v.y, v.z};
    for (int k = 0; k < 3; ++k)
        put(w, "%s%.12g", k == 0 ? "[" : ", ", unit * round(x[k] / unit) + 0.0);
    put(w, "]");
}

static void put_length(writer *w, double metres)
{
    if (metres < 0.1)
        put(w, "%.4g mm", 1e3 * metres);
    else
        put(w, "%.4g m", metres);
}

static void put_head(writer *w, const mesh_scene *m)
{
    static const char *const WORDS[] = {"falls onto the floor", "is struck by a ball",
                                        "is pressed against the floor", "is torn apart"};
    put(w, "# %s, of %s, %s at %.3g m/s", m->file, m->material->name, WORDS[m->action], m->speed);
    if (m->height > 0.0) put(w, ", from a height of %.3g m", m->height);
    put(w,
        ": about %.0f pieces.\n"
        "# %s\n",
        m->expected, m->unit_note);
    if (m->shape_note[0] != '\0') put(w, "# %s\n", m->shape_note);
    put(w,
        "# What you may want to change is marked by <-.\n#\n"
        "#     sherd check %s.yaml    what will break, elements, memory, time\n"
        "#     sherd run %s.yaml      pictures, video, meshes and a report into out/%s\n"
        "#     sherd view %s.yaml     in the browser\n#\n"
        "# Numbers without a unit are of SI. More keys: docs/reference/scene.md.\n",
        m->name, m->name, m->name, m->name);
}

static void put_output(writer *w, const mesh_scene *m)
{
    enum { FRAMES = 60 };
    double extent = mesh_scene_extent(m), rate = FRAMES / m->duration;
    double unit = pow(10.0, floor(log10(rate)) - 1.0);
    put(w,
        "sherd: 1\nname: %s\nduration: %.4g s # <- how long is looked at\n"
        "output:\n"
        "  frame_rate: %.3g # <- frames per second; a video shows 24 or more a second\n"
        "  meshes: [glb] # also usd, ply, vtk, html\n"
        "  render:\n"
        "    width: 640\n    height: 360\n    samples: 8\n"
        "    camera: {position: ",
        m->name, m->duration, fmax(unit * round(rate / unit), unit));
    put_vector(w, m->eye, extent);
    put(w, ", target: ");
    put_vector(w, m->target, extent);
    put(w, ", fov: 30 deg}\n");
}

static void put_stress(writer *w, const char *key, double pascals)
{
    char text[MESSAGE_TEXT];
    put(w, "    %s: %s\n", key, message_pressure(pascals, text));
}

static void put_material(writer *w, const mesh_scene *m)
{
    static const struct {
        const char *material, *texture;
    } LOOKS[] = {{"ceramic", "glaze"},  {"brick", "ceramic"}, {"concrete", "concrete"},
                 {"granite", "marble"}, {"wood", "wood"},     {"steel", "metal"},
                 {"aluminium", "metal"}};
    const sherd_material_figures *f = m->material;
    char modulus[MESSAGE_TEXT];
    double real = sqrt(f->youngs_modulus / f->density);
    double strength = mesh_scene_grain_strength(m) * mesh_scene_stress(m);
    put(w, "\nmaterials:\n  %s: # sherd materials %s has its real figures and their sources\n",
        f->name, f->name);
    put(w, "    density: %.6g\n", f->density);
    if (m->sound < 0.999 * real)
        put(w,
            "    # Its real modulus is %s. A softer body takes longer steps, and breaks alike "
            "where\n"
            "    # strengths fall with the root of the modulus.\n",
            message_pressure(f->youngs_modulus, modulus));
    put_stress(w, "youngs_modulus", f->density * m->sound * m->sound);
    put(w, "    poissons_ratio: %.3g\n", f->poissons_ratio);
    put(w, "    # Of what lies between the walls of the pieces, below: chosen to stay whole.\n");
    put_stress(w, "tensile_strength", strength);
    put_stress(w, "shear_strength", SHEAR * strength);
    put(w,
        "    weibull_modulus: 10 # scatter of strengths; smaller: more\n"
        "    seed: 1             # <- another number, other breaks\n"
        "    friction: %.3g\n    restitution: %.3g\n"
        "    color: [%.3g, %.3g, %.3g]\n",
        f->friction, f->restitution, f->color.x, f->color.y, f->color.z);
    if (f->opacity < 1.0) put(w, "    opacity: %.3g\n", f->opacity);
    for (size_t k = 0; k < sizeof LOOKS / sizeof LOOKS[0]; ++k)
        if (strcmp(LOOKS[k].material, f->name) == 0)
            put(w, "    appearance: {texture: %s}\n", LOOKS[k].texture);
}

static void put_body(writer *w, const mesh_scene *m)
{
    double extent = mesh_scene_extent(m);
    put(w,
        "\nbodies:\n"
        "  - name: %s\n"
        "    shape: {mesh: {file: \"%s\", scale: %.6g m",
        m->name, m->file, m->unit);
    if (m->thickness > 0.0) {
        put(w, ", thickness: ");
        put_length(w, m->thickness);
    }
    put(w, "}}\n    packing: {hcp: {radius: ");
    put_length(w, m->radius);
    put(w,
        "}} # <- half of it: eight times as many elements\n"
        "    material: %s\n"
        "    # It breaks along the walls of Voronoi cells. `size` is that of the pieces; lower\n"
        "    # the `strength` of their walls, and more of them part.\n"
        "    weakness:\n"
        "      - {strength: %.3g, voronoi: {size: ",
        m->material->name, m->walls);
    put_length(w, m->cell);
    put(w, ", warp: 0.4, seed: 1}} # <- pieces\n");
    if (m->y_up) put(w, "    rotation: [90 deg, 0, 0] # its file has y up\n");
    put(w, "    position: ");
    put_vector(w,
               (sherd_vec3){-0.5 * (m->low.x + m->high.x), -0.5 * (m->low.y + m->high.y),
                            mesh_scene_gap(m) - m->low.z},
               extent);
    put(w, "\n");
    if (m->action == MESH_DROP)
        put(w,
            "    # It starts just above the floor, with the speed that it has there.\n"
            "    velocity: [0, 0, -%.4g m/s] # <-\n",
            start_speed(m));
}

// A ball of half the body's mass, as it should break and be seen.
static void put_ball(writer *w, const mesh_scene *m)
{
    double extent = mesh_scene_extent(m);
    put(w, "  - name: ball\n    sphere: ");
    put_length(w, BALL * extent);
    put(w, "\n    position: ");
    put_vector(w, ball_start(m), extent);
    put(w,
        "\n    free: {mass: %.3g kg, velocity: [%.4g m/s, 0, 0]} # <-\n"
        "    friction: 0.3\n    color: [0.35, 0.37, 0.40]\n"
        "    appearance: {texture: metal}\n",
        0.5 * m->material->density * m->volume, m->speed);
}

static void put_plate(writer *w, const mesh_scene *m)
{
    double extent = mesh_scene_extent(m), wide = 1.6;
    sherd_vec3 size = mesh_scene_size(m);
    put(w, "  - name: press\n    box: ");
    put_vector(w, (sherd_vec3){wide * size.x, wide * size.y, PLATE * extent}, extent);
    put(w, "\n    position: ");
    put_vector(w, (sherd_vec3){0.0, 0.0, size.z + (0.5 * PLATE + PLATE_GAP) * extent}, extent);
    put(w,
        "\n    motion: # <- when it is how far down\n"
        "      table:\n"
        "        - {time: 0}\n"
        "        - {time: %.4g s, translation: ",
        mesh_scene_action_time(m));
    put_vector(w, (sherd_vec3){0.0, 0.0, -way(m)}, extent);
    put(w, "}\n    friction: 0.4\n    color: [0.35, 0.37, 0.40]\n");
}

// Grips at both ends of the longest extent.
static void put_grips(writer *w, const mesh_scene *m)
{
    static const char *const NAMES[2] = {"one-end", "other-end"};
    double extent = mesh_scene_extent(m);
    sherd_vec3 size = mesh_scene_size(m);
    double e[3] = {size.x, size.y, size.z};
    int axis = e[0] >= e[1] && e[0] >= e[2] ? 0 : e[1] >= e[2] ? 1 : 2;
    put(w, "\n# What lies in a region is moved.\ndrivers:\n");
    for (int end = 0; end < 2; ++end) {
        double box[3], at[3] = {0.0, 0.0, mesh_scene_gap(m) + 0.5 * size.z}, to[3] = {0.0};
        double side = end == 0 ? -1.0 : 1.0;
        for (int k = 0; k < 3; ++k)
            box[k] = k == axis ? 2.0 * GRIP * extent : 1.2 * fmax(e[k], m->thickness);
        at[axis] += side * 0.5 * extent;
        to[axis] = side * way(m);
        put(w, "  - name: %s\n    region: {box: ", NAMES[end]);
        put_vector(w, (sherd_vec3){box[0], box[1], box[2]}, extent);
        put(w, ", position: ");
        put_vector(w, (sherd_vec3){at[0], at[1], at[2]}, extent);
        put(w, "}\n    motion: {table: [{time: 0}, {time: %.4g s, translation: ",
            mesh_scene_action_time(m));
        put_vector(w, (sherd_vec3){to[0], to[1], to[2]}, extent);
        put(w, "}]} # <-\n");
    }
}

bool mesh_scene_text(const mesh_scene *m, char text[MESH_TEXT])
{
    writer w = {text, 0};
    put_head(&w, m);
    put_output(&w, m);
    put_material(&w, m);
    put_body(&w, m);
    put(&w, "\nobstacles:\n"
            "  - {name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}, friction: 0.5}\n");
    if (m->action == MESH_HIT) put_ball(&w, m);
    if (m->action == MESH_PRESS) put_plate(&w, m);
    if (m->action == MESH_TEAR) put_grips(&w, m);
    return w.used < MESH_TEXT;
}

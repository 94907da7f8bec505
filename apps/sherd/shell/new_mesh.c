// sherd new NAME --mesh FILE: reads the options and the mesh, guesses its unit and which axis is up,
// and decides whether it is a solid or a sheet.
#include "shell/new_mesh.h"

#include "commands.h"
#include "message.h"
#include "shell/new_file.h"

#include <sherd/mesh.h>

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { DEFAULT_PIECES = 40, DEFAULT_ELEMENTS = 6000 };

static const double GRAVITY = 9.81;
// Without an action it falls from this many of its largest extents.
static const double FALL = 1.25;
// Of a new surface's area: more that closes what was open, and the mesh shows walls, not a solid.
static const double OPEN = 0.1;
// A sheet's elements: their radius squared over area per element, of a wall of SHEET_RADII radii in
// close packing, 4 sqrt(2) / SHEET_RADII, with its limits over the largest extent.
static const double SHEET_RADII = 4.0, LEAST_SHEET = 0.01, MOST_SHEET = 0.06;

// ---------------------------------------------------------------- numbers with units

typedef struct unit_row {
    const char *name;
    double size;
} unit_row;

static const unit_row LENGTHS[] = {{"m", 1.0},     {"cm", 1e-2},   {"mm", 1e-3}, {"km", 1e3},
                                   {"in", 0.0254}, {"ft", 0.3048}, {NULL, 0.0}};
static const unit_row SPEEDS[] = {
    {"m/s", 1.0}, {"cm/s", 1e-2}, {"mm/s", 1e-3}, {"km/h", 1 / 3.6}, {NULL, 0.0}};

// "2 m" or "2m". False if it is no positive number with one of these units.
static bool parse_quantity(const char *text, const unit_row *units, double *value)
{
    char *end;
    double number = strtod(text, &end);
    if (end == text || !(number > 0.0) || !isfinite(number)) return false;
    while (*end == ' ')
        ++end;
    for (; units->name != NULL; ++units)
        if (strcmp(end, units->name) == 0) {
            *value = number * units->size;
            return *value > 1e-9 && *value < 1e9;
        }
    return false;
}

// ---------------------------------------------------------------- options

static int take_action(mesh_scene *m, const command_options *o)
{
    const char *const given[] = {o->drop, o->hit, o->press, o->tear};
    static const char *const names[] = {"--drop", "--hit", "--press", "--tear"};
    int count = 0;
    for (int k = 0; k < 4; ++k) {
        if (given[k] == NULL) continue;
        if (count++ > 0)
            return message_usage("one of --drop, --hit, --press and --tear, please", names[k],
                                 NULL);
        m->action = (mesh_action)k;
        if (parse_quantity(given[k], SPEEDS, &m->speed)) continue;
        if (k == 0 && parse_quantity(given[k], LENGTHS, &m->height)) continue;
        return message_usage(k == 0 ? "--drop wants a height or a speed with its unit"
                                    : "wants a speed with its unit",
                             given[k],
                             k == 0 ? "e.g. --drop \"2 m\" or --drop \"6 m/s\"" : "e.g. \"5 m/s\"");
    }
    if (m->height > 0.0) m->speed = sqrt(2.0 * GRAVITY * m->height);
    return 0;
}

static int take_options(mesh_scene *m, double *size, const command_options *o)
{
    const char *name = o->material != NULL ? o->material : "plaster";
    sherd_material_def def;
    sherd_error error;
    if (sherd_material_named(name, &def, &error) != SHERD_OK)
        return message_usage("no material of this name", name, error.hint);
    m->material = sherd_material_library_find(name);
    if (m->material->model != SHERD_SOLID_MODEL_BONDED)
        return message_usage("a material of points does not break into pieces", name,
                             "sherd materials lists the others, of model `bonded`");
    if (o->size != NULL && !parse_quantity(o->size, LENGTHS, size))
        return message_usage("--size wants a length with its unit", o->size,
                             "e.g. --size \"30 cm\", of the largest extent");
    if (o->up != NULL && strcmp(o->up, "y") != 0 && strcmp(o->up, "z") != 0)
        return message_usage("--up wants y or z", o->up, NULL);
    if (o->kind != NULL || o->detail != NULL)
        return message_usage("--kind and --detail are for scenes without a mesh",
                             o->kind != NULL ? o->kind : o->detail, NULL);
    m->pieces = o->pieces > 0 ? o->pieces : DEFAULT_PIECES;
    m->elements = o->elements > 0 ? o->elements : DEFAULT_ELEMENTS;
    return take_action(m, o);
}

// ---------------------------------------------------------------- paths

// The path of a file as seen from a folder, both of which exist; the absolute path where they share
// no more than the root.
static void relative_path(const char *folder, const char *file, char path[MESSAGE_PATH])
{
    char *from = realpath(folder, NULL), *to = realpath(file, NULL);
    snprintf(path, MESSAGE_PATH, "%s", to != NULL ? to : file);
    size_t shared = 0; // up to the slash behind the last common folder
    for (size_t k = 0; from != NULL && to != NULL; ++k) {
        bool ends = from[k] == '\0' || from[k] == '/';
        if (ends && to[k] == '/') shared = k;
        if (from[k] == '\0' || from[k] != to[k]) break;
    }
    if (shared > 0) {
        size_t used = 0;
        path[0] = '\0';
        for (const char *at = from + shared; *at != '\0' && used < MESSAGE_PATH; ++at)
            if (*at == '/') used += (size_t)snprintf(path + used, MESSAGE_PATH - used, "../");
        if (used < MESSAGE_PATH) snprintf(path + used, MESSAGE_PATH - used, "%s", to + shared + 1);
    }
    free(to);
    free(from);
}

// ---------------------------------------------------------------- the mesh

static bool ends_with(const char *path, const char *ending)
{
    size_t length = strlen(path), size = strlen(ending);
    return length > size && strcasecmp(path + length - size, ending) == 0;
}

static double triangle_area(const sherd_mesh *mesh, int32_t t)
{
    const double *a = &mesh->vertices[3 * mesh->triangles[3 * t]];
    const double *b = &mesh->vertices[3 * mesh->triangles[3 * t + 1]];
    const double *c = &mesh->vertices[3 * mesh->triangles[3 * t + 2]];
    double u[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
    double v[3] = {c[0] - a[0], c[1] - a[1], c[2] - a[2]};
    double x = u[1] * v[2] - u[2] * v[1], y = u[2] * v[0] - u[0] * v[2],
           z = u[0] * v[1] - u[1] * v[0];
    return 0.5 * sqrt(x * x + y * y + z * z);
}

// Area of all triangles, in the file's unit.
static double area_of(const sherd_mesh *mesh)
{
    double area = 0.0;
    for (int32_t t = 0; t < mesh->triangle_count; ++t)
        area += triangle_area(mesh, t);
    return area;
}

// Area of the triangles that lie near the lowest place along an axis: what the mesh could stand on.
static double base_area(const sherd_mesh *mesh, const sherd_bounds *b, int axis)
{
    static const double NEAR = 0.02; // of the extent along the axis
    double low = axis == 1 ? b->low.y : b->low.z, high = axis == 1 ? b->high.y : b->high.z;
    double below = low + NEAR * (high - low), area = 0.0;
    for (int32_t t = 0; t < mesh->triangle_count; ++t) {
        const int32_t *corner = &mesh->triangles[3 * t];
        bool near = true;
        for (int k = 0; k < 3; ++k)
            near = near && mesh->vertices[3 * corner[k] + axis] <= below;
        if (near) area += triangle_area(mesh, t);
    }
    return area;
}

// glTF comes turned to z up already; printers' files have z up, others mostly y, unless the mesh
// has a far larger base along the other axis.
static bool guess_y_up(const char *file, const sherd_mesh *mesh, const sherd_bounds *b, double area)
{
    static const double LARGER = 3.0, LARGE = 0.01; // than the other base; of all the area
    if (ends_with(file, ".glb") || ends_with(file, ".gltf")) return false;
    double y = base_area(mesh, b, 1), z = base_area(mesh, b, 2);
    if (y > LARGER * z && y > LARGE * area) return true;
    if (z > LARGER * y && z > LARGE * area) return false;
    return !ends_with(file, ".stl");
}

// STL is for printers, which take millimetres. Otherwise metres, if that makes it some 2 cm to 5 m
// large, or centimetres, or millimetres.
static void guess_unit(mesh_scene *m, const char *file, double extent, double size)
{
    bool printed = ends_with(file, ".stl");
    char length[SHERD_LENGTH_TEXT];
    const char *name = "metres";
    m->unit = 1.0;
    if (size > 0.0) {
        m->unit = size / extent;
        snprintf(m->unit_note, MESH_NOTE, "Its largest extent, %.4g in its file, is %s, as asked.",
                 extent, sherd_length_text(size, length));
        return;
    }
    if (printed ? extent >= 2.0 : extent > 500.0)
        m->unit = 1e-3, name = "millimetres";
    else if (!printed && extent > 5.0)
        m->unit = 1e-2, name = "centimetres";
    snprintf(m->unit_note, MESH_NOTE,
             "Its largest extent is %.4g in its file: taken as %s, so %s (--size LENGTH if not).",
             extent, name, sherd_length_text(m->unit * extent, length));
}

// Gives the mesh a thickness if it encloses nothing, or little of what its triangles show.
static void decide_thickness(mesh_scene *m, const sherd_mesh *mesh, double extent, double area)
{
    enum { CELLS = 60 }; // of a coarse new surface, along the largest extent
    sherd_error ignored;
    sherd_wrap_report report = {0};
    sherd_mesh *copy = sherd_mesh_copy(mesh, &ignored), *wrapped = NULL;
    bool closed = copy != NULL && sherd_mesh_repair(copy, NULL, NULL, &ignored) == SHERD_OK;
    sherd_mesh_destroy(copy);
    if (closed) return;
    sherd_wrap_def def = {.edge_length = extent / CELLS};
    wrapped = sherd_mesh_wrap(mesh, NULL, &def, &report, &ignored);
    bool sheet = wrapped == NULL || report.closed_share > OPEN;
    sherd_mesh_destroy(wrapped);
    if (!sheet) return;
    double radius = sqrt(SHEET_RADII / (4.0 * sqrt(2.0)) * area / m->elements);
    double thickness = fmin(fmax(SHEET_RADII * radius, LEAST_SHEET * extent), MOST_SHEET * extent);
    char length[SHERD_LENGTH_TEXT];
    m->thickness = m->unit * thickness;
    snprintf(m->shape_note, MESH_NOTE,
             "The mesh is open: it is made of walls %s thick (`thickness`, below).",
             sherd_length_text(m->thickness, length));
}

static int read_mesh(mesh_scene *m, const char *file, const command_options *o, double size)
{
    sherd_error error;
    sherd_mesh *mesh = sherd_mesh_read(file, 1.0, &error);
    if (mesh == NULL) return message_refused(&error);
    sherd_bounds b = sherd_mesh_bounds(mesh);
    double extent = fmax(b.high.x - b.low.x, fmax(b.high.y - b.low.y, b.high.z - b.low.z));
    double area = area_of(mesh);
    if (mesh->triangle_count == 0 || !(extent > 0.0) || !isfinite(extent) || !(area > 0.0)) {
        sherd_mesh_destroy(mesh);
        return message_usage("the mesh has no triangles with an area", file, "export it again");
    }
    m->y_up = o->up != NULL ? o->up[0] == 'y' : guess_y_up(file, mesh, &b, area);
    guess_unit(m, file, extent, size);
    decide_thickness(m, mesh, extent, area);
    sherd_mesh_destroy(mesh);
    double u = m->unit, half = 0.5 * m->thickness;
    m->area = u * u * area;
    m->low = (sherd_vec3){u * b.low.x - half, u * b.low.y - half, u * b.low.z - half};
    m->high = (sherd_vec3){u * b.high.x + half, u * b.high.y + half, u * b.high.z + half};
    if (m->y_up) { // a quarter turn about x: y becomes z, z becomes -y
        sherd_vec3 low = m->low, high = m->high;
        m->low = (sherd_vec3){low.x, -high.z, low.y};
        m->high = (sherd_vec3){high.x, -low.z, high.y};
    }
    return 0;
}

// ---------------------------------------------------------------- the command

int new_mesh_scene(const command_options *options, const char *path, const char *name)
{
    char file[MESSAGE_PATH], folder[MESSAGE_PATH], text[MESH_TEXT], shown[MESSAGE_NAME];
    mesh_scene m = {.name = name, .file = file};
    double size = 0.0;
    int code = take_options(&m, &size, options);
    if (code == 0) code = new_file_refuse(path);
    if (code == 0) code = read_mesh(&m, options->mesh, options, size);
    if (code != 0) return code;
    if (!(m.speed > 0.0))
        m.height = FALL * mesh_scene_extent(&m), m.speed = sqrt(2.0 * GRAVITY * m.height);
    snprintf(folder, sizeof folder, "%s", path);
    char *slash = strrchr(folder, '/');
    if (slash != NULL)
        slash[slash == folder] = '\0';
    else
        snprintf(folder, sizeof folder, ".");
    relative_path(folder, options->mesh, file);
    if (strpbrk(file, "\"\\\n") != NULL)
        return message_usage("a scene can't name this path", file,
                             "rename it without quotes, backslashes and line feeds");
    fprintf(stderr, "%s\n", m.unit_note);
    if (options->up == NULL)
        fprintf(stderr, "Its %s axis is taken as upward (--up %s if not).\n", m.y_up ? "y" : "z",
                m.y_up ? "z" : "y");
    if (m.shape_note[0] != '\0') fprintf(stderr, "%s\n", m.shape_note);
    code = mesh_scene_find(&m, path, options->threads);
    if (code != 0) return code;
    if (!mesh_scene_text(&m, text)) return message_usage("too long a name", path, NULL);
    code = new_file_write(path, text);
    if (code == EXIT_DONE)
        printf("written to %s: %d elements, about %.0f pieces\n  sherd run %s\n",
               message_name(path, shown), m.elements, m.expected, shown);
    return code;
}

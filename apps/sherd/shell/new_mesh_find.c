// Finds the numbers of a scene from a mesh: the elements' radius, the stiffness, the size of
// Voronoi cells and the strength of their walls for a number of pieces, what the camera shows.
//
//   radius     for the wanted number of elements, from the shape's volume; walls get three elements
//   stiffness  a speed of sound of 20 times the action's speed: stiff enough to look rigid, few steps
//   cells      of 1.4 times the wanted pieces, counted with all their walls broken
//   walls      short runs with coarse elements, halving the interval of the strength's logarithm
//
// Why walls and not the material's strength alone: without them a body goes from a few pieces to
// powder within a factor of two of the strength. Cells limit the number from above.
#include "shell/new_mesh.h"

#include "message.h"

#include <sherd/weakness.h>
#include <sherd/world.h>
#include <sherd/world_view.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double PI = 3.14159265358979323846;
static const double GRAVITY = 9.81;
static const double CELL_VOLUME = 5.656854249492381; // of close packing, in cubed radii: 4 sqrt(2)

// Cells over wanted pieces, and the elements of a cell at the least.
static const double SPARE_CELLS = 1.4, CELL_ELEMENTS = 30.0;
// Thin walls: elements across, and how many times the wanted elements they may cost.
static const double ACROSS = 3.0, MORE_ELEMENTS = 3.0;
static const double LEAST_ACROSS = 0.4; // radius over thickness in trial runs, at most
// Speed of sound over the action's speed, and its least.
static const double STIFF = 40.0, LEAST_STIFF = 25.0;
static const double STEP_OF_RADIUS = 0.6; // stable step over the time of sound along a radius
static const double MAX_STEPS = 20000.0;  // of the run
static const double SETTLE = 4.0;         // times sqrt(D / g), after the action

// ---------------------------------------------------------------- the scene in memory

static sherd_scene *scene_of(const mesh_scene *m, const char *path, int *code)
{
    char text[MESH_TEXT];
    if (!mesh_scene_text(m, text)) {
        *code = message_usage("too long a name", path, NULL);
        return NULL;
    }
    sherd_diagnostics diagnostics = {0};
    sherd_scene *scene = sherd_scene_parse(text, strlen(text), path, NULL, &diagnostics);
    if (scene == NULL) *code = message_diagnostics(&diagnostics);
    sherd_diagnostics_free(&diagnostics);
    return scene;
}

// ---------------------------------------------------------------- elements

// The radius for the wanted number of elements that fill a volume, but ACROSS of them across walls
// as thin as the volume over the surface says. A lattice's outermost elements lie inside.
static double radius_for(const mesh_scene *m, double volume)
{
    double radius = cbrt(volume / (CELL_VOLUME * m->elements));
    double wall = m->area > 0.0 ? 2.0 * volume / m->area : INFINITY;
    if (m->thickness > 0.0) wall = m->thickness;
    double thin = fmax(wall / (2.0 * ACROSS), radius / cbrt(MORE_ELEMENTS));
    return fmin(radius, thin);
}

// Packs the shape twice: the number of elements of the first packing corrects the radius.
static int find_radius(mesh_scene *m, const char *path, int threads)
{
    m->radius = 0.01 * mesh_scene_extent(m);
    for (int round = 0; round < 3; ++round) {
        int code = 0;
        sherd_error error;
        sherd_scene *scene = scene_of(m, path, &code);
        if (scene == NULL) return code;
        m->volume = sherd_shape_volume(scene->bodies[0].shape);
        double radius = radius_for(m, m->volume);
        if (round > 0) {
            sherd_packing *packing = sherd_scene_pack_body(scene, 0, threads, &error);
            if (packing == NULL) code = message_error(&error);
            if (packing != NULL)
                radius = m->radius *
                         cbrt(packing->count /
                              fmax(m->elements, pow(radius, -3.0) * m->volume / CELL_VOLUME));
            sherd_packing_destroy(packing);
        }
        sherd_scene_destroy(scene);
        if (code != 0) return code;
        m->radius = radius;
    }
    return 0;
}

// ---------------------------------------------------------------- cells

static sherd_element_index root_of(sherd_element_index *parent, sherd_element_index e)
{
    while (parent[e] != e)
        e = parent[e] = parent[parent[e]];
    return e;
}

// The parts into which a body falls if all walls of such cells are broken.
static int count_cells(const sherd_world *world, const sherd_vec3 *rest,
                       sherd_element_index *parent, const sherd_weakness *walls)
{
    sherd_element_index count = sherd_world_elements(world).count, parts = count;
    sherd_bond_view bonds = sherd_world_bonds(world);
    for (sherd_element_index e = 0; e < count; ++e)
        parent[e] = e;
    for (sherd_bond_index b = 0; b < bonds.count; ++b) {
        if (sherd_weakness_amount(walls, rest[bonds.i[b]], rest[bonds.j[b]]) > 0.5) continue;
        sherd_element_index i = root_of(parent, bonds.i[b]), j = root_of(parent, bonds.j[b]);
        if (i != j) parent[i] = j, --parts;
    }
    return parts;
}

static sherd_weakness *cell_walls(double size, double strength, sherd_error *error)
{
    sherd_weakness_def def = sherd_weakness_def_default();
    def.kind = SHERD_WEAKNESS_VORONOI;
    def.size = size, def.warp = 0.4, def.seed = 1, def.strength = strength;
    return sherd_weakness_create(&def, error);
}

// Counts the cells of that size; -1 on failure.
static int cells_of(const sherd_world *world, double size, sherd_error *error)
{
    sherd_element_index count = sherd_world_elements(world).count;
    sherd_vec3 *rest = malloc((size_t)count * sizeof *rest);
    sherd_element_index *parent = malloc((size_t)count * sizeof *parent);
    sherd_weakness *walls = cell_walls(size, 0.5, error);
    int cells = -1;
    if (rest != NULL && parent != NULL && walls != NULL) {
        for (sherd_element_index e = 0; e < count; ++e)
            rest[e] = sherd_world_element(world, e).rest;
        cells = count_cells(world, rest, parent, walls);
    } else if (walls != NULL) {
        *error = (sherd_error){.status = SHERD_ERROR_MEMORY, .what = "not enough memory"};
    }
    sherd_weakness_destroy(walls);
    free(parent);
    free(rest);
    return cells;
}

// The size whose cells are SPARE_CELLS times the wanted pieces, by halving the interval of its
// logarithm. Returns the number of cells, -1 on failure.
static int find_cells(mesh_scene *m, const sherd_world *world, sherd_error *error)
{
    enum { HALVINGS = 12 };
    double wanted = fmax(SPARE_CELLS * m->pieces, 2.0);
    double low = 2.0 * m->radius, high = 2.0 * mesh_scene_extent(m);
    int cells = 0;
    for (int k = 0; k < HALVINGS; ++k) {
        m->cell = sqrt(low * high);
        cells = cells_of(world, m->cell, error);
        if (cells < 0) return -1;
        if (fabs(cells - wanted) <= 0.04 * wanted) return cells;
        if (cells > wanted)
            low = m->cell;
        else
            high = m->cell;
    }
    return cells;
}

// ---------------------------------------------------------------- trial runs

enum { SAMPLES = 40 };

typedef struct trial {
    double pieces;        // at the end
    bool complete;        // not stopped because of too many pieces
    double settled;       // when most elements were slow [s]
    sherd_vec3 low, high; // what most elements covered, from start to end [m]
} trial;

static int compare_numbers(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// The range of all but the outermost 3 % on either side.
static void range_of(const double *x, sherd_element_index count, double *sorted, double *low,
                     double *high)
{
    sherd_element_index cut = count / 33;
    memcpy(sorted, x, (size_t)count * sizeof *sorted);
    qsort(sorted, (size_t)count, sizeof *sorted, compare_numbers);
    *low = fmin(*low, sorted[cut]);
    *high = fmax(*high, sorted[count - 1 - cut]);
}

static int count_pieces(const sherd_world *world, sherd_element_index *first)
{
    sherd_element_index count = sherd_world_elements(world).count;
    int pieces = 0;
    sherd_world_components(world, first);
    for (sherd_element_index e = 0; e < count; ++e)
        pieces += first[e] == e;
    return pieces;
}

// Runs the world to the end, or until there are more than `most` pieces.
static sherd_status run_trial(sherd_world *world, const mesh_scene *m, double most, trial *t,
                              sherd_error *error)
{
    sherd_element_index count = sherd_world_elements(world).count;
    double *sorted = malloc((size_t)count * sizeof *sorted);
    sherd_element_index *first = malloc((size_t)count * sizeof *first);
    sherd_status status = sorted != NULL && first != NULL ? SHERD_OK : SHERD_ERROR_MEMORY;
    if (status != SHERD_OK)
        *error = (sherd_error){.status = status, .what = "not enough memory for a trial run"};
    *t = (trial){.low = {INFINITY, INFINITY, INFINITY}, .high = {-INFINITY, -INFINITY, -INFINITY}};
    for (int k = 0; k <= SAMPLES && status == SHERD_OK; ++k) {
        if (k > 0) status = sherd_world_advance(world, m->duration * k / SAMPLES, error);
        if (status != SHERD_OK) break;
        sherd_element_view e = sherd_world_elements(world);
        t->pieces = count_pieces(world, first);
        range_of(e.x, count, sorted, &t->low.x, &t->high.x);
        range_of(e.y, count, sorted, &t->low.y, &t->high.y);
        range_of(e.z, count, sorted, &t->low.z, &t->high.z);
        if (t->pieces > most) break;
        t->complete = k == SAMPLES;
    }
    free(first);
    free(sorted);
    return status;
}

// Coarse elements, and their cells, which are fewer in corners that elements do not reach.
typedef struct trials {
    sherd_scene *scene;
    int cells, threads;
} trials;

static sherd_status try_strength(const trials *of, const mesh_scene *m, double strength,
                                 double most, trial *t, sherd_error *error)
{
    sherd_weakness *walls = cell_walls(m->cell, strength, error);
    if (walls == NULL) return error->status;
    sherd_weakness_list kept = of->scene->bodies[0].weakness;
    of->scene->bodies[0].weakness = (sherd_weakness_list){1, &walls};
    sherd_scene_build build = {0};
    sherd_world *world = sherd_scene_create_world(of->scene, of->threads, &build, error);
    sherd_status status = world != NULL ? run_trial(world, m, most, t, error) : error->status;
    sherd_world_destroy(world);
    sherd_scene_build_free(&build);
    of->scene->bodies[0].weakness = kept;
    sherd_weakness_destroy(walls);
    return status;
}

// Halves the interval of the strength's logarithm until a trial has about the wanted number of
// pieces, and keeps the nearest.
static sherd_status find_strength(mesh_scene *m, const trials *of, int cells, trial *best,
                                  sherd_error *error)
{
    enum { TRIALS = 7 };
    // Finer elements chip more: pieces of the run over those of the trial.
    static const double CLOSE = 1.2, TOO_MANY = 1.3, FINER = 1.15;
    double grains = mesh_scene_grain_strength(m);
    double low = 0.002 / grains, high = 0.9, off = INFINITY;
    // A share of the cells, which are not as many as those of the run.
    double scale = FINER * (cells - 1.0) / fmax(of->cells - 1.0, 1.0);
    double wanted = m->pieces, most = 1.0 + TOO_MANY * (wanted - 1.0) / scale;
    for (int k = 0; k < TRIALS && off > log(CLOSE); ++k) {
        trial t;
        double strength = sqrt(low * high);
        if (k == 0) strength = 0.1 / grains;
        sherd_status status = try_strength(of, m, strength, fmax(most, 3.0), &t, error);
        if (status != SHERD_OK) return status;
        double pieces = 1.0 + scale * (t.pieces - 1.0);
        fprintf(stderr, "  walls of %.2g of the impact's stress: %s%.0f pieces\n",
                strength * grains, t.complete ? "" : "more than ", pieces);
        double apart = fabs(log(pieces / wanted));
        if (t.complete && apart < off) {
            off = apart, *best = t;
            m->walls = strength, m->expected = pieces;
        }
        if (pieces > wanted)
            low = strength;
        else
            high = strength;
    }
    if (isfinite(off)) return SHERD_OK;
    // All had too many: what breaks is not the walls, or little elements at the surface.
    m->walls = high, m->expected = m->pieces;
    return try_strength(of, m, high, INFINITY, best, error);
}

// ---------------------------------------------------------------- time and camera

// After the action pieces fall and slide; small and fast ones go on.
static void set_times(mesh_scene *m)
{
    double extent = mesh_scene_extent(m), pace = mesh_scene_pace(m);
    double real = sqrt(m->material->youngs_modulus / m->material->density);
    m->duration = mesh_scene_action_time(m) + SETTLE * sqrt(extent / GRAVITY);
    double budget = MAX_STEPS * STEP_OF_RADIUS * m->radius / m->duration;
    m->sound = fmin(real, fmax(LEAST_STIFF * pace, fmin(STIFF * pace, budget)));
    double most = 2.0 * MAX_STEPS * STEP_OF_RADIUS * m->radius / m->sound;
    double least = mesh_scene_action_time(m) + 3.0 * extent / pace;
    m->duration = fmax(fmin(m->duration, most), least);
}

static double dot(sherd_vec3 a, sherd_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

// Stands in front, a little to the right and above, as far away as shows the box.
static void set_camera(mesh_scene *m, sherd_vec3 low, sherd_vec3 high)
{
    static const double WIDE = 16.0 / 9.0, MARGIN = 1.12;
    const double azimuth = 20.0 * PI / 180.0, elevation = 20.0 * PI / 180.0;
    double tangent = tan(0.5 * MESH_FOV), away = 0.0;
    sherd_vec3 back = {sin(azimuth) * cos(elevation), -cos(azimuth) * cos(elevation),
                       sin(elevation)};
    sherd_vec3 right = {cos(azimuth), sin(azimuth), 0.0};
    sherd_vec3 up = {-sin(azimuth) * sin(elevation), cos(azimuth) * sin(elevation), cos(elevation)};
    sherd_vec3 middle = {0.5 * (low.x + high.x), 0.5 * (low.y + high.y), 0.5 * (low.z + high.z)};
    for (int corner = 0; corner < 8; ++corner) {
        sherd_vec3 x = {(corner & 1 ? high.x : low.x) - middle.x,
                        (corner & 2 ? high.y : low.y) - middle.y,
                        (corner & 4 ? high.z : low.z) - middle.z};
        double across = fmax(fabs(dot(x, right)) / WIDE, fabs(dot(x, up)));
        away = fmax(away, dot(x, back) + MARGIN * across / tangent);
    }
    m->target = middle;
    m->eye =
        (sherd_vec3){middle.x + away * back.x, middle.y + away * back.y, middle.z + away * back.z};
}

// Shows the body at the start, whole, and what the trial's elements covered, at most FAR times the
// body's extent from its middle.
static void frame(mesh_scene *m, const trial *t)
{
    static const double FAR = 1.5;
    double extent = mesh_scene_extent(m), far = FAR * extent;
    sherd_vec3 size = mesh_scene_size(m);
    double top = mesh_scene_gap(m) + size.z;
    if (m->action == MESH_PRESS) top += 0.1 * extent;
    sherd_vec3 low = {fmin(-0.5 * size.x, fmax(t->low.x, -far)),
                      fmin(-0.5 * size.y, fmax(t->low.y, -far)), 0.0};
    sherd_vec3 high = {fmax(0.5 * size.x, fmin(t->high.x, far)),
                       fmax(0.5 * size.y, fmin(t->high.y, far)),
                       fmax(top, fmin(t->high.z, top + 0.25 * extent))};
    if (m->action == MESH_HIT) low.x = fmin(low.x, -0.5 * size.x - 0.45 * extent);
    set_camera(m, low, high);
}

// ---------------------------------------------------------------- all of it

// The element next to the middle of all, for the ball to strike.
static void find_aim(mesh_scene *m, const sherd_world *world)
{
    sherd_element_view e = sherd_world_elements(world);
    double y = 0.0, z = 0.0, nearest = INFINITY;
    for (sherd_element_index k = 0; k < e.count; ++k)
        y += e.y[k] / e.count, z += e.z[k] / e.count;
    for (sherd_element_index k = 0; k < e.count; ++k) {
        double apart = hypot(e.y[k] - y, e.z[k] - z) + 1e-3 * fabs(e.x[k]);
        if (apart < nearest) nearest = apart, m->aim = (sherd_vec3){0.0, e.y[k], e.z[k]};
    }
    m->aim.x = INFINITY;
    for (sherd_element_index k = 0; k < e.count; ++k)
        if (hypot(e.y[k] - m->aim.y, e.z[k] - m->aim.z) < 2.0 * m->radius)
            m->aim.x = fmin(m->aim.x, e.x[k]);
}

static sherd_status find_pieces(mesh_scene *m, const char *path, int threads, int cells, int *code,
                                sherd_error *error)
{
    mesh_scene coarse = *m;
    double elements = fmin(fmax(1200.0, 12.0 * cells), m->elements);
    coarse.radius = m->radius * cbrt(m->elements / elements);
    double wall = m->thickness > 0.0 ? m->thickness : 2.0 * m->volume / m->area;
    coarse.radius = fmax(m->radius, fmin(coarse.radius, LEAST_ACROSS * wall));
    trials of = {.scene = scene_of(&coarse, path, code), .threads = threads};
    if (of.scene == NULL) return SHERD_OK;
    sherd_scene_build build = {0};
    sherd_world *world = sherd_scene_create_world(of.scene, threads, &build, error);
    sherd_status status = world != NULL ? SHERD_OK : error->status;
    if (world != NULL) of.cells = cells_of(world, m->cell, error);
    if (world != NULL && of.cells < 0) status = error->status;
    sherd_world_destroy(world);
    sherd_scene_build_free(&build);
    trial best = {0};
    if (status == SHERD_OK) status = find_strength(m, &of, cells, &best, error);
    if (status == SHERD_OK) frame(m, &best);
    sherd_scene_destroy(of.scene);
    return status;
}

int mesh_scene_find(mesh_scene *m, const char *path, int threads)
{
    sherd_error error;
    int code = 0;
    double extent = mesh_scene_extent(m);
    m->sound = STIFF * mesh_scene_pace(m), m->duration = 1.0, m->walls = 0.5, m->cell = extent;
    m->expected = m->pieces, m->aim = (sherd_vec3){-0.5 * extent, 0.0, 0.5 * extent};
    m->volume = extent * extent * extent;
    frame(m, &(trial){0});
    m->elements = (int)fmax(m->elements, CELL_ELEMENTS * SPARE_CELLS * m->pieces);
    code = find_radius(m, path, threads);
    if (code != 0) return code;
    set_times(m);
    sherd_scene *scene = scene_of(m, path, &code);
    if (scene == NULL) return code;
    sherd_scene_build build = {0};
    sherd_world *world = sherd_scene_create_world(scene, threads, &build, &error);
    int cells = -1;
    if (world != NULL) {
        find_aim(m, world);
        m->elements = sherd_world_elements(world).count;
        cells = find_cells(m, world, &error);
    }
    sherd_world_destroy(world);
    sherd_scene_build_free(&build);
    sherd_scene_destroy(scene);
    if (cells < 0) return message_error(&error);
    if (m->action == MESH_HIT) set_times(m);
    fprintf(stderr, "trying how strong walls give %d of %d pieces:\n", m->pieces, cells);
    if (find_pieces(m, path, threads, cells, &code, &error) != SHERD_OK)
        return message_error(&error);
    return code;
}

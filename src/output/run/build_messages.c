#include "output/run/build_messages.h"

#include "laws/law_tables.h"
#include "material/strength.h"
#include "math/quat.h"
#include "math/vec3.h"
#include "scene/scene_overlap.h"
#include "scene/scene_query.h"

#include <sherd/world_view.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MAX_OVERLAPS = 8 };

static const double MIN_COVER = 0.3; // of a shape's volume

// ---------------------------------------------------------------- packings

static void report_random(const sherd_scene_body *body, const sherd_packing *p, sherd_messages *to)
{
    const sherd_message_level note = SHERD_MESSAGE_NOTE;
    if (p->parts > 1 && p->tetra != NULL)
        sherd_message_send(
            to, note, body->where, NULL,
            "bodies.%s: its tetrahedra are in %d parts, with no bond between them: separate "
            "pieces of its shape, or scraps of thin walls that a smaller `size` would "
            "connect",
            body->name, p->parts);
    else if (p->parts > 1)
        sherd_message_send(to, note, body->where, NULL,
                           "bodies.%s: its shape is in %d pieces, with no bond between them",
                           body->name, p->parts);
    if (p->bridges > 0)
        sherd_message_send(
            to, note, body->where, NULL,
            "bodies.%s: %d bond%s longer than bond_range, to elements that would have none "
            "otherwise: mostly in narrow places of the shape",
            body->name, p->bridges, p->bridges == 1 ? " reaches" : "s reach");
    if (p->left_out > 0)
        sherd_message_send(
            to, note, body->where, NULL,
            "bodies.%s: %d element%s left out, too far from the others to be bonded to them "
            "through a place narrower than an element; a smaller radius helps",
            body->name, p->left_out, p->left_out == 1 ? " was" : "s were");
}

// report_random handles packings that know their parts.
static void report_pieces(const sherd_scene_body *body, const sherd_packing *p,
                          const sherd_body_bonds *bonds, sherd_messages *to)
{
    if (p->parts > 0 || body->is_yarn || bonds->pieces < 2 || bonds->apart + 1 >= p->count) return;
    sherd_message_send(
        to, SHERD_MESSAGE_NOTE, body->where, NULL,
        "bodies.%s: its elements are in %d pieces with no bond between them, of up to %d "
        "elements: separate parts of its shape, or places narrower than two elements, which "
        "a smaller radius connects",
        body->name, (int)bonds->pieces, (int)(p->count - bonds->apart));
}

// Elements nearer to a face than this touch it [radii].
static const double NEAR_FACE = 0.3;

static void report_face(const sherd_scene_body *body, const sherd_packing *p, sherd_messages *to)
{
    double n[3] = {p->face_normal.x, p->face_normal.y, p->face_normal.z};
    if (!(p->face_gap > NEAR_FACE * p->lattice_radius)) return;
    for (int a = 0; a < 3; ++a)
        n[a] = round(100.0 * n[a]) / 100.0 + 0.0; // no -0
    char gap[SHERD_LENGTH_TEXT];
    sherd_message_send(
        to, SHERD_MESSAGE_NOTE, body->where, NULL,
        "bodies.%s: its outermost elements lie %s (%.2g radii) below the face towards "
        "[%.3g, %.3g, %.3g] of its shape: move what should touch that face nearer by as "
        "much, or %s",
        body->name, sherd_length_text(p->face_gap, gap), p->face_gap / p->lattice_radius, n[0],
        n[1], n[2],
        body->packing.orientation == SHERD_PACKING_ORIENT_AUTO
            ? "choose another radius"
            : "leave out `orientation` or choose another radius");
}

// Distance from an obstacle's surface.
static double distance_to(const sherd_obstacle_def *o, sherd_vec3 x)
{
    sherd_vec3 own = pose_apply_inverse(o->pose, x);
    return o->shape != NULL ? sherd_shape_distance(o->shape, own) : own.z;
}

// The nearest point of the obstacle, given its distance.
static sherd_vec3 nearest_of(const sherd_obstacle_def *o, sherd_vec3 x, double distance, double h)
{
    sherd_vec3 slope = {
        distance_to(o, vec3(x.x + h, x.y, x.z)) - distance_to(o, vec3(x.x - h, x.y, x.z)),
        distance_to(o, vec3(x.x, x.y + h, x.z)) - distance_to(o, vec3(x.x, x.y - h, x.z)),
        distance_to(o, vec3(x.x, x.y, x.z + h)) - distance_to(o, vec3(x.x, x.y, x.z - h))};
    return vec3_add_scaled(x, -distance, vec3_normalize(slope));
}

typedef struct ball {
    sherd_vec3 centre;
    double radius; // INFINITY: a plane
} ball;

// Bounding sphere of the obstacle in world coordinates.
static ball ball_around(const sherd_obstacle_def *o)
{
    if (o->shape == NULL) return (ball){o->pose.position, INFINITY};
    sherd_bounds b = sherd_shape_bounds(o->shape);
    sherd_vec3 middle = vec3_scale(0.5, vec3_add(b.low, b.high));
    return (ball){pose_apply(o->pose, middle), 0.5 * vec3_distance(b.low, b.high)};
}

// An obstacle that touches a body's shape may have a gap to its elements, as lattices end inside
// round and slanted surfaces. Flat faces are handled by report_face.
static void report_gap(const sherd_scene_body *body, const sherd_packing *p,
                       const sherd_obstacle_def *o, sherd_messages *to)
{
    double gap = 2.0 * p->lattice_radius;
    ball around = ball_around(o);
    sherd_element_index nearest = -1;
    for (sherd_element_index k = 0; k < p->count; ++k) {
        sherd_vec3 x = pose_apply(body->pose, vec3(p->x[k], p->y[k], p->z[k]));
        if (vec3_distance(around.centre, x) - around.radius > gap + p->radius[k]) continue;
        double apart = distance_to(o, x) - p->radius[k];
        if (apart < gap) gap = apart, nearest = k;
    }
    if (nearest < 0 || !(gap > NEAR_FACE * p->lattice_radius)) return;
    sherd_vec3 x = pose_apply(body->pose, vec3(p->x[nearest], p->y[nearest], p->z[nearest]));
    double r = p->radius[nearest];
    sherd_vec3 touched = nearest_of(o, x, gap + r, 1e-3 * r);
    double outside = sherd_shape_distance(body->shape, pose_apply_inverse(body->pose, touched));
    if (!(outside < 0.5 * gap)) return; // it is placed at a distance on purpose
    char length[SHERD_LENGTH_TEXT];
    sherd_message_send(
        to, SHERD_MESSAGE_NOTE, body->where, NULL,
        "bodies.%s: obstacle '%s' reaches its shape, but begins %s (%.2g radii) from its "
        "nearest element: move it nearer by as much, or choose a smaller radius",
        body->name, o->name, sherd_length_text(gap, length), gap / p->lattice_radius);
}

static void report_gaps(const sherd_scene *scene, const sherd_scene_body *body,
                        const sherd_packing *p, sherd_messages *to)
{
    bool reported = p->face_gap > NEAR_FACE * p->lattice_radius;
    if (reported || body->shape == NULL || p->lattice_radius <= 0.0 ||
        sherd_scene_is_of_points(body))
        return;
    bool moves = vec3_length(body->velocity) > 0.0 || vec3_length(scene->world.gravity) > 0.0;
    for (int k = 0; k < scene->obstacle_count; ++k) // a falling body will meet the obstacle anyway
        if (!moves || scene->obstacles[k].def.kind == SHERD_OBSTACLE_DRIVEN)
            report_gap(body, p, &scene->obstacles[k].def, to);
}

// Reports rows of elements along drawn cracks and in materials that soften, where they guide
// cracks.
static void report_rows(const sherd_scene *scene, const sherd_scene_build *build, int k,
                        sherd_messages *to)
{
    const sherd_scene_body *body = &scene->bodies[k];
    const sherd_packing_def *def = &body->packing;
    bool layers = def->kind == SHERD_PACKING_HEX_LAYERS;
    if (body->is_yarn || body->loose || (!layers && def->kind != SHERD_PACKING_HCP)) return;
    const sherd_material_def *m = sherd_scene_bonds_of(scene, build, body->material);
    bool breaks = sherd_breakage_describe(m->breakage)->breaks && isfinite(m->tensile_strength);
    bool softens = layers && sherd_material_fracture_energy(m) > 0.0;
    if (!breaks || (build->body_bonds[k].broken == 0 && !softens)) return;
    sherd_message_send(
        to, SHERD_MESSAGE_NOTE, body->where, NULL,
        "bodies.%s: cracks follow the rows of its hexagonal layers, which have three "
        "directions 60 degrees apart: where a crack is to find its way, or to branch, choose "
        "`packing: {random: ...}`, or turn the rows by `angle` (%.3g degrees now) and compare",
        body->name, def->angle * 180.0 / M_PI);
}

void sherd_scene_tell_packings(const sherd_scene *scene, const sherd_scene_build *build,
                               sherd_message_callback *tell, void *context)
{
    sherd_messages to = {tell, context, 0};
    for (int k = 0; k < build->body_count; ++k) {
        report_random(&scene->bodies[k], build->packings[k], &to);
        report_pieces(&scene->bodies[k], build->packings[k], &build->body_bonds[k], &to);
        report_face(&scene->bodies[k], build->packings[k], &to);
        report_gaps(scene, &scene->bodies[k], build->packings[k], &to);
        report_rows(scene, build, k, &to);
    }
    sherd_run_predict_impacts(scene, build, &to);
}

// ---------------------------------------------------------------- warnings

static const char UNITE[] = "move one of them, or make one body with a `union` of both shapes";

// True if both meet through the grid, to which elements and free bodies couple.
static bool meet_as_guests(const sherd_scene *scene, const sherd_scene_overlap *o)
{
    bool points = sherd_scene_is_of_points(&scene->bodies[o->body]);
    if (o->other_is_obstacle)
        return points && scene->obstacles[o->other].def.kind == SHERD_OBSTACLE_FREE;
    return points != sherd_scene_is_of_points(&scene->bodies[o->other]);
}

static void warn_overlaps(const sherd_scene *scene, const sherd_scene_build *build,
                          sherd_messages *to)
{
    sherd_scene_overlap list[MAX_OVERLAPS];
    int count = sherd_scene_overlaps(scene, build, list, MAX_OVERLAPS);
    for (int k = 0; k < count && k < MAX_OVERLAPS; ++k) {
        const sherd_scene_overlap *o = &list[k];
        const sherd_scene_body *body = &scene->bodies[o->body];
        bool guests = meet_as_guests(scene, o);
        char depth[SHERD_LENGTH_TEXT];
        sherd_message_send(
            to, SHERD_MESSAGE_WARNING, body->where,
            o->other_is_obstacle || guests ? "move one of them" : UNITE,
            "body '%s' begins up to %s inside %s '%s' (%d %s): contact %s", body->name,
            sherd_length_text(o->depth, depth), o->other_is_obstacle ? "obstacle" : "body",
            o->other_is_obstacle ? scene->obstacles[o->other].def.name
                                 : scene->bodies[o->other].name,
            o->elements, sherd_scene_is_of_points(body) ? "points" : "elements",
            guests ? "parts them slowly"
                   : "takes this overlap as the rest state and resists deeper ones only");
    }
    if (count > MAX_OVERLAPS)
        sherd_message_send(to, SHERD_MESSAGE_WARNING, NULL, NULL,
                           "%d more bodies begin inside others", count - MAX_OVERLAPS);
}

// Loose grains have no bonds, points are joined by their grid, and tetrahedra are joined across
// such faces.
static bool bonds_seams(const sherd_scene_body *body)
{
    return body->loose || sherd_scene_is_of_points(body) ||
           body->packing.kind == SHERD_PACKING_TETRA;
}

static void warn_seams(const sherd_scene *scene, sherd_messages *to)
{
    for (int k = 0; k < scene->seam_count; ++k) {
        const sherd_scene_seam *s = &scene->seams[k];
        const sherd_scene_body *body = &scene->bodies[s->body];
        if (bonds_seams(body)) continue;
        sherd_message_send(
            to, SHERD_MESSAGE_WARNING, s->where,
            "let parts overlap by the radius of an element or more, or make two bodies",
            "this part of the shape of body '%s' only touches part %d of its union, near "
            "(%.3g, %.3g, %.3g) m of the union's frame: they share no volume, so that few "
            "bonds or none join them",
            body->name, s->part, s->at.x, s->at.y, s->at.z);
    }
}

// ---------------------------------------------------------------- of bodies

typedef bool body_test(const sherd_scene *scene, const sherd_scene_build *build, int body);

// Several bodies with the same warning: the first, and a list of the others ("" if none).
enum { OTHERS = 160, MAX_NAMES = 3, MAX_OF_NAME = 24 };
typedef struct body_list {
    int first, count;
    char others[OTHERS];
} body_list;

static body_list list_bodies(const sherd_scene *scene, const sherd_scene_build *build,
                             body_test *test)
{
    body_list list = {.first = -1};
    char names[OTHERS / 2] = "";
    for (int k = 0; k < scene->body_count; ++k) {
        if (!test(scene, build, k)) continue;
        size_t used = strlen(names);
        if (list.count++ == 0)
            list.first = k;
        else if (list.count - 2 < MAX_NAMES)
            snprintf(names + used, sizeof names - used, "%s'%.*s'", used > 0 ? ", " : "",
                     MAX_OF_NAME, scene->bodies[k].name);
    }
    int others = list.count - 1;
    if (others > 0)
        snprintf(list.others, sizeof list.others, ". The same of %d other bod%s: %s%s", others,
                 others == 1 ? "y" : "ies", names, others > MAX_NAMES ? " and so on" : "");
    return list;
}

// Volume of the lattice cells or, without a lattice, of spheres, which fill half of the space or
// more.
static double cover_of(const sherd_packing *p)
{
    return fmin(p->cell_volume_match, 2.0 * p->solid_fraction);
}

static bool is_hardly_covered(const sherd_scene *scene, const sherd_scene_build *build, int body)
{
    (void)scene;
    return cover_of(build->packings[body]) < MIN_COVER;
}

static void warn_cover(const sherd_scene *scene, const sherd_scene_build *build, sherd_messages *to)
{
    body_list list = list_bodies(scene, build, is_hardly_covered);
    if (list.count == 0) return;
    const sherd_packing *p = build->packings[list.first];
    char percent[SHERD_PERCENT_TEXT], radius[SHERD_LENGTH_TEXT];
    sherd_message_send(to, SHERD_MESSAGE_WARNING, scene->bodies[list.first].where, NULL,
                       "elements of body '%s', %d in all, cover only %s of its shape; the rest is "
                       "thinner than an element: choose a radius below %s%s",
                       scene->bodies[list.first].name, p->count,
                       sherd_percent_text(cover_of(p), percent),
                       sherd_length_text(0.5 * p->lattice_radius, radius), list.others);
}

static double min_extent(const sherd_shape *shape)
{
    sherd_bounds b = sherd_shape_bounds(shape);
    return fmin(b.high.x - b.low.x, fmin(b.high.y - b.low.y, b.high.z - b.low.z));
}

// Grid nodes are two point spacings apart.
static bool is_thin(const sherd_scene *scene, const sherd_scene_build *build, int k)
{
    const sherd_scene_body *body = &scene->bodies[k];
    (void)build;
    return sherd_scene_is_of_points(body) &&
           min_extent(body->shape) <
               0.999 * 2.0 * body->packing.spacing; // tolerance for lengths given with few digits
}

static void warn_thin(const sherd_scene *scene, const sherd_scene_build *build, sherd_messages *to)
{
    body_list list = list_bodies(scene, build, is_thin);
    if (list.count == 0) return;
    const sherd_scene_body *body = &scene->bodies[list.first];
    double thin = min_extent(body->shape);
    char extent[SHERD_LENGTH_TEXT], cell[SHERD_LENGTH_TEXT], below[SHERD_LENGTH_TEXT];
    sherd_message_send(
        to, SHERD_MESSAGE_WARNING, body->where, NULL,
        "body '%s' is %s thin, less than a cell of the grid of its points, %s: it bends and meets "
        "others as if it were as thick as that; choose a spacing below %s%s",
        body->name, sherd_length_text(thin, extent),
        sherd_length_text(2.0 * body->packing.spacing, cell), sherd_length_text(0.5 * thin, below),
        list.others);
}

// Points of a lattice that does not fit represent more than their cells. A fluid settles to the
// volume of the cells: 1014 points 1.5 cm apart in 20 by 20 by 10 cm, whose cells have 0.856 of
// that volume, settle to 0.841 of its depth; with a spacing of 1 cm to 0.973.
static const double MIN_FILL = 0.95;

static bool is_loose(const sherd_scene *scene, const sherd_scene_build *build, int k)
{
    return sherd_scene_is_of_points(&scene->bodies[k]) && build->packings[k] != NULL &&
           build->packings[k]->cell_volume_match < MIN_FILL;
}

static bool is_fluid(const sherd_scene *scene, int k)
{
    return scene->materials[scene->bodies[k].material].def.model == SHERD_SOLID_MODEL_FLUID;
}

static bool sinks(const sherd_scene *scene, const sherd_scene_build *build, int k)
{
    return is_loose(scene, build, k) && is_fluid(scene, k);
}

static bool has_empty_rim(const sherd_scene *scene, const sherd_scene_build *build, int k)
{
    return is_loose(scene, build, k) && !is_fluid(scene, k);
}

// Fraction of a shape's box that rows of points fill.
static double fill_of_box(const double extent[3], double spacing)
{
    double fill = 1.0;
    for (int k = 0; k < 3; ++k)
        fill *= fmax(1.0, floor(extent[k] / spacing + 0.01)) * spacing / extent[k];
    return fill;
}

// The spacing nearest to a body's of which all extents are multiples to FIT, at most twice as small and not larger than by a
// quarter; 0: none.
static double fitting_spacing(const sherd_scene_body *body)
{
    const double FIT = 0.01, spacing = body->packing.spacing;
    sherd_bounds b = sherd_shape_bounds(body->shape);
    const double extent[3] = {b.high.x - b.low.x, b.high.y - b.low.y, b.high.z - b.low.z};
    double best = 0.0;
    for (int axis = 0; axis < 3; ++axis)
        for (double n = ceil(0.8 * extent[axis] / spacing);
             n <= 2.0 * extent[axis] / spacing && n < 1e4; ++n) {
            double s = extent[axis] / n;
            bool nearer = best == 0.0 || fabs(log(s / spacing)) < fabs(log(best / spacing));
            if (n >= 1.0 && nearer && fabs(fill_of_box(extent, s) - 1.0) < FIT) best = s;
        }
    return best;
}

static const char *hint_of_spacing(const sherd_scene_body *body, size_t size, char *text)
{
    char length[SHERD_LENGTH_TEXT];
    double spacing = fitting_spacing(body);
    snprintf(text, size, "choose a spacing of which the shape's extents are multiples");
    if (spacing > 0.0)
        snprintf(text, size, "a spacing of %s fits", sherd_length_text(spacing, length));
    return text;
}

static void warn_level(const sherd_scene *scene, const sherd_scene_build *build, sherd_messages *to)
{
    body_list list = list_bodies(scene, build, sinks);
    if (list.count == 0) return;
    char hint[128];
    const sherd_scene_body *body = &scene->bodies[list.first];
    double fill = build->packings[list.first]->cell_volume_match;
    sherd_message_send(
        to, SHERD_MESSAGE_WARNING, body->where, hint_of_spacing(body, sizeof hint, hint),
        "cells of the points of body '%s' fill %.1f %% of its shape: what flows settles to "
        "the room of its cells, so that its level will be %.0f %% too low%s",
        body->name, 100.0 * fill, 100.0 * (1.0 - fill), list.others);
}

// What does not flow keeps its mass, in cells that do not reach to its surface.
static void note_rims(const sherd_scene *scene, const sherd_scene_build *build, sherd_messages *to)
{
    body_list list = list_bodies(scene, build, has_empty_rim);
    if (list.count == 0) return;
    char hint[128];
    const sherd_scene_body *body = &scene->bodies[list.first];
    double fill = build->packings[list.first]->cell_volume_match;
    sherd_message_send(to, SHERD_MESSAGE_NOTE, body->where,
                       hint_of_spacing(body, sizeof hint, hint),
                       "%.1f %% of the volume of body '%s' has no points%s", 100.0 * (1.0 - fill),
                       body->name, list.others);
}

static double cell_of_points(const sherd_scene *scene)
{
    double cell = 0.0;
    for (int k = 0; k < scene->body_count; ++k)
        if (sherd_scene_is_of_points(&scene->bodies[k]))
            cell = fmax(cell, 2.0 * scene->bodies[k].packing.spacing);
    return cell;
}

// Free bodies couple to points by volume, and planes have only one side.
static bool is_thin_obstacle(const sherd_scene_obstacle *o, double cell)
{
    return o->def.shape != NULL && o->def.kind != SHERD_OBSTACLE_FREE &&
           min_extent(o->def.shape) < 0.999 * cell;
}

static void warn_thin_obstacles(const sherd_scene *scene, sherd_messages *to)
{
    double cell = cell_of_points(scene);
    const sherd_scene_obstacle *first = NULL;
    char others[64] = "";
    int count = 0;
    for (int k = 0; k < scene->obstacle_count; ++k) {
        if (!is_thin_obstacle(&scene->obstacles[k], cell)) continue;
        if (count++ == 0) first = &scene->obstacles[k];
    }
    if (count == 0) return;
    char extent[SHERD_LENGTH_TEXT], width[SHERD_LENGTH_TEXT];
    if (count > 1)
        snprintf(others, sizeof others, ". The same of %d other obstacle%s", count - 1,
                 count == 2 ? "" : "s");
    sherd_message_send(
        to, SHERD_MESSAGE_WARNING, first->where,
        "make it thicker, on the side where nothing is, or choose a smaller spacing of "
        "points",
        "obstacle '%s' is %s thin, less than a cell of the grid of material points, %s: points on "
        "both sides of it meet%s",
        first->def.name, sherd_length_text(min_extent(first->def.shape), extent),
        sherd_length_text(cell, width), others);
}

// ---------------------------------------------------------------- of materials

// Of a stress in a run, in MPa as the scene writes it: `stiffness_scale` lowers it.
static double written(const sherd_scene_material *material, double stress)
{
    return 1e-6 * stress / sqrt(material->stiffness_scale);
}

// Warns of bonds that buckle before they reach their strength.
static void warn_stability(const sherd_scene *scene, const sherd_scene_build *build,
                           sherd_messages *to)
{
    for (int k = 0; k < scene->material_count; ++k) {
        const sherd_material_def *bonds = sherd_scene_bonds_of(scene, build, k);
        double stable = sherd_material_stable_tension(bonds), strength = bonds->tensile_strength;
        bool breaks = sherd_breakage_describe(bonds->breakage)->breaks && isfinite(strength);
        if (!breaks || !(strength > stable)) continue;
        sherd_message_send(
            to, SHERD_MESSAGE_WARNING, scene->materials[k].where, NULL,
            "stretched bonds of material '%s' lose their stability in shear at %.3g MPa, "
            "before they break at %.3g MPa: choose a higher shear modulus, a lower "
            "tensile strength or `bond_law: quaternion`",
            bonds->name, written(&scene->materials[k], stable),
            written(&scene->materials[k], strength));
    }
}

// Only rods yield, so a yield stress selects them.
static void report_laws(const sherd_scene *scene, sherd_messages *to)
{
    for (int k = 0; k < scene->material_count; ++k) {
        const sherd_scene_material *m = &scene->materials[k];
        bool bonds = m->def.model == SHERD_SOLID_MODEL_BONDED;
        if (!bonds || !isfinite(m->def.yield_stress)) continue;
        if (sherd_breakage_describe(m->def.breakage)->breaks &&
            !isfinite(m->def.tensile_strength) && !isfinite(m->def.shear_strength) &&
            m->def.fracture_strain == 0.0 && m->def.fracture_displacement == 0.0)
            sherd_message_send(to, SHERD_MESSAGE_NOTE, m->where, NULL,
                               "bonds of material '%s' yield and never break: both strengths are "
                               "inf, and there is no `fracture_strain` or `fracture_displacement`",
                               m->def.name);
        if (m->law_where != NULL) continue;
        sherd_message_send(to, SHERD_MESSAGE_NOTE, m->where, NULL,
                           "bonds of material '%s' yield, so they are rods: `bond_law: rod`",
                           m->def.name);
    }
}

// Warns of bonds that break before they yield.
static void warn_yield(const sherd_scene *scene, const sherd_scene_build *build, sherd_messages *to)
{
    for (int k = 0; k < scene->material_count; ++k) {
        const sherd_material_def *m = sherd_scene_bonds_of(scene, build, k);
        bool breaks = sherd_breakage_describe(m->breakage)->breaks;
        if (!isfinite(m->yield_stress) || !breaks || !(m->yield_stress > m->tensile_strength))
            continue;
        sherd_message_send(
            to, SHERD_MESSAGE_WARNING, scene->materials[k].where,
            "make yield_stress smaller, or tensile_strength larger",
            "bonds of material '%s' break at %.4g MPa, before they yield at %.4g MPa", m->name,
            written(&scene->materials[k], m->tensile_strength),
            written(&scene->materials[k], m->yield_stress));
    }
}

// True if the body's restitution is given and hardly shows: the dashpot of a contact is that of two
// single elements, while a body of many rebounds by its elasticity. Balls of 28, 311 and 727
// elements came back with 0.75, 0.955 and 0.961 of their speed at 0.1, with 0.985 at 0.8. Fragments
// of bodies that break are small, so low values count there.
static bool rebounds_elastically(const sherd_scene *scene, const sherd_scene_build *build, int body)
{
    enum { MANY = 100 };
    static const double BOUNCY = 0.6;
    const sherd_scene_body *b = &scene->bodies[body];
    const sherd_scene_material *m = &scene->materials[b->material];
    bool breaks = sherd_breakage_describe(m->def.breakage)->breaks;
    return m->restitution_where != NULL && !b->loose && !b->is_yarn &&
           !sherd_scene_is_of_points(b) && build->packings[body]->count >= MANY &&
           (!breaks || m->def.restitution >= BOUNCY);
}

static void note_restitution(const sherd_scene *scene, const sherd_scene_build *build,
                             sherd_messages *to)
{
    body_list list = list_bodies(scene, build, rebounds_elastically);
    if (list.count == 0) return;
    const sherd_scene_body *body = &scene->bodies[list.first];
    const sherd_scene_material *m = &scene->materials[body->material];
    sherd_message_send(to, SHERD_MESSAGE_NOTE, m->restitution_where, NULL,
                       "restitution %g of material '%s' is that of two single elements: body '%s', "
                       "%d of them bonded, rebounds by its elasticity, mostly faster. A `free` "
                       "obstacle rebounds as its restitution says%s",
                       m->def.restitution, m->def.name, body->name,
                       build->packings[list.first]->count, list.others);
}

// True if the material's strength was reduced because breaking would need more energy than is
// stored, sherd/material.h.
static bool is_reduced(const sherd_scene *scene, const sherd_scene_build *build, int body)
{
    (void)scene;
    for (int k = 0; k < build->calibration_count; ++k)
        if (build->calibrations[k].body == body && sherd_scene_is_weaker(&build->calibrations[k]))
            return false; // reported in calibration_messages.c
    return build->body_bonds[body].reduced > 0;
}

// True if nearly all bonds are reduced to what the fracture energy allows, so that strengths no
// longer scatter.
static bool loses_scatter(const sherd_scene *scene, const sherd_scene_body *body,
                          const sherd_body_bonds *bonds)
{
    static const double NEARLY_ALL = 0.9;
    return scene->materials[body->material].def.weibull_modulus > 0.0 &&
           (double)bonds->reduced > NEARLY_ALL * (double)bonds->count;
}

static void warn_reductions(const sherd_scene *scene, const sherd_scene_build *build,
                            sherd_messages *to)
{
    body_list list = list_bodies(scene, build, is_reduced);
    if (list.count == 0) return;
    sherd_body_bonds b = build->body_bonds[list.first];
    char percent[SHERD_PERCENT_TEXT], radius[SHERD_LENGTH_TEXT];
    sherd_message_send(
        to, SHERD_MESSAGE_WARNING, scene->bodies[list.first].where, NULL,
        "strengths of %lld of %lld bonds of body '%s' are reduced, down to %s of what was asked "
        "for, so that bonds this long take the fracture energy as they break: accept that, or "
        "take elements of a radius of up to %s, which need no reduction%s%s",
        (long long)b.reduced, (long long)b.count, scene->bodies[list.first].name,
        sherd_percent_text(b.least_reduction, percent),
        sherd_length_text(b.unreduced_radius, radius), list.others,
        loses_scatter(scene, &scene->bodies[list.first], &b)
            ? ". Reduced bonds have one strength, so that `weibull_modulus` and seeds do next to "
              "nothing"
            : "");
}

// Above this speed, shock waves crush bodies, which bonds do not model; usually a unit is wrong.
static double speed_of(const sherd_scene_body *body)
{
    return vec3_length(body->velocity);
}

static double sound_of(const sherd_scene *scene, const sherd_scene_body *body)
{
    const sherd_material_def *m = &scene->materials[body->material].def;
    return sqrt(m->youngs_modulus / m->density);
}

// Of the farthest corner of the shape's bounds, by its spin about the origin.
static double rim_speed_of(const sherd_scene_body *body)
{
    double fastest = 0.0;
    if (body->shape == NULL || vec3_length(body->angular_velocity) == 0.0) return 0.0;
    sherd_bounds b = sherd_shape_bounds(body->shape);
    for (int corner = 0; corner < 8; ++corner) {
        sherd_vec3 arm = vec3(corner & 1 ? b.high.x : b.low.x, corner & 2 ? b.high.y : b.low.y,
                              corner & 4 ? b.high.z : b.low.z);
        arm = quat_rotate(quat_normalize(body->pose.rotation), arm);
        fastest = fmax(fastest, vec3_length(vec3_cross(body->angular_velocity, arm)));
    }
    return fastest;
}

static bool is_fast(const sherd_scene *scene, const sherd_scene_build *build, int k)
{
    const sherd_scene_body *body = &scene->bodies[k];
    (void)build;
    return !body->loose && fmax(speed_of(body), rim_speed_of(body)) > sound_of(scene, body);
}

static void warn_speeds(const sherd_scene *scene, const sherd_scene_build *build,
                        sherd_messages *to)
{
    body_list list = list_bodies(scene, build, is_fast);
    if (list.count == 0) return;
    const sherd_scene_body *body = &scene->bodies[list.first];
    char path[256], place[SHERD_SCENE_PLACE];
    bool moves = speed_of(body) > sound_of(scene, body);
    const char *key = moves ? "velocity" : "angular_velocity";
    snprintf(path, sizeof path, "bodies.%.200s.%s", body->name, key);
    char hint[80];
    snprintf(hint, sizeof hint, "check the units of its `%s`", key);
    sherd_message_send(
        to, SHERD_MESSAGE_WARNING, sherd_scene_place(scene, path, place), hint,
        "body '%s' %s at %.3g m/s, faster than sound in its material (%.3g m/s): %s%s", body->name,
        moves ? "moves" : "has a rim that turns", moves ? speed_of(body) : rim_speed_of(body),
        sound_of(scene, body),
        moves ? "impacts at such speeds make shock waves, which bonds do not have"
              : "it tears itself apart at once, or is stretched by more than its size",
        list.others);
}

// Rough faces have cells of a sixth of their bumps, at least 0.4 radii. Measured on a block with
// all 4148 bonds broken: 470 to 590 triangles per bond at cells of one radius, 200 bytes each while
// meshing.
static void warn_roughness(const sherd_scene *scene, const sherd_scene_build *build,
                           sherd_messages *to)
{
    static const double TRIANGLES = 550.0, BYTES = 200.0, MUCH = 4e6, MIN_CELL = 0.4;
    const sherd_surface_roughness *r = &scene->output.surface.roughness;
    double size = r->size > 0.0 ? r->size : SHERD_ROUGHNESS_LEAST_SIZE * r->amplitude, sum = 0.0;
    if (!(r->amplitude > 0.0)) return;
    for (int k = 0; k < build->body_count; ++k) {
        const sherd_packing *p = build->packings[k];
        double radius = p != NULL ? p->lattice_radius : 0.0;
        double fraction = radius / fmax(size / 6.0, MIN_CELL * radius);
        if (radius > 0.0)
            sum += TRIANGLES * (double)build->body_bonds[k].count * fraction * fraction;
    }
    if (sum < MUCH) return;
    sherd_message_send(
        to, SHERD_MESSAGE_WARNING, NULL,
        "a larger output.surface.roughness.size; half as many cells along a face are a "
        "quarter of it",
        "output.surface.roughness: where all bonds break, the surface of a frame has up to "
        "%.3g million triangles and takes %.3g GB, a picture of it twice that",
        1e-6 * sum, 1e-9 * BYTES * sum);
}

void sherd_run_tell_warnings(const sherd_scene *scene, const sherd_scene_build *build,
                             const sherd_step_plan *plan, sherd_messages *messages)
{
    for (int k = 0; k < scene->warning_count; ++k)
        sherd_message_send(messages, SHERD_MESSAGE_WARNING, NULL, NULL, "%s", scene->warnings[k]);
    warn_overlaps(scene, build, messages);
    warn_seams(scene, messages);
    warn_cover(scene, build, messages);
    warn_thin(scene, build, messages);
    warn_level(scene, build, messages);
    note_rims(scene, build, messages);
    warn_thin_obstacles(scene, messages);
    warn_stability(scene, build, messages);
    report_laws(scene, messages);
    sherd_run_report_scales(scene, messages);
    warn_yield(scene, build, messages);
    note_restitution(scene, build, messages);
    sherd_run_warn_calibrations(scene, build, messages);
    warn_reductions(scene, build, messages);
    sherd_run_warn_steps(scene, build, plan, messages);
    warn_speeds(scene, build, messages);
    warn_roughness(scene, build, messages);
    sherd_run_warn_solver_keys(scene, build, messages);
    sherd_run_warn_models(scene, build, messages);
}

void sherd_run_warn_pieces(const sherd_scene *scene, const sherd_world *world,
                           sherd_messages *messages)
{
    for (int k = 0; k < scene->body_count; ++k) {
        const sherd_scene_body *body = &scene->bodies[k];
        if (!body->is_fractured || sherd_world_body_glue(world, k).pieces > 1) continue;
        sherd_message_send(
            messages, SHERD_MESSAGE_WARNING, body->where,
            "let walls reach through the body, or enclose a part of eight points or more",
            "bodies.%s: `fracture` cuts nothing off: it stays in one piece", body->name);
    }
}

void sherd_scene_tell_warnings(const sherd_scene *scene, const sherd_scene_build *build,
                               const sherd_step_plan *plan, sherd_message_callback *tell,
                               void *context)
{
    sherd_messages to = {tell, context, 0};
    sherd_run_tell_warnings(scene, build, plan, &to);
}

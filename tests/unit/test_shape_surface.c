// Tessellated surfaces: closed, outward, on the shape, with the shape's volume.
#include "geometry/mesh/mesh_access.h"
#include "geometry/mesh/mesh_edges.h"
#include "geometry/mesh/self_intersection.h"
#include "math/quat.h"
#include "math/vec3.h"
#include "shape_parts.h"

#include <sherd/shape.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

// Facets of a curved surface with edges h lose a share of about (h / r)^2 of the volume.
static void check_surface(sherd_shape *shape, double edge_length, double volume_tolerance,
                          double distance_tolerance)
{
    sherd_error error;
    cr_assert(shape != NULL);
    sherd_mesh *mesh = sherd_shape_surface(shape, edge_length, &error);
    cr_assert(mesh != NULL, "%s", error.what);
    sherd_mesh_edges edges;
    cr_assert(sherd_mesh_edges_init(&edges, mesh));
    cr_assert(eq(i64, edges.boundary_edges, 0));
    cr_assert(eq(i64, edges.non_manifold_edges, 0));
    cr_assert(eq(i64, edges.misoriented_edges, 0));
    double volume = sherd_shape_volume(shape);
    cr_assert(epsilon_eq(dbl, sherd_mesh_volume(mesh), volume, volume_tolerance * volume));
    for (int32_t v = 0; v < mesh->vertex_count; ++v) {
        const double *p = mesh->vertices + 3 * v, *n = mesh->normals + 3 * v;
        double d = sherd_shape_distance(shape, vec3(p[0], p[1], p[2]));
        cr_assert(fabs(d) <= distance_tolerance, "vertex %d is %g off the surface", v, d);
        cr_assert(epsilon_eq(dbl, vec3_length(vec3(n[0], n[1], n[2])), 1.0, 1e-12));
    }
    sherd_mesh_edges_release(&edges);
    sherd_mesh_destroy(mesh);
    sherd_shape_destroy(shape);
}

Test(shape_surface, primitives)
{
    sherd_error e;
    check_surface(sherd_shape_box((sherd_vec3){1.0, 2.0, 3.0}, &e), 0.3, 1e-12, 1e-12);
    check_surface(sherd_shape_sphere(1.0, &e), 0.1, 0.01, 1e-12);
    check_surface(sherd_shape_cylinder(1.0, 0.5, &e), 0.1, 0.01, 1e-12);
    check_surface(sherd_shape_capsule(1.0, 2.0, &e), 0.1, 0.01, 1e-12);
    check_surface(sherd_shape_torus(1.0, 0.3, &e), 0.05, 0.01, 1e-12);
}

Test(shape_surface, profiles)
{
    sherd_error e;
    const sherd_vec2 plate[] = {{0, 0},        {0.08, 0},     {0.12, 0.02},
                                {0.12, 0.026}, {0.08, 0.006}, {0, 0.006}};
    check_surface(sherd_shape_revolve(plate, 6, &e), 0.002, 0.001, 1e-12);
    const sherd_vec2 ring[] = {{1, 0}, {2, 0}, {2, 1}, {1, 1}};
    check_surface(sherd_shape_revolve(ring, 4, &e), 0.1, 0.01, 1e-12);
    const sherd_vec2 ell[] = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};
    check_surface(sherd_shape_extrude(ell, 6, 0.5, &e), 0.2, 1e-12, 1e-12);
    const sherd_vec2 comb[] = {{0, 0}, {5, 0}, {5, 3},   {4, 3},   {4, 0.3}, {3, 0.3},
                               {3, 3}, {2, 3}, {2, 0.3}, {1, 0.3}, {1, 3},   {0, 3}};
    check_surface(sherd_shape_extrude(comb, 12, 0.5, &e), 0.1, 1e-12, 1e-12);
}

// ---------------------------------------------------------------- prisms

// Longest edge, in lengths asked for, and sharpest angle [degrees].
typedef struct triangle_shapes {
    int32_t count;
    double longest, sharpest;
} triangle_shapes;

static triangle_shapes shapes_of(sherd_shape *shape, double edge_length)
{
    sherd_mesh *mesh = sherd_shape_surface(shape, edge_length, NULL);
    triangle_shapes s = {mesh->triangle_count, 0.0, 180.0};
    for (int32_t c = 0; c < 3 * mesh->triangle_count; ++c) {
        sherd_vec3 a = mesh_corner(mesh, c / 3, c % 3);
        sherd_vec3 u = vec3_sub(mesh_corner(mesh, c / 3, (c + 1) % 3), a);
        sherd_vec3 v = vec3_sub(mesh_corner(mesh, c / 3, (c + 2) % 3), a);
        double angle = atan2(vec3_length(vec3_cross(u, v)), vec3_dot(u, v));
        s.longest = fmax(s.longest, vec3_length(u) / edge_length);
        s.sharpest = fmin(s.sharpest, angle * 57.29577951308232);
    }
    sherd_mesh_destroy(mesh);
    sherd_shape_destroy(shape);
    return s;
}

// A pane's sides are as high as one edge: neither they nor its faces get slivers. A square with a diagonal
// of twice the edge's length is that length squared times two.
Test(shape_surface, boxes_have_well_shaped_triangles)
{
    triangle_shapes pane =
        shapes_of(sherd_shape_box((sherd_vec3){0.28, 0.0022, 0.18}, NULL), 0.0011);
    cr_assert(le(dbl, pane.longest, 2.0));
    cr_assert(le(dbl, 30.0, pane.sharpest));
    double squares = 2.0 * (0.28 * 0.18 + 0.0022 * (0.28 + 0.18)) / (2.0 * 0.0011 * 0.0011);
    cr_assert(lt(dbl, pane.count, 1.05 * 2.0 * squares));
    triangle_shapes rod = shapes_of(sherd_shape_box((sherd_vec3){1.0, 0.1, 0.1}, NULL), 0.04);
    cr_assert(le(dbl, rod.longest, 2.0));
    cr_assert(le(dbl, 30.0, rod.sharpest));
}

// A grid's step and a half: beside the outline, nodes of the grid are missing.
Test(shape_surface, prisms_have_well_shaped_triangles)
{
    const double most = 1.5 * 1.415 * sqrt(1.25), turn = 0.31415926535897931;
    const sherd_vec2 ell[] = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};
    triangle_shapes s = shapes_of(sherd_shape_extrude(ell, 6, 0.5, NULL), 0.1);
    cr_assert(le(dbl, s.longest, most));
    cr_assert(le(dbl, 20.0, s.sharpest));
    sherd_vec2 star[20];
    for (int k = 0; k < 20; ++k) {
        double r = k % 2 ? 0.4 : 1.0;
        star[k] = (sherd_vec2){r * cos(turn * k), r * sin(turn * k)};
    }
    s = shapes_of(sherd_shape_extrude(star, 20, 0.2, NULL), 0.04);
    cr_assert(le(dbl, s.longest, most));
    cr_assert(le(dbl, 15.0, s.sharpest)); // its tips have 40 degrees
}

// However small edges are asked for.
Test(shape_surface, prisms_stay_small)
{
    triangle_shapes s = shapes_of(sherd_shape_box((sherd_vec3){10.0, 10.0, 0.01}, NULL), 1e-5);
    cr_assert(lt(i32, s.count, 1100000));
    cr_assert(le(dbl, 20.0, s.sharpest));
}

// ---------------------------------------------------------------- combinations

static sherd_shape *with(sherd_shape *a, sherd_shape *b)
{
    return sherd_shape_union(a, b, NULL);
}

static const sherd_vec3 NOWHERE = {0.0, 0.0, 0.0};

static sherd_shape *combination(int number)
{
    switch (number) {
    case 0:
        return without(box(1, 1, 1), at(ball(0.5), vec3(0.5, 0.5, 0.5), NOWHERE));
    case 1:
        return without(box(1, 1, 1), ball(0.4)); // a cavity
    case 2:
        return with(rod(0.3, 1.2), at(rod(0.3, 1.2), NOWHERE, vec3(0, 1.5707963, 0)));
    case 3:
        return without(rod(0.4, 1), at(rod(0.25, 1.2), NOWHERE, vec3(0, 1.5707963, 0)));
    case 4:
        return without(sherd_shape_torus(0.5, 0.2, NULL),
                       at(box(1, 1, 1), vec3(0.5, 0.5, 0), vec3(0, 0, 0.3)));
    case 5:
        return without(at(box(1, 1, 1), NOWHERE, vec3(0.4, 0, 0)),
                       at(box(0.6, 0.6, 0.6), vec3(0.4, 0.4, 0.4), vec3(0, 0, 0.3)));
    case 6: // walls of one edge length, and of a fifth
        return without(box(1, 1, 1), at(box(0.84, 0.84, 1), vec3(0, 0, 0.1), NOWHERE));
    case 7:
        return without(box(1, 1, 1), at(box(0.98, 0.98, 1), vec3(0, 0, 0.1), NOWHERE));
    case 8: // touching from inside, along a line, and from outside
        return without(rod(0.4, 1), at(rod(0.2, 1.2), vec3(0.2, 0, 0), NOWHERE));
    case 9:
        return with(ball(0.3), at(ball(0.3), vec3(0.6, 0, 0), NOWHERE));
    case 10: // faces in one plane
        return without(box(1, 1, 1), at(box(0.5, 0.5, 0.5), vec3(0, 0, 0.25), NOWHERE));
    case 11:
        return with(box(1, 1, 0.5), at(box(0.5, 0.5, 0.5), vec3(0, 0, 0.5), NOWHERE));
    case 12: // an edge in common
        return with(box(0.5, 0.5, 0.5), at(box(0.5, 0.5, 0.5), vec3(0.5, 0.5, 0), NOWHERE));
    case 13:
        return without(box(1.6, 0.8, 0.3),
                       at(sherd_shape_text("AT", NULL, 0.6, 0.3, NULL), vec3(0, 0, 0.1), NOWHERE));
    default:
        return without(ball(0.5), with(ball(0.42), at(box(2, 2, 1), vec3(0, 0, 0.5), NOWHERE)));
    }
}

enum { COMBINATIONS = 15 };
static const double EDGE = 0.08;

// A share of the shape's volume that the surface misses: facets of curved faces, and what is thinner
// than an edge: walls, the wedge beside a line of contact.
static double volume_missed(int number)
{
    if (number == 7) return 0.3;
    if (number == 14) return 0.1;
    return number == 6 || number == 8 || number == 13 ? 0.06 : 0.025;
}

Test(shape_surface, combinations_never_cut_themselves)
{
    for (int k = 0; k < COMBINATIONS; ++k) {
        sherd_shape *shape = combination(k);
        cr_assert(shape != NULL);
        sherd_mesh *mesh = sherd_shape_surface(shape, EDGE, NULL);
        cr_assert(mesh != NULL);
        sherd_mesh_edges edges;
        cr_assert(sherd_mesh_edges_init(&edges, mesh));
        cr_assert(edges.boundary_edges + edges.non_manifold_edges + edges.misoriented_edges == 0,
                  "combination %d is not closed", k);
        sherd_mesh_tree tree;
        sherd_self_intersections cuts;
        cr_assert(sherd_mesh_tree_init(&tree, mesh));
        cr_assert(sherd_mesh_self_intersections(mesh, &tree, 10, &cuts));
        cr_assert(cuts.count == 0, "combination %d cuts itself at (%g, %g, %g)", k, cuts.position.x,
                  cuts.position.y, cuts.position.z);
        double volume = sherd_shape_volume(shape);
        cr_assert(epsilon_eq(dbl, sherd_mesh_volume(mesh), volume, volume_missed(k) * volume),
                  "combination %d", k);
        sherd_mesh_tree_release(&tree);
        sherd_mesh_edges_release(&edges);
        sherd_mesh_destroy(mesh);
        sherd_shape_destroy(shape);
    }
}

// Distance of the farthest triangle's middle from the surface: a blunt edge is half a cell off, 0.02.
static double bluntness(sherd_shape *shape, double edge_length)
{
    sherd_mesh *mesh = sherd_shape_surface(shape, edge_length, NULL);
    double worst = 0.0;
    for (int32_t t = 0; t < mesh->triangle_count; ++t) {
        sherd_vec3 middle = NOWHERE;
        for (int c = 0; c < 3; ++c)
            middle = vec3_add_scaled(middle, 1.0 / 3.0, mesh_corner(mesh, t, c));
        worst = fmax(worst, fabs(sherd_shape_distance(shape, middle)));
    }
    sherd_mesh_destroy(mesh);
    sherd_shape_destroy(shape);
    return worst;
}

Test(shape_surface, combinations_have_sharp_edges)
{
    // Facets of the ball are h^2 / 8 r off, 0.0006 and, across their diagonals, twice that.
    cr_assert(lt(dbl, bluntness(combination(0), 0.05), 0.002));
    // Flat faces only.
    cr_assert(lt(dbl, bluntness(with(box(1, 1, 0.5), box(1, 1, 0.5)), 0.05), 1e-9));
}

// Distance of the farthest vertex from the surface, in edge lengths.
static double farthest_vertex(sherd_shape *shape, double edge_length)
{
    sherd_mesh *mesh = sherd_shape_surface(shape, edge_length, NULL);
    double worst = 0.0;
    for (int32_t v = 0; v < mesh->vertex_count; ++v)
        worst = fmax(worst, fabs(sherd_shape_distance(shape, mesh_vertex(mesh, v))));
    sherd_mesh_destroy(mesh);
    sherd_shape_destroy(shape);
    return worst / edge_length;
}

// Rims have no notches: vertices that settled short of a crease were up to 0.37 of an edge off. A crease is found to
// within 1e-3 of an edge.
Test(shape_surface, rims_of_holes_have_no_notches)
{
    for (int radius = 6; radius <= 12; ++radius)
        cr_assert(
            lt(dbl, farthest_vertex(without(box(16, 4, 4), rod(0.1 * radius, 6)), 0.3), 1e-3));
    sherd_vec3 tilt = vec3(0.0, 0.3, 0.0);
    cr_assert(
        lt(dbl,
           farthest_vertex(without(box(8, 4, 4), at(rod(0.9, 10), vec3(0.5, 0.2, 0.0), tilt)), 0.3),
           1e-3));
    cr_assert(lt(dbl, farthest_vertex(without(rod(3, 4), rod(2, 6)), 0.3), 1e-3));
    cr_assert(
        lt(dbl, farthest_vertex(without(box(10, 6, 4), at(ball(2), vec3(1, 0.5, 2), NOWHERE)), 0.3),
           1e-3));
    cr_assert(lt(
        dbl, farthest_vertex(with(box(6, 6, 3), at(rod(1.5, 6), vec3(0.3, 0.1, 2), NOWHERE)), 0.3),
        1e-3));
}

// Largest relative difference between the lengths of edges in space and in texture coordinates.
static double worst_stretch(sherd_shape *shape, double edge_length)
{
    sherd_mesh *mesh = sherd_shape_surface(shape, edge_length, NULL);
    cr_assert(mesh != NULL && mesh->uv != NULL);
    double worst = 0.0;
    for (int32_t h = 0; h < 3 * mesh->triangle_count; ++h) {
        int32_t next = h % 3 == 2 ? h - 2 : h + 1;
        const double *a = mesh->vertices + 3 * mesh->triangles[h];
        const double *b = mesh->vertices + 3 * mesh->triangles[next];
        double length = vec3_distance(vec3(a[0], a[1], a[2]), vec3(b[0], b[1], b[2]));
        const float *u = mesh->uv + 2 * h, *v = mesh->uv + 2 * next;
        double flat = hypot((double)u[0] - (double)v[0], (double)u[1] - (double)v[1]);
        worst = fmax(worst, fabs(flat / length - 1.0));
    }
    sherd_mesh_destroy(mesh);
    sherd_shape_destroy(shape);
    return worst;
}

// Textures lie on flat and rolled sides without stretching; single precision.
Test(shape_surface, texture_coordinates_are_metres)
{
    sherd_error e;
    cr_assert(lt(dbl, worst_stretch(sherd_shape_box((sherd_vec3){1.0, 2.0, 3.0}, &e), 0.3), 1e-5));
    const sherd_vec2 ell[] = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};
    cr_assert(lt(dbl, worst_stretch(sherd_shape_extrude(ell, 6, 0.5, &e), 0.2), 1e-5));
    // A pipe's walls; chords of 1/63 turn. Its ends are stretched inwards: 2 to 1.
    const sherd_vec2 pipe[] = {{1.9, 0}, {2, 0}, {2, 8}, {1.9, 8}};
    cr_assert(lt(dbl, worst_stretch(sherd_shape_revolve(pipe, 4, &e), 0.2), 0.06));
}

Test(shape_surface, bad_edge_length)
{
    sherd_error e;
    sherd_shape *a = sherd_shape_sphere(1.0, &e);
    cr_assert(sherd_shape_surface(a, 0.0, &e) == NULL);
    cr_assert(eq(int, e.status, SHERD_ERROR_INPUT));
    sherd_shape_destroy(a);
}

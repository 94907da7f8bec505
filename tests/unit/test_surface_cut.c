// surface: the body's own triangles cut exactly along the cracks.
#include "base/random.h"
#include "geometry/mesh/mesh_access.h"
#include "geometry/mesh/self_intersection.h"
#include "geometry/shape/shape_display_mesh.h"
#include "surface/methods/cut/crack_opening.h"
#include "surface/surface_notes.h"
#include "surface/surface_pose.h"
#include "unit/manifold.h"

#include <sherd/packing.h>
#include <sherd/surface.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>
#include <string.h>

// A body of unbonded elements whose fragments are given, not found.
typedef struct model {
    sherd_shape *shape;
    sherd_mesh *whole; // the surface that is cut
    int32_t count;
    double *x, *y, *z, *radius;
    sherd_fragment_id *label;
    int32_t *slot;
    sherd_fragment *fragments;
    sherd_fragment_view view;
    sherd_bond_index bonds;
    sherd_element_index *i, *j;
    uint8_t *broken;
    sherd_surface_body body;
    sherd_surface *surface;
    sherd_surface_roughness roughness;
    double outer_edge;
    int threads;
    int wall_count; // by which labels were made
    const sherd_weakness *const *walls;
} model;

static model make_model(sherd_shape *shape, double radius)
{
    sherd_error error;
    model m = {.shape = shape, .threads = 2};
    cr_assert(shape != NULL);
    sherd_packing_def pack = sherd_packing_def_default();
    pack.radius = radius;
    sherd_packing *p = sherd_packing_create(shape, &pack, &error);
    cr_assert(p != NULL, "%s", error.what);
    m.count = p->count;
    size_t n = (size_t)p->count;
    m.x = malloc(n * sizeof(double)), m.y = malloc(n * sizeof(double));
    m.z = malloc(n * sizeof(double)), m.radius = malloc(n * sizeof(double));
    memcpy(m.x, p->x, n * sizeof(double)), memcpy(m.y, p->y, n * sizeof(double));
    memcpy(m.z, p->z, n * sizeof(double)), memcpy(m.radius, p->radius, n * sizeof(double));
    m.label = calloc(n, sizeof *m.label);
    m.slot = calloc(n, sizeof *m.slot);
    m.fragments = calloc(n, sizeof *m.fragments);
    m.i = malloc(8 * n * sizeof *m.i), m.j = malloc(8 * n * sizeof *m.j);
    m.broken = calloc(8 * n, 1);
    sherd_packing_destroy(p);
    return m;
}

static void make_surface(model *m)
{
    sherd_error error;
    m->body = (sherd_surface_body){
        .shape = m->shape, .count = m->count, .wall_count = m->wall_count, .walls = m->walls};
    sherd_surface_def def = sherd_surface_def_default();
    def.method = SHERD_SURFACE_CUT;
    def.body_count = 1;
    def.bodies = &m->body;
    def.element_count = m->count;
    def.rest_x = m->x, def.rest_y = m->y, def.rest_z = m->z;
    def.radius = m->radius;
    def.bond_count = m->bonds;
    def.bond_i = m->i, def.bond_j = m->j;
    def.roughness = m->roughness;
    def.outer_edge = m->outer_edge;
    def.threads = m->threads;
    m->surface = sherd_surface_create(&def, &error);
    cr_assert(m->surface != NULL, "%s %s", error.where, error.what);
    double mean = 0.0;
    for (int32_t e = 0; e < m->count; ++e)
        mean += m->radius[e] / m->count;
    double edge = m->outer_edge > 0.0 ? m->outer_edge : 1.0;
    m->whole = sherd_shape_display_mesh(m->shape, edge * mean, &error);
    cr_assert(m->whole != NULL);
}

// Fragments of the labels (> 0) as they are now.
static void update(model *m)
{
    sherd_error error;
    key_map slots = {0};
    int32_t count = 0;
    for (int32_t e = 0; e < m->count; ++e) {
        m->slot[e] = sherd_key_map_insert(&slots, (uint64_t)m->label[e]);
        if (m->slot[e] == count)
            m->fragments[count++] = (sherd_fragment){.id = m->label[e], .first = e};
        m->fragments[m->slot[e]].count++;
    }
    sherd_key_map_release(&slots);
    m->view = (sherd_fragment_view){count, m->fragments, m->label, m->slot, 0};
    for (int32_t k = 0; k < count; ++k)
        m->view.next_id = m->fragments[k].id + 1;
    if (m->surface == NULL) make_surface(m);
    cr_assert_eq(sherd_surface_update(m->surface, &m->view, m->broken, &error), SHERD_OK, "%s",
                 error.what);
}

static void free_model(model *m)
{
    sherd_surface_destroy(m->surface);
    sherd_shape_destroy(m->shape);
    sherd_mesh_destroy(m->whole);
    free(m->x), free(m->y), free(m->z), free(m->radius);
    free(m->label), free(m->slot), free(m->fragments);
    free(m->i), free(m->j), free(m->broken);
}

static sherd_vec3 element(const model *m, int32_t e)
{
    return vec3(m->x[e], m->y[e], m->z[e]);
}

static void bond_neighbours(model *m)
{
    for (int32_t a = 0; a < m->count; ++a)
        for (int32_t b = a + 1; b < m->count; ++b)
            if (vec3_distance(element(m, a), element(m, b)) < 1.05 * (m->radius[a] + m->radius[b]))
                m->i[m->bonds] = a, m->j[m->bonds++] = b;
}

static void label_cells(model *m, int cells, uint64_t seed)
{
    sherd_bounds box = sherd_shape_bounds(m->shape);
    sherd_vec3 size = vec3_sub(box.high, box.low);
    for (int32_t e = 0; e < m->count; ++e) {
        double least = INFINITY;
        for (int k = 0; k < cells; ++k) {
            sherd_vec3 c = vec3(box.low.x + size.x * sherd_random_uniform(seed, 0, (uint64_t)k),
                                box.low.y + size.y * sherd_random_uniform(seed, 1, (uint64_t)k),
                                box.low.z + size.z * sherd_random_uniform(seed, 2, (uint64_t)k));
            double d = vec3_distance(c, element(m, e));
            if (d >= least) continue;
            least = d;
            m->label[e] = k + 1;
        }
    }
}

// --- What holds for every cut ----------------------------------------------------------------------

// A number for a triangle's place and turning sense: that of its reverse is the negative.
static uint64_t signed_number(const sherd_mesh *mesh, int32_t t)
{
    int first = 0;
    sherd_vec3 c[3];
    for (int k = 0; k < 3; ++k)
        c[k] = mesh_corner(mesh, t, k);
    for (int k = 1; k < 3; ++k)
        if (memcmp(&c[k], &c[first], sizeof *c) < 0) first = k;
    sherd_vec3 *p = &c[(first + 1) % 3], *q = &c[(first + 2) % 3];
    bool turned = memcmp(p, q, sizeof *p) > 0;
    const sherd_vec3 *row[3] = {&c[first], turned ? q : p, turned ? p : q};
    uint64_t number = 0;
    for (int k = 0; k < 3; ++k) {
        uint64_t bits[3];
        memcpy(bits, row[k], sizeof bits);
        for (int d = 0; d < 3; ++d)
            number = sherd_random_bits(number, (uint64_t)k, bits[d]);
    }
    return turned ? 0 - number : number;
}

static double area_of(const sherd_mesh *mesh, int32_t t)
{
    return 0.5 * vec3_length(mesh_area_vector(mesh, t));
}

static double area_of_all(const sherd_mesh *mesh)
{
    double sum = 0.0;
    for (int32_t t = 0; t < mesh->triangle_count; ++t)
        sum += area_of(mesh, t);
    return sum;
}

// Closed pieces that fill the body, share their crack faces bit for bit and keep the outer surface.
static void check_cut(const model *m)
{
    double volume = 0.0, outer = 0.0, whole = sherd_mesh_volume(m->whole);
    uint64_t inner = 0;
    cr_assert_eq(sherd_surface_fallbacks(m->surface), 0);
    cr_assert_eq(sherd_surface_piece_count(m->surface), m->view.count);
    for (int k = 0; k < m->view.count; ++k) {
        sherd_surface_piece p = sherd_surface_get_piece(m->surface, k);
        check_manifold(p.mesh);
        double v = sherd_mesh_volume(p.mesh);
        cr_assert(lt(dbl, 0.0, v));
        volume += v;
        for (int32_t t = 0; t < p.mesh->triangle_count; ++t)
            if (p.mesh->face_kind[t] == SHERD_FACE_OUTER)
                outer += area_of(p.mesh, t);
            else
                inner += signed_number(p.mesh, t);
        for (int32_t a = 0; a < p.mesh->vertex_count; ++a) {
            const double *n = p.mesh->normals + 3 * a;
            cr_assert(epsilon_eq(dbl, n[0] * n[0] + n[1] * n[1] + n[2] * n[2], 1.0, 1e-12));
        }
    }
    // Sums of as many terms as there are triangles, each rounded.
    cr_assert(epsilon_eq(dbl, volume, whole, 1e-10 * whole));
    double area = area_of_all(m->whole);
    cr_assert(epsilon_eq(dbl, outer, area, 1e-10 * area));
    cr_assert_eq(inner, 0, "the two sides of the cracks differ");
}

// None of the first pieces cuts itself.
static void check_simple(const model *m, int most)
{
    for (int k = 0; k < m->view.count && k < most; ++k) {
        sherd_self_intersections found;
        const sherd_mesh *mesh = sherd_surface_get_piece(m->surface, k).mesh;
        sherd_mesh_tree tree;
        cr_assert(sherd_mesh_tree_init(&tree, mesh));
        cr_assert(sherd_mesh_self_intersections(mesh, &tree, 10, &found));
        sherd_mesh_tree_release(&tree);
        cr_assert_eq(found.count, 0, "piece %d cuts itself at (%g, %g, %g)", k, found.position.x,
                     found.position.y, found.position.z);
    }
}

static void check_same_bits(const sherd_surface *one, const sherd_surface *other, int count)
{
    cr_assert_eq(sherd_surface_piece_count(one), count);
    cr_assert_eq(sherd_surface_piece_count(other), count);
    for (int k = 0; k < count; ++k) {
        sherd_surface_piece p = sherd_surface_get_piece(one, k),
                            q = sherd_surface_get_piece(other, k);
        size_t n = (size_t)p.mesh->vertex_count, t = (size_t)p.mesh->triangle_count;
        cr_assert_eq(p.mesh->vertex_count, q.mesh->vertex_count);
        cr_assert_eq(p.mesh->triangle_count, q.mesh->triangle_count);
        cr_assert_eq(memcmp(p.mesh->vertices, q.mesh->vertices, 24 * n), 0);
        cr_assert_eq(memcmp(p.mesh->normals, q.mesh->normals, 24 * n), 0);
        cr_assert_eq(memcmp(p.mesh->triangles, q.mesh->triangles, 12 * t), 0);
        cr_assert_eq(memcmp(p.mesh->uv, q.mesh->uv, 24 * t), 0);
        cr_assert_eq(memcmp(p.mesh->face_kind, q.mesh->face_kind, t), 0);
        cr_assert_eq(memcmp(p.bones, q.bones, SHERD_SURFACE_BONES * sizeof *p.bones * n), 0);
        cr_assert_eq(memcmp(p.weights, q.weights, SHERD_SURFACE_BONES * sizeof(float) * n), 0);
    }
}

static sherd_shape *make_bowl(void)
{
    const sherd_vec2 profile[] = {{0, 0},       {0.05, 0.004}, {0.09, 0.03},   {0.1, 0.06},
                                  {0.09, 0.06}, {0.08, 0.035}, {0.045, 0.016}, {0, 0.012}};
    return sherd_shape_revolve(profile, 8, NULL);
}

static sherd_shape *box_with_hole(void)
{
    return sherd_shape_difference(sherd_shape_box((sherd_vec3){0.24, 0.16, 0.06}, NULL),
                                  sherd_shape_cylinder(0.045, 0.2, NULL), NULL);
}

Test(surface_cut, random_fragments_of_ball_box_with_hole_and_bowl)
{
    sherd_shape *shapes[3] = {sherd_shape_sphere(0.08, NULL), box_with_hole(), make_bowl()};
    const double radius[3] = {0.008, 0.008, 0.005};
    for (int k = 0; k < 3; ++k) {
        model m = make_model(shapes[k], radius[k]);
        for (int32_t e = 0; e < m.count; ++e)
            m.label[e] = 7;
        update(&m);
        check_cut(&m); // whole
        label_cells(&m, 12, 3);
        update(&m);
        cr_assert_gt(m.view.count, 5);
        check_cut(&m);
        // The surface of a difference, made on a grid, cuts itself in places.
        if (k != 1) check_simple(&m, 4);
        free_model(&m);
    }
}

// Twice the length of edges makes a quarter of the triangles, which are cut as well.
Test(surface_cut, outer_edges_have_the_length_asked_for)
{
    int32_t triangles[2];
    for (int k = 0; k < 2; ++k) {
        model m = make_model(make_bowl(), 0.005);
        m.outer_edge = k == 0 ? 1.0 : 2.0;
        label_cells(&m, 12, 3);
        update(&m);
        check_cut(&m);
        triangles[k] = m.whole->triangle_count;
        free_model(&m);
    }
    cr_assert(lt(dbl, triangles[1], 0.35 * triangles[0]));
}

// As read from a file of single precision, with texture coordinates: a flat projection, so that any
// point's are known.
static sherd_shape *textured_bowl(void)
{
    sherd_shape *bowl = make_bowl();
    sherd_mesh *mesh = sherd_shape_surface(bowl, 0.012, NULL);
    for (int32_t k = 0; k < 3 * mesh->vertex_count; ++k)
        mesh->vertices[k] = (double)(float)mesh->vertices[k];
    free(mesh->uv);
    mesh->uv = malloc(6 * (size_t)mesh->triangle_count * sizeof *mesh->uv);
    for (int32_t c = 0; c < 3 * mesh->triangle_count; ++c) {
        sherd_vec3 x = mesh_vertex(mesh, mesh->triangles[c]);
        mesh->uv[2 * c] = (float)(4.0 * x.x + 0.5);
        mesh->uv[2 * c + 1] = (float)(4.0 * x.y + 2.0 * x.z);
    }
    sherd_shape *shape = sherd_shape_mesh(mesh, NULL);
    sherd_mesh_destroy(mesh);
    sherd_shape_destroy(bowl);
    return shape;
}

Test(surface_cut, texture_and_normals_go_on_across_cuts)
{
    model m = make_model(textured_bowl(), 0.005);
    label_cells(&m, 15, 8);
    update(&m);
    check_cut(&m);
    for (int k = 0; k < m.view.count; ++k) {
        const sherd_mesh *mesh = sherd_surface_get_piece(m.surface, k).mesh;
        cr_assert(mesh->uv != NULL);
        for (int32_t c = 0; c < 3 * mesh->triangle_count; ++c) {
            if (mesh->face_kind[c / 3] != SHERD_FACE_OUTER) continue;
            sherd_vec3 x = mesh_vertex(mesh, mesh->triangles[c]);
            // Single precision of numbers up to 1.
            cr_assert(epsilon_eq(dbl, (double)mesh->uv[2 * c], 4.0 * x.x + 0.5, 3e-7));
            cr_assert(epsilon_eq(dbl, (double)mesh->uv[2 * c + 1], 4.0 * x.y + 2.0 * x.z, 3e-7));
        }
    }
    free_model(&m);
}

// On a ball normals point away from the centre, also where triangles were cut: within half the angle
// between neighbouring facets, a tenth of a radius each.
Test(surface_cut, normals_of_a_ball_stay_radial)
{
    model m = make_model(sherd_shape_sphere(0.08, NULL), 0.008);
    label_cells(&m, 8, 5);
    update(&m);
    for (int k = 0; k < m.view.count; ++k) {
        const sherd_mesh *mesh = sherd_surface_get_piece(m.surface, k).mesh;
        for (int32_t c = 0; c < 3 * mesh->triangle_count; ++c) {
            if (mesh->face_kind[c / 3] != SHERD_FACE_OUTER) continue;
            int32_t v = mesh->triangles[c];
            const double *n = mesh->normals + 3 * v;
            sherd_vec3 radial = vec3_normalize(mesh_vertex(mesh, v));
            cr_assert(lt(dbl, cos(0.05), vec3_dot(vec3(n[0], n[1], n[2]), radial)));
        }
    }
    free_model(&m);
}

// --- Hard cases ------------------------------------------------------------------------------------

Test(surface_cut, every_element_its_own_fragment)
{
    model m = make_model(sherd_shape_box((sherd_vec3){0.1, 0.08, 0.06}, NULL), 0.008);
    for (int32_t e = 0; e < m.count; ++e)
        m.label[e] = e + 1;
    update(&m);
    check_cut(&m);
    check_simple(&m, 10);
    free_model(&m);
}

// Fragments one element thick, a checkerboard that touches along edges, and random owners.
Test(surface_cut, slivers_and_fragments_that_touch_in_edges)
{
    for (int kind = 0; kind < 3; ++kind) {
        model m = make_model(sherd_shape_box((sherd_vec3){0.12, 0.1, 0.06}, NULL), 0.008);
        for (int32_t e = 0; e < m.count; ++e) {
            int a = (int)floor(m.x[e] / 0.016), b = (int)floor(m.y[e] / 0.024),
                c = (int)floor(m.z[e] / 0.024);
            m.label[e] = kind == 0   ? 1 + (a & 1) + 2 * (a == 1)
                         : kind == 1 ? 1 + ((a / 2 + b + c) & 1)
                                     : 1 + (int32_t)(sherd_random_bits(4, 0, (uint64_t)e) % 3);
        }
        update(&m);
        check_cut(&m);
        check_simple(&m, 1);
        free_model(&m);
    }
}

// A cubic array of elements in a box whose edges, diagonals and vertices lie where cracks run: borders
// between labels are planes of mirror symmetry of the box's own mesh.
static model cubic_model(double scale)
{
    enum { EDGE = 8 };
    model m =
        make_model(sherd_shape_box((sherd_vec3){0.16 * scale, 0.16 * scale, 0.16 * scale}, NULL),
                   0.01 * scale);
    m.count = 0;
    for (int k = 0; k < EDGE * EDGE * EDGE; ++k) {
        m.x[k] = (k % EDGE - 3.5) * 0.02 * scale;
        m.y[k] = (k / EDGE % EDGE - 3.5) * 0.02 * scale;
        m.z[k] = (k / EDGE / EDGE - 3.5) * 0.02 * scale;
        m.radius[k] = 0.01 * scale;
        ++m.count;
    }
    return m;
}

Test(surface_cut, cracks_along_vertices_edges_and_faces)
{
    const double scales[4] = {1.0, 1e-6, 1e6, 3.7e-3};
    for (int kind = 0; kind < 4; ++kind) {
        model m = cubic_model(scales[kind]);
        double d = 0.001 * scales[kind];
        for (int32_t e = 0; e < m.count; ++e) {
            bool x = m.x[e] > 0.0, y = m.y[e] > 0.0, diagonal = m.x[e] + m.z[e] > d;
            m.label[e] = kind == 0   ? 1 + x + 2 * y
                         : kind == 1 ? 1 + diagonal
                         : kind == 2 ? 1 + (m.x[e] + m.y[e] > d) + 2 * (m.x[e] - m.y[e] > d)
                                     : 1 + (m.z[e] > 0.065 * scales[kind]);
        }
        update(&m);
        check_cut(&m);
        check_simple(&m, 4);
        free_model(&m);
    }
}

// A crack half way through and one all inside: one fragment, open where bonds are broken.
Test(surface_cut, cracks_that_end_inside_open)
{
    model m = make_model(sherd_shape_box((sherd_vec3){0.3, 0.16, 0.1}, NULL), 0.01);
    for (int32_t a = 0; a < m.count; ++a) {
        m.label[a] = 1;
        for (int32_t b = a + 1; b < m.count; ++b) {
            if (vec3_distance(element(&m, a), element(&m, b)) > 1.05 * (m.radius[a] + m.radius[b]))
                continue;
            m.i[m.bonds] = a, m.j[m.bonds] = b;
            bool low = m.x[a] < 0.0, far = m.x[a] < 0.08;
            double middle = 0.5 * (m.y[a] + m.y[b]), height = 0.5 * (m.z[a] + m.z[b]);
            bool half = low != (m.x[b] < 0.0) && middle > 0.0;
            bool inside = far != (m.x[b] < 0.08) && hypot(middle, height) < 0.035;
            m.broken[m.bonds++] = half || inside;
        }
    }
    update(&m);
    cr_assert_eq(sherd_surface_fallbacks(m.surface), 0);
    const sherd_mesh *mesh = sherd_surface_get_piece(m.surface, 0).mesh;
    check_manifold(mesh);
    double inner = 0.0, lost = 0.3 * 0.16 * 0.1 - sherd_mesh_volume(mesh);
    for (int32_t t = 0; t < mesh->triangle_count; ++t)
        if (mesh->face_kind[t] == SHERD_FACE_INNER) inner += area_of(mesh, t);
    // Both sides of half the section and of the disc, which end up to two radii beyond the last broken
    // bonds.
    double faces = 2.0 * (0.08 * 0.1 + 3.14159 * 0.035 * 0.035);
    double larger = 2.0 * (0.1 * 0.1 + 3.14159 * 0.055 * 0.055);
    cr_assert(lt(dbl, faces, inner));
    cr_assert(lt(dbl, inner, larger));
    // Less open towards their ends.
    double open = 0.5 * inner * sherd_surface_def_default().crack_gap * 0.01;
    cr_assert(lt(dbl, 0.6 * open, lost));
    cr_assert(lt(dbl, lost, 1.1 * open));
    free_model(&m);
}

// Bonds across a disc in the middle of a face, on which no fragment ends.
static void break_disc(model *m, double disc)
{
    for (sherd_bond_index b = 0; b < m->bonds; ++b) {
        sherd_vec3 x = element(m, m->i[b]), y = element(m, m->j[b]);
        sherd_vec3 at = vec3_scale(0.5, vec3_add(x, y));
        m->broken[b] = (x.x < 0.0) != (y.x < 0.0) && hypot(at.y, at.z - 0.05) < disc;
    }
}

static double area_of_cracks(const model *m)
{
    const sherd_mesh *mesh = sherd_surface_get_piece(m->surface, 0).mesh;
    double sum = 0.0;
    check_manifold(mesh);
    for (int32_t t = 0; t < mesh->triangle_count; ++t)
        if (mesh->face_kind[t] == SHERD_FACE_INNER) sum += area_of(mesh, t);
    return sum;
}

// Cracks of a few bonds would be specks. Where they are not drawn the body is whole; larger ones have both their
// sides.
Test(surface_cut, specks_are_not_drawn)
{
    model m = make_model(sherd_shape_box((sherd_vec3){0.2, 0.16, 0.1}, NULL), 0.01);
    bond_neighbours(&m);
    for (int32_t e = 0; e < m.count; ++e)
        m.label[e] = 1;
    break_disc(&m, 0.018);
    update(&m);
    cr_assert(eq(dbl, area_of_cracks(&m), 0.0));
    check_cut(&m);
    break_disc(&m, 0.05);
    update(&m);
    cr_assert(lt(dbl, M_PI * 0.04 * 0.04, area_of_cracks(&m)));
    free_model(&m);
}

// Boxes side by side whose tops are cracks.
static sherd_mesh *boxes_below_cracks(const double *height, int count, uint8_t *slit)
{
    static const int32_t CORNER[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6},
                                          {0, 1, 4}, {1, 5, 4}, {2, 6, 3}, {3, 6, 7},
                                          {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    sherd_mesh *mesh = sherd_mesh_create(8 * count, 12 * count, NULL);
    mesh->face_kind = calloc(12 * (size_t)count, 1);
    for (int b = 0; b < count; ++b) {
        for (int v = 0; v < 8; ++v)
            mesh_set_vertex(mesh, 8 * b + v,
                            (sherd_vec3){2.0 * b + (v & 1), v >> 1 & 1, height[b] * (v >> 2)});
        for (int t = 0; t < 12; ++t) {
            bool top = t == 2 || t == 3;
            slit[12 * b + t] = top;
            mesh->face_kind[12 * b + t] = top ? SHERD_FACE_INNER : SHERD_FACE_OUTER;
            mesh_set_triangle(mesh, 12 * b + t, 8 * b + CORNER[t][0], 8 * b + CORNER[t][1],
                              8 * b + CORNER[t][2]);
        }
    }
    return mesh;
}

// Sides of cracks move apart, but what lies between a crack and the outer surface is not turned inside out.
Test(surface_cut, thin_parts_stay_as_they_are)
{
    const double height[] = {1.0, 0.02, 0.5};
    uint8_t slit[36];
    sherd_mesh *mesh = boxes_below_cracks(height, 3, slit);
    cr_assert(sherd_cut_move_apart(mesh, slit, 0.03));
    cr_assert(epsilon_eq(dbl, mesh->vertices[3 * 4 + 2], 0.97, 1e-15)); // rounding
    cr_assert(eq(dbl, mesh->vertices[3 * 12 + 2], 0.02));
    cr_assert(epsilon_eq(dbl, mesh->vertices[3 * 20 + 2], 0.47, 1e-15));
    cr_assert(epsilon_eq(dbl, sherd_mesh_volume(mesh), 0.97 + 0.02 + 0.47, 1e-14));
    sherd_mesh_destroy(mesh);
}

// Pieces far from what broke keep their version, and a surface made afresh is the same.
Test(surface_cut, only_what_broke_is_made_anew)
{
    model m = make_model(sherd_shape_box((sherd_vec3){0.5, 0.1, 0.06}, NULL), 0.01);
    for (int32_t e = 0; e < m.count; ++e)
        m.label[e] = m.x[e] < -0.15 ? 1 : m.x[e] < 0.0 ? 2 : 3;
    update(&m);
    check_cut(&m);
    uint64_t version[4];
    for (int k = 0; k < 3; ++k)
        version[k] = sherd_surface_get_piece(m.surface, k).version;
    sherd_fragment_id former[3];
    for (int k = 0; k < 3; ++k)
        former[k] = sherd_surface_get_piece(m.surface, k).fragment;
    for (int32_t e = 0; e < m.count; ++e)
        if (m.x[e] > 0.16) m.label[e] = 4;
    update(&m);
    check_cut(&m);
    int kept = 0;
    for (int k = 0; k < 4; ++k)
        for (int j = 0; j < 3; ++j) {
            sherd_surface_piece p = sherd_surface_get_piece(m.surface, k);
            kept += p.fragment == former[j] && p.version == version[j];
        }
    cr_assert_eq(kept, 2);
    sherd_surface *old = m.surface;
    sherd_mesh_destroy(m.whole);
    m.surface = NULL;
    update(&m);
    check_same_bits(old, m.surface, 4);
    sherd_surface_destroy(old);
    free_model(&m);
}

static int compare_bits(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

// Numbers of all pieces' inner triangles, ascending.
static uint64_t *list_inner(const model *m, size_t *count)
{
    size_t total = 0;
    *count = 0;
    for (int k = 0; k < m->view.count; ++k)
        total += (size_t)sherd_surface_get_piece(m->surface, k).mesh->triangle_count;
    uint64_t *numbers = malloc((total + 1) * sizeof *numbers);
    for (int k = 0; k < m->view.count; ++k) {
        const sherd_mesh *mesh = sherd_surface_get_piece(m->surface, k).mesh;
        for (int32_t t = 0; t < mesh->triangle_count; ++t)
            if (mesh->face_kind[t] == SHERD_FACE_INNER)
                numbers[(*count)++] = signed_number(mesh, t);
    }
    qsort(numbers, *count, sizeof *numbers, compare_bits);
    return numbers;
}

// Cracks that end inside a fragment and run into the one between fragments leave the faces of that one
// where they are on both sides, bit for bit; rough or not.
static void check_crack_with_others(double amplitude)
{
    model m = make_model(sherd_shape_box((sherd_vec3){0.24, 0.2, 0.1}, NULL), 0.01);
    m.roughness.amplitude = amplitude;
    bond_neighbours(&m);
    for (int32_t e = 0; e < m.count; ++e)
        m.label[e] = m.x[e] < 0.03 * m.z[e] / 0.05 ? 1 : 2;
    update(&m);
    size_t before, after;
    uint64_t *plain = list_inner(&m, &before), sum = 0;
    for (size_t k = 0; k < before; ++k)
        sum += plain[k];
    cr_assert_eq(sum, 0, "the two sides of the crack differ");
    for (sherd_bond_index b = 0; b < m.bonds; ++b)
        m.broken[b] = (m.y[m.i[b]] < 0.0) != (m.y[m.j[b]] < 0.0) && fabs(m.x[m.i[b]]) < 0.06;
    update(&m);
    for (int k = 0; k < 2; ++k)
        check_manifold(sherd_surface_get_piece(m.surface, k).mesh);
    uint64_t *opened = list_inner(&m, &after);
    cr_assert(lt(sz, before + 100, after));
    for (size_t k = 0, j = 0; k < before; ++k, ++j) {
        while (j < after && opened[j] < plain[k])
            ++j;
        cr_assert(j < after && opened[j] == plain[k], "a face of the crack was moved");
    }
    free(plain);
    free(opened);
    free_model(&m);
}

Test(surface_cut, sides_match_where_cracks_inside_fragments_meet_them)
{
    check_crack_with_others(0.0);
    check_crack_with_others(0.002);
}

// Surfaces that do not cut themselves give pieces that do not, at rest: on a ring, on letters, which are
// made on a grid, and on a bowl.
Test(surface_cut, no_piece_cuts_itself)
{
    const double radius[3] = {0.006, 0.004, 0.006};
    for (int k = 0; k < 3; ++k) {
        model m = make_model(k == 0   ? sherd_shape_torus(0.06, 0.02, NULL)
                             : k == 1 ? sherd_shape_text("R", NULL, 0.1, 0.03, NULL)
                                      : make_bowl(),
                             radius[k]);
        label_cells(&m, 12, 1);
        update(&m);
        cr_assert_eq(sherd_surface_fallbacks(m.surface), 0);
        for (int j = 0; j < m.view.count; ++j)
            check_manifold(sherd_surface_get_piece(m.surface, j).mesh);
        check_simple(&m, m.view.count);
        free_model(&m);
    }
}

// --- Frame after frame -----------------------------------------------------------------------------

// A ball of elements comes off the fragments that it is in, and bonds around another point break.
static void break_somewhere(model *m, uint64_t step, double ball, double crack)
{
    sherd_vec3 x = element(m, (int32_t)(sherd_random_uniform(7, step, 0) * m->count));
    sherd_vec3 y = element(m, (int32_t)(sherd_random_uniform(7, step, 1) * m->count));
    for (int32_t e = 0; e < m->count; ++e)
        if (vec3_distance(element(m, e), x) < ball) m->label[e] += 1 + (int32_t)step;
    for (sherd_bond_index b = 0; b < m->bonds; ++b) {
        sherd_vec3 at = vec3_scale(0.5, vec3_add(element(m, m->i[b]), element(m, m->j[b])));
        bool across = (m->z[m->i[b]] < y.z) != (m->z[m->j[b]] < y.z);
        m->broken[b] |= across && vec3_distance(at, y) < crack;
    }
}

// Lets pieces move as the one fragment that they were.
static void follow_whole(model *m)
{
    sherd_error error;
    int32_t *slot = calloc((size_t)m->count, sizeof *slot);
    sherd_fragment_id *label = malloc((size_t)m->count * sizeof *label);
    for (int32_t e = 0; e < m->count; ++e)
        label[e] = 1;
    sherd_fragment whole = {.id = 1, .count = m->count};
    sherd_fragment_view view = {1, &whole, label, slot, 2};
    cr_assert_eq(sherd_surface_follow(m->surface, &view, &error), SHERD_OK);
    free(slot);
    free(label);
}

// Whatever was drawn before, a frame's meshes have the bits of a surface that has seen no other.
static void check_frames(model *m, int frames, double ball, double crack)
{
    bond_neighbours(m);
    for (int32_t e = 0; e < m->count; ++e)
        m->label[e] = 1;
    for (int f = 0; f < frames; ++f) {
        if (f > 0) break_somewhere(m, (uint64_t)f, ball, crack);
        update(m);
        if (f % 3 == 2) {
            follow_whole(m);
            update(m);
        }
        cr_assert_eq(sherd_surface_fallbacks(m->surface), 0);
        sherd_surface *kept = m->surface;
        sherd_mesh_destroy(m->whole);
        m->surface = NULL;
        update(m);
        check_same_bits(kept, m->surface, m->view.count);
        sherd_surface_destroy(m->surface);
        m->surface = kept;
    }
}

Test(surface_cut, frames_are_the_same_as_from_scratch)
{
    model bowl = make_model(make_bowl(), 0.006);
    check_frames(&bowl, 7, 0.016, 0.025);
    free_model(&bowl);
    model thick = make_model(box_with_hole(), 0.012);
    check_frames(&thick, 7, 0.03, 0.05);
    free_model(&thick);
}

Test(surface_cut, any_number_of_threads_gives_the_same_bits)
{
    model m[2];
    for (int k = 0; k < 2; ++k) {
        m[k] = make_model(make_bowl(), 0.005);
        m[k].threads = 1 + 2 * k;
        label_cells(&m[k], 15, 8);
        update(&m[k]);
    }
    check_same_bits(m[0].surface, m[1].surface, m[0].view.count);
    free_model(&m[0]);
    free_model(&m[1]);
}

// --- Walls -----------------------------------------------------------------------------------------

static sherd_weakness *make_wall(const sherd_weakness_def *def)
{
    sherd_error error;
    sherd_weakness *wall = sherd_weakness_create(def, &error);
    cr_assert(wall != NULL, "%s %s", error.where, error.what);
    return wall;
}

// How far above z = 3 |x| - 6, along z; the edge runs along y.
static double above_wedge(sherd_vec3 x)
{
    return x.z - (3.0 * fabs(x.x) - 6.0);
}

static sherd_weakness *half_wedge(double side)
{
    sherd_weakness_def def = sherd_weakness_def_default();
    const sherd_vec3 corner[4] = {
        {0.0, -9.0, -6.0}, {side * 9.0, -9.0, 21.0}, {side * 9.0, 9.0, 21.0}, {0.0, 9.0, -6.0}};
    def.kind = SHERD_WEAKNESS_CUT;
    def.cut = SHERD_CUT_POLYGON;
    def.points = corner, def.point_count = 4;
    return make_wall(&def);
}

// Of inner vertices at least so far from the edge's plane.
static double largest_distance_from_wedge(const model *m, double from_edge)
{
    double most = 0.0;
    for (int k = 0; k < sherd_surface_piece_count(m->surface); ++k) {
        const sherd_mesh *mesh = sherd_surface_get_piece(m->surface, k).mesh;
        for (int32_t t = 0; t < mesh->triangle_count; ++t)
            for (int c = 0; c < 3 && mesh->face_kind[t] == SHERD_FACE_INNER; ++c) {
                sherd_vec3 x = mesh_corner(mesh, t, c);
                if (fabs(x.x) >= from_edge) most = fmax(most, fabs(above_wedge(x)) / sqrt(10.0));
            }
    }
    return most;
}

Test(surface_cut, fragments_meet_on_the_walls_that_part_them)
{
    sherd_error error;
    model m = make_model(sherd_shape_box(vec3(10.0, 6.0, 14.0), &error), 0.7);
    sherd_weakness *const walls[2] = {half_wedge(-1.0), half_wedge(1.0)};
    m.wall_count = 2, m.walls = (const sherd_weakness *const *)walls;
    for (int32_t e = 0; e < m.count; ++e)
        m.label[e] = above_wedge(element(&m, e)) > 0.0 ? 1 : 2;
    update(&m);
    check_cut(&m);
    // Vertices keep 4 % of an edge of the grid from its ends; edges are up to sqrt(3) cells long, as far as triangles may
    // reach across the wedge's edge and cut it off.
    double longest = sqrt(3.0) * 0.5 * 0.7;
    cr_assert(lt(dbl, largest_distance_from_wedge(&m, longest), 0.04 * longest));
    cr_assert(lt(dbl, largest_distance_from_wedge(&m, 0.0), 0.5 * longest));
    // A triangle, 13 high up to the box's top, with half of that width / 3; the tip is cut off where it is so wide.
    double above = 6.0 * 13.0 * 13.0 / 3.0, lost = 6.0 * 0.5 * longest * 1.5 * longest;
    double volume = sherd_mesh_volume(sherd_surface_get_piece(m.surface, 1).mesh);
    if (m.label[0] == 1) volume = sherd_mesh_volume(sherd_surface_get_piece(m.surface, 0).mesh);
    cr_assert(epsilon_eq(dbl, volume, above, lost));
    free_model(&m);
    sherd_weakness_destroy(walls[0]), sherd_weakness_destroy(walls[1]);
}

Test(surface_cut, cells_of_voronoi_walls_are_closed_and_match)
{
    sherd_error error;
    model m = make_model(sherd_shape_sphere(5.0, &error), 0.7);
    sherd_weakness_def def = sherd_weakness_def_default();
    def.kind = SHERD_WEAKNESS_VORONOI;
    def.size = 4.0, def.seed = 3, def.warp = 0.5;
    sherd_weakness *wall = make_wall(&def);
    m.wall_count = 1, m.walls = (const sherd_weakness *const *)&wall;
    for (int32_t e = 0, next = 1; e < m.count; ++e) {
        for (int32_t k = 0; k < e && m.label[e] == 0; ++k)
            if (sherd_weakness_amount(wall, element(&m, k), element(&m, e)) < 0.5)
                m.label[e] = m.label[k];
        if (m.label[e] == 0) m.label[e] = next++;
    }
    update(&m);
    cr_assert(lt(int, 10, m.view.count));
    check_cut(&m);
    check_simple(&m, m.view.count);
    free_model(&m);
    sherd_weakness_destroy(wall);
}

// Two boxes pushed into each other without being joined: the outer surface cuts itself, and the cracks
// cross it where it does. Marched instead, and said so.
Test(surface_cut, a_surface_that_cuts_itself_is_marched)
{
    sherd_shape *box = sherd_shape_box((sherd_vec3){0.1, 0.1, 0.1}, NULL);
    sherd_mesh *one = sherd_shape_surface(box, 0.02, NULL);
    int32_t n = one->vertex_count, t = one->triangle_count;
    sherd_mesh *two = sherd_mesh_create(2 * n, 2 * t, NULL);
    for (int32_t v = 0; v < 2 * n; ++v)
        mesh_set_vertex(
            two, v,
            vec3_add_scaled(mesh_vertex(one, v % n), v < n ? 0.0 : 1.0, vec3(0.052, 0.031, 0.013)));
    for (int32_t c = 0; c < 6 * t; ++c)
        two->triangles[c] = one->triangles[c % (3 * t)] + (c < 3 * t ? 0 : n);
    sherd_shape *both = sherd_shape_mesh(two, NULL);
    model m = make_model(both, 0.008);
    label_cells(&m, 6, 2);
    update(&m);
    cr_assert_eq(sherd_surface_fallbacks(m.surface), 1);
    cr_assert_eq(sherd_surface_piece_count(m.surface), m.view.count);
    for (int k = 0; k < m.view.count; ++k)
        check_manifold(sherd_surface_get_piece(m.surface, k).mesh);
    sherd_mesh_destroy(one);
    sherd_mesh_destroy(two);
    sherd_shape_destroy(box);
    free_model(&m);
}

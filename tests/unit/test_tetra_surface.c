// tetra_surface: fragments' meshes from tetrahedra's faces, closed 2-manifolds whatever breaks.
#include "base/random.h"
#include "geometry/mesh/mesh_access.h"
#include "geometry/tetra/tetra_mesh.h"
#include "math/quat.h"
#include "surface/surface_pose.h"
#include "unit/manifold.h"

#include <sherd/packing.h>
#include <sherd/surface.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>
#include <string.h>

typedef struct model {
    sherd_packing *packing;
    uint8_t *broken;
    double *mass;
    sherd_fragments *fragments;
    sherd_fragment_view view;
    sherd_surface_body body;
    sherd_surface *surface;
} model;

static model make_model(sherd_shape *shape, double size, int threads)
{
    sherd_error error;
    model m = {0};
    sherd_packing_def pack = sherd_packing_def_default();
    pack.kind = SHERD_PACKING_TETRA;
    pack.tetra.size = size;
    m.packing = sherd_packing_create(shape, &pack, &error);
    cr_assert(m.packing != NULL, "%s", error.what);
    sherd_shape_destroy(shape);
    const sherd_packing *p = m.packing;
    m.broken = calloc((size_t)p->bond_count, 1);
    m.mass = malloc((size_t)p->count * sizeof *m.mass);
    for (int32_t k = 0; k < p->count; ++k)
        m.mass[k] = p->volume[k];
    m.fragments = sherd_fragments_create(&error);
    m.body = (sherd_surface_body){.count = p->count, .tetra = p->tetra};
    sherd_surface_def def = sherd_surface_def_default();
    def.body_count = 1;
    def.bodies = &m.body;
    def.element_count = p->count;
    def.rest_x = p->x, def.rest_y = p->y, def.rest_z = p->z;
    def.radius = p->radius;
    def.bond_count = p->bond_count;
    def.bond_i = p->bond_i, def.bond_j = p->bond_j;
    def.threads = threads;
    m.surface = sherd_surface_create(&def, &error);
    cr_assert(m.surface != NULL, "%s %s", error.where, error.what);
    return m;
}

static void free_model(model *m)
{
    sherd_surface_destroy(m->surface);
    sherd_fragments_destroy(m->fragments);
    sherd_packing_destroy(m->packing);
    free(m->broken);
    free(m->mass);
}

static void update(model *m)
{
    sherd_error error;
    const sherd_packing *p = m->packing;
    sherd_fragment_input in = {.element_count = p->count,
                               .mass = m->mass,
                               .radius = p->radius,
                               .bond_count = p->bond_count,
                               .bond_i = p->bond_i,
                               .bond_j = p->bond_j,
                               .bond_broken = m->broken};
    cr_assert_eq(sherd_fragments_update(m->fragments, &in, &error), SHERD_OK, "%s", error.what);
    m->view = sherd_fragments_view(m->fragments);
    cr_assert_eq(sherd_surface_update(m->surface, &m->view, m->broken, &error), SHERD_OK, "%s",
                 error.what);
}

static void break_plane(model *m, sherd_vec3 normal, double offset)
{
    const sherd_packing *p = m->packing;
    for (sherd_bond_index b = 0; b < p->bond_count; ++b) {
        int32_t i = p->bond_i[b], j = p->bond_j[b];
        double at_i = vec3_dot(normal, vec3(p->x[i], p->y[i], p->z[i]));
        double at_j = vec3_dot(normal, vec3(p->x[j], p->y[j], p->z[j]));
        m->broken[b] |= (at_i < offset) != (at_j < offset);
    }
}

static void break_random(model *m, double share, uint64_t seed)
{
    for (sherd_bond_index b = 0; b < m->packing->bond_count; ++b)
        m->broken[b] |= sherd_random_uniform(seed, 0, (uint64_t)b) < share;
}

// Every piece is a closed oriented 2-manifold, carried by elements of its own, with the volume of its
// tetrahedra.
static void check_pieces(const model *m)
{
    cr_assert_eq(sherd_surface_piece_count(m->surface), m->view.count);
    double *volume = calloc((size_t)m->view.count, sizeof *volume);
    for (int32_t t = 0; t < m->packing->count; ++t) {
        sherd_vec3 x[4];
        tetra_points(m->packing->tetra, t, x);
        volume[m->view.element_slot[t]] += tetra_volume_of(x);
    }
    for (int k = 0; k < m->view.count; ++k) {
        sherd_surface_piece p = sherd_surface_get_piece(m->surface, k);
        cr_assert_eq(p.fragment, m->view.fragments[k].id);
        check_manifold(p.mesh);
        // Rounding of a sum over faces.
        cr_assert(epsilon_eq(dbl, sherd_mesh_volume(p.mesh), volume[k], 1e-11 * volume[k] + 1e-22));
        for (int32_t v = 0; v < p.mesh->vertex_count; ++v) {
            const double *n = p.mesh->normals + 3 * v;
            cr_assert(epsilon_eq(dbl, n[0] * n[0] + n[1] * n[1] + n[2] * n[2], 1.0, 1e-12));
            float sum = 0.0f;
            for (int b = SHERD_SURFACE_BONES * v; b < SHERD_SURFACE_BONES * (v + 1); ++b) {
                sum += p.weights[b];
                cr_assert_eq(m->view.element_fragment[p.bones[b]], p.fragment);
            }
            cr_assert(epsilon_eq(flt, sum, 1.0f, 1e-5f)); // roundings to float of weights up to 3
        }
    }
    free(volume);
}

Test(tetra_surface, whole_body_is_its_boundary)
{
    sherd_error error;
    model m = make_model(sherd_shape_sphere(0.01, &error), 0.003, 1);
    update(&m);
    check_pieces(&m);
    sherd_surface_piece p = sherd_surface_get_piece(m.surface, 0);
    sherd_mesh *boundary = sherd_tetra_mesh_boundary(m.packing->tetra, &error);
    cr_assert_eq(p.mesh->triangle_count, boundary->triangle_count);
    cr_assert_eq(p.mesh->vertex_count, boundary->vertex_count);
    for (int32_t t = 0; t < p.mesh->triangle_count; ++t)
        cr_assert_eq(p.mesh->face_kind[t], SHERD_FACE_OUTER);
    sherd_mesh_destroy(boundary);
    free_model(&m);
}

static int compare_triangles(const void *a, const void *b)
{
    return memcmp(a, b, 9 * sizeof(double));
}

// Inner triangles as their corners' places, each starting with the same one, `turned` or not.
static double *inner_triangles(const sherd_mesh *mesh, bool turned, int32_t *count)
{
    double *list = malloc(9 * (size_t)mesh->triangle_count * sizeof *list);
    *count = 0;
    for (int32_t t = 0; t < mesh->triangle_count; ++t) {
        if (mesh->face_kind[t] != SHERD_FACE_INNER) continue;
        double *to = list + 9 * (*count)++;
        int first = 0;
        for (int k = 1; k < 3; ++k) {
            sherd_vec3 p = mesh_corner(mesh, t, k), q = mesh_corner(mesh, t, first);
            if (p.x < q.x || (p.x == q.x && (p.y < q.y || (p.y == q.y && p.z < q.z)))) first = k;
        }
        for (int k = 0; k < 3; ++k) {
            sherd_vec3 p = mesh_corner(mesh, t, (first + (turned ? 3 - k : k)) % 3);
            memcpy(to + 3 * k, &p, sizeof p);
        }
    }
    qsort(list, (size_t)*count, 9 * sizeof *list, compare_triangles);
    return list;
}

// Both sides of a crack are the same triangles, seen from either side, bit for bit.
Test(tetra_surface, sides_of_a_crack_coincide)
{
    sherd_error error;
    model m = make_model(sherd_shape_box((sherd_vec3){0.03, 0.02, 0.02}, &error), 0.003, 2);
    break_plane(&m, vec3_normalize(vec3(1.0, 0.3, 0.2)), 0.001);
    update(&m);
    check_pieces(&m);
    cr_assert_eq(m.view.count, 2);
    int32_t n[2];
    double *a = inner_triangles(sherd_surface_get_piece(m.surface, 0).mesh, false, &n[0]);
    double *b = inner_triangles(sherd_surface_get_piece(m.surface, 1).mesh, true, &n[1]);
    cr_assert(n[0] > 20 && n[0] == n[1]);
    cr_assert(memcmp(a, b, 9 * (size_t)n[0] * sizeof *a) == 0);
    free(a);
    free(b);
    free_model(&m);
}

// Random breaking gives fragments that touch in edges and corners, cracks that end inside, single
// tetrahedra and holes of every kind.
Test(tetra_surface, manifold_whatever_breaks)
{
    sherd_error error;
    const double shares[] = {0.02, 0.1, 0.25, 0.4, 0.6, 0.8, 1.0};
    model m = make_model(sherd_shape_sphere(0.01, &error), 0.0022, 2);
    for (size_t k = 0; k < sizeof shares / sizeof *shares; ++k) {
        break_random(&m, shares[k], k);
        update(&m);
        check_pieces(&m);
    }
    cr_assert_eq(m.view.count, m.packing->count);
    free_model(&m);
}

// A crack that ends inside the body opens when its two sides move apart.
Test(tetra_surface, cracks_inside_fragments_open)
{
    sherd_error error;
    model m = make_model(sherd_shape_box((sherd_vec3){0.03, 0.012, 0.012}, &error), 0.003, 1);
    const sherd_packing *p = m.packing;
    update(&m);
    sherd_surface_piece whole = sherd_surface_get_piece(m.surface, 0);
    int32_t triangles = whole.mesh->triangle_count;
    for (sherd_bond_index b = 0; b < p->bond_count; ++b) {
        int32_t i = p->bond_i[b], j = p->bond_j[b];
        bool upper = p->z[i] > 0.0 && p->z[j] > 0.0;
        m.broken[b] = upper && (p->x[i] < 0.0) != (p->x[j] < 0.0);
    }
    update(&m);
    check_pieces(&m);
    cr_assert_eq(m.view.count, 1);
    sherd_surface_piece cracked = sherd_surface_get_piece(m.surface, 0);
    cr_assert_gt(cracked.mesh->triangle_count, triangles + 10);
    cr_assert_neq(cracked.version, whole.version);
    free_model(&m);
}

// One broken bond in the middle opens nothing: no face is drawn.
Test(tetra_surface, a_single_broken_bond_inside_shows_nothing)
{
    sherd_error error;
    model m = make_model(sherd_shape_sphere(0.01, &error), 0.003, 1);
    const sherd_packing *p = m.packing;
    update(&m);
    sherd_surface_piece before = sherd_surface_get_piece(m.surface, 0);
    uint64_t version = before.version;
    int32_t triangles = before.mesh->triangle_count;
    for (sherd_bond_index b = 0; b < p->bond_count; ++b) {
        sherd_vec3 x = vec3(p->x[p->bond_i[b]], p->y[p->bond_i[b]], p->z[p->bond_i[b]]);
        if (vec3_length(x) > 0.004) continue;
        m.broken[b] = 1;
        break;
    }
    update(&m);
    sherd_surface_piece after = sherd_surface_get_piece(m.surface, 0);
    cr_assert_eq(after.mesh->triangle_count, triangles);
    cr_assert_eq(after.version, version);
    free_model(&m);
}

// What did not change is kept; meshes depend on the frame alone, and not on threads.
Test(tetra_surface, unchanged_fragments_are_kept)
{
    sherd_error error;
    model m = make_model(sherd_shape_box((sherd_vec3){0.03, 0.02, 0.02}, &error), 0.003, 1);
    break_plane(&m, vec3(1, 0, 0), 0.0);
    update(&m);
    uint64_t version[2] = {sherd_surface_get_piece(m.surface, 0).version,
                           sherd_surface_get_piece(m.surface, 1).version};
    sherd_vec3 diagonal = vec3_normalize(vec3(1, 1, 0));
    const sherd_packing *p = m.packing;
    for (sherd_bond_index b = 0; b < p->bond_count; ++b) {
        int32_t i = p->bond_i[b], j = p->bond_j[b];
        if (p->x[i] < 0.0) continue;
        double at_i = vec3_dot(diagonal, vec3(p->x[i], p->y[i], p->z[i]));
        double at_j = vec3_dot(diagonal, vec3(p->x[j], p->y[j], p->z[j]));
        m.broken[b] |= (at_i < 0.01) != (at_j < 0.01);
    }
    update(&m);
    check_pieces(&m);
    cr_assert_geq(m.view.count, 3);
    int kept = 0;
    for (int k = 0; k < m.view.count; ++k) {
        uint64_t now = sherd_surface_get_piece(m.surface, k).version;
        kept += now == version[0] || now == version[1];
    }
    cr_assert_eq(kept, 1);
    model again = make_model(sherd_shape_box((sherd_vec3){0.03, 0.02, 0.02}, &error), 0.003, 3);
    memcpy(again.broken, m.broken, (size_t)p->bond_count);
    update(&again);
    for (int k = 0; k < m.view.count; ++k) {
        const sherd_mesh *a = sherd_surface_get_piece(m.surface, k).mesh;
        bool found = false; // ids, and so the order, depend on the history
        for (int j = 0; j < again.view.count; ++j) {
            const sherd_mesh *b = sherd_surface_get_piece(again.surface, j).mesh;
            found = found || (a->vertex_count == b->vertex_count &&
                              memcmp(a->vertices, b->vertices,
                                     3 * (size_t)a->vertex_count * sizeof(double)) == 0);
        }
        cr_assert(found);
    }
    free_model(&m);
    free_model(&again);
}

// An affine motion of all elements moves the surface along, crack faces included.
Test(tetra_surface, vertices_follow_stretching)
{
    sherd_error error;
    model m = make_model(sherd_shape_box((sherd_vec3){0.03, 0.02, 0.02}, &error), 0.003, 1);
    break_plane(&m, vec3(1, 0, 0), 0.001);
    update(&m);
    const sherd_packing *p = m.packing;
    size_t n = (size_t)p->count;
    double *now = calloc(7 * n, sizeof *now);
    for (size_t k = 0; k < n; ++k) {
        now[k] = 1.2 * p->x[k];
        now[n + k] = 0.9 * p->y[k];
        now[2 * n + k] = p->z[k] + 0.1 * p->x[k];
        now[6 * n + k] = 1.0;
    }
    sherd_surface_pose pose = {now,         now + n,     now + 2 * n, now + 3 * n,
                               now + 4 * n, now + 5 * n, now + 6 * n};
    for (int piece = 0; piece < 2; ++piece) {
        const sherd_mesh *mesh = sherd_surface_get_piece(m.surface, piece).mesh;
        double *x = malloc(3 * (size_t)mesh->vertex_count * sizeof *x);
        sherd_surface_pose_piece(m.surface, piece, &pose, x, NULL);
        for (int32_t v = 0; v < mesh->vertex_count; ++v) {
            sherd_vec3 r = mesh_vertex(mesh, v);
            sherd_vec3 want = vec3(1.2 * r.x, 0.9 * r.y, r.z + 0.1 * r.x);
            // A third of an edge times the strain, at corners that few elements carry.
            cr_assert_lt(vec3_distance(vec3(x[3 * v], x[3 * v + 1], x[3 * v + 2]), want),
                         0.3 * 0.003 * 0.25);
        }
        free(x);
    }
    free(now);
    free_model(&m);
}

Test(tetra_surface, mesh_and_elements_must_agree)
{
    sherd_error error;
    model m = make_model(sherd_shape_sphere(0.01, &error), 0.004, 1);
    const sherd_packing *p = m.packing;
    sherd_surface_body body = {.count = p->count - 1, .tetra = p->tetra};
    sherd_surface_def def = sherd_surface_def_default();
    def.body_count = 1;
    def.bodies = &body;
    def.element_count = p->count;
    def.rest_x = p->x, def.rest_y = p->y, def.rest_z = p->z;
    def.radius = p->radius;
    cr_assert(sherd_surface_create(&def, &error) == NULL);
    cr_assert_eq(error.status, SHERD_ERROR_INPUT);
    free_model(&m);
}

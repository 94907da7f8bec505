// surface: closed meshes of fragments that tile their body, marched.
#include "geometry/mesh/mesh_access.h"
#include "math/quat.h"
#include "surface/partition/key_map.h"
#include "surface/partition/partition.h"
#include "surface/surface_pose.h"
#include "unit/surface_rig.h"

#include <string.h>

static model make_model(sherd_shape *shape, double radius, int threads)
{
    sherd_surface_def def = sherd_surface_def_default();
    def.method = SHERD_SURFACE_MARCHING;
    return make_model_with(shape, radius, threads, &def);
}

static double inner_area(const sherd_mesh *mesh)
{
    double area = 0.0;
    for (int32_t t = 0; t < mesh->triangle_count; ++t)
        if (mesh->face_kind[t] == SHERD_FACE_INNER)
            area += 0.5 * vec3_length(mesh_area_vector(mesh, t));
    return area;
}

// Distance from each inner vertex of `a` to the nearest inner vertex of `b`; the largest.
static double largest_gap(const sherd_mesh *a, const sherd_mesh *b)
{
    double largest = 0.0;
    for (int32_t t = 0; t < a->triangle_count; ++t) {
        if (a->face_kind[t] != SHERD_FACE_INNER) continue;
        sherd_vec3 x = mesh_corner(a, t, 0);
        double best = INFINITY;
        for (int32_t v = 0; v < b->vertex_count; ++v)
            best = fmin(best, vec3_distance(x, mesh_vertex(b, v)));
        largest = fmax(largest, best);
    }
    return largest;
}

Test(surface, a_plane_cuts_a_box_in_two_matching_halves)
{
    model m = make_model(sherd_shape_box((sherd_vec3){0.24, 0.16, 0.12}, NULL), 0.01, 2);
    sherd_vec3 normal = vec3_normalize(vec3(1.0, 0.35, 0.2));
    break_plane(&m, normal, 0.0);
    update(&m);
    cr_assert_eq(m.view.count, 2);
    // Sharp edges of the box are cut off by a fraction of a cell (7.5 mm on a 120 mm box).
    cr_assert(epsilon_eq(dbl, check_pieces(&m), 0.24 * 0.16 * 0.12, 0.01 * 0.24 * 0.16 * 0.12));
    const sherd_mesh *a = piece_at(&m, 0).mesh, *b = piece_at(&m, 1).mesh;
    // The oblique plane leaves the box through its four long sides: area of the section.
    double section = 0.16 * 0.12 / normal.x;
    cr_assert(epsilon_eq(dbl, inner_area(a), section, 0.1 * section));
    cr_assert(epsilon_eq(dbl, inner_area(a), inner_area(b), 1e-9));
    // The same vertices on both sides, to the rounding of sums in different order.
    cr_assert(lt(dbl, largest_gap(a, b), 1e-9));
    cr_assert(lt(dbl, largest_gap(b, a), 1e-9));
    // Outer vertices lie on the box.
    for (int32_t t = 0; t < a->triangle_count; ++t)
        if (a->face_kind[t] == SHERD_FACE_OUTER)
            for (int k = 0; k < 3; ++k)
                cr_assert(lt(dbl, fabs(sherd_shape_distance(m.shape, mesh_corner(a, t, k))), 1e-6));
    free_model(&m);
}

Test(surface, voronoi_pieces_tile_plate_and_sphere)
{
    sherd_shape *shapes[2] = {sherd_shape_cylinder(0.15, 0.055, NULL),
                              sherd_shape_sphere(0.12, NULL)};
    for (int k = 0; k < 2; ++k) {
        model m = make_model(shapes[k], 0.01, 2);
        double whole = sherd_shape_volume(m.shape);
        update(&m);
        cr_assert_eq(m.view.count, 1);
        cr_assert(epsilon_eq(dbl, check_pieces(&m), whole, 0.015 * whole));
        break_voronoi(&m, 20, 5);
        update(&m);
        cr_assert_gt(m.view.count, 10);
        // Chords across curved and sharp edges at a cell of 7.5 mm cost about 1 %.
        cr_assert(epsilon_eq(dbl, check_pieces(&m), whole, 0.015 * whole));
        free_model(&m);
    }
}

// All bonds broken: dust, every grain a closed mesh of about its share of the volume.
Test(surface, debris_of_single_elements_keeps_its_volume)
{
    model m = make_model(sherd_shape_box((sherd_vec3){0.12, 0.12, 0.1}, NULL), 0.01, 2);
    memset(m.broken, 1, (size_t)m.bonds);
    update(&m);
    cr_assert_eq(m.view.count, m.packing->count);
    double whole = 0.12 * 0.12 * 0.1;
    cr_assert(epsilon_eq(dbl, check_pieces(&m), whole, 0.03 * whole));
    free_model(&m);
    // One grain alone inside a solid.
    m = make_model(sherd_shape_sphere(0.06, NULL), 0.01, 2);
    sherd_element_index middle = 0;
    for (sherd_element_index e = 0; e < m.packing->count; ++e)
        if (vec3_length(element(&m, e)) < vec3_length(element(&m, middle))) middle = e;
    for (sherd_bond_index b = 0; b < m.bonds; ++b)
        m.broken[b] = m.i[b] == middle || m.j[b] == middle;
    update(&m);
    cr_assert_eq(m.view.count, 2);
    check_pieces(&m);
    int slot = m.view.element_slot[middle];
    double lattice_cell = 4.0 * sqrt(2.0) * pow(m.packing->radius[0], 3);
    // The margin of partition.c aims at the cell of the lattice; half to double is a fair grain.
    double grain = sherd_mesh_volume(piece_at(&m, slot).mesh);
    cr_assert(lt(dbl, 0.5 * lattice_cell, grain));
    cr_assert(lt(dbl, grain, 2.0 * lattice_cell));
    free_model(&m);
}

Test(surface, unchanged_pieces_keep_their_version)
{
    model m = make_model(sherd_shape_box((sherd_vec3){0.5, 0.1, 0.06}, NULL), 0.01, 2);
    break_plane(&m, vec3(1, 0, 0), -0.15);
    break_plane(&m, vec3(1, 0, 0), 0.0);
    update(&m);
    cr_assert_eq(m.view.count, 3);
    uint64_t before[3];
    sherd_fragment_id id[3];
    for (int k = 0; k < 3; ++k) {
        before[k] = piece_at(&m, k).version;
        id[k] = piece_at(&m, k).fragment;
    }
    update(&m);
    for (int k = 0; k < 3; ++k)
        cr_assert_eq(piece_at(&m, k).version, before[k]);
    break_plane(&m, vec3(1, 0, 0), 0.16); // far from the piece on the left
    update(&m);
    cr_assert_eq(m.view.count, 4);
    int kept = 0;
    for (int k = 0; k < 4; ++k)
        for (int j = 0; j < 3; ++j)
            kept += piece_at(&m, k).fragment == id[j] && piece_at(&m, k).version == before[j];
    cr_assert_eq(kept, 2);
    // A surface made afresh from this state is the same, bit for bit.
    model fresh = make_model(sherd_shape_box((sherd_vec3){0.5, 0.1, 0.06}, NULL), 0.01, 3);
    memcpy(fresh.broken, m.broken, (size_t)m.bonds);
    sherd_fragments_restore(fresh.fragments, m.view.element_fragment, m.packing->count,
                            m.view.next_id, NULL);
    update(&fresh);
    cr_assert_eq(fresh.view.count, 4);
    for (int k = 0; k < 4; ++k) {
        const sherd_mesh *a = piece_at(&m, k).mesh, *b = piece_at(&fresh, k).mesh;
        cr_assert_eq(a->vertex_count, b->vertex_count);
        cr_assert_eq(memcmp(a->vertices, b->vertices, 24 * (size_t)a->vertex_count), 0);
        cr_assert_eq(memcmp(a->triangles, b->triangles, 12 * (size_t)a->triangle_count), 0);
    }
    free_model(&fresh);
    free_model(&m);
}

Test(surface, any_number_of_threads_gives_the_same_bits)
{
    model a = make_model(sherd_shape_cylinder(0.12, 0.05, NULL), 0.01, 1);
    model b = make_model(sherd_shape_cylinder(0.12, 0.05, NULL), 0.01, 3);
    break_voronoi(&a, 12, 9);
    break_voronoi(&b, 12, 9);
    update(&a);
    update(&b);
    for (int k = 0; k < a.view.count; ++k) {
        sherd_surface_piece p = piece_at(&a, k), q = piece_at(&b, k);
        size_t n = (size_t)p.mesh->vertex_count;
        cr_assert_eq(p.mesh->vertex_count, q.mesh->vertex_count);
        cr_assert_eq(memcmp(p.mesh->vertices, q.mesh->vertices, 24 * n), 0);
        cr_assert_eq(memcmp(p.mesh->normals, q.mesh->normals, 24 * n), 0);
        cr_assert_eq(memcmp(p.weights, q.weights, SHERD_SURFACE_BONES * sizeof(float) * n), 0);
    }
    free_model(&a);
    free_model(&b);
}

// A cut half way through a bar: one fragment still, with a slit.
Test(surface, meshes_stay_when_all_else_is_freed)
{
    model m = make_model(sherd_shape_box((sherd_vec3){0.24, 0.16, 0.12}, NULL), 0.02, 2);
    break_plane(&m, vec3(1.0, 0.0, 0.0), 0.0);
    update(&m);
    int count = sherd_surface_piece_count(m.surface);
    cr_assert_eq(count, 2);
    sherd_mesh *before = sherd_mesh_copy(sherd_surface_get_piece(m.surface, 1).mesh, NULL);
    sherd_surface_keep_meshes(m.surface);
    cr_assert_eq(sherd_surface_piece_count(m.surface), count);
    const sherd_mesh *after = sherd_surface_get_piece(m.surface, 1).mesh;
    size_t vertices = 3 * (size_t)before->vertex_count,
           corners = 3 * (size_t)before->triangle_count;
    cr_assert(after->vertex_count == before->vertex_count && vertices > 0);
    cr_assert(after->triangle_count == before->triangle_count);
    cr_assert(memcmp(after->vertices, before->vertices, vertices * sizeof(double)) == 0);
    cr_assert(memcmp(after->triangles, before->triangles, corners * sizeof(int32_t)) == 0);
    sherd_mesh_destroy(before);
    free_model(&m); // nothing is freed twice
}

Test(surface, a_crack_inside_a_fragment_is_an_open_slit)
{
    model m = make_model(sherd_shape_box((sherd_vec3){0.3, 0.16, 0.1}, NULL), 0.01, 2);
    update(&m);
    double whole = check_pieces(&m);
    for (sherd_bond_index b = 0; b < m.bonds; ++b) {
        sherd_vec3 p = element(&m, m.i[b]), q = element(&m, m.j[b]);
        m.broken[b] = (p.x < 0.0) != (q.x < 0.0) && p.y + q.y > 0.0;
    }
    update(&m);
    cr_assert_eq(m.view.count, 1);
    double slit = whole - check_pieces(&m);
    // Half the section, open by a quarter of a radius. The rounded tip, a cell wide and half a cell beyond
    // the last broken bond, can hold as much again.
    double expected = 0.08 * 0.1 * 0.25 * m.packing->radius[0];
    cr_assert(lt(dbl, 0.5 * expected, slit));
    cr_assert(lt(dbl, slit, 3.0 * expected));
    // Two faces, each half the section.
    cr_assert(
        epsilon_eq(dbl, inner_area(piece_at(&m, 0).mesh), 2 * 0.08 * 0.1, 0.3 * 2 * 0.08 * 0.1));
    free_model(&m);
}

Test(surface, rigid_motion_keeps_the_shape)
{
    model m = make_model(sherd_shape_sphere(0.06, NULL), 0.01, 2);
    break_plane(&m, vec3(0.6, 0.8, 0.0), 0.0);
    update(&m);
    int32_t n = m.packing->count;
    sherd_pose pose = {{1.0, -2.0, 0.5}, quat_from_rotation_vector((sherd_vec3){0.4, 1.1, -0.7})};
    double *a = malloc(7 * (size_t)n * sizeof *a);
    for (int32_t e = 0; e < n; ++e) {
        sherd_vec3 x = pose_apply(pose, element(&m, e));
        double all[7] = {
            x.x, x.y, x.z, pose.rotation.x, pose.rotation.y, pose.rotation.z, pose.rotation.w};
        for (int k = 0; k < 7; ++k)
            a[k * n + e] = all[k];
    }
    sherd_surface_pose now = {a, a + n, a + 2 * n, a + 3 * n, a + 4 * n, a + 5 * n, a + 6 * n};
    const sherd_mesh *mesh = piece_at(&m, 0).mesh;
    double *x = malloc(3 * (size_t)mesh->vertex_count * sizeof *x),
           *normals = malloc(3 * (size_t)mesh->vertex_count * sizeof *x);
    sherd_surface_pose_piece(m.surface, 0, &now, x, normals);
    for (int32_t v = 0; v < mesh->vertex_count; ++v) {
        sherd_vec3 expected = pose_apply(pose, mesh_vertex(mesh, v));
        sherd_vec3 turned =
            quat_rotate(pose.rotation, vec3(mesh->normals[3 * v], mesh->normals[3 * v + 1],
                                            mesh->normals[3 * v + 2]));
        // Exact but for rounding of coordinates of about 2.
        cr_assert(
            lt(dbl, vec3_distance(expected, vec3(x[3 * v], x[3 * v + 1], x[3 * v + 2])), 1e-14));
        cr_assert(
            lt(dbl,
               vec3_distance(turned, vec3(normals[3 * v], normals[3 * v + 1], normals[3 * v + 2])),
               1e-14));
    }
    free(a);
    free(x);
    free(normals);
    free_model(&m);
}

// --- Texture coordinates and roughness -------------------------------------------------------------

static sherd_surface_def rough(double amplitude, sherd_surface_method method)
{
    sherd_surface_def def = sherd_surface_def_default();
    def.method = method;
    def.inner_uv_scale = 0.05;
    def.roughness = (sherd_surface_roughness){.amplitude = amplitude, .seed = 3};
    return def;
}

static int compare_places(const void *a, const void *b)
{
    return memcmp(a, b, 3 * sizeof(double));
}

// Vertices of `a` that are those of inner faces only and have no vertex of `b` at the very same place.
static int count_unmatched(const sherd_mesh *a, const sherd_mesh *b, int *inner)
{
    const size_t n = (size_t)b->vertex_count, place = 3 * sizeof(double);
    double *places = malloc(n * place);
    memcpy(places, b->vertices, n * place);
    qsort(places, n, place, compare_places);
    uint8_t *rim = calloc((size_t)a->vertex_count, 1);
    for (int32_t c = 0; c < 3 * a->triangle_count; ++c)
        rim[a->triangles[c]] |= a->face_kind[c / 3] == SHERD_FACE_OUTER;
    int unmatched = 0;
    *inner = 0;
    for (int32_t v = 0; v < a->vertex_count; ++v) {
        bool found = rim[v] != 0;
        *inner += !found;
        found |= bsearch(a->vertices + 3 * v, places, n, place, compare_places) != NULL;
        unmatched += !found;
    }
    free(rim);
    free(places);
    return unmatched;
}

static void check_rough_sides(sherd_surface_method method)
{
    sherd_surface_def smooth = rough(0.0, method), bumpy = rough(0.004, method);
    model m[2];
    for (int k = 0; k < 2; ++k) {
        m[k] = make_model_with(sherd_shape_box((sherd_vec3){0.24, 0.16, 0.12}, NULL), 0.01, 2,
                               k == 0 ? &smooth : &bumpy);
        break_plane(&m[k], vec3_normalize(vec3(1.0, 0.35, 0.2)), 0.0);
        update(&m[k]);
        cr_assert_eq(m[k].view.count, 2);
    }
    double volume = check_pieces(&m[0]);
    // What one side loses the other gains; the volume of a box of 240 mm to rounding.
    cr_assert(epsilon_eq(dbl, check_pieces(&m[1]), volume, 1e-9 * volume));
    const sherd_mesh *a = piece_at(&m[1], 0).mesh, *b = piece_at(&m[1], 1).mesh;
    const sherd_mesh *flat = piece_at(&m[0], 0).mesh;
    int inner;
    cr_assert_eq(count_unmatched(a, b, &inner), 0);
    cr_assert_gt(inner, 500);
    cr_assert_eq(count_unmatched(b, a, &inner), 0);
    // Refined and rougher: faces have more area, by the mean square of the slope over two.
    cr_assert(lt(dbl, 1.01 * inner_area(flat), inner_area(a)));
    cr_assert(lt(dbl, inner_area(a), 1.5 * inner_area(flat)));
    // Former vertices come first; those of outer faces have not moved.
    for (int32_t t = 0; t < flat->triangle_count; ++t)
        for (int k = 0; k < 3; ++k) {
            int32_t v = flat->triangles[3 * t + k];
            double way = vec3_distance(mesh_vertex(flat, v), mesh_vertex(a, v));
            if (flat->face_kind[t] == SHERD_FACE_OUTER)
                cr_assert(way == 0.0);
            else
                cr_assert(lt(dbl, way, 0.004));
        }
    free_model(&m[0]);
    free_model(&m[1]);
}

Test(surface, rough_sides_of_a_crack_match_and_the_outside_stays)
{
    check_rough_sides(SHERD_SURFACE_MARCHING);
    check_rough_sides(SHERD_SURFACE_CUT);
}

// A sheet thinner than the bumps are high, broken into many pieces: still closed and right side out.
Test(surface, roughness_leaves_thin_and_small_pieces_whole)
{
    const sherd_surface_method methods[] = {SHERD_SURFACE_MARCHING, SHERD_SURFACE_CUT};
    for (int k = 0; k < 2; ++k) {
        sherd_surface_def bumpy = rough(0.03, methods[k]);
        model m =
            make_model_with(sherd_shape_box((sherd_vec3){0.2, 0.2, 0.03}, NULL), 0.01, 2, &bumpy);
        break_voronoi(&m, 30, 4);
        update(&m);
        double whole = 0.2 * 0.2 * 0.03;
        cr_assert(epsilon_eq(dbl, check_pieces(&m), whole, 0.02 * whole));
        free_model(&m);
    }
}

Test(surface, texture_coordinates_have_the_scale_asked_for)
{
    sherd_surface_def smooth = rough(0.0, SHERD_SURFACE_CUT);
    model m =
        make_model_with(sherd_shape_box((sherd_vec3){0.24, 0.16, 0.12}, NULL), 0.01, 2, &smooth);
    break_plane(&m, vec3(1.0, 0.0, 0.0), 0.0);
    update(&m);
    for (int k = 0; k < 2; ++k) {
        const sherd_mesh *mesh = piece_at(&m, k).mesh;
        cr_assert(mesh->uv != NULL);
        for (int32_t t = 0; t < mesh->triangle_count; ++t) {
            if (mesh->face_kind[t] == SHERD_FACE_OUTER) continue;
            sherd_vec3 n = vec3_normalize(mesh_area_vector(mesh, t));
            if (fabs(n.x) < 0.9) continue;
            for (int c = 0; c < 3; ++c) { // seen along x: y to the right, z up
                sherd_vec3 p = mesh_corner(mesh, t, c);
                cr_assert(epsilon_eq(flt, mesh->uv[6 * t + 2 * c], (float)(p.y / 0.05), 1e-6f));
                cr_assert(epsilon_eq(flt, mesh->uv[6 * t + 2 * c + 1], (float)(p.z / 0.05), 1e-6f));
            }
        }
    }
    free_model(&m);
}

// --- Following -------------------------------------------------------------------------------------

// Bent about y and twisted along x.
static sherd_pose bend(sherd_vec3 x)
{
    sherd_quat q = quat_multiply(quat_from_rotation_vector(vec3(0.0, -3.0 * x.x, 0.0)),
                                 quat_from_rotation_vector(vec3(2.0 * x.x, 0.0, 0.0)));
    return (sherd_pose){
        vec3_add(vec3(sin(3.0 * x.x) / 3.0, 0.0, 0.0), quat_rotate(q, vec3(0.0, x.y, x.z))), q};
}

static void pose_bent(const model *m, double *x[2])
{
    size_t n = (size_t)m->packing->count;
    double *a = malloc(7 * n * sizeof *a);
    for (size_t e = 0; e < n; ++e) {
        sherd_pose p = bend(element(m, (int32_t)e));
        const double all[7] = {p.position.x, p.position.y, p.position.z, p.rotation.x,
                               p.rotation.y, p.rotation.z, p.rotation.w};
        for (size_t k = 0; k < 7; ++k)
            a[k * n + e] = all[k];
    }
    sherd_surface_pose now = {a, a + n, a + 2 * n, a + 3 * n, a + 4 * n, a + 5 * n, a + 6 * n};
    sherd_surface_pose_all(m->surface, &now, x, NULL);
    free(a);
}

// Largest distance between posed vertices of two pieces that are at one place at rest.
static double largest_opening(const model *m)
{
    const sherd_mesh *a = piece_at(m, 0).mesh, *b = piece_at(m, 1).mesh;
    double *x[2] = {malloc(24 * (size_t)a->vertex_count), malloc(24 * (size_t)b->vertex_count)};
    pose_bent(m, x);
    double most = 0.0;
    int found = 0;
    for (int32_t v = 0; v < a->vertex_count; ++v)
        for (int32_t w = 0; w < b->vertex_count; ++w) {
            if (memcmp(a->vertices + 3 * v, b->vertices + 3 * w, 24) != 0) continue;
            const double *p = x[0] + 3 * v, *q = x[1] + 3 * w;
            most = fmax(most, hypot(hypot(p[0] - q[0], p[1] - q[1]), p[2] - q[2]));
            ++found;
        }
    cr_assert_gt(found, 50);
    free(x[0]);
    free(x[1]);
    return most;
}

// Pieces to come, shown in a body that is still whole and bends.
Test(surface, cracks_to_come_stay_closed_when_pieces_follow_the_whole)
{
    model m = make_model(sherd_shape_box((sherd_vec3){0.24, 0.1, 0.08}, NULL), 0.01, 2);
    break_plane(&m, vec3_normalize(vec3(1.0, 0.3, 0.2)), 0.0);
    update(&m);
    // Each side goes by its own elements: apart by hundredths of a radius.
    cr_assert(lt(dbl, 1e-5, largest_opening(&m)));
    sherd_error error;
    sherd_fragments *whole = sherd_fragments_create(&error);
    uint8_t *sound = calloc((size_t)m.bonds, 1);
    sherd_fragment_input in = {.element_count = m.packing->count,
                               .mass = m.mass,
                               .radius = m.packing->radius,
                               .bond_count = m.bonds,
                               .bond_i = m.i,
                               .bond_j = m.j,
                               .bond_broken = sound};
    cr_assert_eq(sherd_fragments_update(whole, &in, &error), SHERD_OK);
    sherd_fragment_view view = sherd_fragments_view(whole);
    cr_assert_eq(view.count, 1);
    cr_assert_eq(sherd_surface_follow(m.surface, &view, &error), SHERD_OK);
    cr_assert(eq(dbl, largest_opening(&m), 0.0));
    // And by their own again.
    cr_assert_eq(sherd_surface_follow(m.surface, &m.view, &error), SHERD_OK);
    cr_assert(lt(dbl, 1e-5, largest_opening(&m)));
    update(&m);
    check_pieces(&m);
    sherd_fragments_destroy(whole);
    free(sound);
    free_model(&m);
}

// Densities by vectors over rows of bins against a plain sum over all elements.
Test(partition, logarithms_of_densities_and_their_gradients)
{
    enum { COUNT = 500 };
    sherd_vec3 position[COUNT], x = vec3(0.51, 0.47, 0.5), gradient[4], other[4];
    double radius[COUNT], value[4], ahead[4];
    sherd_fragment_id label[COUNT];
    for (uint64_t k = 0; k < COUNT; ++k) {
        position[k] = vec3(sherd_random_uniform(1, 0, k), sherd_random_uniform(1, 1, k),
                           sherd_random_uniform(1, 2, k));
        radius[k] = 0.06 + 0.01 * sherd_random_uniform(1, 3, k);
        label[k] = 1 + (position[k].x > 0.5) + 2 * (position[k].y > 0.5);
    }
    partition p;
    cr_assert(sherd_partition_create(&p, position, radius, COUNT, 1.5));
    cr_assert(sherd_partition_update(&p, label, NULL));
    const sherd_fragment_id wanted[4] = {1, 2, 3, 4};
    sherd_partition_logs(&p, x, wanted, 4, value, gradient);
    for (int f = 0; f < 4; ++f) {
        double psi = 0.0;
        for (int k = 0; k < COUNT; ++k) {
            sherd_vec3 arm = vec3_sub(x, p.elements.point[k]);
            double u = 1.0 - vec3_dot(arm, arm) * p.inverse_reach2[k];
            if (u > 0.0 && p.label[k] == wanted[f]) psi += p.weight[k] * u * u * u * u;
        }
        // Sums of some ten terms in another order.
        cr_assert(epsilon_eq(dbl, value[f], log(psi), 1e-12));
        // Central difference: its error is the third derivative (1e5) times the step squared.
        const double step = 1e-6;
        sherd_partition_logs(&p, vec3(x.x + step, x.y, x.z), wanted, 4, ahead, other);
        double behind[4];
        sherd_partition_logs(&p, vec3(x.x - step, x.y, x.z), wanted, 4, behind, other);
        cr_assert(epsilon_eq(dbl, gradient[f].x, (ahead[f] - behind[f]) / (2 * step), 1e-5));
    }
    sherd_partition_logs(&p, vec3(0.5, 0.5, 9.0), wanted, 1, value, gradient);
    cr_assert(isinf(value[0]) && vec3_length(gradient[0]) == 0.0);
    sherd_partition_release(&p);
}

Test(surface, wrong_definitions_are_refused)
{
    sherd_error error;
    sherd_surface_def def = {0};
    cr_assert(sherd_surface_create(&def, &error) == NULL);
    cr_assert_eq(error.status, SHERD_ERROR_INPUT);
    def = sherd_surface_def_default();
    def.cell_size = NAN;
    cr_assert(sherd_surface_create(&def, &error) == NULL);
    cr_assert(strstr(error.where, "cell_size") != NULL);
    def = sherd_surface_def_default();
    def.smoothing = 5.0;
    cr_assert(sherd_surface_create(&def, &error) == NULL);
    cr_assert(strstr(error.where, "smoothing") != NULL);
    def = sherd_surface_def_default();
    def.roughness = (sherd_surface_roughness){.amplitude = 0.1, .size = 0.3};
    cr_assert(sherd_surface_create(&def, &error) == NULL);
    cr_assert(strstr(error.what, "four amplitudes") != NULL);
    def.roughness = (sherd_surface_roughness){.amplitude = NAN};
    cr_assert(sherd_surface_create(&def, &error) == NULL);
    def = sherd_surface_def_default();
    double bad = NAN, one = 1.0;
    def.element_count = 1;
    def.rest_x = &bad;
    def.rest_y = def.rest_z = def.radius = &one;
    cr_assert(sherd_surface_create(&def, &error) == NULL);
    cr_assert(strstr(error.what, "element 0") != NULL);
}

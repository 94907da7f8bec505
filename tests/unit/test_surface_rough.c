// surface: rough cracks do not cut themselves, in thin parts, at thin edges and beside rims.
#include "geometry/mesh/mesh_access.h"
#include "geometry/mesh/self_intersection.h"
#include "surface/finish/roughness.h"
#include "surface/surface_notes.h"
#include "unit/surface_rig.h"

static int32_t cuts_of(const sherd_mesh *mesh)
{
    sherd_mesh_tree tree;
    sherd_self_intersections found;
    cr_assert(sherd_mesh_tree_init(&tree, mesh));
    cr_assert(sherd_mesh_self_intersections(mesh, &tree, 100, &found));
    sherd_mesh_tree_release(&tree);
    return found.count;
}

static int32_t cuts_of_pieces(const model *m)
{
    int32_t count = 0;
    for (int k = 0; k < m->view.count; ++k)
        count += cuts_of(piece_at(m, k).mesh);
    return count;
}

static model break_shape(sherd_shape *shape, double radius, double amplitude)
{
    sherd_surface_def def = sherd_surface_def_default();
    def.method = SHERD_SURFACE_CUT;
    def.roughness.amplitude = amplitude;
    model m = make_model_with(shape, radius, 2, &def);
    break_voronoi(&m, 12, 3);
    update(&m);
    cr_assert_eq(sherd_surface_fallbacks(m.surface), 0);
    return m;
}

// Two radii thick, and five.
static sherd_shape *thin_disc(void)
{
    return sherd_shape_cylinder(0.1, 0.012, NULL);
}

static sherd_shape *disc(void)
{
    return sherd_shape_cylinder(0.1, 0.03, NULL);
}

static sherd_shape *ball(void)
{
    return sherd_shape_sphere(0.08, NULL);
}

// How far inner vertices are from where they are without roughness, at most: those of the smooth mesh
// are among the rough one's, in their order.
static double largest_move(const model *rough, const model *smooth)
{
    double most = 0.0;
    for (int k = 0; k < smooth->view.count; ++k) {
        const sherd_mesh *a = piece_at(smooth, k).mesh, *b = piece_at(rough, k).mesh;
        cr_assert_leq(a->vertex_count, b->vertex_count);
        for (int32_t v = 0; v < a->vertex_count; ++v)
            most = fmax(most, vec3_distance(mesh_vertex(a, v), mesh_vertex(b, v)));
    }
    return most;
}

static void check_rough(sherd_shape *(*shape)(void), double radius, double amplitude)
{
    model rough = break_shape(shape(), radius, amplitude), smooth = break_shape(shape(), radius, 0);
    cr_assert_eq(cuts_of_pieces(&rough), 0);
    double whole = sherd_shape_volume(rough.shape), volume = check_pieces(&rough);
    // Both sides moved alike; curved outlines are made of facets.
    cr_assert(epsilon_eq(dbl, volume, check_pieces(&smooth), 1e-12 * whole));
    double move = largest_move(&rough, &smooth);
    // In thin parts the noise, of half the amplitude mostly, is less by half and more.
    cr_assert(lt(dbl, 0.05 * amplitude, move));
    cr_assert(lt(dbl, move, amplitude));
    free_model(&rough);
    free_model(&smooth);
}

Test(surface_rough, thin_discs)
{
    check_rough(thin_disc, 0.006, 0.0018);
    check_rough(disc, 0.006, 0.006);
}

Test(surface_rough, ball_with_thin_edges)
{
    check_rough(ball, 0.008, 0.008);
}

// Vertices that each follow the noise for themselves do cut each other, where it is twice as steep: the check would see
// it. As flat as the lattice's it cut the fins that pieces had.
Test(surface_rough, without_the_lattice_they_would)
{
    const double amplitude = 0.008, size = 2.0 * amplitude;
    model m = break_shape(ball(), 0.008, 0.0);
    int32_t count = 0;
    cr_assert_eq(cuts_of_pieces(&m), 0);
    for (int k = 0; k < m.view.count; ++k) {
        sherd_mesh *mesh = sherd_mesh_copy(piece_at(&m, k).mesh, NULL);
        for (int32_t v = 0; v < mesh->vertex_count; ++v) {
            sherd_vec3 x = mesh_vertex(mesh, v);
            double depth = -sherd_shape_distance(m.shape, x);
            double height = amplitude / 1.75 * fmin(fmax(depth, 0.0) / size, 1.0);
            mesh_set_vertex(
                mesh, v,
                vec3_add_scaled(x, height, sherd_roughness_noise(0, 0, vec3_scale(1.0 / size, x))));
        }
        count += cuts_of(mesh);
        sherd_mesh_destroy(mesh);
    }
    cr_assert_gt(count, 0);
    free_model(&m);
}

// Debris as angular chips: fragments of few elements are cells that tile the body.
#include "surface/surface_pose.h"
#include "unit/surface_rig.h"

#include <string.h>

typedef struct chip_sums {
    double volume, shape; // of all pieces; the mean of 36 pi V^2 / A^3: 1 of a ball, 0.52 of a cube
    int count;
} chip_sums;

static double area_of(const sherd_mesh *mesh)
{
    double area = 0.0;
    for (int32_t t = 0; t < mesh->triangle_count; ++t) {
        sherd_vec3 c[3];
        for (int k = 0; k < 3; ++k) {
            const double *p = mesh->vertices + 3 * (size_t)mesh->triangles[3 * t + k];
            c[k] = vec3(p[0], p[1], p[2]);
        }
        area += 0.5 * vec3_length(vec3_cross(vec3_sub(c[1], c[0]), vec3_sub(c[2], c[0])));
    }
    return area;
}

// Every piece closed, a manifold, and with a volume.
static chip_sums measure(const model *m, int elements)
{
    chip_sums sums = {0};
    for (int k = 0; k < sherd_surface_piece_count(m->surface); ++k) {
        sherd_surface_piece piece = sherd_surface_get_piece(m->surface, k);
        check_manifold(piece.mesh);
        double volume = sherd_mesh_volume(piece.mesh), area = area_of(piece.mesh);
        cr_assert(lt(dbl, 0.0, volume));
        sums.volume += volume;
        if (piece.element_count != elements) continue;
        sums.shape += 36.0 * M_PI * volume * volume / (area * area * area);
        sums.count++;
    }
    sums.shape /= sums.count;
    return sums;
}

static model make_box(bool chips, int threads)
{
    sherd_surface_def def = sherd_surface_def_default();
    def.chips = chips;
    return make_model_with(sherd_shape_box((sherd_vec3){0.1, 0.08, 0.06}, NULL), 0.005, threads,
                           &def);
}

// A corner crushed to single elements, the rest in one piece.
static void crush_corner(model *m)
{
    for (sherd_bond_index b = 0; b < m->bonds; ++b) {
        sherd_vec3 x = element(m, m->i[b]), y = element(m, m->j[b]);
        m->broken[b] |= x.x + x.y + x.z > 0.06 || y.x + y.y + y.z > 0.06;
    }
}

static const double BOX = 0.1 * 0.08 * 0.06; // [m^3]

Test(surface_chips, lone_elements_are_angular_and_tile_the_body)
{
    model m = make_box(true, 0);
    memset(m.broken, 1, (size_t)m.bonds);
    update(&m);
    chip_sums sums = measure(&m, 1);
    cr_assert(eq(int, sums.count, m.packing->count));
    // Both sides of every crack are the same triangles: only rounding is left.
    cr_assert(epsilon_eq(dbl, sums.volume, BOX, 1e-9 * BOX));
    // An unjittered cell of this packing has 0.74, a ball 1.
    cr_assert(lt(dbl, sums.shape, 0.65));
    cr_assert(lt(dbl, 0.4, sums.shape)); // and no stars
    free_model(&m);
}

Test(surface_chips, debris_beside_a_large_fragment)
{
    model m = make_box(true, 0);
    crush_corner(&m);
    update(&m);
    chip_sums sums = measure(&m, 1);
    cr_assert(lt(int, 20, sums.count));
    // 0.5 % is what openings of cracks inside fragments may take.
    cr_assert(epsilon_eq(dbl, sums.volume, BOX, 0.005 * BOX));
    cr_assert(lt(dbl, sums.shape, 0.65));
    free_model(&m);
}

// A chip is what it is whatever its neighbours become: its cell depends on seeds alone.
Test(surface_chips, a_chip_keeps_its_shape_when_its_neighbours_break)
{
    model m = make_box(true, 0);
    sherd_element_index chosen = 0;
    for (sherd_element_index e = 1; e < m.packing->count; ++e)
        if (vec3_length(element(&m, e)) < vec3_length(element(&m, chosen))) chosen = e;
    for (sherd_bond_index b = 0; b < m.bonds; ++b)
        m.broken[b] = m.i[b] == chosen || m.j[b] == chosen;
    double volume[2];
    for (int k = 0; k < 2; ++k) {
        update(&m);
        int32_t slot = m.view.element_slot[chosen];
        volume[k] = sherd_mesh_volume(sherd_surface_get_piece(m.surface, slot).mesh);
        memset(m.broken, 1, (size_t)m.bonds);
    }
    // But for how the grid, whose cells are a radius wide, resolves corners: it rounds off those against a large
    // fragment more.
    cr_assert(epsilon_eq(dbl, volume[0], volume[1], 0.25 * volume[1]));
    free_model(&m);
}

Test(surface_chips, rounded_where_they_are_not_wanted)
{
    model m = make_box(false, 0), chips = make_box(true, 0);
    crush_corner(&m);
    crush_corner(&chips);
    update(&m);
    update(&chips);
    chip_sums sums = measure(&m, 1);
    cr_assert(epsilon_eq(dbl, sums.volume, BOX, 0.005 * BOX));
    cr_assert(lt(dbl, 0.05, fabs(sums.shape - measure(&chips, 1).shape)));
    free_model(&m);
    free_model(&chips);
}

static void check_same(const model *a, const model *b)
{
    cr_assert(
        eq(int, sherd_surface_piece_count(a->surface), sherd_surface_piece_count(b->surface)));
    for (int k = 0; k < sherd_surface_piece_count(a->surface); ++k) {
        const sherd_mesh *p = sherd_surface_get_piece(a->surface, k).mesh,
                         *q = sherd_surface_get_piece(b->surface, k).mesh;
        cr_assert(eq(int, p->vertex_count, q->vertex_count));
        cr_assert(eq(int, p->triangle_count, q->triangle_count));
        cr_assert(eq(
            int, 0,
            memcmp(p->vertices, q->vertices, 3 * (size_t)p->vertex_count * sizeof *p->vertices)));
    }
}

// Neither threads nor the frames before it decide about a mesh.
Test(surface_chips, frames_and_threads_give_the_same_bits)
{
    model m = make_box(true, 1), afresh = make_box(true, 3);
    break_plane(&m, vec3(1.0, 0.2, 0.1), 0.01);
    update(&m);
    crush_corner(&m);
    update(&m);
    // The same numbers of fragments, which are given out as these come to be.
    break_plane(&afresh, vec3(1.0, 0.2, 0.1), 0.01);
    sherd_fragment_input in = {.element_count = m.packing->count,
                               .mass = m.mass,
                               .radius = m.packing->radius,
                               .bond_count = m.bonds,
                               .bond_i = m.i,
                               .bond_j = m.j,
                               .bond_broken = afresh.broken};
    cr_assert_eq(sherd_fragments_update(afresh.fragments, &in, NULL), SHERD_OK);
    memcpy(afresh.broken, m.broken, (size_t)m.bonds);
    update(&afresh);
    check_same(&m, &afresh);
    free_model(&m);
    free_model(&afresh);
}

// Meshes of an animation: the same ones without what carries their vertices, which is why they follow nothing.
Test(surface_chips, rigid_pieces_have_the_same_meshes)
{
    model m = make_box(true, 2);
    crush_corner(&m);
    update(&m);
    sherd_surface_def def = sherd_surface_def_default();
    def.rigid = true;
    model rigid =
        make_model_with(sherd_shape_box((sherd_vec3){0.1, 0.08, 0.06}, NULL), 0.005, 2, &def);
    crush_corner(&rigid);
    update(&rigid);
    int count = sherd_surface_piece_count(m.surface);
    cr_assert(lt(int, 10, count));
    cr_assert(eq(int, sherd_surface_piece_count(rigid.surface), count));
    for (int k = 0; k < count; ++k) {
        sherd_surface_piece a = sherd_surface_get_piece(m.surface, k),
                            b = sherd_surface_get_piece(rigid.surface, k);
        cr_assert(a.bones != NULL && b.bones == NULL);
        cr_assert(eq(int, a.fragment, b.fragment));
        cr_assert(eq(int, a.mesh->triangle_count, b.mesh->triangle_count));
        cr_assert(eq(int, a.mesh->vertex_count, b.mesh->vertex_count));
        cr_assert(
            memcmp(a.mesh->triangles, b.mesh->triangles, 12 * (size_t)a.mesh->triangle_count) == 0);
        cr_assert(memcmp(a.mesh->vertices, b.mesh->vertices, 24 * (size_t)a.mesh->vertex_count) ==
                  0);
    }
    sherd_error error;
    sherd_fragment_view view = sherd_fragments_view(rigid.fragments);
    cr_assert(sherd_surface_follow(rigid.surface, &view, &error) == SHERD_ERROR_INPUT);
    free_model(&rigid);
    free_model(&m);
}

// surface: what is kept from frame to frame (weights, blocks of cracks, patches, pieces) is what a surface made afresh from
// each frame has, bit for bit: meshes and the elements that carry them, for every method of solid bodies.
#include "unit/surface_rig.h"

#include <string.h>

static bool same(const void *a, const void *b, size_t size)
{
    if ((a == NULL) != (b == NULL)) return false;
    return a == NULL || memcmp(a, b, size) == 0;
}

static void check_same_mesh(const sherd_mesh *a, const sherd_mesh *b, int frame)
{
    size_t n = (size_t)a->vertex_count, m = (size_t)a->triangle_count;
    cr_assert(eq(int, a->vertex_count, b->vertex_count), "frame %d", frame);
    cr_assert(eq(int, a->triangle_count, b->triangle_count), "frame %d", frame);
    cr_assert(same(a->vertices, b->vertices, 3 * n * sizeof *a->vertices), "frame %d", frame);
    cr_assert(same(a->triangles, b->triangles, 3 * m * sizeof *a->triangles), "frame %d", frame);
    cr_assert(same(a->normals, b->normals, 3 * n * sizeof *a->normals), "frame %d", frame);
    cr_assert(same(a->face_kind, b->face_kind, m), "frame %d", frame);
    cr_assert(same(a->uv, b->uv, 6 * m * sizeof *a->uv), "frame %d", frame);
}

static void check_same_pieces(const model *a, const model *b, int frame)
{
    cr_assert(
        eq(int, sherd_surface_piece_count(a->surface), sherd_surface_piece_count(b->surface)));
    for (int k = 0; k < sherd_surface_piece_count(a->surface); ++k) {
        sherd_surface_piece p = piece_at(a, k), q = piece_at(b, k);
        size_t bones = SHERD_SURFACE_BONES * (size_t)p.mesh->vertex_count;
        cr_assert(eq(int, (int)p.fragment, (int)q.fragment));
        check_same_mesh(p.mesh, q.mesh, frame);
        cr_assert(same(p.bones, q.bones, bones * sizeof *p.bones), "frame %d", frame);
        cr_assert(same(p.weights, q.weights, bones * sizeof *p.weights), "frame %d", frame);
    }
}

// A cut through everything, cracks that end inside, single bonds, a corner crushed to chips, nothing, more of all.
static void break_more(model *m, int frame)
{
    for (sherd_bond_index b = 0; b < m->bonds; ++b) {
        sherd_vec3 x = element(m, m->i[b]), y = element(m, m->j[b]);
        double middle = 0.5 * (x.y + y.y), chance = sherd_random_uniform(7, (uint64_t)b, 0);
        if (frame == 0) m->broken[b] |= (x.x < -0.03) != (y.x < -0.03);
        if (frame == 1) m->broken[b] |= (x.x < 0.05) != (y.x < 0.05) && middle > -0.01;
        if (frame == 2) m->broken[b] |= x.x > 0.0 && chance < 0.03;
        if (frame == 3) m->broken[b] |= x.x < -0.07 && x.z > 0.0 && x.y > 0.0;
        if (frame == 5) m->broken[b] |= (x.x < 0.05) != (y.x < 0.05) || chance > 0.97;
    }
}

// `frame`: of a surface that knows no other.
static void check_frame(const model *m, const sherd_surface_def *def, int frame)
{
    model fresh = *m;
    sherd_surface_def with = *def;
    sherd_error error;
    with.body_count = 1, with.bodies = &fresh.body;
    with.element_count = m->packing->count;
    with.rest_x = m->packing->x, with.rest_y = m->packing->y, with.rest_z = m->packing->z;
    with.radius = m->packing->radius;
    with.bond_count = m->bonds, with.bond_i = m->i, with.bond_j = m->j;
    with.threads = 1; // the other has two
    fresh.surface = sherd_surface_create(&with, &error);
    cr_assert(fresh.surface != NULL, "%s", error.what);
    cr_assert_eq(sherd_surface_update(fresh.surface, &m->view, m->broken, &error), SHERD_OK);
    check_same_pieces(m, &fresh, frame);
    sherd_surface_destroy(fresh.surface);
}

static void check_run(sherd_shape *shape, double radius, const sherd_surface_def *def)
{
    model m = make_model_with(shape, radius, 2, def);
    uint64_t newest = 0; // version before
    int kept = 0;
    for (int frame = 0; frame < 6; ++frame) {
        break_more(&m, frame);
        update(&m);
        check_frame(&m, def, frame);
        uint64_t former = newest;
        for (int k = 0; k < sherd_surface_piece_count(m.surface); ++k) {
            uint64_t version = piece_at(&m, k).version;
            kept += frame == 2 && version <= former; // far from what broke
            newest = version > newest ? version : newest;
        }
    }
    if (def->method != SHERD_SURFACE_FLUID) cr_assert(kept > 0, "nothing is kept");
    cr_assert(m.view.count > 2);
    free_model(&m);
}

static sherd_shape *pierced_box(void)
{
    return sherd_shape_difference(sherd_shape_box((sherd_vec3){0.2, 0.08, 0.06}, NULL),
                                  sherd_shape_cylinder(0.02, 0.2, NULL), NULL);
}

Test(surface_kept, cut_frames_are_those_made_afresh)
{
    sherd_surface_def def = sherd_surface_def_default();
    def.method = SHERD_SURFACE_CUT;
    check_run(pierced_box(), 0.006, &def);
    def.roughness.amplitude = 0.003;
    check_run(sherd_shape_box((sherd_vec3){0.2, 0.08, 0.06}, NULL), 0.01, &def);
}

Test(surface_kept, other_frames_are_those_made_afresh)
{
    sherd_surface_def def = sherd_surface_def_default();
    def.method = SHERD_SURFACE_MARCHING;
    check_run(pierced_box(), 0.006, &def);
    def.method = SHERD_SURFACE_FLUID;
    check_run(pierced_box(), 0.006, &def);
}

// surface_table: the maker of each body's surface, and a maker added by one row.
#define SHERD_MORE_SURFACE_METHODS(ROW)                                                            \
    ROW(FIRSTS, firsts, "a tetrahedron at each fragment's first element")
#include "surface/surface_pose.h"
#include "surface/surface_table.c"

#include "base/memory.h"
#include "geometry/tetra/tetra_mesh.h"
#include "surface/piece/piece.h"
#include "surface/surface_notes.h"
#include "unit/surface_rig.h"

#include <string.h>

static const sherd_surface_method FIRSTS = SHERD_SURFACE_METHOD_COUNT; // behind the others

// ---------------------------------------------------------------- a maker of our own

static bool can_make_any(const sherd_surface_body *body)
{
    return body->count > 0;
}

static sherd_status create_firsts(void **state, const maker_source *source,
                                  const sherd_parallel *parallel, sherd_error *error)
{
    (void)parallel;
    (void)error;
    maker_source *own = *state = sherd_alloc(1, sizeof *own);
    *own = *source;
    return SHERD_OK;
}

// A tetrahedron around the first element, which carries all of it.
static void make_piece(piece *p, const sherd_surface_def *d, sherd_element_index first)
{
    static const int32_t FACE[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
    cr_assert(sherd_piece_reserve(p, 4, 4));
    memset(p->bones, 0, 4 * SHERD_SURFACE_BONES * sizeof *p->bones);
    memset(p->weights, 0, 4 * SHERD_SURFACE_BONES * sizeof *p->weights);
    for (int k = 0; k < 4; ++k) {
        double corner[3] = {k == 1, k == 2, k == 3};
        double centre[3] = {d->rest_x[first], d->rest_y[first], d->rest_z[first]};
        for (int c = 0; c < 3; ++c) {
            p->mesh->vertices[3 * k + c] = centre[c] + d->radius[first] * (corner[c] - 0.25);
            p->mesh->triangles[3 * k + c] = FACE[k][c];
        }
        p->bones[SHERD_SURFACE_BONES * k] = first;
        p->weights[SHERD_SURFACE_BONES * k] = 1.0f;
    }
}

static sherd_status update_firsts(void *state, const body_frame *frame, piece_array *pieces,
                                  const sherd_parallel *parallel, sherd_error *error)
{
    (void)parallel;
    (void)error;
    const maker_source *source = state;
    sherd_pieces_release(pieces);
    pieces->count = frame->view->count;
    pieces->items = sherd_alloc((size_t)pieces->count, sizeof *pieces->items);
    for (sherd_element_index e = source->body->count - 1; e >= 0; --e) {
        int32_t slot = frame->view->element_slot[source->body->first + e];
        piece *p = &pieces->items[slot];
        sherd_piece_release(p);
        make_piece(p, source->def, source->body->first + e);
        p->fragment = frame->label[e];
        p->body = frame->index;
        p->element_count = frame->view->fragments[slot].count;
        p->version = (*frame->next_version)++;
    }
    return SHERD_OK;
}

const surface_maker sherd_surface_maker_firsts = {.can_make = can_make_any,
                                                  .volume = sherd_surface_rest_volume,
                                                  .create = create_firsts,
                                                  .destroy = sherd_free,
                                                  .update = update_firsts};

Test(surface_table, a_row_adds_a_method)
{
    sherd_surface_method_info info = sherd_surface_method_describe(FIRSTS);
    cr_assert_str_eq(info.word, "firsts");
    sherd_surface_def def = sherd_surface_def_default();
    def.method = FIRSTS;
    model m = make_model_with(sherd_shape_box((sherd_vec3){0.1, 0.05, 0.05}, NULL), 0.01, 2, &def);
    break_plane(&m, vec3(1, 0, 0), 0.01);
    update(&m);
    cr_assert_eq(sherd_surface_piece_count(m.surface), 2);
    cr_assert_eq(sherd_surface_fallbacks(m.surface), 0);
    for (int k = 0; k < 2; ++k) {
        sherd_surface_piece p = sherd_surface_get_piece(m.surface, k);
        check_manifold(p.mesh);
        sherd_element_index first = p.bones[0];
        cr_assert_eq(m.view.element_fragment[first], p.fragment);
        for (sherd_element_index e = 0; e < first; ++e)
            cr_assert_neq(m.view.element_fragment[e], p.fragment);
    }
    sherd_error error;
    cr_assert_eq(sherd_surface_follow(m.surface, &m.view, &error), SHERD_OK);
    free_model(&m);
}

// ---------------------------------------------------------------- the table

Test(surface_table, every_method_has_a_word_of_its_own)
{
    for (int k = 0; k <= (int)FIRSTS; ++k) {
        sherd_surface_method_info info = sherd_surface_method_describe(k);
        cr_assert(info.word != NULL && info.doc != NULL && info.doc[0] != '\0');
        for (int j = 0; j < k; ++j)
            cr_assert_str_neq(info.word, sherd_surface_method_describe(j).word);
    }
    cr_assert_str_eq(sherd_surface_method_describe(SHERD_SURFACE_AUTO).word, "auto");
    cr_assert_str_eq(sherd_surface_method_describe(SHERD_SURFACE_TETRA_FACES).word, "tetra_faces");
    cr_assert(sherd_surface_method_describe(FIRSTS + 1).word == NULL);
    cr_assert(sherd_surface_method_describe((sherd_surface_method)-1).word == NULL);
}

static void check_maker(sherd_surface_method asked, const sherd_surface_body *body,
                        const surface_maker *expected)
{
    cr_assert(sherd_surface_maker_of(asked, body) == expected, "method %s",
              sherd_surface_method_describe(asked).word);
}

// The method asked for, where it can; otherwise what auto takes.
Test(surface_table, bodies_find_their_makers)
{
    sherd_shape *shape = sherd_shape_sphere(1.0, NULL);
    const sherd_tetra_mesh mesh = {.tetra_count = 1};
    const sherd_surface_body solid = {.shape = shape, .count = 1},
                             tetra = {.shape = shape, .tetra = &mesh, .count = 1},
                             bare_tetra = {.tetra = &mesh, .count = 1},
                             yarns = {.kind = SHERD_SURFACE_YARNS, .count = 1},
                             sheet = {.kind = SHERD_SURFACE_SHEET, .shape = shape, .count = 1};
    const struct {
        const sherd_surface_body *body;
        const surface_maker
            *by[SHERD_SURFACE_METHOD_COUNT +
                1]; // auto, tubes, sheets, tetra_faces, cut, marching, fluid, blobs, firsts
    } rows[] = {
#define CUT &sherd_surface_maker_cut
#define MARCH &sherd_surface_maker_marching
#define TETRA &sherd_surface_maker_tetra_faces
#define TUBES &sherd_surface_maker_tubes
#define SHEETS &sherd_surface_maker_sheets
#define LAST &sherd_surface_maker_fluid, &sherd_surface_maker_blobs, &sherd_surface_maker_firsts
        {&solid, {CUT, CUT, CUT, CUT, CUT, MARCH, LAST}},
        {&tetra, {TETRA, TETRA, TETRA, TETRA, CUT, MARCH, LAST}},
        {&bare_tetra, {TETRA, TETRA, TETRA, TETRA, TETRA, TETRA, LAST}},
        {&yarns, {TUBES, TUBES, TUBES, TUBES, TUBES, TUBES, LAST}},
        {&sheet, {SHEETS, SHEETS, SHEETS, SHEETS, SHEETS, SHEETS, LAST}},
    };
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; ++k)
        for (int method = 0; method <= (int)FIRSTS; ++method)
            check_maker(method, rows[k].body, rows[k].by[method]);
    // Granules are drawn as balls instead.
    const sherd_surface_body granules = {.count = 0};
    for (int method = 0; method <= (int)FIRSTS; ++method)
        check_maker(method, &granules, NULL);
    sherd_shape_destroy(shape);
}

// Numbers of pieces by the places that they contain at rest.
#include "output/formats/piece_names.h"

#include <sherd/shape.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PARTS = 4, NONE = -1 };
static const double LENGTH = 0.08, WIDTH = 0.05, HEIGHT = 0.02; // [m]

// A box of elements on a lattice, broken into pieces.
typedef struct broken_box {
    sherd_run_model model;
    sherd_body_info body;
    double *rest, *radius, *mass;
    sherd_fragment *fragments;
    int32_t *slot;
    sherd_fragment_view view;
} broken_box;

// Which piece a place belongs to: three slabs with oblique cracks, the first of which may be chipped.
static int part_at(double x, double y, double z, bool chipped)
{
    if (x + 0.3 * y < 0.021) return chipped && y < 0.006 && z < 0.006 ? 3 : 0;
    return x - 0.2 * y < 0.06 ? 1 : 2;
}

static void make_box(broken_box *b, double radius, bool chipped)
{
    int size[3] = {(int)lrint(LENGTH / (2 * radius)), (int)lrint(WIDTH / (2 * radius)),
                   (int)lrint(HEIGHT / (2 * radius))};
    size_t n = (size_t)size[0] * (size_t)size[1] * (size_t)size[2], e = 0;
    *b = (broken_box){.rest = calloc(3 * n, sizeof *b->rest),
                      .radius = calloc(n, sizeof *b->radius),
                      .mass = calloc(n, sizeof *b->mass),
                      .fragments = calloc(PARTS, sizeof *b->fragments),
                      .slot = calloc(n, sizeof *b->slot)};
    int32_t slot_of[PARTS] = {NONE, NONE, NONE, NONE}, count = 0;
    for (int i = 0; i < size[0]; ++i)
        for (int j = 0; j < size[1]; ++j)
            for (int k = 0; k < size[2]; ++k, ++e) {
                double x = (2 * i + 1) * radius, y = (2 * j + 1) * radius, z = (2 * k + 1) * radius;
                int part = part_at(x, y, z, chipped);
                if (slot_of[part] == NONE) {
                    slot_of[part] = count;
                    b->fragments[count++].first = (sherd_element_index)e;
                }
                b->slot[e] = slot_of[part];
                b->rest[e] = x, b->rest[n + e] = y, b->rest[2 * n + e] = z;
                b->radius[e] = radius, b->mass[e] = 1.0;
            }
    b->body = (sherd_body_info){.name = "box", .first = 0, .count = (sherd_element_index)n};
    b->model = (sherd_run_model){.element_count = (sherd_element_index)n,
                                 .rest_x = b->rest,
                                 .rest_y = b->rest + n,
                                 .rest_z = b->rest + 2 * n,
                                 .radius = b->radius,
                                 .mass = b->mass,
                                 .body_count = 1,
                                 .bodies = &b->body};
    b->view =
        (sherd_fragment_view){.count = count, .fragments = b->fragments, .element_slot = b->slot};
}

static void free_box(broken_box *b)
{
    free(b->rest);
    free(b->radius);
    free(b->mass);
    free(b->fragments);
    free(b->slot);
}

// The number of the piece that holds a place.
static void number_parts(double radius, bool chipped, int64_t to[PARTS])
{
    broken_box b;
    int64_t numbers[PARTS];
    make_box(&b, radius, chipped);
    const sherd_surface_body body = {.count = b.body.count};
    cr_assert(sherd_piece_numbers(&b.view, &b.model, &body, numbers));
    for (int p = 0; p < PARTS; ++p)
        to[p] = NONE;
    for (sherd_element_index e = 0; e < b.model.element_count; ++e)
        to[part_at(b.model.rest_x[e], b.model.rest_y[e], b.model.rest_z[e], chipped)] =
            numbers[b.slot[e]];
    free_box(&b);
}

// Two resolutions, and a run in which a chip came off: pieces keep their names, in whatever order the
// fragments are listed.
Test(piece_names, the_same_in_other_runs)
{
    int64_t coarse[PARTS], fine[PARTS], chipped[PARTS];
    number_parts(2.5e-3, false, coarse);
    number_parts(1e-3, false, fine);
    number_parts(1e-3, true, chipped);
    for (int p = 0; p < 3; ++p) {
        cr_assert(ge(i64, fine[p], 0));
        cr_assert(eq(i64, fine[p], coarse[p]), "part %d: %lld and %lld", p, (long long)fine[p],
                  (long long)coarse[p]);
        cr_assert(eq(i64, fine[p], chipped[p]), "part %d with a chip", p);
        cr_assert(lt(i64, fine[p], 10)); // large pieces have early places
        for (int q = 0; q < p; ++q)
            cr_assert(ne(i64, fine[p], fine[q]));
    }
    cr_assert(ne(i64, chipped[3], -1));
    for (int p = 0; p < 3; ++p)
        cr_assert(ne(i64, chipped[3], chipped[p]));
}

// Crumbs without a place have the cell of their centre, in thousandths of the box.
Test(piece_names, crumbs)
{
    char name[SHERD_PIECE_NAME];
    sherd_piece_name("box", 17, name);
    cr_assert(strcmp(name, "box at 17") == 0, "%s", name);
    sherd_piece_name("box", -2 - (12 + 1000 * (40 + 1000 * 3)), name);
    cr_assert(strcmp(name, "box near 12 40 3") == 0, "%s", name);
}

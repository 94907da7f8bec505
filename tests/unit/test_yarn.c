// yarns: counts, chains, no overlaps, weaves, linked knit loops, refusals; and their tubes.
#include "math/vec3.h"

#include <sherd/fragments.h>
#include <sherd/surface.h>
#include <sherd/yarn.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

static sherd_packing *make(const sherd_yarn_def *def)
{
    sherd_error error;
    sherd_packing *p = sherd_yarn_create(def, &error);
    cr_assert(p != NULL, "%s: %s (%s)", error.where, error.what, error.hint);
    return p;
}

static sherd_vec3 centre(const sherd_packing *p, int32_t k)
{
    return vec3(p->x[k], p->y[k], p->z[k]);
}

static bool is_bonded_on(const sherd_packing *p, int32_t k)
{
    for (sherd_bond_index b = 0; b < p->bond_count; ++b)
        if (p->bond_i[b] == k && p->bond_j[b] == k + 1) return true;
    return false;
}

// Chains: yarn[k] for every element; returns their number.
static int number_yarns(const sherd_packing *p, int *yarn)
{
    int count = 0;
    for (int32_t k = 0; k < p->count; ++k) {
        if (k > 0 && is_bonded_on(p, k - 1))
            yarn[k] = count - 1;
        else
            yarn[k] = count++;
    }
    return count;
}

// Deepest overlap of elements of different yarns, and of one yarn's that are not neighbours, as a
// share of the smaller radius; negative: the narrowest gap.
static double deepest_overlap(const sherd_packing *p, const int *yarn)
{
    double deepest = -INFINITY;
    for (int32_t i = 0; i < p->count; ++i)
        for (int32_t j = i + 1; j < p->count; ++j) {
            if (yarn[i] == yarn[j] && j <= i + 2) continue;
            double overlap =
                p->radius[i] + p->radius[j] - vec3_distance(centre(p, i), centre(p, j));
            deepest = fmax(deepest, overlap / fmin(p->radius[i], p->radius[j]));
        }
    return deepest;
}

static void check_apart(const sherd_packing *p, int yarns)
{
    int *yarn = malloc((size_t)p->count * sizeof *yarn);
    cr_assert_eq(number_yarns(p, yarn), yarns);
    // Curves only touch; chords of the dense polyline cut off up to 1 % of a radius.
    cr_expect_leq(deepest_overlap(p, yarn), 0.01);
    free(yarn);
}

// Elements of a yarn follow each other at the wanted distance, within the half element by which a
// yarn's length is no multiple of it.
static void check_distances(const sherd_packing *p, double wanted, double tolerance)
{
    for (sherd_bond_index b = 0; b < p->bond_count; ++b) {
        if (p->bond_j[b] != p->bond_i[b] + 1) continue;
        double d = vec3_distance(centre(p, p->bond_i[b]), centre(p, p->bond_j[b]));
        cr_assert_leq(fabs(d - wanted), tolerance * wanted, "bond %d is %g long, not %g", (int)b, d,
                      wanted);
    }
}

static sherd_yarn_def rope_def(int strands, int plies)
{
    sherd_yarn_def def = sherd_yarn_def_default();
    def.kind = SHERD_YARN_ROPE;
    def.rope.radius = 5e-3;
    def.rope.length = 0.1;
    def.rope.strands = strands;
    def.rope.plies = plies;
    return def;
}

Test(yarn, ropes_of_all_makes_touch_and_do_not_overlap)
{
    const int strands[] = {1, 2, 3, 4, 6, 3}, plies[] = {1, 1, 3, 2, 1, 7};
    for (int n = 0; n < 6; ++n) {
        sherd_yarn_def def = rope_def(strands[n], plies[n]);
        sherd_packing *p = make(&def);
        check_apart(p, strands[n] * plies[n]);
        for (int32_t k = 0; k < p->count; ++k)
            cr_assert_leq(hypot(p->x[k], p->y[k]) + p->radius[k], 5e-3 * (1.0 + 1e-9));
        // Yarns fill no more than the cylinder of the rope's radius with rounded ends.
        cr_expect_lt(p->shape_volume, PI * 5e-3 * 5e-3 * (0.1 + 4.0 / 3.0 * 5e-3) * (1.0 + 1e-9));
        cr_expect_eq(p->bond_count, p->count - strands[n] * plies[n]);
        sherd_packing_destroy(p);
    }
}

// Rings lie within each other, twice a ply's radius apart, until no ply fits in the middle; plies are as thick as those
// of the hollow strand.
Test(yarn, filled_strands_have_plies_to_the_middle)
{
    const int plies[] = {7, 16, 30};
    for (int n = 0; n < 3; ++n) {
        sherd_yarn_def def = rope_def(1, plies[n]);
        def.rope.length = 0.03;
        sherd_packing *hollow = make(&def);
        def.rope.filled = true;
        sherd_packing *p = make(&def);
        double r = hollow->radius[0], innermost = INFINITY;
        int yarns = (int)(p->count - p->bond_count);
        cr_assert(yarns > plies[n]);
        check_apart(p, yarns);
        for (int32_t k = 0; k < p->count; ++k) {
            double offset = hypot(p->x[k], p->y[k]), rings = (5e-3 - r - offset) / (2.0 * r);
            innermost = fmin(innermost, offset);
            cr_assert(epsilon_eq(dbl, p->radius[k], r, 1e-12));
            // Chords of curves run inside them, 0.5 % of their radius.
            cr_assert(offset < 0.01 * r || fabs(rings - round(rings)) < 0.03, "%g", rings);
        }
        cr_assert(innermost < 2.0 * r, "a hole of %g radii", innermost / r);
        sherd_packing_destroy(p);
        sherd_packing_destroy(hollow);
    }
}

// A helix of radius a and pitch P is sqrt(1 + (2 pi a / P)^2) times as long as its axis.
Test(yarn, strands_have_the_length_of_their_helix)
{
    sherd_yarn_def def = rope_def(3, 1);
    def.rope.pitch = 0.04;
    sherd_packing *p = make(&def);
    double a = hypot(p->x[0], p->y[0]), length = 0.0;
    for (int32_t k = 0; k + 1 < p->count / 3; ++k)
        length += vec3_distance(centre(p, k), centre(p, k + 1));
    double wanted = 0.1 * sqrt(1.0 + pow(2.0 * PI * a / 0.04, 2.0));
    // Chords of one diameter (2 (R - a)) on a curve of radius (a^2 + c^2) / a: 2.4 % shorter.
    cr_expect_leq(fabs(length / wanted - 1.0), 0.03);
    check_distances(p, 2.0 * p->radius[0], 0.06);
    sherd_packing_destroy(p);
}

Test(yarn, ropes_follow_a_path)
{
    sherd_yarn_def def = rope_def(3, 1);
    const sherd_vec3 path[] = {{0, 0, 0}, {0.05, 0, 0}, {0.1, 0.03, 0.02}, {0.1, 0.1, 0.02}};
    def.rope.length = 0.0;
    def.rope.path = path;
    def.rope.path_count = 4;
    sherd_packing *p = make(&def);
    double nearest[4] = {1, 1, 1, 1};
    for (int32_t k = 0; k < p->count; ++k)
        for (int n = 0; n < 4; ++n)
            nearest[n] = fmin(nearest[n], vec3_distance(centre(p, k), path[n]));
    for (int n = 0; n < 4; ++n)
        cr_expect_leq(nearest[n], 5e-3); // a strand passes within the rope's radius of every point
    sherd_packing_destroy(p);
}

static sherd_yarn_def woven_def(sherd_weave weave, int warp, int weft)
{
    sherd_yarn_def def = sherd_yarn_def_default();
    def.kind = SHERD_YARN_WOVEN;
    def.woven.radius = 0.5e-3;
    def.woven.weave = weave;
    def.woven.warp = warp;
    def.woven.weft = weft;
    return def;
}

// Height of a yarn (elements [begin, end)) where it passes (x, y).
static double height_at(const sherd_packing *p, int32_t begin, int32_t end, double x, double y)
{
    int32_t best = begin;
    for (int32_t k = begin; k < end; ++k)
        if (hypot(p->x[k] - x, p->y[k] - y) < hypot(p->x[best] - x, p->y[best] - y)) best = k;
    return p->z[best];
}

// Counts where warp yarns pass over weft yarns.
static int count_over(const sherd_packing *p, const sherd_yarn_def *def)
{
    int warp = def->woven.warp, weft = def->woven.weft, over = 0;
    int32_t *start = calloc((size_t)(warp + weft) + 1, sizeof *start);
    int *yarn = malloc((size_t)p->count * sizeof *yarn);
    cr_assert_eq(number_yarns(p, yarn), warp + weft);
    for (int32_t k = 0; k < p->count; ++k)
        start[yarn[k] + 1] = k + 1;
    double d = 2.5e-3;
    for (int i = 0; i < warp; ++i)
        for (int j = 0; j < weft; ++j) {
            double x = (i - 0.5 * (warp - 1)) * d, y = (j - 0.5 * (weft - 1)) * d;
            double a = height_at(p, start[i], start[i + 1], x, y);
            double b = height_at(p, start[warp + j], start[warp + j + 1], x, y);
            // At a crossing the centre lines are a diameter apart; elements half an element away
            // from it are a little less.
            cr_assert_geq(fabs(a - b), 0.7e-3);
            over += a > b;
        }
    free(start);
    free(yarn);
    return over;
}

Test(yarn, weaves_pass_over_and_under)
{
    const struct {
        sherd_weave weave;
        int over; // of 8 x 10 crossings
    } cases[] = {{SHERD_WEAVE_PLAIN, 40}, {SHERD_WEAVE_TWILL, 40}, {SHERD_WEAVE_SATIN, 64}};
    for (int n = 0; n < 3; ++n) {
        sherd_yarn_def def = woven_def(cases[n].weave, 8, 10);
        sherd_packing *p = make(&def);
        check_apart(p, 18);
        cr_expect_eq(count_over(p, &def), cases[n].over);
        sherd_packing_destroy(p);
    }
}

// A plain weave of an odd number of yarns is its own image under half turns about z, and crimp moves
// the waviness from one set of yarns to the other.
Test(yarn, a_plain_weave_is_symmetric)
{
    sherd_yarn_def def = woven_def(SHERD_WEAVE_PLAIN, 7, 7);
    sherd_packing *p = make(&def);
    int yarn[2000];
    cr_assert_lt(p->count, 2000);
    cr_assert_eq(number_yarns(p, yarn), 14);
    for (int32_t a = 0; a < p->count / 2; ++a) { // warp
        int32_t length = p->count / 14, row = a / length, at = a % length;
        int32_t b = (6 - row) * length + (length - 1 - at);
        // The same expressions, added up in another order.
        cr_assert_leq(vec3_distance(centre(p, a), vec3(-p->x[b], -p->y[b], p->z[b])), 1e-12);
    }
    sherd_packing_destroy(p);
    for (int n = 0; n < 2; ++n) {
        def.woven.crimp = n;
        p = make(&def);
        double highest[2] = {0.0, 0.0}; // of warp, weft
        cr_assert_eq(number_yarns(p, yarn), 14);
        for (int32_t k = 0; k < p->count; ++k)
            highest[yarn[k] >= 7] = fmax(highest[yarn[k] >= 7], fabs(p->z[k]));
        cr_expect_leq(highest[n], 1e-12);      // no share of the crimp: straight
        cr_expect_geq(highest[1 - n], 0.9e-3); // all of it: a diameter
        sherd_packing_destroy(p);
    }
}

static sherd_yarn_def knitted_def(int rows, int columns)
{
    sherd_yarn_def def = sherd_yarn_def_default();
    def.kind = SHERD_YARN_KNITTED;
    def.knitted.radius = 0.5e-3;
    def.knitted.rows = rows;
    def.knitted.columns = columns;
    return def;
}

// Gauss's linking integral over two polylines, in whole turns.
static double linking(const sherd_vec3 *a, int n, const sherd_vec3 *b, int m)
{
    double sum = 0.0;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < m; ++j) {
            sherd_vec3 da = vec3_sub(a[(i + 1) % n], a[i]), db = vec3_sub(b[(j + 1) % m], b[j]);
            sherd_vec3 r = vec3_sub(vec3_scale(0.5, vec3_add(a[(i + 1) % n], a[i])),
                                    vec3_scale(0.5, vec3_add(b[(j + 1) % m], b[j])));
            double d = vec3_length(r);
            sum += vec3_dot(r, vec3_cross(da, db)) / (d * d * d);
        }
    return sum / (4.0 * PI);
}

// Closes a row's middle loop far below (row 0) or far above (row 1) the fabric, finely enough for the
// integral's mid-point rule.
static int close_loop(const sherd_packing *p, int32_t begin, int32_t end, double side,
                      sherd_vec3 *loop)
{
    int count = 0;
    for (int32_t k = begin; k < end; ++k)
        loop[count++] = centre(p, k);
    sherd_vec3 last = loop[count - 1], first = loop[0];
    sherd_vec3 corner[4] = {last, vec3(last.x, side, last.z), vec3(first.x, side, first.z), first};
    for (int c = 0; c < 3; ++c)
        for (int k = 1; k < 100; ++k)
            loop[count++] =
                vec3_add_scaled(corner[c], 0.01 * k, vec3_sub(corner[c + 1], corner[c]));
    return count;
}

// Pulled apart, an upper row stays hung on a lower one: the loop of a lower row, closed below, and the
// foot of the upper row between two of its legs, closed above, are linked twice or not at all
// depending on how they are cut; a single head about both legs of the next loop has turns of opposite
// sign. So a leg alone is tested: it goes through the head exactly once.
Test(yarn, knitted_loops_are_linked)
{
    sherd_yarn_def def = knitted_def(2, 1);
    def.spacing = 0.6;
    sherd_packing *p = make(&def);
    int32_t half = p->count / 2, quarter = half / 2;
    static sherd_vec3 lower[2000], upper[2000];
    int n = close_loop(p, 0, half, -20e-3, lower);
    // From the foot to the head of the upper row: one leg. It is closed around the right-hand side.
    int m = 0;
    for (int32_t k = half; k <= half + quarter; ++k)
        upper[m++] = centre(p, k);
    sherd_vec3 top = upper[m - 1], foot = upper[0];
    sherd_vec3 corner[5] = {top, vec3(top.x, 30e-3, top.z), vec3(-30e-3, 30e-3, foot.z),
                            vec3(-30e-3, foot.y, foot.z), foot};
    for (int c = 0; c < 4; ++c)
        for (int k = 1; k < 200; ++k)
            upper[m++] = vec3_add_scaled(corner[c], 0.005 * k, vec3_sub(corner[c + 1], corner[c]));
    double turns = fabs(linking(lower, n, upper, m));
    cr_expect_leq(fabs(turns - 1.0), 0.1); // a whole number, but for the mid-point rule
    sherd_packing_destroy(p);
}

Test(yarn, knitted_fabric_does_not_overlap)
{
    sherd_yarn_def def = knitted_def(6, 5);
    sherd_packing *p = make(&def);
    check_apart(p, 6);
    check_distances(p, 1e-3, 0.12); // chords across bends
    // Rows repeat.
    int32_t length = p->count / 6;
    for (int32_t k = 0; k < length; ++k)
        cr_assert_leq(
            vec3_distance(vec3_add(centre(p, k), vec3(0, 3.6e-3, 0)), centre(p, length + k)),
            1e-12);
    sherd_packing_destroy(p);
}

Test(yarn, glue_joins_crossings)
{
    sherd_yarn_def def = woven_def(SHERD_WEAVE_PLAIN, 6, 8);
    def.spacing = 0.7;
    sherd_packing *p = make(&def);
    sherd_bond_index chains = p->bond_count;
    sherd_packing_destroy(p);
    def.glue = SHERD_YARN_GLUE_ALL;
    p = make(&def);
    cr_expect_eq(p->bond_count, chains + 6 * 8);
    for (sherd_bond_index b = 1; b < p->bond_count; ++b)
        cr_assert(p->bond_i[b - 1] < p->bond_i[b] ||
                  (p->bond_i[b - 1] == p->bond_i[b] && p->bond_j[b - 1] < p->bond_j[b]));
    sherd_packing_destroy(p);
    def.glue = SHERD_YARN_GLUE_EDGES;
    p = make(&def);
    cr_expect_eq(p->bond_count, chains + 6 * 8 - 4 * 6);
    sherd_packing_destroy(p);
}

static void expect_refused(const sherd_yarn_def *def, const char *where, const char *what)
{
    sherd_error error = {0};
    cr_expect(sherd_yarn_create(def, &error) == NULL);
    cr_expect_eq(error.status, SHERD_ERROR_INPUT);
    cr_expect(strcmp(error.where, where) == 0, "where is %s, not %s", error.where, where);
    cr_expect(strstr(error.what, what) != NULL, "what is %s", error.what);
}

Test(yarn, bad_definitions_are_refused)
{
    sherd_yarn_def def = {0};
    expect_refused(&def, "sherd_yarn_create", "not initialised");
    def = rope_def(0, 1);
    expect_refused(&def, "yarn.rope.strands", "between 1 and 64");
    def = rope_def(3, 1);
    def.rope.radius = NAN;
    expect_refused(&def, "yarn.rope.radius", "nan");
    def = rope_def(3, 1);
    def.rope.pitch = 1e-3;
    expect_refused(&def, "yarn.rope.pitch", "at least");
    def = rope_def(3, 1);
    def.rope.length = 1e9;
    expect_refused(&def, "yarn.max_elements", "more than");
    def = rope_def(3, 1);
    const sherd_vec3 hairpin[] = {{0, 0, 0}, {0.1, 0, 0}, {0.1, 0.004, 0}, {0, 0.004, 0}};
    def.rope.path = hairpin;
    def.rope.path_count = 4;
    expect_refused(&def, "yarn", "cut each other");
    def.rope.path_count = 1;
    expect_refused(&def, "yarn.rope.path", "at least 2");
    def = woven_def(SHERD_WEAVE_PLAIN, 1, 4);
    expect_refused(&def, "yarn.woven", "2 to");
    def = woven_def(SHERD_WEAVE_PLAIN, 4, 4);
    def.woven.warp_distance = 1.5e-3;
    expect_refused(&def, "yarn.woven.warp_distance", "at least 0.00173");
    def = woven_def(SHERD_WEAVE_PLAIN, 4, 4);
    def.spacing = 0.3;
    expect_refused(&def, "yarn.spacing", "between 0.6 and 1.2");
    def = knitted_def(2, 2);
    def.knitted.column_distance = 2e-3;
    expect_refused(&def, "yarn.knitted.column_distance", "within");
    def = knitted_def(2, 2);
    def.max_elements = 10;
    expect_refused(&def, "yarn.max_elements", "more than 10");
}

// ---------------------------------------------------------------- tubes

typedef struct tubes {
    sherd_packing *packing;
    sherd_surface *surface;
    sherd_fragments *fragments;
    sherd_surface_body body;
    uint8_t *broken;
    double *mass;
} tubes;

static tubes make_tubes(const sherd_yarn_def *def)
{
    tubes t = {.packing = make(def)};
    sherd_packing *p = t.packing;
    t.body = (sherd_surface_body){.count = p->count, .kind = SHERD_SURFACE_YARNS};
    t.broken = calloc((size_t)p->bond_count, 1);
    t.mass = calloc((size_t)p->count, sizeof *t.mass);
    for (int32_t k = 0; k < p->count; ++k)
        t.mass[k] = 1.0;
    t.fragments = sherd_fragments_create(NULL);
    return t;
}

static void update_tubes(tubes *t)
{
    sherd_error error;
    sherd_packing *p = t->packing;
    if (t->surface == NULL) {
        sherd_surface_def def = sherd_surface_def_default();
        def.body_count = 1;
        def.bodies = &t->body;
        def.element_count = p->count;
        def.rest_x = p->x, def.rest_y = p->y, def.rest_z = p->z;
        def.radius = p->radius;
        def.bond_count = p->bond_count;
        def.bond_i = p->bond_i, def.bond_j = p->bond_j;
        t->surface = sherd_surface_create(&def, &error);
        cr_assert(t->surface != NULL, "%s", error.what);
    }
    sherd_fragment_input input = {.element_count = p->count,
                                  .mass = t->mass,
                                  .radius = p->radius,
                                  .bond_count = p->bond_count,
                                  .bond_i = p->bond_i,
                                  .bond_j = p->bond_j,
                                  .bond_broken = t->broken};
    cr_assert_eq(sherd_fragments_update(t->fragments, &input, &error), SHERD_OK);
    sherd_fragment_view view = sherd_fragments_view(t->fragments);
    cr_assert_eq(sherd_surface_update(t->surface, &view, t->broken, &error), SHERD_OK);
}

static void free_tubes(tubes *t)
{
    sherd_surface_destroy(t->surface);
    sherd_fragments_destroy(t->fragments);
    sherd_packing_destroy(t->packing);
    free(t->broken);
    free(t->mass);
}

// Every edge has one triangle on each side, running opposite ways.
static void check_closed(const sherd_mesh *mesh)
{
    int32_t n = mesh->vertex_count;
    cr_assert_lt(n, 4000);
    int8_t *edges = calloc((size_t)n * (size_t)n, 1);
    for (int32_t t = 0; t < mesh->triangle_count; ++t)
        for (int k = 0; k < 3; ++k) {
            int32_t a = mesh->triangles[3 * t + k], b = mesh->triangles[3 * t + (k + 1) % 3];
            cr_assert_eq(++edges[(size_t)a * (size_t)n + (size_t)b], 1);
        }
    for (int32_t a = 0; a < n; ++a)
        for (int32_t b = 0; b < n; ++b)
            cr_assert_eq(edges[(size_t)a * (size_t)n + (size_t)b],
                         edges[(size_t)b * (size_t)n + (size_t)a]);
    free(edges);
}

static int count_inner(const sherd_mesh *mesh)
{
    int count = 0;
    for (int32_t t = 0; t < mesh->triangle_count; ++t)
        count += mesh->face_kind[t] == SHERD_FACE_INNER;
    return count;
}

Test(yarn, tubes_are_closed_and_as_thick_as_the_yarn)
{
    sherd_yarn_def def = woven_def(SHERD_WEAVE_PLAIN, 3, 4);
    tubes t = make_tubes(&def);
    update_tubes(&t);
    cr_assert_eq(sherd_surface_piece_count(t.surface), 7);
    double volume = 0.0;
    for (int k = 0; k < 7; ++k) {
        sherd_surface_piece piece = sherd_surface_get_piece(t.surface, k);
        check_closed(piece.mesh);
        cr_expect_eq(count_inner(piece.mesh), 0);
        volume += sherd_mesh_volume(piece.mesh);
        for (int32_t v = 0; v < piece.mesh->vertex_count; ++v) {
            double sum = 0.0;
            for (int b = 0; b < SHERD_SURFACE_BONES; ++b)
                sum += (double)piece.weights[SHERD_SURFACE_BONES * v + b];
            cr_assert_leq(fabs(sum - 1.0), 1e-6);
        }
    }
    // A regular decagon has 0.935 of the circle's area; tubes are cut off by bends and rounded ends
    // by their three rings.
    cr_expect_leq(fabs(volume / (0.935 * t.packing->shape_volume) - 1.0), 0.03);
    free_tubes(&t);
}

Test(yarn, a_broken_yarn_has_two_rounded_ends_and_others_stay)
{
    sherd_yarn_def def = woven_def(SHERD_WEAVE_TWILL, 3, 3);
    tubes t = make_tubes(&def);
    update_tubes(&t);
    uint64_t version = sherd_surface_get_piece(t.surface, 1).version;
    t.broken[3] = 1;
    update_tubes(&t);
    cr_assert_eq(sherd_surface_piece_count(t.surface), 7);
    sherd_surface_piece left = sherd_surface_get_piece(t.surface, 0);
    sherd_surface_piece right = sherd_surface_get_piece(t.surface, 1);
    cr_expect_eq(left.element_count, 4);
    check_closed(left.mesh);
    check_closed(right.mesh);
    cr_expect_gt(count_inner(left.mesh), 0);
    cr_expect_eq(count_inner(left.mesh), count_inner(right.mesh));
    cr_expect_gt(sherd_mesh_volume(left.mesh), 0.0);
    cr_expect_eq(sherd_surface_get_piece(t.surface, 2).version, version); // untouched
    // At rest both ends are rounded off at the break: tips meet in the middle of the lost bond.
    sherd_vec3 middle = vec3_scale(0.5, vec3_add(centre(t.packing, 3), centre(t.packing, 4)));
    double nearest[2] = {1.0, 1.0};
    const sherd_surface_piece pieces[2] = {left, right};
    for (int n = 0; n < 2; ++n)
        for (int32_t v = 0; v < pieces[n].mesh->vertex_count; ++v) {
            const double *x = pieces[n].mesh->vertices + 3 * v;
            nearest[n] = fmin(nearest[n], vec3_distance(vec3(x[0], x[1], x[2]), middle));
        }
    // Caps go straight on, the yarn bends: within a fifth of its radius.
    cr_expect_leq(fmax(nearest[0], nearest[1]), 0.1e-3);
    free_tubes(&t);
}

// Glued yarns are one fragment: one piece of several closed tubes.
Test(yarn, glued_cloth_is_one_piece)
{
    sherd_yarn_def def = woven_def(SHERD_WEAVE_PLAIN, 3, 3);
    def.glue = SHERD_YARN_GLUE_ALL;
    tubes t = make_tubes(&def);
    update_tubes(&t);
    cr_assert_eq(sherd_surface_piece_count(t.surface), 1);
    sherd_surface_piece piece = sherd_surface_get_piece(t.surface, 0);
    cr_expect_eq(piece.element_count, t.packing->count);
    check_closed(piece.mesh);
    free_tubes(&t);
}

// surface/fragments, surface/rigid_motion: identities through splits, and the rigid motion fit.
#include "base/random.h"
#include "math/quat.h"
#include "surface/fragments.h"

#include <sherd/fragments.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROW = 12 };

// A row of elements 0-1-2-...-11; bond b joins b and b + 1.
typedef struct row {
    double mass[ROW], radius[ROW];
    sherd_element_index i[ROW - 1], j[ROW - 1];
    uint8_t broken[ROW - 1];
    sherd_fragment_input input;
} row;

static void make_row(row *r)
{
    *r = (row){.input = {.element_count = ROW, .bond_count = ROW - 1}};
    for (int e = 0; e < ROW; ++e)
        r->mass[e] = 2.0, r->radius[e] = 1.0;
    for (int b = 0; b < ROW - 1; ++b)
        r->i[b] = b, r->j[b] = b + 1;
    r->input.mass = r->mass;
    r->input.radius = r->radius;
    r->input.bond_i = r->i;
    r->input.bond_j = r->j;
    r->input.bond_broken = r->broken;
}

static sherd_fragment_view update(sherd_fragments *f, const row *r)
{
    sherd_error error;
    cr_assert_eq(sherd_fragments_update(f, &r->input, &error), SHERD_OK);
    return sherd_fragments_view(f);
}

Test(fragments, largest_child_keeps_the_id)
{
    row r;
    make_row(&r);
    sherd_fragments *f = sherd_fragments_create(NULL);
    sherd_fragment_view v = update(f, &r);
    cr_assert_eq(v.count, 1);
    cr_assert_eq(v.fragments[0].id, 1);
    cr_assert_eq(v.fragments[0].parent, 0);
    cr_assert(epsilon_eq(dbl, v.fragments[0].mass, 24.0, 1e-12)); // twelve masses of 2
    r.broken[3] = 1; // 0..3 and 4..11: the second is larger
    v = update(f, &r);
    cr_assert_eq(v.count, 2);
    cr_assert_eq(v.fragments[0].id, 2);
    cr_assert_eq(v.fragments[0].parent, 1);
    cr_assert_eq(v.fragments[1].id, 1);
    cr_assert_eq(v.element_fragment[0], 2);
    cr_assert_eq(v.element_fragment[4], 1);
    cr_assert_eq(v.fragments[1].first, 4);
    // A tie: 4..7 and 8..11. The one with the lowest element index keeps the id.
    r.broken[7] = 1;
    v = update(f, &r);
    cr_assert_eq(v.count, 3);
    cr_assert_eq(v.fragments[1].id, 1);
    cr_assert_eq(v.fragments[2].id, 3);
    cr_assert_eq(v.fragments[2].parent, 1);
    cr_assert_eq(v.next_id, 4);
    // Nothing breaks: nothing changes.
    v = update(f, &r);
    cr_assert_eq(v.count, 3);
    cr_assert_eq(v.fragments[0].id, 2);
    cr_assert_eq(v.fragments[0].parent, 1);
    cr_assert_eq(v.next_id, 4);
    sherd_fragments_destroy(f);
}

Test(fragments, restored_identities_go_on_as_if_never_stopped)
{
    row r;
    make_row(&r);
    sherd_fragments *f = sherd_fragments_create(NULL), *g = sherd_fragments_create(NULL);
    update(f, &r);
    r.broken[2] = r.broken[8] = 1;
    sherd_fragment_view v = update(f, &r);
    sherd_error error;
    cr_assert_eq(sherd_fragments_restore(g, v.element_fragment, ROW, v.next_id, &error), SHERD_OK);
    r.broken[5] = r.broken[9] = 1;
    v = update(f, &r);
    sherd_fragment_view w = update(g, &r);
    cr_assert_eq(v.count, w.count);
    cr_assert_eq(v.next_id, w.next_id);
    for (int k = 0; k < v.count; ++k)
        cr_assert_eq(v.fragments[k].id, w.fragments[k].id);
    for (int e = 0; e < ROW; ++e)
        cr_assert_eq(v.element_fragment[e], w.element_fragment[e]);
    sherd_fragments_destroy(f);
    sherd_fragments_destroy(g);
}

// As by bonds: 0..2, 3..8, 9..11.
Test(fragments, components_that_are_known_take_the_place_of_bonds)
{
    row r, known;
    make_row(&r);
    make_row(&known);
    sherd_element_index component[ROW] = {0};
    known.input.component = component;
    known.input.bond_count = 0;
    sherd_fragments *f = sherd_fragments_create(NULL), *g = sherd_fragments_create(NULL);
    for (int broken = 0; broken < 2; ++broken) {
        r.broken[2] = r.broken[8] = (uint8_t)broken;
        for (int e = 0; e < ROW && broken; ++e)
            component[e] = e < 3 ? 0 : e < 9 ? 3 : 9;
        sherd_fragment_view v = update(f, &r), w = update(g, &known);
        cr_assert_eq(v.count, broken ? 3 : 1);
        cr_assert_eq(w.count, v.count);
        cr_assert_eq(w.next_id, v.next_id);
        for (int k = 0; k < v.count; ++k) {
            cr_assert_eq(w.fragments[k].id, v.fragments[k].id);
            cr_assert_eq(w.fragments[k].parent, v.fragments[k].parent);
            cr_assert_eq(w.fragments[k].count, v.fragments[k].count);
        }
        for (int e = 0; e < ROW; ++e)
            cr_assert_eq(w.element_fragment[e], v.element_fragment[e]);
    }
    sherd_fragments_destroy(f);
    sherd_fragments_destroy(g);
}

Test(fragments, wrong_input_is_refused)
{
    row r;
    make_row(&r);
    sherd_fragments *f = sherd_fragments_create(NULL);
    sherd_error error;
    r.j[4] = ROW;
    cr_assert_eq(sherd_fragments_update(f, &r.input, &error), SHERD_ERROR_INPUT);
    cr_assert(strstr(error.what, "bond 4") != NULL);
    r.j[4] = 5;
    r.mass[7] = NAN;
    cr_assert_eq(sherd_fragments_update(f, &r.input, &error), SHERD_ERROR_INPUT);
    cr_assert(strstr(error.what, "element 7") != NULL);
    r.mass[7] = 2.0;
    sherd_element_index component[ROW] = {0, 0, 2, 1}; // 1 is no first element
    r.input.component = component;
    cr_assert_eq(sherd_fragments_update(f, &r.input, &error), SHERD_ERROR_INPUT);
    cr_assert(strstr(error.what, "element 3") != NULL);
    component[3] = 5; // comes later
    cr_assert_eq(sherd_fragments_update(f, &r.input, &error), SHERD_ERROR_INPUT);
    component[3] = -1;
    cr_assert_eq(sherd_fragments_update(f, &r.input, &error), SHERD_ERROR_INPUT);
    sherd_fragment_id labels[2] = {1, 5};
    cr_assert_eq(sherd_fragments_restore(f, labels, 2, 5, &error), SHERD_ERROR_INPUT);
    sherd_fragments_destroy(f);
}

Test(fragments, a_million_elements_take_well_under_a_second)
{
    enum { SIDE = 100 };
    const sherd_element_index n = SIDE * SIDE * SIDE;
    const int step[3] = {1, SIDE, SIDE * SIDE};
    double *one = malloc((size_t)n * sizeof *one);
    sherd_element_index *i = malloc(3 * (size_t)n * sizeof *i),
                        *j = malloc(3 * (size_t)n * sizeof *j);
    uint8_t *broken = calloc(3 * (size_t)n, 1);
    sherd_bond_index m = 0;
    for (sherd_element_index e = 0; e < n; ++e) {
        one[e] = 1.0;
        int c[3] = {e % SIDE, e / SIDE % SIDE, e / SIDE / SIDE};
        for (int d = 0; d < 3; ++d)
            if (c[d] + 1 < SIDE) {
                i[m] = e;
                j[m] = e + step[d];
                broken[m++] = c[d] % 10 == 9; // blocks of ten cubed
            }
    }
    sherd_fragment_input in = {.element_count = n,
                               .mass = one,
                               .radius = one,
                               .bond_count = m,
                               .bond_i = i,
                               .bond_j = j,
                               .bond_broken = broken};
    sherd_fragments *f = sherd_fragments_create(NULL);
    clock_t start = clock();
    cr_assert_eq(sherd_fragments_update(f, &in, NULL), SHERD_OK);
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    cr_assert_eq(sherd_fragments_view(f).count, 1000);
    // Measured 0.03 s; the bound leaves room for sanitizers and a busy machine.
    cr_assert(lt(dbl, seconds, 2.0));
    sherd_fragments_destroy(f);
    free(one);
    free(i);
    free(j);
    free(broken);
}

// One fragment of `count` elements at rest positions `rest`, moved rigidly.
static void check_rigid(int count, const sherd_vec3 *rest, sherd_pose pose)
{
    double mass[ROW], radius[ROW], X[3][ROW], x[3][ROW];
    sherd_element_index i[ROW], j[ROW];
    uint8_t broken[ROW] = {0};
    for (int e = 0; e < count; ++e) {
        sherd_vec3 p = pose_apply(pose, rest[e]);
        mass[e] = 1.0 + 0.3 * e;
        radius[e] = 1.0;
        i[e] = e;
        j[e] = e + 1;
        X[0][e] = rest[e].x, X[1][e] = rest[e].y, X[2][e] = rest[e].z;
        x[0][e] = p.x, x[1][e] = p.y, x[2][e] = p.z;
    }
    sherd_fragments *f = sherd_fragments_create(NULL);
    sherd_fragment_input in = {.element_count = count,
                               .mass = mass,
                               .radius = radius,
                               .bond_count = count - 1,
                               .bond_i = i,
                               .bond_j = j,
                               .bond_broken = broken};
    cr_assert_eq(sherd_fragments_update(f, &in, NULL), SHERD_OK);
    sherd_fragment_motion motion =
        sherd_fragments_motion(f, 0, mass, X[0], X[1], X[2], x[0], x[1], x[2]);
    cr_assert(epsilon_eq(dbl, quat_dot(motion.pose.rotation, motion.pose.rotation), 1.0, 1e-14));
    for (int e = 0; e < count; ++e) {
        sherd_vec3 p = pose_apply(motion.pose, vec3_sub(rest[e], motion.rest_center));
        // Positions are of size 10: rounding of sums of a dozen terms, times the lever arm.
        cr_assert(lt(dbl, vec3_distance(p, vec3(x[0][e], x[1][e], x[2][e])), 1e-12));
    }
    sherd_fragments_destroy(f);
}

Test(rigid_motion, is_exact_for_any_shape_of_fragment)
{
    for (uint64_t k = 0; k < 200; ++k) {
        sherd_vec3 rest[ROW], turn;
        double u[3];
        for (uint64_t d = 0; d < 3; ++d)
            u[d] = sherd_random_normal(11, d, k);
        turn = vec3(1.5 * u[0], 1.5 * u[1], 1.5 * u[2]);
        sherd_pose pose = {vec3(3.0 * u[1], -5.0, 2.0), quat_from_rotation_vector(turn)};
        // 1 point, 2 points, a straight row, a plane, a solid.
        for (int kind = 0; kind < 5; ++kind) {
            int count = kind == 0 ? 1 : kind == 1 ? 2 : ROW;
            for (int e = 0; e < count; ++e) {
                double c[3];
                for (uint64_t d = 0; d < 3; ++d)
                    c[d] = sherd_random_normal(12 + d, (uint64_t)e, k);
                rest[e] = kind == 2   ? vec3(1.0 + e * u[0], e * u[1], e * u[2] - 4.0)
                          : kind == 3 ? vec3(c[0], c[1], 0.5 * c[0] - c[1])
                                      : vec3(c[0], c[1], c[2]);
            }
            check_rigid(count, rest, pose);
        }
    }
    // Half turns, where quaternions change sign.
    sherd_vec3 square[4] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 2, 0}};
    check_rigid(4, square, (sherd_pose){{1, 2, 3}, {1, 0, 0, 0}});
    check_rigid(4, square, (sherd_pose){{1, 2, 3}, {0, 0, 1, 0}});
    check_rigid(2, square, (sherd_pose){{0, 0, 0}, {0, 0, 1, 0}});
}

// Bodies of material points in pieces that glue holds together, in worlds: as if they were whole until they break, into
// fragments, with all energy accounted for; the same bits for all threads and after resuming; errors of scenes.
#include "models/mpm/mpm_model.h"
#include "output/run/run_columns.h"
#include "sanitized.h"
#include "scene_stage.h"
#include "surface/surface_notes.h"
#include "surface/surface_pose.h"
#include "world/world.h"

#include <sherd/fragments.h>
#include <sherd/mesh.h>
#include <sherd/surface.h>

#include <stdlib.h>

static int count_fragments(const stage *s)
{
    sherd_element_index count = sherd_world_elements(s->world).count;
    sherd_element_index *first = malloc((size_t)count * sizeof *first);
    int fragments = 0;
    sherd_world_components(s->world, first);
    for (sherd_element_index k = 0; k < count; ++k) {
        cr_assert(first[first[k]] == first[k] && first[k] <= k);
        fragments += first[k] == k;
    }
    free(first);
    return fragments;
}

#define CLAY                                                                                       \
    "materials:\n  clay: {density: 1000, youngs_modulus: 1 MPa, poissons_ratio: 0.3, "             \
    "model: neo_hookean, friction: 0.3}\n"
#define BLOCK(more) BLOCK_IN(more, "0.4")
#define BLOCK_IN(more, safety)                                                                     \
    CLAY "bodies:\n  - {name: block, shape: {box: [10 cm, 8 cm, 10 cm]}, material: clay,\n"        \
         "     packing: {points: {spacing: 1.25 cm}}, position: [0, 0, 8 cm],\n"                   \
         "     rotation: [0, 20 deg, 0], velocity: [0, 0, -4]" more "}\n"                          \
         "obstacles:\n  - {name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}}\n"           \
         "solver: {safety: " safety "}\n"
#define PIECES(glue) ",\n     fracture: {pieces: {voronoi: {size: 5 cm, seed: 3}}, glue: " glue "}"

// Of an element of one world against the same of another [rad].
static double largest_turn(const sherd_element_view *a, const sherd_element_view *b)
{
    double most = 0.0;
    for (sherd_element_index k = 0; k < a->count; ++k) {
        double same = fabs(a->qx[k] * b->qx[k] + a->qy[k] * b->qy[k] + a->qz[k] * b->qz[k] +
                           a->qw[k] * b->qw[k]);
        most = fmax(most, 2.0 * sqrt(fmax(0.0, 2.0 * (1.0 - same))));
    }
    return most;
}

// On a floor, which sees what is glued as one body.
static void check_whole(const char *one, const char *pieces)
{
    stage whole = set(one, 2), glued = set(pieces, 2);
    go(&whole, 0.03), go(&glued, 0.03);
    sherd_element_view a = sherd_world_elements(whole.world), b = sherd_world_elements(glued.world);
    double worst = 0.0;
    for (sherd_element_index k = 0; k < a.count; ++k)
        worst = fmax(
            worst, fmax(fabs(a.x[k] - b.x[k]), fmax(fabs(a.y[k] - b.y[k]), fabs(a.z[k] - b.z[k]))));
    cr_assert(lt(dbl, worst, 1e-9 * 0.025), "%g", worst); // of a cell: rounding of sums over pieces
    cr_assert(lt(dbl, largest_turn(&a, &b), 1e-7)); // surfaces have no dimples where pieces meet
    sherd_body_glue glue = sherd_world_body_glue(glued.world, 0);
    cr_assert(lt(int, 4, glue.pieces));
    cr_assert(lt(i64, 0, glue.count));
    cr_assert(eq(i64, glue.broken, 0));
    cr_assert(eq(int, sherd_world_body_glue(whole.world, 0).pieces, 1));
    cr_assert(eq(int, count_fragments(&glued), 1));
    strike(&whole), strike(&glued);
}

// In steps of any length, which are the same for both.
Test(point_glue, what_holds_is_as_if_it_were_whole)
{
#define UNBREAKABLE PIECES("{tensile_strength: .inf, shear_strength: .inf}")
    check_whole(BLOCK_IN("", "0.85"), BLOCK_IN(UNBREAKABLE, "0.85"));
    check_whole(BLOCK_IN("", "0.4"), BLOCK_IN(UNBREAKABLE, "0.4"));
    check_whole(BLOCK_IN("", "0.1"), BLOCK_IN(UNBREAKABLE, "0.1"));
}

#define BREAKING BLOCK(PIECES("{tensile_strength: 8 kPa, shear_strength: 12 kPa, scatter: 0.3}"))
enum { LOOKS = 12 };
static const double END = 0.04;

Test(point_glue, what_breaks_falls_into_fragments_and_loses_no_energy_unseen)
{
    stage s = set(BREAKING, 2);
    double worst = 0.0;
    int64_t broken = 0;
    int fragments = 1;
    for (int k = 1; k <= LOOKS; ++k) {
        go(&s, END * k / LOOKS);
        worst = fmax(worst, fabs(sherd_world_energy(s.world).balance_error));
        int64_t now = sherd_world_body_glue(s.world, 0).broken;
        int pieces = count_fragments(&s);
        cr_assert(broken <= now && fragments <= pieces);
        broken = now, fragments = pieces;
    }
    sherd_body_glue glue = sherd_world_body_glue(s.world, 0);
    cr_assert(0 < glue.broken && glue.broken <= glue.count);
    cr_assert(1 < fragments && fragments <= glue.pieces, "%d of %d", fragments, glue.pieces);
    cr_assert(lt(dbl, worst, 0.01), "%g", worst); // explicit steps, of order dt
    strike(&s);
}

Test(point_glue, the_same_bits_for_all_threads)
{
    const int threads[4] = {1, 2, 3, 8};
    uint64_t first = 0;
    for (int k = 0; k < 4; ++k) {
        stage s = set(BREAKING, threads[k]);
        go(&s, 0.5 * END);
        uint64_t hash = sherd_world_state_hash(s.world);
        if (k == 0) first = hash;
        cr_assert(eq(u64, hash, first), "%d threads", threads[k]);
        cr_assert(lt(i64, 0, sherd_world_body_glue(s.world, 0).broken));
        strike(&s);
    }
}

// Some glue is broken, some is to break.
Test(point_glue, a_resumed_world_goes_on_breaking_bit_for_bit)
{
    static const int STOPS[] = {41, 67, 90};
    check_resumed(BREAKING, END, STOPS, 3);
    stage begun = set(BREAKING, 2);
    sherd_error error;
    cr_assert(sherd_world_advance_towards(begun.world, END, STOPS[1], &error) == SHERD_OK);
    stage resumed = restored(BREAKING, 1, &begun);
    int64_t broken = sherd_world_body_glue(begun.world, 0).broken;
    cr_assert(lt(i64, 0, broken));
    cr_assert(eq(i64, sherd_world_body_glue(resumed.world, 0).broken, broken));
    strike(&begun), strike(&resumed);
}

// ---------------------------------------------------------------- what is told

static const double SPACING = 0.0125;

static double distance(sherd_vec3 a, sherd_vec3 b)
{
    return sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z));
}

static sherd_vec3 place_of(const sherd_element_view *e, sherd_element_index k)
{
    return (sherd_vec3){e->x[k], e->y[k], e->z[k]};
}

static sherd_break *list_breaks(const stage *s, sherd_bond_index *count)
{
    *count = sherd_world_break_count(s->world);
    sherd_break *list = malloc(((size_t)*count + 1) * sizeof *list);
    sherd_world_breaks(s->world, list);
    return list;
}

static sherd_glue_particle *list_glue(const stage *s)
{
    size_t count = (size_t)sherd_world_glue_count(s->world);
    sherd_glue_particle *list = malloc((count + 1) * sizeof *list);
    sherd_world_glue(s->world, list);
    return list;
}

// Between neighbours of the lattice, before the world is prepared and after.
static void check_glue_at_rest(const stage *s, const sherd_glue_particle *glue)
{
    sherd_element_view e = sherd_world_elements(s->world);
    for (sherd_bond_index k = 0; k < sherd_world_glue_count(s->world); ++k) {
        const sherd_glue_particle *g = &glue[k];
        sherd_vec3 a = place_of(&e, g->i), b = place_of(&e, g->j);
        cr_assert(g->i < g->j && g->piece_i != g->piece_j && g->body == 0 && !g->broken);
        cr_assert(epsilon_eq(dbl, distance(a, b), SPACING, 1e-9 * SPACING));
        cr_assert(epsilon_eq(dbl, distance(a, g->place) + distance(g->place, b), SPACING,
                             1e-9 * SPACING));
    }
}

// All that broke is told once, by number, with its pieces, where its points are, in order of time.
Test(point_glue, what_broke_is_told)
{
    stage s = set(BREAKING, 2);
    sherd_glue_particle *before = list_glue(&s);
    sherd_bond_index count, glue_count = sherd_world_glue_count(s.world);
    cr_assert(eq(i64, glue_count, sherd_world_body_glue(s.world, 0).count));
    check_glue_at_rest(&s, before);
    go(&s, 0.5 * END);
    sherd_break *list = list_breaks(&s, &count);
    sherd_glue_particle *now = list_glue(&s);
    sherd_element_view e = sherd_world_elements(s.world);
    cr_assert(eq(i64, count, sherd_world_body_glue(s.world, 0).broken));
    cr_assert(lt(i64, 20, count));
    int by[SHERD_BREAK_MODE_COUNT] = {0};
    for (sherd_bond_index k = 0; k < count; ++k) {
        const sherd_break *b = &list[k];
        const sherd_glue_particle *g = &now[b->bond], *rest = &before[b->bond];
        cr_assert(g->broken && b->i == g->i && b->j == g->j && b->body == 0);
        cr_assert(g->i == rest->i && g->j == rest->j && g->piece_i == rest->piece_i);
        cr_assert(b->piece_i == g->piece_i && b->piece_j == g->piece_j && b->piece_i >= 0);
        cr_assert(b->time > 0.0 && b->time <= 0.5 * END && b->energy == 0.0);
        cr_assert(k == 0 || list[k - 1].time < b->time ||
                  (list[k - 1].time == b->time && list[k - 1].bond < b->bond));
        // It stays where it broke; its points go on with at most 4 m/s, pressed together and apart.
        cr_assert(lt(dbl, distance(b->place, place_of(&e, b->i)),
                     2.0 * SPACING + 4.0 * (0.5 * END - b->time)));
        // By what was exceeded more.
        double tension = g->normal_traction / g->tensile_strength,
               shear = g->shear_traction / g->shear_strength;
        cr_assert(eq(int, (int)b->mode,
                     (int)(tension >= shear ? SHERD_BREAK_TENSION : SHERD_BREAK_SHEAR)));
        cr_assert(lt(dbl, 1.0, fmax(tension, shear)));
        ++by[b->mode];
    }
    cr_assert(0 < by[SHERD_BREAK_TENSION] && 0 < by[SHERD_BREAK_SHEAR]);
    free(list), free(now), free(before);
    strike(&s);
}

// Those since the last look are part of the state.
Test(point_glue, what_broke_is_told_after_resuming_too)
{
    stage begun = set(BREAKING, 2);
    go(&begun, 0.3 * END);
    cr_assert(lt(i64, 0, sherd_world_break_count(begun.world)));
    stage resumed = restored(BREAKING, 1, &begun);
    go(&begun, 0.5 * END), go(&resumed, 0.5 * END);
    sherd_bond_index count, same;
    sherd_break *a = list_breaks(&begun, &count), *b = list_breaks(&resumed, &same);
    cr_assert(eq(i64, count, same));
    for (sherd_bond_index k = 0; k < count; ++k)
        cr_assert(a[k].bond == b[k].bond && a[k].time == b[k].time && a[k].mode == b[k].mode &&
                  a[k].place.x == b[k].place.x);
    sherd_world_forget_breaks(begun.world);
    cr_assert(eq(i64, sherd_world_break_count(begun.world), 0));
    free(a), free(b);
    strike(&begun), strike(&resumed);
}

// A bar, cut in the middle by a plane that leans by `lean`, its ends drawn apart by 0.1 %, then held.
#define BAR(lean)                                                                                  \
    "materials:\n  rubber: {density: 1000, youngs_modulus: 1 MPa, poissons_ratio: 0.0, "           \
    "model: neo_hookean}\nbodies:\n"                                                               \
    "  - {name: bar, shape: {box: [16 cm, 4 cm, 4 cm]}, material: rubber, "                        \
    "packing: {points: {spacing: 5 mm}},\n     fracture: {pieces: {cut: {plane: {point: "          \
    "[0, 0, 0], normal: [1, 0, " lean "]}}}, glue: {tensile_strength: 1 GPa, "                     \
    "shear_strength: 1 GPa}}}\n"                                                                   \
    "drivers:\n"                                                                                   \
    "  - {name: left, body: bar, region: {box: [2 cm, 5 cm, 5 cm], position: [-7 cm, 0, 0]}, "     \
    "motion: {table: [{time: 0 s}, {time: 20 ms, translation: [-0.08 mm, 0, 0]}]}}\n"              \
    "  - {name: right, body: bar, region: {box: [2 cm, 5 cm, 5 cm], position: [7 cm, 0, 0]}, "     \
    "motion: {table: [{time: 0 s}, {time: 20 ms, translation: [0.08 mm, 0, 0]}]}}\n"               \
    "solver: {flip: 0.8}\n"

// Columns of frames: what acts on the second of a particle's points.
static void check_columns(const stage *s, const sherd_glue_particle *glue, double on_left)
{
    sherd_run_bonds bonds;
    sherd_load_columns c;
    cr_assert(sherd_run_bonds_create(&bonds, s->world, NULL));
    cr_assert(sherd_load_columns_create(&c, &bonds));
    sherd_run_bonds_update(&bonds, s->world);
    sherd_load_columns_fill(&c, s->world, &bonds);
    double on_right = 0.0;
    for (sherd_bond_index k = 0; k < bonds.count; ++k) {
        const sherd_glue_particle *g = &glue[k];
        const double force[3] = {g->area * g->traction.x, g->area * g->traction.y,
                                 g->area * g->traction.z};
        for (int axis = 0; axis < 3; ++axis)
            cr_assert(eq(flt, c.columns[axis].values[k], (float)-force[axis]));
        cr_assert(eq(flt, c.columns[6].values[k], (float)(g->area * g->normal_traction)));
        cr_assert(eq(flt, c.columns[7].values[k], (float)(g->area * g->shear_traction)));
        on_right += (g->piece_j != 0 ? 1.0 : -1.0) * (double)c.columns[0].values[k];
    }
    // The right piece is pulled to the left; floats.
    cr_assert(epsilon_eq(dbl, on_right, -on_left, 1e-5 * on_left));
    sherd_load_columns_free(&c);
    sherd_run_bonds_free(&bonds);
}

// The force of all glue is that at the bar's ends.
static void check_loads(const char *text, bool leans)
{
    stage s = set(text, 2);
    go(&s, 0.12); // 32 s/km: a wave goes along the bar 24 times
    sherd_world_reset_probes(s.world);
    go(&s, 0.14);
    double ends = sherd_world_probe_driver(s.world, s.build.driver_ids[1]).force.x, sum = 0.0,
           normal = 0.0;
    bool either[2] = {false, false};
    sherd_glue_particle *glue = list_glue(&s);
    for (sherd_bond_index k = 0; k < sherd_world_glue_count(s.world); ++k) {
        double side =
            glue[k].piece_i == 0 ? 1.0 : -1.0; // on the left piece, whichever point is first
        sum += side * glue[k].area * glue[k].traction.x;
        either[glue[k].piece_i != 0] = true;
        normal += glue[k].area * glue[k].normal_traction;
        cr_assert(epsilon_eq(dbl, hypot(glue[k].normal_traction, glue[k].shear_traction),
                             sqrt(glue[k].traction.x * glue[k].traction.x +
                                  glue[k].traction.y * glue[k].traction.y +
                                  glue[k].traction.z * glue[k].traction.z),
                             1e-9 * fabs(glue[k].traction.x)));
    }
    cr_log_info("%g N at the wall, %g N across it, %g N at the ends", sum, normal, ends);
    cr_assert(either[0] && either[1] == leans);
    cr_assert(lt(dbl, 0.0, normal));
    // They differ by 5e-4, of waves that are left.
    cr_assert(epsilon_eq(dbl, sum, fabs(ends), 0.005 * fabs(ends)));
    check_columns(&s, glue, sum);
    free(glue);
    strike(&s);
}

Test(point_glue, loads_of_glue_are_what_the_ends_are_held_with)
{
    if (!SANITIZED) check_loads(BAR("0"), false);
    check_loads(BAR("-0.5"), true);
}

// ---------------------------------------------------------------- steps

// A bar in two pieces, one end held, the other pulled aside.
#define BENT(safety)                                                                               \
    "materials:\n  clay: {density: 1000, youngs_modulus: 1 MPa, poissons_ratio: 0.3, "             \
    "model: neo_hookean}\nbodies:\n"                                                               \
    "  - {name: bar, shape: {box: [20 cm, 4 cm, 4 cm]}, material: clay, "                          \
    "packing: {points: {spacing: 1 cm}},\n     fracture: {pieces: {cut: {plane: {point: "          \
    "[0, 0, 0], normal: [1, 0, 0]}}}, glue: {tensile_strength: 50 kPa, "                           \
    "shear_strength: 50 kPa}}}\n"                                                                  \
    "drivers:\n"                                                                                   \
    "  - {name: left, body: bar, region: {box: [4 cm, 8 cm, 8 cm], position: [-10 cm, 0, 0]}, "    \
    "hold: true}\n"                                                                                \
    "  - {name: right, body: bar, region: {box: [4 cm, 8 cm, 8 cm], position: [10 cm, 0, 0]}, "    \
    "motion: {velocity: [0, 0, -0.4]}}\n"                                                          \
    "solver: {safety: " safety "}\n"

typedef struct bending {
    double force, elastic; // mean of the held end across the bar [N]; stored at the end [J]
} bending;

static bending bend(const char *text)
{
    stage s = set(text, 2);
    go(&s, 0.1);
    bending b = {sherd_world_probe_driver(s.world, s.build.driver_ids[0]).force.z,
                 sherd_world_energy(s.world).elastic};
    cr_log_info("%g N, %g J", b.force, b.elastic);
    cr_assert(lt(dbl, fabs(sherd_world_energy(s.world).balance_error), 1e-3));
    strike(&s);
    return b;
}

// Usual steps, half of them, a tenth: 12.59, 12.63, 12.66 N and 0.4383, 0.4388, 0.4395 J; forces rose by 6 % as long as what
// points don't see crept the more slowly the shorter steps were (mpm_unresolved_modes.h).
Test(point_glue, forces_do_not_depend_on_the_length_of_steps)
{
    bending usual = bend(BENT("0.85"));
    if (SANITIZED) return;
    bending half = bend(BENT("0.4")), tenth = bend(BENT("0.085"));
    const bending all[2] = {half, tenth};
    for (int k = 0; k < 2; ++k) {
        cr_assert(epsilon_eq(dbl, all[k].force, usual.force, 0.01 * fabs(usual.force)));
        cr_assert(epsilon_eq(dbl, all[k].elastic, usual.elastic, 0.005 * usual.elastic));
    }
}

// A bar of Voronoi pieces, glued in its upper half alone, pressed along by 5 %.
#define CRACKED(safety)                                                                            \
    "gravity: [0, 0, 0]\nmaterials:\n  clay: {density: 1000, youngs_modulus: 1 MPa, "              \
    "poissons_ratio: 0.3, model: neo_hookean, friction: 0.4}\nbodies:\n"                           \
    "  - {name: bar, shape: {box: [20 cm, 6 cm, 6 cm]}, material: clay, "                          \
    "packing: {points: {spacing: 1 cm}},\n     fracture: {pieces: {voronoi: {size: 5 cm, "         \
    "seed: 4}}, glue: {tensile_strength: 1 GPa, shear_strength: 1 GPa, "                           \
    "inside: {box: [30 cm, 6 cm, 3 cm], position: [0, 0, 1.5 cm]}}}}\n"                            \
    "drivers:\n"                                                                                   \
    "  - {name: left, body: bar, region: {box: [4 cm, 8 cm, 8 cm], position: [-10 cm, 0, 0]}, "    \
    "hold: true}\n"                                                                                \
    "  - {name: right, body: bar, region: {box: [4 cm, 8 cm, 8 cm], position: [10 cm, 0, 0]}, "    \
    "motion: {velocity: [-0.1, 0, 0]}}\n"                                                          \
    "solver: {safety: " safety "}\n"

static bending press(const char *text)
{
    stage s = set(text, 2);
    go(&s, 0.05);
    bending b = {sherd_world_probe_driver(s.world, s.build.driver_ids[0]).force.x,
                 sherd_world_energy(s.world).elastic};
    cr_log_info("%g N, %g J", b.force, b.elastic);
    strike(&s);
    return b;
}

// Usual steps and a fifth of them: 44.8 and 45.0 N, 0.2185 and 0.2172 J; 3 % more in a fifth while nodes at which
// pieces touch were left out (mpm_unresolved_modes.h). Tolerances lie between both.
Test(point_glue, cracks_hardly_make_forces_depend_on_the_length_of_steps)
{
    bending usual = press(CRACKED("0.85"));
    if (SANITIZED) return;
    bending fifth = press(CRACKED("0.17"));
    cr_assert(epsilon_eq(dbl, fifth.force, usual.force, 0.029 * fabs(usual.force)));
    cr_assert(epsilon_eq(dbl, fifth.elastic, usual.elastic, 0.023 * usual.elastic));
}

// ---------------------------------------------------------------- softening

// A bar of 4 by 4 cm in two pieces, drawn apart with 12.5 mm/s; 20 J/m^2 on 16 cm^2 are 32 mJ, 10 kPa 16 N.
#define SOFT(spacing, motion) SOFT_OF("16 cm", "7 cm", spacing, motion)
#define SOFT_OF(length, end, spacing, motion)                                                      \
    "gravity: [0, 0, 0]\nmaterials:\n  rubber: {density: 1000, youngs_modulus: 1 MPa, "            \
    "poissons_ratio: 0.0, model: neo_hookean}\nbodies:\n"                                          \
    "  - {name: bar, shape: {box: [" length ", 4 cm, 4 cm]}, material: rubber, packing: {points: " \
    "{spacing: " spacing "}},\n     fracture: {pieces: {cut: {plane: {point: [0, 0, 0], normal: "  \
    "[1, 0, 0]}}}, glue: {tensile_strength: 10 kPa, shear_strength: 10 kPa, "                      \
    "fracture_energy: 20}}}\n"                                                                     \
    "drivers:\n"                                                                                   \
    "  - {name: left, body: bar, region: {box: [2 cm, 5 cm, 5 cm], position: [-" end ", 0, 0]}, "  \
    "hold: true}\n"                                                                                \
    "  - {name: right, body: bar, region: {box: [2 cm, 5 cm, 5 cm], position: [" end ", 0, 0]}, "  \
    "motion: {table: [" motion "]}}\n"
// It begins by steps of 2.5 mm/s: where its end jumps to a velocity v the bar rings by rho c v, 0.5 N of it for 10 mm/s.
#define APART                                                                                      \
    "{time: 0 s}, {time: 20 ms, translation: [0.05 mm, 0, 0]}, {time: 40 ms, translation: [0.15 "  \
    "mm, 0, 0]}, {time: 60 ms, translation: [0.3 mm, 0, 0]}, {time: 0.1 s, translation: [0.7 "     \
    "mm, 0, 0]}, {time: 0.524 s, translation: [6 mm, 0, 0]}"

static void check_softening(const char *text)
{
    stage s = set(text, 2);
    double peak = 0.0, error = 0.0, when = 0.0, least = 0.0;
    for (int k = 1; k <= 450; ++k) {
        sherd_world_reset_probes(s.world);
        go(&s, 1e-3 * k);
        // Waves that glue sends out as it gives way load one end and unload the other.
        double left = sherd_world_probe_driver(s.world, s.build.driver_ids[0]).force.x,
               right = sherd_world_probe_driver(s.world, s.build.driver_ids[1]).force.x;
        peak = fmax(peak, 0.5 * (left - right));
        sherd_energy e = sherd_world_energy(s.world);
        double balance = fabs(e.balance_error);
        least = fmin(least, e.dissipated_integration);
        if (k > 100 && balance > error) error = balance, when = 1e-3 * k;
    }
    double taken = sherd_world_energy(s.world).dissipated_softening;
    cr_log_info("%g N, %g J, balance %g at %g s", peak, taken, error, when);
    cr_assert(eq(i64, sherd_world_body_glue(s.world, 0).broken, sherd_world_glue_count(s.world)));
    cr_assert(epsilon_eq(dbl, taken, 0.032, 0.01 * 0.032));
    cr_assert(epsilon_eq(dbl, peak, 16.0, 0.03 * 16.0));
    cr_assert(lt(dbl, error, 0.005)); // once there is energy to speak of
    cr_assert(lt(dbl, -1e-3 * 0.032, least));
    strike(&s);
}

// Stiff glue begins to soften without a jump: pieces rang as it did, and whoever read the force often took 118 N for 112.5.
Test(point_glue, softening_begins_without_ringing)
{
    enum { SETTLED = 20 };
    const double right = 500e3 * 15e-3 * 15e-3;
    stage s =
        set("gravity: [0, 0, 0]\nmaterials:\n  wood: {density: 1000, youngs_modulus: 500 MPa,\n"
            "    poissons_ratio: 0.3, model: neo_hookean}\nbodies:\n"
            "  - {name: bar, shape: {box: [60 mm, 15 mm, 15 mm]}, material: wood,\n"
            "     packing: {points: {spacing: 3.75 mm}},\n"
            "     fracture: {pieces: {cut: {plane: {point: [0, 0, 0], normal: [1, 0, 0]}}},\n"
            "       glue: {tensile_strength: 500 kPa, shear_strength: 500 kPa, fracture_energy: "
            "40}}}\ndrivers:\n"
            "  - {name: left, body: bar, region: {box: [15 mm, 30 mm, 30 mm], position: [-30 mm,\n"
            "     0, 0]}, hold: true}\n"
            "  - {name: right, body: bar, region: {box: [15 mm, 30 mm, 30 mm], position: [30 mm,\n"
            "     0, 0]}, motion: {velocity: [6 mm/s, 0, 0]}}\n",
            2);
    double peak = 0.0, least = INFINITY;
    go(&s, 7.6e-3);
    for (int k = 1; k <= 140; ++k) {
        sherd_world_reset_probes(s.world);
        go(&s, 7.6e-3 + 5e-6 * k);
        double force = -sherd_world_probe_driver(s.world, s.build.driver_ids[1]).force.x;
        if (k <= SETTLED) continue; // steps are shorter from here on, which loads ends for a while
        if (force > peak) peak = force, least = INFINITY;
        least = fmin(least, force);
    }
    cr_log_info("%g N at most, then %g N at least", peak, least);
    // Stress is tested every few steps and counts the mean of some points: 0.5 %. Afterwards the bar sheds 5.8 N/ms, in 0.45 ms
    // at most 2.6 N; what is left of the jump is 1 N.
    cr_assert(lt(dbl, fabs(peak - right), 0.005 * right), "%g", peak);
    cr_assert(lt(dbl, right - 4.0, least), "%g", least);
    strike(&s);
}

Test(point_glue, softening_takes_its_fracture_energy)
{
    check_softening(SOFT("1 cm", APART));
    check_softening(SOFT("5 mm", APART));
}

// The same bar with strengths of a part of E, drawn apart by 13 t/E of its length within 0.5 s: to the strength, and on by
// the last opening. G_f is 1.5 of the least that a cell of 2 cm allows.
static double absorbed(const char *model, double strength, double poissons_ratio)
{
    char text[2000];
    double energy = 3.0 * strength * strength / 2.5e7, far = 3.6e-7 * strength;
    snprintf(text, sizeof text,
             "gravity: [0, 0, 0]\nmaterials:\n  rubber: {density: 1000, youngs_modulus: 1 MPa, "
             "poissons_ratio: %g, model: %s}\nbodies:\n"
             "  - {name: bar, shape: {box: [16 cm, 4 cm, 4 cm]}, material: rubber, packing: "
             "{points: {spacing: 1 cm}},\n     fracture: {pieces: {cut: {plane: {point: [0, 0, 0], "
             "normal: [1, 0, 0]}}}, glue: {tensile_strength: %g, shear_strength: %g, "
             "fracture_energy: %g}}}\ndrivers:\n"
             "  - {name: left, body: bar, region: {box: [2 cm, 5 cm, 5 cm], position: [-7 cm, 0, "
             "0]}, hold: true}\n"
             "  - {name: right, body: bar, region: {box: [2 cm, 5 cm, 5 cm], position: [7 cm, 0, "
             "0]}, motion: {table: [{time: 0 s}, {time: 20 ms, translation: [%g, 0, 0]}, {time: "
             "0.5 s, translation: [%g, 0, 0]}]}}\n",
             poissons_ratio, model, strength, strength, energy, 0.02 * far, far);
    stage s = set(text, 2);
    go(&s, 0.5);
    sherd_energy e = sherd_world_energy(s.world);
    double share = e.dissipated_softening / (energy * 16e-4);
    cr_log_info("%s, %g Pa: %g of G_f, balance %g, work %g J", model, strength, share,
                e.balance_error, e.work);
    cr_assert(eq(i64, sherd_world_body_glue(s.world, 0).broken, sherd_world_glue_count(s.world)));
    cr_assert(lt(dbl, fabs(e.balance_error), 0.01)); // explicit steps, of order dt
    strike(&s);
    return share;
}

// Glue that follows nodal modes which points do not resolve stops softening at 2 %. What it takes is the work of its law
// along its opening, by the trapezoidal rule, whose last step goes past the end: 2e-3 at most.
Test(point_glue, softening_takes_its_fracture_energy_whatever_the_strength)
{
    static const char *const MODELS[] = {"neo_hookean", "corotated", "hencky"};
    static const double STRENGTHS[] = {5e3, 2e4, 5e4, 1e5}; // 0.5, 2, 5 and 10 % of E
    for (int m = 0; m < 3; ++m)
        for (int k = 0; k < 4; ++k) {
            if (SANITIZED && (m > 0 || k != 2)) continue;
            double share = absorbed(MODELS[m], STRENGTHS[k], k % 2 == 0 ? 0.0 : 0.3);
            cr_assert(epsilon_eq(dbl, share, 1.0, 2e-3), "%s, %g Pa: %g", MODELS[m], STRENGTHS[k],
                      share);
        }
}

// A bar that stores 90 mJ when its glue breaks, after which both halves swing: the run ended with "7.54 % came from nowhere"
// while the balance took the impulses of the step that was made for the next ones.
Test(point_glue, glue_that_breaks_at_once_gives_no_energy)
{
    stage s = set("gravity: [0, 0, 0]\nmaterials:\n  rubber: {density: 1000, youngs_modulus: 1 "
                  "MPa, poissons_ratio: 0.0, model: corotated}\nbodies:\n"
                  "  - {name: bar, shape: {box: [16 cm, 4 cm, 4 cm]}, material: rubber, packing: "
                  "{points: {spacing: 1 cm}},\n     fracture: {pieces: {cut: {plane: {point: [0, "
                  "0, 0], normal: [1, 0, 0]}}}, glue: {tensile_strength: 30 kPa, shear_strength: "
                  "30 kPa}}}\ndrivers:\n"
                  "  - {name: left, body: bar, region: {box: [2 cm, 5 cm, 5 cm], position: [-7 cm, "
                  "0, 0]}, hold: true}\n"
                  "  - {name: right, body: bar, region: {box: [2 cm, 5 cm, 5 cm], position: [7 cm, "
                  "0, 0]}, motion: {table: [{time: 0 s}, {time: 0.2 s, translation: [6 mm, 0, "
                  "0]}]}}\n",
                  2);
    double worst = worst_balance(&s, 0.24, 240);
    cr_assert(eq(i64, sherd_world_body_glue(s.world, 0).broken, sherd_world_glue_count(s.world)));
    cr_log_info("%g, in the end %g", worst, sherd_world_energy(s.world).balance_error);
    // 0.023 within the first ms, when halves swing as fast as steps allow; 0.05 with the impulses of before.
    cr_assert(lt(dbl, worst, 0.03), "%g", worst);
    cr_assert(lt(dbl, fabs(sherd_world_energy(s.world).balance_error), 0.005));
    strike(&s);
}

// Two halves of a block, one drawn along the other; 20 J/m^2 on 32 cm^2 are 64 mJ, 10 kPa 32 N.
#define SHEARED                                                                                    \
    "gravity: [0, 0, 0]\nmaterials:\n  rubber: {density: 1000, youngs_modulus: 1 MPa, "            \
    "poissons_ratio: 0.0, model: neo_hookean, friction: 0}\nbodies:\n"                             \
    "  - {name: block, shape: {box: [8 cm, 4 cm, 8 cm]}, material: rubber, packing: {points: "     \
    "{spacing: 5 mm}},\n     fracture: {pieces: {cut: {plane: {point: [0, 0, 0], normal: "         \
    "[0, 0, 1]}}}, glue: {tensile_strength: 5 kPa, shear_strength: 10 kPa, "                       \
    "fracture_energy: 20}}}\n"                                                                     \
    "drivers:\n"                                                                                   \
    "  - {name: below, body: block, region: {box: [9 cm, 5 cm, 3 cm], position: [0, 0, -3.5 cm]}," \
    " hold: true}\n"                                                                               \
    "  - {name: above, body: block, region: {box: [9 cm, 5 cm, 3 cm], position: [0, 0, 3.5 cm]}, " \
    "motion: {table: [{time: 0 s}, {time: 0.2 s, translation: [3 mm, 0, 0]}, {time: 0.3 s, "       \
    "translation: [1.5 mm, 0, 0]}, {time: 0.4 s, translation: [3 mm, 0, 0]}, {time: 0.65 s, "      \
    "translation: [8 mm, 0, 0]}]}}\n"

static double pulled_with(stage *s, double from, double to)
{
    go(s, from);
    sherd_world_reset_probes(s->world);
    go(s, to);
    return sherd_world_probe_driver(s->world, s->build.driver_ids[0]).force.x;
}

// It unloads along the secant, takes nothing meanwhile, and goes on where it was.
Test(point_glue, softening_along_a_wall_unloads_towards_the_origin)
{
    stage s = set(SHEARED, 2);
    double far = pulled_with(&s, 0.198, 0.2),
           taken = sherd_world_energy(s.world).dissipated_softening;
    double near = pulled_with(&s, 0.298, 0.3),
           still = sherd_world_energy(s.world).dissipated_softening;
    double again = pulled_with(&s, 0.398, 0.4);
    go(&s, 0.65);
    double all = sherd_world_energy(s.world).dissipated_softening;
    cr_log_info("%g N, %g N, %g N; %g J, %g J, %g J", far, near, again, taken, still, all);
    cr_assert(taken > 0.1 * 0.064 && taken < 0.9 * 0.064);
    cr_assert(epsilon_eq(dbl, still, taken, 0.02 * taken));
    // From 3 to 1.5 mm, beside 0.2 mm that the traction began with at b^2 K = 5e7 Pa/m.
    cr_assert(epsilon_eq(dbl, near, 1.7 / 3.2 * far, 0.05 * far));
    cr_assert(epsilon_eq(dbl, again, far, 0.05 * far));
    cr_assert(epsilon_eq(dbl, all, 0.064, 0.02 * 0.064));
    strike(&s);
}

Test(point_glue, softening_goes_on_bit_for_bit)
{
    stage one = set(SOFT("1 cm", APART), 1), three = set(SOFT("1 cm", APART), 3);
    go(&one, 0.35), go(&three, 0.35);
    cr_assert(eq(u64, sherd_world_state_hash(three.world), sherd_world_state_hash(one.world)));
    cr_assert(lt(dbl, 0.001, sherd_world_energy(one.world).dissipated_softening));
    cr_assert(eq(i64, sherd_world_body_glue(one.world, 0).broken, 0));
    stage resumed = restored(SOFT("1 cm", APART), 2, &three);
    go(&one, 0.45);
    go_on_as(&one, &resumed, 0.45);
    strike(&one), strike(&three);
}

// From the start at 10 mm/s; to the strength and back beyond the start, twice, then apart.
#define SLOW "{time: 0 s}, {time: 0.65 s, translation: [6.5 mm, 0, 0]}"
#define THRICE                                                                                     \
    "{time: 0 s}, {time: 0.1 s, translation: [0.6 mm, 0, 0]}, {time: 0.2 s, translation: [1.48 "   \
    "mm, 0, 0]}, {time: 0.3 s, translation: [-1 mm, 0, 0]}, {time: 0.4 s, translation: [1.48 mm, " \
    "0, 0]}, {time: 0.5 s, translation: [-1 mm, 0, 0]}, {time: 0.9 s, translation: [7 mm, 0, 0]}"
static const double TAKEN = 0.032; // G_f times the section [J]

static const sherd_mpm_glues *glues_of(const stage *s)
{
    return &s->world->system.points->m.glue;
}

// While softening began with energy that nobody paid, integration took -1.8 mJ, and the first of these runs was stopped.
static void check_account(const char *text, double end, int looks, bool joins_again)
{
    stage s = set(text, 2);
    double least = 0.0, off = 0.0, taken = 0.0;
    for (int k = 1; k <= looks; ++k) {
        sherd_error error;
        go(&s, end * k / looks);
        cr_assert(eq(int, (int)sherd_world_check(s.world, &error), SHERD_OK), "%s", error.what);
        sherd_energy e = sherd_world_energy(s.world);
        double present = e.kinetic + e.elastic + e.contact + e.dissipated_softening;
        least = fmin(least, e.dissipated_integration);
        off = fmax(off, fabs(e.balance_error) * present);
        cr_assert(e.dissipated_softening > taken - 1e-4 * TAKEN);
        taken = e.dissipated_softening;
    }
    cr_log_info("integration from %g, off by %g, softening %g of G_f; %zu joined again",
                least / TAKEN, off / TAKEN, taken / TAKEN, glues_of(&s)->rejoined);
    cr_assert(eq(i64, sherd_world_body_glue(s.world, 0).broken, sherd_world_glue_count(s.world)));
    cr_assert(lt(dbl, -1e-3 * TAKEN, least));
    cr_assert(lt(dbl, off, 0.005 * TAKEN)); // explicit steps, of order dt
    cr_assert(epsilon_eq(dbl, taken, TAKEN, 1e-3 * TAKEN));
    cr_assert(eq(int, glues_of(&s)->rejoined > 0, joins_again));
    strike(&s);
}

Test(point_glue, softening_begins_without_energy)
{
    check_account(SOFT_OF("10 cm", "4 cm", "1 cm", SLOW), 0.65, 2000, false);
    check_account(SOFT("1 cm", THRICE), 0.9, 500, true);
}

// While it softens, after it joined again, and while it softens anew.
Test(point_glue, glue_that_joins_again_goes_on_bit_for_bit)
{
    static const int STOPS[] = {660, 900, 1270};
    const char *text = SOFT("1 cm", THRICE);
    check_resumed(text, 0.42, STOPS, SANITIZED ? 1 : 3);
    stage one = set(text, 1), three = set(text, 3);
    go(&one, 0.42), go(&three, 0.42);
    cr_assert(eq(u64, sherd_world_state_hash(three.world), sherd_world_state_hash(one.world)));
    cr_assert(lt(sz, 0, glues_of(&one)->rejoined));
    strike(&one), strike(&three);
}

static void expect(const char *text, const char *where, const char *what)
{
    sherd_diagnostics d = {0};
    sherd_scene *scene = parse(text, &d);
    cr_assert(scene == NULL && d.count > 0);
    bool found = false;
    for (int k = 0; k < d.count; ++k)
        found = found || (strstr(d.errors[k].where, where) != NULL &&
                          strstr(d.errors[k].what, what) != NULL);
    cr_assert(found, "%s: %s", d.errors[0].where, d.errors[0].what);
    sherd_diagnostics_free(&d);
}

Test(point_glue, scenes_that_make_no_sense_are_refused)
{
    expect(BLOCK(PIECES("{tensile_strength: 1 MPa}")), "fracture.glue", "shear_strength");
    expect(BLOCK(",\n     fracture: {pieces: {voronoi: {size: 5 cm}}}"), "fracture", "glue");
    expect(BLOCK(",\n     fracture: {pieces: {noise: {size: 5 cm}}, glue: {tensile_strength: 1, "
                 "shear_strength: 1}}"),
           "fracture.pieces", "noise");
    expect(BLOCK(PIECES("{tensile_strength: -1, shear_strength: 1}")), "tensile_strength", "");
    expect("materials:\n  glass: {density: 1000, youngs_modulus: 1 MPa, shear_modulus: 0.4 MPa, "
           "tensile_strength: 1 kPa, shear_strength: 1 kPa}\n"
           "bodies:\n  - {name: b, shape: {box: [1, 1, 1]}, packing: {hcp: {radius: 10 cm}}, "
           "material: glass" PIECES("{tensile_strength: 1, shear_strength: 1}") "}\n",
           "fracture", "material points");
}

// ---------------------------------------------------------------- tears

// A soft bar of twenty by four by four points without glue, whose ends are pulled at 2 m/s each: it tears at both regions.
#define PULLED_BODIES                                                                              \
    "gravity: [0, 0, 0]\nbodies:\n"                                                                \
    "  - {name: bar, shape: {box: [20 cm, 4 cm, 4 cm]}, packing: {points: {spacing: 1 cm}}, "      \
    "material: soft}\n"
#define PULLED_DRIVERS                                                                             \
    "drivers:\n"                                                                                   \
    "  - {name: left, body: bar, region: {box: [3 cm, 6 cm, 6 cm], position: [-9 cm, 0, 0]}, "     \
    "motion: {velocity: [-2, 0, 0]}}\n"                                                            \
    "  - {name: right, body: bar, region: {box: [3 cm, 6 cm, 6 cm], position: [9 cm, 0, 0]}, "     \
    "motion: {velocity: [2, 0, 0]}}\n"
#define PULLED                                                                                     \
    "materials:\n  soft: {density: 1000, youngs_modulus: 50 kPa, poissons_ratio: 0.3, "            \
    "model: neo_hookean}\n" PULLED_BODIES PULLED_DRIVERS
enum { SECTION = 16, PULLED_POINTS = 20 * SECTION }; // points across the bar, and in all
static const double NODES = 0.02;                    // their distance [m]

// The extent of a piece along the bar, posed, and its volume at rest.
typedef struct span {
    double low, high, volume;
} span;

static span span_of(const sherd_surface *surface, int piece, const sherd_surface_pose *pose)
{
    const sherd_mesh *mesh = sherd_surface_get_piece(surface, piece).mesh;
    double *vertices = malloc(3 * (size_t)mesh->vertex_count * sizeof *vertices);
    span s = {INFINITY, -INFINITY, sherd_mesh_volume(mesh)};
    sherd_surface_pose_piece(surface, piece, pose, vertices, NULL);
    for (int32_t v = 0; v < mesh->vertex_count; ++v)
        s.low = fmin(s.low, vertices[3 * v]), s.high = fmax(s.high, vertices[3 * v]);
    free(vertices);
    return s;
}

// Surfaces of what tore: closed, of the body's volume, and no longer than the points that carry them.
static void check_torn_surface(const stage *s)
{
    sherd_error error;
    double rest[3][PULLED_POINTS], radius[PULLED_POINTS], mass[PULLED_POINTS];
    sherd_element_index first[PULLED_POINTS];
    for (sherd_element_index k = 0; k < PULLED_POINTS; ++k) {
        sherd_element_info e = sherd_world_element(s->world, k);
        rest[0][k] = e.rest.x, rest[1][k] = e.rest.y, rest[2][k] = e.rest.z;
        radius[k] = e.radius, mass[k] = e.mass;
    }
    sherd_world_components(s->world, first);
    sherd_fragment_input input = {
        .element_count = PULLED_POINTS, .mass = mass, .radius = radius, .component = first};
    sherd_fragments *fragments = sherd_fragments_create(&error);
    cr_assert(eq(int, (int)sherd_fragments_update(fragments, &input, &error), SHERD_OK));
    sherd_fragment_view view = sherd_fragments_view(fragments);
    cr_assert(eq(int, view.count, 3));
    const sherd_surface_body body = {.shape = s->scene->bodies[0].shape, .count = PULLED_POINTS};
    sherd_surface_def def = sherd_surface_def_default();
    def.body_count = 1, def.bodies = &body, def.element_count = PULLED_POINTS, def.threads = 2;
    def.rest_x = rest[0], def.rest_y = rest[1], def.rest_z = rest[2], def.radius = radius;
    sherd_surface *surface = sherd_surface_create(&def, &error);
    cr_assert(surface != NULL && sherd_surface_update(surface, &view, NULL, &error) == SHERD_OK);
    cr_assert(eq(int, sherd_surface_piece_count(surface), 3));
    cr_assert(
        eq(int, sherd_surface_fallbacks(surface), 0)); // each piece is checked for being closed
    sherd_element_view e = sherd_world_elements(s->world);
    const sherd_surface_pose pose = {e.x, e.y, e.z, e.qx, e.qy, e.qz, e.qw};
    double volume = 0.0;
    for (int piece = 0; piece < 3; ++piece) {
        span drawn = span_of(surface, piece, &pose), points = {INFINITY, -INFINITY, 0.0};
        sherd_fragment_id own = sherd_surface_get_piece(surface, piece).fragment;
        for (sherd_element_index k = 0; k < e.count; ++k) {
            if (view.element_fragment[k] != own) continue;
            points.low = fmin(points.low, e.x[k]), points.high = fmax(points.high, e.x[k]);
        }
        // Half a spacing beyond its points, and as much for their stretch.
        cr_assert(lt(dbl, points.low - 0.5 * NODES, drawn.low), "%g %g", points.low, drawn.low);
        cr_assert(lt(dbl, drawn.high, points.high + 0.5 * NODES), "%g %g", points.high, drawn.high);
        volume += drawn.volume;
    }
    cr_assert(epsilon_eq(dbl, volume, 0.2 * 0.04 * 0.04, 1e-9 * 0.2 * 0.04 * 0.04));
    sherd_surface_destroy(surface);
    sherd_fragments_destroy(fragments);
}

Test(point_glue, what_is_pulled_apart_without_glue_tears_into_fragments)
{
    stage s = set(PULLED, 2);
    go(&s, 0.03);
    cr_assert(eq(i64, sherd_world_torn_count(s.world), 0)); // drawn out to twice its length
    cr_assert(eq(int, count_fragments(&s), 1));
    go(&s, 0.08);
    // Two sections, all of them, and nothing else.
    cr_assert(eq(i64, sherd_world_torn_count(s.world), 2 * SECTION));
    cr_assert(eq(i64, sherd_world_body_glue(s.world, 0).torn, 2 * SECTION));
    cr_assert(eq(int, count_fragments(&s), 3));
    check_torn_surface(&s);
    strike(&s);
}

// A block of elements far away changes nothing but lengths of steps.
Test(point_glue, what_is_pulled_apart_tears_beside_elements_too)
{
    stage s =
        set("materials:\n"
            "  soft: {density: 1000, youngs_modulus: 50 kPa, poissons_ratio: 0.3,\n"
            "    model: neo_hookean}\n"
            "  wood: {density: 1000, youngs_modulus: 50 kPa, unbreakable: true}\n" PULLED_BODIES
            "  - {name: block, shape: {box: [4 cm, 4 cm, 4 cm]}, position: [0, 2, 0],\n"
            "     packing: {cubic: {radius: 1 cm}}, material: wood}\n" PULLED_DRIVERS,
            2);
    go(&s, 0.08);
    cr_assert(eq(i64, sherd_world_torn_count(s.world), 2 * SECTION));
    strike(&s);
}

Test(point_glue, tears_are_the_same_for_all_threads_and_after_resuming)
{
    stage whole = set(PULLED, 3), begun = set(PULLED, 1);
    go(&whole, 0.06), go(&begun, 0.06);
    int64_t torn = sherd_world_torn_count(begun.world);
    cr_assert(lt(i64, 0, torn));
    cr_assert(eq(u64, sherd_world_state_hash(begun.world), sherd_world_state_hash(whole.world)));
    stage resumed = restored(PULLED, 2, &begun);
    cr_assert(eq(i64, sherd_world_torn_count(resumed.world), torn));
    cr_assert(eq(int, count_fragments(&resumed), count_fragments(&whole)));
    go(&whole, 0.08), go(&resumed, 0.08);
    cr_assert(eq(i64, sherd_world_torn_count(resumed.world), sherd_world_torn_count(whole.world)));
    go_on_as(&whole, &resumed, 0.08);
    strike(&whole), strike(&begun);
}

// What lies apart from the start is one fragment until something tears, and then as well but for what tore.
Test(point_glue, parts_of_a_body_that_never_touched_stay_one_fragment)
{
    stage s = set("gravity: [0, 0, 0]\nmaterials:\n  soft: {density: 1000, youngs_modulus: 50 kPa, "
                  "poissons_ratio: 0.3, model: neo_hookean}\nbodies:\n  - name: bar\n"
                  "    shape: {union: [{box: [20 cm, 4 cm, 4 cm]}, {box: [4 cm, 4 cm, 4 cm], "
                  "position: [0, 10 cm, 0]}]}\n"
                  "    packing: {points: {spacing: 1 cm}}\n    material: soft\ndrivers:\n"
                  "  - {name: left, region: {box: [3 cm, 6 cm, 6 cm], position: [-9 cm, 0, 0]}, "
                  "motion: {velocity: [-2, 0, 0]}}\n"
                  "  - {name: right, region: {box: [3 cm, 6 cm, 6 cm], position: [9 cm, 0, 0]}, "
                  "motion: {velocity: [2, 0, 0]}}\n",
                  2);
    go(&s, 0.02);
    cr_assert(eq(int, count_fragments(&s), 1));
    go(&s, 0.08);
    cr_assert(eq(i64, sherd_world_torn_count(s.world), 2 * SECTION));
    cr_assert(eq(int, count_fragments(&s), 3));
    strike(&s);
}

// ---------------------------------------------------------------- cracks that end inside

// A block with a slanted wall of glue, pulled open from its left edge: the crack stops half way.
#define PEELED                                                                                     \
    "materials:\n  soft: {density: 1000, youngs_modulus: 50 kPa, poissons_ratio: 0.3, "            \
    "model: neo_hookean}\ngravity: [0, 0, 0]\nbodies:\n"                                           \
    "  - {name: block, shape: {box: [20 cm, 4 cm, 16 cm]}, packing: {points: {spacing: 1 cm}}, "   \
    "material: soft,\n     fracture: {pieces: {cut: {plane: {point: [0, 0, 0], normal: "           \
    "[0.1, 0, 1]}}}, glue: {tensile_strength: 4 kPa, shear_strength: 40 kPa}}}\ndrivers:\n"        \
    "  - {name: up, region: {box: [4 cm, 6 cm, 4 cm], position: [-9 cm, 0, 8 cm]}, "               \
    "motion: {velocity: [0, 0, 0.25]}}\n"                                                          \
    "  - {name: down, region: {box: [4 cm, 6 cm, 4 cm], position: [-9 cm, 0, -8 cm]}, "            \
    "motion: {velocity: [0, 0, -0.25]}}\n"
enum { PEELED_POINTS = 20 * 4 * 16 };

static double mesh_area(const sherd_mesh *mesh, int32_t t)
{
    const double *a = mesh->vertices + 3 * mesh->triangles[3 * t],
                 *b = mesh->vertices + 3 * mesh->triangles[3 * t + 1],
                 *c = mesh->vertices + 3 * mesh->triangles[3 * t + 2];
    double u[3], v[3];
    for (int k = 0; k < 3; ++k)
        u[k] = b[k] - a[k], v[k] = c[k] - a[k];
    return 0.5 * hypot(hypot(u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2]),
                       u[0] * v[1] - u[1] * v[0]);
}

// How many times as long as at rest the most stretched edge of a mesh is, of those not shorter than `least`.
static double largest_stretch(const sherd_mesh *mesh, const double *now, double least)
{
    double most = 0.0;
    for (int32_t c = 0; c < 3 * mesh->triangle_count; ++c) {
        const double *a = mesh->vertices + 3 * mesh->triangles[c],
                     *b = mesh->vertices + 3 * mesh->triangles[c % 3 == 2 ? c - 2 : c + 1];
        const double *p = now + (a - mesh->vertices), *q = now + (b - mesh->vertices);
        double before = hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]),
               after = hypot(hypot(p[0] - q[0], p[1] - q[1]), p[2] - q[2]);
        if (before >= least) most = fmax(most, after / before);
    }
    return most;
}

// A mesh and its bones do not depend on the frames before.
static void check_same_when_it_grew(const sherd_surface_def *def, const sherd_fragment_view *view,
                                    const uint8_t *broken, const sherd_surface *at_once)
{
    sherd_error error;
    sherd_surface *grown = sherd_surface_create(def, &error);
    uint8_t some[PEELED_POINTS] = {0};
    const double parts[3] = {-0.07, -0.05, 1.0}; // up to there along the crack, three times [m]
    for (int k = 0; k < 3; ++k) {
        for (sherd_bond_index b = 0; b < def->bond_count; ++b)
            some[b] = broken[b] && def->rest_x[def->bond_i[b]] < parts[k];
        cr_assert(sherd_surface_update(grown, view, some, &error) == SHERD_OK);
    }
    sherd_surface_piece a = sherd_surface_get_piece(grown, 0),
                        b = sherd_surface_get_piece(at_once, 0);
    size_t n = (size_t)b.mesh->vertex_count, m = (size_t)b.mesh->triangle_count;
    cr_assert(a.mesh->vertex_count == b.mesh->vertex_count);
    cr_assert(a.mesh->triangle_count == b.mesh->triangle_count);
    cr_assert(memcmp(a.mesh->vertices, b.mesh->vertices, 3 * n * sizeof(double)) == 0);
    cr_assert(memcmp(a.mesh->triangles, b.mesh->triangles, 3 * m * sizeof(int32_t)) == 0);
    cr_assert(memcmp(a.bones, b.bones, SHERD_SURFACE_BONES * n * sizeof *a.bones) == 0);
    cr_assert(memcmp(a.weights, b.weights, SHERD_SURFACE_BONES * n * sizeof *a.weights) == 0);
    sherd_surface_destroy(grown);
}

// What a surface of the block is made of: one fragment, all glue as bonds.
typedef struct peeled {
    double rest[3][PEELED_POINTS], radius[PEELED_POINTS];
    sherd_fragment_id label[PEELED_POINTS];
    int32_t slot[PEELED_POINTS];
    sherd_element_index i[PEELED_POINTS], j[PEELED_POINTS];
    uint8_t broken[PEELED_POINTS], none[PEELED_POINTS];
    sherd_fragment whole;
    sherd_fragment_view view;
    sherd_surface_body body;
    sherd_surface_def def;
} peeled;

static peeled *describe_peeled(const stage *s)
{
    peeled *p = calloc(1, sizeof *p);
    for (sherd_element_index k = 0; k < PEELED_POINTS; ++k) {
        sherd_element_info e = sherd_world_element(s->world, k);
        p->rest[0][k] = e.rest.x, p->rest[1][k] = e.rest.y, p->rest[2][k] = e.rest.z;
        p->radius[k] = e.radius, p->label[k] = 1;
    }
    sherd_bond_index count = sherd_world_glue_count(s->world);
    cr_assert(lt(i64, count, PEELED_POINTS));
    sherd_glue_particle *list = list_glue(s);
    for (sherd_bond_index k = 0; k < count; ++k)
        p->i[k] = list[k].i, p->j[k] = list[k].j, p->broken[k] = list[k].broken;
    free(list);
    p->whole = (sherd_fragment){.id = 1, .count = PEELED_POINTS};
    p->view = (sherd_fragment_view){1, &p->whole, p->label, p->slot, 2};
    const sherd_fracture_def *fracture = &s->scene->bodies[0].fracture;
    p->body = (sherd_surface_body){.shape = s->scene->bodies[0].shape,
                                   .count = PEELED_POINTS,
                                   .wall_count = fracture->wall_count,
                                   .walls = fracture->walls};
    p->def = sherd_surface_def_default();
    p->def.body_count = 1, p->def.bodies = &p->body, p->def.element_count = PEELED_POINTS;
    p->def.rest_x = p->rest[0], p->def.rest_y = p->rest[1], p->def.rest_z = p->rest[2];
    p->def.radius = p->radius, p->def.threads = 2;
    p->def.bond_count = count, p->def.bond_i = p->i, p->def.bond_j = p->j;
    return p;
}

// The largest stretch of a surface of one piece, drawn with this glue broken.
static double stretch_drawn(const stage *s, sherd_surface *surface, const peeled *p,
                            const uint8_t *broken)
{
    sherd_error error;
    cr_assert(sherd_surface_update(surface, &p->view, broken, &error) == SHERD_OK);
    cr_assert(eq(int, sherd_surface_piece_count(surface), 1));
    cr_assert(eq(int, sherd_surface_fallbacks(surface), 0)); // it is checked for being closed
    const sherd_mesh *mesh = sherd_surface_get_piece(surface, 0).mesh;
    sherd_element_view e = sherd_world_elements(s->world);
    const sherd_surface_pose pose = {e.x, e.y, e.z, e.qx, e.qy, e.qz, e.qw};
    double *vertices = malloc(3 * (size_t)mesh->vertex_count * sizeof *vertices);
    sherd_surface_pose_piece(surface, 0, &pose, vertices, NULL);
    double stretch = largest_stretch(mesh, vertices, 1e-3);
    free(vertices);
    return stretch;
}

static double area_of_crack(const sherd_mesh *mesh)
{
    double area = 0.0;
    for (int32_t t = 0; t < mesh->triangle_count; ++t)
        if (mesh->face_kind[t] == SHERD_FACE_INNER) area += mesh_area(mesh, t);
    return area;
}

Test(point_glue, a_crack_that_ends_inside_a_fragment_is_drawn_open)
{
    stage s = set(PEELED, 2);
    go(&s, 0.12);
    sherd_body_glue glue = sherd_world_body_glue(s.world, 0);
    cr_assert(lt(i64, 20, glue.broken));
    cr_assert(lt(i64, glue.broken, glue.count - 20)); // it holds ahead of the crack
    cr_assert(eq(int, count_fragments(&s), 1));
    sherd_error error;
    peeled *p = describe_peeled(&s);
    sherd_surface *surface = sherd_surface_create(&p->def, &error);
    cr_assert(surface != NULL, "%s", error.what);
    double open = stretch_drawn(&s, surface, p, p->broken);
    const sherd_mesh *mesh = sherd_surface_get_piece(surface, 0).mesh;
    // Both sides of the crack, which ends between particles: each stands for a square centimetre.
    double area = 2e-4 * (double)glue.broken;
    cr_log_info("%g m^2 of crack for %lld particles", area_of_crack(mesh), (long long)glue.broken);
    cr_assert(epsilon_eq(dbl, area_of_crack(mesh), area, 0.2 * area));
    cr_assert(epsilon_eq(dbl, sherd_mesh_volume(mesh), 0.2 * 0.04 * 0.16, 1e-6)); // less its gap
    check_same_when_it_grew(&p->def, &p->view, p->broken, surface);
    // With all glue intact in the surface's eyes, the same points draw it out across the crack.
    double closed = stretch_drawn(&s, surface, p, p->none);
    cr_log_info("edges stretched %g times, %g times when closed", open, closed);
    cr_assert(lt(dbl, open, 3.0)); // the material itself at most twice
    cr_assert(lt(dbl, 2.0 * open, closed));
    sherd_surface_destroy(surface);
    free(p);
    strike(&s);
}

// At the rim of a body nodes have next to no mass and any velocity; what they then get is no energy.
Test(point_glue, energy_is_accounted_for_when_halves_go_apart)
{
    stage s =
        set("gravity: [0, 0, 0]\nsolver: {safety: 0.4}\n"
            "materials:\n  foam: {density: 100, youngs_modulus: 50 kPa, poissons_ratio: 0.2, "
            "model: corotated}\n"
            "bodies:\n  - name: bar\n    shape: {box: [4 cm, 4 cm, 20 cm]}\n"
            "    packing: {points: {spacing: 1 cm}}\n    material: foam\n    fracture:\n"
            "      pieces: {cut: {plane: {point: [0, 0, 0], normal: [0.3, 0, 1]}}}\n"
            "      glue: {tensile_strength: 2 kPa, shear_strength: 2 kPa}\n"
            "drivers:\n"
            "  - name: below\n    region: {box: [5 cm, 5 cm, 2 cm], position: [0, 0, -9 cm]}\n"
            "    motion: {table: [{time: 0 s}, {time: 40 ms, translation: [0, 0, -1 cm], "
            "rotation: [0, 0, 20 deg]}]}\n"
            "  - name: above\n    region: {box: [5 cm, 5 cm, 2 cm], position: [0, 0, 9 cm]}\n"
            "    motion: {table: [{time: 0 s}, {time: 40 ms, translation: [0, 0, 1 cm]}]}\n",
            2);
    double worst = worst_balance(&s, 0.04, 16);
    sherd_body_glue glue = sherd_world_body_glue(s.world, 0);
    cr_assert(eq(int, (int)glue.broken, (int)glue.count));
    cr_assert(lt(dbl, worst, 0.02), "%g", worst); // explicit steps, of order dt
    strike(&s);
}

// Drivers whose regions reach to within half a cell of the glue, on both of its sides: what they hold moves what is glued to
// it, and both share what nodes between them get.
Test(point_glue, drivers_hold_what_is_glued_to_their_regions)
{
    stage s =
        set("gravity: [0, 0, 0]\nsolver: {safety: 0.4}\n"
            "materials:\n  foam: {density: 100, youngs_modulus: 50 kPa, poissons_ratio: 0.2, "
            "model: corotated}\n"
            "bodies:\n  - name: bar\n    shape: {box: [4 cm, 4 cm, 12 cm]}\n"
            "    packing: {points: {spacing: 1 cm}}\n    material: foam\n    fracture:\n"
            "      pieces: {cut: {plane: {point: [0, 0, 0], normal: [0.3, 0, 1]}}}\n"
            "      glue: {tensile_strength: 20 kPa, shear_strength: 20 kPa}\n"
            "drivers:\n"
            "  - name: below\n    region: {box: [5 cm, 5 cm, 5 cm], position: [0, 0, -4 cm]}\n"
            "    motion: {table: [{time: 0 s}, {time: 40 ms, translation: [0, 0, -5 mm], "
            "rotation: [0, 0, 20 deg]}]}\n"
            "  - name: above\n    region: {box: [5 cm, 5 cm, 5 cm], position: [0, 0, 4 cm]}\n"
            "    motion: {table: [{time: 0 s}, {time: 40 ms, translation: [0, 0, 5 mm]}]}\n",
            2);
    double worst = worst_balance(&s, 0.04, 4);
    cr_assert(lt(dbl, 1e-3, sherd_world_energy(s.world).elastic));
    cr_assert(eq(int, (int)sherd_world_body_glue(s.world, 0).broken, 0));
    cr_assert(lt(dbl, worst, 0.005), "%g", worst); // it was 1.2
    sherd_vec3 a = sherd_world_probe_driver(s.world, s.build.driver_ids[0]).force,
               b = sherd_world_probe_driver(s.world, s.build.driver_ids[1]).force;
    cr_assert(lt(dbl, fabs(a.z + b.z), 0.01 * fabs(a.z)), "%g and %g", a.z, b.z); // at rest within
    strike(&s);
}

// Phase fields and Cam clay in worlds: the same bits for all threads and after resuming, fragments by damage, energy.
#include "sanitized.h"
#include "scene_stage.h"

#include <stdlib.h>

// A bar with damage of its own points, one with a field of it, and a ball of clay fall onto a floor.
static const char *const FALL =
    "materials:\n"
    "  own: {density: 1000, youngs_modulus: 1 MPa, poissons_ratio: 0.3, model: phase_field,\n"
    "        tensile_strength: 20 kPa}\n"
    "  field: {density: 1000, youngs_modulus: 1 MPa, poissons_ratio: 0.3, model: phase_field,\n"
    "          fracture_energy: 2, damage_length: 1 cm, damage_time: 1 ms}\n"
    "  clay: {density: 1000, youngs_modulus: 1 MPa, poissons_ratio: 0.3, model: nacc,\n"
    "         friction_angle: 45 deg, initial_compaction: 0.005}\n"
    "bodies:\n"
    "  - {name: a, shape: {box: [16 cm, 4 cm, 4 cm]}, packing: {points: {spacing: 1 cm}},\n"
    "     material: own, position: [0, 0, 6 cm], rotation: [0, 25 deg, 0], velocity: [0, 0, -3]}\n"
    "  - {name: b, shape: {box: [16 cm, 4 cm, 4 cm]}, packing: {points: {spacing: 1 cm}},\n"
    "     material: field, position: [0, 12 cm, 6 cm], rotation: [0, 25 deg, 0],\n"
    "     velocity: [0, 0, -3]}\n"
    "  - {name: c, shape: {box: [5 cm, 5 cm, 5 cm]}, packing: {points: {spacing: 1 cm}},\n"
    "     material: clay, position: [0, -12 cm, 4 cm], velocity: [0, 0, -3]}\n"
    "obstacles:\n"
    "  - {name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}}\n";

static uint64_t fall(int threads, double *balance, sherd_energy *energy)
{
    stage s = set(FALL, threads);
    *balance = worst_balance(&s, 0.03, 3);
    *energy = sherd_world_energy(s.world);
    uint64_t hash = sherd_world_state_hash(s.world);
    strike(&s);
    return hash;
}

Test(point_damage, the_same_bits_for_all_threads)
{
    double balance;
    sherd_energy energy;
    uint64_t one = fall(1, &balance, &energy);
    cr_assert(lt(dbl, balance, 0.01), "%g", balance);     // as of other bodies of points
    cr_assert(lt(dbl, 1e-3, energy.dissipated_fracture)); // of 1.3 J that are kinetic at first
    cr_assert(lt(dbl, 1e-3, energy.dissipated_plastic));
    cr_assert(eq(u64, fall(3, &balance, &energy), one));
}

Test(point_damage, a_resumed_world_goes_on_bit_for_bit)
{
    static const int STOP = 31;
    check_resumed(FALL, 0.03, &STOP, 1);
}

static const char *const PULL =
    "materials:\n"
    "  bar: {density: 1000, youngs_modulus: 1 MPa, poissons_ratio: 0, model: phase_field,\n"
    "        tensile_strength: 10 kPa}\n"
    "bodies:\n"
    "  - {name: bar, shape: {box: [32 cm, 4 cm, 4 cm]}, packing: {points: {spacing: 1 cm}},\n"
    "     material: bar}\n"
    "drivers:\n"
    "  - {name: left, body: bar, region: {box: [4 cm, 9 cm, 9 cm], position: [-16 cm, 0, 0]},\n"
    "     motion: {velocity: [-0.05, 0, 0]}}\n"
    "  - {name: right, body: bar, region: {box: [4 cm, 9 cm, 9 cm], position: [16 cm, 0, 0]},\n"
    "     motion: {velocity: [0.05, 0, 0]}}\n"
    "gravity: [0, 0, 0]\n";

static double force_on(const stage *s)
{
    double force = fabs(sherd_world_probe_driver(s->world, s->build.driver_ids[1]).force.x);
    sherd_world_reset_probes(s->world);
    return force;
}

// A bar drawn apart carries its strength times its section, then parts: its ends are fragments, and what broke is crumbs.
Test(point_damage, a_bar_carries_its_strength_and_parts)
{
    stage s = set(PULL, 1);
    double most = 0.0;
    for (int k = 0; k < 60; ++k) {
        go(&s, 1e-3 * (k + 1));
        most = fmax(most, force_on(&s));
    }
    // waves of the start
    cr_assert(epsilon_eq(dbl, most, 10e3 * 16e-4, 0.1 * 16.0), "%g N", most);
    sherd_element_view view = sherd_world_elements(s.world);
    sherd_element_index *first = malloc((size_t)view.count * sizeof *first);
    sherd_world_components(s.world, first);
    int left = -1, right = -1, crumbs = 0;
    for (int k = 0; k < view.count; ++k) {
        if (view.x[k] < -0.14) left = first[k];
        if (view.x[k] > 0.14) right = first[k];
    }
    for (int k = 0; k < view.count; ++k) {
        bool alone = first[k] == k && k != left && k != right;
        crumbs += alone;
    }
    cr_assert(ne(int, left, right));
    cr_assert(le(int, 16, crumbs), "%d", crumbs); // a layer at least
    free(first);
    strike(&s);
}

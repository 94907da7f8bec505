// Contacts that an implicit step opens by next to nothing, as its solver ends where it ends: what makes good the spin of
// fragments after the step must not press them together again, by more than their weight ever does.
#include "physics/scene_stage.h"

// A grain that rolls off a block of six, one of which stands on the floor by three elements: floor and block were thrown apart
// with ten times all energy there was, by shifts of 5 nm.
Test(opened_contacts, a_grain_rolls_off_a_small_block)
{
    stage s =
        set("materials:\n  m: {like: ceramic}\n"
            "bodies:\n"
            "  - {name: b0, shape: {box: [0.882112 mm, 0.849468 mm, 0.70569 mm]},\n"
            "     packing: {hcp: {radius: 0.2 mm}}, material: m, position: [0, 0, 0.352845 mm]}\n"
            "  - {name: b1, shape: {box: [0.752493 mm, 0.631298 mm, 0.601994 mm]},\n"
            "     packing: {hcp: {radius: 0.2 mm}}, material: m, position: [0, 0, 1.00669 mm],\n"
            "     rotation: [0, 0, 18.6477 deg]}\n"
            "obstacles:\n"
            "  - {name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}}\n",
            1);
    double start = sherd_world_energy(s.world).kinetic, most = 0.0;
    for (int k = 1; k <= 40; ++k) {
        go(&s, 0.25e-3 * k);
        sherd_energy e = sherd_world_energy(s.world);
        most = fmax(most, e.kinetic + e.elastic + e.contact + e.gravity);
        cr_assert(lt(dbl, fabs(e.dissipated_onset), 1e-11), "%d: %g", k, e.dissipated_onset);
    }
    // What it has fallen by then is 1e-9 J.
    cr_assert(lt(dbl, most - start, 1e-12), "%g", most);
    strike(&s);
}

// What elements and bonds cost.
#include "physics/block.h"

// In the default precision, with all that is on by default.
static const double MAX_BYTES_PER_ELEMENT = 150.0, MAX_BYTES_PER_BOND = 24.0;

Test(memory, regular_packing)
{
    sherd_world *world = world_with((sherd_vec3){0, 0, 0}, 2);
    block b = block_default();
    b.size = (sherd_vec3){0.075, 0.075, 0.075};
    int elements = add_block(world, &b, NULL);
    sherd_error error;
    cr_assert(eq(int, sherd_world_set_time_step(world, 1e-9, &error), SHERD_OK));
    run_steps(world, 1);
    sherd_memory_use use = sherd_world_memory(world);
    double bond = (double)use.bonds / (double)sherd_world_bonds(world).count;
    double element = (double)use.elements / elements;
    cr_assert(elements > 50000);
    cr_assert(bond <= MAX_BYTES_PER_BOND, "%g bytes per bond", bond);
    cr_assert(element <= MAX_BYTES_PER_ELEMENT, "%g bytes per element", element);
    sherd_world_destroy(world);
}

// How many bonds the smallest section of a body has: what a cascade of breaks is a share of.
#include "world/section.h"

#include "physics/block.h"

static block beam(double across, double radius)
{
    block b = block_default();
    b.size = (sherd_vec3){0.07, across, across};
    b.radius = radius;
    b.material.tensile_strength = 1e6;
    return b;
}

static double section_of(const block *a, const block *b)
{
    sherd_world *world = world_with((sherd_vec3){0, 0, 0}, 1);
    add_block(world, a, NULL);
    if (b != NULL) add_block(world, b, NULL);
    double bonds = sherd_world_smallest_section(world);
    sherd_world_destroy(world);
    return bonds;
}

Test(section, grows_with_the_number_of_elements_across)
{
    block b = beam(0.008, 1e-3), finer = beam(0.008, 0.5e-3), wider = beam(0.016, 1e-3);
    double bonds = section_of(&b, NULL);
    // Four layers of four to five elements, of which each is cut with half of its twelve bonds and less at the surface.
    cr_assert(all(lt(dbl, 45.0, bonds), lt(dbl, bonds, 60.0)));
    // Four times as many elements and fewer of them at the surface: 4.9 times.
    cr_assert(all(lt(dbl, 4.0 * bonds, section_of(&finer, NULL)),
                  lt(dbl, section_of(&finer, NULL), 5.5 * bonds)));
    cr_assert(all(lt(dbl, 4.0 * bonds, section_of(&wider, NULL)),
                  lt(dbl, section_of(&wider, NULL), 5.5 * bonds)));
}

// What CASCADE_SHARE in step_constants.h is a share of.
Test(section, of_the_beam_that_the_cascade_was_measured_on)
{
    block b = beam(0.0, 1e-3);
    b.size = (sherd_vec3){0.096, 0.010, 0.012};
    cr_assert(epsilon_eq(dbl, section_of(&b, NULL), 93.0, 0.5));
}

Test(section, is_that_of_the_smallest_body_that_can_break)
{
    block b = beam(0.008, 1e-3), wider = beam(0.016, 1e-3), tough = beam(0.004, 1e-3);
    tough.material.tensile_strength = tough.material.shear_strength = INFINITY;
    double bonds = section_of(&b, NULL);
    wider.pose.position.y = tough.pose.position.y = 0.1;
    cr_assert(epsilon_eq(dbl, section_of(&b, &wider), bonds, 1e-12 * bonds));
    cr_assert(epsilon_eq(dbl, section_of(&wider, &b), bonds, 1e-9 * bonds));
    cr_assert(epsilon_eq(dbl, section_of(&b, &tough), bonds, 1e-12 * bonds));
    cr_assert(eq(dbl, section_of(&tough, NULL), 0.0));
}

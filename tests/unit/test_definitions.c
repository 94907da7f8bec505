// Choices that are none are errors, never taken for the default.
#include "material/material.h"

#include <sherd/world.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

static sherd_world *empty_world(void)
{
    sherd_error error;
    sherd_world_def def = sherd_world_def_default();
    sherd_world *world = sherd_world_create(&def, &error);
    cr_assert(world != NULL, "%s", error.what);
    return world;
}

static void check_error(const sherd_error *error, const char *where)
{
    cr_assert(eq(int, error->status, SHERD_ERROR_INPUT));
    cr_assert(strstr(error->where, where) != NULL, "%s, not %s", error->where, where);
    cr_assert(error->what[0] != '\0' && error->hint[0] != '\0');
}

static void expect_no_material(const sherd_material_def *def, const char *where)
{
    sherd_error error = {0};
    cr_assert(sherd_material_def_check(def, &error) == SHERD_ERROR_INPUT);
    check_error(&error, where);
    sherd_world *world = empty_world();
    cr_assert(sherd_world_add_material(world, def, &error).index1 == 0);
    check_error(&error, where);
    sherd_world_destroy(world);
}

Test(definitions, laws_and_criteria_that_are_none)
{
    const int wrong[] = {-1, 77, 1 << 20};
    for (int k = 0; k < 3; ++k) {
        sherd_material_def def = sherd_material_def_default();
        def.name = "clay";
        def.law = (sherd_bond_law)wrong[k];
        expect_no_material(&def, "clay.law");
        def = sherd_material_def_default();
        def.breakage = (sherd_breakage)wrong[k];
        expect_no_material(&def, "material.breakage");
    }
    sherd_material_def def = sherd_material_def_default();
    sherd_error error;
    def.law = SHERD_BOND_LAW_ROD, def.breakage = SHERD_BREAKAGE_ROD; // the last of each
    cr_assert(sherd_material_def_check(&def, &error) == SHERD_OK);
}

Test(definitions, ways_of_bonding_and_driving_that_are_none)
{
    double x[] = {0.0, 2e-3}, y[] = {0.0, 0.0}, radius[] = {1e-3, 1e-3};
    sherd_error error = {0};
    sherd_world *world = empty_world();
    sherd_material_def material = sherd_material_def_default();
    sherd_body_def body = sherd_body_def_default();
    body.name = "pair";
    body.count = 2;
    body.x = x, body.y = y, body.z = y, body.radius = radius;
    body.material = sherd_world_add_material(world, &material, &error);
    body.bonding = (sherd_bonding)9;
    cr_assert(sherd_world_add_body(world, &body, &error).index1 == 0);
    check_error(&error, "pair");
    body.bonding = SHERD_BONDING_NEAR;
    sherd_driver_def driver = sherd_driver_def_default();
    driver.name = "grip";
    driver.region.body = sherd_world_add_body(world, &body, &error);
    cr_assert(driver.region.body.index1 != 0, "%s", error.what);
    driver.drive = (sherd_drive)9;
    cr_assert(sherd_world_add_driver(world, &driver, &error).index1 == 0);
    check_error(&error, "grip");
    sherd_world_destroy(world);
}

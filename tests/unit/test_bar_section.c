// Sections of shapes across a bar's axis, and bars that are too short, uneven or thick to be loaded.
#include "calibration/section.h"
#include "math/quat.h"
#include "math/vec3.h"

#include <sherd/body.h>
#include <sherd/calibrate.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <string.h>

static sherd_shape *turned(sherd_shape *shape, sherd_quat q)
{
    sherd_error error;
    shape = sherd_shape_placed(shape, (sherd_pose){{0.3, -0.1, 0.2}, q}, &error);
    cr_assert(shape != NULL, "%s", error.what);
    return shape;
}

// Some 30 squares lie across the shorter side here, and distances stand for how much of one is covered:
// second moments are within 0.5 % where sides are along the grid, and 1 % half a degree askew.
static void assert_near(double got, double wanted, double share)
{
    cr_assert(fabs(got / wanted - 1.0) < share, "%g, not %g", got, wanted);
}

Test(bar_section, a_box_askew_shows_its_sides_and_moments)
{
    sherd_error error;
    const sherd_quat turns[] = {SHERD_QUAT_IDENTITY,
                                quat_from_rotation_vector((sherd_vec3){0.7, -0.4, 0.9})};
    for (int k = 0; k < 2; ++k) {
        sherd_shape *box = turned(sherd_shape_box((sherd_vec3){1.0, 0.1, 0.2}, &error), turns[k]);
        sherd_vec3 along = quat_rotate(turns[k], (sherd_vec3){1.0, 0.0, 0.0});
        double at = vec3_dot(along, (sherd_vec3){0.3, -0.1, 0.2});
        sherd_section s;
        cr_assert(sherd_section_measure(box, along, at - 0.3, at + 0.3, &s));
        assert_near(s.area, 0.02, 0.005);
        assert_near(s.second[0], 0.1 * 0.008 / 12.0, 0.01);
        assert_near(s.second[1], 0.2 * 0.001 / 12.0, 0.01);
        cr_assert(s.unevenness < 1e-3);
        sherd_vec3 wide = quat_rotate(turns[k], (sherd_vec3){0.0, 0.0, 1.0});
        cr_assert(fabs(vec3_dot(wide, s.axis[1])) > cos(0.01), "the longer side comes first");
        sherd_shape_destroy(box);
    }
}

Test(bar_section, a_tube_is_hollow_and_a_cone_uneven)
{
    sherd_error error;
    sherd_shape *tube = sherd_shape_difference(sherd_shape_cylinder(0.1, 1.0, &error),
                                               sherd_shape_cylinder(0.06, 1.1, &error), &error);
    const sherd_vec2 profile[] = {{0.0, -0.5}, {0.1, -0.5}, {0.05, 0.5}, {0.0, 0.5}};
    sherd_shape *cone = sherd_shape_revolve(profile, 4, &error);
    sherd_vec3 along = {0.0, 0.0, 1.0};
    sherd_section s;
    cr_assert(sherd_section_measure(tube, along, -0.3, 0.3, &s));
    assert_near(s.area, M_PI * (0.01 - 0.0036), 0.01);
    assert_near(s.second[0], M_PI / 4.0 * (1e-4 - 0.1296e-4), 0.01);
    assert_near(s.second[1], s.second[0], 0.001);
    cr_assert(sherd_section_measure(cone, along, -0.3, 0.3, &s));
    cr_assert(s.unevenness > 0.2);
    bool found = sherd_section_measure(tube, along, 0.6, 0.9, &s);
    cr_assert(found == false, "nothing is there");
    sherd_shape_destroy(tube);
    sherd_shape_destroy(cone);
}

// A prism whose base of length b lies along x; it bends about its centroid, a third of the height h from it.
static void check_wedge(double b, double h)
{
    sherd_error error;
    const sherd_vec2 outline[] = {{-0.5 * b, 0.0}, {0.5 * b, 0.0}, {0.0, h}};
    sherd_shape *wedge = sherd_shape_extrude(outline, 3, 1.0, &error);
    cr_assert(wedge != NULL, "%s", error.what);
    sherd_section s;
    cr_assert(sherd_section_measure(wedge, (sherd_vec3){0.0, 0.0, 1.0}, -0.3, 0.3, &s));
    assert_near(s.area, 0.5 * b * h, 0.01);
    // Any of its sides may be that of the least rectangle: the sum is the same about all axes.
    assert_near(s.second[0] + s.second[1], b * b * b * h / 48.0 + b * h * h * h / 36.0, 0.02);
    sherd_shape_destroy(wedge);
}

Test(bar_section, a_wedge_bends_about_its_centroid)
{
    check_wedge(0.2, 0.1);
    check_wedge(0.1, 0.2);
}

// ---------------------------------------------------------------- what can be loaded

static sherd_body_stiffness_result load(sherd_vec3 size, double radius, int threads)
{
    sherd_error error;
    sherd_packing_def def = sherd_packing_def_default();
    def.radius = radius;
    def.orientation = SHERD_PACKING_ORIENT_AXES;
    sherd_shape *box = sherd_shape_box(size, &error);
    sherd_packing *packing = sherd_packing_create(box, &def, &error);
    cr_assert(packing != NULL, "%s", error.what);
    sherd_material_def bonds = sherd_material_def_default();
    bonds.youngs_modulus = 1e9, bonds.shear_modulus = 0.1e9;
    sherd_stiffness_task task = {.body = packing,
                                 .shape = box,
                                 .bonds = &bonds,
                                 .bond_reach = sherd_body_def_default().bond_reach,
                                 .youngs_modulus = 1e9,
                                 .threads = threads};
    sherd_body_stiffness_result result;
    cr_assert(sherd_calibration_stiffness(&task, &result, &error) == SHERD_OK, "%s", error.what);
    sherd_packing_destroy(packing);
    sherd_shape_destroy(box);
    return result;
}

// A close packing of bonds of G = E / 10 is some 1.2 times as stiff as its bonds (calibration finds 1.15
// from bars 16 radii thick); rows lie along x.
Test(bar_section, a_bar_is_loaded_along_its_longest_extent)
{
    sherd_body_stiffness_result one = load((sherd_vec3){0.06, 0.01, 0.01}, 1e-3, 1);
    sherd_body_stiffness_result many = load((sherd_vec3){0.06, 0.01, 0.01}, 1e-3, 3);
    cr_assert(one.reason == NULL, "%s", one.reason);
    cr_assert(fabs(one.axis[0].x) > 0.999);
    cr_assert(one.tension > 0.9 && one.tension < 1.4, "%g", one.tension);
    for (int a = 0; a < 2; ++a)
        cr_assert(one.bending[a] > 0.5 * one.tension && one.bending[a] < one.tension, "%g",
                  one.bending[a]);
    cr_assert(one.tension == many.tension && one.bending[0] == many.bending[0] &&
                  one.bending[1] == many.bending[1],
              "threads must not matter");
}

// Either way what the shape's own sides make of it: their moments of area differ by a factor of four.
Test(bar_section, a_flat_bar_is_as_stiff_either_way)
{
    sherd_body_stiffness_result flat = load((sherd_vec3){0.07, 0.016, 0.008}, 1e-3, 2);
    cr_assert(flat.reason == NULL, "%s", flat.reason);
    for (int a = 0; a < 2; ++a)
        cr_assert(flat.bending[a] > 0.5 * flat.tension && flat.bending[a] < flat.tension,
                  "%g, %g of %g", flat.bending[0], flat.bending[1], flat.tension);
}

// The scale of a body is nothing to its stiffness: 1e-6 is what elements' places are rounded to.
Test(bar_section, size_does_not_matter)
{
    sherd_body_stiffness_result small = load((sherd_vec3){0.06, 0.01, 0.01}, 1e-3, 1);
    sherd_body_stiffness_result large = load((sherd_vec3){60.0, 10.0, 10.0}, 1.0, 1);
    assert_near(large.tension, small.tension, 1e-6);
    assert_near(large.bending[1], small.bending[1], 1e-6);
}

Test(bar_section, what_is_no_bar_is_told)
{
    cr_assert(strstr(load((sherd_vec3){0.02, 0.02, 0.02}, 1e-3, 1).reason, "twice as long") !=
              NULL);
    cr_assert(strstr(load((sherd_vec3){0.25, 0.1, 0.1}, 1e-3, 1).reason, "too thick") != NULL);
}

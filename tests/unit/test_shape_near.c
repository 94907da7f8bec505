// Places where a ball touches a shape: as many as there are, none twice.
#include "geometry/shape/shape_contact_points.h"

#include "math/vec3.h"
#include "physics/concave_mesh.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

static const double ROOM = 0.1, WALL = 0.004;

Test(shape_near, convex_ones_are_touched_once)
{
    sherd_error error;
    const sherd_vec2 cone[] = {{0.0, 0.0}, {0.05, 0.1}, {0.0, 0.1}},
                     wedge[] = {{0.0, 0.0}, {0.05, 0.1}, {-0.1, 0.1}};
    sherd_shape *shapes[] = {sherd_shape_box((sherd_vec3){0.1, 0.2, 0.3}, &error),
                             sherd_shape_cylinder(0.1, 0.2, &error),
                             sherd_shape_revolve(cone, 3, &error),
                             moved(sherd_shape_extrude(wedge, 3, 0.2, &error), vec3(1, 0, 0)),
                             mesh_of(sherd_shape_box((sherd_vec3){0.1, 0.2, 0.3}, &error), 0.02),
                             mesh_of(sherd_shape_sphere(0.1, &error), 0.02)};
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; ++s) {
        cr_assert(eq(int, sherd_shape_max_near(shapes[s]), 1), "%zu", s);
        sherd_shape_destroy(shapes[s]);
    }
}

// Inside a room of irregular triangles: every wall that is near, once, at its distance; the outside of the walls,
// which is as near, never.
static void check_room(sherd_shape *room)
{
    cr_assert(eq(int, sherd_shape_max_near(room), SHERD_MAX_NEAR));
    uint32_t seed = 3;
    const double reach = 0.02;
    int seen[4] = {0};
    for (int k = 0; k < 20000; ++k) {
        double at[3], expected[3];
        int walls = 0;
        for (int a = 0; a < 3; ++a) {
            at[a] = ROOM * noise(&seed);
            expected[a] = 0.5 * ROOM - fabs(at[a]);
            walls += expected[a] < reach;
        }
        sherd_near_point places[SHERD_MAX_NEAR];
        int count = sherd_shape_near(room, vec3(at[0], at[1], at[2]), reach, places);
        if (walls == 0) continue;
        cr_assert(eq(int, count, walls), "at %g %g %g", at[0], at[1], at[2]);
        ++seen[walls];
        for (int n = 0; n < count; ++n) {
            const double normal[3] = {places[n].normal.x, places[n].normal.y, places[n].normal.z};
            int axis = fabs(normal[0]) > 0.5 ? 0 : fabs(normal[1]) > 0.5 ? 1 : 2;
            cr_assert(epsilon_eq(dbl, normal[axis], at[axis] < 0.0 ? 1.0 : -1.0, 1e-9));
            cr_assert(epsilon_eq(dbl, places[n].distance, expected[axis], 1e-14));
            cr_assert(n == 0 || places[n].distance >= places[n - 1].distance);
        }
    }
    cr_assert(seen[1] > 100 && seen[2] > 100 && seen[3] > 100);
    sherd_shape_destroy(room);
}

Test(shape_near, rooms_are_touched_once_by_each_wall)
{
    const sherd_vec3 size = {ROOM, ROOM, ROOM};
    sherd_error error;
    check_room(room_of(size, WALL, 0.007));
    check_room(cut_room(size, WALL));
    check_room(built_room(size, WALL, false));
    check_room(built_room(size, WALL, true));
    // A room in what was cut away and filled again.
    sherd_shape *box = sherd_shape_box((sherd_vec3){0.2, 0.2, 0.2}, &error),
                *out = sherd_shape_box((sherd_vec3){0.15, 0.15, 0.15}, &error);
    check_room(sherd_shape_union(sherd_shape_difference(box, out, &error),
                                 cut_room(size, 0.5 * (0.15 - ROOM)), &error));
    // Where a wall goes on behind another, and the same twice.
    check_room(sherd_shape_union(cut_room(size, WALL), built_room(size, 3.0 * WALL, true), &error));
}

// Above the ridge and the edges beside a groove there is one place, in the groove there are two.
static void check_groove(double half, double deep, sherd_shape *groove)
{
    const double reach = 0.02;
    uint32_t seed = 5;
    for (int k = 0; k < 2000; ++k) {
        // Within reach of both walls and less than 30 degrees off the middle.
        double up = 0.01 + 0.025 * (0.5 + noise(&seed)),
               aside = up * tan(half) * 0.9 * 2.0 * noise(&seed);
        double left = up * sin(half) + aside * cos(half),
               right = up * sin(half) - aside * cos(half);
        sherd_near_point places[SHERD_MAX_NEAR];
        int count = sherd_shape_near(groove, vec3(aside, up, 0.1 * noise(&seed)), reach, places);
        cr_assert(eq(int, count, (left < reach) + (right < reach)));
        if (count < 2) continue;
        cr_assert(epsilon_eq(dbl, places[0].distance, fmin(left, right), 1e-13));
        cr_assert(epsilon_eq(dbl, places[1].distance, fmax(left, right), 1e-13));
        cr_assert(
            epsilon_eq(dbl, places[0].normal.x * places[1].normal.x, -pow(cos(half), 2.0), 1e-9));
        // Above the edge between a wall and the top.
        double wide = deep * tan(half);
        count = sherd_shape_near(groove,
                                 vec3(wide + 0.01 * noise(&seed), deep + 0.005, 0.1 * noise(&seed)),
                                 reach, places);
        cr_assert(eq(int, count, 1));
    }
    sherd_shape_destroy(groove);
}

Test(shape_near, grooves_are_touched_twice)
{
    const double half = M_PI / 6.0, deep = 0.05;
    check_groove(half, deep, groove_of(half, deep, 0.008));
    check_groove(half, deep, extruded_groove(half, deep));
}

// ---------------------------------------------------------------- edges that a difference makes

// The distance from the nearest of many points of a surface, an upper bound.
static double distance_from_points(const sherd_mesh *points, sherd_vec3 p)
{
    double least = INFINITY;
    for (int32_t v = 0; v < points->vertex_count; ++v) {
        const double *x = points->vertices + 3 * v;
        least = fmin(least, vec3_distance(p, vec3(x[0], x[1], x[2])));
    }
    return least;
}

// Around what is left of a block: as far as the surface is, where the distance of shapes, larger of two, is less.
// Normals lead there.
static void check_rims(sherd_shape *block, int fewest_round)
{
    sherd_error error;
    const double edge = 0.002, reach = 0.03;
    sherd_mesh *points = sherd_shape_surface(block, edge, &error);
    cr_assert(points != NULL, "%s", error.what);
    uint32_t seed = 21;
    int round = 0;
    for (int k = 0; k < 1500; ++k) {
        sherd_vec3 p = vec3(0.24 * noise(&seed), 0.14 * noise(&seed), 0.02 + 0.06 * noise(&seed));
        double bound = sherd_shape_distance(block, p);
        if (!(bound > 0.002)) continue;
        sherd_near_point places[SHERD_MAX_NEAR];
        int count = sherd_shape_near(block, p, reach, places);
        double expected = distance_from_points(points, p);
        if (expected > reach - edge) continue;
        // Points are an edge apart, and off the surface by up to a tenth of that.
        double off = 0.1 * edge + (sqrt(expected * expected + 0.5 * edge * edge) - expected);
        cr_assert(epsilon_eq(dbl, places[0].distance, expected, off), "%g %g %g", p.x, p.y, p.z);
        round += places[0].distance > bound + 1e-4;
        for (int n = 0; n < count; ++n) {
            sherd_vec3 at = vec3_add_scaled(p, -places[n].distance, places[n].normal);
            cr_assert(epsilon_eq(dbl, sherd_shape_distance(block, at), 0.0, 1e-9));
        }
    }
    cr_assert(lt(int, fewest_round, round));
    sherd_mesh_destroy(points);
    sherd_shape_destroy(block);
}

Test(shape_near, rims_are_round)
{
    sherd_error error;
    const sherd_vec3 size = {0.2, 0.1, 0.06};
    sherd_shape *cuts[] = {
        moved(sherd_shape_box((sherd_vec3){0.05, 0.04, 0.05}, &error), vec3(-0.04, 0.0, 0.03)),
        moved(sherd_shape_cylinder(0.02, 0.2, &error), vec3(0.05, 0.0, 0.0))};
    check_rims(sherd_shape_difference(sherd_shape_box(size, &error),
                                      sherd_shape_union_of(cuts, 2, &error), &error),
               15);
    // A groove across, askew, with corners that stick out at both ends.
    sherd_shape *across = sherd_shape_placed(
        sherd_shape_box((sherd_vec3){0.06, 0.3, 0.05}, &error),
        (sherd_pose){{0.01, 0.0, 0.03}, {0.1, 0.05, 0.3, sqrt(1.0 - 0.1025)}}, &error);
    check_rims(sherd_shape_difference(sherd_shape_box(size, &error), across, &error), 15);
}

// Where what is cut away ends just in the surface that it is cut from, the distance of shapes sees a lid.
Test(shape_near, holes_as_deep_as_the_block_have_rims_and_no_lid)
{
    sherd_error error;
    const double deep = 0.04, wide = 0.015;
    const sherd_vec2 square[] = {{-wide, -wide}, {wide, -wide}, {wide, wide}, {-wide, wide}};
    sherd_shape *holes[] = {sherd_shape_cylinder(wide, deep, &error),
                            sherd_shape_box((sherd_vec3){2.0 * wide, 2.0 * wide, deep}, &error),
                            sherd_shape_extrude(square, 4, deep, &error)};
    for (int k = 0; k < 3; ++k) {
        sherd_shape *block = sherd_shape_difference(
            sherd_shape_box((sherd_vec3){0.1, 0.1, deep}, &error), holes[k], &error);
        sherd_near_point places[SHERD_MAX_NEAR];
        const double up = 0.004, aside = 0.003;
        int count = sherd_shape_near(block, vec3(aside, 0.0, 0.5 * deep + up), 0.02, places);
        cr_assert(lt(int, 1, count), "%d", k);
        cr_assert(epsilon_eq(dbl, places[0].distance, hypot(wide - aside, up), 1e-12), "%d", k);
        cr_assert(
            epsilon_eq(dbl, places[1].distance, hypot(k == 0 ? wide + aside : wide, up), 1e-12),
            "%d", k);
        sherd_shape_destroy(block);
    }
}

// What springs at all places push a ball of radius `reach` with, per stiffness.
static sherd_vec3 push_at(const sherd_shape *shape, sherd_vec3 p, double reach)
{
    sherd_near_point places[SHERD_MAX_NEAR];
    int count = sherd_shape_near(shape, p, 1.1 * reach, places);
    sherd_vec3 push = {0.0, 0.0, 0.0};
    for (int k = 0; k < count; ++k)
        push = vec3_add_scaled(push, fmax(reach - places[k].distance, 0.0), places[k].normal);
    return push;
}

// The same for all compilers, which evaluate arguments in orders of their own.
static sherd_vec3 anywhere(uint32_t *seed, double size)
{
    double z = size * noise(seed), y = size * noise(seed), x = size * noise(seed);
    return vec3(x, y, z);
}

// Wherever a ball goes that is not pressed in by more than a tenth, what pushes it does not jump: a place comes and goes
// where it is just touched. Of each of three springs, the length changes by what the ball moves, and the direction by
// that over the distance, times a tenth of it: 3 (1 + 1/9) of it together.
static void check_no_jumps(sherd_shape *shape, double size, int fewest)
{
    const double reach = 0.01, step = 1e-7;
    uint32_t seed = 33;
    int pressed = 0, several = 0;
    for (int k = 0; k < 40000; ++k) {
        sherd_vec3 p = anywhere(&seed, size), q = vec3_add(p, anywhere(&seed, step));
        sherd_near_point places[SHERD_MAX_NEAR];
        int count = sherd_shape_near(shape, p, reach, places);
        if (!(places[0].distance > 0.9 * reach && places[0].distance < reach)) continue;
        sherd_vec3 jump = vec3_sub(push_at(shape, p, reach), push_at(shape, q, reach));
        cr_assert(lt(dbl, vec3_length(jump), 4.0 * step), "%g of %g at %g %g %g", vec3_length(jump),
                  reach - places[0].distance, p.x, p.y, p.z);
        ++pressed, several += count > 1;
    }
    cr_assert(lt(int, 100, pressed));
    cr_assert(lt(int, fewest, several));
    sherd_shape_destroy(shape);
}

Test(shape_near, forces_do_not_jump)
{
    sherd_error error;
    check_no_jumps(extruded_groove(M_PI / 6.0, 0.02), 0.1, 0);
    check_no_jumps(cut_room((sherd_vec3){0.05, 0.05, 0.05}, 0.01), 0.1, 0);
    check_no_jumps(built_room((sherd_vec3){0.05, 0.05, 0.05}, 0.01, true), 0.1, 0);
    check_no_jumps(sherd_shape_torus(0.013, 0.008, &error), 0.03, 0);
    check_no_jumps(sherd_shape_text("AB8", NULL, 0.06, 0.02, &error), 0.12, 0);
    sherd_shape *cuts[] = {
        moved(sherd_shape_box((sherd_vec3){0.05, 0.04, 0.05}, &error), vec3(-0.02, 0.0, 0.03)),
        moved(sherd_shape_cylinder(0.02, 0.2, &error), vec3(0.02, 0.0, 0.0)),
        moved(sherd_shape_cylinder(0.007, 0.2, &error), vec3(0.02, 0.035, 0.0))};
    check_no_jumps(sherd_shape_difference(sherd_shape_box((sherd_vec3){0.1, 0.1, 0.06}, &error),
                                          sherd_shape_union_of(cuts, 3, &error), &error),
                   0.12, 0);
}

// Holes that end just in the surface, wide and narrow.
Test(shape_near, forces_do_not_jump_at_holes)
{
    sherd_error error;
    for (int k = 0; k < 4; ++k) {
        double wide = k % 2 == 0 ? 0.0125 : 0.006;
        sherd_shape *holes[3];
        for (int h = 0; h < 3; ++h)
            holes[h] = moved(sherd_shape_cylinder(wide, 0.02, &error), vec3(0.05 * (h - 1), 0, 0));
        sherd_shape *block = sherd_shape_box((sherd_vec3){0.2, 0.2, 0.02}, &error);
        sherd_shape *cut = k < 2 ? sherd_shape_union_of(holes, 3, &error) : holes[1];
        if (k >= 2) sherd_shape_destroy(holes[0]), sherd_shape_destroy(holes[2]);
        check_no_jumps(sherd_shape_difference(block, cut, &error), 0.045, -1);
    }
}

// From within the solid there is no telling which way is out but by the nearest place.
Test(shape_near, from_inside_there_is_one)
{
    sherd_shape *room = room_of((sherd_vec3){ROOM, ROOM, ROOM}, WALL, 0.02);
    sherd_near_point places[SHERD_MAX_NEAR];
    cr_assert(eq(int, sherd_shape_near(room, vec3(0.051, 0.052, 0.0512), 0.02, places), 1));
    cr_assert(lt(dbl, places[0].distance, 0.0));
    sherd_shape_destroy(room);
}

// Where it is said to be smooth there is one place at most, around too; and it is said of most of a wall.
Test(shape_near, smooth_patches_have_one_place)
{
    sherd_shape *shapes[] = {room_of((sherd_vec3){ROOM, ROOM, ROOM}, WALL, 0.007),
                             groove_of(M_PI / 6.0, 0.05, 0.008)};
    uint32_t seed = 9;
    const double reach = 0.011, around = 0.004;
    for (int s = 0; s < 2; ++s) {
        int smooth = 0;
        for (int k = 0; k < 20000; ++k) {
            sherd_vec3 p = vec3(ROOM * noise(&seed), ROOM * noise(&seed), ROOM * noise(&seed));
            if (!sherd_shape_is_smooth(shapes[s], p, reach, around)) continue;
            ++smooth;
            const double side = around / sqrt(3.0);
            p = vec3_add(p, vec3(2.0 * side * noise(&seed), 2.0 * side * noise(&seed),
                                 2.0 * side * noise(&seed)));
            sherd_near_point places[SHERD_MAX_NEAR];
            cr_assert(eq(int, sherd_shape_near(shapes[s], p, reach, places), 1));
        }
        cr_assert(lt(int, 4000, smooth));
        sherd_shape_destroy(shapes[s]);
    }
    sherd_shape *room = room_of((sherd_vec3){ROOM, ROOM, ROOM}, WALL, 0.007);
    cr_assert(sherd_shape_is_smooth(room, vec3(0.01, 0.0, 0.01 - 0.5 * ROOM), reach, around));
    cr_assert(eq(int,
                 sherd_shape_is_smooth(room, vec3(0.038, 0.0, 0.01 - 0.5 * ROOM), reach, around),
                 false));
    sherd_shape_destroy(room);
}

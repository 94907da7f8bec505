// output: where elements go while a shutter is open, and where an automatic camera looks.
#include "output/pictures/camera_auto.h"
#include "output/pictures/motion_blur.h"

#include "math/quat.h"
#include "math/vec3.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

enum { COUNT = 9 };

// Eight elements that turn and fly as one, at corners of a box, and one that flies alone.
Test(motion_blur, fragments_go_on_as_they_turn_and_fly)
{
    double n[13][COUNT], mass[COUNT];
    int32_t slot[COUNT];
    sherd_vec3 middle = vec3(3.0, -1.0, 2.0), velocity = vec3(1.0, 2.0, -0.5),
               spin = vec3(2, -1, 3);
    for (int k = 0; k < COUNT; ++k) {
        sherd_vec3 r = vec3(k & 1 ? 1.0 : -1.0, k & 2 ? 0.5 : -0.5, k & 4 ? 0.3 : -0.3);
        sherd_vec3 p = k == 8 ? vec3(9.0, 9.0, 9.0) : vec3_add(middle, r);
        sherd_vec3 v = k == 8 ? vec3(0.0, 5.0, 0.0) : vec3_add(velocity, vec3_cross(spin, r));
        const double all[10] = {p.x, p.y, p.z, 0.0, 0.0, 0.0, 1.0, v.x, v.y, v.z};
        for (int c = 0; c < 10; ++c)
            n[c][k] = all[c];
        mass[k] = 2.0;
        slot[k] = k == 8;
    }
    sherd_run_model model = {.element_count = COUNT, .mass = mass};
    sherd_run_frame frame = {.x = n[0],
                             .y = n[1],
                             .z = n[2],
                             .qx = n[3],
                             .qy = n[4],
                             .qz = n[5],
                             .qw = n[6],
                             .vx = n[7],
                             .vy = n[8],
                             .vz = n[9]};
    sherd_fragment_view fragments = {.count = 2, .element_slot = slot};
    sherd_moved_elements moved;
    const double later = 0.3;
    sherd_error error = {0};
    cr_assert(sherd_moved_elements_make(&moved, &model, &frame, &fragments, later, &error) ==
              SHERD_OK);
    sherd_quat turn = quat_from_rotation_vector(vec3_scale(later, spin));
    for (int k = 0; k < COUNT; ++k) {
        sherd_vec3 r = vec3_sub(vec3(n[0][k], n[1][k], n[2][k]), middle);
        sherd_vec3 expected =
            k == 8 ? vec3(9.0, 9.0 + 5.0 * later, 9.0)
                   : vec3_add(vec3_add_scaled(middle, later, velocity), quat_rotate(turn, r));
        sherd_vec3 p = vec3(moved.pose.x[k], moved.pose.y[k], moved.pose.z[k]);
        cr_assert(vec3_distance(p, expected) < 1e-12, "element %d", k);
        sherd_quat q = {moved.pose.qx[k], moved.pose.qy[k], moved.pose.qz[k], moved.pose.qw[k]};
        double same = quat_dot(q, k == 8 ? quat(0, 0, 0, 1) : turn);
        cr_assert(epsilon_eq(dbl, same, 1.0, 1e-12), "element %d", k);
    }
    sherd_moved_elements_release(&moved);
}

// An automatic camera sees a body that flies, the press that comes down on it, and of a table what is near.
Test(camera_auto, sees_what_moves_and_what_it_meets)
{
    double n[3] = {0.0, 0.0, 0.0}, radius[1] = {1.0};
    sherd_body_info info = {.first = 0, .count = 1};
    sherd_run_model model = {
        .element_count = 1, .radius = radius, .body_count = 1, .bodies = &info};
    sherd_pose poses[2] = {{{0.0, 0.0, 1.0}, {0.0, 0.0, 0.0, 1.0}},
                           {{0.0, 0.0, -1.0}, {0.0, 0.0, 0.0, 1.0}}};
    sherd_run_frame frame = {.x = &n[0], .y = &n[1], .z = &n[2], .obstacles = poses};
    double press_corners[6] = {-1.0, -1.0, 9.0, 1.0, 1.0, 9.5},
           table_corners[6] = {-50.0, -50.0, -0.5, 50.0, 50.0, 0.0};
    sherd_mesh press = {.vertex_count = 2, .vertices = press_corners},
               table = {.vertex_count = 2, .vertices = table_corners};
    sherd_mesh *meshes[2] = {&press, &table};
    sherd_scene_body body = {.velocity = {1.0, 0.0, 0.0}};
    sherd_scene_obstacle obstacles[2] = {
        {.def = {.kind = SHERD_OBSTACLE_DRIVEN, .motion = {.velocity = {0.0, 0.0, -1.0}}}},
        {.def = {.kind = SHERD_OBSTACLE_FIXED}}};
    sherd_scene scene = {.duration = 1.5,
                         .body_count = 1,
                         .bodies = &body,
                         .obstacle_count = 2,
                         .obstacles = obstacles};
    sherd_bounds b = sherd_camera_auto_bounds(&scene, &model, &frame, meshes);
    // The ball is 2 wide and flies 1.5 on: 3.5 in all, and what is 0.75 times that away still counts.
    const double near = 0.75 * 3.5;
    cr_assert_float_eq(b.low.x, -1.0 - near, 1e-12);
    cr_assert_float_eq(b.high.x, 2.5 + near, 1e-12);
    cr_assert_float_eq(b.low.z, -1.5, 1e-12);
    cr_assert_float_eq(b.high.z, 1.0, 1e-12); // the press stays at 8.5 and more
    scene.duration = 7.0;
    b = sherd_camera_auto_bounds(&scene, &model, &frame, meshes);
    // Now the body is followed on its course, and the press comes down to 3; what is near is measured by the body and one
    // width of its way, 4.
    cr_assert_float_eq(b.high.z, 1.0 + 0.75 * 4.0, 1e-12);
    cr_assert(b.high.x > 8.0, "%g", b.high.x);
}

// A tank in which a body of 2 by 2 by 2 lies is seen to its ends, three of them 1.5 sizes away, but on the side where it
// reaches farther than two: there as far as what is near, as a table is.
Test(camera_auto, sees_all_of_what_a_body_is_in)
{
    double zero[1] = {0.0}, radius[1] = {1.0};
    sherd_body_info info = {.first = 0, .count = 1};
    sherd_run_model model = {
        .element_count = 1, .radius = radius, .body_count = 1, .bodies = &info};
    sherd_pose poses[2] = {{{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0, 1.0}},
                           {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0, 1.0}}};
    sherd_run_frame frame = {.x = zero, .y = zero, .z = zero, .obstacles = poses};
    double tank_corners[6] = {-4.0, -4.0, -1.5, 4.0, 5.5, 3.0},
           post_corners[6] = {2.6, -1.0, -1.0, 3.0, 1.0, 1.0};
    sherd_mesh tank = {.vertex_count = 2, .vertices = tank_corners},
               post = {.vertex_count = 2, .vertices = post_corners};
    sherd_mesh *meshes[2] = {&tank, &post};
    sherd_scene_body body = {.name = "water"};
    sherd_scene_obstacle obstacles[2] = {{.def = {.kind = SHERD_OBSTACLE_FIXED}},
                                         {.def = {.kind = SHERD_OBSTACLE_FIXED}}};
    sherd_scene scene = {
        .body_count = 1, .bodies = &body, .obstacle_count = 2, .obstacles = obstacles};
    sherd_bounds b = sherd_camera_auto_bounds(&scene, &model, &frame, meshes);
    cr_assert_float_eq(b.low.x, -4.0, 1e-12);
    cr_assert_float_eq(b.low.y, -4.0, 1e-12);
    cr_assert_float_eq(b.low.z, -1.5, 1e-12);
    cr_assert_float_eq(b.high.x, 4.0, 1e-12);
    cr_assert_float_eq(b.high.y, 1.0 + 0.75 * 2.0, 1e-12);
    cr_assert_float_eq(b.high.z, 3.0, 1e-12);
    // What stays away is not looked for.
    scene.obstacles[0].visible = false, meshes[0] = NULL;
    b = sherd_camera_auto_bounds(&scene, &model, &frame, meshes);
    cr_assert_float_eq(b.high.x, 1.0, 1e-12);
}

// A driver moves one of two balls aside and back.
Test(camera_auto, sees_where_drivers_take_what_they_hold)
{
    double x[2] = {0.0, 8.0}, zero[2] = {0.0, 0.0}, radius[2] = {1.0, 1.0};
    sherd_body_info info[2] = {{.first = 0, .count = 1}, {.first = 1, .count = 1}};
    sherd_run_model model = {.element_count = 2, .radius = radius, .body_count = 2, .bodies = info};
    sherd_run_frame frame = {.x = x, .y = zero, .z = zero};
    const sherd_motion_key keys[3] = {
        {.time = 0.0}, {.time = 1.0, .translation = {0.0, 3.0, 0.0}}, {.time = 2.0}};
    sherd_scene_driver driver = {.body = 1, .def = sherd_driver_def_default()};
    driver.def.drive = SHERD_DRIVE_MOTION;
    driver.def.motion = (sherd_motion){.key_count = 3, .keys = keys};
    sherd_scene_body bodies[2] = {{.name = "still"}, {.name = "held"}};
    sherd_scene scene = {
        .duration = 2.0, .body_count = 2, .bodies = bodies, .driver_count = 1, .drivers = &driver};
    sherd_bounds b = sherd_camera_auto_bounds(&scene, &model, &frame, NULL);
    cr_assert_float_eq(b.high.y, 4.0, 1e-12);
    cr_assert_float_eq(b.low.y, -1.0, 1e-12);
    cr_assert_float_eq(b.high.x, 9.0, 1e-12);
    // All elements: the other ball is held, too. It is followed as far as both are wide, 10.
    driver.body = -1;
    driver.def.motion = (sherd_motion){.velocity = {-9.0, 0.0, 0.0}};
    b = sherd_camera_auto_bounds(&scene, &model, &frame, NULL);
    cr_assert_float_eq(b.low.x, -11.0, 1e-12);
    cr_assert_float_eq(b.high.y, 1.0, 1e-12);
}

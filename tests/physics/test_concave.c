// Elements in grooves, corners and on floors of mesh obstacles, which they touch in several places.
#include "physics/concave_rig.h"
#include "world/energy.h"

// ---------------------------------------------------------------- at rest

// Each wall pushes with N = m g / (2 sin a), and is pressed by N/k, k = E pi r: the ball's centre is (r - N/k)/sin a above
// where the walls meet.
static void check_groove(double half_angle, sherd_shape *groove, stepping by)
{
    sherd_world_def def = def_of(by, (sherd_vec3){0.0, -9.81, 0.0});
    sherd_world *world = create(&def);
    double up = RADIUS / sin(half_angle);
    add_ball(world, (sherd_vec3){0.0003, 1.1 * up, 0.003}, 0.0);
    sherd_obstacle_id id = add_shape(world, groove, (sherd_vec3){0});
    fall(world, by, 0.8);
    double push = 0.5 * weight_of_ball() / sin(half_angle),
           pressed = push / (YOUNG * M_PI * RADIUS);
    sherd_element_view e = sherd_world_elements(world);
    double expected = (RADIUS - pressed) / sin(half_angle);
    // A thousandth of how far it is pressed in.
    cr_assert(epsilon_eq(dbl, e.y[0], expected, 1e-3 * pressed), "%g by %d", half_angle, by.method);
    cr_assert(epsilon_eq(dbl, e.x[0], 0.0, 1e-3 * pressed), "%g by %d", half_angle, by.method);
    sherd_vec3 force = load_on(world, id);
    cr_assert(epsilon_eq(dbl, force.y, -weight_of_ball(), 1e-3 * weight_of_ball()));
    cr_assert(epsilon_eq(dbl, force.x, 0.0, 1e-3 * weight_of_ball()));
    cr_assert(lt(dbl, speed(world), 1e-4));
    sherd_world_destroy(world);
    sherd_shape_destroy(groove);
}

Test(concave, balls_rest_in_grooves)
{
    for (int w = 0; w < WAY_COUNT; ++w) {
        for (int k = 0; k < 2; ++k) {
            double half_angle = M_PI / (k == 0 ? 4.0 : 6.0);
            check_groove(half_angle, groove_of(half_angle, 0.05, 0.008), WAYS[w]);
            check_groove(half_angle, extruded_groove(half_angle, 0.05), WAYS[w]);
        }
    }
}

static void check_corner(double size, sherd_shape *room)
{
    const double g = 9.81 / sqrt(3.0);
    for (int w = 0; w < WAY_COUNT; ++w) {
        sherd_world_def def = def_of(WAYS[w], (sherd_vec3){-g, g, -g});
        sherd_world *world = create(&def);
        add_ball(world, (sherd_vec3){-0.026, 0.028, -0.027}, 0.0);
        add_shape(world, room, (sherd_vec3){0});
        fall(world, WAYS[w], 0.8);
        double pressed = weight_of_ball() / sqrt(3.0) / (YOUNG * M_PI * RADIUS),
               place = 0.5 * size - RADIUS + pressed;
        sherd_element_view e = sherd_world_elements(world);
        cr_assert(epsilon_eq(dbl, e.x[0], -place, 1e-3 * pressed), "%d", w);
        cr_assert(epsilon_eq(dbl, e.y[0], place, 1e-3 * pressed), "%d", w);
        cr_assert(epsilon_eq(dbl, e.z[0], -place, 1e-3 * pressed), "%d", w);
        cr_assert(lt(dbl, speed(world), 1e-4));
        sherd_world_destroy(world);
    }
    sherd_shape_destroy(room);
}

Test(concave, a_ball_rests_in_the_corner_of_a_room)
{
    const sherd_vec3 size = {0.08, 0.08, 0.08};
    check_corner(size.x, room_of(size, 0.004, 0.009));
    check_corner(size.x, cut_room(size, 0.004));
    check_corner(size.x, built_room(size, 0.004, false));
    check_corner(size.x, built_room(size, 0.004, true));
}

static void add_free(sherd_world *world, const sherd_shape *shape, double turned)
{
    sherd_error error;
    sherd_obstacle_def def = sherd_obstacle_def_default();
    def.kind = SHERD_OBSTACLE_FREE;
    def.shape = shape;
    def.density = 1000.0;
    def.friction = 0.0;
    def.pose.position = (sherd_vec3){0.0004, 0.023, 0.002};
    def.pose.rotation.z = sin(0.5 * turned), def.pose.rotation.w = cos(0.5 * turned);
    sherd_obstacle_id id = sherd_world_add_obstacle(world, &def, &error);
    cr_assert(id.index1 != 0, "%s", error.what);
}

// Without friction walls push across themselves only: that nothing is left sideways of the weight is both walls' doing.
// What is left of bouncing is below a hundredth.
static void check_free_body(const sherd_shape *body, double volume, double turned,
                            sherd_shape *groove)
{
    sherd_world_def def = def_of(WAYS[0], (sherd_vec3){0.0, -9.81, 0.0});
    sherd_world *world = create(&def);
    add_ball(world, (sherd_vec3){1.0, 0.0, 0.0}, 0.0); // falls past
    sherd_obstacle_id id = add_shape(world, groove, (sherd_vec3){0});
    add_free(world, body, turned);
    fall(world, WAYS[0], 0.5);
    sherd_vec3 force = load_on(world, id);
    double weight = 9.81 * 1000.0 * volume;
    cr_assert(epsilon_eq(dbl, force.y, -weight, 1e-2 * weight), "%g of %g", force.y, weight);
    cr_assert(epsilon_eq(dbl, force.x, 0.0, 1e-2 * weight), "%g of %g", force.x, weight);
    sherd_vec3 at = sherd_world_obstacle_pose(world, 1).position;
    cr_assert(epsilon_eq(dbl, at.x, 0.0, 1e-5), "%g", at.x);
    sherd_world_destroy(world);
    sherd_shape_destroy(groove);
}

// Points on a free body feel one place of a groove each; those that lie on either wall hold it.
Test(concave, free_bodies_rest_in_grooves)
{
    sherd_error error;
    const double size = 0.03;
    sherd_shape *cube = sherd_shape_box((sherd_vec3){size, size, size}, &error);
    sherd_shape *ball = sherd_shape_sphere(0.5 * size, &error);
    for (int mesh = 0; mesh < 2; ++mesh) {
        for (int k = 0; k < 2; ++k) {
            double half_angle = M_PI / 4.0;
            sherd_shape *groove =
                mesh ? groove_of(half_angle, 0.05, 0.008) : extruded_groove(half_angle, 0.05);
            if (k == 0)
                check_free_body(cube, pow(size, 3.0), M_PI / 4.0, groove);
            else
                check_free_body(ball, M_PI / 6.0 * pow(size, 3.0), 0.0, groove);
        }
    }
    sherd_shape_destroy(cube);
    sherd_shape_destroy(ball);
}

// ---------------------------------------------------------------- sliding

static sherd_world *sliding(stepping by, const sherd_shape *room)
{
    sherd_world_def def = def_of(by, (sherd_vec3){0.0, 0.0, -9.81});
    sherd_world *world = create(&def);
    block b = block_default();
    b.material = soft(0.3);
    b.radius = 0.002;
    b.size = (sherd_vec3){0.02, 0.016, 0.008};
    b.material.tensile_strength = b.material.shear_strength = INFINITY;
    b.pose.position = (sherd_vec3){-0.06, 0.0, 0.0042};
    b.velocity.x = 0.5;
    add_block(world, &b, NULL);
    if (room != NULL)
        add_shape(world, room, (sherd_vec3){0.0, 0.0, 0.03});
    else
        add_floor(world, NAN);
    return world;
}

// Over a floor of irregular triangles as over a plane.
Test(concave, blocks_slide_over_many_triangles_as_over_a_plane)
{
    sherd_shape *room = room_of((sherd_vec3){0.2, 0.06, 0.06}, 0.004, 0.0031);
    for (int w = 0; w < 2; ++w) {
        sherd_world *worlds[2] = {sliding(WAYS[w], room), sliding(WAYS[w], NULL)};
        double most = 0.0;
        for (int k = 0; k < 2; ++k)
            set_frame(worlds[k], WAYS[w], 0.005);
        for (int frame = 1; frame <= 20; ++frame) {
            for (int k = 0; k < 2; ++k)
                advance(worlds[k], 0.005 * frame);
            sherd_element_view a = sherd_world_elements(worlds[0]),
                               b = sherd_world_elements(worlds[1]);
            for (int k = 0; k < a.count; ++k)
                most = fmax(most, distance((sherd_vec3){a.x[k], a.y[k], a.z[k]},
                                           (sherd_vec3){b.x[k], b.y[k], b.z[k]}));
        }
        // It went several triangles far, and what rounding does to an elastic block that rubs is far below a bump.
        cr_assert(lt(dbl, -0.06 + 0.03, mean_of(worlds[0]).x));
        cr_assert(lt(dbl, most, 1e-6), "%g m by %d", most, w);
        sherd_world_destroy(worlds[0]);
        sherd_world_destroy(worlds[1]);
    }
    sherd_shape_destroy(room);
}

// ---------------------------------------------------------------- accounts, and the same bits

// Balls that fall into the corner of a room and on each other.
static sherd_world *tumbling(stepping by, int threads, const sherd_shape *room)
{
    sherd_error error;
    sherd_world_def def = def_of(by, (sherd_vec3){-3.0, 2.0, -9.81});
    def.threads = threads;
    sherd_world *world = create(&def);
    double x[40], y[40], z[40], r[40];
    uint32_t seed = 11;
    for (int k = 0; k < 40; ++k) {
        x[k] = 0.021 * (k % 3 - 1) + 0.002 * noise(&seed);
        y[k] = 0.021 * (k / 3 % 3 - 1) + 0.002 * noise(&seed);
        z[k] = -0.025 + 0.021 * (k / 9), r[k] = 0.008 + 0.003 * noise(&seed);
    }
    sherd_material_def m = soft(0.4);
    m.restitution = 0.7;
    sherd_body_def body = sherd_body_def_default();
    body.count = 40;
    body.x = x, body.y = y, body.z = z, body.radius = r;
    body.bonding = SHERD_BONDING_NONE;
    body.velocity = (sherd_vec3){-0.5, 0.7, -1.0};
    body.material = sherd_world_add_material(world, &m, &error);
    cr_assert(sherd_world_add_body(world, &body, &error).index1 != 0, "%s", error.what);
    add_shape(world, room, (sherd_vec3){0.0, 0.0, 0.01});
    return world;
}

Test(concave, energy_is_accounted_for)
{
    sherd_shape *room = room_of((sherd_vec3){0.08, 0.08, 0.11}, 0.004, 0.009);
    sherd_world *world = tumbling(EXPLICIT, 2, room);
    fall(world, EXPLICIT, 0.3);
    sherd_energy e = sherd_world_energy(world);
    cr_assert(lt(dbl, 0.1 * sherd_energy_largest(&e), e.dissipated_contact));
    // As of loose grains on planes.
    cr_assert(lt(dbl, fabs(e.balance_error), 2e-3));
    sherd_world_destroy(world);
    sherd_shape_destroy(room);
}

static uint64_t hash_after(stepping by, int threads, bool resume, const sherd_shape *room)
{
    sherd_world *world = tumbling(by, threads, room);
    fall(world, by, 0.06);
    if (resume) {
        sherd_error error;
        void *state;
        size_t size;
        cr_assert(eq(int, sherd_world_save(world, &state, &size, &error), SHERD_OK));
        sherd_world *other = tumbling(by, threads, room);
        cr_assert(eq(int, sherd_world_restore(other, state, size, &error), SHERD_OK), "%s",
                  error.what);
        sherd_world_free_state(state);
        sherd_world_destroy(world);
        world = other;
    }
    advance(world, 0.1);
    uint64_t hash = sherd_world_state_hash(world);
    sherd_world_destroy(world);
    return hash;
}

Test(concave, same_bits_for_any_number_of_threads_and_after_resume)
{
    sherd_shape *room = room_of((sherd_vec3){0.08, 0.08, 0.11}, 0.004, 0.009);
    for (int w = 0; w < WAY_COUNT; ++w) {
        uint64_t one = hash_after(WAYS[w], 1, false, room);
        cr_assert(eq(u64, one, hash_after(WAYS[w], 3, false, room)), "%d", w);
        cr_assert(eq(u64, one, hash_after(WAYS[w], 2, true, room)), "%d", w);
    }
    sherd_shape_destroy(room);
}

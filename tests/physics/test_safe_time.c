// Nothing passes through anything undetected in implicit steps, of chosen and of given length: free bodies and thin
// obstacles, fast motion within a step of a given length, parts of one body.
#include "methods.h"

static const stepping CHOSEN = {SHERD_METHOD_IMPLICIT, 0.0, SHERD_SCHEME_AUTO};
static const stepping GIVEN = {SHERD_METHOD_IMPLICIT, 50.0, SHERD_SCHEME_AUTO};

static sherd_material_def rubber(void)
{
    sherd_material_def material = sherd_material_def_default();
    material.density = 1000.0;
    material.youngs_modulus = 1e6;
    material.shear_modulus = 4e5;
    material.tensile_strength = material.shear_strength = 1e30;
    return material;
}

// ---------------------------------------------------------------- free bodies and thin obstacles

static const double THIN = 2e-4; // thickness of all of them [m]

typedef enum target { A_BOX, A_DISC, A_MESH, A_SHELL, A_UNION, TARGETS } target;

static sherd_shape *make(target what)
{
    sherd_error error;
    sherd_vec3 size = {0.02, 0.02, THIN};
    sherd_shape *box = sherd_shape_box(size, &error), *shape = box;
    if (what == A_DISC) shape = sherd_shape_cylinder(0.01, THIN, &error);
    if (what == A_SHELL)
        shape = sherd_shape_difference(sherd_shape_sphere(0.01, &error),
                                       sherd_shape_sphere(0.01 - THIN, &error), &error);
    // A part that is not thin, and far from where the plate is hit.
    if (what == A_UNION)
        return sherd_shape_union(
            box,
            sherd_shape_placed(sherd_shape_sphere(1e-3, &error),
                               (sherd_pose){{8e-3, 0.0, 0.0}, {0.0, 0.0, 0.0, 1.0}}, &error),
            &error);
    if (what == A_MESH) {
        sherd_mesh *mesh = sherd_shape_surface(box, 0.01, &error);
        shape = sherd_shape_mesh(mesh, &error);
        sherd_mesh_destroy(mesh);
    }
    if (shape != box) sherd_shape_destroy(box);
    cr_assert(shape != NULL, "%s", error.what);
    return shape;
}

typedef struct shot {
    double way, kinetic; // of the ball [m]; afterwards, against what it was
    double deepest;      // in the obstacle, in half of its thickness
} shot;

// A free ball of 2 mm at a fixed obstacle, and a block of elements elsewhere.
static shot shoot(stepping by, target what, double speed)
{
    sherd_error error;
    sherd_world *world = world_by(by, (sherd_vec3){0});
    block far = block_default();
    far.size = (sherd_vec3){0.004, 0.004, 0.004};
    far.material.youngs_modulus = 1e8;
    far.material.shear_modulus = 4e7;
    far.pose.position.x = 0.1;
    add_block(world, &far, NULL);
    sherd_shape *shape = make(what), *ball = sherd_shape_sphere(2e-3, &error);
    sherd_obstacle_def def = sherd_obstacle_def_default();
    def.shape = shape;
    def.restitution = 1.0;
    if (what == A_SHELL) def.pose.position.z = -0.01;
    cr_assert(sherd_world_add_obstacle(world, &def, &error).index1 != 0, "%s", error.what);
    def = sherd_obstacle_def_default();
    def.kind = SHERD_OBSTACLE_FREE;
    def.shape = ball;
    def.density = 2500.0;
    def.restitution = 1.0;
    def.pose.position = (sherd_vec3){3e-4, 2e-4, 4e-3};
    def.velocity.z = -speed;
    sherd_obstacle_id id = sherd_world_add_obstacle(world, &def, &error);
    cr_assert(id.index1 != 0, "%s", error.what);
    double before = 0.5 * def.density * sherd_shape_volume(ball) * speed * speed;
    set_frame(world, by, 0.014 / speed);
    advance(world, 0.014 / speed);
    sherd_energy after = sherd_world_energy(world);
    shot result = {sherd_world_probe_obstacle(world, id).displacement.z, after.kinetic / before,
                   sherd_world_split_steps(world).deepest};
    sherd_world_destroy(world);
    sherd_shape_destroy(shape);
    sherd_shape_destroy(ball);
    return result;
}

// At 1 m/s its springs stop the ball well before the middle of any of them: it rebounds, or, as implicit steps that
// are longer than the collision take its energy, lies there. Through, it would be at -14 mm.
static void check_stopped(stepping by)
{
    for (target what = A_BOX; what < TARGETS; ++what) {
        shot s = shoot(by, what, 1.0);
        cr_assert(lt(dbl, -2.5e-3, s.way), "target %d: %g m", what, s.way);
        cr_assert(lt(dbl, s.kinetic, 1.0), "target %d: %g", what, s.kinetic);
        cr_assert(lt(dbl, s.deepest, 1.0), "target %d: %g", what, s.deepest);
    }
}

Test(safe_time, a_free_ball_at_thin_obstacles_in_chosen_steps)
{
    check_stopped(CHOSEN);
}

Test(safe_time, a_free_ball_at_thin_obstacles_in_given_steps)
{
    check_stopped(GIVEN);
}

// No spring stops these: they pass, which is reported, and gain no more than a sixteenth of the springs' energy, which
// is a tenth of their energy at the lower speed.
Test(safe_time, passing_is_reported)
{
    const stepping by[] = {CHOSEN, GIVEN, EXPLICIT};
    const double speed[] = {30.0, 300.0};
    for (int k = 0; k < 6; ++k) {
        shot s = shoot(by[k % 3], A_BOX, speed[k / 3]);
        cr_assert(lt(dbl, s.way, -0.01), "%d: %g m", k, s.way);
        cr_assert(lt(dbl, 1.0, s.deepest), "%d: %g", k, s.deepest);
        cr_assert(lt(dbl, s.kinetic, 1.02), "%d: %g", k, s.kinetic);
    }
}

// ---------------------------------------------------------------- steps of a given length

static const double BALL = 0.003, REST = 5e-3, BLOW = 0.2e-3; // radius [m]; times [s]

// A plate that a driven ball goes through within one step of a given length.
static sherd_world *struck_plate(sherd_shape *ball, double limits)
{
    sherd_error error;
    sherd_world *world = world_by(euler(limits), (sherd_vec3){0});
    add_held_plate(world);
    const sherd_motion_key keys[] = {
        {.time = 0.0}, {.time = REST}, {.time = REST + BLOW, .translation = {0.0, 0.0, -0.02}}};
    sherd_obstacle_def def = sherd_obstacle_def_default();
    def.kind = SHERD_OBSTACLE_DRIVEN;
    def.shape = ball;
    def.pose.position = (sherd_vec3){0.002, 0.0, 0.01};
    def.motion.keys = keys;
    def.motion.key_count = 3;
    cr_assert(sherd_world_add_obstacle(world, &def, &error).index1 != 0, "%s", error.what);
    return world;
}

// A step that holds the whole blow is made in parts, and counted as one.
Test(safe_time, a_blow_within_a_given_step)
{
    sherd_error error;
    sherd_shape *ball = sherd_shape_sphere(BALL, &error);
    sherd_world *world = struck_plate(ball, 100.0);
    advance(world, REST);
    cr_assert(eq(int, (int)sherd_world_bonds(world).broken_count, 0));
    cr_assert(eq(long, (long)sherd_world_split_steps(world).steps, 0L));
    int64_t before = sherd_world_step_count(world);
    int64_t whole = (int64_t)ceil(BLOW / (100.0 * limit_of(world)));
    advance(world, REST + BLOW);
    cr_assert(lt(int, 3, (int)sherd_world_bonds(world).broken_count));
    cr_assert(eq(long, (long)(sherd_world_step_count(world) - before), (long)whole));
    // It goes 20 mm against elements of 1 mm, but for the way to the plate and from it.
    sherd_split_steps split = sherd_world_split_steps(world);
    cr_assert(lt(long, 5L, (long)split.parts));
    cr_assert(le(long, (long)split.steps, (long)whole));
    sherd_world_destroy(world);
    sherd_shape_destroy(ball);
}

// A world that is saved between such steps continues with the same bits.
Test(safe_time, given_steps_are_resumed)
{
    sherd_error error;
    sherd_shape *ball = sherd_shape_sphere(BALL, &error);
    sherd_world *one = struck_plate(ball, 20.0), *other = struck_plate(ball, 20.0);
    const double stop = REST + 0.5 * BLOW, end = REST + 1.2 * BLOW;
    advance(one, stop);
    void *state;
    size_t size;
    cr_assert(eq(int, sherd_world_save(one, &state, &size, &error), SHERD_OK));
    cr_assert(eq(int, sherd_world_restore(other, state, size, &error), SHERD_OK), "%s", error.what);
    sherd_world_free_state(state);
    advance(one, end);
    advance(other, end);
    cr_assert(lt(long, 0L, (long)sherd_world_split_steps(one).steps));
    cr_assert(eq(u64, sherd_world_state_hash(one), sherd_world_state_hash(other)));
    sherd_world_destroy(one);
    sherd_world_destroy(other);
    sherd_shape_destroy(ball);
}

// ---------------------------------------------------------------- parts of one body

static sherd_shape *box_at(sherd_vec3 size, sherd_vec3 at)
{
    sherd_error error;
    return sherd_shape_placed(sherd_shape_box(size, &error), (sherd_pose){at, {0.0, 0.0, 0.0, 1.0}},
                              &error);
}

// Two blocks, 16 mm apart, that a long thin arch joins.
static sherd_shape *hairpin(void)
{
    sherd_error error;
    sherd_shape *parts[] = {
        box_at((sherd_vec3){0.004, 0.006, 0.006}, (sherd_vec3){-0.01, 0.0, 0.0}),
        box_at((sherd_vec3){0.004, 0.006, 0.006}, (sherd_vec3){0.01, 0.0, 0.0}),
        box_at((sherd_vec3){0.002, 0.03, 0.002}, (sherd_vec3){-0.01, 0.015, 0.0}),
        box_at((sherd_vec3){0.002, 0.03, 0.002}, (sherd_vec3){0.01, 0.015, 0.0}),
        box_at((sherd_vec3){0.022, 0.002, 0.002}, (sherd_vec3){0.0, 0.029, 0.0}),
    };
    sherd_shape *all = sherd_shape_union_of(parts, 5, &error);
    cr_assert(all != NULL, "%s", error.what);
    return all;
}

// One of them is held, the other flies at it. How far it is from where it began when explicit steps say that it has
// rebounded [m].
static double fold(stepping by, double speed)
{
    sherd_error error;
    sherd_world *world = world_by(by, (sherd_vec3){0});
    sherd_shape *shape = hairpin();
    sherd_packing_def def = sherd_packing_def_default();
    def.kind = SHERD_PACKING_HCP;
    def.radius = 5e-4;
    sherd_packing *p = sherd_packing_create(shape, &def, &error);
    cr_assert(p != NULL, "%s", error.what);
    sherd_body_def body = sherd_body_def_default();
    body.count = p->count;
    body.x = p->x, body.y = p->y, body.z = p->z, body.radius = p->radius;
    sherd_material_def material = rubber();
    body.material = sherd_world_add_material(world, &material, &error);
    body.velocity.x = -speed;
    cr_assert(sherd_world_add_body(world, &body, &error).index1 != 0, "%s", error.what);
    drive(world, (sherd_vec3){-0.01, 0.0, 0.0}, (sherd_vec3){0.005, 0.007, 0.03}, held());
    sherd_driver_def probe = sherd_driver_def_default();
    probe.drive = SHERD_DRIVE_NONE;
    sherd_driver_id far =
        drive(world, (sherd_vec3){0.01, 0.0, 0.0}, (sherd_vec3){0.005, 0.007, 0.03}, probe);
    const double interval = 0.01 / speed;
    set_frame(world, by, interval);
    for (int k = 1; k <= 4; ++k)
        advance(world, k * interval);
    double way = sherd_world_probe_driver(world, far).displacement.x;
    sherd_world_destroy(world);
    sherd_packing_destroy(p);
    sherd_shape_destroy(shape);
    return way;
}

// A step of a given length goes 10 mm, two and a half times as far as each block is wide. The flying block rebounds at
// 18 mm, to 13.3 mm in explicit steps, which Euler's damp less than these; it went through the other, to 22 mm.
Test(safe_time, parts_of_one_body)
{
    double explicit = fold(EXPLICIT, 30.0), given = fold(euler(200.0), 30.0);
    cr_assert(lt(dbl, -0.016, explicit), "%g m", explicit);
    cr_assert(epsilon_eq(dbl, given, explicit, 0.003), "%g m, %g m", given, explicit);
}

// ---------------------------------------------------------------- beyond all bounds

Test(safe_time, absurd_speeds_are_refused)
{
    sherd_error error;
    sherd_world *world = world_by(euler(50.0), (sherd_vec3){0});
    block b = block_default();
    b.size = (sherd_vec3){0.006, 0.006, 0.004};
    add_block(world, &b, NULL);
    sherd_shape *ball = sherd_shape_sphere(2e-3, &error);
    sherd_obstacle_def def = sherd_obstacle_def_default();
    def.kind = SHERD_OBSTACLE_FREE;
    def.shape = ball;
    def.density = 2500.0;
    def.pose.position.z = 0.006;
    def.velocity.z = -1e9;
    cr_assert(sherd_world_add_obstacle(world, &def, &error).index1 != 0, "%s", error.what);
    sherd_status status = sherd_world_advance(world, 100.0 * limit_of(world), &error);
    cr_assert(eq(int, status, SHERD_ERROR_UNSTABLE));
    cr_assert(strstr(error.what, "pass through each other") != NULL, "%s", error.what);
    sherd_world_destroy(world);
    sherd_shape_destroy(ball);
}

// Elements in grooves, corners and bowls of shapes that are made of others, extruded or revolved.
#include "physics/concave_rig.h"
#include "world/energy.h"

// Of how far a ball is pressed in, where it should be after implicit steps, in which forces are right to a tolerance:
// on two planes, too, they leave 0.7 of it. Explicit ones come to rest.
static double tolerance_by(stepping by)
{
    return by.method == SHERD_METHOD_IMPLICIT ? 0.9 : 1e-3;
}

static const double SETTLED = 0.03; // a dozen periods of a ball on its contacts [s]

static double radius_pressed(double push)
{
    return push / (YOUNG * M_PI * RADIUS); // k = E pi r
}

// ---------------------------------------------------------------- friction in a groove, of each wall its own

// A ball that spins in a groove is braked by mu N of both walls, of which the one that it climbs is pressed more:
//   N_1 + N_2 = W / (sin a (1 + mu^2)),   I dw/dt = -mu r (N_1 + N_2)
Test(concave_shapes, a_spinning_ball_is_braked_by_both_walls)
{
    const double half = M_PI / 4.0, friction = 0.3, spin = 60.0, time = 0.05;
    sherd_shape *groove = extruded_groove(half, 0.05);
    for (int w = 0; w < WAY_COUNT; ++w) {
        sherd_world_def def = def_of(WAYS[w], (sherd_vec3){0.0, -9.81, 0.0});
        sherd_world *world = create(&def);
        add_balls(world, 1, (sherd_vec3){0.0, RADIUS / sin(half), 0.0}, friction, (sherd_vec3){0},
                  (sherd_vec3){0.0, 0.0, spin});
        add_shape(world, groove, (sherd_vec3){0});
        fall(world, WAYS[w], time);
        double push = weight_of_ball() / (sin(half) * (1.0 + friction * friction)),
               inertia = 0.4 * weight_of_ball() / 9.81 * RADIUS * RADIUS,
               lost = friction * RADIUS * push / inertia * time;
        // It slides all the time; 1 % for how it settles on the wall that is pressed more.
        cr_assert(lt(dbl, lost, 0.9 * spin));
        cr_assert(epsilon_eq(dbl, spin - sherd_world_elements(world).wz[0], lost, 0.01 * lost),
                  "by %d", w);
        sherd_world_destroy(world);
    }
    sherd_shape_destroy(groove);
}

// Two balls that are bonded can't roll along a groove: on a slope they stick where tan(slope) < mu / sin a, and slide with
// g (sin(slope) - mu cos(slope) / sin a) where not. What is returned is how far it came by that.
static double way_down_a_groove(stepping by, double slope, double friction, double time,
                                bool slides)
{
    const double half = M_PI / 6.0;
    sherd_shape *groove = extruded_groove(half, 0.05);
    sherd_world_def def = def_of(by, (sherd_vec3){0.0, -9.81 * cos(slope), 9.81 * sin(slope)});
    sherd_world *world = create(&def);
    add_balls(world, 2, (sherd_vec3){0.0, RADIUS / sin(half), -0.05}, friction, (sherd_vec3){0},
              (sherd_vec3){0});
    add_shape(world, groove, (sherd_vec3){0});
    fall(world, by, SETTLED);
    double from = sherd_world_elements(world).z[0], speed = sherd_world_elements(world).vz[0];
    advance(world, SETTLED + time);
    double way = sherd_world_elements(world).z[0] - from - (slides ? speed * time : 0.0);
    sherd_world_destroy(world);
    sherd_shape_destroy(groove);
    return way;
}

Test(concave_shapes, friction_holds_in_a_groove)
{
    const double friction = 0.2, limit = atan(friction / sin(M_PI / 6.0)), time = 0.1;
    for (int w = 0; w < WAY_COUNT; ++w) {
        double held = way_down_a_groove(WAYS[w], 0.9 * limit, friction, time, false),
               slope = 1.2 * limit,
               a = 9.81 * (sin(slope) - friction * cos(slope) / sin(M_PI / 6.0));
        // Springs of friction still swing a little.
        cr_assert(lt(dbl, fabs(held), 1e-3 * 0.5 * a * time * time), "%g by %d", held, w);
        double slid = way_down_a_groove(WAYS[w], slope, friction, time, true);
        // Implicit steps are a fortieth of the time, to first order.
        double off = WAYS[w].method == SHERD_METHOD_EXPLICIT ? 3e-3 : 0.03;
        cr_assert(epsilon_eq(dbl, slid, 0.5 * a * time * time, off * slid), "%g by %d", slid, w);
    }
}

// ---------------------------------------------------------------- seams

// A corner of floors and walls that meet in one plane, piece by piece.
static sherd_shape *corner_of_pieces(int pieces, double length, bool by_tree)
{
    sherd_error error;
    sherd_shape *parts[64], *all;
    for (int k = 0; k < 2 * pieces; ++k) {
        bool wall = k % 2 == 0;
        double at = (k / 2 + 0.5) * length;
        // Some are deeper, some overlap the next ones.
        double deep = k % 3 == 0 ? 0.03 : 0.02, overlap = k % 4 == 1 ? 0.004 : 0.0;
        sherd_vec3 size = wall ? (sherd_vec3){deep, 0.1, length + overlap}
                               : (sherd_vec3){0.1, deep, length + overlap};
        sherd_vec3 centre = wall ? (sherd_vec3){-0.5 * deep, 0.05 - 0.02, at}
                                 : (sherd_vec3){0.05 - 0.02, -0.5 * deep, at};
        parts[k] = moved(sherd_shape_box(size, &error), centre);
    }
    if (by_tree) return sherd_shape_union_of(parts, 2 * pieces, &error);
    all = parts[0];
    for (int k = 1; k < 2 * pieces; ++k)
        all = sherd_shape_union(all, parts[k], &error);
    return all;
}

Test(concave_shapes, balls_slide_over_seams_in_a_corner_as_if_there_were_none)
{
    for (int w = 0; w < 2; ++w) {
        sherd_shape *corner = corner_of_pieces(12, 0.0105, w == 0);
        const double g = 9.81 * sqrt(0.5);
        sherd_world_def def = def_of(WAYS[w], (sherd_vec3){-g, -g, 0.0});
        sherd_world *world = create(&def);
        double out = RADIUS - radius_pressed(sqrt(0.5) * weight_of_ball());
        add_balls(world, 1, (sherd_vec3){RADIUS, RADIUS, 0.02}, 0.0, (sherd_vec3){0.0, 0.0, 0.4},
                  (sherd_vec3){0});
        add_shape(world, corner, (sherd_vec3){0});
        double most = 0.0;
        fall(world, WAYS[w], SETTLED);
        for (int frame = 4; frame <= 20; ++frame) {
            advance(world, 0.01 * frame);
            sherd_element_view e = sherd_world_elements(world);
            most = fmax(most, fmax(fabs(e.x[0] - out), fabs(e.y[0] - out)));
        }
        sherd_element_view e = sherd_world_elements(world);
        // Over seven seams of the floor and as many of the wall; a bump would be as large as the overlap, another
        // contact as half of it.
        cr_assert(epsilon_eq(dbl, e.z[0], 0.1, 1e-9));
        cr_assert(lt(dbl, most, tolerance_by(WAYS[w]) * (RADIUS - out)), "%g by %d", most, w);
        sherd_world_destroy(world);
        sherd_shape_destroy(corner);
    }
}

// ---------------------------------------------------------------- bowls

// A cone that opens upwards, by revolving.
static sherd_shape *funnel_of(double half_angle, double deep)
{
    sherd_error error;
    double wide = deep * tan(half_angle);
    const sherd_vec2 profile[] = {{0.0, -0.5 * deep},
                                  {wide + deep, -0.5 * deep},
                                  {wide + deep, deep},
                                  {wide, deep},
                                  {0.0, 0.0}};
    return sherd_shape_revolve(profile, 5, &error);
}

static int by_size(const void *a, const void *b)
{
    return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

// The median of looks one after the other. Nothing damps the ball along the circle that it touches, and every few tens of
// implicit steps two other places of it bear the ball, in a step that leaves it off by less than tolerance_by allows: what
// one look catches is up to 9 % of the weight off then, at other times by other rounding.
static double usual_load_on(sherd_world *world, sherd_obstacle_id id)
{
    enum { LOOKS = 15 };
    double force[LOOKS];
    for (int k = 0; k < LOOKS; ++k)
        force[k] = load_on(world, id).z;
    qsort(force, LOOKS, sizeof *force, by_size);
    return force[LOOKS / 2];
}

// On the axis it touches a circle, which stands for two places: each pushes with W / (2 sin a).
Test(concave_shapes, a_ball_rests_in_a_funnel)
{
    const double half = M_PI / 6.0;
    sherd_shape *funnel = funnel_of(half, 0.05);
    for (int w = 0; w < WAY_COUNT; ++w) {
        sherd_world_def def = def_of(WAYS[w], (sherd_vec3){0.0, 0.0, -9.81});
        sherd_world *world = create(&def);
        add_ball(world, (sherd_vec3){0.0004, -0.0002, 1.1 * RADIUS / sin(half)}, 0.0);
        sherd_obstacle_id id = add_shape(world, funnel, (sherd_vec3){0});
        fall(world, WAYS[w], 0.8);
        double pressed = radius_pressed(0.5 * weight_of_ball() / sin(half));
        sherd_element_view e = sherd_world_elements(world);
        cr_assert(epsilon_eq(dbl, e.z[0], (RADIUS - pressed) / sin(half),
                             tolerance_by(WAYS[w]) * pressed),
                  "%d", w);
        // Of `auto` the last steps are implicit: their error is about `accuracy`, 0.01.
        double aside = WAYS[w].method == SHERD_METHOD_AUTO ? 0.01 : tolerance_by(WAYS[w]);
        cr_assert(lt(dbl, hypot(e.x[0], e.y[0]), aside * pressed), "%d", w);
        double force = usual_load_on(world, id);
        cr_assert(epsilon_eq(dbl, force, -weight_of_ball(), 5e-3 * weight_of_ball()), "%d", w);
        cr_assert(lt(dbl, speed(world), 1e-3));
        sherd_world_destroy(world);
    }
    sherd_shape_destroy(funnel);
}

static bool is_still(const sherd_world *world, double share)
{
    sherd_energy e = sherd_world_energy(world);
    return e.kinetic < share * sherd_energy_largest(&e);
}

// How long a pile rattles depends on rounding: 0.4 to 0.8 s. It is given twice that.
static void come_to_rest(sherd_world *world, stepping by)
{
    fall(world, by, 0.4);
    for (int k = 5; k <= 16 && !is_still(world, 1e-8); ++k)
        advance(world, 0.1 * k);
}

// Grains in a bowl that is cut out of a box by a ball, and in one that is revolved: they come to rest, and what they weigh
// is what the bowl bears.
static void check_pile(sherd_shape *bowl, stepping by)
{
    enum { COUNT = 27 };
    sherd_error error;
    double x[COUNT], y[COUNT], z[COUNT], r[COUNT], mass = 0.0;
    uint32_t seed = 17;
    for (int k = 0; k < COUNT; ++k) {
        x[k] = 0.0101 * (k % 3 - 1) + 0.001 * noise(&seed);
        y[k] = 0.0101 * (k / 3 % 3 - 1) + 0.001 * noise(&seed);
        z[k] = 0.020 + 0.0101 * (k / 9), r[k] = 0.004 + 0.001 * noise(&seed);
        mass += 1000.0 * 4.0 / 3.0 * M_PI * pow(r[k], 3.0);
    }
    sherd_world_def def = def_of(by, (sherd_vec3){0.0, 0.0, -9.81});
    sherd_world *world = create(&def);
    sherd_material_def m = soft(0.4);
    sherd_body_def body = sherd_body_def_default();
    body.count = COUNT;
    body.x = x, body.y = y, body.z = z, body.radius = r;
    body.bonding = SHERD_BONDING_NONE;
    body.material = sherd_world_add_material(world, &m, &error);
    cr_assert(sherd_world_add_body(world, &body, &error).index1 != 0, "%s", error.what);
    sherd_obstacle_id id = add_shape(world, bowl, (sherd_vec3){0});
    come_to_rest(world, by);
    sherd_vec3 force = load_on(world, id);
    // What still swings; see tolerance_by.
    double still = by.method == SHERD_METHOD_EXPLICIT ? 1e-3 : 2e-2;
    cr_assert(epsilon_eq(dbl, force.z, -9.81 * mass, still * 9.81 * mass), "%d", by.method);
    cr_assert(lt(dbl, hypot(force.x, force.y), still * 9.81 * mass), "%d", by.method);
    sherd_energy e = sherd_world_energy(world);
    cr_assert(is_still(world, 1e-6), "%d", by.method);
    if (by.method == SHERD_METHOD_EXPLICIT) cr_assert(lt(dbl, fabs(e.balance_error), 2e-3));
    sherd_world_destroy(world);
    sherd_shape_destroy(bowl);
}

static sherd_shape *cut_bowl(void)
{
    sherd_error error;
    return sherd_shape_difference(
        sherd_shape_box((sherd_vec3){0.12, 0.12, 0.07}, &error),
        moved(sherd_shape_sphere(0.05, &error), (sherd_vec3){0.0, 0.0, 0.04}), &error);
}

Test(concave_shapes, piles_in_bowls_weigh_what_they_should)
{
    for (int w = 0; w < WAY_COUNT; ++w) {
        if (w != 1) check_pile(cut_bowl(), WAYS[w]);
        if (w != 2) check_pile(funnel_of(M_PI / 4.0, 0.05), WAYS[w]);
    }
}

// ---------------------------------------------------------------- free bodies

// A ball that flies into the groove of a free body and leaves it again: what both have together stays.
Test(concave_shapes, balls_and_grooves_that_move_keep_momentum_and_energy)
{
    for (int s = 0; s < 2; ++s) {
        sherd_error error;
        sherd_shape *groove = s == 0 ? extruded_groove(M_PI / 4.0, 0.02)
                                     : cut_room((sherd_vec3){0.05, 0.06, 0.05}, 0.01);
        sherd_world_def def = def_of(EXPLICIT, (sherd_vec3){0});
        sherd_world *world = create(&def);
        add_balls(world, 1, (sherd_vec3){0.001, s == 0 ? 0.03 : 0.0, 0.002}, 0.3,
                  (sherd_vec3){0.02, s == 0 ? -0.5 : -0.4, 0.3}, (sherd_vec3){3.0, 1.0, 5.0});
        sherd_obstacle_def body = sherd_obstacle_def_default();
        body.shape = groove, body.kind = SHERD_OBSTACLE_FREE, body.mass = 0.02;
        cr_assert(sherd_world_add_obstacle(world, &body, &error).index1 != 0, "%s", error.what);
        set_frame(world, EXPLICIT, 0.01);
        advance(world, 0.01);
        sherd_vec3 before = sherd_world_momentum(world), turn = sherd_world_angular_momentum(world);
        double size = fabs(before.y), most_turn = size * 0.1;
        advance(world, 0.4);
        sherd_vec3 after = sherd_world_momentum(world),
                   turned = sherd_world_angular_momentum(world);
        sherd_energy e = sherd_world_energy(world);
        cr_assert(lt(dbl, distance(before, after), 1e-11 * size), "%d", s);
        // A contact acts in one point on both.
        cr_assert(lt(dbl, distance(turn, turned), 1e-9 * most_turn), "%d", s);
        cr_assert(lt(dbl, 0.05 * sherd_energy_largest(&e), e.dissipated_contact));
        cr_assert(lt(dbl, fabs(e.balance_error), 2e-3), "%g", e.balance_error);
        sherd_world_destroy(world);
        sherd_shape_destroy(groove);
    }
}

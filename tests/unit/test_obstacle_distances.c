// Among many obstacles each watches the elements near it: nothing may be missed, and results are those of obstacles
// that watch all.
#include "base/random.h"
#include "contact/contact_state.h"
#include "contact/contact_system.h"
#include "contact/explicit/obstacle_distances.h"
#include "contact/time_to_contact.h"
#include "unit/contact_rig.h"

enum { ELEMENTS = 1200, SIDE = 7, OBSTACLES = SIDE * SIDE * 3 };

static const double SPACING = 0.05; // [m]

typedef struct nails {
    rig r;
    sherd_shape *ball, *box;
} nails;

// Balls and boxes in three layers, some driven and some free, above a floor.
static void add_obstacles(nails *at)
{
    at->ball = sherd_shape_sphere(0.008, NULL);
    at->box = sherd_shape_box(vec3(0.014, 0.012, 0.01), NULL);
    sherd_obstacle_def floor = rig_floor();
    floor.pose.position = vec3(0.0, 0.0, -0.1);
    rig_add(&at->r, &floor);
    for (int o = 0; o + 1 < OBSTACLES; ++o) {
        sherd_obstacle_def def = sherd_obstacle_def_default();
        def.shape = o % 3 == 0 ? at->box : at->ball;
        def.pose.position = vec3_scale(SPACING, vec3(o % SIDE, o / SIDE % SIDE, o / SIDE / SIDE));
        def.pose.rotation = quat_from_rotation_vector(vec3(0.1 * o, 0.3, 0.0));
        if (o == 71 || o == 100) {
            def.kind = SHERD_OBSTACLE_FREE;
            def.density = 2000.0;
        } else if (o % 10 == 3) {
            def.kind = SHERD_OBSTACLE_DRIVEN;
            def.motion.velocity = vec3(0.4, 0.0, -0.2);
            def.motion.angular_velocity = vec3(0.0, 20.0, 0.0);
            def.motion.pivot = def.pose.position;
        }
        rig_add(&at->r, &def);
    }
}

// Grains that fly among them, a few fast. `all`: every obstacle watches all, as where there are few.
static nails nails_make(int threads, bool all)
{
    nails at = {.r = rig_make(ELEMENTS, &RIG_MATERIAL, 1e-3, threads)};
    add_obstacles(&at);
    double side = SPACING * SIDE;
    for (int k = 0; k < ELEMENTS; ++k) {
        uint64_t i = (uint64_t)k;
        sherd_vec3 p = vec3(sherd_random_uniform(5, 0, i), sherd_random_uniform(5, 1, i),
                            sherd_random_uniform(5, 2, i) - 0.2);
        sherd_vec3 v = vec3(sherd_random_normal(6, 0, i), sherd_random_normal(6, 1, i),
                            sherd_random_normal(6, 2, i));
        rig_put(&at.r, k, vec3_scale(side, p), vec3_scale(k % 50 == 0 ? 20.0 : 3.0, v),
                0.003 + 0.003 * sherd_random_uniform(5, 3, i));
    }
    at.r.gravity = vec3(0.0, 0.0, -50.0);
    rig_set_step(&at.r, 0.4);
    sherd_contacts *c = at.r.contacts;
    cr_assert(eq(int, sherd_contacts_begin(c, ELEMENTS, NULL), SHERD_OK));
    c->element_eigenvalue = sherd_contacts_max_eigenvalue(c, &at.r.e.points);
    for (int o = 0; all && o < OBSTACLES; ++o)
        cr_assert(
            eq(int, sherd_obstacle_watch_all(&c->obstacles[o].watch, ELEMENTS, NULL), SHERD_OK));
    return at;
}

static void nails_free(nails *at)
{
    rig_free(&at->r);
    sherd_shape_destroy(at->ball);
    sherd_shape_destroy(at->box);
}

static bool same_state(const rig *a, const rig *b)
{
    size_t bytes = ELEMENTS * sizeof(double);
    sherd_contact_energy x = sherd_contacts_energy(a->contacts, a->gravity),
                         y = sherd_contacts_energy(b->contacts, b->gravity);
    return memcmp(a->e.px, b->e.px, bytes) == 0 && memcmp(a->e.vz, b->e.vz, bytes) == 0 &&
           memcmp(a->e.wy, b->e.wy, bytes) == 0 && memcmp(a->e.fx, b->e.fx, bytes) == 0 &&
           memcmp(&x, &y, sizeof x) == 0;
}

static size_t watched(const nails *at)
{
    size_t sum = 0;
    for (int o = 0; o < OBSTACLES; ++o)
        sum += at->r.contacts->obstacles[o].watch.count;
    return sum;
}

// Of every element with every obstacle: its bound, less what may have moved since, holds now.
static void check_bounds(const nails *at)
{
    const double rounding = 1e-14; // [m], of distances of up to a metre
    for (int o = 0; o < OBSTACLES; ++o) {
        const sherd_obstacle *obstacle = &at->r.contacts->obstacles[o];
        for (int k = 0; k < ELEMENTS; ++k) {
            double gap = sherd_obstacle_distance(obstacle, sherd_element_position(&at->r.e, k)) -
                         at->r.e.radius[k];
            double bound = sherd_obstacle_watch_slack(&obstacle->watch, k) - obstacle->moved;
            cr_assert(le(dbl, bound, gap + rounding), "obstacle %d, element %d", o, k);
        }
    }
}

Test(obstacle_watch, bounds_hold_and_contacts_are_those_of_watching_all)
{
    nails few = nails_make(2, false), all = nails_make(1, true);
    int64_t touched = 0;
    for (int turn = 0; turn < 30; ++turn) {
        rig_run(&few.r, 20);
        rig_run(&all.r, 20);
        check_bounds(&few);
        cr_assert(same_state(&few.r, &all.r), "after %d steps", 20 * (turn + 1));
        cr_assert(eq(dbl, sherd_contacts_body_eigenvalue(few.r.contacts, 0.003, 1e-3),
                     sherd_contacts_body_eigenvalue(all.r.contacts, 0.003, 1e-3)));
        touched += sherd_contacts_active_count(few.r.contacts);
    }
    cr_assert(lt(i64, 100, touched));
    nails_free(&few);
    nails_free(&all);
}

// Sixteen and the two free ones watch all; the others sixteen for each element and obstacle together, a little more each,
// and what is near.
Test(obstacle_watch, grows_with_elements_and_obstacles_not_with_their_product)
{
    nails few = nails_make(1, false);
    size_t most = 18 * ELEMENTS + 16 * (ELEMENTS + OBSTACLES) + 32 * OBSTACLES, product = 0;
    for (int turn = 0; turn < 5; ++turn) {
        rig_run(&few.r, 50);
        cr_assert(le(sz, watched(&few), most));
    }
    for (int o = 0; o < OBSTACLES; ++o)
        product += few.r.contacts->obstacles[o].watch.element != NULL ? ELEMENTS : 0;
    cr_assert(eq(sz, product, (OBSTACLES - 18) * ELEMENTS));
    // What is told of memory is what there is: 8 bytes for every bound, 4 for whose it is.
    size_t bytes = 0;
    for (int o = 0; o < OBSTACLES; ++o)
        bytes += sherd_obstacle_watch_bytes(&few.r.contacts->obstacles[o].watch);
    cr_assert(le(sz, bytes, 12 * most));
    cr_assert(le(sz, 8 * watched(&few), bytes));
    nails_free(&few);
}

// As one who reads a checkpoint: into contacts that were never used, or with others' bounds.
static void resume(const nails *from, nails *to)
{
    sherd_byte_buffer bytes = {0};
    cr_assert(eq(int, sherd_contacts_save(from->r.contacts, &bytes, NULL), SHERD_OK));
    size_t size = ELEMENTS * sizeof(double);
    const sherd_elements *b = &from->r.e;
    sherd_elements *a = &to->r.e;
    double *out[] = {a->px, a->py, a->pz, a->vx, a->vy, a->vz, a->wx, a->wy,
                     a->wz, a->fx, a->fy, a->fz, a->tx, a->ty, a->tz};
    const double *in[] = {b->px, b->py, b->pz, b->vx, b->vy, b->vz, b->wx, b->wy,
                          b->wz, b->fx, b->fy, b->fz, b->tx, b->ty, b->tz};
    for (size_t k = 0; k < sizeof in / sizeof in[0]; ++k)
        memcpy(out[k], in[k], size);
    to->r.time = from->r.time;
    sherd_record_reader reader = sherd_record_open(bytes.bytes, bytes.size, &RIG_RECORD, NULL);
    cr_assert(eq(int, sherd_contacts_restore(to->r.contacts, &reader, NULL), SHERD_OK));
    cr_assert(eq(int, sherd_record_close(&reader), SHERD_OK));
    sherd_byte_buffer_free(&bytes);
}

// Saved while all watched all, as former versions did, too.
Test(obstacle_watch, saved_runs_continue_bit_for_bit)
{
    for (int former = 0; former < 2; ++former) {
        nails straight = nails_make(1, former), resumed = nails_make(2, false);
        rig_run(&straight.r, 200);
        resume(&straight, &resumed);
        cr_assert(eq(sz, watched(&straight), watched(&resumed)));
        rig_run(&straight.r, 200);
        rig_run(&resumed.r, 200);
        cr_assert(same_state(&straight.r, &resumed.r));
        cr_assert(eq(sz, watched(&straight), watched(&resumed)));
        nails_free(&straight);
        nails_free(&resumed);
    }
}

// A saved state is a record of untrusted bytes: elements that are not there, or out of order.
Test(obstacle_watch, damaged_watches_are_refused)
{
    const sherd_element_index wrong[] = {-1, ELEMENTS, 0};
    for (int kind = 0; kind < 3; ++kind) {
        nails from = nails_make(1, false), to = nails_make(1, false);
        rig_run(&from.r, 20);
        sherd_obstacle_watch *watch = &from.r.contacts->obstacles[OBSTACLES - 1].watch;
        cr_assert(watch->element != NULL && watch->count > 2);
        watch->element[watch->count - 1] = wrong[kind];
        sherd_byte_buffer bytes = {0};
        cr_assert(eq(int, sherd_contacts_save(from.r.contacts, &bytes, NULL), SHERD_OK));
        sherd_record_reader in = sherd_record_open(bytes.bytes, bytes.size, &RIG_RECORD, NULL);
        cr_assert(ne(int, sherd_contacts_restore(to.r.contacts, &in, NULL), SHERD_OK));
        sherd_byte_buffer_free(&bytes);
        nails_free(&from);
        nails_free(&to);
    }
}

// packing/random in shapes of thick and thin parts: the radius is as asked for, every piece of the
// shape is one part, nothing overlaps, and what could not be bonded is counted.
#include "math/point_grid.h"
#include "math/quat.h"
#include "math/vec3.h"
#include "sanitized.h"

#include <sherd/packing.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>

static const double PI = 3.14159265358979323846;

// ---------------------------------------------------------------- shapes

static sherd_shape *at(sherd_shape *shape, double x, double y, double z)
{
    return sherd_shape_placed(shape, (sherd_pose){vec3(x, y, z), quat(0, 0, 0, 1)}, NULL);
}

static sherd_shape *turned(sherd_shape *shape, double angle, sherd_vec3 axis)
{
    sherd_quat q = quat_from_rotation_vector(vec3_scale(angle, axis));
    return sherd_shape_placed(shape, (sherd_pose){vec3(0, 0, 0), q}, NULL);
}

static sherd_shape *box(double x, double y, double z)
{
    return sherd_shape_box(vec3(x, y, z), NULL);
}

static sherd_shape *both(sherd_shape *a, sherd_shape *b)
{
    return sherd_shape_union(a, b, NULL);
}

// A ball with a handle that does not touch it: two pieces.
static sherd_shape *ball_handle_and_ring(void)
{
    sherd_shape *ball = both(sherd_shape_sphere(10.0, NULL),
                             at(sherd_shape_cylinder(2.5, 40.0, NULL), 0.0, 0.0, 20.0));
    return both(ball, at(sherd_shape_torus(10.0, 1.6, NULL), 0.0, 0.0, -12.0));
}

static sherd_shape *mug(void)
{
    sherd_shape *cup =
        sherd_shape_difference(sherd_shape_cylinder(12.0, 24.0, NULL),
                               at(sherd_shape_cylinder(9.5, 24.0, NULL), 0, 0, 3.0), NULL);
    sherd_shape *ring = turned(sherd_shape_torus(7.0, 1.8, NULL), 0.5 * PI, vec3(1, 0, 0));
    sherd_shape *handle = sherd_shape_difference(at(ring, 13.0, 0.0, 0.0),
                                                 sherd_shape_cylinder(11.0, 30.0, NULL), NULL);
    return both(cup, handle);
}

static sherd_shape *fins(void)
{
    sherd_shape *ball = both(sherd_shape_sphere(8.0, NULL), box(30.0, 2.1, 12.0));
    sherd_shape *tilted = turned(box(14.0, 14.0, 3.0), 0.6, vec3(0.6, 0.8, 0.0));
    return both(both(ball, box(1.7, 26.0, 10.0)), at(tilted, 0.0, 0.0, 9.0));
}

// Boxes and balls that overlap each other anyhow.
static sherd_shape *heap(void)
{
    sherd_shape *all = sherd_shape_sphere(6.0, NULL);
    for (int k = 0; k < 8; ++k) {
        double angle = 2.4 * k, r = 5.0 + 0.4 * k;
        sherd_shape *one = k % 2 == 0
                               ? sherd_shape_sphere(2.0 + 0.3 * k, NULL)
                               : turned(box(4.0 + 0.5 * k, 3.0, 6.0), 0.7 * k, vec3(0, 0.6, 0.8));
        all = both(all, at(one, r * cos(angle), r * sin(angle), k - 4.0));
    }
    return all;
}

// Two balls joined by a wire that is thinner than any element.
static sherd_shape *dumbbell(void)
{
    sherd_shape *balls = both(at(sherd_shape_sphere(6.0, NULL), -9.0, 0.0, 0.0),
                              at(sherd_shape_sphere(5.0, NULL), 9.0, 0.0, 0.0));
    return both(balls, turned(box(12.0, 0.3, 0.2), 0.2, vec3(0, 0, 1)));
}

// Two blocks with a slit between them that is much narrower than an element: two pieces.
static sherd_shape *blocks(void)
{
    return both(at(box(10.0, 8.0, 6.0), -5.05, 0.0, 0.0), at(box(10.0, 8.0, 6.0), 5.05, 0.0, 0.0));
}

static sherd_shape *star(void)
{
    sherd_vec2 outline[14];
    for (int k = 0; k < 14; ++k) {
        double r = k % 2 == 0 ? 14.0 : 5.0, angle = k * PI / 7.0;
        outline[k] = (sherd_vec2){r * cos(angle), r * sin(angle)};
    }
    return sherd_shape_extrude(outline, 14, 5.0, NULL);
}

static sherd_shape *spike(void)
{
    const sherd_vec2 profile[] = {{0.0, 0.0}, {9.0, 0.0}, {0.2, 40.0}, {0.0, 40.0}};
    return sherd_shape_revolve(profile, 4, NULL);
}

static sherd_shape *letters(void)
{
    return sherd_shape_text("IT", NULL, 20.0, 5.0, NULL);
}

// A branching tree of capsules, each thinner than the one it grows from.
static sherd_shape *branch(sherd_vec3 from, sherd_vec3 way, double length, double radius, int more)
{
    sherd_vec3 axis = vec3_cross(vec3(0, 0, 1), way),
               middle = vec3_add_scaled(from, 0.5 * length, way);
    double angle = acos(way.z);
    sherd_shape *wood = sherd_shape_capsule(radius, length, NULL);
    if (vec3_length(axis) > 1e-9) wood = turned(wood, angle, vec3_normalize(axis));
    wood = at(wood, middle.x, middle.y, middle.z);
    sherd_vec3 end = vec3_add_scaled(from, length, way), aside = vec3_perpendicular(way);
    for (int side = -1; side <= 1 && more > 0; side += 2) {
        sherd_vec3 next = vec3_normalize(vec3_add_scaled(way, 0.7 * side, aside));
        wood = both(wood, branch(end, next, 0.75 * length, 0.75 * radius, more - 1));
    }
    return wood;
}

static sherd_shape *tree(void)
{
    return branch(vec3(0, 0, 0), vec3(0, 0, 1), 16.0, 3.6, 2);
}

// A mesh: a lumpy ball with thin ears.
static double blob_radius(sherd_vec3 way)
{
    const sherd_vec3 lump[] = {
        {0.6, 0.64, 0.48}, {-0.8, 0.0, 0.6}, {0.0, -0.6, -0.8}, {-0.48, 0.6, -0.64}};
    const sherd_vec3 ear[] = {{0.28, 0.96, 0.0}, {-0.6, 0.48, 0.64}, {0.8, -0.36, 0.48}};
    double r = 8.0;
    for (int k = 0; k < 4; ++k)
        r += (k % 2 == 0 ? 3.0 : -2.5) * exp(5.0 * (vec3_dot(lump[k], way) - 1.0));
    for (int k = 0; k < 3; ++k)
        r += (10.0 + 2.0 * k) * exp((60.0 + 50.0 * k) * (vec3_dot(ear[k], way) - 1.0));
    return r;
}

// Where the ring `j` of places meets the meridian `k`; the poles are the first and the last ring.
enum { RINGS = 96, ROUND = 160 };

static int32_t vertex_of(int j, int k)
{
    if (j == 0) return 0;
    return j == RINGS ? 1 + (RINGS - 1) * ROUND : 1 + (j - 1) * ROUND + k % ROUND;
}

static void set_triangle(sherd_mesh *mesh, int32_t *count, int32_t a, int32_t b, int32_t c)
{
    if (a == b || b == c || c == a) return;
    int32_t *t = mesh->triangles + 3 * (*count)++;
    t[0] = a, t[1] = b, t[2] = c;
}

static sherd_shape *blob(void)
{
    sherd_mesh *mesh = sherd_mesh_create(2 + (RINGS - 1) * ROUND, 2 * (RINGS - 1) * ROUND, NULL);
    int32_t triangles = 0;
    for (int j = 0; j <= RINGS; ++j)
        for (int k = 0; k < ROUND; ++k) {
            double polar = PI * j / RINGS, angle = 2.0 * PI * k / ROUND;
            sherd_vec3 way = vec3(sin(polar) * cos(angle), sin(polar) * sin(angle), cos(polar));
            sherd_vec3 p = vec3_scale(blob_radius(way), way);
            double *v = mesh->vertices + 3 * vertex_of(j, k);
            v[0] = p.x, v[1] = p.y, v[2] = p.z;
            if (j == RINGS) continue;
            int32_t a = vertex_of(j, k), b = vertex_of(j + 1, k);
            int32_t c = vertex_of(j + 1, k + 1), d = vertex_of(j, k + 1);
            set_triangle(mesh, &triangles, a, b, c);
            set_triangle(mesh, &triangles, a, c, d);
        }
    sherd_shape *shape = sherd_shape_mesh(mesh, NULL);
    sherd_mesh_destroy(mesh);
    return shape;
}

// ---------------------------------------------------------------- what is wanted

static sherd_vec3 centre(const sherd_packing *p, int32_t n)
{
    return vec3(p->x[n], p->y[n], p->z[n]);
}

// Nothing overlaps by more than rounding.
static void check_overlaps(const sherd_packing *p, const sherd_shape *shape)
{
    enum { NEAR = 256 };
    int32_t near[NEAR];
    sherd_point_grid grid;
    double reach = 2.0 * p->radius_most, least = 1e-12;
    cr_assert(sherd_point_grid_init(&grid, reach, (size_t)p->count));
    for (int32_t n = 0; n < p->count; ++n)
        cr_assert(sherd_point_grid_add(&grid, centre(p, n)));
    for (int32_t n = 0; n < p->count; ++n) {
        cr_assert(
            le(dbl, sherd_shape_distance(shape, centre(p, n)), -(1.0 - least) * p->radius[n]));
        int found = sherd_point_grid_near(&grid, centre(p, n), reach, near, NEAR);
        for (int k = 0; k < found; ++k) {
            double touch = p->radius[n] + p->radius[near[k]];
            if (near[k] != n)
                cr_assert(ge(dbl, vec3_distance(centre(p, n), centre(p, near[k])),
                             (1.0 - least) * touch));
        }
    }
    sherd_point_grid_free(&grid);
}

static int32_t root(int32_t *parent, int32_t n)
{
    while (parent[n] != n)
        n = parent[n] = parent[parent[n]];
    return n;
}

// What the bonds themselves leave apart.
static int count_parts(const sherd_packing *p)
{
    int32_t *parent = malloc((size_t)p->count * sizeof *parent), parts = 0;
    for (int32_t n = 0; n < p->count; ++n)
        parent[n] = n;
    for (sherd_bond_index k = 0; k < p->bond_count; ++k)
        parent[root(parent, p->bond_i[k])] = root(parent, p->bond_j[k]);
    for (int32_t n = 0; n < p->count; ++n)
        parts += parent[n] == n;
    free(parent);
    return parts;
}

static void check_shape(const char *name, sherd_shape *shape, double radius, int pieces)
{
    cr_assert(shape != NULL, "%s", name);
    for (int k = 0; k < 4; k += SANITIZED ? 3 : 1) {
        sherd_packing_def def = sherd_packing_def_default();
        sherd_error error;
        double mean = 0.0;
        def.kind = SHERD_PACKING_RANDOM;
        def.radius = radius * (k < 2 ? 1.0 : 1.3);
        def.seed = (uint64_t)k;
        def.threads = 2;
        sherd_packing *p = sherd_packing_create(shape, &def, &error);
        cr_assert(p != NULL, "%s: %s: %s (%s)", name, error.where, error.what, error.hint);
        for (int32_t n = 0; n < p->count; ++n)
            mean += p->radius[n] / p->count;
        // As documented.
        cr_assert(epsilon_eq(dbl, mean / def.radius, 1.0, 0.02), "%s, seed %d", name, k);
        cr_assert(eq(int, count_parts(p), pieces), "%s, seed %d", name, k);
        cr_assert(eq(int, p->parts, pieces));
        // Few are left out: of these shapes each is wide enough for nearly all of them.
        cr_assert(lt(int, p->left_out, 3), "%s, seed %d", name, k);
        // 0.38 where strokes and walls are hardly thicker than elements, up to 0.57.
        cr_assert(lt(dbl, 0.35, p->solid_fraction), "%s, seed %d", name, k);
        check_overlaps(p, shape);
        sherd_packing_destroy(p);
    }
    sherd_shape_destroy(shape);
}

Test(packing_irregular, parts_thick_and_thin)
{
    check_shape("ball, handle and ring", ball_handle_and_ring(), 0.9, 2);
    check_shape("mug", mug(), 0.9, 1);
    check_shape("fins", fins(), 0.75, 1);
    check_shape("tree", tree(), 0.8, 1);
}

Test(packing_irregular, boxes_and_balls)
{
    check_shape("heap", heap(), 0.8, 1);
}

Test(packing_irregular, mesh_with_ears)
{
    check_shape("blob", blob(), 1.1, 1);
}

Test(packing_irregular, tips)
{
    check_shape("star", star(), 0.8, 1);
    check_shape("spike", spike(), 0.9, 1);
    check_shape("letters", letters(), 0.7, 2);
}

Test(packing_irregular, narrow_necks_and_slits)
{
    check_shape("dumbbell", dumbbell(), 0.8, 1);
    check_shape("blocks", blocks(), 0.8, 2);
}

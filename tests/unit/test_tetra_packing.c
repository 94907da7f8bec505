// tetra_packing: masses, bonds, radii of elements made of tetrahedra, and the solid they make.
#include "geometry/tetra/tetra_mesh.h"

#include <sherd/packing.h>
#include <sherd/world.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static sherd_packing_def def_of(double size, double jitter)
{
    sherd_packing_def def = sherd_packing_def_default();
    def.kind = SHERD_PACKING_TETRA;
    def.tetra.size = size;
    def.tetra.jitter = jitter;
    def.threads = 2;
    return def;
}

static sherd_packing *pack(sherd_shape *shape, double size, double jitter)
{
    sherd_error error;
    sherd_packing_def def = def_of(size, jitter);
    sherd_packing *packing = sherd_packing_create(shape, &def, &error);
    cr_assert(packing != NULL, "%s: %s", error.where, error.what);
    sherd_shape_destroy(shape);
    return packing;
}

static sherd_vec3 centre(const sherd_packing *p, int32_t k)
{
    return vec3(p->x[k], p->y[k], p->z[k]);
}

Test(tetra_packing, elements_are_tetrahedra)
{
    sherd_error error;
    sherd_packing *p = pack(sherd_shape_sphere(0.01, &error), 0.002, 0.2);
    cr_assert_eq(p->count, p->tetra->tetra_count);
    double sum = 0.0, tetras = 0.0;
    int same = 0;
    for (int32_t t = 0; t < p->count; ++t) {
        sherd_vec3 x[4];
        tetra_points(p->tetra, t, x);
        tetras += tetra_volume_of(x);
        same += fabs(p->volume[t] / tetra_volume_of(x) - 1.0) < 0.02;
        sherd_vec3 c = vec3_scale(0.25, vec3_add(vec3_add(x[0], x[1]), vec3_add(x[2], x[3])));
        cr_assert_lt(vec3_distance(c, centre(p, t)), 1e-15);
        sum += p->volume[t];
    }
    // The solid's mass to rounding; tetrahedra have chords of the ball, elements make up for them, and
    // few are so small that they get more.
    cr_assert(epsilon_eq(dbl, sum, p->shape_volume, 1e-12 * p->shape_volume));
    cr_assert(epsilon_eq(dbl, tetras, p->shape_volume, 0.02 * p->shape_volume));
    cr_assert(epsilon_eq(dbl, p->cell_volume_match, tetras / p->shape_volume, 1e-12));
    cr_assert_gt(same, p->count * 95 / 100);
    sherd_packing_destroy(p);
}

// A bond for each shared face, in order, with its area.
Test(tetra_packing, bonds_are_shared_faces)
{
    sherd_error error;
    sherd_packing *p = pack(sherd_shape_box((sherd_vec3){0.02, 0.015, 0.01}, &error), 0.002, 0.2);
    sherd_tetra_topology topology;
    sherd_parallel parallel = {1};
    cr_assert_eq(sherd_tetra_topology_build(p->tetra, "mesh", &parallel, &topology, &error),
                 SHERD_OK);
    int64_t shared = 0, weakened = 0;
    for (int32_t f = 0; f < 4 * p->count; ++f)
        shared += topology.neighbor[f] > f / 4;
    cr_assert(eq(i64, p->bond_count, shared));
    for (sherd_bond_index b = 0; b < p->bond_count; ++b) {
        int32_t i = p->bond_i[b], j = p->bond_j[b];
        cr_assert(i < j);
        if (b > 0)
            cr_assert(p->bond_i[b - 1] < i || (p->bond_i[b - 1] == i && p->bond_j[b - 1] < j));
        int k = 0;
        while (topology.neighbor[4 * i + k] != j)
            ++k;
        double area = 0.5 * vec3_length(tetra_face_vector(p->tetra, i, k));
        cr_assert(p->bond_section[b] > 0.0 && p->bond_section[b] <= area * (1.0 + 1e-14));
        weakened += p->bond_section[b] < area * (1.0 - 1e-12);
    }
    cr_assert(eq(i64, weakened, p->weakened_bonds));
    cr_assert_lt(weakened, p->bond_count / 10);
    sherd_tetra_topology_release(&topology);
    sherd_packing_destroy(p);
}

// E over density is 1 here. What a bond of section S adds to the squares of the frequencies of an element that it leaves at
// `arm` from its centre: E S / l over the mass; bending and, with G = 0.4 E, shear of half the length over 2/5 m r^2.
static void add_frequencies(const sherd_packing *p, int32_t t, double S, double l,
                            double squares[2])
{
    double mass = p->volume[t], inertia = 0.4 * mass * p->radius[t] * p->radius[t];
    squares[0] += S / l / mass;
    squares[1] += (S * S / (4.0 * M_PI) / l + 0.4 * S / l * 0.25 * l * l) / inertia;
}

// Bonds are weaker than their faces where either end would be more than twice as stiff as the mean, and by as much.
Test(tetra_packing, only_bonds_of_slivers_are_weakened)
{
    sherd_error error;
    sherd_packing *p = pack(sherd_shape_sphere(0.01, &error), 0.003, 0.3);
    sherd_tetra_topology topology;
    sherd_parallel parallel = {1};
    cr_assert_eq(sherd_tetra_topology_build(p->tetra, "mesh", &parallel, &topology, &error),
                 SHERD_OK);
    double(*squares)[2] = calloc((size_t)p->count, sizeof *squares);
    double *area = calloc((size_t)p->bond_count, sizeof *area), mean = 0.0, volume = 0.0;
    for (sherd_bond_index b = 0; b < p->bond_count; ++b) {
        int32_t i = p->bond_i[b], j = p->bond_j[b];
        int face = 0;
        while (topology.neighbor[4 * i + face] != j)
            ++face;
        area[b] = 0.5 * vec3_length(tetra_face_vector(p->tetra, i, face));
        double l = vec3_distance(centre(p, i), centre(p, j));
        add_frequencies(p, i, area[b], l, squares[i]);
        add_frequencies(p, j, area[b], l, squares[j]);
    }
    for (int32_t t = 0; t < p->count; ++t) { // as of elements of one size
        squares[t][0] = fmax(squares[t][0], squares[t][1]) * pow(p->volume[t], 2.0 / 3.0);
        mean += p->volume[t] * squares[t][0], volume += p->volume[t];
    }
    mean /= volume;
    for (sherd_bond_index b = 0; b < p->bond_count; ++b) {
        double stiffer = fmax(squares[p->bond_i[b]][0], squares[p->bond_j[b]][0]) / mean;
        double expected = area[b] / fmax(1.0, 0.5 * stiffer);
        cr_assert(epsilon_eq(dbl, p->bond_section[b], expected, 1e-9 * expected));
    }
    cr_assert(p->weakened_bonds > 0);
    free(squares), free(area);
    sherd_tetra_topology_release(&topology);
    sherd_packing_destroy(p);
}

// Elements without a bond between them keep clear of each other, but for a few small ones.
Test(tetra_packing, unbonded_elements_do_not_overlap)
{
    sherd_error error;
    sherd_packing *p = pack(sherd_shape_sphere(0.01, &error), 0.003, 0.3);
    sherd_bond_index bond = 0;
    int overlaps = 0;
    for (int32_t i = 0; i < p->count; ++i)
        for (int32_t j = i + 1; j < p->count; ++j) {
            while (bond < p->bond_count &&
                   (p->bond_i[bond] < i || (p->bond_i[bond] == i && p->bond_j[bond] < j)))
                ++bond;
            if (bond < p->bond_count && p->bond_i[bond] == i && p->bond_j[bond] == j) continue;
            double gap = vec3_distance(centre(p, i), centre(p, j)) - p->radius[i] - p->radius[j];
            cr_assert(lt(dbl, -1.0 * fmin(p->radius[i], p->radius[j]), gap));
            overlaps += gap < 0.0;
        }
    cr_assert_lt(overlaps, p->count / 10, "%d of %d", overlaps, p->count);
    sherd_packing_destroy(p);
}

// ---------------------------------------------------------------- as a solid

typedef struct bar {
    sherd_world *world;
    sherd_packing *packing;
    sherd_driver_id pull;
    double *x0; // along the bar at the start
} bar;

static const double E_BOND = 1e7, LENGTH = 0.05, WIDTH = 0.0125;

static sherd_driver_id grip(sherd_world *world, double x, sherd_motion motion)
{
    sherd_error error;
    sherd_driver_def d = sherd_driver_def_default();
    sherd_shape *box = sherd_shape_box((sherd_vec3){0.01, 1.0, 1.0}, &error);
    d.region.shape = box;
    d.region.pose.position.x = x;
    d.drive = SHERD_DRIVE_MOTION;
    d.free_axes[1] = d.free_axes[2] = true;
    d.motion = motion;
    sherd_driver_id id = sherd_world_add_driver(world, &d, &error);
    cr_assert(id.index1 != 0, "%s", error.what);
    sherd_shape_destroy(box);
    return id;
}

static void add_solid(sherd_world *world, const sherd_packing *p, const sherd_material_def *m)
{
    sherd_error error;
    sherd_body_def body = sherd_body_def_default();
    body.material = sherd_world_add_material(world, m, &error);
    body.count = p->count;
    body.x = p->x, body.y = p->y, body.z = p->z, body.radius = p->radius;
    body.volume = p->volume;
    body.bonding = SHERD_BONDING_LIST;
    body.bond_count = p->bond_count;
    body.bond_i = p->bond_i, body.bond_j = p->bond_j, body.bond_section = p->bond_section;
    cr_assert(sherd_world_add_body(world, &body, &error).index1 != 0, "%s", error.what);
}

static bar make_bar(double jitter, double displacement, double ramp)
{
    sherd_error error;
    bar b = {.packing =
                 pack(sherd_shape_box((sherd_vec3){LENGTH, WIDTH, WIDTH}, &error), 0.0038, jitter)};
    sherd_world_def def = sherd_world_def_default();
    def.gravity = (sherd_vec3){0, 0, 0};
    def.threads = 2;
    def.method = SHERD_METHOD_IMPLICIT;
    def.precision = SHERD_PRECISION_DOUBLE;
    def.sleep = false;
    b.world = sherd_world_create(&def, &error);
    sherd_material_def m = sherd_material_def_default();
    m.youngs_modulus = E_BOND;
    m.shear_modulus = 0.4 * E_BOND;
    m.bond_damping = 0.2;
    add_solid(b.world, b.packing, &m);
    const sherd_packing *p = b.packing;
    const sherd_motion_key keys[] = {
        {.time = 0.0},
        {.time = ramp, .translation = {displacement, 0, 0}},
        {.time = 100.0 * ramp, .translation = {displacement, 0, 0}},
    };
    sherd_motion rest = sherd_driver_def_default().motion, pull = rest;
    pull.key_count = 3;
    pull.keys = keys;
    grip(b.world, -0.5 * LENGTH, rest);
    b.pull = grip(b.world, 0.5 * LENGTH, pull);
    b.x0 = malloc((size_t)p->count * sizeof *b.x0);
    memcpy(b.x0, sherd_world_elements(b.world).x, (size_t)p->count * sizeof *b.x0);
    return b;
}

static void free_bar(bar *b)
{
    sherd_world_destroy(b->world);
    sherd_packing_destroy(b->packing);
    free(b->x0);
}

static void add_support(sherd_world *world, const sherd_shape *box, double x, double z)
{
    sherd_error error;
    sherd_obstacle_def o = sherd_obstacle_def_default();
    o.shape = box;
    o.pose.position = (sherd_vec3){x, 0.0, z};
    cr_assert(sherd_world_add_obstacle(world, &o, &error).index1 != 0, "%s", error.what);
}

// Spheres stand out of the faces, so that supports at these begin within them. Contact takes that for
// rest: without gravity nothing stirs, with it the bar sags by what gravity makes of it and no part of it
// is thrown up.
static void check_supported(sherd_method method, double gravity)
{
    sherd_error error;
    sherd_packing *p = pack(sherd_shape_box((sherd_vec3){0.04, 0.012, 0.01}, &error), 0.003, 0.3);
    sherd_world_def def = sherd_world_def_default();
    def.gravity = (sherd_vec3){0, 0, -gravity};
    def.threads = 2;
    def.method = method;
    sherd_world *world = sherd_world_create(&def, &error);
    sherd_material_def m = sherd_material_def_default();
    m.youngs_modulus = 1e9;
    m.shear_modulus = 0.4e9;
    add_solid(world, p, &m);
    sherd_shape *box = sherd_shape_box((sherd_vec3){0.004, 0.02, 0.004}, &error);
    add_support(world, box, -0.015, -0.007);
    add_support(world, box, 0.015, -0.007);
    add_support(world, box, 0.0, 0.007);
    double highest = 0.0, lowest = 0.0, deepest = 0.0;
    for (int32_t k = 0; k < p->count; ++k)
        deepest = fmax(deepest, p->radius[k] - (0.005 - fabs(p->z[k])));
    cr_assert(lt(dbl, 2e-4, deepest)); // else there is nothing to test
    for (int n = 1; n <= 20; ++n) {
        cr_assert_eq(sherd_world_advance(world, 1e-4 * n, &error), SHERD_OK, "%s", error.what);
        sherd_element_view e = sherd_world_elements(world);
        for (int k = 0; k < e.count; ++k) {
            highest = fmax(highest, e.z[k] - p->z[k]);
            lowest = fmin(lowest, e.z[k] - p->z[k]);
        }
    }
    // A bar of 30 mm between supports, 10 mm thick, of 0.6 GPa and 2000 kg/m^3 sags by 5/384 rho A g l^4 / (E I)
    // = 0.04 um, dynamically twice that, and its supports give way by about as much again. Were the overlaps
    // pushed apart, it would move by tenths of a millimetre.
    cr_assert(le(dbl, highest, 1e-8 * gravity), "%g", highest);
    cr_assert(le(dbl, -lowest, 1e-7 * gravity), "%g", lowest);
    sherd_world_destroy(world);
    sherd_shape_destroy(box);
    sherd_packing_destroy(p);
}

Test(tetra_packing, supports_at_the_faces_do_not_throw_it)
{
    check_supported(SHERD_METHOD_EXPLICIT, 0.0);
    check_supported(SHERD_METHOD_EXPLICIT, 9.81);
    check_supported(SHERD_METHOD_AUTO, 9.81);
}

// Slope of displacement over position in the middle third, away from the grips.
static double strain_of(const bar *b)
{
    sherd_element_view e = sherd_world_elements(b->world);
    double n = 0.0, x = 0.0, xx = 0.0, u = 0.0, xu = 0.0;
    for (int k = 0; k < e.count; ++k) {
        if (fabs(b->x0[k]) > LENGTH / 6.0) continue;
        double d = e.x[k] - b->x0[k];
        n += 1.0, x += b->x0[k], xx += b->x0[k] * b->x0[k], u += d, xu += b->x0[k] * d;
    }
    return (n * xu - x * u) / (n * xx - x * x);
}

static double modulus_of(double jitter, double displacement)
{
    sherd_error error;
    const double ramp = 0.02; // 20 times the time that sound takes along the bar
    bar b = make_bar(jitter, displacement, ramp);
    cr_assert_eq(sherd_world_advance(b.world, 2.0 * ramp, &error), SHERD_OK, "%s", error.what);
    sherd_world_reset_probes(b.world);
    cr_assert_eq(sherd_world_advance(b.world, 2.5 * ramp, &error), SHERD_OK, "%s", error.what);
    double force = -sherd_world_probe_driver(b.world, b.pull).force.x;
    double modulus = force / (WIDTH * WIDTH * strain_of(&b));
    free_bar(&b);
    return modulus;
}

// docs/reference/scene-bodies.md says 0.60 of the bonds' modulus; a bar three cells wide is 0.02 stiffer. The affine
// estimate for sections that fill space, (2 + 3 G/E) / (4 + G/E) = 0.727, is an upper bound.
Test(tetra_packing, modulus_of_a_pulled_bar)
{
    double lattice = modulus_of(0.0, 1e-4 * LENGTH) / E_BOND;
    double jittered = modulus_of(0.2, 1e-4 * LENGTH) / E_BOND;
    cr_assert(lattice > 0.58 && lattice < 0.64, "%g", lattice);
    cr_assert(jittered > 0.58 && jittered < 0.64, "%g", jittered);
}

// Contacts must not stiffen the unbroken solid: pushed, it is as soft as pulled. 1 %: strains of 1e-4.
Test(tetra_packing, pushed_as_pulled)
{
    double pulled = modulus_of(0.2, 1e-4 * LENGTH), pushed = modulus_of(0.2, -1e-4 * LENGTH);
    cr_assert(epsilon_eq(dbl, pushed, pulled, 0.01 * pulled));
}

// ---------------------------------------------------------------- slivers

static double stable_step(const sherd_packing *p)
{
    sherd_error error;
    sherd_world_def def = sherd_world_def_default();
    def.contacts = false;
    sherd_world *world = sherd_world_create(&def, &error);
    sherd_material_def m = sherd_material_def_default();
    add_solid(world, p, &m);
    double step = sherd_world_stable_time_step(world, &error);
    sherd_world_destroy(world);
    return step;
}

// Writes the packing's mesh with one inner vertex moved until a tetrahedron at it has lost all but
// 1/1000 of its height.
static char *write_with_sliver(const sherd_packing *p)
{
    static char path[128];
    snprintf(path, sizeof path, "/tmp/sherd-test-sliver-%d.msh", (int)getpid());
    FILE *file = fopen(path, "w");
    cr_assert(file != NULL);
    const sherd_tetra_mesh *mesh = p->tetra;
    int32_t t = 0; // the one nearest to the centre
    for (int32_t k = 1; k < p->count; ++k)
        if (vec3_length(centre(p, k)) < vec3_length(centre(p, t))) t = k;
    const int32_t *c = tetra_corners(mesh, t);
    sherd_vec3 out = tetra_face_vector(mesh, t, 0), apex = tetra_vertex(mesh, c[0]);
    double height = -vec3_dot(out, vec3_sub(apex, tetra_vertex(mesh, c[1]))) / vec3_length(out);
    sherd_vec3 low = vec3_add_scaled(apex, 0.999 * height, vec3_normalize(out));
    fprintf(file, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n%d\n", mesh->vertex_count);
    for (int32_t v = 0; v < mesh->vertex_count; ++v) {
        sherd_vec3 x = v == c[0] ? low : tetra_vertex(mesh, v);
        fprintf(file, "%d %.17g %.17g %.17g\n", v + 1, x.x, x.y, x.z);
    }
    fprintf(file, "$EndNodes\n$Elements\n%d\n", mesh->tetra_count);
    for (int32_t k = 0; k < mesh->tetra_count; ++k) {
        const int32_t *v = tetra_corners(mesh, k);
        fprintf(file, "%d 4 0 %d %d %d %d\n", k + 1, v[0] + 1, v[1] + 1, v[2] + 1, v[3] + 1);
    }
    fprintf(file, "$EndElements\n");
    fclose(file);
    return path;
}

// A sliver a thousandth as high as it should be would shorten steps to a thirtieth. Weaker bonds and more mass
// leave a quarter, 0.254 here: they bound what it takes to move an element, and its ends are turned about a
// sphere of its own small size.
Test(tetra_packing, slivers_shorten_steps_to_a_quarter_at_most)
{
    sherd_error error;
    sherd_packing *good = pack(sherd_shape_box((sherd_vec3){0.02, 0.02, 0.02}, &error), 0.003, 0.0);
    char *path = write_with_sliver(good);
    sherd_packing_def def = def_of(0.0, 0.0);
    def.tetra.mesh_file = path;
    sherd_packing *bad = sherd_packing_create(NULL, &def, &error);
    cr_assert(bad != NULL, "%s: %s", error.where, error.what);
    unlink(path);
    cr_assert_gt(bad->tetra_quality.slivers, 0);
    cr_assert_gt(bad->weakened_bonds, 0);
    cr_assert_lt(bad->weakened_bonds, 120); // those around the sliver and what it squeezed
    double before = stable_step(good), after = stable_step(bad);
    cr_assert(lt(dbl, 0.25 * before, after));
    sherd_packing_destroy(good);
    sherd_packing_destroy(bad);
}

// ---------------------------------------------------------------- bad input

static void expect_refusal(const sherd_shape *shape, const sherd_packing_def *def,
                           const char *where)
{
    sherd_error error = {0};
    cr_expect(sherd_packing_create(shape, def, &error) == NULL);
    cr_expect_eq(error.status, SHERD_ERROR_INPUT);
    cr_expect(strstr(error.where, where) != NULL, "%s is not in %s", where, error.where);
}

// A box, two that do not touch, and two that a film a tenth of a tetrahedron thick should join.
Test(tetra_packing, parts_without_a_bond_are_counted)
{
    sherd_error error;
    sherd_packing_def def = sherd_packing_def_default();
    def.kind = SHERD_PACKING_TETRA;
    def.tetra.size = 4e-3;
    const int32_t parts[] = {1, 2, 2};
    for (int k = 0; k < 3; ++k) {
        sherd_vec3 size = {20e-3, 20e-3, 20e-3};
        sherd_shape *shape = sherd_shape_box(size, &error);
        if (k > 0) {
            sherd_pose aside = {{30e-3, 0.0, 0.0}, SHERD_QUAT_IDENTITY};
            sherd_shape *other = sherd_shape_placed(sherd_shape_box(size, &error), aside, &error);
            shape = sherd_shape_union(shape, other, &error);
        }
        if (k == 2)
            shape = sherd_shape_union(
                shape, sherd_shape_box((sherd_vec3){50e-3, 20e-3, 0.4e-3}, &error), &error);
        sherd_packing *packing = sherd_packing_create(shape, &def, &error);
        cr_assert(packing != NULL, "%s", error.what);
        cr_assert(packing->parts == parts[k], "%d: %d parts", k, packing->parts);
        sherd_packing_destroy(packing);
        sherd_shape_destroy(shape);
    }
}

Test(tetra_packing, bad_definitions_are_refused)
{
    sherd_error error;
    sherd_shape *ball = sherd_shape_sphere(0.01, &error);
    const double wrong[] = {0.0, -1.0, NAN, INFINITY};
    for (int k = 0; k < 4; ++k) {
        sherd_packing_def def = def_of(wrong[k], 0.2);
        expect_refusal(ball, &def, "packing.tetra.size");
        def = def_of(0.002, 0.2);
        def.tetra.time_limit = wrong[k];
        expect_refusal(ball, &def, "packing.tetra.time_limit");
        def = def_of(0.002, 0.2);
        def.tetra.mesh_scale = wrong[k];
        expect_refusal(ball, &def, "packing.tetra.mesh_scale");
    }
    sherd_packing_def def = def_of(0.002, 0.2);
    expect_refusal(NULL, &def, "packing.shape");
    def.max_elements = 100;
    expect_refusal(ball, &def, "tetra.size");
    sherd_shape_destroy(ball);
}

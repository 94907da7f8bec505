// Cracks go where art direction draws them.
#include "physics/block.h"

#include <sherd/fragments.h>
#include <sherd/weakness.h>

#include <stdlib.h>

static sherd_weakness *make_weakness(const sherd_weakness_def *def)
{
    sherd_error error = {0};
    sherd_weakness *w = sherd_weakness_create(def, &error);
    cr_assert(w != NULL, "%s: %s", error.where, error.what);
    return w;
}

static sherd_world *world_of(sherd_vec3 size, const sherd_weakness_list *list,
                             sherd_vec3 angular_velocity)
{
    sherd_error error;
    sherd_world_def def = sherd_world_def_default();
    def.gravity.z = 0.0;
    def.threads = 2;
    def.contacts = false;
    sherd_world *world = sherd_world_create(&def, &error);
    block b = block_default();
    b.size = size;
    b.material.youngs_modulus = 1e8;
    b.material.shear_modulus = 4e7;
    b.material.tensile_strength = b.material.shear_strength = 4e6;
    b.material.bond_damping = 0.2;
    b.angular_velocity = angular_velocity;
    b.weakness = list;
    add_block(world, &b, NULL);
    return world;
}

// ---------------------------------------------------------------- fragments as drawn

// Whether each bond crosses a drawn wall.
static uint8_t *drawn_bonds(const sherd_world *world, const sherd_weakness *walls)
{
    sherd_bond_view bonds = sherd_world_bonds(world);
    uint8_t *drawn = calloc((size_t)bonds.count, 1);
    for (sherd_bond_index k = 0; k < bonds.count; ++k)
        drawn[k] = sherd_weakness_amount(walls, sherd_world_element(world, bonds.i[k]).rest,
                                         sherd_world_element(world, bonds.j[k]).rest) > 0.0;
    return drawn;
}

typedef struct pieces {
    int count;          // of at least a few elements
    double mean_volume; // of the piece that an element is in, on average [m^3]
} pieces;

// What the bonds that are not `broken` hold together. A piece's volume is its share of the body's.
static pieces find_pieces(const sherd_world *world, const uint8_t *broken, double volume)
{
    enum { FEW = 8 };
    sherd_error error;
    sherd_element_index n = sherd_world_elements(world).count;
    sherd_bond_view bonds = sherd_world_bonds(world);
    double *one = calloc((size_t)n, sizeof *one);
    for (sherd_element_index k = 0; k < n; ++k)
        one[k] = 1.0;
    sherd_fragment_input input = {.element_count = n,
                                  .mass = one,
                                  .radius = one,
                                  .bond_count = bonds.count,
                                  .bond_i = bonds.i,
                                  .bond_j = bonds.j,
                                  .bond_broken = broken};
    sherd_fragments *fragments = sherd_fragments_create(&error);
    cr_assert(sherd_fragments_update(fragments, &input, &error) == SHERD_OK);
    sherd_fragment_view view = sherd_fragments_view(fragments);
    pieces result = {0};
    for (int32_t k = 0; k < view.count; ++k) {
        double share = (double)view.fragments[k].count / n;
        result.count += view.fragments[k].count >= FEW;
        result.mean_volume += share * share * volume;
    }
    sherd_fragments_destroy(fragments);
    free(one);
    return result;
}

// A spinning block bursts when the stress of about rho (omega R)^2 / 3 = 1 MPa is there at once: five
// times the walls' strength and a quarter of the rest's. Pieces are then those that were drawn, give
// and take some splinters at their rims.
Test(drawn_cracks, block_bursts_into_cells)
{
    sherd_weakness_def def = sherd_weakness_def_default();
    def.kind = SHERD_WEAKNESS_VORONOI;
    def.size = 0.01, def.seed = 5, def.strength = 0.05;
    sherd_weakness *walls = make_weakness(&def);
    sherd_weakness_list list = {1, &walls};
    sherd_vec3 size = {0.04, 0.04, 0.02};
    sherd_world *world = world_of(size, &list, (sherd_vec3){0, 0, 1500});
    run_steps(world, 500);
    sherd_bond_view bonds = sherd_world_bonds(world);
    uint8_t *drawn = drawn_bonds(world, walls);
    int64_t broken = 0, crossing = 0, both = 0;
    for (sherd_bond_index k = 0; k < bonds.count; ++k)
        broken += bonds.broken[k], crossing += drawn[k], both += drawn[k] && bonds.broken[k];
    sherd_body_bonds body = sherd_world_body_bonds(world, 0);
    cr_assert(eq(i64, body.weakened, crossing));
    cr_assert(eq(i64, body.broken, 0));
    cr_assert(eq(dbl, body.least_strength, (double)0.05F));
    cr_assert(both > 0.95 * broken, "%lld of %lld are drawn", (long long)both, (long long)broken);
    cr_assert(both > 0.8 * crossing, "%lld of %lld broke", (long long)both, (long long)crossing);
    double volume = size.x * size.y * size.z;
    pieces now = find_pieces(world, bonds.broken, volume),
           cells = find_pieces(world, drawn, volume);
    // The innermost cells are not pulled at much, and small ones hang on to others.
    cr_assert(now.count >= 0.7 * cells.count && now.count <= 1.1 * cells.count,
              "%d pieces, %d cells", now.count, cells.count);
    // An element is in a cell of 1.2 size^3 on average (volumes scatter); the body's faces cut many.
    double mean = now.mean_volume / (def.size * def.size * def.size);
    cr_assert(mean > 0.5 && mean < 1.4, "%g", mean);
    free(drawn);
    sherd_world_destroy(world);
    sherd_weakness_destroy(walls);
}

// ---------------------------------------------------------------- a notch

static void grip(sherd_world *world, double side, double speed)
{
    sherd_error error;
    sherd_driver_def d = sherd_driver_def_default();
    sherd_shape *box = sherd_shape_box((sherd_vec3){0.008, 1.0, 1.0}, &error);
    d.region.shape = box;
    d.region.pose.position.x = side * 0.02;
    d.drive = SHERD_DRIVE_MOTION;
    d.motion.velocity.x = side * speed;
    cr_assert(sherd_world_add_driver(world, &d, &error).index1 != 0, "%s", error.what);
    sherd_shape_destroy(box);
}

// A plate pulled apart, with a crack from one edge through a third of its height. All of it is equally
// strong, so that only the crack says where it parts: there, in the plane of the crack.
Test(drawn_cracks, plate_parts_at_the_crack)
{
    const double at = 0.005;
    const sherd_vec3 corners[] = {
        {at, -0.02, -0.01}, {at, -0.004, -0.01}, {at, -0.004, 0.01}, {at, -0.02, 0.01}};
    sherd_weakness_def def = sherd_weakness_def_default();
    def.kind = SHERD_WEAKNESS_CUT, def.cut = SHERD_CUT_POLYGON;
    def.points = corners, def.point_count = 4, def.strength = 0.0;
    sherd_weakness *crack = make_weakness(&def);
    sherd_weakness_list list = {1, &crack};
    sherd_vec3 size = {0.04, 0.02, 0.008};
    sherd_world *world = world_of(size, &list, (sherd_vec3){0, 0, 0});
    grip(world, -1.0, 1.0), grip(world, 1.0, 1.0);
    int64_t cracked = sherd_world_bonds(world).broken_count;
    cr_assert(cracked > 20, "%lld", (long long)cracked);
    cr_assert(eq(i64, sherd_world_body_bonds(world, 0).broken, cracked));
    for (int k = 0; k < 60 && find_pieces(world, sherd_world_bonds(world).broken, 1.0).count < 2;
         ++k)
        run_steps(world, 25);
    sherd_bond_view bonds = sherd_world_bonds(world);
    cr_assert(eq(int, find_pieces(world, bonds.broken, 1.0).count, 2));
    int64_t near = 0, far = 0;
    for (sherd_bond_index k = 0; k < bonds.count; ++k) {
        double x = 0.5 * (sherd_world_element(world, bonds.i[k]).rest.x +
                          sherd_world_element(world, bonds.j[k]).rest.x);
        bool is_near = fabs(x - at) < 0.003; // three elements' radii
        near += bonds.broken[k] && is_near, far += bonds.broken[k] && !is_near;
    }
    cr_assert(near > cracked && far < near / 10, "%lld near the crack's plane, %lld elsewhere",
              (long long)near, (long long)far);
    sherd_world_destroy(world);
    sherd_weakness_destroy(crack);
}

// ---------------------------------------------------------------- resumed

// The world's components are those that its bonds make.
static void check_components(const sherd_world *world)
{
    sherd_element_index n = sherd_world_elements(world).count;
    sherd_bond_view bonds = sherd_world_bonds(world);
    sherd_element_index *first = calloc((size_t)n, sizeof *first);
    double *one = calloc((size_t)n, sizeof *one);
    for (sherd_element_index k = 0; k < n; ++k)
        one[k] = 1.0;
    sherd_fragment_input input = {.element_count = n,
                                  .mass = one,
                                  .radius = one,
                                  .bond_count = bonds.count,
                                  .bond_i = bonds.i,
                                  .bond_j = bonds.j,
                                  .bond_broken = bonds.broken};
    sherd_fragments *fragments = sherd_fragments_create(NULL);
    cr_assert(sherd_fragments_update(fragments, &input, NULL) == SHERD_OK);
    sherd_fragment_view view = sherd_fragments_view(fragments);
    cr_assert(lt(int, 1, view.count));
    sherd_world_components(world, first);
    for (sherd_element_index k = 0; k < n; ++k)
        cr_assert(eq(int, first[k], view.fragments[view.element_slot[k]].first));
    sherd_fragments_destroy(fragments);
    free(first);
    free(one);
}

// Pre-cracks and weak bonds come from the definition; a restored run goes on bit for bit.
Test(drawn_cracks, restored_world_goes_on_bitwise)
{
    sherd_weakness_def cut = sherd_weakness_def_default(), noise = cut;
    cut.kind = SHERD_WEAKNESS_CUT, cut.normal = (sherd_vec3){1, 0, 1}, cut.strength = 0.0;
    noise.kind = SHERD_WEAKNESS_NOISE, noise.size = 0.005, noise.strength = 0.05;
    noise.stiffness = 0.5;
    sherd_weakness *both[] = {make_weakness(&cut), make_weakness(&noise)};
    sherd_weakness_list list = {2, both};
    sherd_vec3 size = {0.02, 0.02, 0.01}, spin = {0, 0, 2500};
    sherd_world *a = world_of(size, &list, spin), *b = world_of(size, &list, spin);
    sherd_error error;
    void *state;
    size_t bytes;
    run_steps(a, 120);
    cr_assert(sherd_world_save(a, &state, &bytes, &error) == SHERD_OK);
    cr_assert(sherd_world_restore(b, state, bytes, &error) == SHERD_OK, "%s", error.what);
    run_steps(a, 80), run_steps(b, 80);
    int64_t broken = sherd_world_bonds(a).broken_count;
    cr_assert(broken > sherd_world_body_bonds(a, 0).broken);
    cr_assert(eq(u64, sherd_world_state_hash(a), sherd_world_state_hash(b)));
    check_components(a);
    sherd_world_free_state(state);
    sherd_world_destroy(a), sherd_world_destroy(b);
    sherd_weakness_destroy(both[0]), sherd_weakness_destroy(both[1]);
}

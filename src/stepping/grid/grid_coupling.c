#include "stepping/grid/grid_coupling.h"

#include "base/error.h"
#include "base/memory.h"
#include "contact/contact_part.h"
#include "contact/contact_system.h"
#include "math/quat.h"
#include "math/vec3.h"
#include "models/mpm/grid/mpm_axes.h"
#include "models/mpm/mpm_model.h"
#include "stepping/grid/grid_coupled_contact.h"
#include "stepping/grid/grid_part.h"
#include "stepping/regions/time_regions.h"

#include <math.h>
#include <string.h>

// An element is cut into at least 2 and at most MAX_CUTS slices along an axis, at most THICKEST
// thick.
enum { FEWEST_CUTS = 2, MAX_CUTS = 2 * SHERD_COUPLED_LARGEST_ELEMENT };
static const double THICKEST = 0.75; // [h]

// Cubes of a free body; those deeper than DEEPEST are irrelevant for its surface.
static const double CUBE = 0.5, DEEPEST = 4.0; // [h]

// Blocks of nodes reach at most this far beyond points [h].
static const double REACH = 8.0;

// Nodes get the mass of a coupled body's nearby samples. If these are all on one side, the body
// rotates more easily than it translates; the mass is then reduced, so that no step gives the body
// more than MAX_IMPULSE_RATIO of the change to the nodes' velocity.
static const double MAX_IMPULSE_RATIO = 1.5;

// ---------------------------------------------------------------- creation

static void free_cloud(sherd_coupled_cloud *cloud)
{
    sherd_free(cloud->at), sherd_free(cloud->volume);
    sherd_grid_edges_free(&cloud->edges);
}

void sherd_grid_coupling_destroy(sherd_grid_coupling *g)
{
    if (g == NULL) return;
    sherd_mpm_coupling_release(&g->samples);
    for (int k = 0; k < g->cloud_count; ++k)
        free_cloud(&g->clouds[k]);
    sherd_free(g->owner), sherd_free(g->arm), sherd_free(g->list);
    sherd_free(g->clouds), sherd_free(g->rigids), sherd_free(g->bulk), sherd_free(g->blocks),
        sherd_free(g->gained);
    sherd_free(g->met), sherd_free(g->surfaces), sherd_free(g->outer);
    sherd_free(g);
}

void sherd_grid_coupling_forget(sherd_system *s)
{
    if (s->coupling != NULL) s->coupling->listed = false;
}

static bool add_cube(sherd_coupled_cloud *c, sherd_vec3 at, double volume)
{
    size_t list_capacity = c->capacity;
    if (!sherd_grow((void **)&c->at, &list_capacity, c->count + 1, sizeof *c->at)) return false;
    if (!sherd_grow((void **)&c->volume, &c->capacity, c->count + 1, sizeof *c->volume))
        return false;
    c->at[c->count] = at, c->volume[c->count++] = volume;
    return true;
}

// Cubes at the surface are weighted with their fraction inside, as for a plane face.
static bool fill_cloud(sherd_coupled_cloud *c, const sherd_obstacle *o, double h)
{
    const sherd_mass_properties *p = &o->body.properties;
    double step = CUBE * h, edge = step;
    int half = (int)ceil(o->radius / edge) + 1;
    for (int z = -half; z < half; ++z)
        for (int y = -half; y < half; ++y)
            for (int x = -half; x < half; ++x) {
                sherd_vec3 at = vec3((x + 0.5) * step, (y + 0.5) * step, (z + 0.5) * step);
                double inside = -sherd_shape_distance(o->shape, at);
                double fraction = fmin(1.0, 0.5 + inside / step);
                if (!(fraction > 0.0) || inside > DEEPEST * h) continue;
                sherd_vec3 local = quat_rotate(quat_conjugate(p->axes), vec3_sub(at, p->centre));
                if (!add_cube(c, local, fraction * step * step * step)) return false;
            }
    return true;
}

static sherd_status make_cloud(sherd_grid_coupling *g, const sherd_system *s, int obstacle,
                               sherd_error *error)
{
    const sherd_obstacle *o = &s->contacts->obstacles[obstacle];
    double h = s->points->m.def.spacing;
    sherd_coupled_cloud *c = &g->clouds[g->cloud_count];
    uint32_t bodies = s->points->coupled_count - (uint32_t)s->points->free_count;
    *c = (sherd_coupled_cloud){.obstacle = obstacle,
                               .body = s->points->piece_count + bodies + (uint32_t)g->cloud_count};
    ++g->cloud_count;
    if (!fill_cloud(c, o, h)) return sherd_fail_memory(error, "free bodies beside points");
    if (s->points->m.penalty.surface.count == 0) return SHERD_OK;
    return sherd_grid_edges_find(&c->edges, o, s->points->lattice.spacing, error);
}

static sherd_status make_clouds(sherd_grid_coupling *g, const sherd_system *s, sherd_error *error)
{
    const sherd_contacts *c = s->contacts;
    g->clouds = sherd_alloc((size_t)s->points->free_count, sizeof *g->clouds);
    g->rigids = sherd_alloc((size_t)s->points->free_count, sizeof *g->rigids);
    g->surfaces = sherd_alloc((size_t)s->points->free_count, sizeof *g->surfaces);
    if (g->clouds == NULL || g->rigids == NULL || g->surfaces == NULL)
        return sherd_fail_memory(error, "free bodies beside points");
    sherd_status status = SHERD_OK;
    for (int o = 0; c != NULL && o < c->obstacle_count; ++o)
        if (c->obstacles[o].kind == SHERD_OBSTACLE_FREE && status == SHERD_OK)
            status = make_cloud(g, s, o, error);
    return status;
}

static const double PI = 3.14159265358979323846;

static double bulk_of(const sherd_system *s, sherd_element_index k)
{
    double r = sherd_element_radius(&s->elements, k);
    const sherd_bond_solid *solid = sherd_bond_solid_of(&s->bonds, &s->elements, k);
    return solid == NULL ? 4.0 / 3.0 * PI * r * r * r
                         : solid->volume_per_mass * sherd_element_mass(&s->elements, k);
}

static sherd_status find_bulk(sherd_grid_coupling *g, const sherd_system *s, sherd_error *error)
{
    g->bulk = sherd_alloc((size_t)s->elements.count, sizeof *g->bulk);
    if (g->bulk == NULL) return sherd_fail_memory(error, "elements beside points");
    for (sherd_element_index k = 0; k < s->elements.count; ++k) {
        double r = sherd_element_radius(&s->elements, k);
        g->bulk[k] = 4.0 / 3.0 * PI * r * r * r;
    }
    for (int64_t n = 0; n < s->bonds.count; ++n) {
        g->bulk[s->bonds.i[n]] = bulk_of(s, s->bonds.i[n]);
        g->bulk[s->bonds.j[n]] = bulk_of(s, s->bonds.j[n]);
    }
    return SHERD_OK;
}

sherd_status sherd_grid_coupling_make(sherd_system *s, sherd_error *error)
{
    if (s->coupling != NULL || sherd_grid_part(s) == NULL) return SHERD_OK;
    s->coupling = sherd_alloc(1, sizeof *s->coupling);
    if (s->coupling == NULL) return sherd_fail_memory(error, "elements beside points");
    sherd_status status = find_bulk(s->coupling, s, error);
    return status == SHERD_OK ? make_clouds(s->coupling, s, error) : status;
}

// ---------------------------------------------------------------- selection of nearby bodies

static sherd_bounds bounds_of_points(const sherd_mpm *m)
{
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (int axis = 0; axis < 3; ++axis)
        for (size_t k = 0; k < m->points.count; ++k) {
            low[axis] = fmin(low[axis], m->points.x[axis][k]);
            high[axis] = fmax(high[axis], m->points.x[axis][k]);
        }
    return (sherd_bounds){vec3(low[0], low[1], low[2]), vec3(high[0], high[1], high[2])};
}

// True within `reach` of a box.
static bool is_within(const sherd_bounds *b, sherd_vec3 at, double reach)
{
    return at.x > b->low.x - reach && at.x < b->high.x + reach && at.y > b->low.y - reach &&
           at.y < b->high.y + reach && at.z > b->low.z - reach && at.z < b->high.z + reach;
}

static bool list_one(sherd_grid_coupling *g, int cloud, sherd_element_index element)
{
    if (!sherd_grow((void **)&g->list, &g->capacity, g->count + 1, sizeof *g->list)) return false;
    g->list[g->count++] = (sherd_grid_coupled_body){.cloud = cloud, .element = element};
    return true;
}

static bool list_candidates(sherd_grid_coupling *g, const sherd_system *s)
{
    const sherd_system *part = sherd_grid_part(s);
    sherd_bounds box = bounds_of_points(&s->points->m);
    double reach = REACH * s->points->m.def.spacing;
    g->count = 0;
    for (sherd_element_index k = 0; k < part->elements.count; ++k)
        if (is_within(&box, sherd_element_position(&part->elements, k),
                      reach + sherd_element_radius(&part->elements, k)) &&
            !list_one(g, -1, k))
            return false;
    for (int c = 0; c < g->cloud_count && s->regions->list[0].has_bodies; ++c) {
        const sherd_obstacle *o = &part->contacts->obstacles[g->clouds[c].obstacle];
        if (is_within(&box, o->pose.position, reach + o->radius) && !list_one(g, c, 0))
            return false;
    }
    return true;
}

// ---------------------------------------------------------------- samples

typedef bool sample_visitor(void *context, sherd_vec3 at, double volume);

// Cubes of an element: all whose centres are within its sphere.
static bool visit_element(double radius, double h, sample_visitor *visit, void *context)
{
    int cuts = (int)ceil(2.0 * radius / (THICKEST * h));
    cuts = cuts < FEWEST_CUTS ? FEWEST_CUTS : cuts > MAX_CUTS ? MAX_CUTS : cuts;
    double edge = 2.0 * radius / cuts, first = 0.5 * edge - radius;
    for (int z = 0; z < cuts; ++z)
        for (int y = 0; y < cuts; ++y)
            for (int x = 0; x < cuts; ++x) {
                sherd_vec3 at = vec3(first + x * edge, first + y * edge, first + z * edge);
                if (vec3_dot(at, at) > radius * radius) continue;
                if (!visit(context, at, edge * edge * edge)) return false;
            }
    return true;
}

static bool visit_samples(const sherd_grid_coupling *g, const sherd_system *s,
                          const sherd_grid_coupled_body *coupled, sample_visitor *visit,
                          void *context)
{
    if (coupled->cloud < 0)
        return visit_element(sherd_element_radius(&sherd_grid_part(s)->elements, coupled->element),
                             s->points->m.def.spacing, visit, context);
    const sherd_coupled_cloud *c = &g->clouds[coupled->cloud];
    for (size_t k = 0; k < c->count; ++k)
        if (!visit(context, c->at[k], c->volume[k])) return false;
    return true;
}

// ---------------------------------------------------------------- blocks

typedef struct blocks_job {
    sherd_grid_coupling *coupling;
    const sherd_mpm_grid *grid;
    sherd_coupled_carrier carrier;
    uint32_t body;
    bool found; // found a layer
} blocks_job;

static bool same_block(const sherd_mpm_coupled_block *b, const int32_t block[3], uint32_t body)
{
    return b->body == body && b->block[0] == block[0] && b->block[1] == block[1] &&
           b->block[2] == block[2];
}

static bool list_block(sherd_grid_coupling *g, const int32_t block[3], uint32_t body)
{
    for (size_t k = g->block_count, seen = 0; k > 0 && seen < SHERD_MPM_PARTS; --k, ++seen)
        if (same_block(&g->blocks[k - 1], block, body)) return true;
    if (!sherd_grow((void **)&g->blocks, &g->block_capacity, g->block_count + 1, sizeof *g->blocks))
        return false;
    g->blocks[g->block_count++] = (sherd_mpm_coupled_block){{block[0], block[1], block[2]}, body};
    return true;
}

static sherd_vec3 position_of(const sherd_coupled_carrier *c, sherd_vec3 at, sherd_vec3 *arm)
{
    *arm = quat_rotate(c->rotation, at);
    return vec3_add(c->centre, *arm);
}

static bool list_sample(void *context, sherd_vec3 at, double volume)
{
    blocks_job *j = context;
    sherd_vec3 arm, world_position = position_of(&j->carrier, at, &arm);
    int32_t blocks[SHERD_MPM_PARTS][3];
    int count = sherd_mpm_find_coupled_blocks(
        j->grid, (double[3]){world_position.x, world_position.y, world_position.z}, blocks);
    (void)volume;
    for (int k = 0; k < count; ++k)
        if (!list_block(j->coupling, blocks[k], j->body)) return false;
    return true;
}

static bool list_blocks(sherd_grid_coupling *g, const sherd_system *s)
{
    g->block_count = 0;
    for (size_t k = 0; k < g->count; ++k) {
        blocks_job j = {g, &s->points->m.grid,
                        sherd_coupled_carrier_of(g, sherd_grid_part(s), &g->list[k]),
                        sherd_coupled_body(g, s, sherd_grid_part_members(s), &g->list[k]), false};
        if (!visit_samples(g, s, &g->list[k], list_sample, &j)) return false;
    }
    return true;
}

// Stops at the first nearby one.
static bool examine_sample(void *context, sherd_vec3 at, double volume)
{
    blocks_job *j = context;
    sherd_vec3 arm, world_position = position_of(&j->carrier, at, &arm);
    (void)volume;
    j->found = sherd_mpm_is_coupled_sample_near(
        j->grid, (double[3]){world_position.x, world_position.y, world_position.z}, j->body, true);
    return !j->found;
}

// Drops those that can reach no layer until points are sorted again.
static void drop_far(sherd_grid_coupling *g, const sherd_system *s)
{
    size_t kept = 0;
    for (size_t k = 0; k < g->count; ++k) {
        blocks_job j = {g, &s->points->m.grid,
                        sherd_coupled_carrier_of(g, sherd_grid_part(s), &g->list[k]),
                        sherd_coupled_body(g, s, sherd_grid_part_members(s), &g->list[k]), false};
        visit_samples(g, s, &g->list[k], examine_sample, &j);
        if (j.found) g->list[kept++] = g->list[k];
    }
    g->count = kept;
}

// A restored run may list more of them, but these do not reach nodes of points.
static sherd_status sort(sherd_grid_coupling *g, sherd_system *s, sherd_error *error)
{
    sherd_mpm *m = &s->points->m;
    bool sorts = sherd_mpm_must_sort(m);
    if (!sorts && g->listed) return SHERD_OK;
    if (!list_candidates(g, s) || !list_blocks(g, s))
        return sherd_fail_memory(error, "elements beside points");
    m->grid.coupled_blocks = g->blocks, m->grid.coupled_block_count = g->block_count;
    sherd_status status = sherd_point_bodies_sort(s->points, error);
    m->grid.coupled_blocks = NULL, m->grid.coupled_block_count = 0;
    if (status == SHERD_OK) drop_far(g, s);
    g->listed = status == SHERD_OK;
    return status;
}

// ---------------------------------------------------------------- filling

typedef struct filling {
    sherd_grid_coupling *coupling;
    const sherd_mpm_grid *grid;
    sherd_coupled_carrier carrier;
    uint32_t body;
    int32_t owner;
    double volume, near; // of all samples, and of the nearby ones [m^3]
    sherd_vec3 turning;  // of the latter: volume times distance^2 from each axis [m^5]
} filling;

static bool reserve(sherd_grid_coupling *g, size_t count)
{
    if (count <= g->owner_capacity && count <= g->samples.capacity) return true;
    size_t more = count + count / 2, owners = g->owner_capacity, arms = g->owner_capacity;
    if (!sherd_mpm_coupling_reserve(&g->samples, more) ||
        !sherd_grow((void **)&g->owner, &owners, more, sizeof *g->owner) ||
        !sherd_grow((void **)&g->arm, &arms, more, sizeof *g->arm))
        return false;
    g->owner_capacity = more;
    return true;
}

static bool fill_sample(void *context, sherd_vec3 at, double volume)
{
    filling *f = context;
    sherd_grid_coupling *g = f->coupling;
    sherd_mpm_coupling *s = &g->samples;
    sherd_vec3 arm, world_position = position_of(&f->carrier, at, &arm);
    f->volume += volume;
    const double x[3] = {world_position.x, world_position.y, world_position.z};
    if (!sherd_mpm_is_coupled_sample_near(f->grid, x, f->body, false)) return true;
    if (!reserve(g, s->count + 1)) return false;
    size_t k = s->count++;
    sherd_vec3 v = vec3_add(f->carrier.v, vec3_cross(f->carrier.w, arm));
    s->x[0][k] = x[0], s->x[1][k] = x[1], s->x[2][k] = x[2];
    s->v[0][k] = v.x, s->v[1][k] = v.y, s->v[2][k] = v.z;
    s->volume[k] = volume, s->body[k] = f->body;
    g->owner[k] = f->owner, g->arm[k] = arm;
    f->near += volume;
    f->turning = vec3_add(f->turning, vec3(volume * (at.y * at.y + at.z * at.z),
                                           volume * (at.x * at.x + at.z * at.z),
                                           volume * (at.x * at.x + at.y * at.y)));
    return true;
}

// Mass per volume of samples.
static double density_of(const filling *f)
{
    const sherd_coupled_carrier *c = &f->carrier;
    double density = c->mass / f->near;
    if (f->near == f->volume) return density;
    double rotational = fmax(f->turning.x / c->inertia.x,
                             fmax(f->turning.y / c->inertia.y, f->turning.z / c->inertia.z));
    return density * fmin(1.0, MAX_IMPULSE_RATIO / (1.0 + density * rotational));
}

// Velocity at the end of the step, without gravity and points.
static sherd_coupled_carrier expected(const sherd_grid_coupling *g, const sherd_system *s,
                                      const sherd_grid_coupled_body *coupled)
{
    sherd_coupled_carrier c = sherd_coupled_carrier_of(g, sherd_grid_part(s), coupled);
    if (coupled->cloud >= 0) return c;
    const sherd_mpm *m = &s->points->m;
    sherd_element_index k = sherd_grid_part_members(s)[coupled->element];
    c.v = vec3_add_scaled(c.v, g->dt, vec3(m->trend[0][k], m->trend[1][k], m->trend[2][k]));
    return c;
}

static bool fill_coupled(sherd_grid_coupling *g, const sherd_system *s, size_t number)
{
    const sherd_grid_coupled_body *coupled = &g->list[number];
    size_t first = g->samples.count;
    filling f = {.coupling = g,
                 .grid = &s->points->m.grid,
                 .carrier = expected(g, s, coupled),
                 .body = sherd_coupled_body(g, s, sherd_grid_part_members(s), coupled),
                 .owner = (int32_t)number};
    if (!visit_samples(g, s, coupled, fill_sample, &f)) return false;
    double density = g->samples.count > first ? density_of(&f) : 0.0;
    for (size_t k = first; k < g->samples.count; ++k)
        g->samples.mass[k] = density * g->samples.volume[k];
    if (coupled->cloud >= 0) return true;
    double fraction = g->bulk[sherd_grid_part_members(s)[coupled->element]] / f.volume;
    for (size_t k = first; k < g->samples.count; ++k)
        g->samples.volume[k] *= fraction;
    return true;
}

// ---------------------------------------------------------------- between rounds of contact

static void sum_impulses(sherd_grid_coupling *g)
{
    for (size_t k = 0; k < g->count; ++k) {
        g->list[k].impulse = g->list[k].angular_impulse = (sherd_vec3){0};
        if (g->list[k].rigid < 0) continue;
        const sherd_mpm_rigid_body *r = &g->samples.rigids[g->list[k].rigid];
        g->list[k].impulse = vec3(r->impulse[0], r->impulse[1], r->impulse[2]);
        g->list[k].angular_impulse =
            vec3(r->angular_impulse[0], r->angular_impulse[1], r->angular_impulse[2]);
    }
    for (size_t k = 0; k < g->samples.count; ++k) {
        sherd_grid_coupled_body *coupled = &g->list[g->owner[k]];
        sherd_vec3 impulse = {g->samples.impulse[0][k], g->samples.impulse[1][k],
                              g->samples.impulse[2][k]};
        coupled->impulse = vec3_add(coupled->impulse, impulse);
        coupled->angular_impulse =
            vec3_add(coupled->angular_impulse, vec3_cross(g->arm[k], impulse));
    }
}

// Velocities along axes that a driver holds do not change.
sherd_vec3 sherd_coupled_without_held(uint8_t held, sherd_vec3 impulse)
{
    return (sherd_vec3){held & SHERD_HELD_X ? 0.0 : impulse.x,
                        held & SHERD_HELD_Y ? 0.0 : impulse.y,
                        held & SHERD_HELD_Z ? 0.0 : impulse.z};
}

// Includes its whole impulse.
static sherd_coupled_carrier carried(const sherd_grid_coupling *g, const sherd_system *s,
                                     const sherd_grid_coupled_body *coupled)
{
    const sherd_system *part = sherd_grid_part(s);
    sherd_coupled_carrier c = expected(g, s, coupled);
    if (coupled->cloud >= 0) {
        sherd_rigid_body body = part->contacts->obstacles[g->clouds[coupled->cloud].obstacle].body;
        sherd_rigid_body_kick(&body, coupled->impulse, coupled->angular_impulse, 1.0);
        c.v = body.velocity, c.w = sherd_rigid_body_spin(&body);
        return c;
    }
    uint8_t held = part->elements.held[coupled->element];
    c.v = vec3_add_scaled(c.v, 1.0 / c.mass, sherd_coupled_without_held(held, coupled->impulse));
    if (!(held & SHERD_HELD_TURN))
        c.w = vec3_add_scaled(c.w, 1.0 / c.inertia.x, coupled->angular_impulse);
    return c;
}

static void set(double to[3], sherd_vec3 v)
{
    to[0] = v.x, to[1] = v.y, to[2] = v.z;
}

static void carry_rigids(const sherd_grid_coupling *g, const sherd_system *s)
{
    for (size_t k = 0; k < g->count; ++k) {
        if (g->list[k].rigid < 0) continue;
        sherd_mpm_rigid_body *r = &g->samples.rigids[g->list[k].rigid];
        sherd_coupled_carrier c = carried(g, s, &g->list[k]);
        set(r->v, c.v), set(r->w, c.w);
    }
}

static void carry_samples(void *context)
{
    sherd_system *s = context;
    sherd_grid_coupling *g = s->coupling;
    sum_impulses(g);
    carry_rigids(g, s);
    for (size_t k = 0; k < g->samples.count;) {
        int32_t owner = g->owner[k];
        sherd_coupled_carrier c = carried(g, s, &g->list[owner]);
        for (; k < g->samples.count && g->owner[k] == owner; ++k) {
            sherd_vec3 v = vec3_add(c.v, vec3_cross(c.w, g->arm[k]));
            g->samples.v[0][k] = v.x, g->samples.v[1][k] = v.y, g->samples.v[2][k] = v.z;
        }
    }
}

// R diag(1 / inertia) R^T.
static void find_inverse_inertia(const sherd_coupled_carrier *c, double inverse_inertia[3][3])
{
    const sherd_vec3 axes[3] = {quat_rotate(c->rotation, vec3(1.0, 0.0, 0.0)),
                                quat_rotate(c->rotation, vec3(0.0, 1.0, 0.0)),
                                quat_rotate(c->rotation, vec3(0.0, 0.0, 1.0))};
    const double inverse[3] = {1.0 / c->inertia.x, 1.0 / c->inertia.y, 1.0 / c->inertia.z};
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k)
            inverse_inertia[i][k] = 0.0;
    for (int a = 0; a < 3; ++a) {
        double axis[3];
        set(axis, axes[a]);
        for (int i = 0; i < 3; ++i)
            for (int k = 0; k < 3; ++k)
                inverse_inertia[i][k] += inverse[a] * axis[i] * axis[k];
    }
}

// Nearby free bodies, as obstacles of fluids.
static void list_rigids(sherd_grid_coupling *g, const sherd_system *s)
{
    const sherd_system *part = sherd_grid_part(s);
    g->samples.rigids = g->rigids, g->samples.rigid_count = 0;
    for (size_t k = 0; k < g->count; ++k) {
        sherd_grid_coupled_body *coupled = &g->list[k];
        coupled->rigid = -1;
        if (coupled->cloud < 0) continue;
        const sherd_coupled_cloud *cloud = &g->clouds[coupled->cloud];
        sherd_coupled_carrier c = sherd_coupled_carrier_of(g, part, coupled);
        coupled->rigid = g->samples.rigid_count++;
        sherd_mpm_rigid_body *r = &g->rigids[coupled->rigid];
        *r = (sherd_mpm_rigid_body){
            .body = cloud->body,
            .surface = {.context = &part->contacts->obstacles[cloud->obstacle],
                        .distance = sherd_coupled_surface},
            .give = 1.0 / c.mass};
        set(r->centre, c.centre), set(r->v, c.v), set(r->w, c.w);
        find_inverse_inertia(&c, r->inverse_inertia);
    }
}

// ---------------------------------------------------------------- before the step

sherd_status sherd_grid_coupling_begin(sherd_system *s, double dt,
                                       sherd_status (*move)(void *context, sherd_error *error),
                                       void *context, sherd_error *error)
{
    sherd_grid_coupling *g = s->coupling;
    sherd_status status = sort(g, s, error);
    if (status != SHERD_OK) return status;
    size_t elements = (size_t)sherd_grid_part(s)->elements.count;
    if (!sherd_mpm_trends_make(&s->points->m, (size_t)s->elements.count) ||
        !sherd_grow((void **)&g->gained, &g->gained_capacity, elements, sizeof *g->gained) ||
        !sherd_grow((void **)&g->outer, &g->outer_capacity, elements, sizeof *g->outer))
        return sherd_fail_memory(error, "elements beside points");
    g->dt = dt;
    g->samples.count = 0;
    list_rigids(g, s);
    if (!sherd_grid_coupled_contact_begin(g, s, sherd_grid_part(s), sherd_grid_part_members(s)))
        return sherd_fail_memory(error, "elements beside points");
    g->samples.displacement = dt * sherd_grid_coupling_speed(s);
    g->samples.dt = fmin(dt, sherd_grid_part(s)->stable_dt);
    for (size_t k = 0; k < g->count; ++k)
        if (!fill_coupled(g, s, k)) return sherd_fail_memory(error, "elements beside points");
    g->samples.carry = carry_samples, g->samples.context = s;
    g->samples.move = move, g->samples.mover = context;
    s->points->m.coupling = &g->samples;
    return SHERD_OK;
}

// ---------------------------------------------------------------- after the step

// Energy given to a body, and to its driver [J].
typedef struct energy_given {
    double taken, held;
} energy_given;

static double kinetic(double mass, double inertia, sherd_vec3 v, sherd_vec3 w)
{
    return 0.5 * (mass * vec3_dot(v, v) + inertia * vec3_dot(w, w));
}

// Velocities along axes that a driver holds do not change: the driver takes the impulse.
static energy_given kick_element(sherd_elements *e, const sherd_grid_coupled_body *coupled,
                                 sherd_vec3 impulse, sherd_vec3 angular_impulse)
{
    sherd_element_index k = coupled->element;
    double mass = sherd_element_mass(e, k), inertia = sherd_element_inertia(e, k);
    sherd_vec3 v = sherd_element_velocity(e, k), w = sherd_element_spin(e, k);
    uint8_t held = e->held[k];
    sherd_vec3 free = sherd_coupled_without_held(held, impulse);
    sherd_vec3 free_twist = held & SHERD_HELD_TURN ? (sherd_vec3){0} : angular_impulse;
    energy_given given = {.taken = -kinetic(mass, inertia, v, w),
                          .held = vec3_dot(vec3_sub(impulse, free), v) +
                                  vec3_dot(vec3_sub(angular_impulse, free_twist), w)};
    v = vec3_add_scaled(v, 1.0 / mass, free), w = vec3_add_scaled(w, 1.0 / inertia, free_twist);
    e->vx[k] = v.x, e->vy[k] = v.y, e->vz[k] = v.z;
    e->wx[k] = w.x, e->wy[k] = w.y, e->wz[k] = w.z;
    given.taken += kinetic(mass, inertia, v, w);
    return given;
}

static energy_given kick_body(sherd_rigid_body *b, sherd_vec3 impulse, sherd_vec3 angular_impulse)
{
    double before = sherd_rigid_body_kinetic_energy(b);
    sherd_rigid_body_kick(b, impulse, angular_impulse, 1.0);
    return (energy_given){sherd_rigid_body_kinetic_energy(b) - before, 0.0};
}

// `halves`: length of the kick, in half steps of the coupled bodies.
static energy_given kick_coupled(sherd_grid_coupling *g, sherd_system *part, size_t number,
                                 double fraction, double halves)
{
    const sherd_grid_coupled_body *coupled = &g->list[number];
    const double *p = g->met[number].impulse, *t = g->met[number].angular_impulse;
    sherd_vec3 impulse = vec3_add_scaled(vec3(p[0], p[1], p[2]), fraction, coupled->impulse),
               angular_impulse =
                   vec3_add_scaled(vec3(t[0], t[1], t[2]), fraction, coupled->angular_impulse);
    if (coupled->cloud < 0) {
        const sherd_elements *e = &part->elements;
        uint8_t held = e->held[coupled->element];
        double mass = sherd_element_mass(e, coupled->element),
               inertia = sherd_element_inertia(e, coupled->element);
        sherd_vec3 free_twist = held & SHERD_HELD_TURN ? (sherd_vec3){0} : angular_impulse;
        g->outer[coupled->element] = (sherd_half_kick){
            vec3_scale(1.0 / (halves * mass), sherd_coupled_without_held(held, impulse)),
            vec3_scale(1.0 / (halves * inertia), free_twist)};
        return kick_element(&part->elements, coupled, impulse, angular_impulse);
    }
    return kick_body(&part->contacts->obstacles[g->clouds[coupled->cloud].obstacle].body, impulse,
                     angular_impulse);
}

// Probes of regions record forces by nodes: times steps, like the grid's drivers.
static void add_driver_loads(const sherd_grid_coupling *g, sherd_system *s)
{
    const sherd_system *part = sherd_grid_part(s);
    for (int d = 0; d < part->drivers.count; ++d) {
        const sherd_driver *from = &part->drivers.drivers[d];
        sherd_driver *to = &s->drivers.drivers[from->whole];
        sherd_vec3 centre = {0};
        for (sherd_element_index k = 0; k < from->count; ++k)
            centre = vec3_add_scaled(centre, 1.0 / from->count,
                                     sherd_element_position(&part->elements, from->element[k]));
        for (size_t n = 0; n < g->count; ++n)
            for (sherd_element_index k = 0; k < from->count && g->list[n].cloud < 0; ++k) {
                const sherd_grid_coupled_body *coupled = &g->list[n];
                if (from->element[k] != coupled->element) continue;
                sherd_vec3 arm =
                    vec3_sub(sherd_element_position(&part->elements, coupled->element), centre);
                sherd_vec3 impulse = vec3_add(coupled->impulse, coupled->sprung),
                           angular_impulse =
                               vec3_add(coupled->angular_impulse, coupled->sprung_twist);
                to->sum.force = vec3_add(to->sum.force, impulse);
                to->sum.torque =
                    vec3_add(to->sum.torque, vec3_add(angular_impulse, vec3_cross(arm, impulse)));
            }
    }
}

void sherd_grid_coupling_gather(sherd_system *s)
{
    sum_impulses(s->coupling);
}

void sherd_grid_coupling_kick(sherd_system *s, double fraction, bool whole, double elapsed)
{
    sherd_grid_coupling *g = s->coupling;
    sherd_system *part = sherd_grid_part(s);
    energy_given sum = {0};
    double halves = whole ? 2.0 : 1.0;
    g->samples.elapsed = elapsed;
    sherd_grid_coupled_contact_pull(s, part, fraction * g->dt);
    memset(g->outer, 0, (size_t)part->elements.count * sizeof *g->outer);
    part->outer = g->outer;
    for (size_t k = 0; k < g->count; ++k) {
        energy_given one = kick_coupled(g, part, k, fraction, halves);
        sum.taken += one.taken, sum.held += one.held;
    }
    s->accounts.driver_work -= sum.held;
    s->points->m.accounts.transfer -= sum.taken + sum.held;
}

void sherd_grid_coupling_done(sherd_system *s)
{
    sherd_mpm *m = &s->points->m;
    m->accounts.transfer += m->coupled_work, m->coupling = NULL;
    sherd_grid_part(s)->outer = NULL;
    add_driver_loads(s->coupling, s);
}

// The part has all obstacles, in the order of the whole.
void sherd_grid_coupling_load(sherd_system *s, double dt)
{
    const sherd_grid_coupling *g = s->coupling;
    for (size_t k = 0; k < g->count; ++k) {
        const sherd_grid_coupled_body *coupled = &g->list[k];
        if (coupled->cloud < 0) continue;
        int obstacle = g->clouds[coupled->cloud].obstacle;
        const sherd_obstacle *from = &sherd_grid_part(s)->contacts->obstacles[obstacle];
        sherd_obstacle *to = &s->contacts->obstacles[obstacle];
        sherd_vec3 arm = vec3_sub(from->body.centre, from->pose.position),
                   impulse = vec3_add(coupled->impulse, coupled->sprung),
                   moment = vec3_add(vec3_add(coupled->angular_impulse, coupled->sprung_twist),
                                     vec3_cross(arm, impulse));
        to->body = from->body; // which the second half kick has moved since parts were summed
        to->mean_force = vec3_add_scaled(to->mean_force, 1.0 / dt, impulse);
        to->mean_torque = vec3_add_scaled(to->mean_torque, 1.0 / dt, moment);
    }
}

double sherd_grid_coupling_speed(const sherd_system *s)
{
    const sherd_system *part = sherd_grid_part(s);
    if (part == NULL) return 0.0;
    const sherd_elements *e = &part->elements;
    double fastest = part->contacts != NULL ? sherd_contacts_fastest_body(part->contacts) : 0.0;
    for (sherd_element_index k = 0; k < e->count; ++k) {
        double rim = sherd_element_radius(e, k) * vec3_length(sherd_element_spin(e, k));
        fastest = fmax(fastest, vec3_length(sherd_element_velocity(e, k)) + rim);
    }
    return fastest;
}

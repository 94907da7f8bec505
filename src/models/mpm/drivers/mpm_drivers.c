#include "models/mpm/drivers/mpm_drivers.h"

#include "base/assertion.h"
#include "base/error.h"
#include "base/memory.h"
#include "math/vec3.h"
#include "models/mpm/drivers/mpm_driver_springs.h"
#include "models/mpm/glue/mpm_node_groups.h"
#include "models/mpm/grid/mpm_axes.h"
#include "models/mpm/grid/mpm_traversal.h"

#include <math.h>
#include <string.h>

// Rounding of a node's mass: a node counts as completely driven if its driven mass is within this
// fraction.
static const double ROUNDING = 1e-9;

// Sums at a node for rotating drivers.
typedef struct turned_node {
    double gradient[3][3]; // sum of mass times prescribed gradient over driven points [kg/s]
    double first[3];       // sum over all points of w m (x_node - x_point) [kg m]
} turned_node;

typedef struct turned_layer {
    turned_node node[SHERD_MPM_NODES];
} turned_layer;

typedef struct edge_layer {
    int32_t node[SHERD_MPM_NODES]; // 1 + number among the edge's nodes; 0: not at the edge
} edge_layer;

// Layers that move as one at a node: a single layer, or those of pieces joined by glue.
typedef struct driven_group {
    int count, node;
    size_t layer[SHERD_MPM_NODE_LAYERS];
} driven_group;

struct sherd_mpm_driver_step {
    sherd_mpm_driver_def def;
    sherd_mpm_grid *grid; // from the definition, as the following members
    const sherd_mpm_points *points;
    const sherd_solid *solids;
    const double *flip; // by body
    sherd_vec3 fall;    // change of velocity by gravity [m/s]
    sherd_mpm_driven_nodes driven;
    turned_layer *turned; // (layer_count); NULL: no driver rotates
    double gained;        // nodal energy from gradients that points did not transfer [J]
    double pressed;       // change of the loss of contact, whose impulses drivers cancel [J]
    const sherd_vec3 **v; // by point: its prescribed velocity; NULL: not driven
    sherd_mpm_driver_springs edge;
    edge_layer *of_edge;  // (layer_count)
    driven_group *groups; // of the edge's nodes
    size_t group_room;
    double dt; // step for positions [s]
};

// A node in a layer.
typedef struct place {
    int32_t layer;
    int node;
} place;

// Finds the layer and number of a node of the page's body: block B begins at node 4 B - 1. False:
// the node is beyond the page's tile, which rounding can cause where the weight is 0.
static bool find_node(const sherd_mpm_page *page, const int64_t node[3], place *found)
{
    int part = 0, local = 0;
    for (int axis = 2; axis >= 0; --axis) {
        int64_t from = node[axis] + 1 - SHERD_MPM_SIDE * (int64_t)page->block[axis];
        if (from < 0 || from >= SHERD_MPM_TILE) return false;
        part |= (int)(from / SHERD_MPM_SIDE) << axis;
        local = local * SHERD_MPM_SIDE + (int)(from % SHERD_MPM_SIDE);
    }
    *found = (place){page->layer[part], local};
    SHERD_ASSERT(found->layer >= 0 && found->node < SHERD_MPM_NODES, "tiles consist of layers");
    return true;
}

// ---------------------------------------------------------------- points

// Part of a point's mass at one of its nodes.
typedef struct share {
    size_t at;
    double mass;    // [kg]
    double node[3]; // [m]
    place to;
} share;

typedef void node_visitor(const sherd_mpm_driver_step *k, sherd_mpm_driver *driver, const share *s);

enum { MAX_SHARES = SHERD_MPM_REACH * SHERD_MPM_REACH * SHERD_MPM_REACH };

// Lists a point's nodes and their parts of its mass. Returns their number.
static int list_shares(const sherd_mpm_driver_step *k, const sherd_mpm_page *page, size_t at,
                       share shares[MAX_SHARES])
{
    int count = 0;
    const sherd_mpm_points *p = k->points;
    double w[3][SHERD_MPM_REACH], mass = k->solids[p->body[at]].density * p->volume[at],
                                  h = k->grid->h;
    int64_t first[3];
    int nodes = (int)k->grid->kernel;
    for (int axis = 0; axis < 3; ++axis)
        first[axis] = sherd_mpm_axis_weights(k->grid, p->x[axis][at], w[axis]);
    for (int n = 0; n < nodes * nodes * nodes; ++n) {
        int x = n % nodes, y = n / nodes % nodes, z = n / nodes / nodes;
        const int64_t node[3] = {first[0] + x, first[1] + y, first[2] + z};
        share s = {at,
                   mass * w[0][x] * w[1][y] * w[2][z],
                   {h * (double)node[0], h * (double)node[1], h * (double)node[2]},
                   {0, 0}};
        if (find_node(page, node, &s.to)) shares[count++] = s;
    }
    return count;
}

static void visit_nodes(const sherd_mpm_driver_step *k, sherd_mpm_driver *driver,
                        const sherd_mpm_page *page, size_t at, node_visitor *visit)
{
    share shares[MAX_SHARES];
    int count = list_shares(k, page, at, shares);
    for (int n = 0; n < count; ++n)
        visit(k, driver, &shares[n]);
}

static void find_driven(const sherd_mpm_driver_step *k, const sherd_mpm_driver *driver)
{
    memset(k->v, 0, k->points->count * sizeof *k->v);
    for (size_t n = 0; n < driver->count; ++n) {
        SHERD_ASSERT(driver->at[n] < k->points->count, "driven points are points");
        k->v[driver->at[n]] = &driver->velocity[n];
    }
}

static void visit_points(const sherd_mpm_driver_step *k, sherd_mpm_driver *driver,
                         node_visitor *visit)
{
    find_driven(k, driver);
    for (size_t n = 0; n < k->grid->page_count; ++n) {
        const sherd_mpm_page *page = &k->grid->pages[n];
        for (size_t at = page->begin; at < page->end; ++at)
            if (k->v[at] != NULL) visit_nodes(k, driver, page, at, visit);
    }
}

static void add_turning(const sherd_mpm_driver_step *k, const sherd_mpm_driver *driver,
                        const share *s, double v[3])
{
    turned_node *to = &k->turned[s->to.layer].node[s->to.node];
    for (int i = 0; i < 3; ++i)
        for (int n = 0; n < 3; ++n) {
            v[i] += driver->gradient[i][n] * (s->node[n] - k->points->x[n][s->at]);
            if (driver->axes[i]) to->gradient[i][n] += s->mass * driver->gradient[i][n];
        }
}

static void add_share(const sherd_mpm_driver_step *k, sherd_mpm_driver *driver, const share *s)
{
    sherd_mpm_driven_node *to = &k->driven.layers[s->to.layer].node[s->to.node];
    const sherd_vec3 *given = k->v[s->at];
    double v[3] = {given->x, given->y, given->z};
    k->driven.is_reached[s->to.layer] = 1;
    if (driver->turns) add_turning(k, driver, s, v);
    for (int i = 0; i < 3; ++i) {
        if (!driver->axes[i]) continue;
        to->mass[i] += s->mass, to->momentum[i] += s->mass * v[i];
    }
}

// Adds a driver's part of the node's impulse and work, in proportion to the driven mass.
static void take_share(const sherd_mpm_driver_step *k, sherd_mpm_driver *driver, const share *s)
{
    const sherd_mpm_driven_node *to = &k->driven.layers[s->to.layer].node[s->to.node];
    double given[3] = {0};
    for (int i = 0; i < 3; ++i) {
        if (!driver->axes[i] || to->impulse[i] == 0.0) continue;
        given[i] = s->mass / to->mass[i] * to->impulse[i];
        driver->work += s->mass / to->mass[i] * to->work[i];
    }
    sherd_vec3 impulse = vec3(given[0], given[1], given[2]),
               at = vec3(s->node[0], s->node[1], s->node[2]);
    driver->impulse = vec3_add(driver->impulse, impulse);
    driver->moment = vec3_add(driver->moment, vec3_cross(at, impulse));
}

static void add_first(const sherd_mpm_driver_step *k, sherd_mpm_driver *driver, const share *s)
{
    turned_node *to = &k->turned[s->to.layer].node[s->to.node];
    (void)driver;
    for (int n = 0; n < 3; ++n)
        to->first[n] += s->mass * (s->node[n] - k->points->x[n][s->at]);
}

static double add_first_of_page(void *context, size_t number)
{
    const sherd_mpm_driver_step *k = context;
    const sherd_mpm_page *page = &k->grid->pages[number];
    bool is_reached = false;
    for (int part = 0; part < SHERD_MPM_PARTS; ++part)
        is_reached = is_reached || k->driven.is_reached[page->layer[part]];
    for (size_t at = page->begin; at < page->end && is_reached; ++at)
        visit_nodes(k, NULL, page, at, add_first);
    return 0.0;
}

// ---------------------------------------------------------------- nodes

// Nodal velocity due to stress and gravity, before contact.
static double free_velocity(const sherd_mpm_driver_step *k, size_t layer, int node, int axis)
{
    const double(*load)[4] = k->grid->loads[layer].node[node];
    const double fall[3] = {k->fall.x, k->fall.y, k->fall.z};
    return (load[0][1 + axis] + load[1][axis]) / load[0][0] + fall[axis];
}

// Changes a layer's nodal velocity and returns the driver's work. Contact has already booked its
// work with the velocity before this change, so the difference is noted. Velocity gradients of
// driven points lag behind their driver's; without gradients turn_axis has corrected the nodal
// velocity. The resulting difference of energy is a loss of transfers.
static double push_layer(sherd_mpm_driver_step *k, size_t layer, int node, int axis, double change)
{
    sherd_mpm_grid *g = k->grid;
    const double *load = g->loads[layer].node[node][0];
    double(*motion)[4] = g->motion[layer].node[node];
    double by_contact = motion[0][axis] - free_velocity(k, layer, node, axis);
    k->pressed -= 0.5 * load[0] * by_contact * change;
    motion[0][axis] += change, motion[1][axis] += change, motion[1][3] = SHERD_MPM_BOUND;
    double after = motion[0][axis], gained = 0.5 * (load[1 + axis] / load[0] + after);
    double driven = k->def.affine ? after : gained;
    k->gained += load[0] * change * (gained - driven);
    return load[0] * change * driven;
}

// For points without velocity gradients. The nodal velocity is then the mean over its points, that
// is, the velocity at their centre of mass. The driven material rotates, so the velocity at the
// node itself differs, before the step as after it; this adds the difference.
static void turn_axis(sherd_mpm_driver_step *k, const driven_group *group, int axis, double mass,
                      double driven)
{
    double change = 0.0;
    for (int n = 0; n < 3; ++n) {
        double gradient = 0.0, first = 0.0;
        for (int a = 0; a < group->count; ++a) {
            const turned_node *one = &k->turned[group->layer[a]].node[group->node];
            gradient += one->gradient[axis][n], first += one->first[n];
        }
        change += gradient / driven * (first / mass);
    }
    for (int a = 0; a < group->count; ++a) {
        double *load = k->grid->loads[group->layer[a]].node[group->node][0];
        double(*motion)[4] = k->grid->motion[group->layer[a]].node[group->node];
        double flip = k->flip[k->grid->layers[group->layer[a]].body];
        double mean = 0.5 * (load[1 + axis] / load[0] + motion[0][axis] + change);
        // Change of K + 1/2 sum J . v, as in accounts.transfer
        k->gained += load[0] * change * mean;
        load[1 + axis] += load[0] * change;
        motion[0][axis] += change, motion[1][axis] += (1.0 - flip) * change;
    }
}

static double mass_of(const sherd_mpm_driver_step *k, const driven_group *group)
{
    double mass = 0.0;
    for (int n = 0; n < group->count; ++n)
        mass += k->grid->loads[group->layer[n]].node[group->node][0][0];
    return mass;
}

// Changes the velocity of a group at a node along an axis, and stores impulse and work. `driven`:
// mass of its driven points.
static void push_group(sherd_mpm_driver_step *k, const driven_group *group, int axis, double driven,
                       double change)
{
    double given = 0.0, mass = mass_of(k, group);
    for (int n = 0; n < group->count; ++n)
        given += push_layer(k, group->layer[n], group->node, axis, change);
    for (int n = 0; n < group->count; ++n) {
        sherd_mpm_driven_node *one = &k->driven.layers[group->layer[n]].node[group->node];
        one->mass[axis] = driven, one->impulse[axis] = mass * change, one->work[axis] = given;
    }
}

static double driven_mass(const sherd_mpm_driver_step *k, const driven_group *group, int axis,
                          double *momentum)
{
    double driven = *momentum = 0.0;
    for (int n = 0; n < group->count; ++n) {
        const sherd_mpm_driven_node *one = &k->driven.layers[group->layer[n]].node[group->node];
        driven += one->mass[axis], *momentum += one->momentum[axis];
    }
    return driven;
}

// Moves a group along an axis if it is completely driven. True if other points reach the node, too:
// it belongs to the edge.
static bool drive_axis(sherd_mpm_driver_step *k, const driven_group *group, int axis)
{
    double mass = mass_of(k, group), momentum, driven = driven_mass(k, group, axis, &momentum);
    if (!(driven > 0.0) || !(mass > 0.0)) return false;
    if (k->turned != NULL && !k->def.affine && sherd_mpm_is_driven(driven, mass))
        turn_axis(k, group, axis, mass, driven);
    if (driven < (1.0 - ROUNDING) * mass) return true;
    double now = k->grid->motion[group->layer[0]].node[group->node][0][axis];
    push_group(k, group, axis, driven, momentum / driven - now);
    return false;
}

static void add_to_edge(sherd_mpm_driver_step *k, const driven_group *group, const bool loose[3])
{
    int32_t number = sherd_mpm_driver_springs_add_node(&k->edge, mass_of(k, group));
    bool room =
        sherd_grow((void **)&k->groups, &k->group_room, k->edge.node_count, sizeof *k->groups);
    if (number < 0 || !room) {
        k->edge.failed = true;
        return;
    }
    memcpy(k->edge.nodes[number].loose, loose, 3 * sizeof *loose);
    k->groups[number] = *group;
    for (int n = 0; n < group->count; ++n)
        k->of_edge[group->layer[n]].node[group->node] = number + 1;
}

static void drive_group(sherd_mpm_driver_step *k, const driven_group *group)
{
    bool loose[3];
    for (int axis = 0; axis < 3; ++axis)
        loose[axis] = drive_axis(k, group, axis);
    for (int n = 0; n < group->count; ++n)
        k->driven.layers[group->layer[n]].node[group->node].done = true;
    if (loose[0] || loose[1] || loose[2]) add_to_edge(k, group, loose);
}

static void drive_joined(sherd_mpm_driver_step *k, size_t block, int node)
{
    sherd_mpm_node_groups node_groups;
    if (!sherd_mpm_find_groups(k->grid, k->def.glue, block, node, 2, &node_groups)) return;
    for (int a = 0; a < node_groups.groups; ++a) {
        driven_group group = {.node = node};
        if (node_groups.group[a].members < 2) continue;
        for (int n = 0; n < node_groups.layers; ++n)
            if (node_groups.group_of[n] == a) group.layer[group.count++] = node_groups.layer[n];
        drive_group(k, &group);
    }
}

static bool is_touched(const sherd_mpm_driver_step *k, const sherd_mpm_shared_block *block)
{
    for (size_t layer = block->begin; layer < block->end; ++layer)
        if (k->driven.is_reached[layer]) return true;
    return false;
}

static void drive_glued(sherd_mpm_driver_step *k)
{
    const sherd_mpm_glues *glue = k->def.glue;
    if (glue->broken >= glue->count) return;
    for (size_t block = 0; block < k->grid->shared_count; ++block) {
        bool joints = glue->of_block[block] < glue->of_block[block + 1];
        if (!joints || !is_touched(k, &k->grid->shared[block])) continue;
        for (int node = 0; node < SHERD_MPM_NODES; ++node)
            drive_joined(k, block, node);
    }
}

static void drive_nodes(sherd_mpm_driver_step *k)
{
    drive_glued(k);
    for (size_t layer = 0; layer < k->grid->layer_count; ++layer)
        for (int node = 0; node < SHERD_MPM_NODES && k->driven.is_reached[layer]; ++node)
            if (!k->driven.layers[layer].node[node].done)
                drive_group(k, &(driven_group){1, node, {layer}});
}

// ---------------------------------------------------------------- edge

// Adds a spring for a driven point that reaches any node of the edge.
static void pull_point(sherd_mpm_driver_step *k, const sherd_mpm_driver *driver,
                       const sherd_mpm_page *page, size_t at, size_t n)
{
    static const double ALONE = 1.0; // stiffness over mass for materials without wave speed
    share shares[MAX_SHARES];
    int count = list_shares(k, page, at, shares);
    bool any = false;
    for (int s = 0; s < count; ++s)
        any = any || k->of_edge[shares[s].to.layer].node[shares[s].to.node] > 0;
    sherd_mpm_spring_point *point = any ? sherd_mpm_driver_springs_add_point(&k->edge) : NULL;
    if (point == NULL) return;
    uint32_t body = k->points->body[at];
    const sherd_solid *solid = &k->solids[body];
    double mass = solid->density * k->points->volume[at],
           waves = sqrt((solid->lambda + 2.0 * solid->mu) / solid->density);
    double stiffness = sherd_mpm_driver_stiffness(waves * k->dt / k->grid->h);
    point->driven = n;
    point->stiffness = mass * (stiffness > 0.0 ? stiffness : ALONE);
    const double lag[3] = {driver->lag[n].x, driver->lag[n].y, driver->lag[n].z},
                 v[3] = {driver->velocity[n].x, driver->velocity[n].y, driver->velocity[n].z};
    for (int i = 0; i < 3; ++i)
        point->axes[i] = driver->axes[i], point->apart[i] = v[i] - lag[i] / k->dt;
    for (int s = 0; s < count; ++s) {
        int32_t number = k->of_edge[shares[s].to.layer].node[shares[s].to.node] - 1;
        const double *motion = k->grid->motion[shares[s].to.layer].node[shares[s].to.node][0];
        double weight = shares[s].mass / mass;
        for (int i = 0; i < 3; ++i)
            point->apart[i] -= weight * motion[i];
        if (number >= 0) sherd_mpm_driver_springs_add_weight(&k->edge, number, weight);
    }
}

static void pull_points(sherd_mpm_driver_step *k, const sherd_mpm_driver *driver)
{
    find_driven(k, driver);
    for (size_t n = 0; n < k->grid->page_count; ++n) {
        const sherd_mpm_page *page = &k->grid->pages[n];
        for (size_t at = page->begin; at < page->end; ++at)
            if (k->v[at] != NULL)
                pull_point(k, driver, page, at, (size_t)(k->v[at] - driver->velocity));
    }
}

// Work of drivers on springs beyond that on nodes, which the springs store or damp; it is not work
// on the bodies.
static double stretch_springs(const sherd_mpm_driver_step *k, const sherd_mpm_driver *driver,
                              size_t first, size_t end)
{
    double given = 0.0;
    for (size_t n = first; n < end; ++n) {
        const sherd_mpm_spring_point *p = &k->edge.points[n];
        const sherd_vec3 *lag = &driver->lag[p->driven];
        const double stretched[3] = {lag->x / k->dt, lag->y / k->dt, lag->z / k->dt};
        for (int i = 0; i < 3; ++i)
            if (p->axes[i]) given += p->stiffness * p->apart[i] * (p->apart[i] + stretched[i]);
    }
    return given;
}

static void push_edge(sherd_mpm_driver_step *k)
{
    for (size_t n = 0; n < k->edge.node_count; ++n)
        for (int axis = 0; axis < 3; ++axis) {
            double momentum;
            if (!k->edge.nodes[n].loose[axis]) continue;
            double driven = driven_mass(k, &k->groups[n], axis, &momentum);
            push_group(k, &k->groups[n], axis, driven, k->edge.nodes[n].change[axis]);
        }
}

static bool pull_edge(sherd_mpm_driver_step *k)
{
    size_t end = 0;
    for (int n = 0; n < k->def.count && k->edge.node_count > 0; ++n) {
        pull_points(k, &k->def.list[n]);
        k->def.list[n].spring_end = k->edge.point_count;
    }
    if (!sherd_mpm_driver_springs_solve(&k->edge)) return false;
    for (int n = 0; n < k->def.count && k->edge.node_count > 0; ++n) {
        size_t first = end;
        end = k->def.list[n].spring_end;
        k->def.list[n].work = stretch_springs(k, &k->def.list[n], first, end);
        k->gained -= k->def.list[n].work;
    }
    push_edge(k);
    return true;
}

// ---------------------------------------------------------------- all of it

static bool any_turns(const sherd_mpm_driver *drivers, int count)
{
    for (int n = 0; n < count; ++n)
        if (drivers[n].turns) return true;
    return false;
}

static bool make_room(sherd_mpm_driver_step *k, bool turns)
{
    size_t layers = k->grid->layer_count;
    k->driven.layers = sherd_alloc(layers, sizeof *k->driven.layers);
    k->driven.is_reached = sherd_alloc(layers, 1);
    k->v = sherd_alloc(k->points->count, sizeof *k->v);
    k->of_edge = sherd_alloc(layers, sizeof *k->of_edge);
    if (turns) k->turned = sherd_alloc(layers, sizeof *k->turned);
    return k->driven.layers != NULL && k->driven.is_reached != NULL && k->v != NULL &&
           k->of_edge != NULL && (!turns || k->turned != NULL);
}

sherd_mpm_driver_step *sherd_mpm_drivers_begin(const sherd_mpm_driver_def *def, sherd_error *error)
{
    sherd_mpm_driver_step *k = sherd_alloc(1, sizeof *k);
    if (k != NULL)
        *k = (sherd_mpm_driver_step){.def = *def,
                                     .grid = def->grid,
                                     .points = def->points,
                                     .solids = def->solids,
                                     .flip = def->nodes->flip,
                                     .fall = vec3_scale(def->nodes->dt, def->nodes->gravity)};
    if (k == NULL || !make_room(k, any_turns(def->list, def->count))) {
        sherd_mpm_drivers_free(k);
        sherd_fail_memory(error, "drivers of material points");
        return NULL;
    }
    for (int n = 0; n < def->count; ++n)
        visit_points(k, &def->list[n], add_share);
    return k;
}

uint8_t *sherd_mpm_drivers_list_axes(const sherd_mpm_driver *drivers, int count, size_t points)
{
    uint8_t *axes = sherd_alloc(points, sizeof *axes);
    for (int k = 0; k < count && axes != NULL; ++k)
        for (size_t n = 0; n < drivers[k].count; ++n)
            for (int axis = 0; axis < 3; ++axis)
                axes[drivers[k].at[n]] |= (uint8_t)(drivers[k].axes[axis] << axis);
    return axes;
}

const sherd_mpm_driven_nodes *sherd_mpm_drivers_nodes(const sherd_mpm_driver_step *k)
{
    return &k->driven;
}

sherd_status sherd_mpm_drivers_apply(sherd_mpm_driver_step *k, double dt,
                                     sherd_mpm_driver_losses *losses, sherd_error *error)
{
    k->dt = dt;
    if (k->turned != NULL && !k->def.affine)
        sherd_mpm_traverse(k->grid, &k->def.parallel, add_first_of_page, k);
    for (int n = 0; n < k->def.count; ++n) {
        k->def.list[n].impulse = k->def.list[n].moment = vec3(0.0, 0.0, 0.0);
        k->def.list[n].work = 0.0;
    }
    drive_nodes(k);
    if (!pull_edge(k)) return sherd_fail_memory(error, "drivers of material points");
    for (int n = 0; n < k->def.count; ++n)
        visit_points(k, &k->def.list[n], take_share);
    *losses = (sherd_mpm_driver_losses){.transfer = -k->gained, .contact = k->pressed};
    return SHERD_OK;
}

void sherd_mpm_drivers_free(sherd_mpm_driver_step *k)
{
    if (k == NULL) return;
    sherd_free(k->driven.layers), sherd_free(k->driven.is_reached);
    sherd_free(k->turned), sherd_free(k->v);
    sherd_free(k->of_edge), sherd_free(k->groups);
    sherd_mpm_driver_springs_free(&k->edge);
    sherd_free(k);
}

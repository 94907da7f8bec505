// Bodies of material points in a world.
#include "base/assertion.h"
#include "base/error.h"
#include "contact/contact_system.h"
#include "models/mpm/glue/mpm_glue_law.h"
#include "models/mpm/mpm_model.h"
#include "stepping/grid/grid_coupling.h"
#include "stepping/system_state.h"
#include "world/world.h"

#include <sherd/point_view.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

// What is told in three digits is not below the number.
static const double ROUNDED_UP = 1.005;

double sherd_world_point_spacing(const sherd_world *world)
{
    double spacing = 0.0;
    for (int k = 0; k < world->body_count; ++k)
        spacing = fmax(spacing, world->bodies[k].spacing);
    return spacing;
}

double sherd_world_node_spacing(const sherd_world *world)
{
    return 2.0 * sherd_world_point_spacing(world);
}

// Steps of the grid and those of elements each use their own drivers.
static sherd_status check_driver(const sherd_world *world, const sherd_driver *driver, int number,
                                 sherd_error *error)
{
    bool some[2] = {false, false};
    for (sherd_element_index k = 0; k < driver->count; ++k)
        for (int b = 0; b < world->body_count; ++b) {
            sherd_element_index at = driver->element[k] - world->bodies[b].first;
            if (at >= 0 && at < world->bodies[b].count) some[world->bodies[b].spacing > 0.0] = true;
        }
    char where[32];
    snprintf(where, sizeof where, "drivers.%d", number);
    if (some[1] && driver->surface != NULL)
        return sherd_fail(error, SHERD_ERROR_INPUT, where,
                          "wind, blast and pressure act on bonded elements; give the driver such a "
                          "`body`",
                          "acts on material points");
    if (!some[0] || !some[1]) return SHERD_OK;
    return sherd_fail(error, SHERD_ERROR_INPUT, where, "give it a body, or make one for each kind",
                      "has a region with material points and elements");
}

// Each of them is cut into cubes of the grid.
static sherd_status check_free_bodies(const sherd_world *world, double cell, sherd_error *error)
{
    const sherd_contacts *c = world->system.contacts;
    const double max_radius = SHERD_COUPLED_LARGEST_BODY * cell;
    for (int k = 0; c != NULL && k < c->obstacle_count; ++k) {
        const sherd_obstacle *o = &c->obstacles[k];
        if (o->kind != SHERD_OBSTACLE_FREE || !(o->radius > max_radius)) continue;
        char where[128];
        snprintf(where, sizeof where, "obstacles.%.100s", o->name);
        return sherd_fail(error, SHERD_ERROR_INPUT, where,
                          "use a larger spacing of points, or a fixed or driven obstacle",
                          "is a free body of radius %g m; beside points of this spacing %g m are "
                          "the most",
                          o->radius, max_radius);
    }
    return SHERD_OK;
}

static sherd_status check_elements(const sherd_world *world, double cell, sherd_error *error)
{
    const double max_radius = SHERD_COUPLED_LARGEST_ELEMENT * cell;
    for (int b = 0; b < world->body_count; ++b)
        for (int32_t k = 0; k < world->bodies[b].count && world->bodies[b].spacing == 0.0; ++k) {
            double radius =
                sherd_element_radius(&world->system.elements, world->bodies[b].first + k);
            if (!(radius > max_radius)) continue;
            char where[128];
            snprintf(where, sizeof where, "bodies.%.100s", world->bodies[b].name);
            return sherd_fail(error, SHERD_ERROR_INPUT, where,
                              "use a larger spacing of points, or smaller elements",
                              "has an element of radius %g m; beside points of this spacing %g m "
                              "are the most",
                              radius, max_radius);
        }
    return SHERD_OK;
}

static bool is_coupled(const sherd_world *world, const sherd_obstacle_def *obstacle)
{
    return world->def.contacts && obstacle->kind == SHERD_OBSTACLE_FREE;
}

// Contact by pairs knows bodies of points alone.
static sherd_status check_pairwise(const sherd_world *world, sherd_error *error)
{
    const char *hint = "use point_contact: surfaces, or bodies of material points alone";
    char where[128];
    if (world->def.point_contact != SHERD_POINT_CONTACT_PAIRWISE) return SHERD_OK;
    for (int k = 0; k < world->body_count; ++k) {
        if (world->bodies[k].spacing > 0.0) continue;
        snprintf(where, sizeof where, "bodies.%.100s", world->bodies[k].name);
        return sherd_fail(error, SHERD_ERROR_INPUT, where, hint,
                          "is of elements, which have no contact by point_contact: pairwise");
    }
    for (int k = 0; k < world->obstacle_count; ++k) {
        const sherd_obstacle_def *o = &world->pending_obstacles[k];
        if (!is_coupled(world, o)) continue;
        snprintf(where, sizeof where, "obstacles.%.100s", o->name);
        return sherd_fail(error, SHERD_ERROR_INPUT, where, hint,
                          "is a free body, which has no contact by point_contact: pairwise");
    }
    return SHERD_OK;
}

// Bodies of elements and free rigid bodies.
static uint32_t count_coupled(const sherd_world *world, int *free_count)
{
    uint32_t count = 0;
    *free_count = 0;
    for (int k = 0; k < world->body_count; ++k)
        count += world->bodies[k].spacing == 0.0;
    for (int k = 0; k < world->obstacle_count; ++k)
        *free_count += is_coupled(world, &world->pending_obstacles[k]);
    return count + (uint32_t)*free_count;
}

static sherd_mpm_def definition_of(const sherd_world *world, double spacing)
{
    sherd_mpm_def def = sherd_mpm_def_default();
    def.spacing = 2.0 * spacing;
    def.kernel =
        world->def.point_kernel == SHERD_POINT_KERNEL_CUBIC ? SHERD_MPM_CUBIC : SHERD_MPM_QUADRATIC;
    def.affine = world->def.point_transfer != SHERD_POINT_TRANSFER_FLIP;
    def.stirs = def.affine && isnan(world->def.flip);
    if (world->def.point_transfer == SHERD_POINT_TRANSFER_APIC) def.flip = def.fluid_flip = 0.0;
    if (!isnan(world->def.flip)) def.flip = def.fluid_flip = world->def.flip;
    if (world->def.point_contact == SHERD_POINT_CONTACT_PAIRWISE)
        def.contact = SHERD_MPM_CONTACT_PAIRWISE;
    def.gravity = world->def.gravity;
    def.parallel = world->system.parallel;
    return def;
}

sherd_status sherd_world_fracture_body(const sherd_world *world, const sherd_body_def *def,
                                       sherd_mpm_prefracture *fracture, sherd_error *error)
{
    const sherd_fracture_def *f = def->fracture;
    *fracture = (sherd_mpm_prefracture){0};
    if (f == NULL) return SHERD_OK;
    const sherd_mpm_prefracture_def pieces = {
        .wall_count = f->wall_count,
        .walls = f->walls,
        .criterion =
            f->criterion == SHERD_GLUE_FORCE ? SHERD_MPM_GLUE_FORCE : SHERD_MPM_GLUE_STRESS,
        .threshold = f->criterion == SHERD_GLUE_FORCE ? f->threshold : INFINITY,
        .tensile_strength = f->tensile_strength,
        .shear_strength = f->shear_strength,
        .fracture_energy = f->fracture_energy,
        .scatter = f->scatter,
        .seed = f->seed,
        .glued = f->glued};
    double *const x[3] = {(double *)(uintptr_t)def->x, (double *)(uintptr_t)def->y,
                          (double *)(uintptr_t)def->z}; // read only
    return sherd_mpm_prefracture_make(&pieces, x, (size_t)def->count, def->point_spacing,
                                      &world->system.parallel, fracture, error);
}

sherd_status sherd_world_find_surface(const sherd_world *world, const sherd_body_def *def,
                                      const sherd_mpm_prefracture *fracture,
                                      sherd_mpm_surface_fit *outer, sherd_error *error)
{
    const double *const x[3] = {def->x, def->y, def->z};
    bool ok = true;
    if (!(def->point_spacing > 0.0)) return SHERD_OK;
    if (def->shape != NULL)
        ok = sherd_mpm_surface_fit_add_shape(outer, def->shape, x, (size_t)def->count,
                                             def->point_spacing, &world->system.parallel);
    ok = ok && sherd_mpm_surface_fit_add_glue(outer, fracture->glue, fracture->glue_count, x);
    return ok ? SHERD_OK : sherd_fail_memory(error, "surfaces of material points");
}

uint32_t sherd_world_count_pieces(const world_body *body)
{
    SHERD_ASSERT(body->spacing >= 0.0, "the spacing is not negative");
    if (body->spacing == 0.0) return 0;
    return body->fracture.pieces > 0 ? body->fracture.pieces : 1;
}

// Its pieces, numbered after those of previous bodies, and its glue.
static bool set_pieces(sherd_point_bodies *bodies, int k, const world_body *body)
{
    const sherd_mpm_prefracture *f = &body->fracture;
    uint32_t first = bodies->first_piece[k];
    for (sherd_element_index e = 0; e < body->count; ++e)
        bodies->piece[body->first + e] = first + (f->pieces > 0 ? f->piece[e] : 0);
    return f->glue_count == 0 ||
           sherd_mpm_glues_append(&bodies->m.glue, f->glue, f->glue_count,
                                  (sherd_mpm_offset){first, body->first}, body->pose);
}

// Parameters of contact with coupled bodies: density, below which a node counts as empty, and
// friction.
static sherd_solid coupled_of(double density, double friction)
{
    return (sherd_solid){.density = density, .contact_friction = friction};
}

static void number_coupled(const sherd_world *world, sherd_point_bodies *bodies)
{
    uint32_t next = bodies->piece_count;
    double smallest = INFINITY;
    for (int k = 0; k < world->body_count; ++k) {
        const world_body *body = &world->bodies[k];
        const sherd_material_def *material = &world->materials[body->material];
        smallest = fmin(smallest, material->density);
        if (body->spacing > 0.0) continue;
        for (sherd_element_index e = 0; e < body->count; ++e)
            bodies->piece[body->first + e] = next;
        bodies->solids[next++] = coupled_of(material->density, material->friction);
    }
    for (int k = 0; k < world->obstacle_count; ++k) {
        const sherd_obstacle_def *o = &world->pending_obstacles[k];
        if (is_coupled(world, o)) bodies->solids[next++] = coupled_of(smallest, o->friction);
    }
}

// Points of APIC rotate with their body from the beginning; otherwise nodes would take a part of
// its spin.
static void rotate_points(const sherd_world *world, sherd_mpm_points *p)
{
    size_t at = 0;
    for (int b = 0; b < world->body_count && p->c[0] != NULL; ++b) {
        const world_body *body = &world->bodies[b];
        sherd_vec3 w = body->spin;
        const double gradient[SHERD_MPM_TENSOR] = {0.0, -w.z, w.y, w.z, 0.0, -w.x, -w.y, w.x, 0.0};
        for (int32_t k = 0; k < body->count && body->spacing > 0.0; ++k, ++at)
            for (int n = 0; n < SHERD_MPM_TENSOR; ++n)
                p->c[n][at] = gradient[n];
    }
}

static sherd_status fail_glue(const sherd_world *world, int body, const sherd_mpm_glue *glue,
                              double least, sherd_error *error)
{
    char where[160];
    snprintf(where, sizeof where, "bodies.%.100s.fracture.glue.fracture_energy",
             world->bodies[body].name);
    return sherd_fail(error, SHERD_ERROR_INPUT, where,
                      "make the spacing of points smaller, or the glue weaker; without the key "
                      "it breaks at once",
                      "is too little for points this far apart: with %g J/m^2 glue of a tensile "
                      "strength of %g Pa parts within a step or two; it takes %.3g J/m^2",
                      glue->fracture_energy, glue->tensile, ROUNDED_UP * least);
}

// Sets the stiffness at which a body's glue begins to soften.
static sherd_status stiffen_glue(const sherd_world *world, int body, sherd_mpm_prefracture *f,
                                 sherd_error *error)
{
    const sherd_material_def *material = &world->materials[world->bodies[body].material];
    sherd_solid solid = sherd_solid_of(material);
    double modulus = solid.lambda + 2.0 * solid.mu, spacing = sherd_world_node_spacing(world);
    double smallest = 0.0;
    const sherd_mpm_glue *strongest = NULL;
    for (size_t k = 0; k < f->glue_count; ++k) {
        sherd_mpm_glue *glue = &f->glue[k];
        if (!(glue->fracture_energy > 0.0)) continue;
        glue->stiffness = sherd_mpm_glue_stiffness(glue, modulus, spacing);
        double own = sherd_world_least_glue_energy(world, body, glue);
        if (own > smallest) smallest = own, strongest = glue;
    }
    if (strongest == NULL || strongest->fracture_energy >= smallest) return SHERD_OK;
    return fail_glue(world, body, strongest, smallest, error);
}

static sherd_status fill_bodies(sherd_world *world, sherd_point_bodies *bodies, sherd_error *error)
{
    uint32_t pieces = 0;
    for (int k = 0; k < world->body_count; ++k) {
        world_body *body = &world->bodies[k];
        bodies->first[k] = body->first, bodies->first[k + 1] = body->first + body->count;
        bodies->of_points[k] = body->spacing > 0.0;
        bodies->first_piece[k] = pieces, pieces += sherd_world_count_pieces(body);
        bodies->first_piece[k + 1] = pieces;
        for (uint32_t p = bodies->first_piece[k]; p < pieces && bodies->of_points[k]; ++p)
            bodies->solids[p] = sherd_solid_of(&world->materials[body->material]);
        if (bodies->of_points[k]) {
            sherd_status status = stiffen_glue(world, k, &body->fracture, error);
            if (status != SHERD_OK) return status;
            if (!set_pieces(bodies, k, body)) return sherd_fail_memory(error, "glue");
        }
        sherd_mpm_prefracture_release(&body->fracture);
        if (!sherd_mpm_surface_fit_append(&bodies->outer, &body->outer, body->first))
            return sherd_fail_memory(error, "surfaces of material points");
        sherd_mpm_surface_fit_free(&body->outer);
    }
    sherd_mpm_surface_fit_sort(&bodies->outer);
    number_coupled(world, bodies);
    sherd_status status = sherd_point_bodies_fill(bodies, &world->system.elements, error);
    if (status == SHERD_OK) rotate_points(world, &bodies->m.points);
    return status;
}

sherd_status sherd_world_make_points(sherd_world *world, sherd_error *error)
{
    double spacing = sherd_world_point_spacing(world);
    sherd_status status = check_pairwise(world, error);
    if (status != SHERD_OK || !(spacing > 0.0)) return status;
    for (int k = 0; k < world->system.drivers.count && status == SHERD_OK; ++k)
        status = check_driver(world, &world->system.drivers.drivers[k], k, error);
    if (status == SHERD_OK)
        status = check_free_bodies(world, sherd_world_node_spacing(world), error);
    if (status == SHERD_OK) status = check_elements(world, sherd_world_node_spacing(world), error);
    if (status != SHERD_OK) return status;
    sherd_mpm_def def = definition_of(world, spacing);
    uint32_t pieces = 0;
    for (int k = 0; k < world->body_count; ++k)
        pieces += sherd_world_count_pieces(&world->bodies[k]);
    int free_count;
    uint32_t coupling = count_coupled(world, &free_count);
    sherd_point_bodies *bodies = sherd_point_bodies_create(&def, world->body_count, pieces,
                                                           coupling, world->system.elements.count);
    world->system.points = bodies;
    if (bodies == NULL) return sherd_fail_memory(error, "material points");
    bodies->free_count = free_count;
    return fill_bodies(world, bodies, error);
}

// ---------------------------------------------------------------- views

// Read-only views of the material points of a world.

sherd_point_view sherd_world_points(const sherd_world *world)
{
    const sherd_point_bodies *bodies = world->system.points;
    if (bodies == NULL) return (sherd_point_view){0};
    const sherd_mpm_points *p = &bodies->m.points;
    return (sherd_point_view){
        .count = (int64_t)p->count,
        .element = p->number,
        .x = p->x[0],
        .y = p->x[1],
        .z = p->x[2],
        .vx = p->v[0],
        .vy = p->v[1],
        .vz = p->v[2],
        .b_xx = p->b[0],
        .b_yy = p->b[1],
        .b_zz = p->b[2],
        .b_yz = p->b[3],
        .b_xz = p->b[4],
        .b_xy = p->b[5],
        .rest_volume = p->volume,
        .state = p->state,
        .piece = p->body,
    };
}

void sherd_world_point_states(const sherd_world *world, sherd_point_state *states)
{
    memset(states, 0, (size_t)world->system.elements.count * sizeof *states);
    sherd_point_view p = sherd_world_points(world);
    for (int64_t k = 0; k < p.count; ++k)
        if (p.element[k] != SHERD_MPM_FILLER)
            states[p.element[k]] =
                (sherd_point_state){p.b_xx[k], p.b_yy[k],        p.b_zz[k],  p.b_yz[k], p.b_xz[k],
                                    p.b_xy[k], p.rest_volume[k], p.state[k], p.piece[k]};
}

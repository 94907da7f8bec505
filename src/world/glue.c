// Views of the glue between pieces of material points: from definitions before the world is
// prepared, then from its grid.
#include "world/world.h"

#include "base/assertion.h"
#include "math/vec3.h"
#include "models/mpm/glue/mpm_glue_law.h"
#include "models/mpm/mpm_model.h"

#include <sherd/world_view.h>

#include <math.h>

static const sherd_mpm_glues *glues_of(const sherd_world *world)
{
    return &world->system.points->m.glue;
}

double sherd_world_least_glue_energy(const sherd_world *world, int body, const sherd_mpm_glue *glue)
{
    sherd_solid solid = sherd_solid_of(&world->materials[world->bodies[body].material]);
    double modulus = solid.lambda + 2.0 * solid.mu;
    return sherd_mpm_glue_least_energy(glue, modulus, sherd_world_node_spacing(world));
}

// Before the world is prepared.
static double min_energy_pending(const sherd_world *world, int body)
{
    const world_body *b = &world->bodies[body];
    double largest = 0.0;
    for (size_t k = 0; k < b->fracture.glue_count; ++k)
        largest = fmax(largest, sherd_world_least_glue_energy(world, body, &b->fracture.glue[k]));
    return largest;
}

sherd_body_glue sherd_world_body_glue(const sherd_world *world, int body)
{
    if (body < 0 || body >= world->body_count || world->bodies[body].spacing == 0.0)
        return (sherd_body_glue){0};
    const sherd_point_bodies *b = world->system.points;
    const sherd_mpm_prefracture *f = &world->bodies[body].fracture;
    if (b == NULL)
        return (sherd_body_glue){(int32_t)sherd_world_count_pieces(&world->bodies[body]),
                                 (int64_t)f->glue_count, 0, 0, min_energy_pending(world, body)};
    sherd_body_glue glue = {.pieces = (int32_t)(b->first_piece[body + 1] - b->first_piece[body]),
                            .torn = (int64_t)sherd_mpm_tears_between(
                                &b->tears, &b->lattice, b->first[body], b->first[body + 1])};
    for (size_t k = 0; k < b->m.glue.count; ++k) {
        const sherd_mpm_glue *g = &b->m.glue.items[k];
        if (g->a < b->first_piece[body] || g->a >= b->first_piece[body + 1]) continue;
        ++glue.count, glue.broken += g->damage >= 1.0;
        glue.least_energy = fmax(glue.least_energy, sherd_world_least_glue_energy(world, body, g));
    }
    return glue;
}

int64_t sherd_world_broken_count(const sherd_world *world)
{
    int64_t broken = (int64_t)world->system.bonds.broken_count;
    for (int k = 0; k < world->body_count; ++k)
        broken += sherd_world_body_glue(world, k).broken;
    return broken;
}

int64_t sherd_world_torn_count(const sherd_world *world)
{
    return world->system.points != NULL ? (int64_t)world->system.points->tears.count : 0;
}

// ---------------------------------------------------------------- particles

sherd_bond_index sherd_world_glue_count(const sherd_world *world)
{
    if (world->system.points != NULL) return (sherd_bond_index)glues_of(world)->count;
    size_t count = 0;
    for (int k = 0; k < world->body_count; ++k)
        count += world->bodies[k].fracture.glue_count;
    return (sherd_bond_index)count;
}

// Its normal gives the traction on the lower piece; `i` may be in the higher one.
static sherd_glue_particle tell(const sherd_mpm_glue *g, bool turned)
{
    bool by_force = g->criterion == SHERD_MPM_GLUE_FORCE;
    double sign = turned ? -1.0 : 1.0;
    sherd_glue_particle p = {
        .i = g->low,
        .j = g->high,
        .piece_i = (int32_t)(turned ? g->b : g->a),
        .piece_j = (int32_t)(turned ? g->a : g->b),
        .place = vec3(g->x[0], g->x[1], g->x[2]),
        .area = g->area,
        .tensile_strength = g->tensile,
        .shear_strength = g->shear,
        .threshold = by_force ? g->threshold : (double)NAN,
        .traction = vec3(sign * g->traction[0], sign * g->traction[1], sign * g->traction[2]),
        .normal_traction = sherd_mpm_glue_pull(g),
        .shear_traction = sherd_mpm_glue_slide(g),
        .broken = g->damage >= 1.0};
    if (sherd_mpm_glue_breaks(g) && !by_force) return p;
    p.traction = vec3((double)NAN, (double)NAN, (double)NAN);
    p.normal_traction = p.shear_traction = (double)NAN;
    return p;
}

static sherd_glue_particle describe_pending(const world_body *body, const sherd_mpm_glue *g)
{
    sherd_glue_particle p = tell(g, body->fracture.piece[g->low] != g->a);
    p.i += body->first, p.j += body->first;
    p.place = pose_apply(body->pose, p.place);
    return p;
}

static void list_pending(const sherd_world *world, sherd_glue_particle *glue)
{
    for (int k = 0; k < world->body_count; ++k) {
        const sherd_mpm_prefracture *f = &world->bodies[k].fracture;
        for (size_t n = 0; n < f->glue_count; ++n) {
            *glue = describe_pending(&world->bodies[k], &f->glue[n]);
            (glue++)->body = (sherd_body_index)k;
        }
    }
}

sherd_glue_particle sherd_world_glue_at(const sherd_world *world, size_t number)
{
    SHERD_ASSERT(number < (size_t)sherd_world_glue_count(world), "the glue is one of the world");
    const sherd_point_bodies *b = world->system.points;
    const sherd_mpm_glue *g = &b->m.glue.items[number];
    sherd_glue_particle p = tell(g, b->piece[g->low] != g->a);
    p.body = sherd_world_body_of(world, p.i);
    p.piece_i -= (int32_t)b->first_piece[p.body];
    p.piece_j -= (int32_t)b->first_piece[p.body];
    return p;
}

void sherd_world_glue(const sherd_world *world, sherd_glue_particle *glue)
{
    if (world->system.points == NULL) {
        list_pending(world, glue);
        return;
    }
    for (size_t k = 0; k < glues_of(world)->count; ++k)
        glue[k] = sherd_world_glue_at(world, k);
}

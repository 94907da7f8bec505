#include "models/mpm/surface/mpm_narrow_phase.h"

#include "base/memory.h"
#include "models/mpm/glue/mpm_node_groups.h"
#include "models/mpm/grid/mpm_axes.h"

#include <math.h>
#include <string.h>

enum {
    AXES = 3,
    SITES_PER_CHUNK = 64,
    CUBES_PER_CHUNK = 256,
    COUPLED_PER_CHUNK = 64,
    EDGES_PER_CHUNK = 64
};

// Largest depths at which a spring begins, or continues [spacing].
static const double DEEPEST = 1.0, FOLLOWED = 2.0;
// Upper bound of the speed of approach, over the largest component of any velocity
static const double FASTEST = 4.0;
// Product of normals above which a spring continues: the same face, or a curved one
static const double SAME = 0.7;
// Fraction of a normal's square above which drivers hold the point along it
static const double HELD = 0.5;

typedef sherd_mpm_contact_chunk chunk;
typedef sherd_mpm_contact_search job;
typedef sherd_mpm_search_sample slave;

static const sherd_mpm_site *site_of(const job *j, size_t candidate)
{
    return &j->penalty->surface.sites[j->penalty->candidates.list[candidate].site];
}

static void cube_range(void *context, size_t begin, size_t end)
{
    const job *j = context;
    sherd_mpm_penalty_contacts *t = j->penalty;
    for (size_t k = begin; k < end; ++k)
        if (t->candidates.list[k].wanted)
            sherd_mpm_body_surface_cube(&t->surface, j->def->points, t->candidates.list[k].site,
                                        &t->cubes[k]);
}

// ---------------------------------------------------------------- one sample

const sherd_mpm_spring *sherd_mpm_penalty_spring_of(const sherd_mpm_penalty_contacts *t,
                                                    uint64_t sample, uint32_t partner)
{
    size_t low = 0, high = t->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const sherd_mpm_spring *s = &t->springs[middle];
        if (s->sample < sample || (s->sample == sample && s->partner < partner))
            low = middle + 1;
        else
            high = middle;
    }
    bool found =
        low < t->count && t->springs[low].sample == sample && t->springs[low].partner == partner;
    return found ? &t->springs[low] : NULL;
}

double sherd_mpm_penalty_modulus(const sherd_solid *s)
{
    return s->mu * (3.0 * s->lambda + 2.0 * s->mu) / (s->lambda + s->mu);
}

double sherd_mpm_penalty_friction(const sherd_solid *a, const sherd_solid *b)
{
    return isnan(b->contact_friction) ? a->contact_friction
                                      : sqrt(a->contact_friction * b->contact_friction);
}

void sherd_mpm_search_continue_spring(const sherd_mpm_spring *spring,
                                      sherd_mpm_contact_point *contact)
{
    if (spring == NULL || sherd_axes_dot(spring->normal, contact->normal) < SAME) return;
    double along = sherd_axes_dot(spring->slip, contact->normal);
    contact->overlap = spring->overlap;
    contact->stiffness = spring->stiffness, contact->energy = spring->energy;
    for (int k = 0; k < AXES; ++k)
        contact->slip[k] = spring->slip[k] - along * contact->normal[k];
}

sherd_mpm_contact_point *sherd_mpm_search_add(chunk *c)
{
    if (!sherd_grow((void **)&c->list, &c->room, c->count + 1, sizeof *c->list)) {
        c->failed = true;
        return NULL;
    }
    sherd_mpm_contact_point *contact = &c->list[c->count++];
    memset(contact, 0, sizeof *contact);
    contact->coupled = contact->wall = contact->face = -1;
    return contact;
}

void sherd_mpm_search_set_side(const job *j, size_t candidate, const double at[AXES], double depth,
                               sherd_mpm_contact_side *side)
{
    side->place = (size_t)j->penalty->surface.place[site_of(j, candidate)->number];
    side->page = j->penalty->candidates.list[candidate].page, side->depth = depth;
    for (int k = 0; k < AXES; ++k)
        side->to[k] = at[k] - j->def->points->x[k][side->place];
}

sherd_mpm_contact_point *sherd_mpm_search_begin_point(const job *j, const slave *s,
                                                      uint32_t partner,
                                                      const sherd_mpm_face_hit *face, chunk *c)
{
    sherd_mpm_contact_point *contact = sherd_mpm_search_add(c);
    if (contact == NULL) return NULL;
    contact->sample = s->number, contact->partner = partner, contact->gap = face->gap;
    memcpy(contact->at, s->sample.at, sizeof contact->at);
    memcpy(contact->normal, face->normal, sizeof contact->normal);
    sherd_mpm_search_set_side(
        j, s->candidate, s->sample.at,
        sherd_mpm_body_surface_depth(s->cube, site_of(j, s->candidate)->sides, face->normal),
        &contact->side[0]);
    return contact;
}

// ---------------------------------------------------------------- bodies

// Whether glue joins both bodies at the node nearest to a point.
static bool is_joined(const job *j, const double at[AXES], uint32_t a, uint32_t b)
{
    const sherd_mpm_grid *g = j->def->grid;
    const sherd_mpm_glues *glue = j->def->glue;
    int32_t block[AXES];
    int node = 0;
    if (glue == NULL) return false;
    for (int k = AXES - 1; k >= 0; --k) {
        int64_t index = llround(at[k] / g->h) + 1;
        block[k] = (int32_t)floor((double)index / SHERD_MPM_SIDE);
        node = node * SHERD_MPM_SIDE + (int)(index - SHERD_MPM_SIDE * (int64_t)block[k]);
    }
    int32_t one = sherd_mpm_find_layer(g, block, a), other = sherd_mpm_find_layer(g, block, b);
    if (one < 0 || other < 0) return false;
    size_t shared = sherd_mpm_find_shared_block(g, (size_t)one);
    if (shared == g->shared_count || glue->of_block[shared] == glue->of_block[shared + 1])
        return false;
    sherd_mpm_node_groups m;
    int groups[2] = {-1, -2};
    sherd_mpm_find_group_layers(g, glue, shared, node, &m);
    for (int k = 0; k < m.layers; ++k) {
        if (m.layer[k] == (size_t)one) groups[0] = m.group_of[k];
        if (m.layer[k] == (size_t)other) groups[1] = m.group_of[k];
    }
    return groups[0] == groups[1];
}

bool sherd_mpm_search_are_apart(const sherd_mpm_cube *a, const sherd_mpm_cube *b, double reach)
{
    for (int k = 0; k < AXES; ++k)
        if (fabs(a->x[k] - b->x[k]) > reach) return true;
    return false;
}

// Part of the stiffness of a side. Samples of both bodies meet each other's faces, so each has half
// of it, or more if its samples are denser: then a ball does not roll over a slab's samples as over
// bumps.
static double share_of(const job *j, size_t own, size_t other)
{
    double a = site_of(j, own)->fine, b = site_of(j, other)->fine;
    return a * a / (a * a + b * b);
}

static void meet_body(const job *j, const slave *s, size_t begin_at, size_t end, chunk *c)
{
    const sherd_mpm_penalty_contacts *t = j->penalty;
    const sherd_mpm_candidates *n = &t->candidates;
    uint32_t partner = n->list[n->others[begin_at]].body;
    const sherd_mpm_spring *spring = sherd_mpm_penalty_spring_of(t, s->number, partner);
    double spacing = t->surface.lattice->spacing,
           deepest = (spring != NULL ? FOLLOWED : DEEPEST) * spacing;
    sherd_mpm_face_hit best = {0};
    const sherd_mpm_probe place = {s->sample.at, 0.0, s->sample.area, NULL, 0};
    size_t other = 0;
    bool found = false;
    for (size_t k = begin_at; k < end; ++k) {
        sherd_mpm_face_hit face;
        size_t candidate = n->others[k];
        if (sherd_mpm_search_are_apart(s->cube, &t->cubes[candidate],
                                       SHERD_MPM_CANDIDATE_REACH * spacing))
            continue;
        if (!sherd_mpm_body_surface_face(&t->surface, &t->cubes[candidate], n->list[candidate].site,
                                         &place, deepest, &face))
            continue;
        if (!found || face.gap > best.gap) best = face, other = candidate, found = true;
    }
    if (!found || (spring == NULL && best.gap > j->reach)) return;
    if (is_joined(j, s->sample.at, s->body, partner)) return;
    sherd_mpm_contact_point *contact = sherd_mpm_search_begin_point(j, s, partner, &best, c);
    if (contact == NULL) return;
    sherd_mpm_search_set_side(j, other, s->sample.at, best.depth, &contact->side[1]);
    const sherd_solid *a = &j->def->solids[s->body], *b = &j->def->solids[partner];
    double softness = contact->side[0].depth / sherd_mpm_penalty_modulus(a) +
                      contact->side[1].depth / sherd_mpm_penalty_modulus(b);
    contact->stiffness =
        -share_of(j, s->candidate, other) * sherd_axes_dot(s->sample.area, best.normal) / softness;
    contact->friction = sherd_mpm_penalty_friction(a, b);
    sherd_mpm_search_continue_spring(spring, contact);
}

// ---------------------------------------------------------------- walls

bool sherd_mpm_search_is_driven(const job *j, size_t candidate, const double normal[AXES])
{
    double sum = 0.0;
    if (j->def->driven == NULL) return false;
    uint8_t driven = j->def->driven[j->penalty->surface.place[site_of(j, candidate)->number]];
    for (int k = 0; k < AXES; ++k)
        if (driven >> k & 1) sum += normal[k] * normal[k];
    return sum > HELD;
}

static void meet_wall(const job *j, const slave *s, uint32_t partner, chunk *c)
{
    const sherd_mpm_wall *wall = &j->def->grid->walls->list[partner & ~SHERD_MPM_PARTNER_WALL];
    const sherd_mpm_spring *spring = sherd_mpm_penalty_spring_of(j->penalty, s->number, partner);
    sherd_mpm_face_hit face = {0};
    face.gap = wall->distance(wall->context, s->sample.at, face.normal);
    // Beyond the middle of a thin wall its other face is nearer, so retain the normal.
    if (spring != NULL && sherd_axes_dot(face.normal, spring->normal) < 0.0)
        memcpy(face.normal, spring->normal, sizeof face.normal);
    double area = -sherd_axes_dot(s->sample.area, face.normal);
    if ((spring == NULL && face.gap > j->reach) || !(area > 0.0)) return;
    if (sherd_mpm_search_is_driven(j, s->candidate, face.normal)) return;
    sherd_mpm_contact_point *contact = sherd_mpm_search_begin_point(j, s, partner, &face, c);
    if (contact == NULL) return;
    contact->wall = (int32_t)(partner & ~SHERD_MPM_PARTNER_WALL);
    contact->stiffness =
        area * sherd_mpm_penalty_modulus(&j->def->solids[s->body]) / contact->side[0].depth;
    contact->friction = wall->friction[s->body];
    sherd_mpm_search_continue_spring(spring, contact);
}

// ---------------------------------------------------------------- all

static void meet_all(const job *j, const slave *s, chunk *c)
{
    const sherd_mpm_candidates *n = &j->penalty->candidates;
    size_t last = n->list[s->candidate + 1].first;
    for (size_t k = n->list[s->candidate].first, end; k < last; k = end) {
        end = k + 1;
        if (n->others[k] & SHERD_MPM_PARTNER_WALL) {
            meet_wall(j, s, n->others[k], c);
            continue;
        }
        if (n->others[k] & SHERD_MPM_PARTNER_COUPLED) {
            sherd_mpm_search_coupled(j, s, n->others[k] & ~SHERD_MPM_PARTNER_COUPLED, c);
            continue;
        }
        while (end < last && n->others[end] < SHERD_MPM_PARTNER_COUPLED &&
               n->list[n->others[end]].body == n->list[n->others[k]].body)
            ++end;
        meet_body(j, s, k, end, c);
    }
}

static void find_range(void *context, size_t begin_at, size_t end)
{
    const job *j = context;
    const sherd_mpm_penalty_contacts *t = j->penalty;
    chunk *c = &j->chunks[begin_at / SITES_PER_CHUNK];
    for (size_t k = begin_at; k < end; ++k) {
        const sherd_mpm_candidate_site *candidate = &t->candidates.list[k];
        if (candidate->first == candidate[1].first) continue;
        const sherd_mpm_site *site = site_of(j, k);
        slave s = {.cube = &t->cubes[k], .candidate = k, .body = candidate->body};
        if (!(s.cube->volume > 0.0)) continue;
        for (int which = 0; which < site->samples; ++which) {
            s.sample = sherd_mpm_body_surface_sample(&t->surface, s.cube, candidate->site, which);
            s.number = SHERD_MPM_SITE_SAMPLES * (uint64_t)site->number + (uint64_t)which;
            meet_all(j, &s, c);
        }
    }
}

// Run before samples, which leave out balls that meet faces.
static void find_balls(void *context, size_t begin_at, size_t end)
{
    const job *j = context;
    for (size_t k = begin_at; k < end; ++k)
        sherd_mpm_search_ball(j, k, &j->balls[begin_at / COUPLED_PER_CHUNK]);
}

static void find_wall_edges(void *context, size_t begin_at, size_t end)
{
    const job *j = context;
    for (size_t k = begin_at; k < end; ++k)
        sherd_mpm_search_edge(j, k, &j->wall_edges[begin_at / EDGES_PER_CHUNK]);
}

static void find_coupled_edges(void *context, size_t begin_at, size_t end)
{
    const job *j = context;
    size_t walls = j->penalty->candidates.wall_edge_count;
    for (size_t k = begin_at; k < end; ++k)
        sherd_mpm_search_edge(j, walls + k, &j->coupled_edges[begin_at / EDGES_PER_CHUNK]);
}

static bool gather(sherd_mpm_penalty_contacts *t, chunk *chunks, size_t count)
{
    bool ok = true;
    for (size_t k = 0; k < count; ++k) {
        const chunk *c = &chunks[k];
        ok = ok && !c->failed &&
             sherd_grow((void **)&t->list, &t->contact_room, t->contact_count + c->count + 1,
                        sizeof *t->list);
        if (ok && c->count > 0)
            memcpy(&t->list[t->contact_count], c->list, c->count * sizeof *c->list);
        if (ok) t->contact_count += c->count;
        sherd_free(c->list);
    }
    return ok;
}

static size_t chunks_of(size_t count, size_t each)
{
    return (count + each - 1) / each;
}

// Finds all contact points and appends the lists in an order that sorts springs by sample and
// partner.
static bool find_all(job *j)
{
    sherd_mpm_penalty_contacts *t = j->penalty;
    const sherd_parallel *threads = &j->def->parallel;
    const sherd_mpm_candidates *n = &t->candidates;
    size_t walls = n->wall_edge_count, coupling = n->edge_count - walls;
    sherd_parallel_for(threads, n->count, CUBES_PER_CHUNK, cube_range, j);
    sherd_parallel_for(threads, n->coupled_count, COUPLED_PER_CHUNK, find_balls, j);
    sherd_parallel_for(threads, n->count, SITES_PER_CHUNK, find_range, j);
    sherd_parallel_for(threads, walls, EDGES_PER_CHUNK, find_wall_edges, j);
    sherd_parallel_for(threads, coupling, EDGES_PER_CHUNK, find_coupled_edges, j);
    bool ok = gather(t, j->chunks, chunks_of(n->count, SITES_PER_CHUNK));
    ok = gather(t, j->wall_edges, chunks_of(walls, EDGES_PER_CHUNK)) && ok;
    ok = gather(t, j->balls, chunks_of(n->coupled_count, COUPLED_PER_CHUNK)) && ok;
    return gather(t, j->coupled_edges, chunks_of(coupling, EDGES_PER_CHUNK)) && ok;
}

bool sherd_mpm_find_contact_points(sherd_mpm_penalty_contacts *t, const sherd_mpm_penalty_def *def)
{
    if (sherd_mpm_body_surface_follow_glue(&t->surface)) t->candidates.made = false;
    if (!sherd_mpm_candidates_find(&t->candidates, &t->surface, def->grid, def->points,
                                   def->coupling, def->walls))
        return false;
    const sherd_mpm_candidates *n = &t->candidates;
    t->contact_count = 0;
    if (n->count == 0) return true;
    job j = {.penalty = t, .def = def};
    j.chunks = sherd_alloc(chunks_of(n->count, SITES_PER_CHUNK), sizeof *j.chunks);
    j.balls = sherd_alloc(chunks_of(n->coupled_count, COUPLED_PER_CHUNK), sizeof *j.balls);
    j.wall_edges =
        sherd_alloc(chunks_of(n->wall_edge_count, EDGES_PER_CHUNK), sizeof *j.wall_edges);
    j.coupled_edges = sherd_alloc(chunks_of(n->edge_count - n->wall_edge_count, EDGES_PER_CHUNK),
                                  sizeof *j.coupled_edges);
    j.reach = fmin(FASTEST * def->dt * def->speed + def->walls, t->surface.lattice->spacing);
    bool ok = j.chunks != NULL && j.balls != NULL && j.wall_edges != NULL &&
              j.coupled_edges != NULL &&
              sherd_grow((void **)&t->cubes, &t->cube_room, n->count, sizeof *t->cubes) &&
              sherd_grow((void **)&t->faced, &t->faced_room, n->coupled_count, sizeof *t->faced) &&
              find_all(&j);
    sherd_free(j.chunks), sherd_free(j.balls);
    sherd_free(j.wall_edges), sherd_free(j.coupled_edges);
    return ok;
}

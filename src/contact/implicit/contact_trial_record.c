// Contacts of a step: what they start from.
#include "base/error.h"
#include "base/memory.h"
#include "contact/implicit/contact_trial_state.h"
#include "math/quat.h"

#include <stdlib.h>

enum { RECORD_CHUNK = 64 };

sherd_trial_place sherd_trial_start(const sherd_contact_trial *trial)
{
    return (sherd_trial_place){trial->start[0], trial->start[1], trial->start[2],
                               trial->contacts->obstacles};
}

sherd_trial_place sherd_trial_now(const sherd_contact_trial *trial, const sherd_elements *e)
{
    return (sherd_trial_place){e->px, e->py, e->pz, trial->obstacles};
}

// ---------------------------------------------------------------- geometry

static sherd_vec3 position(const sherd_trial_place *place, sherd_element_index k)
{
    return vec3(place->px[k], place->py[k], place->pz[k]);
}

// What arms of an obstacle start from.
static sherd_vec3 centre_of(const sherd_obstacle *o)
{
    return o->kind == SHERD_OBSTACLE_FREE ? o->body.centre : o->pose.position;
}

static sherd_trial_geometry pair_geometry(const sherd_elements *e, const sherd_trial_place *place,
                                          sherd_element_index i, sherd_element_index j)
{
    sherd_vec3 d = vec3_sub(position(place, i), position(place, j));
    double distance = vec3_length(d),
           overlap = sherd_element_radius(e, i) + sherd_element_radius(e, j) - distance;
    sherd_vec3 n = distance > 0.0 ? vec3_scale(1.0 / distance, d) : vec3(0.0, 0.0, 1.0);
    return (sherd_trial_geometry){overlap, n,
                                  vec3_scale(0.5 * overlap - sherd_element_radius(e, i), n),
                                  vec3_scale(sherd_element_radius(e, j) - 0.5 * overlap, n)};
}

static sherd_trial_geometry obstacle_geometry(const sherd_elements *e,
                                              const sherd_trial_place *place, sherd_element_index i,
                                              int32_t obstacle)
{
    const sherd_obstacle *o = &place->obstacles[obstacle];
    sherd_vec3 p = position(place, i), n;
    double overlap = sherd_element_radius(e, i) - sherd_obstacle_distance_and_normal(o, p, &n);
    sherd_vec3 arm = vec3_scale(0.5 * overlap - sherd_element_radius(e, i), n);
    return (sherd_trial_geometry){overlap, n, arm, vec3_sub(vec3_add(p, arm), centre_of(o))};
}

static sherd_trial_geometry point_geometry(const sherd_trial_place *place,
                                           const sherd_trial_record *r)
{
    const sherd_obstacle *a = &place->obstacles[r->i], *b = &place->obstacles[r->obstacle];
    const double *local = &a->points[3 * r->point];
    sherd_vec3 x = pose_apply(a->pose, vec3(local[0], local[1], local[2])), n;
    double overlap = -sherd_obstacle_distance_and_normal(b, x, &n);
    return (sherd_trial_geometry){overlap, n, vec3_sub(x, a->body.centre),
                                  vec3_sub(x, centre_of(b))};
}

sherd_trial_geometry sherd_trial_geometry_of(const sherd_trial_record *record,
                                             const sherd_trial_place *place,
                                             const sherd_elements *elements)
{
    if (record->body_contact >= 0) return point_geometry(place, record);
    if (record->j >= 0) return pair_geometry(elements, place, record->i, record->j);
    return obstacle_geometry(elements, place, record->i, record->obstacle);
}

// ---------------------------------------------------------------- laws

static double mobility(const sherd_elements *e, sherd_element_index k)
{
    return e->held[k] ? 0.0 : 1.0 / sherd_element_mass(e, k);
}

// Spring, dashpot and friction as of explicit contact (contact_respond.h), whose dashpot is weakened
// for its own steps and not here: c = 2 zeta sqrt(k m).
static contact_potential law_of(double stiffness, double zeta, double friction, double inverse_mass,
                                double dt)
{
    double c = inverse_mass > 0.0 ? 2.0 * zeta * sqrt(stiffness / inverse_mass) : 0.0;
    return (contact_potential){.stiffness = stiffness, .dashpot = c / dt, .friction = friction};
}

static contact_potential pair_law(const sherd_contact_trial *t, const sherd_elements *e,
                                  sherd_element_index i, sherd_element_index j)
{
    const sherd_contacts *c = t->contacts;
    const sherd_contact_pairing *p = &c->pairings[sherd_element_material(e, i) * c->material_count +
                                                  sherd_element_material(e, j)];
    double r = fmin(sherd_element_radius(e, i), sherd_element_radius(e, j));
    double k = p->modulus * M_PI * r * r /
               (sherd_element_radius(e, i) + sherd_element_radius(e, j)); // [BDEM21] (22)
    return law_of(k, p->damping_ratio, p->friction, mobility(e, i) + mobility(e, j), t->dt);
}

static contact_potential obstacle_law(const sherd_contact_trial *t, const sherd_elements *e,
                                      sherd_element_index i, int32_t obstacle,
                                      const sherd_trial_geometry *at)
{
    const sherd_obstacle *o = &t->contacts->obstacles[obstacle];
    const sherd_contact_pairing *p = &o->pairings[sherd_element_material(e, i)];
    sherd_trial_place start = sherd_trial_start(t);
    sherd_vec3 x = vec3_add(position(&start, i), at->arm_i);
    double other = sherd_obstacle_mobility(o, x, at->normal);
    return law_of(p->modulus * M_PI * sherd_element_radius(e, i), p->damping_ratio, p->friction,
                  mobility(e, i) + other, t->dt);
}

static contact_potential point_law(const sherd_contact_trial *t, const sherd_trial_record *r,
                                   const sherd_trial_geometry *at)
{
    const sherd_obstacle *a = &t->contacts->obstacles[r->i];
    const sherd_obstacle *b = &t->contacts->obstacles[r->obstacle];
    sherd_body_contact_law both = sherd_contacts_body_law(t->contacts);
    sherd_contact_law law = sherd_body_contact_point_law(
        &t->contacts->body_contacts[r->body_contact], t->contacts->obstacles, &both);
    sherd_vec3 x = vec3_add(a->body.centre, at->arm_i);
    double inverse_mass =
        sherd_obstacle_mobility(a, x, at->normal) + sherd_obstacle_mobility(b, x, at->normal);
    return law_of(law.stiffness, law.damping_ratio, law.friction, inverse_mass, t->dt);
}

// ---------------------------------------------------------------- records

// Overlaps that are deeper than the barrier already, as steps without one leave them, may double.
static double barrier_width(const sherd_contact_trial *trial, double pressed)
{
    return trial->barrier > 0.0 && pressed >= trial->barrier ? 2.0 * pressed : trial->barrier;
}

// The normal force that the step is likely to end with, to cap friction at first: that of the start, and what
// the spring gains if the overlap goes on growing as the dashpot felt it. What changes fast does not go on.
static double force_expected(const contact_potential *law, double dashpot)
{
    static const double MOST_GROWTH = 0.1;
    double spring = law->stiffness * law->start, most = MOST_GROWTH * spring;
    double growth = law->dashpot > 0.0 ? law->stiffness / law->dashpot * dashpot : 0.0;
    return fmax(0.0, spring + dashpot + (fabs(growth) <= most ? growth : 0.0));
}

int sherd_trial_whole_bonds(const sherd_contact_trial *trial, sherd_element_index k, int most)
{
    const sherd_bond_adjacency *a = &trial->bonds;
    if (!trial->bonded) return most;
    int whole = 0;
    for (uint32_t b = a->start[k]; b < a->start[k + 1] && whole < most; ++b)
        whole += a->broken[a->bond[b]] == 0;
    return whole;
}

// An element turns freely about one bond.
static bool hardly_bonded(const sherd_contact_trial *trial, sherd_element_index k)
{
    return sherd_trial_whole_bonds(trial, k, 2) < 2;
}

static bool is_loose(const sherd_contact_trial *trial, const sherd_trial_record *r)
{
    if (r->body_contact >= 0) return false;
    return hardly_bonded(trial, r->i) || (r->j >= 0 && hardly_bonded(trial, r->j));
}

static bool is_free(const sherd_contact_trial *trial, int32_t obstacle)
{
    return obstacle >= 0 && trial->body_of[obstacle] >= 0;
}

// Bonded bodies rebound by waves of their own.
static double restitution_of(const sherd_contact_trial *t, const sherd_elements *e,
                             const sherd_trial_record *r)
{
    const sherd_contacts *c = t->contacts;
    if (r->body_contact >= 0) {
        sherd_body_contact_law both = sherd_contacts_body_law(c);
        return sherd_contact_restitution(
            sherd_body_contact_point_law(&c->body_contacts[r->body_contact], c->obstacles, &both)
                .damping_ratio);
    }
    if (!r->loose && !is_free(t, r->obstacle)) return 0.0;
    int material = sherd_element_material(e, r->i);
    const sherd_contact_pairing *p =
        r->j >= 0 ? &c->pairings[material * c->material_count + sherd_element_material(e, r->j)]
                  : &c->obstacles[r->obstacle].pairings[material];
    return sherd_contact_restitution(p->damping_ratio);
}

// `overlap` of the start is rest as far as the history says, all of it where nothing was ever
// evaluated. The record holds what it was made with: rest overlap, spring, and the dashpot's force.
static void start_record(const sherd_contact_trial *trial, const sherd_elements *elements,
                         sherd_trial_record *r)
{
    sherd_trial_place start = sherd_trial_start(trial);
    double rest = r->law.rest, dashpot = r->normal_force;
    r->kept = sherd_trial_geometry_of(r, &start, elements);
    if (r->body_contact >= 0)
        r->law = point_law(trial, r, &r->kept);
    else if (r->j >= 0)
        r->law = pair_law(trial, elements, r->i, r->j);
    else
        r->law = obstacle_law(trial, elements, r->i, r->obstacle, &r->kept);
    double overlap = fmax(0.0, r->kept.overlap);
    r->law.rest = trial->contacts->fresh ? overlap : fmin(overlap, rest);
    r->law.start = overlap - r->law.rest;
    r->law.width = barrier_width(trial, r->law.start);
    r->touched = r->law.start > 0.0;
    r->loose = is_loose(trial, r);
    r->restitution = r->touched ? 0.0 : restitution_of(trial, elements, r);
    r->normal_force = r->touched ? force_expected(&r->law, dashpot) : 0.0;
}

typedef struct start_job {
    const sherd_contact_trial *trial;
    const sherd_elements *elements;
    size_t from;
} start_job;

static void start_range(void *context, size_t begin, size_t end)
{
    const start_job *job = context;
    for (size_t r = job->from + begin; r < job->from + end; ++r)
        start_record(job->trial, job->elements, &job->trial->records[r]);
}

void sherd_trial_start_records(sherd_contact_trial *trial, const sherd_elements *elements)
{
    start_job job = {trial, elements, trial->started_count};
    sherd_parallel_for(&trial->contacts->parallel, trial->record_count - trial->started_count,
                       RECORD_CHUNK, start_range, &job);
    trial->started_count = trial->record_count;
}

static sherd_trial_record *push_record(sherd_contact_trial *trial,
                                       const sherd_contact_history *history)
{
    if (trial->record_count == INT32_MAX ||
        !sherd_grow((void **)&trial->records, &trial->record_capacity, trial->record_count + 1,
                    sizeof *trial->records))
        return NULL;
    sherd_trial_record *record = &trial->records[trial->record_count++];
    *record = (sherd_trial_record){.j = -1,
                                   .obstacle = -1,
                                   .body_contact = -1,
                                   .point = -1,
                                   .law.rest = history->rest_overlap,
                                   .spring = history->spring,
                                   .normal_force = history->damping};
    return record;
}

bool sherd_trial_record_element(sherd_contact_trial *trial, sherd_element_index i, int32_t other,
                                const sherd_contact_history *history)
{
    sherd_trial_record *r = push_record(trial, history);
    if (r == NULL) return false;
    r->i = i;
    if (other >= trial->obstacle_count)
        r->j = other - trial->obstacle_count;
    else
        r->obstacle = other;
    return true;
}

bool sherd_trial_record_point(sherd_contact_trial *trial, int32_t body_contact, int32_t point,
                              const sherd_contact_history *history)
{
    sherd_trial_record *r = push_record(trial, history);
    if (r == NULL) return false;
    r->i = trial->contacts->body_contacts[body_contact].body;
    r->obstacle = trial->contacts->body_contacts[body_contact].other;
    r->body_contact = body_contact;
    r->point = point;
    trial->point_record[body_contact][point] = (int32_t)(trial->record_count - 1);
    return true;
}

// ---------------------------------------------------------------- what explicit contact remembers

static bool recall_block(sherd_contact_trial *trial, const sherd_pair_block *block)
{
    if (block->slot_count == block->free_count) return true;
    for (int32_t row = 0; row < block->own_count; ++row)
        for (int32_t at = block->start[row]; at < block->start[row + 1]; ++at) {
            int32_t slot = block->slot[at], j = block->member[block->partner[at]];
            if (slot >= 0 &&
                !sherd_trial_record_element(trial, block->member[row], trial->obstacle_count + j,
                                            &block->history[slot]))
                return false;
        }
    return true;
}

static bool recall_obstacle(sherd_contact_trial *trial, int32_t obstacle)
{
    const sherd_obstacle_contacts *c = &trial->contacts->obstacles[obstacle].contacts;
    for (size_t k = 0; k < c->count; ++k)
        if (c->state[k] != 0 &&
            !sherd_trial_record_element(trial, c->element[k], obstacle, &c->history[k].contact))
            return false;
    return true;
}

static bool recall_points(sherd_contact_trial *trial, int32_t body_contact)
{
    const sherd_body_contact *c = &trial->contacts->body_contacts[body_contact];
    for (int32_t p = 0; p < c->point_count; ++p)
        if (c->state[p] != 0 &&
            !sherd_trial_record_point(trial, body_contact, p, &c->history[p].contact))
            return false;
    return true;
}

static int compare_pairs(const void *a, const void *b)
{
    const sherd_pair *x = a, *y = b;
    return x->i != y->i ? (x->i > y->i) - (x->i < y->i) : (x->j > y->j) - (x->j < y->j);
}

// Of the first `count` records, which are pairs in order.
static sherd_trial_record *find_pair(sherd_contact_trial *trial, size_t count, sherd_pair pair)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const sherd_trial_record *r = &trial->records[middle];
        sherd_pair at = {r->i, r->j};
        if (compare_pairs(&at, &pair) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < count && trial->records[low].i == pair.i && trial->records[low].j == pair.j;
    return found ? &trial->records[low] : NULL;
}

// Ends of a bond that broke, now a contact: the overlap they have is at rest.
static bool recall_broken(sherd_contact_trial *trial, const sherd_elements *e, size_t pairs,
                          sherd_pair pair)
{
    if (pair.i < 0 || pair.j >= trial->count || pair.i == pair.j) return true;
    if (e->held[pair.i] && e->held[pair.j]) return true;
    if (trial->bonded && sherd_pair_is_bonded(&trial->bonds, pair.i, pair.j)) return true;
    sherd_trial_record *r = find_pair(trial, pairs, pair);
    const sherd_contact_history all_at_rest = {.rest_overlap = INFINITY};
    if (r == NULL)
        return sherd_trial_record_element(trial, pair.i, trial->obstacle_count + pair.j,
                                          &all_at_rest);
    r->law.rest = INFINITY;
    return true;
}

static bool recall_all_broken(sherd_contact_trial *trial, const sherd_elements *e)
{
    size_t count = trial->contacts->broken_count, pairs = trial->record_count;
    if (count == 0) return true;
    sherd_pair *sorted = sherd_alloc(count, sizeof *sorted);
    if (sorted == NULL) return false;
    for (size_t b = 0; b < count; ++b)
        sorted[b] = trial->contacts->broken[b];
    qsort(sorted, count, sizeof *sorted, compare_pairs);
    bool fits = true;
    for (size_t b = 0; b < count && fits; ++b)
        if (b == 0 || compare_pairs(&sorted[b - 1], &sorted[b]) != 0)
            fits = recall_broken(trial, e, pairs, sorted[b]);
    sherd_free(sorted);
    return fits;
}

sherd_status sherd_trial_recall(sherd_contact_trial *trial, const sherd_elements *elements,
                                sherd_error *error)
{
    const sherd_contacts *c = trial->contacts;
    trial->record_count = trial->started_count = 0;
    bool fits = !c->broken_failed;
    for (int32_t b = 0; b < c->list.block_count && fits; ++b)
        fits = recall_block(trial, &c->list.blocks[b]);
    fits = fits && recall_all_broken(trial, elements);
    for (int32_t o = 0; o < trial->obstacle_count && fits; ++o)
        fits = recall_obstacle(trial, o);
    for (int32_t b = 0; b < trial->body_contact_count && fits; ++b)
        fits = recall_points(trial, b);
    if (!fits) return sherd_fail_memory(error, "contacts of a step");
    sherd_trial_start_records(trial, elements);
    return SHERD_OK;
}

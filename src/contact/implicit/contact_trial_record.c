// Records of contacts at the start of a step.
#include "base/error.h"
#include "base/memory.h"
#include "contact/implicit/contact_trial_state.h"
#include "math/quat.h"

#include <stdlib.h>

enum { RECORD_CHUNK = 64 };

sherd_trial_poses sherd_trial_start(const sherd_contact_trial *trial)
{
    double *const *s = trial->start;
    return (sherd_trial_poses){s[0], s[1], s[2], s[3],
                               s[4], s[5], s[6], trial->contacts->obstacles};
}

sherd_trial_poses sherd_trial_now(const sherd_contact_trial *trial, const sherd_points *e)
{
    return (sherd_trial_poses){e->px, e->py, e->pz, e->qx, e->qy, e->qz, e->qw, trial->obstacles};
}

// ---------------------------------------------------------------- geometry

static sherd_vec3 position(const sherd_trial_poses *poses, sherd_element_index k)
{
    return vec3(poses->px[k], poses->py[k], poses->pz[k]);
}

// Origin of the arms of an obstacle's loads.
static sherd_vec3 centre_of(const sherd_obstacle *o)
{
    return o->kind == SHERD_OBSTACLE_FREE ? o->body.centre : o->pose.position;
}

static sherd_trial_geometry pair_geometry(const sherd_points *e, const sherd_trial_poses *poses,
                                          sherd_element_index i, sherd_element_index j)
{
    sherd_vec3 d = vec3_sub(position(poses, i), position(poses, j));
    double distance = vec3_length(d),
           overlap = sherd_point_radius(e, i) + sherd_point_radius(e, j) - distance;
    sherd_vec3 n = distance > 0.0 ? vec3_scale(1.0 / distance, d) : vec3(0.0, 0.0, 1.0);
    return (sherd_trial_geometry){overlap, n,
                                  vec3_scale(0.5 * overlap - sherd_point_radius(e, i), n),
                                  vec3_scale(sherd_point_radius(e, j) - 0.5 * overlap, n)};
}

static sherd_trial_geometry obstacle_geometry(const sherd_contact_trial *t, const sherd_points *e,
                                              const sherd_trial_poses *poses, sherd_trial_record *r)
{
    const sherd_obstacle *o = &poses->obstacles[r->obstacle];
    sherd_vec3 p = position(poses, r->i), n;
    double radius = sherd_point_radius(e, r->i), distance;
    if (o->location_count > 1) {
        sherd_near_point at = sherd_trial_location_of(t, o, r, p, radius);
        distance = at.distance, n = at.normal;
    } else {
        distance = sherd_obstacle_distance_and_normal(o, p, &n);
    }
    double overlap = radius - distance;
    sherd_vec3 arm = vec3_scale(0.5 * overlap - radius, n);
    return (sherd_trial_geometry){overlap, n, arm, vec3_sub(vec3_add(p, arm), centre_of(o))};
}

static sherd_trial_geometry point_geometry(const sherd_trial_poses *poses,
                                           const sherd_trial_record *r)
{
    const sherd_obstacle *a = &poses->obstacles[r->i], *b = &poses->obstacles[r->obstacle];
    const double *local = &a->points[3 * r->point];
    sherd_vec3 x = pose_apply(a->pose, vec3(local[0], local[1], local[2])), n;
    double overlap = -sherd_obstacle_distance_and_normal(b, x, &n);
    return (sherd_trial_geometry){overlap, n, vec3_sub(x, a->body.centre),
                                  vec3_sub(x, centre_of(b))};
}

sherd_trial_geometry sherd_trial_geometry_of(const sherd_contact_trial *trial,
                                             sherd_trial_record *record,
                                             const sherd_trial_poses *poses,
                                             const sherd_points *points)
{
    if (record->body_contact >= 0) return point_geometry(poses, record);
    if (record->slides) return sherd_trial_face_geometry(poses, points, record);
    if (record->j >= 0) return pair_geometry(points, poses, record->i, record->j);
    return obstacle_geometry(trial, points, poses, record);
}

// ---------------------------------------------------------------- laws

static double mobility(const sherd_points *e, sherd_element_index k)
{
    return sherd_point_is_held(e, k) ? 0.0 : 1.0 / sherd_point_mass(e, k);
}

// Parameters of the law, without the dashpot, which depends on the overlap.
typedef struct contact_properties {
    contact_spring spring;
    double stiffness, zeta, friction, inverse_mass;
    double rolling; // mu_r
} contact_properties;

static contact_properties pair_properties(const sherd_contact_trial *t, const sherd_points *e,
                                          sherd_element_index i, sherd_element_index j)
{
    const sherd_contacts *c = t->contacts;
    const sherd_contact_pairing *p =
        &c->pairings[sherd_point_material(e, i) * c->material_count + sherd_point_material(e, j)];
    double r_i = sherd_point_radius(e, i), r_j = sherd_point_radius(e, j);
    return (contact_properties){sherd_contact_pair_spring(p, r_i, r_j),
                                sherd_contact_pair_stiffness(p, r_i, r_j),
                                p->damping_ratio,
                                p->friction,
                                mobility(e, i) + mobility(e, j),
                                p->rolling_friction};
}

static contact_properties obstacle_properties(const sherd_contact_trial *t, const sherd_points *e,
                                              sherd_element_index i, int32_t obstacle,
                                              const sherd_trial_geometry *at)
{
    const sherd_obstacle *o = &t->contacts->obstacles[obstacle];
    const sherd_contact_pairing *p = &o->pairings[sherd_point_material(e, i)];
    sherd_trial_poses start = sherd_trial_start(t);
    sherd_vec3 x = vec3_add(position(&start, i), at->arm_i);
    double other = sherd_obstacle_mobility(o, x, at->normal), r = sherd_point_radius(e, i);
    return (contact_properties){sherd_contact_face_spring(p, r),
                                sherd_contact_face_stiffness(p, r),
                                p->damping_ratio,
                                p->friction,
                                mobility(e, i) + other,
                                p->rolling_friction};
}

static contact_properties point_properties(const sherd_contact_trial *t,
                                           const sherd_trial_record *r,
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
    // Points that touch together share the damping: n points of k and c have the ratio of one point
    // with sqrt(n) times zeta.
    int32_t touching = t->contacts->body_contacts[r->body_contact].touching;
    double zeta = law.damping_ratio / sqrt(touching > 1 ? (double)touching : 1.0);
    return (contact_properties){law.spring, law.stiffness, zeta, law.friction, inverse_mass, 0.0};
}

// Spring, dashpot and friction of explicit contact (contact_respond.h), whose dashpot is reduced
// for its own time steps. Here it is not: c = 2 zeta sqrt(k m), k the tangent stiffness at the
// start.
static contact_trial_law law_of(const contact_properties *properties, double rest, double start,
                                double dt)
{
    double m = properties->inverse_mass,
           tangent = sherd_contact_spring_evaluate(&properties->spring, start).tangent;
    double c = m > 0.0 ? 2.0 * properties->zeta * sqrt(tangent / m) : 0.0;
    return (contact_trial_law){.spring = properties->spring,
                               .stiffness = properties->stiffness,
                               .dashpot = c / dt,
                               .friction = properties->friction,
                               .rest_overlap = rest,
                               .start = start};
}

// ---------------------------------------------------------------- records

// Overlaps already deeper than the barrier, left by steps without barrier, may double. Barriers with
// a limit are finite at any depth.
static double barrier_width(double width, double pressed, double limit)
{
    return width > 0.0 && pressed >= width && limit == 0.0 ? 2.0 * pressed : width;
}

// Estimate of the normal force at the end of the step, which is the first friction limit: that at
// the start, plus the spring's increase if the overlap keeps growing at the dashpot's rate. Fast
// changes are not extrapolated.
static double force_expected(const contact_trial_law *law, double dashpot)
{
    static const double MAX_GROWTH = 0.1;
    contact_potential_value spring = sherd_contact_spring_evaluate(&law->spring, law->start);
    double growth = law->dashpot > 0.0 ? spring.tangent / law->dashpot * dashpot : 0.0;
    bool extrapolates = fabs(growth) <= MAX_GROWTH * spring.force;
    return fmax(0.0, spring.force + dashpot + (extrapolates ? growth : 0.0));
}

// The dashpot's force already includes the weight.
static double faces_force(const sherd_trial_record *r, double dashpot)
{
    double fraction = r->crack.weight;
    return fraction > 0.0 ? fraction * force_expected(&r->law, dashpot / fraction) : 0.0;
}

int sherd_trial_intact_bonds(const sherd_contact_trial *trial, sherd_element_index k, int max_count)
{
    const sherd_bond_adjacency *a = &trial->bonds;
    if (!trial->bonded) return max_count;
    int whole = 0;
    for (uint32_t b = a->start[k]; b < a->start[k + 1] && whole < max_count; ++b)
        whole += a->broken[a->bond[b]] == 0;
    return whole;
}

// An element rotates freely about a single bond.
static bool has_few_bonds(const sherd_contact_trial *trial, sherd_element_index k)
{
    return sherd_trial_intact_bonds(trial, k, 2) < 2;
}

static bool is_dangling(const sherd_contact_trial *trial, const sherd_trial_record *r)
{
    if (r->body_contact >= 0) return false;
    return has_few_bonds(trial, r->i) || (r->j >= 0 && has_few_bonds(trial, r->j));
}

static bool is_free(const sherd_contact_trial *trial, int32_t obstacle)
{
    return obstacle >= 0 && trial->body_of[obstacle] >= 0;
}

// Bonded bodies rebound by waves of their own.
static double restitution_of(const sherd_contact_trial *t, const sherd_points *e,
                             const sherd_trial_record *r)
{
    const sherd_contacts *c = t->contacts;
    if (r->body_contact >= 0) {
        sherd_body_contact_law both = sherd_contacts_body_law(c);
        return sherd_contact_restitution(
            sherd_body_contact_point_law(&c->body_contacts[r->body_contact], c->obstacles, &both)
                .damping_ratio);
    }
    if (!r->dangling && !is_free(t, r->obstacle)) return 0.0;
    int material = sherd_point_material(e, r->i);
    const sherd_contact_pairing *p =
        r->j >= 0 ? &c->pairings[material * c->material_count + sherd_point_material(e, r->j)]
                  : &c->obstacles[r->obstacle].pairings[material];
    return sherd_contact_restitution(p->damping_ratio);
}

// Initialises the record: rest overlap, spring, and the dashpot's force. The `overlap` at the start
// is rest overlap up to that of the history, or all of it if nothing was ever evaluated.
static void start_record(const sherd_contact_trial *trial, const sherd_points *points,
                         sherd_trial_record *r)
{
    sherd_trial_poses start = sherd_trial_start(trial);
    if (r->j >= 0 && trial->contacts->faces != NULL) sherd_trial_choose_faces(trial, points, r);
    double rest = r->law.rest_overlap, dashpot = r->normal_force;
    r->lagged = sherd_trial_geometry_of(trial, r, &start, points);
    contact_properties properties;
    if (r->body_contact >= 0)
        properties = point_properties(trial, r, &r->lagged);
    else if (r->j >= 0)
        properties = pair_properties(trial, points, r->i, r->j);
    else
        properties = obstacle_properties(trial, points, r->i, r->obstacle, &r->lagged);
    if (trial->springs_only) {
        r->rubs = properties.friction;
        r->rolls = properties.rolling;
        properties.friction = properties.zeta = 0.0;
    }
    double overlap = fmax(0.0, r->lagged.overlap);
    rest = trial->contacts->fresh ? overlap : fmin(overlap, rest);
    double limit = trial->contacts->pairings->barrier_limit;
    if (properties.spring.walled)
        properties.spring.width = barrier_width(properties.spring.width, overlap - rest, limit);
    r->law = law_of(&properties, rest, overlap - rest, trial->dt);
    r->law.limit = limit;
    r->held = r->slides ? sherd_trial_friction_weight(&r->crack) : 1.0;
    r->law.width = barrier_width(trial->barrier, r->law.start, limit);
    r->touched = r->law.start > 0.0;
    r->dangling = is_dangling(trial, r);
    r->restitution = r->touched ? 0.0 : restitution_of(trial, points, r);
    r->normal_force = r->touched ? force_expected(&r->law, dashpot) : 0.0;
    if (r->slides && r->touched) r->normal_force = faces_force(r, dashpot);
    if (trial->rolls != NULL) sherd_trial_start_roll(trial, points, r);
}

typedef struct start_job {
    const sherd_contact_trial *trial;
    const sherd_points *points;
    size_t from;
} start_job;

static void start_range(void *context, size_t begin, size_t end)
{
    const start_job *job = context;
    for (size_t r = job->from + begin; r < job->from + end; ++r)
        start_record(job->trial, job->points, &job->trial->records[r]);
}

void sherd_trial_start_records(sherd_contact_trial *trial, const sherd_points *points)
{
    start_job job = {trial, points, trial->started_count};
    sherd_parallel_for(&trial->contacts->parallel, trial->record_count - trial->started_count,
                       RECORD_CHUNK, start_range, &job);
    trial->started_count = trial->record_count;
}

static sherd_trial_record *push_record(sherd_contact_trial *trial,
                                       const sherd_contact_history *history)
{
    if (trial->record_count == INT32_MAX ||
        !sherd_grow((void **)&trial->records, &trial->record_capacity, trial->record_count + 1,
                    sizeof *trial->records) ||
        !sherd_trial_reserve_rolls(trial))
        return NULL;
    sherd_trial_record *record = &trial->records[trial->record_count++];
    *record = (sherd_trial_record){.j = -1,
                                   .obstacle = -1,
                                   .body_contact = -1,
                                   .point = -1,
                                   .law.rest_overlap = history->rest_overlap,
                                   .spring = history->spring,
                                   .normal_force = history->damping};
    return record;
}

// Links the record into the ring of `sibling`, or into a ring of its own.
static void join_ring(sherd_contact_trial *trial, int32_t record, int32_t sibling)
{
    trial->records[record].next = record;
    if (sibling < 0) return;
    trial->records[record].next = trial->records[sibling].next;
    trial->records[sibling].next = record;
}

bool sherd_trial_record_element(sherd_contact_trial *trial, sherd_element_index i, int32_t other,
                                const sherd_contact_history *history, int32_t sibling,
                                sherd_vec3 facing)
{
    sherd_trial_record *r = push_record(trial, history);
    if (r == NULL) return false;
    int32_t obstacle = trial_obstacle_of(trial, other);
    r->i = i;
    r->other = other;
    r->facing = facing;
    if (obstacle < 0)
        r->j = other - trial_location_count(trial);
    else
        r->obstacle = obstacle;
    join_ring(trial, (int32_t)(trial->record_count - 1), sibling);
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

// ---------------------------------------------------------------- histories of explicit contact

static bool record_pair(sherd_contact_trial *trial, sherd_pair pair,
                        const sherd_contact_history *history, sherd_touch before)
{
    const sherd_vec3 none = {0.0, 0.0, 0.0};
    if (!sherd_trial_record_element(trial, pair.i, trial_location_count(trial) + pair.j, history,
                                    -1, none))
        return false;
    trial->records[trial->record_count - 1].before = before;
    return true;
}

static bool recall_block(sherd_contact_trial *trial, const sherd_pair_block *block)
{
    if (block->slot_count == block->free_count) return true;
    for (int32_t row = 0; row < block->own_count; ++row)
        for (int32_t at = block->start[row]; at < block->start[row + 1]; ++at) {
            int32_t slot = block->slot[at], j = block->member[block->partner[at]];
            if (slot >= 0 && !record_pair(trial, (sherd_pair){block->member[row], j},
                                          &block->history[slot], (sherd_touch)block->touches[slot]))
                return false;
        }
    return true;
}

static bool recall_obstacle(sherd_contact_trial *trial, int32_t obstacle)
{
    const sherd_obstacle_contacts *c = &trial->contacts->obstacles[obstacle].contacts;
    int32_t location = 0;
    for (size_t k = 0; k < c->count; ++k) {
        bool again = k > 0 && c->element[k] == c->element[k - 1];
        location = again ? location + 1 : 0;
        if (c->state[k] == 0) continue;
        const sherd_trial_record *last =
            trial->record_count > 0 ? &trial->records[trial->record_count - 1] : NULL;
        bool follows = last != NULL && last->i == c->element[k] && last->obstacle == obstacle &&
                       last->body_contact < 0;
        if (!sherd_trial_record_element(
                trial, c->element[k], trial->first_location[obstacle] + location,
                &c->history[k].contact, follows ? (int32_t)(trial->record_count - 1) : -1,
                c->history[k].normal))
            return false;
    }
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

// Searches the first `count` records, which are sorted pairs.
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

// The ends of a broken bond become a contact: their overlap is rest overlap.
static bool recall_broken(sherd_contact_trial *trial, const sherd_points *e, size_t pairs,
                          sherd_pair pair)
{
    if (pair.i < 0 || pair.j >= trial->count || pair.i == pair.j) return true;
    if (sherd_point_is_held(e, pair.i) && sherd_point_is_held(e, pair.j)) return true;
    if (trial->bonded && sherd_pair_is_bonded(&trial->bonds, pair.i, pair.j)) return true;
    sherd_trial_record *r = find_pair(trial, pairs, pair);
    const sherd_contact_history all_at_rest = {.rest_overlap = INFINITY};
    if (r == NULL) return record_pair(trial, pair, &all_at_rest, SHERD_TOUCH_NONE);
    r->law.rest_overlap = INFINITY;
    return true;
}

static bool recall_all_broken(sherd_contact_trial *trial, const sherd_points *e)
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

sherd_status sherd_trial_recall(sherd_contact_trial *trial, const sherd_points *points,
                                sherd_error *error)
{
    const sherd_contacts *c = trial->contacts;
    trial->record_count = trial->started_count = 0;
    bool fits = !c->broken_failed;
    for (int32_t b = 0; b < c->list.block_count && fits; ++b)
        fits = recall_block(trial, &c->list.blocks[b]);
    fits = fits && recall_all_broken(trial, points);
    for (int32_t o = 0; o < trial->obstacle_count && fits; ++o)
        fits = recall_obstacle(trial, o);
    for (int32_t b = 0; b < trial->body_contact_count && fits; ++b)
        fits = recall_points(trial, b);
    if (!fits) return sherd_fail_memory(error, "contacts of a step");
    sherd_trial_start_records(trial, points);
    return SHERD_OK;
}

// Search for the candidate contacts of a step.
//
// Each evaluation checks whether the last search still covers the positions of elements, and
// searches again if not. The pairs are valid while no element has moved beyond its margin since
// then, in a frame that moves along (verlet_skin.h). Elements near obstacles are valid while no
// unlisted element can be near. So a body in flight or at rest needs no search, however long the
// step.
#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"
#include "contact/implicit/contact_trial_state.h"

#include <stdlib.h>
#include <string.h>

enum { CHUNK = 4096 };

// An element farther than this many skins from the origin is lost: cells are counted in 64-bit
// integers.
static const double FARTHEST_IN_SKINS = 1e15;

// Fraction of its radius that an element may move before pairs are searched for again. In a close
// packing, second neighbours without bonds are then still out of reach (2.83 radii).
static const double MARGIN_IN_RADII = 0.4;

// Maximum distance from an obstacle, in skins, at which elements are listed; or twice the reach of
// a step if that is less.
static const double MAX_SKINS_AHEAD = 5.0;

typedef struct cover_chunk {
    sherd_bounds positions, since_pairs, since_obstacles;
    double farthest2;
    int64_t lost;
} cover_chunk;

typedef struct cover_job {
    const sherd_contact_trial *trial;
    const sherd_points *points;
    cover_chunk *chunks;
} cover_job;

static const sherd_bounds NOTHING = {{INFINITY, INFINITY, INFINITY},
                                     {-INFINITY, -INFINITY, -INFINITY}};

static inline void widen(double *low, double *high, double x)
{
    *low = x < *low ? x : *low;
    *high = x > *high ? x : *high;
}

static inline void widen_by(sherd_bounds *b, double x, double y, double z)
{
    widen(&b->low.x, &b->high.x, x);
    widen(&b->low.y, &b->high.y, y);
    widen(&b->low.z, &b->high.z, z);
}

static void measure_range(void *context, size_t begin, size_t end)
{
    const cover_job *job = context;
    const sherd_contact_trial *t = job->trial;
    const sherd_points *e = job->points;
    const double usable = FARTHEST_IN_SKINS * t->contacts->skin;
    cover_chunk c = {NOTHING, NOTHING, NOTHING, 0.0, -1};
    for (size_t k = begin; k < end; ++k) {
        double x = e->px[k], y = e->py[k], z = e->pz[k];
        if (!(fabs(x) + fabs(y) + fabs(z) < usable)) c.lost = (int64_t)k;
        widen_by(&c.positions, x, y, z);
        widen_by(&c.since_pairs, x - t->margins.x[k], y - t->margins.y[k], z - t->margins.z[k]);
        widen_by(&c.since_obstacles, x - t->search_x[k], y - t->search_y[k], z - t->search_z[k]);
        double dx = x - t->start[0][k], dy = y - t->start[1][k], dz = z - t->start[2][k];
        double d2 = dx * dx + dy * dy + dz * dz;
        c.farthest2 = d2 > c.farthest2 ? d2 : c.farthest2;
    }
    job->chunks[begin / CHUNK] = c;
}

static void join_bounds(sherd_bounds *all, const sherd_bounds *part)
{
    all->low = vec3_min(all->low, part->low);
    all->high = vec3_max(all->high, part->high);
}

static cover_chunk join_chunks(const cover_chunk *chunks, size_t count)
{
    const sherd_bounds none = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    cover_chunk total = {none, none, none, 0.0, -1};
    if (count > 0) total = chunks[0];
    for (size_t c = 1; c < count; ++c) {
        join_bounds(&total.positions, &chunks[c].positions);
        join_bounds(&total.since_pairs, &chunks[c].since_pairs);
        join_bounds(&total.since_obstacles, &chunks[c].since_obstacles);
        total.farthest2 = fmax(total.farthest2, chunks[c].farthest2);
        if (chunks[c].lost >= 0) total.lost = chunks[c].lost;
    }
    return total;
}

static sherd_status measure(sherd_contact_trial *trial, const sherd_points *points,
                            cover_chunk *total, sherd_error *error)
{
    size_t n = (size_t)points->count, chunks = (n + CHUNK - 1) / CHUNK;
    if (!sherd_grow(&trial->chunks, &trial->chunk_capacity, chunks + 1, sizeof(cover_chunk)))
        return sherd_fail_memory(error, "contact search");
    cover_job job = {trial, points, trial->chunks};
    sherd_parallel_for(&trial->contacts->parallel, n, CHUNK, measure_range, &job);
    *total = join_chunks(job.chunks, chunks);
    if (total->lost < 0) return SHERD_OK;
    sherd_element_index lost = (sherd_element_index)total->lost;
    sherd_vec3 p = sherd_point_position(points, lost);
    return sherd_fail(error, SHERD_ERROR_UNSTABLE, "contact search",
                      "use a smaller time step, and place bodies near the origin",
                      "element %d is at (%g, %g, %g) m", sherd_point_number(points, lost), p.x, p.y,
                      p.z);
}

// ---------------------------------------------------------------- pairs

typedef struct slack_job {
    const sherd_verlet_skin *margins;
    const sherd_points *points;
    double *slack;
} slack_job;

static void find_slack(void *context, size_t begin, size_t end)
{
    const slack_job *job = context;
    job->slack[begin / CHUNK] = sherd_verlet_skin_remaining(job->margins, job->points, begin, end);
}

// Displacements are relative to a frame that moves by the centre of their range.
static bool pairs_are_covered(sherd_contact_trial *trial, const sherd_points *points,
                              const sherd_bounds *moved)
{
    if (points->count == 0) return true;
    if (!trial->searched) return false;
    if (0.5 * vec3_distance(moved->low, moved->high) < trial->min_margin) return true;
    trial->margins.drift = vec3_scale(0.5, vec3_add(moved->low, moved->high));
    trial->margins.elapsed = 1.0;
    size_t n = (size_t)points->count, chunks = (n + CHUNK - 1) / CHUNK;
    slack_job job = {&trial->margins, points, trial->chunks};
    sherd_parallel_for(&trial->contacts->parallel, n, CHUNK, find_slack, &job);
    double smallest = INFINITY;
    for (size_t c = 0; c < chunks; ++c)
        smallest = fmin(smallest, job.slack[c]);
    return smallest >= 0.0;
}

static int64_t bond_count(const sherd_contact_trial *trial)
{
    return trial->bonded ? trial->bonds.start[trial->count] / 2 : 0;
}

bool sherd_trial_bonds_changed(const sherd_contact_trial *trial)
{
    size_t count = (size_t)bond_count(trial);
    return count != trial->broken_count ||
           (count > 0 && memcmp(trial->broken, trial->bonds.broken, count) != 0);
}

static bool remember_bonds(sherd_contact_trial *trial)
{
    size_t count = (size_t)bond_count(trial);
    if (!sherd_grow((void **)&trial->broken, &trial->broken_capacity, count, 1)) return false;
    trial->broken_count = count;
    if (count > 0) memcpy(trial->broken, trial->bonds.broken, count);
    return true;
}

static int compare_keys(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

// Radix sort for many, in place for few.
static bool sort_keys(sherd_contact_trial *trial, sherd_trial_keys *keys)
{
    enum { FEW = 256 };
    if (keys->count <= FEW) {
        if (keys->count > 1) qsort(keys->list, keys->count, sizeof *keys->list, compare_keys);
        return true;
    }
    if (!sherd_grow((void **)&trial->sorted, &trial->sorted_capacity, 2 * keys->count,
                    sizeof *trial->sorted))
        return false;
    sherd_sort_pair *sorted = trial->sorted;
    for (size_t k = 0; k < keys->count; ++k)
        sorted[k].key = keys->list[k];
    sherd_sort_pairs_with(sorted, keys->count, sorted + keys->count);
    for (size_t k = 0; k < keys->count; ++k)
        keys->list[k] = sorted[k].key;
    return true;
}

static bool reserve_keys(sherd_trial_keys *keys, size_t count)
{
    return sherd_grow((void **)&keys->list, &keys->capacity, count, sizeof *keys->list);
}

static bool collect_pairs(sherd_contact_trial *trial)
{
    const sherd_pair_search *search = &trial->search;
    size_t count = 0;
    for (int32_t b = 0; b < search->block_count; ++b)
        count += search->found[b].count;
    if (!reserve_keys(&trial->pairs, count)) return false;
    trial->pairs.count = 0;
    for (int32_t b = 0; b < search->block_count; ++b) {
        const sherd_pair_found *found = &search->found[b];
        for (size_t c = 0; c < found->count; ++c)
            trial->pairs.list[trial->pairs.count++] =
                trial_key(found->pairs[c].i, trial_location_count(trial) + found->pairs[c].j);
    }
    return sort_keys(trial, &trial->pairs);
}

static sherd_status search_pairs(sherd_contact_trial *trial, const sherd_points *points,
                                 sherd_error *error)
{
    sherd_verlet_skin *m = &trial->margins;
    size_t bytes = (size_t)points->count * sizeof(double);
    memcpy(m->x, points->px, bytes);
    memcpy(m->y, points->py, bytes);
    memcpy(m->z, points->pz, bytes);
    trial->searched = false;
    const double *margin =
        sherd_crack_margins(trial->contacts->faces, points, m->margin, &trial->search_margin);
    if (margin == NULL) return sherd_fail_memory(error, "contact search");
    sherd_status status =
        sherd_pair_search_run(&trial->search, points, trial->bonded ? &trial->bonds : NULL, margin,
                              2.0 * trial->min_margin, &trial->contacts->parallel, error);
    if (status != SHERD_OK) return status;
    if (!collect_pairs(trial) || !remember_bonds(trial))
        return sherd_fail_memory(error, "contact pairs");
    trial->searched = true;
    return SHERD_OK;
}

// ---------------------------------------------------------------- obstacles

static bool obstacles_are_covered(sherd_contact_trial *trial, const sherd_displacements *since)
{
    bool covered = true;
    for (int o = 0; o < trial->obstacle_count; ++o)
        covered &= !sherd_obstacle_needs_search(&trial->obstacles[o], since);
    return covered;
}

static sherd_status search_obstacles(sherd_contact_trial *trial, const sherd_points *points,
                                     const sherd_displacements *since,
                                     const sherd_bounds *positions, sherd_error *error)
{
    double skin = trial->contacts->skin;
    double margin = skin + fmin(2.0 * trial->reach, MAX_SKINS_AHEAD * skin);
    for (int o = 0; o < trial->obstacle_count; ++o) {
        sherd_status status = sherd_obstacle_search(&trial->obstacles[o], points, since, margin,
                                                    false, &trial->contacts->parallel, error);
        if (status != SHERD_OK) return status;
    }
    size_t bytes = (size_t)points->count * sizeof(double);
    memcpy(trial->search_x, points->px, bytes);
    memcpy(trial->search_y, points->py, bytes);
    memcpy(trial->search_z, points->pz, bytes);
    trial->search_bounds = *positions;
    return SHERD_OK;
}

// ---------------------------------------------------------------- candidates

static bool push_key(sherd_trial_keys *keys, uint64_t key)
{
    if (!reserve_keys(keys, keys->count + 1)) return false;
    keys->list[keys->count++] = key;
    return true;
}

// Elements near obstacles, and those with records; sorted.
static bool collect_others(sherd_contact_trial *trial)
{
    trial->keys.count = 0;
    for (int o = 0; o < trial->obstacle_count; ++o) {
        const sherd_obstacle_contacts *near = &trial->obstacles[o].contacts;
        int32_t first = trial->first_location[o], locations = trial->obstacles[o].location_count;
        for (size_t c = 0; c < near->count; ++c)
            if (!push_key(&trial->keys,
                          trial_key(near->element[c], first + (int32_t)c % locations)))
                return false;
    }
    for (size_t r = 0; r < trial->record_count; ++r) {
        const sherd_trial_record *at = &trial->records[r];
        if (at->body_contact >= 0) continue;
        if (!push_key(&trial->keys, trial_key(at->i, at->other))) return false;
    }
    return sort_keys(trial, &trial->keys);
}

static sherd_trial_candidate *find_candidate(sherd_contact_trial *trial, uint64_t key)
{
    size_t low = 0, high = trial->candidate_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const sherd_trial_candidate *at = &trial->candidates[middle];
        if (trial_key(at->i, at->other) < key)
            low = middle + 1;
        else
            high = middle;
    }
    return &trial->candidates[low];
}

static void number_range(void *context, size_t begin, size_t end)
{
    sherd_contact_trial *trial = context;
    for (size_t r = begin; r < end; ++r) {
        const sherd_trial_record *at = &trial->records[r];
        if (at->body_contact >= 0) continue;
        find_candidate(trial, trial_key(at->i, at->other))->record = (int32_t)r;
    }
}

sherd_status sherd_trial_join(sherd_contact_trial *trial, sherd_error *error)
{
    const sherd_trial_keys *a = &trial->pairs, *b = &trial->keys;
    if (!collect_others(trial) ||
        !sherd_grow((void **)&trial->candidates, &trial->candidate_capacity, a->count + b->count,
                    sizeof *trial->candidates))
        return sherd_fail_memory(error, "contact candidates");
    size_t count = 0;
    uint64_t last = UINT64_MAX;
    for (size_t p = 0, q = 0; p < a->count || q < b->count;) {
        bool first = q == b->count || (p < a->count && a->list[p] < b->list[q]);
        uint64_t key = first ? a->list[p++] : b->list[q++];
        if (key == last) continue;
        last = key;
        trial->candidates[count++] =
            (sherd_trial_candidate){(int32_t)(key >> 32), (int32_t)(key & UINT32_MAX), -1, 0};
    }
    trial->candidate_count = count;
    sherd_parallel_for(&trial->contacts->parallel, trial->record_count, CHUNK, number_range, trial);
    return SHERD_OK;
}

sherd_status sherd_trial_cover(sherd_contact_trial *trial, const sherd_points *points,
                               double *farthest, sherd_error *error)
{
    cover_chunk moved = {.lost = -1};
    sherd_status status = measure(trial, points, &moved, error);
    if (status != SHERD_OK) return status;
    *farthest = sqrt(moved.farthest2);
    bool pairs = !pairs_are_covered(trial, points, &moved.since_pairs);
    sherd_displacements since = {trial->search_x, trial->search_y, trial->search_z,
                                 moved.since_obstacles, trial->search_bounds};
    bool obstacles = !obstacles_are_covered(trial, &since);
    if (pairs) status = search_pairs(trial, points, error);
    if (status == SHERD_OK && obstacles)
        status = search_obstacles(trial, points, &since, &moved.positions, error);
    if (status == SHERD_OK && (pairs || obstacles)) status = sherd_trial_join(trial, error);
    return status;
}

// ---------------------------------------------------------------- memory

void sherd_trial_search_free(sherd_contact_trial *trial)
{
    sherd_pair_search_free(&trial->search);
    sherd_verlet_skin_free(&trial->margins);
    void *arrays[] = {trial->pairs.list, trial->keys.list,    trial->sorted,   trial->broken,
                      trial->search_x,   trial->search_y,     trial->search_z, trial->chunks,
                      trial->candidates, trial->search_margin};
    for (size_t a = 0; a < sizeof arrays / sizeof arrays[0]; ++a)
        sherd_free(arrays[a]);
}

static sherd_status allocate_column(double **column, size_t count, sherd_error *error)
{
    sherd_free(*column); // from an earlier attempt that ran out of memory
    *column = sherd_alloc(count, sizeof **column);
    return *column != NULL ? SHERD_OK : sherd_fail_memory(error, "contact search");
}

sherd_status sherd_trial_search_init(sherd_contact_trial *trial, const sherd_points *points,
                                     sherd_error *error)
{
    size_t n = (size_t)points->count;
    double **seen[] = {&trial->search_x, &trial->search_y, &trial->search_z};
    sherd_status status = sherd_verlet_skin_init(&trial->margins, points->count, error);
    for (int a = 0; a < 3 && status == SHERD_OK; ++a)
        status = allocate_column(seen[a], n, error);
    if (status == SHERD_OK)
        status = sherd_obstacle_watches_begin(trial->obstacles, trial->obstacle_count, n, error);
    if (status != SHERD_OK) return status;
    trial->min_margin = INFINITY;
    for (size_t k = 0; k < n; ++k) {
        double margin =
            fmax(0.5 * trial->contacts->skin, MARGIN_IN_RADII * sherd_point_radius(points, k));
        trial->margins.margin[k] = margin;
        trial->min_margin = fmin(trial->min_margin, margin);
    }
    return SHERD_OK;
}

size_t sherd_trial_search_bytes(const sherd_contact_trial *trial)
{
    size_t columns = 7 + (trial->search_margin != NULL); // 7: margins, positions at the last search
    size_t bytes = sherd_pair_search_bytes(&trial->search) +
                   columns * (size_t)trial->count * sizeof(double) +
                   (trial->pairs.capacity + trial->keys.capacity) * sizeof(uint64_t) +
                   trial->sorted_capacity * sizeof *trial->sorted + trial->broken_capacity +
                   trial->chunk_capacity * sizeof(cover_chunk) +
                   trial->candidate_capacity * sizeof(sherd_trial_candidate);
    for (int o = 0; o < trial->obstacle_count; ++o)
        bytes += sherd_obstacle_watch_bytes(&trial->obstacles[o].watch) +
                 trial->obstacles[o].contacts.capacity *
                     (sizeof(sherd_element_index) + sizeof(sherd_obstacle_history) + 1);
    return bytes;
}

#include "stepping/implicit/preconditioner_cache.h"

#include "math/vec3.h"

#include <math.h>

enum { CHUNK = 2048 };

// Allowed ratio of step lengths, in both directions; and [rad]: rigid motions of clusters strain
// them once they have rotated.
static const double MAX_GAMMA_RATIO = 1.6, MAX_ROTATION = 0.02;

void sherd_preconditioner_cache_offer(const sherd_preconditioner_cache *cache, double gamma,
                                      uint64_t topology, sherd_newton_settings *settings)
{
    bool alike = cache->topology == topology && gamma <= MAX_GAMMA_RATIO * cache->gamma &&
                 cache->gamma <= MAX_GAMMA_RATIO * gamma && cache->turned <= MAX_ROTATION;
    settings->fresh = alike ? cache->fresh : 0.0;
    settings->spring_count = cache->spring_count;
}

void sherd_preconditioner_cache_learn(sherd_preconditioner_cache *cache, double gamma,
                                      uint64_t topology, const sherd_newton_report *report)
{
    if (report->renewed) cache->gamma = gamma, cache->topology = topology, cache->turned = 0.0;
    cache->fresh = report->stale || report->outdated ? 0.0 : report->fresh;
    cache->spring_count = report->spring_count;
}

static double spin2_range(void *context, size_t begin, size_t end)
{
    const sherd_elements *e = context;
    double most2 = 0.0;
    for (size_t k = begin; k < end; ++k) {
        sherd_vec3 w = sherd_element_spin(e, (sherd_element_index)k);
        most2 = fmax(most2, vec3_dot(w, w));
    }
    return most2;
}

void sherd_preconditioner_cache_turn(sherd_preconditioner_cache *cache, double dt,
                                     const sherd_elements *elements, const sherd_parallel *parallel)
{
    cache->turned += dt * sqrt(sherd_parallel_max(parallel, (size_t)elements->count, CHUNK,
                                                  spin2_range, (void *)elements));
}

// ---------------------------------------------------------------- checkpoints

static const sherd_row_member MEMBERS[] = {SHERD_MEMBER(sherd_preconditioner_cache, fresh),
                                           SHERD_MEMBER(sherd_preconditioner_cache, gamma),
                                           SHERD_MEMBER(sherd_preconditioner_cache, turned),
                                           SHERD_MEMBER(sherd_preconditioner_cache, spring_count)};
static const sherd_row_layout LAYOUT = SHERD_ROW_LAYOUT(sherd_preconditioner_cache, MEMBERS);

void sherd_preconditioner_cache_save(const sherd_preconditioner_cache *cache, uint64_t topology,
                                     sherd_byte_buffer *out)
{
    sherd_preconditioner_cache saved = *cache;
    if (cache->topology != topology) saved.fresh = 0.0;
    sherd_record_write_one(out, "preconditioner", &LAYOUT, &saved);
}

void sherd_preconditioner_cache_restore(sherd_preconditioner_cache *cache, uint64_t topology,
                                        sherd_record_reader *in)
{
    sherd_record_read_one(in, "preconditioner", &LAYOUT, cache);
    cache->topology = topology;
}

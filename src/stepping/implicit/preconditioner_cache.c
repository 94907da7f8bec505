#include "stepping/implicit/preconditioner_cache.h"

#include "math/vec3.h"

#include <math.h>

enum { CHUNK = 2048 };

// Of lengths of steps, either way; and [rad]: rigid motions of clusters as they were strain those that have turned.
static const double ALIKE = 1.6, MOST_TURN = 0.02;

void sherd_preconditioner_cache_offer(const sherd_preconditioner_cache *kept, double gamma,
                                      uint64_t topology, sherd_newton_settings *settings)
{
    bool alike = kept->topology == topology && gamma <= ALIKE * kept->gamma &&
                 kept->gamma <= ALIKE * gamma && kept->turned <= MOST_TURN;
    settings->fresh = alike ? kept->fresh : 0.0;
    settings->spring_count = kept->spring_count;
}

void sherd_preconditioner_cache_learn(sherd_preconditioner_cache *kept, double gamma,
                                      uint64_t topology, const sherd_newton_report *report)
{
    if (report->renewed) kept->gamma = gamma, kept->topology = topology, kept->turned = 0.0;
    kept->fresh = report->stale || report->outdated ? 0.0 : report->fresh;
    kept->spring_count = report->spring_count;
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

void sherd_preconditioner_cache_turn(sherd_preconditioner_cache *kept, double dt,
                                     const sherd_elements *elements, const sherd_parallel *parallel)
{
    kept->turned += dt * sqrt(sherd_parallel_most(parallel, (size_t)elements->count, CHUNK,
                                                  spin2_range, (void *)elements));
}

// ---------------------------------------------------------------- checkpoints

void sherd_preconditioner_cache_save(const sherd_preconditioner_cache *kept, uint64_t topology,
                                     sherd_byte_buffer *out)
{
    double fresh = kept->topology == topology ? kept->fresh : 0.0;
    sherd_byte_buffer_append(out, &fresh, sizeof fresh);
    sherd_byte_buffer_append(out, &kept->gamma, sizeof kept->gamma);
    sherd_byte_buffer_append(out, &kept->turned, sizeof kept->turned);
    sherd_byte_buffer_append(out, &kept->spring_count, sizeof kept->spring_count);
}

void sherd_preconditioner_cache_restore(sherd_preconditioner_cache *kept, uint64_t topology,
                                        sherd_byte_reader *in)
{
    sherd_byte_reader_take(in, &kept->fresh, sizeof kept->fresh);
    sherd_byte_reader_take(in, &kept->gamma, sizeof kept->gamma);
    sherd_byte_reader_take(in, &kept->turned, sizeof kept->turned);
    sherd_byte_reader_take(in, &kept->spring_count, sizeof kept->spring_count);
    kept->topology = topology;
}

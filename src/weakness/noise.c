// Patches of noise. Its values are approximately normally distributed, so that their rank is known
// from the distribution function, and a fraction of the body can be requested.
#include "math/vec3.h"
#include "weakness/gradient_noise.h"
#include "weakness/pattern.h"

typedef struct noise_pattern {
    sherd_weakness base;
    sherd_fractal_noise noise;
    double share, contrast;
} noise_pattern;

static sherd_status noise_init(sherd_weakness *base, const sherd_weakness_def *def,
                               sherd_error *error)
{
    sherd_status status = sherd_pattern_check_length("size", def->size, error);
    noise_pattern *p = (noise_pattern *)base;
    p->noise = (sherd_fractal_noise){def->seed, def->octaves, 1.0 / def->size};
    p->share = def->share;
    p->contrast = def->contrast;
    return status;
}

static double noise_amount(const sherd_weakness *base, sherd_vec3 i, sherd_vec3 j)
{
    const noise_pattern *p = (const noise_pattern *)base;
    double value = sherd_fractal_noise_at(&p->noise, vec3_scale(0.5, vec3_add(i, j)));
    double rank = 0.5 * erfc(-value / M_SQRT2); // uniform in (0, 1)
    double amount = 0.5 + p->contrast * (rank - (1.0 - p->share));
    return fmin(fmax(amount, 0.0), 1.0);
}

const sherd_pattern_kind sherd_pattern_noise = {
    .size = sizeof(noise_pattern), .init = noise_init, .amount = noise_amount};

#include "output/debris/debris_sizes.h"

#include "base/assertion.h"
#include "base/random.h"

#include <math.h>

static const uint64_t STREAM = 0x73697a6500; // "size"
enum { NUMBER = 0, ARRIVAL };

int sherd_debris_sizes(double exponent, int most, uint64_t seed, int64_t element,
                       double radius[DEBRIS_MOST_CRUMBS])
{
    SHERD_ASSERT(most >= 1 && most <= DEBRIS_MOST_CRUMBS, "crumbs fit their array");
    uint64_t e = (uint64_t)element;
    int count = (int)exp(sherd_random_uniform(seed, STREAM + NUMBER, e) * log(most + 1.0));
    if (count < 1) count = 1;
    if (count > most) count = most;
    double arrival = 0.0, cubes = 0.0;
    for (int k = 0; k < count; ++k) {
        arrival -= log(sherd_random_uniform(seed, STREAM + ARRIVAL, e << 8 | (uint64_t)k));
        radius[k] = pow(arrival, -1.0 / exponent);
        cubes += radius[k] * radius[k] * radius[k];
    }
    double scale = 1.0 / cbrt(cubes);
    for (int k = 0; k < count; ++k)
        radius[k] *= scale;
    return count;
}

#include "animation/key_thinning.h"

#include "base/assertion.h"

#include <math.h>

// Range of slopes of the lines through the last key that pass all later positions within tolerance.
typedef struct fan {
    double low[3], high[3];
} fan;

static const fan ALL = {{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};

// True if the line to `to` passes all positions before it. Narrows the range so that later lines
// pass this position too.
static bool reaches(fan *f, const float *from, const float *to, double time, double tolerance)
{
    bool inside = true;
    for (int c = 0; c < 3; ++c) {
        double way = (double)to[c] - (double)from[c], slope = way / time;
        inside = inside && slope >= f->low[c] && slope <= f->high[c];
        f->low[c] = fmax(f->low[c], (way - tolerance) / time);
        f->high[c] = fmin(f->high[c], (way + tolerance) / time);
    }
    return inside;
}

size_t sherd_thin_keys(const float *times, const float *positions, size_t count, double tolerance,
                       bool *needed)
{
    SHERD_ASSERT(count >= 1, "a path has at least one key");
    SHERD_ASSERT(count == 1 || times[0] < times[count - 1], "times of keys ascend");
    double along_axis = tolerance / sqrt(3.0);
    size_t last = 0, total = count > 1 ? 2 : 1;
    fan f = ALL;
    for (size_t k = 0; k < count; ++k)
        needed[k] = k == 0 || k + 1 == count || !(tolerance > 0.0);
    if (!(tolerance > 0.0)) return count;
    for (size_t k = 1; k < count; ++k) {
        double time = (double)times[k] - (double)times[last];
        if (reaches(&f, positions + 3 * last, positions + 3 * k, time, along_axis)) continue;
        last = k - 1; // the line from the previous key is good up to here
        needed[last] = true;
        ++total;
        f = ALL;
        reaches(&f, positions + 3 * last, positions + 3 * k, (double)times[k] - (double)times[last],
                along_axis);
    }
    SHERD_ASSERT(needed[0] && needed[count - 1] && total <= count,
                 "the first and the last key are needed");
    return total;
}

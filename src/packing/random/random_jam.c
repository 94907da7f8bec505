#include "packing/random/random_jam.h"

#include "packing/random/random_finish.h"
#include "packing/random/random_thin.h"

#include <math.h>

// Overlaps [radii]. After compression by less than QUENCH the final packing is looser: 0.02 gives
// 0.625 inside, 0.05 0.634, 0.1 0.636, 0.2 0.637.
static const double QUENCH = 0.1, REST = 7e-5, MOST = 1.7e-3;
enum { QUENCH_STEPS = 160, RAMP_STEPS = 400, PULL_STEPS = 500, REST_STEPS = 900 };

// A ball with a larger overlap has no room.
static const double SQUEEZED = 8.5e-3;

// Balls are removed in several rounds: this many times as many as the pressure suggests, since
// those removed are not where they would help most. If the mean overlap is below WEDGED, all
// squeezed balls are removed: they are isolated.
static const double MORE = 1.5, AT_ONCE = 0.04, WEDGED = 3e-4;
enum { ROOM_STEPS = 250, ROOM_ROUNDS = 12 };

static bool settle(sherd_rcp *rcp, sherd_rcp_pressure *pressure)
{
    const sherd_rcp_goal quench = {.mean = QUENCH, .steps = QUENCH_STEPS};
    const sherd_rcp_goal rest = {REST, MOST, REST_STEPS, PULL_STEPS, RAMP_STEPS, PULL_STEPS};
    *pressure = (sherd_rcp_pressure){.mean = QUENCH};
    if (!sherd_rcp_relax_prepare(rcp) || !sherd_rcp_relax(rcp, &quench, pressure)) return false;
    rcp->edges = true;
    return sherd_rcp_relax(rcp, &rest, pressure);
}

// The smallest scale of radii. With few balls, one more or less makes a larger difference.
static double least_scale(const sherd_rcp *rcp)
{
    double one = fmin(1.0 / (3.0 * (double)rcp->count), 0.08);
    return fmin(1.0 - fmax(0.5 * SHERD_RCP_CLOSE, one), rcp->scale_most);
}

// Removes the balls with the largest overlaps. Returns false if memory runs short.
static bool thin(sherd_rcp *rcp, const sherd_rcp_pressure *pressure, bool all, size_t *taken)
{
    // A jammed packing with relative overlaps x would have none with radii of 1 - x, or with 1 - 3
    // x of the balls.
    double excess = fmin(MORE * 3.0 * pressure->mean, AT_ONCE) * (double)rcp->count;
    size_t most = all || pressure->mean < WEDGED ? rcp->count : (size_t)ceil(excess);
    if (!sherd_rcp_thin(rcp, most, SQUEEZED, taken)) return false;
    if (*taken == 0) return true;
    sherd_rcp_forget(rcp);
    return sherd_rcp_relax_prepare(rcp);
}

// Removes balls until the others have room at the smallest scale. Thick and thin parts of a shape
// are seeded with equal density, but thin parts have room for fewer, and a common scale would be
// that of the most crowded part. Returns false if memory runs short.
static bool make_room(sherd_rcp *rcp, sherd_rcp_pressure *pressure)
{
    const sherd_rcp_goal again = {REST, MOST, ROOM_STEPS, 0, 0, 0};
    size_t taken = 1;
    rcp->scale_least = least_scale(rcp);
    rcp->scale = fmax(rcp->scale, rcp->scale_least);
    for (int round = 0; taken > 0 && rcp->count > 0; ++round) {
        bool is_over = round >= ROOM_ROUNDS;
        if (!is_over && !sherd_rcp_relax(rcp, &again, pressure)) return false;
        if (!thin(rcp, pressure, is_over, &taken)) return false;
    }
    return true;
}

sherd_rcp_outcome sherd_rcp_jam(sherd_rcp *rcp, bool is_last)
{
    sherd_rcp_pressure pressure;
    double overlap;
    rcp->scale_least = 0.0;
    if (!settle(rcp, &pressure) || !sherd_rcp_largest_overlap(rcp, &overlap))
        return SHERD_RCP_NO_MEMORY;
    bool is_crowded = overlap > SQUEEZED || rcp->scale * (1.0 - overlap) < 1.0 - SHERD_RCP_CLOSE;
    if (rcp->scale > 1.0 + SHERD_RCP_CLOSE && !is_last) return SHERD_RCP_TOO_FEW;
    if (is_crowded) return make_room(rcp, &pressure) ? SHERD_RCP_GOOD : SHERD_RCP_NO_MEMORY;
    // Radii can't grow: a low pressure shows that there is room for more balls.
    return pressure.mean < 0.3 * REST ? SHERD_RCP_LOOSE : SHERD_RCP_GOOD;
}

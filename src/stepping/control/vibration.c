#include "stepping/control/vibration.h"

#include "base/memory.h"
#include "stepping/control/deformation_rates.h"

#include <math.h>

// Decay of the maxima per radian of the vibration. That of stress is slow, because a vibration
// lasts for many periods even if some samples are taken near its zero.
static const double DECAY = 0.125, STRESS_DECAY = 0.03;
// Lower bound of the decay factor from sample to sample, because few samples are taken near a peak.
static const double MIN_DECAY_FACTOR = 0.5, MIN_STRESS_DECAY_FACTOR = 0.7;
// Tumbling components count only above this fraction of all elements: splinters do not limit steps.
static const double TUMBLING_FRACTION = 0.02;
// After a quarter of a period the largest acceleration has been sampled. Before, all motion counts
// as vibration.
static const double QUARTER = 0.5 * M_PI;

// Samples of a component.
typedef struct seen {
    sherd_deforming largest;
    double time;   // of the last sample [s]
    double turn;   // phase of the vibration since the first sample [rad]
    double stress; // amplitude of its vibration, over the strength
    int64_t looks;
} seen;

struct sherd_ringing {
    sherd_component_list components;
    int64_t broken;             // number of broken bonds when components were found
    bool breakable;             // some bond can break
    uint8_t *driven;            // elements that drivers move or load; owned (n)
    sherd_deforming_sums *sums; // by segment; owned
    seen *seen;                 // by component; owned
    size_t elements;
};

void sherd_ringing_destroy(sherd_ringing *ringing)
{
    if (ringing == NULL) return;
    sherd_component_list_free(&ringing->components);
    sherd_free(ringing->driven);
    sherd_free(ringing->sums);
    sherd_free(ringing->seen);
    sherd_free(ringing);
}

size_t sherd_ringing_bytes(const sherd_ringing *r)
{
    if (r == NULL) return 0;
    return sizeof *r + r->elements * sizeof *r->driven +
           sherd_component_list_bytes(&r->components, (sherd_element_index)r->elements) +
           (size_t)r->components.segment_count * sizeof *r->sums +
           (size_t)r->components.count * sizeof *r->seen;
}

static void mark_driven(const sherd_system *system, uint8_t *driven)
{
    for (int d = 0; d < system->drivers.count; ++d) {
        const sherd_driver *driver = &system->drivers.drivers[d];
        if (driver->drive == SHERD_DRIVE_NONE) continue;
        for (sherd_element_index k = 0; k < driver->count; ++k)
            driven[driver->element[k]] = 1;
    }
}

// If nothing breaks there is no strength to compare with.
static bool can_break(const sherd_system *system)
{
    for (int64_t bond = 0; bond < system->bonds.count; ++bond) {
        if (system->bonds.broken[bond]) continue;
        sherd_bond_constants constants =
            sherd_bond_constants_of(&system->bonds, &system->elements, bond);
        if (isfinite(constants.sigma_c) || isfinite(constants.tau_c)) return true;
    }
    return false;
}

static sherd_ringing *create(const sherd_system *system, sherd_error *error)
{
    sherd_ringing *r = sherd_alloc(1, sizeof *r);
    if (r == NULL) goto failed;
    r->elements = (size_t)system->elements.count;
    r->broken = system->bonds.broken_count;
    r->driven = sherd_alloc(r->elements, sizeof *r->driven);
    if (r->driven == NULL) goto failed;
    mark_driven(system, r->driven);
    r->breakable = can_break(system);
    if (sherd_component_list_make(&r->components, &system->bonds, system->elements.count, error) !=
        SHERD_OK) {
        sherd_ringing_destroy(r);
        return NULL;
    }
    r->sums = sherd_alloc((size_t)r->components.segment_count, sizeof *r->sums);
    r->seen = sherd_alloc((size_t)r->components.count, sizeof *r->seen);
    if (r->sums != NULL && r->seen != NULL) return r;
failed:
    sherd_ringing_destroy(r);
    (void)sherd_fail_memory(error, "vibrations");
    return NULL;
}

static sherd_status make(sherd_system *system, sherd_error *error)
{
    if (system->ringing != NULL && system->ringing->broken == system->bonds.broken_count)
        return SHERD_OK;
    sherd_ringing_destroy(system->ringing);
    system->ringing = create(system, error);
    return system->ringing != NULL ? SHERD_OK : SHERD_ERROR_MEMORY;
}

// ---------------------------------------------------------------- sampling

static void sum_segments(void *context, size_t begin, size_t end)
{
    const sherd_system *system = context;
    sherd_ringing *r = system->ringing;
    for (size_t s = begin; s < end; ++s)
        sherd_deforming_sum(system, &r->components, r->driven, &r->components.segments[s],
                            r->breakable, &r->sums[s]);
}

// Frequency of a free vibration with this motion [rad/s].
static double omega_of(const sherd_deforming *d)
{
    return d->motion2 > 0.0 ? sqrt(d->stretch2 / d->motion2) : 0.0;
}

static void remember(seen *of, const sherd_deforming *now, double time)
{
    sherd_deforming *l = &of->largest;
    double turn = omega_of(l->motion2 > 0.0 ? l : now) * (time - of->time);
    double keep = fmax(exp(-DECAY * turn), MIN_DECAY_FACTOR), keep2 = keep * keep;
    l->motion2 = fmax(now->motion2, keep2 * l->motion2);
    l->pull2 = fmax(now->pull2, keep2 * l->pull2);
    l->stretch2 = fmax(now->stretch2, keep2 * l->stretch2);
    l->stress_rate = fmax(now->stress_rate, keep * l->stress_rate);
    of->stress *= fmax(exp(-STRESS_DECAY * turn), MIN_STRESS_DECAY_FACTOR);
    if (of->looks++ > 0) of->turn += turn;
    of->time = time;
}

static void judge(seen *of, sherd_ringing_found *found)
{
    const sherd_deforming *largest = &of->largest;
    double omega = omega_of(largest);
    if (!(omega > 0.0)) return;
    double ratio = of->turn < QUARTER ? 1.0 : fmin(largest->pull2 / largest->stretch2, 1.0);
    of->stress = fmax(of->stress, sqrt(ratio) * largest->stress_rate / omega);
    found->stress = fmax(found->stress, of->stress);
    if (of->stress > SHERD_RINGING_STRESS) found->power += 0.5 * ratio * largest->motion2 * omega;
}

sherd_status sherd_system_find_ringing(sherd_system *system, sherd_ringing_found *found,
                                       sherd_error *error)
{
    *found = (sherd_ringing_found){0};
    sherd_status status = make(system, error);
    if (status == SHERD_OK) status = sherd_system_update_forces(system, error);
    if (status != SHERD_OK) return status;
    const sherd_ringing *r = system->ringing;
    const sherd_component_list *list = &r->components;
    sherd_parallel_for(&system->parallel, (size_t)list->segment_count, 1, sum_segments, system);
    double time = sherd_system_time(system);
    for (int32_t s = 0; s < list->segment_count;) {
        int32_t component = list->segments[s].component;
        sherd_deforming_sums sum = r->sums[s++];
        while (s < list->segment_count && list->segments[s].component == component)
            sherd_deforming_add(&sum, &r->sums[s++]);
        sherd_deforming now = sherd_deforming_of(&sum);
        remember(&r->seen[component], &now, time);
        if (sum.members > TUMBLING_FRACTION * (double)system->elements.count)
            found->tumbling = fmax(found->tumbling, now.tumbling);
        judge(&r->seen[component], found);
    }
    return SHERD_OK;
}

// ---------------------------------------------------------------- checkpoints

static const sherd_row_member SEEN[] = {
    SHERD_NAMED_MEMBER(seen, largest.motion2, "motion2"),
    SHERD_NAMED_MEMBER(seen, largest.pull2, "pull2"),
    SHERD_NAMED_MEMBER(seen, largest.stretch2, "stretch2"),
    SHERD_NAMED_MEMBER(seen, largest.tumbling, "tumbling"),
    SHERD_NAMED_MEMBER(seen, largest.stress_rate, "stress_rate"),
    SHERD_MEMBER(seen, time),
    SHERD_MEMBER(seen, turn),
    SHERD_MEMBER(seen, stress),
    SHERD_MEMBER(seen, looks)};
const sherd_row_layout sherd_ringing_seen_layout = SHERD_ROW_LAYOUT(seen, SEEN);

static sherd_record_column column_of(const sherd_ringing *r)
{
    return (sherd_record_column){"ringing", &sherd_ringing_seen_layout, r->seen,
                                 (size_t)r->components.count, 0};
}

// Samples of components that have changed since are dropped.
void sherd_ringing_save(const sherd_system *system, sherd_byte_buffer *out)
{
    const sherd_ringing *r = system->ringing;
    if (r == NULL || r->broken != system->bonds.broken_count) return;
    sherd_record_column column = column_of(r);
    sherd_record_write(out, &column);
}

// Restored after the bonds.
sherd_status sherd_ringing_restore(sherd_system *system, sherd_record_reader *in,
                                   sherd_error *error)
{
    sherd_ringing_destroy(system->ringing);
    system->ringing = NULL;
    if (!sherd_record_has(in, "ringing")) return in->status;
    sherd_status status = make(system, error);
    if (status != SHERD_OK) return status;
    sherd_record_column column = column_of(system->ringing);
    sherd_record_read(in, &column);
    return in->status;
}

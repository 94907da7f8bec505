#include "stepping/explicit/interpenetration.h"

#include "base/error.h"
#include "base/forest.h"
#include "base/memory.h"
#include "math/point_bins.h"
#include "math/vec3.h"

// Relative to the distance at which elements touch: the centre of the largest hole of a dense
// packing is at 0.71 of it from the nearest elements. Bodies whose surfaces overlap have fewer
// bonds there.
static const double DEEP = 0.75;

enum { CHUNK = 1024 };

typedef struct overlap_search {
    const sherd_elements *e;
    int32_t *component; // root of each element's component; owned
    sherd_point_bins bins;
    double largest; // radius [m]
} overlap_search;

static sherd_vec3 position_of(const void *context, int32_t k)
{
    return sherd_element_position(context, k);
}

// True if there is more than one component.
static bool join_components(overlap_search *s, const sherd_bonds *bonds)
{
    sherd_element_index n = s->e->count;
    for (sherd_element_index k = 0; k < n; ++k)
        s->component[k] = k;
    for (int64_t b = 0; b < bonds->count; ++b)
        sherd_join_roots(s->component, bonds->i[b], bonds->j[b]);
    bool several = false;
    for (sherd_element_index k = 0; k < n; ++k) {
        s->component[k] = sherd_find_root(s->component, k);
        several = several || s->component[k] != s->component[0];
    }
    return several;
}

static int count_touching(const overlap_search *s, sherd_element_index k)
{
    sherd_vec3 at = sherd_element_position(s->e, k);
    double radius = sherd_element_radius(s->e, k), smallest = INFINITY;
    int count = 0;
    int32_t begin, end;
    sherd_bin_rows rows = sherd_point_bins_ball(&s->bins, at, radius + s->largest);
    while (sherd_point_bins_next(&s->bins, &rows, &begin, &end))
        for (int32_t p = begin; p < end; ++p) {
            sherd_element_index other = s->bins.source[p];
            if (s->component[other] == s->component[k]) continue;
            double touching = radius + sherd_element_radius(s->e, other),
                   ratio = vec3_distance(at, s->bins.point[p]) / touching;
            count += ratio < 1.0;
            smallest = fmin(smallest, ratio);
        }
    return smallest < DEEP ? count : 0;
}

static double touching_of(void *context, size_t begin, size_t end)
{
    double max_touching = 0.0;
    for (size_t k = begin; k < end; ++k)
        max_touching = fmax(max_touching, count_touching(context, (sherd_element_index)k));
    return max_touching;
}

sherd_status sherd_system_interpenetration(const sherd_system *system, int *max_touching,
                                           sherd_error *error)
{
    *max_touching = 0;
    overlap_search s = {.e = &system->elements};
    for (sherd_element_index k = 0; k < s.e->count; ++k)
        s.largest = fmax(s.largest, sherd_element_radius(s.e, k));
    s.component = sherd_alloc((size_t)s.e->count, sizeof *s.component);
    bool good = s.component != NULL;
    if (good && join_components(&s, &system->bonds)) {
        sherd_bin_size size = {2.0 * s.largest, 4.0, 2.0};
        good = sherd_point_bins_build(&s.bins, position_of, s.e, (int32_t)s.e->count, size);
        if (good)
            *max_touching = (int)sherd_parallel_max(&system->parallel, (size_t)s.e->count, CHUNK,
                                                    touching_of, &s);
        sherd_point_bins_release(&s.bins);
    }
    sherd_free(s.component);
    return good ? SHERD_OK : sherd_fail_memory(error, "time step");
}

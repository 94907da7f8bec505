#include "stepping/grid/grid_mean_acceleration.h"

#include "models/mpm/mpm_model.h"
#include "stepping/grid/grid_coupling.h"
#include "stepping/grid/grid_part.h"

static const double FRACTION = 1.0 / 30.0; // weight of a step in the mean

void sherd_grid_trend_begin(sherd_system *s)
{
    const sherd_grid_coupling *g = s->coupling;
    const sherd_elements *e = &sherd_grid_part(s)->elements;
    for (sherd_element_index k = 0; k < e->count; ++k)
        g->gained[k] = vec3_scale(-1.0, sherd_element_velocity(e, k));
    for (size_t n = 0; n < g->count; ++n) {
        const sherd_grid_coupled_body *coupled = &g->list[n];
        if (coupled->cloud >= 0) continue;
        sherd_element_index k = coupled->element;
        sherd_vec3 impulse = sherd_coupled_without_held(e->held[k], coupled->impulse);
        g->gained[k] = vec3_add_scaled(g->gained[k], -1.0 / sherd_element_mass(e, k), impulse);
    }
}

static void note(double *mean, double now)
{
    *mean += FRACTION * (now - *mean);
}

// Nodes include gravity; the mean of elements that drivers hold against it compensates that.
void sherd_grid_trend_end(sherd_system *s, double dt)
{
    const sherd_grid_coupling *g = s->coupling;
    const sherd_elements *e = &sherd_grid_part(s)->elements;
    double *const *trend = s->points->m.trend;
    for (sherd_element_index k = 0; k < e->count; ++k) {
        sherd_vec3 gained = vec3_add(g->gained[k], sherd_element_velocity(e, k)),
                   now = vec3_sub(vec3_scale(1.0 / dt, gained), s->gravity);
        sherd_element_index member = sherd_grid_part_members(s)[k];
        note(&trend[0][member], now.x), note(&trend[1][member], now.y);
        note(&trend[2][member], now.z);
    }
}

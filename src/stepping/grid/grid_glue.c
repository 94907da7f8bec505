#include "stepping/grid/grid_glue.h"

#include "math/vec3.h"
#include "models/mpm/mpm_model.h"

#include <sherd/breaks.h>

// The strength, of the two, that was exceeded more.
static sherd_break_mode mode_of(const sherd_mpm_glue *glue)
{
    double tension = sherd_mpm_glue_pull(glue) / glue->tensile,
           shear = sherd_mpm_glue_slide(glue) / glue->shear;
    return tension >= shear ? SHERD_BREAK_TENSION : SHERD_BREAK_SHEAR;
}

sherd_status sherd_grid_glue_log(sherd_system *s, double began, double time, sherd_error *error)
{
    const sherd_mpm_glues *g = &s->points->m.glue;
    sherd_status status = SHERD_OK;
    for (size_t k = 0; k < g->count && status == SHERD_OK; ++k) {
        const sherd_mpm_glue *glue = &g->items[k];
        if (glue->damage < 1.0 || glue->broken_at < began) continue;
        sherd_broken broken = {s->bonds.count + (int64_t)k, time,
                               vec3(glue->x[0], glue->x[1], glue->x[2]), 0.0,
                               (uint64_t)mode_of(glue)};
        status = sherd_break_log_add(&s->breaks, &broken, error);
    }
    return status;
}

// Says what a material's `stiffness_scale` changes.
#include "output/run/build_messages.h"

#include <math.h>
#include <stdio.h>

// Strain at which bonds break, from which on pieces are visibly bent before they break.
static const double LARGE_STRAIN = 0.03;

static bool is_scaled(const sherd_scene_material *m)
{
    return m->def.model == SHERD_SOLID_MODEL_BONDED && m->stiffness_scale < 1.0;
}

static bool breaks(const sherd_material_def *m)
{
    return sherd_breakage_describe(m->breakage)->breaks && isfinite(m->tensile_strength);
}

void sherd_run_report_scales(const sherd_scene *scene, sherd_messages *messages)
{
    for (int k = 0; k < scene->material_count; ++k) {
        const sherd_scene_material *m = &scene->materials[k];
        if (!is_scaled(m)) continue;
        double longer = 1.0 / sqrt(m->stiffness_scale);
        double strain = m->def.tensile_strength / m->def.youngs_modulus;
        char now[SHERD_PERCENT_TEXT], real[SHERD_PERCENT_TEXT];
        if (!breaks(&m->def)) {
            sherd_message_send(messages, SHERD_MESSAGE_NOTE, m->where, NULL,
                               "stiffness_scale of material '%s': it deforms %.3g times as far "
                               "under the same forces, and steps are %.3g times as long",
                               m->def.name, longer * longer, longer);
            continue;
        }
        bool large = strain > LARGE_STRAIN;
        double better = m->stiffness_scale * (strain / LARGE_STRAIN) * (strain / LARGE_STRAIN);
        char hint[64];
        snprintf(hint, sizeof hint, "take a stiffness_scale of %.2g or more", better);
        sherd_message_send(
            messages, large ? SHERD_MESSAGE_WARNING : SHERD_MESSAGE_NOTE, m->where,
            large ? hint : NULL,
            "stiffness_scale of material '%s': the same speeds break it, and steps are %.3g times "
            "as long; but it breaks at a strain of %s instead of %s, impacts last %.3g times as "
            "long, and it sags %.3g times as far; forces and stresses are those of the scaled "
            "solid",
            m->def.name, longer, sherd_percent_text(strain, now),
            sherd_percent_text(strain / longer, real), longer, longer * longer);
    }
}

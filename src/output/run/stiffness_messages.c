// Says what a material's `stiffness_scale` changes.
#include "output/run/build_messages.h"

#include "math/vec3.h"

#include <math.h>
#include <stdio.h>

// Strains at the break from which on bodies are visibly bent before they break, and from which on
// pieces of what yields have another shape.
static const double LARGE_STRAIN = 0.03, LARGE_PLASTIC_STRAIN = 0.3;

static bool is_scaled(const sherd_scene_material *m)
{
    return m->def.model == SHERD_SOLID_MODEL_BONDED && m->stiffness_scale < 1.0;
}

static bool yields(const sherd_material_def *m)
{
    return isfinite(m->yield_stress) && m->fracture_strain > 0.0;
}

// Strain at which bonds break; 0: never, or after a displacement.
static double strain_at_break(const sherd_material_def *m)
{
    if (!sherd_breakage_describe(m->breakage)->breaks) return 0.0;
    if (yields(m)) return m->fracture_strain;
    return isfinite(m->tensile_strength) ? m->tensile_strength / m->youngs_modulus : 0.0;
}

// "; it sags 100 times as far"
static void sag_text(const sherd_scene *scene, double times, char text[64])
{
    text[0] = '\0';
    if (vec3_length(scene->world.gravity) > 0.0)
        snprintf(text, 64, ", it sags %.3g times as far", times);
}

static void report_breaking(const sherd_scene *scene, const sherd_scene_material *m,
                            sherd_messages *messages)
{
    double longer = 1.0 / sqrt(m->stiffness_scale), strain = strain_at_break(&m->def);
    double most = yields(&m->def) ? LARGE_PLASTIC_STRAIN : LARGE_STRAIN;
    double better = m->stiffness_scale * (strain / most) * (strain / most);
    char now[SHERD_PERCENT_TEXT], real[SHERD_PERCENT_TEXT], hint[64], sag[64];
    snprintf(hint, sizeof hint,
             better < 1.0 ? "take a stiffness_scale of %.2g or more" : "leave stiffness_scale out",
             better);
    sag_text(scene, longer * longer, sag);
    bool large = strain > most;
    sherd_message_send(
        messages, large ? SHERD_MESSAGE_WARNING : SHERD_MESSAGE_NOTE, m->where, large ? hint : NULL,
        "stiffness_scale of material '%s': the same speeds break it, and steps are %.3g times as "
        "long; but it breaks at a strain of %s instead of %s%s, and it answers %.3g times more "
        "slowly, for which `duration` must allow and which lets through what is fast; forces and "
        "stresses are those of the scaled solid",
        m->def.name, longer, sherd_percent_text(strain, now),
        sherd_percent_text(strain / longer, real), sag, longer);
}

void sherd_run_report_scales(const sherd_scene *scene, sherd_messages *messages)
{
    for (int k = 0; k < scene->material_count; ++k) {
        const sherd_scene_material *m = &scene->materials[k];
        if (!is_scaled(m)) continue;
        if (strain_at_break(&m->def) > 0.0)
            report_breaking(scene, m, messages);
        else
            sherd_message_send(messages, SHERD_MESSAGE_NOTE, m->where, NULL,
                               "stiffness_scale of material '%s': it deforms %.3g times as far "
                               "under the same forces, and steps are %.3g times as long",
                               m->def.name, 1.0 / m->stiffness_scale,
                               1.0 / sqrt(m->stiffness_scale));
    }
}

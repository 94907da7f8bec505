#include "laws/solid/solid_laws.h"

#include "base/assertion.h"

#include <math.h>
#include <stddef.h>

#define WORD_OF(NAME, word, doc) #word,
const char *const sherd_solid_model_words[] = {"bonded", SHERD_SOLID_LAWS(WORD_OF) NULL};

double sherd_solid_start(sherd_solid_kind kind, const sherd_material_def *m)
{
    if (kind == SHERD_SOLID_NACC) return -m->initial_compaction;
    return kind == SHERD_SOLID_SNOW || kind == SHERD_SOLID_PHASE_FIELD ? 1.0 : 0.0;
}

double sherd_solid_friction_compression(double angle)
{
    SHERD_ASSERT(angle >= 0.0 && angle < 1.58, "an angle of friction is below a right one");
    return sqrt(2.0 / 3.0) * 2.0 * sin(angle) / (3.0 - sin(angle));
}

double sherd_solid_friction_mean(double angle)
{
    return sqrt(2.0) * sin(angle) / 3.0;
}

double sherd_solid_friction_cam_clay(double angle)
{
    return 6.0 * sin(angle) / (3.0 - sin(angle));
}

static double friction_of(const sherd_material_def *m)
{
    if (m->model == SHERD_SOLID_MODEL_NACC) return sherd_solid_friction_cam_clay(m->friction_angle);
    return m->friction_cone == SHERD_FRICTION_CONE_MEAN
               ? sherd_solid_friction_mean(m->friction_angle)
               : sherd_solid_friction_compression(m->friction_angle);
}

sherd_solid sherd_solid_of(const sherd_material_def *m)
{
    double E = m->youngs_modulus, mu = m->shear_modulus, nu = 0.5 * E / mu - 1.0;
    bool fluid = m->model == SHERD_SOLID_MODEL_FLUID, nacc = m->model == SHERD_SOLID_MODEL_NACC;
    sherd_solid_kind kind = (sherd_solid_kind)(m->model - 1);
    return (sherd_solid){
        .kind = kind,
        .density = m->density,
        .mu = fluid ? 0.0 : mu,
        .lambda = fluid ? m->bulk_modulus : E * nu / ((1.0 + nu) * (1.0 - 2.0 * nu)),
        .yield_stress = m->yield_stress,
        .compression = m->critical_compression,
        .extension = m->critical_extension,
        .hardening = nacc ? m->compaction_hardening : m->hardening,
        .friction = friction_of(m),
        .exponent = m->fluid_exponent,
        .contact_friction = m->friction,
        .cohesion = m->cohesion,
        .start = sherd_solid_start(kind, m),
        .residual = m->residual_stiffness,
        .length = m->damage_length,
        .relaxation = m->damage_time,
        .threshold = m->tensile_strength,
        .fracture_energy = m->fracture_energy,
    };
}

// Constitutive laws of material points: the Kirchhoff stress tau from the elastic left Cauchy-Green
// tensor b, [MPMG]. To add a law: add a row in the table of <sherd/laws.h>, and a file with its
// function (solid_neo_hookean.h is the shortest). All laws are isotropic, so b suffices; plastic
// and hardening laws also change b and one state variable of each point.
//
//   void solid_NAME(const sherd_solid *s, lane_symmetric *b, lane *state, solid_response *out)
//
// sets the stress, the stored energy and the stiffness for waves, all per reference volume. J =
// sqrt(det b).
#pragma once

#include <sherd/material.h>

typedef enum sherd_solid_kind {
#define SHERD_SOLID_KIND(NAME, name, doc) SHERD_SOLID_##NAME,
    SHERD_SOLID_LAWS(SHERD_SOLID_KIND)
#undef SHERD_SOLID_KIND
        SHERD_SOLID_LAW_COUNT
} sherd_solid_kind;

typedef struct sherd_solid {
    sherd_solid_kind kind;
    double density;    // in the reference state [kg/m^3]
    double mu, lambda; // Lame's parameters [Pa]; a fluid's bulk modulus is lambda
    // uniaxial Kirchhoff yield stress tau_y of von Mises [Pa]; infinite: elastic
    double yield_stress;
    double compression, extension; // of snow: stretches stay in [1 - compression, 1 + extension]
    // of snow: mu and lambda are multiplied by exp(hardening (1 - J_p)); of NACC: xi
    double hardening;
    double friction; // of sand: alpha of Drucker and Prager; of NACC: M
    double cohesion; // of NACC: beta
    double start;    // initial value of a point's state variable
    // Of a phase field (models/mpm/damage/mpm_phase_field.h): residual stiffness r [-], length l0 [m]; 0: local, relaxation
    // time eta [s], and of what drives it the threshold of the largest principal stress [Pa] or the fracture energy [J/m^2]
    double residual, length, relaxation, threshold, fracture_energy;
    double exponent; // of a fluid: gamma in p = K / gamma (J^-gamma - 1)
    double
        contact_friction; // Coulomb's, between bodies; two of them have the geometric mean of theirs
} sherd_solid;

// Initial value of a point's state variable, `start` of sherd_solid_of: 1 for snow (J_p) and phase fields (c), alpha of NACC,
// 0 for other laws. For sand it is the volume correction v_c or, if negative, the trace of strain; for Hencky's law the norm of
// the strain deviator. Other laws do not use it.
double sherd_solid_start(sherd_solid_kind kind, const sherd_material_def *material);

// alpha of Drucker and Prager for an angle of friction [rad]: for triaxial compression, sqrt(2/3) 2
// sin / (3 - sin); or for plane strain and mean states, sqrt(2) sin / 3.
double sherd_solid_friction_compression(double angle);
double sherd_solid_friction_mean(double angle);
// M of NACC for an angle of friction in triaxial compression [rad]: 6 sin / (3 - sin).
double sherd_solid_friction_cam_clay(double angle);

// For a valid material whose model is not SHERD_SOLID_MODEL_BONDED.
sherd_solid sherd_solid_of(const sherd_material_def *material);

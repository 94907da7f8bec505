// Laws of material points: the Kirchhoff stress tau from the elastic left Cauchy-Green tensor b, [MPMG]. To add a law:
// a row in the table of <sherd/laws.h>, and a file with its function (solid_neo_hookean.h is the shortest). All are isotropic, so
// that b has all that they need; those that flow or harden also change b and one number of state of each point.
//
//   void solid_NAME(const sherd_solid *s, lane_symmetric *b, lane *state, solid_response *out)
//
// sets the stress, the energy stored and the stiffness of waves, all per volume at rest. J = sqrt(det b).
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
    double density;      // at rest [kg/m^3]
    double mu, lambda;   // Lame's parameters [Pa]; a fluid's bulk modulus is lambda
    double yield_stress; // Kirchhoff's tau_y of von Mises, uniaxial [Pa]; infinite: elastic
    double compression, extension; // of snow: stretches stay in [1 - compression, 1 + extension]
    double hardening;              // of snow: mu and lambda go with exp(hardening (1 - J_p))
    double friction;               // of sand: alpha of Drucker and Prager
    double exponent;               // of a fluid: gamma in p = K / gamma (J^-gamma - 1)
    double
        contact_friction; // Coulomb's, between bodies; two of them have the geometric mean of theirs
} sherd_solid;

// A point's number of state at rest: 1 for snow (J_p), 0 for the others: of sand what opened (volume correction v_c), or the
// trace of strain where that is negative; of Hencky's law the norm of the strain's deviator. Others don't use it.
double sherd_solid_start(sherd_solid_kind kind);

// alpha of Drucker and Prager for an angle of friction [rad]: that of triaxial compression, sqrt(2/3) 2 sin / (3 - sin);
// or that of plane strain and mean states, sqrt(2) sin / 3.
double sherd_solid_friction_compression(double angle);
double sherd_solid_friction_mean(double angle);

// Of a material whose model is not SHERD_SOLID_MODEL_BONDED and which passes its check.
sherd_solid sherd_solid_of(const sherd_material_def *material);

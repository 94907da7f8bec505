// Damage of points whose law is a phase field (laws/solid/solid_phase_field.h), [CD-MPM]: the phase c falls from 1 to 0 by
//   eta dc/dt = 1 - F c + 4 l0^2 div grad c,     c only falls,
// with eta (`relaxation`, the inverse mobility over the modulus), the length l0, and F >= 1 of what drives it, the largest so far:
//   by energy   F = 1 + 4 l0 (1 - r) psi+ / G, so that c minimises g psi+ + G / (4 l0) ((1 - c)^2 + 4 l0^2 |grad c|^2)
//   by stress   F = sigma_1 / threshold, of the undamaged solid's largest principal Cauchy stress: c = threshold / sigma_1 where
//               l0 = eta = 0, the released code's local damage
// A step is implicit. Without l0 each point has its own equation, (F + eta/dt) c = 1 + eta/dt c_n. With l0, nodes have
//   sum_p V w_i (F + eta/dt) c_i + 4 l0^2 sum_p V grad w_i . sum_j c_j grad w_j = sum_p V w_i (1 + eta/dt c_n),
// lumped as published, solved by conjugate gradients; points take sum w_i c_i, with eta its change. V is the rest volume.
//
// c changes between two steps: released is the drop of g times psi+, of which the mean at both ends of the step counts, as
// mean stresses do in the work of motion.
#pragma once

#include "models/mpm/kernels/mpm_kernels.h"

#include "base/parallel.h"

typedef struct sherd_mpm_phase_report {
    double released; // energy [J]
    int iterations;  // of conjugate gradients; 0: nothing was solved
    double residual; // relative
} sherd_mpm_phase_report;

// Whether points have a phase field.
static inline bool sherd_mpm_has_phase(const sherd_mpm_points *points)
{
    return points->drive != NULL;
}

// Of points, in pages, before their stresses are needed, for a step of transfer->dt. Without driving force anywhere that grew,
// nothing is solved. False: memory is short.
bool sherd_mpm_phase_evolve(const sherd_mpm_transfer *transfer, const sherd_parallel *parallel,
                            sherd_mpm_phase_report *report);

// Whether a point with phase c belongs to no fragment.
static inline bool sherd_mpm_is_broken(double c)
{
    return c < 0.5;
}

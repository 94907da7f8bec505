// The stability limit of explicit steps.    docs/theory/physics.md 6
//
// Velocity Verlet with damping taken from the half-step velocity v is
//   v+ = v - dt (K x + C v),   x+ = x + dt v+
// in mass-scaled coordinates, rotations included. A solution that grows by q in a step has
//   [(q - 1)^2 + dt^2 K q + dt C (q - 1)] x = 0.
// Multiplied by x^H, |x| = 1, with k = x^H K x >= 0 and c = x^H C x >= 0: q^2 - (2 - dt^2 k - dt c) q + 1 - dt c = 0,
// whose roots are within the unit circle where dt^2 k + 2 dt c < 4. So steps are stable while
//   lambda_max(dt^2 K + 2 dt C) < 4,
// and not beyond, where the matrix above, positive definite for q -> -inf, has a negative eigenvalue at q = -1, so that it
// is singular for some q < -1. With C = beta K the limit is
//   dt = T (sqrt(1 + z^2) - z),   T = 2 / sqrt(lambda_max(K)),   z = damping ratio of the fastest mode.
#pragma once

#include "base/parallel.h"
#include "models/model.h"

// Lowers `limit` to that of one model's points, without contact [s].
sherd_status sherd_model_limit(const sherd_model_part *part, const sherd_parallel *parallel,
                               double *limit, sherd_error *error);

// Line search along the step of a Newton iteration.
//
// Contacts that begin, and friction that changes from sliding to sticking, make the slope along the
// step jump, which the matrix does not contain yet. Backtracking until the objective decreases ends
// before most such kinks, and the next iteration meets them again. So a step that has to be
// shortened ends where the slope is half of the initial one: past the kink, which the next matrix
// then contains.
//
// Between a point with negative slope s_l and one that lies too far, E follows the step's own
// parabola and, from a kink on, rises by half of K times the squared distance from there. With d
// their distance, h the parabola's curvature,
//   e = E_h - E_l - s_l d - h d^2 / 2,   r = s_h - s_l - h d,   way from the kink  w = 2 e / r,   K = r / w,
// and the minimum is where s_l + h t + K (t - (d - w)) = 0.
#pragma once

#include "stepping/implicit/objective.h"

typedef struct sherd_line {
    const sherd_objective *objective;
    const double *step; // six columns
    double *gradient;   // six columns: at the end, the gradient at the final point
    double slope;       // of the objective along `step` at the start, < 0 [J]
    double reach;       // first length tried, in steps
} sherd_line;

typedef struct sherd_line_end {
    // Fraction of the step that was taken. 0: no decrease was found, and elements are unchanged.
    double fraction;
    int tries; // evaluations, one more than rejected lengths
} sherd_line_end;

// From the present state with value *value; leaves the final value there, with tangents of
// contacts.
sherd_status sherd_line_search(const sherd_line *line, sherd_objective_value *value,
                               sherd_line_end *end, sherd_error *error);

// How far to go along the step of a Newton iteration.
//
// Contacts that begin and friction that turns from sliding to sticking make the slope along the step jump: the matrix
// does not contain them yet. Backtracking until the objective decreases ends short of most such kinks, and the next
// iteration runs into them again. So a step that has to be shortened goes to where the slope is half of what it was at
// first: past the kink, which the next matrix then contains.
//
// Between a place where the slope s_l points down and one that lies too far, E falls as the step's own parabola
// does and, from a kink on, rises by half of K times the square of the way from there. With d apart, h the
// parabola's curvature,
//   e = E_h - E_l - s_l d - h d^2 / 2,   r = s_h - s_l - h d,   way from the kink  w = 2 e / r,   K = r / w,
// and the minimum is where s_l + h t + K (t - (d - w)) = 0.
#pragma once

#include "stepping/implicit/objective.h"

typedef struct sherd_line {
    const sherd_objective *objective;
    const double *step; // six columns
    double *gradient;   // six columns: at the end, that of where it ends
    double slope;       // of the objective along `step` at the start, < 0 [J]
    double reach;       // first length tried, in steps
} sherd_line;

typedef struct sherd_line_end {
    // Share of the step that was taken. 0: no decrease was found, and elements are where they were.
    double share;
    int tries; // evaluations, one more than rejected lengths
} sherd_line_end;

// From the present state, whose value is *value; leaves there the value at its end, with tangents of contacts.
sherd_status sherd_line_search(const sherd_line *line, sherd_objective_value *value,
                               sherd_line_end *end, sherd_error *error);

// State and workspace of implicit steps, private to this folder.
#pragma once

#include "linear/linear_solver.h"
#include "models/bonded/hessian/bond_hessians.h"
#include "models/bonded/tangent/tangent.h"
#include "stepping/implicit/break_list.h"
#include "stepping/implicit/free_bodies.h"
#include "stepping/implicit/grain_elimination.h"
#include "stepping/implicit/implicit.h"
#include "stepping/implicit/momentum_projection.h"
#include "stepping/implicit/preconditioner_cache.h"
#include "stepping/implicit/remedy.h"
#include "stepping/implicit/softened_springs.h"
#include "stepping/implicit/softening_rounds.h"

enum { SHERD_IMPLICIT_CHUNK = 2048 }; // elements per task

struct sherd_implicit {
    sherd_implicit_parts parts;
    sherd_node_state now, old; // present state, and the one before
    sherd_node_state spare;
    double elastic; // energy of bonds in the present state, if a step ended with it [J]
    bool has_old;
    double before; // length of the step from old to now [s]
    uint64_t topology;
    double smallest_radius; // [m]
    double mass;            // of all elements [kg]

    sherd_contact_trial *trial; // NULL: no contact
    bool tried;                 // between try and accept or reject
    int64_t touching;           // pairs that pressed on each other after the last step
    int64_t sliding;            // the sliding ones of them
    double rubbing;             // power of their friction [W]
    bool regrouped;             // `touching` changed in the last step, or some slid
    bool predicts_uniform;      // the step ended nearer to uniform motion than to the prediction
    double contraction;         // of Newton's first iterations in recent steps; 1 = unknown
    int64_t trusted;            // steps since it was measured
    sherd_remedy tension;       // stiffens the matrix: Newton was slow without it
    sherd_remedy renew;         // new preconditioners: a reused one was outdated
    sherd_preconditioner_cache preconditioner; // reused from step to step
    sherd_grain_elimination grains;            // eliminated from this minimisation
    sherd_implicit_request request;
    sherd_implicit_outcome outcome;
    sherd_scheme_weights weights;
    sherd_scheme_target target;
    sherd_momentum_projection projection;
    sherd_time_errors errors;
    sherd_tangent *tangent; // of the bonds, for the solver
    sherd_linear_solver *solver;
    sherd_linear_solver *jacobi;   // for linearised steps; NULL until needed
    sherd_bond_hessians *hessians; // for [IBDEM25]'s algorithms; NULL until needed
    sherd_softened_springs softened;
    sherd_softening_rounds openings;
    sherd_overstress_step overstress;
    size_t stride;
    double *vectors; // three of six columns; owned
    double *pushes;  // three columns, once drivers apply forces; owned
    sherd_free_bodies free;
};

// Speed of fragments below which retardation by steps does not count; `visible_speed` is the speed above
// which rebounds are visible. A body that settles falls and rotates by less than a radius. A body
// that has moved farther swings, rolls or rocks, and loses as much where it is slow.
static inline double sherd_implicit_slow(const sherd_implicit *im, double visible_speed)
{
    static const double SETTLING_FRACTION = 0.5, MOVING_FRACTION = 0.1;
    return (im->errors.rates.max_displacement > im->smallest_radius ? MOVING_FRACTION
                                                                    : SETTLING_FRACTION) *
           visible_speed;
}

// Of the present try.
static inline sherd_body_step sherd_implicit_body_step(const sherd_implicit *im)
{
    return (sherd_body_step){&im->weights, im->outcome.scheme, im->request.dt,
                             im->has_old ? im->before : 0.0, im->request.gravity};
}

// Moves held elements to their poses after dt.
static inline void sherd_implicit_pose_held(const sherd_implicit *im, double dt)
{
    const sherd_implicit_request *r = &im->request;
    if (r->pose_held != NULL) r->pose_held(r->context, r->time + dt, dt);
}

// The numbers of step control: what each means, its unit, and where it was measured.
//
// Lengths of time are in stability limits T or in explicit steps (0.85 T by default), ways in radii of the smallest
// element, errors in shares of the accuracy: none depends on units or sizes of a scene.
#pragma once

#include <math.h>

// ---------------------------------------------------------------- what implicit steps are not for
// docs/theory/physics.md 3, on small bodies: which impacts can break something, which cascades are still quasi-static, and
// how long fracture goes on.

// rho c v_n over the least strength: above it something may break.
static const double DANGEROUS_IMPACT = 0.25;
// How long explicit steps go on after the last bond broke [T]
static const double EXPLICIT_AFTER_BREAK = 300.0;
static const double EXPLICIT_STRESS = 0.8; // of stress to strength: below it explicit steps may end
static const double CHECK_INTERVAL = 100.0; // between checks for that, and for sleepers [T]
// Of the elements: with more asleep, implicit steps must save by so much more than what explicit ones cost. These cost
// this at least, in steps in which all are awake.
static const double MOST_ASLEEP = 0.5, COST_ASLEEP = 0.03;
static const double DIVISION_INTERVAL = 300.0; // between searches for regions, at least [T]
// One more solve, and a share of the bonds across the smallest section of any body that can break: 4 of the 93 that
// world/section.h finds in the beam of `sherd bench fracture`. With 20 bonds and four more solves that beam cracked
// slowly where it snaps at once in explicit steps (docs/notebook/fracture-statistics.md). Smaller sections have 4, too: that
// these are too many there has not been seen.
enum { CASCADE_RESOLVES = 1, CASCADE_FEWEST = 4 };
static const double CASCADE_SHARE = 4.0 / 93.0;
// Rounds in which openings of softening bonds settle: where the body around a bond is stiffer than the bond softens,
// three to eight are enough; more mean that it snaps.
enum { OPENING_ROUNDS = 12, MOST_OPENING_ROUNDS = 100 };

// ---------------------------------------------------------------- what steps cost
// In explicit steps of the same body (docs/notebook/performance.md).

static const double NEWTON_COST = 6.0; // of an iteration, its matrix and its preconditioner
static const double LINEAR_COST = 4.0; // of one of its linear solver's
static const double COARSE_COST = 0.5; // of working once on as many clusters as there are elements
static const double MOST_LOSS = 400.0; // of one step, beyond what it saves: implicit steps end

// Iterations that a step may take (sherd_newton_spent): BUDGET, and one more for every STEPS_AN_ITERATION explicit
// steps that it replaces. Where something broke spells after a failure are long (FAILURE_SHARE_AFTER_BREAKS): among the
// fragments of a pane that rocked nine in ten of 373 failures were first steps given up after 12 to 16 iterations.
static const double BUDGET = 4.0, STEPS_AN_ITERATION = 10.0;
static const double BUDGET_AFTER_BREAKS = 24.0, STEPS_AFTER_BREAKS = 16.0;

// An implicit step that fails may cost this share of the explicit spell after it. Spells double; while nothing has
// broken, disturbances are soon over, and the first spell is short.
static const double FAILURE_SHARE = 1.0, FAILURE_SHARE_AFTER_BREAKS = 0.05;
static const double LONGEST_SPELL = 4000.0; // [explicit steps]
enum { MOST_LOSSES = 4 }; // implicit steps in a row that cost more than explicit ones
enum { PAID_ENOUGH = 8 }; // that paid off: spells start again from the shortest

// ---------------------------------------------------------------- beginning implicit steps

static const double FIRST_STEP = 20.0;    // length of the first [explicit steps]
static const double SHORTEST_STEP = 10.0; // below it explicit steps cost less [explicit steps]
// During explicit steps, positions are sampled at this interval to estimate the length that an implicit step would be
// allowed. It is taken when that is WORTH_ENTERING times its cost, which is at least LEAST_COST: contacts and vibrations
// after a break take four Newton iterations where smooth motions take two.
static const double SAMPLE_INTERVAL = 32.0; // [explicit steps]
static const double WORTH_ENTERING = 1.2;
static const double LEAST_COST = 25.0, COST_AFTER_BREAKS = 45.0; // [explicit steps]
static const double COST_REMEMBERED = 0.9; // share of the last cost that a sample remembers
static const double LONGEST_ENTRY = 128.0; // the first implicit step [explicit steps]

// ---------------------------------------------------------------- how long a step may be

// Of the accuracy: errors of steps add up to about four times this.
static const double SHARE_OF_A_STEP = 0.25;
// The error in time that is allowed, over what the iteration may leave.
static const double NEWTON_PARTS = 3.0;
// Speed that steps must resolve, over that whose waves break something: bending stresses more at the same speed, and
// speeds are rms.
static const double BRITTLE_SHARE = 0.5;
static const double REST_MOVE = 1e-4; // moves below this count as none [radii]
// Rebounds slower than so many radii per second can't be seen [1/s]
static const double REBOUND_RADII = 10.0;
// What integration may take from what swings, rolls, rocks or slides on contacts, as a force over its weight.
static const double DRAG_SHARE = 1e-3;
// When implicit steps begin: how much what moves so was accelerated otherwise than by its present loads, over gravity.
static const double JUMP_SHARE = 0.02;
static const double BEND_WAY = 3.0; // errors are compared with at most this way [radii]
static const double BEND_SPEED =
    5.0; // of the speed that breaks something by itself, times the accuracy
// Of the accuracy: of a vibration that steps resolve, and of one that they damp out.
static const double BEND_SHARE = 0.2, LOST_SHARE = 0.8;
// The sum of errors that is allowed, over the accuracy (a stiff draping beam then has an error of about the accuracy);
// and the share of the remainder that one step may take.
static const double ERROR_BUDGET = 0.5, ERROR_BUDGET_SHARE = 0.5;
static const double ALLOWED_SAFETY = 0.9; // of the length at which the error would be as allowed
static const double LEAST_SHARE = 0.2, MOST_SHARE = 2.0; // of a step's length: the next one's
static const double TOO_SHORT = 0.7;       // share allowed: below it the step is made again
static const double WORTH_CHANGING = 1.15; // steps of one length are what BDF2 is best at
static const double MOST_OF_THE_WAY = 0.9; // to what will be hit
static const double SHORTEST_RETRY = 1e-4; // of a step whose method can't change: shorter ones fail
static const double SHORTEST_PART = 1e-4;  // of a step of given length, where things meet

// ---------------------------------------------------------------- what rings and what tumbles

enum { RING_UNCHECKED = 4 }; // implicit steps without a sample, at most
// A step shorter than the last by this factor calls for a sample.
static const double RING_SHORTENED = 0.7;
// Explicit steps without a check whether something still rings [T]
static const double LONGEST_RINGING = 400.0;
// What integration may take of a vibration's energy in a radian: 2 % in ten periods. Modes of higher frequency that
// share in it make radians up to 1.7 times shorter; 5 % is what docs/theory/automatic.md promises.
static const double RING_LOSS = 0.02 / (20.0 * M_PI);
// Turn of a tumbling body in a step: with 0.01 radian a flip about the middle axis of inertia comes on time, to some
// degrees, with 0.1 half a turn too early.
static const double TUMBLING_TURN = 0.01; // [rad]
// Turns in a step below this count as this [rad].
static const double LEAST_CURVED = 0.01;

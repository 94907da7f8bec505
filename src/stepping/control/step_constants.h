// Constants of step control, each with meaning, unit and the measurement it comes from.
//
// Times are in stability limits T or in explicit steps (0.85 T by default), distances in radii of
// the smallest element, errors relative to the accuracy: nothing depends on the units or the size
// of a scene.
#pragma once

#include <math.h>

// ---------------------------------------------------------------- limits of implicit steps
// docs/theory/physics.md 3, from tests with small bodies: which impacts can break something, which
// cascades are still quasi-static, and how long fracture lasts.

// Impact pressure rho c v_n over the smallest strength above which something may break.
static const double DANGEROUS_IMPACT = 0.25;
// Duration of explicit steps after the last bond broke [T]
static const double EXPLICIT_AFTER_BREAK = 300.0;
// ratio of stress to strength below which explicit steps may end
static const double EXPLICIT_STRESS = 0.8;
static const double CHECK_INTERVAL = 100.0; // between checks of that ratio, and of sleepers [T]
// Fraction of the elements: if more are asleep, implicit steps must save correspondingly more
// relative to the cost of explicit ones, which is at least this fraction of that of steps in which
// all are awake.
static const double MAX_ASLEEP_FRACTION = 0.5, COST_ASLEEP = 0.03;
static const double DIVISION_INTERVAL = 300.0; // minimum between searches for regions [T]
// Budget of a cascade: one more solve, and a fraction of the bonds across the smallest section of
// any body that can break: 4 of the 93 that world/section.h finds in the beam of `sherd bench
// fracture`. With 20 bonds and four more solves that beam cracked slowly, but it snaps at once in
// explicit steps (docs/notebook/fracture-statistics.md). Smaller sections have 4, too; no test has
// shown that to be too many.
enum { CASCADE_RESOLVES = 1, CASCADE_FEWEST = 4 };
static const double CASCADE_FRACTION = 4.0 / 93.0;
// Rounds in which openings of softening bonds converge: three to eight are enough if the body
// around a bond is stiffer than the bond softens; otherwise it snaps.
enum { OPENING_ROUNDS = 12, MAX_OPENING_ROUNDS = 100 };

// ---------------------------------------------------------------- cost of steps
// In explicit steps of the same body (docs/notebook/performance.md).

static const double NEWTON_COST = 6.0; // of an iteration with its matrix and preconditioner
static const double LINEAR_COST = 4.0; // of an iteration of the linear solver
static const double COARSE_COST = 0.5; // of one operation on as many clusters as there are elements
static const double MAX_LOSS = 400.0;  // of one step, beyond its benefit: implicit steps end

// Iterations allowed in a step (sherd_newton_spent): BUDGET, plus one for every STEPS_AN_ITERATION
// explicit steps that it replaces. After breaks, the periods of explicit steps following a failure
// are long (FAILURE_FRACTION_AFTER_BREAKS): among the rocking fragments of a pane, nine in ten of 373
// failures were first steps abandoned after 12 to 16 iterations.
static const double BUDGET = 4.0, STEPS_AN_ITERATION = 10.0;
static const double BUDGET_AFTER_BREAKS = 24.0, STEPS_AFTER_BREAKS = 16.0;

// Cost of a failed implicit step relative to the period of explicit steps after it. Periods double
// with each failure. While nothing has broken, disturbances are short, and the first period is
// short.
static const double FAILURE_FRACTION = 1.0, FAILURE_FRACTION_AFTER_BREAKS = 0.05;
static const double LONGEST_PERIOD = 4000.0; // [explicit steps]
enum { MAX_LOSSES = 4 };  // consecutive implicit steps that cost more than explicit ones
enum { PAID_ENOUGH = 8 }; // successful steps after which periods start again from the shortest

// ---------------------------------------------------------------- beginning implicit steps

static const double FIRST_STEP = 20.0;    // length of the first step [explicit steps]
static const double SHORTEST_STEP = 10.0; // below this explicit steps cost less [explicit steps]
// During explicit steps, positions are sampled at this interval to estimate the possible length of
// an implicit step. The switch happens if that is WORTH_ENTERING times its cost, which is at least
// MIN_COST: contacts and vibrations after a break take four Newton iterations, smooth motions
// two.
static const double SAMPLE_INTERVAL = 32.0; // [explicit steps]
static const double WORTH_ENTERING = 1.2;
static const double MIN_COST = 25.0, COST_AFTER_BREAKS = 45.0; // [explicit steps]
static const double COST_REMEMBERED = 0.9; // weight of the previous cost at a sample
static const double LONGEST_ENTRY = 128.0; // the first implicit step [explicit steps]

// ---------------------------------------------------------------- step length

// Relative to the accuracy: errors of steps add up to about four times this.
static const double FRACTION_OF_A_STEP = 0.25;
// The allowed error in time over the remaining error of the iteration.
static const double NEWTON_PARTS = 3.0;
// Speed that steps must resolve, relative to that whose waves break something. Bending gives larger
// stresses at the same speed, and speeds are rms values.
static const double BRITTLE_FRACTION = 0.5;
static const double MOVE_FLOOR = 1e-4; // smaller moves count as none [radii]
// Slower rebounds, in radii per second, are invisible [1/s]
static const double REBOUND_RADII = 10.0;
// Allowed integration error of swinging, rolling, rocking or sliding on contacts, as a force
// relative to the weight.
static const double DRAG_FRACTION = 1e-3;
// Limit at the first implicit step: acceleration of such bodies not explained by their present
// loads, relative to gravity.
static const double JUMP_FRACTION = 0.02;
static const double BEND_DISPLACEMENT = 3.0; // errors are compared with at most this path [radii]
static const double BEND_SPEED =
    5.0; // of the speed that breaks something by itself, times the accuracy
// Relative to the accuracy: error of a vibration that steps resolve, and of one that they damp out.
static const double BEND_FRACTION = 0.2, LOST_FRACTION = 0.8;
// Allowed sum of errors over the accuracy (a stiff draping beam then has an error of about the
// accuracy), and the fraction of the remaining budget that one step may use.
static const double ERROR_BUDGET = 0.5, ERROR_BUDGET_FRACTION = 0.5;
static const double ALLOWED_SAFETY = 0.9; // relative to the length at which the error is as allowed
// bounds of the ratio of successive step lengths
static const double MIN_FRACTION = 0.2, MAX_FRACTION = 2.0;
static const double TOO_SHORT = 0.7;         // allowed factor below which the step is repeated
static const double WORTH_CHANGING = 1.15;   // constant step lengths suit BDF2 best
static const double APPROACH_FRACTION = 0.9; // fraction of the distance to an impact
// of a step whose method cannot change: shorter ones fail
static const double SHORTEST_RETRY = 1e-4;
static const double SHORTEST_PART = 1e-4; // of a step of given length, where bodies meet

// ---------------------------------------------------------------- vibration and tumbling

enum { RING_UNCHECKED = 4 }; // maximum number of implicit steps without a sample
// A step shorter than the last by this factor triggers a sample.
static const double RING_SHORTENED = 0.7;
// Explicit steps between checks for vibration [T]
static const double LONGEST_RINGING = 400.0;
// Allowed loss of a vibration's energy per radian: 2 % in ten periods. Modes of higher frequency in
// the same motion make radians up to 1.7 times shorter; docs/theory/automatic.md promises 5 %.
static const double RING_LOSS = 0.02 / (20.0 * M_PI);
// Rotation of a tumbling body in a step: with 0.01 rad a flip about the intermediate axis of
// inertia is on time, to some degrees; with 0.1 it is half a turn too early.
static const double TUMBLING_ANGLE = 0.01; // [rad]
// Turns in a step below this count as this [rad].
static const double MIN_CURVED_FRACTION = 0.01;

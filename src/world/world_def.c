// Field table of world definitions.
#include "world/world_def.h"

#include "base/error.h"
#include "base/field.h"

#include <sherd/world_def.h>

#include <math.h>

enum { WORLD_COOKIE = 0x776f7231 };

static const char *const SCHEMES[] = {"auto",       "euler",        "midpoint", "bdf2",
                                      "left_point", "linear_euler", NULL};
#define OPTIMIZER_WORD(NAME, word, doc) #word,
static const char *const OPTIMIZERS[] = {SHERD_STEP_OPTIMIZERS(OPTIMIZER_WORD) NULL};
static const char *const PRECISIONS[] = {"mixed", "double", NULL};
static const char *const KERNELS[] = {"cubic", "quadratic", NULL};
static const char *const TRANSFERS[] = {"affine", "flip", "apic", NULL};

static const char *const POINT_CONTACTS[] = {"surfaces", "pairwise", NULL};

static sherd_word method_word(int number)
{
    sherd_method_info method = sherd_method_describe((sherd_method)number);
    return (sherd_word){method.word, method.doc};
}

#define WORLD(kind, member, ...) SHERD_FIELD(sherd_world_def, kind, member, __VA_ARGS__)
#define SOLVER .maps = SHERD_MAP_SOLVER
#define NOT_PHYSICS .flags = SHERD_FIELD_NOT_PHYSICS
#define WORD_AND_DOC(NAME, word, doc, ...) ". `" #word "`: " doc
#define FLAG(name) .flags = SHERD_FIELD_##name

static const sherd_field FIELDS[] = {
    WORLD(CHOICE, method, .choice = method_word, SOLVER, .usual = "`auto`",
          .doc = "time-stepping method"),
    WORLD(CHOICE, scheme, .choices = SCHEMES, SOLVER,
          .doc =
              "time integration of implicit steps: `euler` ([IBDEM25] 5–6), `midpoint` ([IBDEM25]"
              " 2–3 as printed, first order in rotation), `bdf2` (second order), `left_point` "
              "([VBDEM] 24), `linear_euler` ([RBDEM] Algorithm 1: one "
              "Gauss–Newton iteration, by conjugate gradients to 2e-5), or `auto`. The papers' "
              "own schemes are for comparison: `midpoint` and `left_point` ([their contacts]"
              "(../papers/vbdem.md)) have no free rigid bodies; `linear_euler` needs `method: "
              "implicit` and a `time_step`, which it never splits ([the paper's step, key by key]"
              "(../papers/rbdem.md))"),
    WORLD(CHOICE, optimizer, .choices = OPTIMIZERS, SOLVER,
          .doc = "what minimises the energy of implicit steps: `newton`, or for comparison "
                 "`algorithm_1` to `algorithm_3` of [IBDEM25], which need `method: implicit`, "
                 "`scheme: euler` and a `time_step` ([the paper](../papers/ibdem25.md))"),
    WORLD(BOOLEAN, as_printed, SOLVER,
          .doc = "`optimizer: algorithm_1` to `algorithm_3`: formulas as printed where Sherd "
                 "corrects them ([slips](../papers/ibdem25.md#slips))"),
    WORLD(BOOLEAN, paper_fracture, .key = "fracture", SOLVER, FLAG(BY_HAND),
          .values = "`auto`, `end_of_step`", .usual = "`auto`",
          .doc = "`end_of_step`: as in [IBDEM25], all overstressed bonds break at the end of an "
                 "implicit step of any length, which makes bodies seem tougher in impacts; `auto`: "
                 "such steps are rejected and repeated, shorter or explicitly"),
    WORLD(REAL, accuracy, .initial = {0.01}, .range = SHERD_ABOVE(0.0, 1.0),
          .hint = "0.01 is a good value", SOLVER,
          .doc =
              "tolerance of implicit steps with automatic length: error of displacements as a "
              "fraction of the displacement. It does not control the energy of vibrations. "
              "`method: implicit` damps them at any value. `auto` keeps at least 95 % of the "
              "energy in ten periods of vibrations with stresses above 2 % of the strength; it "
              "may damp weaker ones and those of `unbreakable` bodies, which a smaller value or "
              "`method: explicit` keeps. Swinging and rolling under gravity lose little more with"
              " `auto` than with explicit steps, except slow swings, which it damps ([automatic "
              "choice](../theory/automatic.md))"),
    WORLD(REAL, time_step_in_limits, .range = SHERD_POSITIVE, FLAG(UNSET),
          .hint = "0 chooses it automatically"),
    WORLD(INT64, implicit_elements, .initial = {2000000}, .range = SHERD_AT_LEAST(0.0),
          .hint = "0 is none", SOLVER,
          .doc =
              "`method: auto`: largest number of elements for implicit steps, which need up to "
              "1.4 kB per element. Larger worlds, and materials whose `bond_law` has no energy, "
              "such as `lu`, are stepped explicitly throughout; `sherd check` and `sherd run` say"
              " so"),
    WORLD(VECTOR, gravity, .quantity = SHERD_QUANTITY_ACCELERATION, .initial = {0.0, 0.0, -9.81},
          .hint = "in m/s^2", .maps = SHERD_MAP_SCENE, .doc = "gravitational acceleration"),
    WORLD(REAL, time_step, .quantity = SHERD_QUANTITY_TIME, .range = SHERD_POSITIVE, SOLVER,
          FLAG(UNSET) | SHERD_FIELD_BY_HAND, .values = "a time > 0, a multiple `50 T`, or `auto`",
          .usual = "`auto`",
          .doc =
              "length of steps. A time is the longest explicit step, and selects `method: "
              "explicit` if no method is given. Steps above the stability limit T create energy "
              "and break intact bonds: `sherd check` and `sherd run` warn, and runs stop when "
              "such steps created a quarter of the energy, or when 5 % of it has no known source."
              " A multiple, `50 T`, is for implicit steps. `auto`: explicit steps take the "
              "fraction `safety` of T, found from the largest eigenvalue of the actual system; "
              "implicit steps follow an error estimate. A step of given length in which bodies "
              "would pass through each other is split, and counted as one"),
    WORLD(REAL, time_step_safety, .key = "safety", .initial = {0.85},
          .range = SHERD_ABOVE(0.0, 1.0), .hint = "0.85 is a good value", SOLVER,
          .doc =
              "length of explicit steps as a fraction of the stability limit. Above 0.95, bonded "
              "elements that also touch others may gain energy, which stops the run. Explicit "
              "steps are split automatically where surfaces meet fast "
              "([substeps](../theory/explicit.md#substeps))"),
    WORLD(REAL, contact_skin, .initial = {0.3}, .range = SHERD_ABOVE(0.0, 10.0),
          .hint = "0.3 is a good value", SOLVER,
          .doc = "search margin of contacts as a fraction of the smallest radius"),
    WORLD(CHOICE, contact_potential, .choices = sherd_contact_potential_words, SOLVER,
          .doc = "energy of a contact whose overlap exceeds that at rest by s ([stiffness]"
                 "(../theory/contact.md))" SHERD_CONTACT_POTENTIALS(WORD_AND_DOC)),
    WORLD(REAL, contact_barrier, .range = SHERD_ABOVE(0.0, 2.0), SOLVER, FLAG(UNSET),
          .usual = "none; **required** by `contact_potential: barrier`",
          .doc =
              "width w of a barrier against overlap, as a fraction of the smallest radius "
              "([RBDEM] (30)). With `contact_potential: barrier` it works with every method: "
              "overlaps stay below w with `method: implicit`; where explicit steps are made, the "
              "barrier continues from 0.248 w with constant stiffness. With other potentials it "
              "is added to their springs, only with `method: implicit`"),
    WORLD(REAL, contact_stiffness, .quantity = SHERD_QUANTITY_STRESS, .range = SHERD_POSITIVE,
          SOLVER, FLAG(UNSET), .usual = "from the materials: E/2",
          .doc = "k_c of [RBDEM] (30): contacts of all materials as stiff as those of one with E = "
                 "2 k_c ([units](../papers/rbdem.md#contact-stiffness))"),
    WORLD(CHOICE, precision, .choices = PRECISIONS, SOLVER,
          .doc =
              "arithmetic of bonds: `mixed` (strains in single precision, positions and sums in "
              "double; all in double where several bodies have 2048 elements at most) or "
              "`double`, about a third slower. Bonds that soften or yield use `mixed` where steps"
              " may be implicit"),
    WORLD(BOOLEAN, sleep, .initial = {true}, SOLVER,
          .doc =
              "fragments with little vibration and strain and nothing nearby move as rigid "
              "bodies, at almost no cost, until something comes near. Debris at rest costs only "
              "its contacts. With `auto`, a world in which everything sleeps costs nothing until "
              "something, or a moving obstacle, comes near ([sleep](../theory/regions.md#sleep))"),
    WORLD(BOOLEAN, regions, .initial = {true}, SOLVER,
          .doc = "`auto` only: bodies and fragments that cannot meet for a while are stepped "
                 "separately, so that an impact on one does not shorten the steps of the others "
                 "([regions](../theory/regions.md)). In scenes with material points, only regions "
                 "far from these take implicit steps and sleep ([material "
                 "points](../theory/material-points-bodies.md))"),
    WORLD(REAL, mass_scaling, .initial = {1.0}, .range = SHERD_BETWEEN(1.0, 1e12),
          .hint = "1 is none", SOLVER,
          .doc =
              "factor on all masses, for slow loads; weights stay the same. Explicit steps get "
              "sqrt(`mass_scaling`) times longer, and falls, waves and cracks take "
              "sqrt(`mass_scaling`) times as long. The run prints by how much inertia may change "
              "forces; forces of grains that rearrange vary by another 5 to 10 % ([mass "
              "scaling](../theory/explicit.md#mass-scaling)). Not for material points"),
    WORLD(CHOICE, point_kernel, .key = "kernel", .choices = KERNELS, SOLVER,
          .doc = "grid kernel of material points: `cubic`, or `quadratic`, which is faster and "
                 "noisier"),
    WORLD(CHOICE, point_transfer, .key = "transfer", .choices = TRANSFERS, SOLVER,
          .doc = "transfer between material points and grid: `affine` transfers changes of nodal "
                 "velocities and of their gradients, which conserves angular momentum; `flip` "
                 "changes of velocities alone, as in [MPMG]; `apic` is `affine` with `flip: 0` "
                 "([transfers](../theory/material-points.md#transfers))"),
    WORLD(CHOICE, point_contact, .choices = POINT_CONTACTS, SOLVER,
          .doc = "contact between bodies of material points: `surfaces`, where they are drawn; "
                 "`pairwise` as in [MPMG], at all nodes that they share, for comparison "
                 "([MPMG](../papers/mpmg.md)): without bodies of elements and free bodies"),
    WORLD(REAL, flip, .initial = {NAN}, .range = SHERD_UNIT_INTERVAL, SOLVER, FLAG(UNSET),
          .usual = "0.95; 0 of fluids with `affine`, and with `apic`",
          .doc = "FLIP fraction of material points: 1 adds changes of nodal velocities to those of "
                 "points, 0 replaces these by nodal velocities, which damps what the grid does not "
                 "resolve. It applies to steps of 0.85 of the body's own stability limit; shorter "
                 "steps damp less each, equally over time. Sand uses sqrt(h/g)/5 instead of that "
                 "step if it is longer"),
    WORLD(BOOLEAN, contacts, .initial = {true}, SOLVER, .doc = "false: no contact forces"),
    WORLD(INT, threads, .range = SHERD_BETWEEN(0.0, 4096.0), .hint = "0 uses all processors",
          NOT_PHYSICS, .doc = "number of threads, 0: all; results do not depend on it"),
};

const sherd_definition *sherd_world_def_fields(void)
{
    static const sherd_definition DEFINITION = SHERD_DEFINITION(sherd_world_def, FIELDS);
    return &DEFINITION;
}

sherd_world_def sherd_world_def_default(void)
{
    sherd_world_def def = {.cookie = WORLD_COOKIE};
    sherd_fields_set_initial(sherd_world_def_fields(), &def);
    return def;
}

// Members that depend on the method.
static sherd_status check_together(const sherd_world_def *def, sherd_error *error)
{
    sherd_method_info method = sherd_method_describe(def->method);
    if (def->time_step_in_limits > 0.0 && def->time_step > 0.0)
        return sherd_fail(error, SHERD_ERROR_INPUT, "time_step_in_limits",
                          "set it or time_step, not both", "is %g T, but time_step is %g s",
                          def->time_step_in_limits, def->time_step);
    if (def->time_step_in_limits > 0.0 && !method.implicit_steps)
        return sherd_fail(error, SHERD_ERROR_INPUT, "time_step_in_limits",
                          "the explicit method has `safety` instead",
                          "is for implicit steps, got %g T", def->time_step_in_limits);
    bool is_barrier = def->contact_potential == SHERD_CONTACT_BARRIER;
    if (is_barrier && !(def->contact_barrier > 0.0))
        return sherd_fail(error, SHERD_ERROR_INPUT, "contact_potential",
                          "add contact_barrier: 0.2, a good value",
                          "barrier needs contact_barrier, its width");
    if (!is_barrier && def->contact_barrier > 0.0 && method.explicit_steps)
        return sherd_fail(error, SHERD_ERROR_INPUT, "contact_barrier",
                          "add contact_potential: barrier, whose contacts all steps have; or "
                          "choose method: implicit; or remove it",
                          "is a width alone: explicit steps, which this method makes, have springs "
                          "as contacts unless contact_potential says otherwise");
    return SHERD_OK;
}

sherd_status sherd_world_def_check(const sherd_world_def *def, sherd_error *error)
{
    if (def->cookie != WORLD_COOKIE)
        return sherd_fail(error, SHERD_ERROR_INPUT, "sherd_world_def",
                          "start from sherd_world_def_default()",
                          "the definition was not initialised");
    sherd_status status = sherd_fields_check(sherd_world_def_fields(), def, NULL, error);
    return status == SHERD_OK ? check_together(def, error) : status;
}

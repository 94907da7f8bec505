#include "laws/law_tables.h"

#include "base/assertion.h"

#include <sherd/breaks.h>

#define SHERD_LANES 1 // functions for single bonds
#include "laws/bond/bond_laws.h"

_Static_assert((int)SHERD_BOND_LAW_COUNT <= (int)SHERD_BOND_MAX_LAWS,
               "lists by kind are too short");
_Static_assert((int)SHERD_BREAKAGE_COUNT <= (int)SHERD_MAX_BREAKAGES,
               "lists by kind are too short");

// Criteria that a test adds.
#ifndef SHERD_MORE_BREAKAGES
#define SHERD_MORE_BREAKAGES(ROW)
#endif
#define ALL_BREAKAGES(ROW) SHERD_BREAKAGES(ROW) SHERD_MORE_BREAKAGES(ROW)

#define WORD_OF(NAME, word, ...) #word,

// ---------------------------------------------------------------- bond laws

#define HAS_ENERGY(ability) BOND_IF_ENERGY(ability, true ||) false

// Yielding rods come last, and materials can't choose them by name.
#define LAW(NAME, word, doc, ability, history) {#word, doc, HAS_ENERGY(ability), history},
static const sherd_bond_law_info LAWS[] = {SHERD_ALL_BOND_LAWS(LAW)};

#define FUNCTIONS(NAME, word, doc, ability, history)                                               \
    {.moduli = bond_moduli_##word,                                                                 \
     .stable_tension = bond_stable_tension_##word,                                                 \
     BOND_IF_ENERGY(ability, .stiffness = bond_stiffness_##word,                                   \
                    .about_sections = (int)bond_symmetry_##word == (int)BOND_ABOUT_SECTIONS)},
static const sherd_bond_law_functions LAW_FUNCTIONS[] = {SHERD_ALL_BOND_LAWS(FUNCTIONS)};

const char *const sherd_bond_law_words[] = {SHERD_OTHER_BOND_LAWS(WORD_OF) NULL};

enum { LAW_COUNT = sizeof LAWS / sizeof LAWS[0], NAMED_COUNT = LAW_COUNT - 1 };
_Static_assert((int)LAW_COUNT <= (int)SHERD_BOND_MAX_LAWS, "lists by kind are too short");

const sherd_bond_law_info *sherd_bond_law_describe(sherd_bond_law law)
{
    return (unsigned)law < NAMED_COUNT ? &LAWS[law] : NULL;
}

sherd_bond_law sherd_material_effective_law(const sherd_material_def *def)
{
    return isfinite(def->yield_stress) ? SHERD_BOND_LAW_YIELDING : def->law;
}

int sherd_bond_law_history(sherd_bond_law law)
{
    SHERD_ASSERT((unsigned)law < LAW_COUNT, "the law has a table");
    return LAWS[law].history;
}

const sherd_bond_law_functions *sherd_bond_law_functions_of(sherd_bond_law law)
{
    SHERD_ASSERT((unsigned)law < LAW_COUNT, "the law has a table");
    return &LAW_FUNCTIONS[law];
}

double sherd_material_stable_tension(const sherd_material_def *def)
{
    const sherd_bond_law_functions *law = sherd_bond_law_functions_of(def->law);
    sherd_bond_moduli m = law->moduli(def, def->youngs_modulus, def->shear_modulus);
    return law->stable_tension(&m);
}

int sherd_bond_max_history(void)
{
    int longest = 0;
    for (int law = 0; law < (int)LAW_COUNT; ++law)
        longest = LAWS[law].history > longest ? LAWS[law].history : longest;
    return longest;
}

// ---------------------------------------------------------------- forms of the law CENTRAL

#define IS_SPRING 0
#define IS_HORIZON_3D 3
#define IS_HORIZON_2D 2
#define FORM(NAME, word, doc, reach, solid) {#word, doc, reach, IS_##solid},
static const sherd_central_info FORMS[] = {SHERD_CENTRAL_FORMS(FORM)};

const char *const sherd_central_words[] = {SHERD_CENTRAL_FORMS(WORD_OF) NULL};

const sherd_central_info *sherd_central_describe(sherd_central_form form)
{
    return (unsigned)form < SHERD_CENTRAL_COUNT ? &FORMS[form] : NULL;
}

// ---------------------------------------------------------------- breakage

#define IS_SIGNED false
#define IS_MAGNITUDE true
#define BREAKS_AT_STRENGTH true, SHERD_BREAKAGE_OF_BONDS
#define BREAKS_NEVER false, SHERD_BREAKAGE_OF_BONDS
#define BREAKS_AT_MEAN_STRESS true, SHERD_BREAKAGE_MEAN_STRESS
#define BREAKS_AT_PRINCIPAL_STRESS true, SHERD_BREAKAGE_PRINCIPAL_STRESS

#define CRITERION(NAME, word, doc, normal, bending, shear, twisting, breaks)                       \
    {#word, doc, IS_##normal, bending, shear, twisting, BREAKS_##breaks},
const sherd_breakage_info sherd_breakage_rows[] = {ALL_BREAKAGES(CRITERION)};

const char *const sherd_breakage_words[] = {ALL_BREAKAGES(WORD_OF) NULL};

enum { CRITERION_COUNT = sizeof sherd_breakage_rows / sizeof sherd_breakage_rows[0] };
_Static_assert((int)CRITERION_COUNT <= (int)SHERD_MAX_BREAKAGES, "lists by kind are too short");

const sherd_breakage_info *sherd_breakage_describe(sherd_breakage breakage)
{
    return (unsigned)breakage < CRITERION_COUNT ? &sherd_breakage_rows[breakage] : NULL;
}

#define BREAK_MODE_WORD(NAME, word, doc) #word,
const char *const sherd_break_mode_words[] = {SHERD_BREAK_MODES(BREAK_MODE_WORD) NULL};

// ---------------------------------------------------------------- contact potentials

#define POTENTIAL(NAME, word, doc, stiffest) {#word, doc, stiffest},
static const sherd_contact_potential_info POTENTIALS[] = {SHERD_CONTACT_POTENTIALS(POTENTIAL)};

const char *const sherd_contact_potential_words[] = {SHERD_CONTACT_POTENTIALS(WORD_OF) NULL};

const sherd_contact_potential_info *
sherd_contact_potential_describe(sherd_contact_potential_kind potential)
{
    return (unsigned)potential < SHERD_CONTACT_POTENTIAL_COUNT ? &POTENTIALS[potential] : NULL;
}

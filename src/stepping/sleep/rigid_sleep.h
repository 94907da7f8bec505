// Sleeping bodies: connected elements that move as one rigid body while nothing disturbs them.
//
//   awake ----- quiescent at two checks, nothing near (quiescence.h) ----> asleep
//      ^                                                                |
//      +---------- contact lists something near it --------------------+
//
// When a body falls asleep, its velocities become those of the rigid motion with the same momentum
// and angular momentum; the kinetic energy of all other motion is booked as dissipated by bonds.
// Elements keep their relative positions, so the strain energy stays stored. A sleeper is moved in
// closed form (centre) and by free rotation about its principal axes (bodies/rigid_body.h), with
// constant angular momentum. The arrays of elements are not updated: `sherd_sleep_update_poses` brings
// them up to date for every reader. Contact lists approaching bodies with a margin, so that a
// sleeper wakes before it is touched, from the stored state.   docs/notebook/decisions/0004
#pragma once

#include "base/record.h"
#include "stepping/sleep/sleep.h"
#include "stepping/system.h"

sherd_status sherd_sleep_init(sherd_system *system, sherd_error *error);
void sherd_sleep_free(sherd_sleep *sleep);

// Puts quiescent bodies to sleep. At the start of a step, when all loads and lists are up to date.
sherd_status sherd_sleep_check(sherd_system *system, sherd_error *error);

// Puts all to sleep if every element's component is quiescent: at two consecutive checks, or `now`
// for bodies that begin in flight. *all: true if so; otherwise nothing falls asleep. All loads and
// lists must be up to date.
sherd_status sherd_sleep_all(sherd_system *system, bool now, bool *all, sherd_error *error);

// Records whether anything moves, for the next check. *still: nothing moved at two consecutive
// checks.
sherd_status sherd_sleep_note_rest(sherd_system *system, bool *still, sherd_error *error);
// Puts all to sleep if everything is at rest. *all: true if so; otherwise nothing falls asleep. All
// loads and lists must be up to date.
sherd_status sherd_sleep_all_at_rest(sherd_system *system, bool *all, sherd_error *error);

sherd_element_index sherd_sleep_count(const sherd_system *system); // number of sleeping elements

// Updates the sleepers' centres to `step`, before contacts are prepared.
void sherd_sleep_advance(sherd_system *system, int64_t step);

// Wakes sleepers with something near. `half_step` is the part of the coming kick that velocities
// lack [s].
sherd_status sherd_sleep_wake_near(sherd_system *system, double half_step, sherd_error *error);

// Wakes those whose elements have this index in `of` (n). Motions of all start from the present
// step.
sherd_status sherd_sleep_wake_some(sherd_system *system, const int32_t *of, int32_t number,
                                   sherd_error *error);

// Wakes all; velocities are up to date.
sherd_status sherd_sleep_wake_all(sherd_system *system, sherd_error *error);

// Restarts the sleepers' motions from the present step: before the time step changes.
void sherd_sleep_renew(sherd_system *system);
// The same, and the present step has the number `step` from here on.
void sherd_sleep_recount(sherd_system *system, int64_t step);

// Brings the state of sleeping elements to the present step, for external readers. Never changes
// later results.
void sherd_sleep_update_poses(sherd_system *system);

// Allocates one more sleeper of `count` elements; NULL on failure.
sherd_sleeper *sherd_sleep_add(sherd_system *system, sherd_element_index count, sherd_error *error);
// Assigns its elements to a sleeper.
void sherd_sleep_assign_members(sherd_system *system, const sherd_sleeper *sleeper);
// Wakes all elements in their stored state.
void sherd_sleep_forget(sherd_system *system);

// Upper bound of the speed of any point of one sleeper, or of all, as it tumbles [m/s].
double sherd_sleeper_speed(const sherd_system *system, int32_t sleeper);
double sherd_sleep_fastest(const sherd_system *system);

// ---------------------------------------------------------------- sleep_state.c

// Copies sleepers whose elements are in a part of a world (system_part.h) to the part and back.
// Their motions start from the present step.
sherd_status sherd_sleep_fetch(sherd_system *part, const sherd_system *whole,
                               const sherd_element_index *member, const sherd_element_index *local,
                               sherd_error *error);
sherd_status sherd_sleep_return(const sherd_system *part, sherd_system *whole,
                                const sherd_element_index *member, sherd_error *error);

size_t sherd_sleep_bytes(const sherd_system *system);

// Saved as the section "sleep" of a record.
extern const sherd_row_layout sherd_resting_note_layout;
void sherd_sleep_save(const sherd_system *system, sherd_byte_buffer *out);
sherd_status sherd_sleep_restore(sherd_system *system, sherd_record_reader *in, sherd_error *error);

// How a world gets from one time to the next: the stepping methods there are.
#pragma once

#include <sherd/error.h>

#include <stdbool.h>

// Enumerator, word in scenes, and what it does. To add one: a row here and a file that defines
// sherd_stepper_<word> (src/stepping/stepper.h); its number is its place.
#define SHERD_METHODS(ROW)                                                                         \
    ROW(EXPLICIT, explicit, "velocity Verlet below the stability limit")                           \
    ROW(IMPLICIT, implicit, "minimises an energy per step; steps of any length")                   \
    ROW(AUTO, auto, "implicit in quiet phases, explicit before and while anything breaks")

#define SHERD_METHOD_ENUMERATOR(NAME, word, doc) SHERD_METHOD_##NAME,
typedef enum sherd_method {
    SHERD_METHODS(SHERD_METHOD_ENUMERATOR) SHERD_METHOD_COUNT // how many there are
} sherd_method;

// Properties of a method that are known before a world is made.
typedef struct sherd_method_info {
    const char *word;    // in scenes; NULL: there is no such method
    const char *doc;     // what it does, for people
    bool explicit_steps; // may make steps below the stability limit T
    bool implicit_steps; // may make longer ones
    // All steps of a run have one length that is fixed before the first, and may be counted:
    // sherd_world_step. Others advance by time alone.
    bool even_steps;
} sherd_method_info;

SHERD_API sherd_method_info sherd_method_describe(sherd_method method);

// Whether it chooses between explicit and implicit steps while running.
static inline bool sherd_method_switches(const sherd_method_info *info)
{
    return info->explicit_steps && info->implicit_steps;
}

// Springs of the table (contact_potentials.h) on lanes. With a constant `kind` only its functions
// are compiled.
#pragma once

#include "laws/contact/contact_potentials.h"
#include "math/lane.h"

#define CONTACT_CASE(NAME, call)                                                                   \
    case SHERD_CONTACT_##NAME:                                                                     \
        return call;
#define CONTACT_SCALE(NAME, name, ...) CONTACT_CASE(NAME, name##_scale(stiffness, modulus, radius))
#define CONTACT_FORCE(NAME, name, ...) CONTACT_CASE(NAME, name##_force(scale, width, s))
#define CONTACT_MEAN_FORCE(NAME, name, ...) CONTACT_CASE(NAME, name##_mean_force(scale, width, s))
#define CONTACT_TANGENT(NAME, name, ...) CONTACT_CASE(NAME, name##_tangent(scale, width, s))
#define CONTACT_GAINED(NAME, name, ...) CONTACT_CASE(NAME, name##_gained(scale, width, from, to))

LANE_INLINE lane contact_scale(sherd_contact_potential_kind kind, lane stiffness, lane modulus,
                               lane radius)
{
    switch (kind) {
        SHERD_CONTACT_POTENTIALS(CONTACT_SCALE)
    case SHERD_CONTACT_POTENTIAL_COUNT:
        break;
    }
    return stiffness;
}

LANE_INLINE lane contact_force(sherd_contact_potential_kind kind, lane scale, lane width, lane s)
{
    switch (kind) {
        SHERD_CONTACT_POTENTIALS(CONTACT_FORCE)
    case SHERD_CONTACT_POTENTIAL_COUNT:
        break;
    }
    return lane_of(0);
}

LANE_INLINE lane contact_mean_force(sherd_contact_potential_kind kind, lane scale, lane width,
                                    lane s)
{
    switch (kind) {
        SHERD_CONTACT_POTENTIALS(CONTACT_MEAN_FORCE)
    case SHERD_CONTACT_POTENTIAL_COUNT:
        break;
    }
    return lane_of(0);
}

LANE_INLINE lane contact_tangent(sherd_contact_potential_kind kind, lane scale, lane width, lane s)
{
    switch (kind) {
        SHERD_CONTACT_POTENTIALS(CONTACT_TANGENT)
    case SHERD_CONTACT_POTENTIAL_COUNT:
        break;
    }
    return lane_of(0);
}

LANE_INLINE lane contact_gained(sherd_contact_potential_kind kind, lane scale, lane width,
                                lane from, lane to)
{
    switch (kind) {
        SHERD_CONTACT_POTENTIALS(CONTACT_GAINED)
    case SHERD_CONTACT_POTENTIAL_COUNT:
        break;
    }
    return lane_of(0);
}

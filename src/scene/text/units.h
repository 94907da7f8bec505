// Numbers with units: "70 GPa", "2 mm", "-9.81 m/s^2", "10 deg".
#pragma once

#include <sherd/field.h>

// What bare numbers of a file are in: SI values of its base units.
typedef struct sherd_unit_system {
    double length, time, mass, angle; // [m], [s], [kg], [rad]
} sherd_unit_system;

#define SHERD_UNITS_SI ((sherd_unit_system){1.0, 1.0, 1.0, 1.0})

enum { SHERD_UNITS_TEXT_SIZE = 256 };
typedef struct sherd_units_error {
    char what[SHERD_UNITS_TEXT_SIZE], hint[SHERD_UNITS_TEXT_SIZE];
} sherd_units_error;

// A value of that kind, "e.g. 2 mm"; NULL for plain numbers.
const char *sherd_quantity_example(sherd_quantity quantity);

// Reads all of `text` as a value of the given kind in SI units. Infinity is read (as "inf"),
// not-a-number is refused. False with *error filled. Independent of the locale.
bool sherd_units_parse(const char *text, sherd_quantity quantity, const sherd_unit_system *bare,
                       double *value, sherd_units_error *error);

// SI value of a unit's name alone ("mm" as a length: 1e-3). False with *error filled.
bool sherd_units_parse_name(const char *text, sherd_quantity quantity, double *value,
                            sherd_units_error *error);

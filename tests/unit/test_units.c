// Numbers with units: every unit, composites, dimensions, refusals.
#include "scene/text/units.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <string.h>

static double parse_in(const char *text, sherd_quantity quantity, sherd_unit_system bare)
{
    double value = NAN;
    sherd_units_error error;
    bool good = sherd_units_parse(text, quantity, &bare, &value, &error);
    cr_assert(good, "%s: %s", text, error.what);
    return value;
}

static double parse(const char *text, sherd_quantity quantity)
{
    return parse_in(text, quantity, SHERD_UNITS_SI);
}

typedef struct unit_case {
    const char *text;
    sherd_quantity quantity;
    double value; // in SI
} unit_case;

static const unit_case GOOD[] = {
    {"3", SHERD_QUANTITY_NUMBER, 3.0},
    {"-0.5", SHERD_QUANTITY_NUMBER, -0.5},
    {"+.5", SHERD_QUANTITY_NUMBER, 0.5},
    {"5.", SHERD_QUANTITY_NUMBER, 5.0},
    {"1e4", SHERD_QUANTITY_NUMBER, 1e4},
    {"2.5E-3", SHERD_QUANTITY_NUMBER, 2.5e-3},
    {"2 m", SHERD_QUANTITY_LENGTH, 2.0},
    {"2 mm", SHERD_QUANTITY_LENGTH, 2e-3},
    {"2mm", SHERD_QUANTITY_LENGTH, 2e-3},
    {"2 cm", SHERD_QUANTITY_LENGTH, 2e-2},
    {"2 km", SHERD_QUANTITY_LENGTH, 2e3},
    {"2 um", SHERD_QUANTITY_LENGTH, 2e-6},
    {"2 \xc2\xb5m", SHERD_QUANTITY_LENGTH, 2e-6},
    {"2 \xce\xbcm", SHERD_QUANTITY_LENGTH, 2e-6},
    {"2 nm", SHERD_QUANTITY_LENGTH, 2e-9},
    {"2 s", SHERD_QUANTITY_TIME, 2.0},
    {"2 ms", SHERD_QUANTITY_TIME, 2e-3},
    {"2 us", SHERD_QUANTITY_TIME, 2e-6},
    {"2 \xc2\xb5s", SHERD_QUANTITY_TIME, 2e-6},
    {"2 ns", SHERD_QUANTITY_TIME, 2e-9},
    {"2 min", SHERD_QUANTITY_TIME, 120.0},
    {"2 h", SHERD_QUANTITY_TIME, 7200.0},
    {"2 kg", SHERD_QUANTITY_MASS, 2.0},
    {"2 g", SHERD_QUANTITY_MASS, 2e-3},
    {"2 mg", SHERD_QUANTITY_MASS, 2e-6},
    {"2 t", SHERD_QUANTITY_MASS, 2e3},
    {"180 deg", SHERD_QUANTITY_ANGLE, M_PI},
    {"180\xc2\xb0", SHERD_QUANTITY_ANGLE, M_PI},
    {"1 rad", SHERD_QUANTITY_ANGLE, 1.0},
    {"1 rev", SHERD_QUANTITY_ANGLE, 2.0 * M_PI},
    {"3 m/s", SHERD_QUANTITY_SPEED, 3.0},
    {"3 mm/s", SHERD_QUANTITY_SPEED, 3e-3},
    {"36 km/h", SHERD_QUANTITY_SPEED, 10.0},
    {"3 m s^-1", SHERD_QUANTITY_SPEED, 3.0},
    {"3 rad/s", SHERD_QUANTITY_ANGULAR_SPEED, 3.0},
    {"360 deg/s", SHERD_QUANTITY_ANGULAR_SPEED, 2.0 * M_PI},
    {"60 rpm", SHERD_QUANTITY_ANGULAR_SPEED, 2.0 * M_PI},
    {"2 rev/min", SHERD_QUANTITY_ANGULAR_SPEED, 4.0 * M_PI / 60.0},
    {"-9.81 m/s^2", SHERD_QUANTITY_ACCELERATION, -9.81},
    {"9.81 m/s2", SHERD_QUANTITY_ACCELERATION, 9.81},
    {"9.81 m/s\xc2\xb2", SHERD_QUANTITY_ACCELERATION, 9.81},
    {"9.81 N/kg", SHERD_QUANTITY_ACCELERATION, 9.81},
    {"2600 kg/m^3", SHERD_QUANTITY_DENSITY, 2600.0},
    {"2.6 g/cm^3", SHERD_QUANTITY_DENSITY, 2600.0},
    {"2.6 t/m\xc2\xb3", SHERD_QUANTITY_DENSITY, 2600.0},
    {"70 GPa", SHERD_QUANTITY_STRESS, 70e9},
    {"70GPa", SHERD_QUANTITY_STRESS, 70e9},
    {"3 MPa", SHERD_QUANTITY_STRESS, 3e6},
    {"3 kPa", SHERD_QUANTITY_STRESS, 3e3},
    {"3 Pa", SHERD_QUANTITY_STRESS, 3.0},
    {"3 N/mm^2", SHERD_QUANTITY_STRESS, 3e6},
    {"3 J/m^3", SHERD_QUANTITY_STRESS, 3.0},
    {"3 N m / m^3", SHERD_QUANTITY_STRESS, 3.0},
    {"3 N*m/m^3", SHERD_QUANTITY_STRESS, 3.0},
    {"5 N", SHERD_QUANTITY_FORCE, 5.0},
    {"5 mN", SHERD_QUANTITY_FORCE, 5e-3},
    {"5 kN", SHERD_QUANTITY_FORCE, 5e3},
    {"5 MN", SHERD_QUANTITY_FORCE, 5e6},
    {"5 kJ/m", SHERD_QUANTITY_FORCE, 5e3},
    {"480 Hz", SHERD_QUANTITY_FREQUENCY, 480.0},
    {"2 kHz", SHERD_QUANTITY_FREQUENCY, 2e3},
    {"2 MHz", SHERD_QUANTITY_FREQUENCY, 2e6},
    {"5 1/s", SHERD_QUANTITY_FREQUENCY, 5.0},
    {"5 /s", SHERD_QUANTITY_FREQUENCY, 5.0},
    {"60 J/m^2", SHERD_QUANTITY_FRACTURE_ENERGY, 60.0},
    {"60 N/m", SHERD_QUANTITY_FRACTURE_ENERGY, 60.0},
    {"1.5 MPa m^0.5", SHERD_QUANTITY_TOUGHNESS, 1.5e6},
    {"15 N/mm^1.5", SHERD_QUANTITY_TOUGHNESS, 15.0 * 31622.776601683795},
};

Test(units, table)
{
    for (size_t k = 0; k < sizeof GOOD / sizeof GOOD[0]; ++k) {
        double value = parse(GOOD[k].text, GOOD[k].quantity);
        // A product of a few factors: a few roundings.
        double relative = fabs(value - GOOD[k].value) / fabs(GOOD[k].value);
        cr_assert(lt(dbl, relative, 1e-14), "%s", GOOD[k].text);
    }
}

Test(units, infinity_is_read)
{
    cr_assert(eq(dbl, parse("inf", SHERD_QUANTITY_STRESS), INFINITY));
    cr_assert(eq(dbl, parse(".inf", SHERD_QUANTITY_STRESS), INFINITY));
    cr_assert(eq(dbl, parse("-inf", SHERD_QUANTITY_STRESS), -INFINITY));
}

Test(units, bare_numbers_take_the_files_units)
{
    sherd_unit_system mm = {.length = 1e-3, .time = 1e-3, .mass = 1e-3, .angle = M_PI / 180.0};
    // Relative 1e-14: products of powers of a few factors.
    cr_assert(epsilon_eq(dbl, parse_in("2", SHERD_QUANTITY_LENGTH, mm), 2e-3, 1e-17));
    cr_assert(epsilon_eq(dbl, parse_in("2", SHERD_QUANTITY_SPEED, mm), 2.0, 2e-14));
    cr_assert(epsilon_eq(dbl, parse_in("90", SHERD_QUANTITY_ANGLE, mm), M_PI / 2.0, 2e-14));
    // g / (mm ms^2) = 1e-3 / (1e-3 * 1e-6) = 1 MPa
    cr_assert(epsilon_eq(dbl, parse_in("3", SHERD_QUANTITY_STRESS, mm), 3e6, 3e-8));
    cr_assert(epsilon_eq(dbl, parse_in("3", SHERD_QUANTITY_DENSITY, mm), 3e6, 3e-8));
    // sqrt(1e-3 m) of it
    cr_assert(epsilon_eq(dbl, parse_in("3", SHERD_QUANTITY_TOUGHNESS, mm), 3e6 * sqrt(1e-3), 1e-9));
    cr_assert(eq(dbl, parse_in("3", SHERD_QUANTITY_NUMBER, mm), 3.0));
    cr_assert(eq(dbl, parse_in("2 m", SHERD_QUANTITY_LENGTH, mm), 2.0));
}

typedef struct bad_case {
    const char *text;
    sherd_quantity quantity;
    const char *what, *hint;
} bad_case;

static const bad_case BAD[] = {
    {"70 gpa", SHERD_QUANTITY_STRESS, "unknown unit 'gpa'", "did you mean 'GPa'?"},
    {"70 Mpa", SHERD_QUANTITY_STRESS, "unknown unit 'Mpa'", "did you mean 'MPa'?"},
    {"3 mm", SHERD_QUANTITY_STRESS, "must be a stress (Pa), got 3 mm", "e.g. 5 MPa"},
    {"3 Hz", SHERD_QUANTITY_ANGULAR_SPEED, "must be an angular speed (rad/s), got 3 Hz",
     "e.g. 10 rad/s"},
    {"3 N", SHERD_QUANTITY_NUMBER, "must be a plain number, got 3 N", ""},
    {"nan", SHERD_QUANTITY_NUMBER, "must be a plain number, got 'nan'",
     "not-a-number is never valid"},
    {".NaN", SHERD_QUANTITY_LENGTH, "must be a length (m), got '.NaN'",
     "not-a-number is never valid"},
    {"", SHERD_QUANTITY_LENGTH, "must be a length (m), got ''", "e.g. 2 mm"},
    {"-", SHERD_QUANTITY_LENGTH, "must be a length (m), got '-'", "e.g. 2 mm"},
    {".", SHERD_QUANTITY_LENGTH, "must be a length (m), got '.'", "e.g. 2 mm"},
    {"mm", SHERD_QUANTITY_LENGTH, "must be a length (m), got 'mm'", "e.g. 2 mm"},
    {"1,5 mm", SHERD_QUANTITY_LENGTH, "must be a length (m), got '1,5 mm'",
     "decimals have a point: 0.5"},
    {"1.2.3", SHERD_QUANTITY_LENGTH, "must be a length (m), got '1.2.3'", "e.g. 2 mm"},
    {"1 2", SHERD_QUANTITY_LENGTH, "must be a length (m), got '1 2'", "e.g. 2 mm"},
    {"1e999", SHERD_QUANTITY_NUMBER, "is too large for a number, got 1e999", ""},
    {"1e308 km", SHERD_QUANTITY_LENGTH, "is too large for a number, got 1e308 km", ""},
    {"3 rps", SHERD_QUANTITY_ANGULAR_SPEED, "unknown unit 'rps'", "did you mean 'rev/s'?"},
    {"2 in", SHERD_QUANTITY_LENGTH, "unknown unit 'in'", "Sherd takes SI units: 1 in is 25.4 mm"},
    {"1 ft", SHERD_QUANTITY_LENGTH, "unknown unit 'ft'", "Sherd takes SI units: 1 ft is 304.8 mm"},
    {"3 PSI", SHERD_QUANTITY_STRESS, "unknown unit 'PSI'",
     "Sherd takes SI units: 1 PSI is 6.89476 kPa"},
    {"490 lb/ft^3", SHERD_QUANTITY_DENSITY, "unknown unit 'lb'",
     "Sherd takes SI units: 1 lb is 0.453592 kg"},
    {"20 ft/s", SHERD_QUANTITY_SPEED, "unknown unit 'ft'",
     "Sherd takes SI units: 1 ft is 304.8 mm"},
    {"2 MJ/m^2", SHERD_QUANTITY_FRACTURE_ENERGY, "unknown unit 'MJ'",
     "Sherd takes SI units: 1 MJ is 1000 kJ"},
    {"2 hPa", SHERD_QUANTITY_STRESS, "unknown unit 'hPa'", "Sherd takes SI units: 1 hPa is 100 Pa"},
    {"30 degrees", SHERD_QUANTITY_ANGLE, "unknown unit 'degrees'", "did you mean 'deg'?"},
    {"2 Meters", SHERD_QUANTITY_LENGTH, "unknown unit 'Meters'", "did you mean 'm'?"},
    // Suggestions are of the wanted quantity.
    {"2 kk", SHERD_QUANTITY_LENGTH, "unknown unit 'kk'", "did you mean 'km'?"},
    {"2 mi n", SHERD_QUANTITY_LENGTH, "unknown unit 'mi'",
     "Sherd takes SI units: 1 mi is 1.609344 km"},
    {"2 mins", SHERD_QUANTITY_LENGTH, "unknown unit 'mins'",
     "a length is in m, mm, cm, km, um or nm"},
    {"2 qq", SHERD_QUANTITY_FORCE, "unknown unit 'qq'", "a force is in N, mN, kN or MN"},
    {"2 mins", SHERD_QUANTITY_TIME, "unknown unit 'mins'", "did you mean 'min'?"},
    {"2 qq", SHERD_QUANTITY_NUMBER, "unknown unit 'qq'", ""},
    {"2 N/MM^2", SHERD_QUANTITY_STRESS, "unknown unit 'MM'", "did you mean 'mm'?"},
    {"3 kg/m^3/", SHERD_QUANTITY_DENSITY, "unknown unit ''", "a density is in kg/m^3"},
    {"3 MPa", SHERD_QUANTITY_TOUGHNESS, "must be a fracture toughness (Pa m^0.5), got 3 MPa",
     "e.g. 0.7 MPa m^0.5"},
    {"3 m^0.5", SHERD_QUANTITY_LENGTH, "must be a length (m), got 3 m^0.5", "e.g. 2 mm"},
    {"3 m/!", SHERD_QUANTITY_SPEED, "unknown unit '!'", "a speed is in m/s"},
};

Test(units, refusals)
{
    const sherd_unit_system si = SHERD_UNITS_SI;
    for (size_t k = 0; k < sizeof BAD / sizeof BAD[0]; ++k) {
        double value = 17.0;
        sherd_units_error error;
        cr_assert(not(sherd_units_parse(BAD[k].text, BAD[k].quantity, &si, &value, &error)), "%s",
                  BAD[k].text);
        cr_assert(eq(str, error.what, (char *)BAD[k].what));
        cr_assert(eq(str, error.hint, (char *)BAD[k].hint));
    }
}

// A number of hundreds of digits is refused or read, never overrun.
Test(units, very_long_text)
{
    char text[4096];
    memset(text, '1', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    double value;
    sherd_units_error error;
    const sherd_unit_system si = SHERD_UNITS_SI;
    cr_assert(not(sherd_units_parse(text, SHERD_QUANTITY_NUMBER, &si, &value, &error)));
    memset(text, 'm', sizeof text - 1);
    text[0] = '1';
    cr_assert(not(sherd_units_parse(text, SHERD_QUANTITY_LENGTH, &si, &value, &error)));
}

Test(units, names_alone)
{
    double value;
    sherd_units_error error;
    cr_assert(sherd_units_parse_name("mm", SHERD_QUANTITY_LENGTH, &value, &error));
    cr_assert(eq(dbl, value, 1e-3));
    cr_assert(not(sherd_units_parse_name("kg", SHERD_QUANTITY_LENGTH, &value, &error)));
    cr_assert(eq(str, error.what, (char *)"must be a length (m), got kg"));
}

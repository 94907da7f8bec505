#include "scene/text/foreign_units.h"

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

// Masses, forces and stresses of pounds, and knots, to six digits; the others are exact.
static const sherd_foreign_unit FOREIGN[] = {
    // lengths
    {"in", NULL, "25.4 mm"},
    {"inch", NULL, "25.4 mm"},
    {"inches", NULL, "25.4 mm"},
    {"ft", NULL, "304.8 mm"},
    {"foot", NULL, "304.8 mm"},
    {"feet", NULL, "304.8 mm"},
    {"yd", NULL, "0.9144 m"},
    {"yard", NULL, "0.9144 m"},
    {"yards", NULL, "0.9144 m"},
    {"mi", NULL, "1.609344 km"},
    {"mile", NULL, "1.609344 km"},
    {"miles", NULL, "1.609344 km"},
    {"mil", NULL, "25.4 um"},
    {"thou", NULL, "25.4 um"},
    {"dm", NULL, "10 cm"},
    {"angstrom", NULL, "0.1 nm"},
    {"micron", "um", NULL},
    {"microns", "um", NULL},
    {"meter", "m", NULL},
    {"meters", "m", NULL},
    {"metre", "m", NULL},
    {"metres", "m", NULL},
    {"centimeter", "cm", NULL},
    {"centimeters", "cm", NULL},
    {"centimetre", "cm", NULL},
    {"centimetres", "cm", NULL},
    {"millimeter", "mm", NULL},
    {"millimeters", "mm", NULL},
    {"millimetre", "mm", NULL},
    {"millimetres", "mm", NULL},
    // times
    {"sec", "s", NULL},
    {"secs", "s", NULL},
    {"second", "s", NULL},
    {"seconds", "s", NULL},
    {"msec", "ms", NULL},
    {"millisecond", "ms", NULL},
    {"milliseconds", "ms", NULL},
    {"microseconds", "us", NULL},
    {"minute", "min", NULL},
    {"minutes", "min", NULL},
    {"hour", "h", NULL},
    {"hours", "h", NULL},
    {"d", NULL, "24 h"},
    {"day", NULL, "24 h"},
    {"days", NULL, "24 h"},
    // masses
    {"lb", NULL, "0.453592 kg"},
    {"lbs", NULL, "0.453592 kg"},
    {"lbm", NULL, "0.453592 kg"},
    {"pound", NULL, "0.453592 kg"},
    {"pounds", NULL, "0.453592 kg"},
    {"oz", NULL, "28.3495 g"},
    {"ounce", NULL, "28.3495 g"},
    {"ounces", NULL, "28.3495 g"},
    {"slug", NULL, "14.5939 kg"},
    {"Mg", NULL, "1 t"},
    {"gram", "g", NULL},
    {"grams", "g", NULL},
    {"kilogram", "kg", NULL},
    {"kilograms", "kg", NULL},
    {"tonne", "t", NULL},
    {"tonnes", "t", NULL},
    // angles and frequencies
    {"degree", "deg", NULL},
    {"degrees", "deg", NULL},
    {"radian", "rad", NULL},
    {"radians", "rad", NULL},
    {"turn", "rev", NULL},
    {"turns", "rev", NULL},
    {"hertz", "Hz", NULL},
    {"fps", "Hz", NULL},
    {"GHz", NULL, "1000 MHz"},
    {"rps", "rev/s", NULL},
    // speeds
    {"mph", NULL, "0.44704 m/s"},
    {"kph", "km/h", NULL},
    {"kmh", "km/h", NULL},
    {"knot", NULL, "0.514444 m/s"},
    {"knots", NULL, "0.514444 m/s"},
    // forces
    {"lbf", NULL, "4.44822 N"},
    {"kip", NULL, "4.44822 kN"},
    {"kips", NULL, "4.44822 kN"},
    {"kgf", NULL, "9.80665 N"},
    {"daN", NULL, "10 N"},
    {"GN", NULL, "1000 MN"},
    {"newton", "N", NULL},
    {"newtons", "N", NULL},
    // stresses
    {"psi", NULL, "6.89476 kPa"},
    {"ksi", NULL, "6.89476 MPa"},
    {"psf", NULL, "47.8803 Pa"},
    {"hPa", NULL, "100 Pa"},
    {"TPa", NULL, "1000 GPa"},
    {"bar", NULL, "100 kPa"},
    {"mbar", NULL, "100 Pa"},
    {"atm", NULL, "101.325 kPa"},
    {"pascal", "Pa", NULL},
    {"pascals", "Pa", NULL},
    // energies
    {"joule", "J", NULL},
    {"joules", "J", NULL},
    {"MJ", NULL, "1000 kJ"},
    {"GJ", NULL, "1e6 kJ"},
    {"cal", NULL, "4.184 J"},
    {"kcal", NULL, "4.184 kJ"},
};

// Names with capitals are prefixes and symbols, whose case matters: MJ is no mJ.
static bool matches(const char *known, const char *name)
{
    bool capitals = false;
    for (const char *at = known; *at != '\0'; ++at)
        capitals |= isupper((unsigned char)*at) != 0;
    return capitals ? strcmp(known, name) == 0 : strcasecmp(known, name) == 0;
}

const sherd_foreign_unit *sherd_foreign_unit_find(const char *name)
{
    for (size_t k = 0; k < sizeof FOREIGN / sizeof FOREIGN[0]; ++k)
        if (matches(FOREIGN[k].name, name)) return &FOREIGN[k];
    return NULL;
}

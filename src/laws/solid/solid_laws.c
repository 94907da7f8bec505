#include "laws/solid/solid_laws.h"

#include <math.h>

double sherd_solid_start(sherd_solid_kind kind)
{
    return kind == SHERD_SOLID_SNOW ? 1.0 : 0.0;
}

double sherd_solid_friction_compression(double angle)
{
    return sqrt(2.0 / 3.0) * 2.0 * sin(angle) / (3.0 - sin(angle));
}

double sherd_solid_friction_mean(double angle)
{
    return sqrt(2.0) * sin(angle) / 3.0;
}

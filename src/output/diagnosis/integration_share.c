#include "output/diagnosis/integration_share.h"

#include <math.h>
#include <stdio.h>

// Balance errors of this size are reported as well.
static const double WORTH_TELLING = 0.005;

double sherd_largest_store(const sherd_energy *e)
{
    return fmax(fmax(e->kinetic, e->elastic), fmax(fabs(e->gravity), e->contact));
}

const char *sherd_integration_text(double taken, double largest_store,
                                   char text[SHERD_RUN_ENERGY_TEXT])
{
    text[0] = '\0';
    if (!(fabs(taken) > WORTH_TELLING * largest_store)) return text;
    double percent = 100.0 * fabs(taken) / largest_store;
    snprintf(text, SHERD_RUN_ENERGY_TEXT, "integration %s %.*g %% of the largest stored energy",
             taken > 0.0 ? "took" : "gave", percent < 99.5 ? 2 : 4, percent);
    return text;
}

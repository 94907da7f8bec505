#include "diagnosis/integration_share.h"

#include <math.h>
#include <stdio.h>

// A balance that is off by as much is told as well.
static const double WORTH_TELLING = 0.005;

const char *integration_tell(double taken, double largest_store, char text[INTEGRATION_TEXT])
{
    text[0] = '\0';
    if (!(fabs(taken) > WORTH_TELLING * largest_store)) return text;
    double percent = 100.0 * fabs(taken) / largest_store;
    snprintf(text, INTEGRATION_TEXT, "integration %s %.*g %% of the largest store",
             taken > 0.0 ? "took" : "gave", percent < 99.5 ? 2 : 4, percent);
    return text;
}

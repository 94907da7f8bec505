#include "packing/principal_axes.h"

#include "math/symmetric_eigen.h"
#include "math/vec3.h"

void sherd_principal_axes(double c[3][3], sherd_vec3 axis[3])
{
    double e[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    // Products of inertia below 0.5 % of the trace are within the sampling error.
    double trace = c[0][0] + c[1][1] + c[2][2];
    double off = fmax(fabs(c[0][1]), fmax(fabs(c[0][2]), fabs(c[1][2])));
    double values[3];
    if (off > 0.005 * trace) sherd_symmetric_eigen(3, &c[0][0], values, &e[0][0]);
    for (int k = 0; k < 3; ++k)
        axis[k] = vec3(e[0][k], e[1][k], e[2][k]);
}

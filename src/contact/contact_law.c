#include "contact/contact_law.h"

// -ln e of a spring and dashpot that never pull, as a function of s: zeta = sin s below pi/2
// (underdamped), cosh(s - pi/2) above. Continuous (2 at pi/2) and increasing.
static double rebound_exponent(double s)
{
    const double quarter = 0.5 * M_PI;
    double b = s - quarter;
    if (fabs(b) < 1e-6) return 2.0;
    return b < 0.0 ? (M_PI - 2.0 * s) * tan(s) : 2.0 * b / tanh(b);
}

double sherd_contact_damping_ratio(double restitution)
{
    // Below 0.01 a rebound can't be told from none, but the dashpot would need ever smaller steps.
    double wanted = -log(fmax(restitution, 0.01));
    double low = 0.0, high = 0.5 * M_PI + 3.0;
    for (int k = 0; k < 60; ++k) {
        double middle = 0.5 * (low + high);
        if (rebound_exponent(middle) < wanted)
            low = middle;
        else
            high = middle;
    }
    double s = 0.5 * (low + high), b = s - 0.5 * M_PI;
    return wanted <= 0.0 ? 0.0 : (b < 0.0 ? sin(s) : cosh(b));
}

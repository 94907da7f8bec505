#include "bench/transfers/rigid_body.h"

#include <math.h>
#include <string.h>

// ---------------------------------------------------------------- free turning

typedef struct turning {
    double spin[3]; // in the body's axes, which are principal [rad/s]
    double turn[9]; // body to world
} turning;

// Euler's equations I_1 w_1' = (I_2 - I_3) w_2 w_3 and R' = R [w].
static turning rate_of(const turning *at, const double inertia[3])
{
    turning rate;
    const double *w = at->spin;
    for (int i = 0; i < 3; ++i) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        rate.spin[i] = (inertia[j] - inertia[k]) * w[j] * w[k] / inertia[i];
        for (int row = 0; row < 3; ++row)
            rate.turn[3 * row + i] = at->turn[3 * row + j] * w[k] - at->turn[3 * row + k] * w[j];
    }
    return rate;
}

static turning moved(const turning *at, const turning *rate, double dt)
{
    turning to = *at;
    for (int k = 0; k < 3; ++k)
        to.spin[k] += dt * rate->spin[k];
    for (int k = 0; k < 9; ++k)
        to.turn[k] += dt * rate->turn[k];
    return to;
}

// Runge and Kutta's fourth order: with 1000 steps a radian R is a rotation to 1e-13.
void rigid_box_turn(sherd_vec3 edges, sherd_vec3 spin, double time, double rotation[9])
{
    const double a[3] = {edges.x, edges.y, edges.z};
    double inertia[3]; // in units of m / 12
    for (int i = 0; i < 3; ++i) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        inertia[i] = a[j] * a[j] + a[k] * a[k];
    }
    turning at = {{spin.x, spin.y, spin.z}, {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}};
    double angle = time * sqrt(spin.x * spin.x + spin.y * spin.y + spin.z * spin.z);
    int steps = (int)ceil(1000.0 * angle) + 1;
    double dt = time / steps;
    for (int n = 0; n < steps; ++n) {
        turning k1 = rate_of(&at, inertia), x2 = moved(&at, &k1, 0.5 * dt);
        turning k2 = rate_of(&x2, inertia), x3 = moved(&at, &k2, 0.5 * dt);
        turning k3 = rate_of(&x3, inertia), x4 = moved(&at, &k3, dt);
        turning k4 = rate_of(&x4, inertia);
        at = moved(&at, &k1, dt / 6.0), at = moved(&at, &k2, dt / 3.0);
        at = moved(&at, &k3, dt / 3.0), at = moved(&at, &k4, dt / 6.0);
    }
    memcpy(rotation, at.turn, sizeof at.turn);
}

double rotation_angle(const double a[9], const double b[9])
{
    double trace = 0.0;
    for (int k = 0; k < 9; ++k)
        trace += a[k] * b[k];
    return acos(fmax(-1.0, fmin(1.0, 0.5 * (trace - 1.0))));
}

// ---------------------------------------------------------------- toppling

// phi'' = (m g r / I) sin phi with I = m (b^2 + h^2) / 3 about the edge, r its distance from the centre. From energy
// phi'^2 = 2 (m g r / I) (cos phi_0 - cos phi); the singularity at the start is taken out by phi = phi_0 + s^2.
double rigid_topple_time(double width, double height, double gravity, double from, double to)
{
    enum { PARTS = 2000 };
    double r = 0.5 * sqrt(width * width + height * height);
    double rate = gravity * r / (width * width + height * height) * 3.0;
    double end = sqrt(to - from), time = 0.0;
    for (int n = 0; n < PARTS; ++n) {
        double s = end * (n + 0.5) / PARTS, phi = from + s * s;
        time += 2.0 * s / sqrt(2.0 * rate * (cos(from) - cos(phi))) * end / PARTS;
    }
    return time;
}

// ---------------------------------------------------------------- tipping over an edge

// phi'' = m g (out cos phi + height / 2 sin phi) / I about the edge, by the midpoint rule.
double rigid_tip_angle(double length, double height, double out, double gravity, double time)
{
    enum { STEPS = 4000 };
    double arm = 0.5 * height,
           inertia = (length * length + height * height) / 12.0 + out * out + arm * arm,
           dt = time / STEPS, angle = 0.0, rate = 0.0;
    for (int n = 0; n < STEPS; ++n) {
        double middle = angle + 0.5 * dt * rate;
        rate += dt * gravity * (out * cos(middle) + arm * sin(middle)) / inertia;
        angle = middle + 0.5 * dt * rate;
    }
    return angle;
}

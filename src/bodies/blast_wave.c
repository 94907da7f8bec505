#include "bodies/blast_wave.h"

#include "base/assertion.h"

#include <math.h>

// Air at sea level.
static const double AMBIENT = 101325.0; // [Pa]
static const double SOUND = 340.29;     // [m/s]

// Scaled distances Z = R / W^(1/3), in m/kg^(1/3): from the surface of the charge (1600 kg/m^3) to
// where the overpressure is 1.5 % of the air's.
static const double NEAREST = 0.0530, FARTHEST = 40.0;

static double square(double x)
{
    return x * x;
}

// Peak overpressure.   [KG85]
static double peak_at(double z)
{
    double top = 808.0 * (1.0 + square(z / 4.5));
    return AMBIENT * top /
           (sqrt(1.0 + square(z / 0.048)) * sqrt(1.0 + square(z / 0.32)) *
            sqrt(1.0 + square(z / 1.35)));
}

// Duration of the overpressure for 1 kg [s].   [KG85]
static double duration_at(double z)
{
    double top = 980.0 * (1.0 + pow(z / 0.54, 10.0));
    return 1e-3 * top /
           ((1.0 + pow(z / 0.02, 3.0)) * (1.0 + pow(z / 0.74, 6.0)) * sqrt(1.0 + square(z / 6.9)));
}

// Impulse of the overpressure for 1 kg, 6.7 Pa s = 0.067 bar ms at its root [Pa s].   [KG85]
static double impulse_at(double z)
{
    return 6.7 * sqrt(1.0 + pow(z / 0.23, 4.0)) / (z * z * cbrt(1.0 + pow(z / 1.55, 3.0)));
}

// Velocity of the front: Rankine and Hugoniot, air with ratio of heats 1.4.
static double front_speed(double z)
{
    return SOUND * sqrt(1.0 + 6.0 * peak_at(z) / (7.0 * AMBIENT));
}

static double distance_of(int k)
{
    return NEAREST * pow(FARTHEST / NEAREST, (double)k / (SHERD_BLAST_ROWS - 1));
}

// 1/b - (1 - exp(-b)) / b^2: the impulse over peak times duration, 1/2 for b = 0.
static double impulse_factor(double b)
{
    if (fabs(b) < 1e-3) return 0.5 - b / 6.0;
    return (b - 1.0 + exp(-b)) / (b * b);
}

// The decay that gives this factor, which falls as b grows. Far away it is a little below 0.
static double decay_of(double factor)
{
    double low = -2.0, high = 1e4;
    for (int k = 0; k < 80; ++k) {
        double middle = 0.5 * (low + high);
        if (impulse_factor(middle) > factor)
            low = middle;
        else
            high = middle;
    }
    return 0.5 * (low + high);
}

// Arrivals by Simpson's rule in each interval.
void sherd_blast_table_init(sherd_blast_table *table)
{
    for (int k = 0; k < SHERD_BLAST_ROWS; ++k) {
        double b = distance_of(k), a = distance_of(k > 0 ? k - 1 : 0), middle = 0.5 * (a + b);
        double slowness =
            (1.0 / front_speed(a) + 4.0 / front_speed(middle) + 1.0 / front_speed(b)) / 6.0;
        table->arrival[k] = k > 0 ? table->arrival[k - 1] + (b - a) * slowness : 0.0;
        table->decay[k] = decay_of(impulse_at(b) / (peak_at(b) * duration_at(b)));
    }
}

// Row and fraction of the way to the next one; beyond the last row a fraction above 1.
static int row_at(double z, double *fraction)
{
    double at = (SHERD_BLAST_ROWS - 1) * log(z / NEAREST) / log(FARTHEST / NEAREST);
    int k = (int)fmin(fmax(at, 0.0), SHERD_BLAST_ROWS - 2);
    double a = distance_of(k), b = distance_of(k + 1);
    *fraction = (z - a) / (b - a);
    return k;
}

sherd_blast_wave sherd_blast_wave_at(const sherd_blast_table *table, double charge, double distance)
{
    SHERD_ASSERT(charge > 0.0, "a charge has a mass");
    double root = cbrt(charge), z = fmax(distance / root, NEAREST), fraction;
    int k = row_at(z, &fraction);
    double p = peak_at(z), first = table->arrival[k], b = table->decay[k];
    return (sherd_blast_wave){
        .arrival = root * (first + fraction * (table->arrival[k + 1] - first)),
        .peak = p,
        .reflected = 2.0 * p * (7.0 * AMBIENT + 4.0 * p) / (7.0 * AMBIENT + p),
        .duration = root * duration_at(z),
        .decay = b + fmin(fraction, 1.0) * (table->decay[k + 1] - b),
    };
}

// Integral of (1 - s) exp(-b s) from 0 to t, in [0, 1].
static double decay_integral(double b, double t)
{
    if (fabs(b) < 1e-3) return t - 0.5 * t * t - b * (0.5 * t * t - t * t * t / 3.0);
    double e = exp(-b * t);
    return (1.0 - e) / b - (1.0 - e * (1.0 + b * t)) / (b * b);
}

double sherd_blast_wave_decay(const sherd_blast_wave *wave, double time, double dt)
{
    double t = (time - wave->arrival) / wave->duration, b = wave->decay;
    if (!(dt > 0.0)) return t >= 0.0 && t < 1.0 ? (1.0 - t) * exp(-b * t) : 0.0;
    double length = dt / wave->duration, end = fmin(fmax(t + length, 0.0), 1.0);
    t = fmin(fmax(t, 0.0), 1.0);
    return (decay_integral(b, end) - decay_integral(b, t)) / length;
}

// The formula of ConWep, with nothing on faces that are turned away.
double sherd_blast_wave_on_face(const sherd_blast_wave *wave, double cosine)
{
    if (!(cosine > 0.0)) return 0.0;
    return wave->peak * (1.0 + cosine - 2.0 * cosine * cosine) + wave->reflected * cosine * cosine;
}

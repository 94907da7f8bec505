#include "output/dust/dust_trajectory.h"

#include "math/vec3.h"

typedef struct ways {
    double a, b, decay; // of the three formulas above; exp(-t / tau)
} ways;

static ways ways_of(double relaxation, double age)
{
    double s = age / relaxation; // 0 without air
    double a = s > 0.0 ? -expm1(-s) / s : 1.0;
    // (1 - a) / s cancels for small s.
    double b = s < 1e-3 ? 0.5 - s / 6.0 + s * s / 24.0 : (1.0 - a) / s;
    return (ways){age * a, age * age * b, exp(-s)};
}

sherd_vec3 sherd_flight_place(const flight *f, sherd_vec3 gravity, double age)
{
    ways w = ways_of(f->relaxation, age);
    return vec3_add_scaled(vec3_add_scaled(f->position, w.a, f->velocity), w.b, gravity);
}

sherd_vec3 sherd_flight_velocity(const flight *f, sherd_vec3 gravity, double age)
{
    ways w = ways_of(f->relaxation, age);
    return vec3_add_scaled(vec3_scale(w.decay, f->velocity), w.a, gravity);
}

static double height_at(const flight *f, sherd_vec3 gravity, const flight_plane *plane,
                        double radius, double age)
{
    sherd_vec3 x = sherd_flight_place(f, gravity, age);
    return vec3_dot(vec3_sub(x, plane->point), plane->normal) - radius;
}

double sherd_flight_landing(const flight *f, sherd_vec3 gravity, const flight_plane *plane,
                            double radius)
{
    static const double FIRST = 1e-6, LAST = 1e4; // [s]
    enum { HALVINGS = 40 };
    double begin = height_at(f, gravity, plane, radius, 0.0);
    if (begin < -2.0 * radius) return (double)INFINITY;
    if (begin <= 0.0) return 0.0;
    double low = 0.0, high = FIRST;
    while (high < LAST && height_at(f, gravity, plane, radius, high) > 0.0) {
        low = high;
        high *= 2.0;
    }
    if (high >= LAST) return (double)INFINITY;
    for (int k = 0; k < HALVINGS; ++k) {
        double middle = 0.5 * (low + high);
        if (height_at(f, gravity, plane, radius, middle) > 0.0)
            low = middle;
        else
            high = middle;
    }
    return high;
}

#include "geometry/exact/exact.h"

#include "base/random.h"
#include "math/vec3.h"

// Differences of coordinates have 41 bits, so determinants at most 3 + 3 * 41 = 126.
static const double LARGEST = 549755813888.0; // 2^39
enum { JITTER_BITS = 7 };

exact_lattice sherd_exact_lattice(sherd_bounds b)
{
    sherd_vec3 half = vec3_scale(0.5, vec3_sub(b.high, b.low));
    double extent = fmax(half.x, fmax(half.y, half.z));
    int exponent = 0;
    frexp(0.9 * LARGEST / extent, &exponent);
    return (exact_lattice){vec3_scale(0.5, vec3_add(b.low, b.high)), ldexp(0.5, exponent)};
}

exact_point sherd_exact_round(const exact_lattice *lattice, sherd_vec3 x)
{
    sherd_vec3 p = vec3_scale(lattice->steps, vec3_sub(x, lattice->centre));
    double limit = LARGEST - (1 << JITTER_BITS);
    return (exact_point){llround(fmin(fmax(p.x, -limit), limit)),
                         llround(fmin(fmax(p.y, -limit), limit)),
                         llround(fmin(fmax(p.z, -limit), limit))};
}

exact_point sherd_exact_snap(const exact_lattice *lattice, sherd_vec3 x, uint64_t salt)
{
    exact_point p = sherd_exact_round(lattice, x);
    uint64_t bits = sherd_random_bits(salt, 0, 0);
    int64_t mask = (1 << JITTER_BITS) - 1, half = 1 << (JITTER_BITS - 1);
    return (exact_point){p.x + (int64_t)(bits & (uint64_t)mask) - half,
                         p.y + (int64_t)(bits >> 20 & (uint64_t)mask) - half,
                         p.z + (int64_t)(bits >> 40 & (uint64_t)mask) - half};
}

static exact_point difference(const exact_point *a, const exact_point *b)
{
    return (exact_point){a->x - b->x, a->y - b->y, a->z - b->z};
}

static exact_value minor(int64_t a, int64_t b, int64_t c, int64_t d)
{
    return (exact_value)a * d - (exact_value)b * c;
}

exact_value sherd_exact_volume(const exact_point *a, const exact_point *b, const exact_point *c,
                               const exact_point *d)
{
    exact_point p = difference(b, a), q = difference(c, a), r = difference(d, a);
    return minor(p.y, p.z, q.y, q.z) * r.x + minor(p.z, p.x, q.z, q.x) * r.y +
           minor(p.x, p.y, q.x, q.y) * r.z;
}

int sherd_exact_side(const exact_point *a, const exact_point *b, const exact_point *c,
                     const exact_point *d)
{
    // Differences are exact in double precision; the error of their determinant is less than 2^-50
    // of the sum of its terms' magnitudes.
    double px = (double)(b->x - a->x), py = (double)(b->y - a->y), pz = (double)(b->z - a->z);
    double qx = (double)(c->x - a->x), qy = (double)(c->y - a->y), qz = (double)(c->z - a->z);
    double rx = (double)(d->x - a->x), ry = (double)(d->y - a->y), rz = (double)(d->z - a->z);
    double volume = (py * qz - pz * qy) * rx + (pz * qx - px * qz) * ry + (px * qy - py * qx) * rz;
    double size = (fabs(py * qz) + fabs(pz * qy)) * fabs(rx) +
                  (fabs(pz * qx) + fabs(px * qz)) * fabs(ry) +
                  (fabs(px * qy) + fabs(py * qx)) * fabs(rz);
    if (fabs(volume) > 8.9e-16 * size) return volume > 0.0 ? 1 : -1; // 2^-50
    exact_value exact = sherd_exact_volume(a, b, c, d);
    return (exact > 0) - (exact < 0);
}

#include "models/bonded/exposed_faces.h"

#include "base/assertion.h"
#include "math/symmetric_eigen.h"
#include "math/vec3.h"

#include <math.h>

static const double PI = 3.14159265358979323846;

// ---------------------------------------------------------------- bonds of one element

typedef struct surroundings {
    double section;     // sum of S [m^2]
    sherd_vec3 vector;  // sum of S d [m^2]
    double moment[9];   // sum of S l/2 d d' [m^3]
    int count;          // bonds
    double least, most; // length [m]
} surroundings;

static surroundings look_around(const sherd_face_source *source, sherd_element_index k,
                                bool with_broken)
{
    const sherd_elements *e = source->elements;
    surroundings sum = {.least = INFINITY};
    sherd_vec3 here = sherd_element_rest(e, k);
    for (uint32_t at = source->adjacency->start[k]; at < source->adjacency->start[k + 1]; ++at) {
        int64_t bond = source->adjacency->bond[at];
        if (source->bonds->broken[bond] && !with_broken) continue;
        sherd_element_index other = sherd_bond_partner(source->bonds, bond, k);
        sherd_vec3 d = vec3_sub(sherd_element_rest(e, other), here);
        double length = vec3_length(d),
               r = fmin(sherd_element_radius(e, k), sherd_element_radius(e, other));
        double section = PI * r * r;
        d = vec3_scale(1.0 / length, d);
        double x[3] = {d.x, d.y, d.z};
        for (int a = 0; a < 9; ++a)
            sum.moment[a] += 0.5 * section * length * x[a / 3] * x[a % 3];
        sum.section += section;
        sum.vector = vec3_add_scaled(sum.vector, section, d);
        sum.least = fmin(sum.least, length), sum.most = fmax(sum.most, length);
        ++sum.count;
    }
    return sum;
}

static double volume_of(const sherd_face_source *source, sherd_element_index k)
{
    const sherd_bond_solid *solid = sherd_bond_solid_of(source->bonds, source->elements, k);
    double r = sherd_element_radius(source->elements, k);
    if (solid == NULL) return 4.0 / 3.0 * PI * r * r * r;
    return sherd_element_mass(source->elements, k) * solid->volume_per_mass;
}

// ---------------------------------------------------------------- scale

// Lattices of touching equal spheres: 1/c is three times their fraction of volume; the volume of a
// cell over the cube of the radius.
typedef struct lattice {
    double inverse, cell;
} lattice;
static const lattice CLOSE_PACKED = {2.2214414690791831, 5.6568542494923802}, // pi, 8 / sqrt(2)
    CUBIC = {0.78539816339744831, 8.0};                                       // pi / 4

// Elements at the surface leave out a margin of the shape that they fill: areas are those of the
// shape, which has the volume of the elements.
static double lattice_scale(const sherd_face_source *source, sherd_element_index k, lattice l)
{
    double r = sherd_element_radius(source->elements, k);
    return cbrt(pow(volume_of(source, k) / (l.cell * r * r * r), 2.0)) / l.inverse;
}

// An element whose bonds nearly balance is inside. Without any, all are taken.
static double mean_trace(const sherd_face_source *source, sherd_element_index first,
                         sherd_element_index end)
{
    static const double BALANCED = 0.2;
    double sum[2] = {0.0, 0.0};
    double number[2] = {0.0, 0.0};
    for (sherd_element_index k = first; k < end; ++k) {
        surroundings s = look_around(source, k, true);
        double part = (s.moment[0] + s.moment[4] + s.moment[8]) / volume_of(source, k) / 3.0;
        int inside = s.count > 0 && vec3_length(s.vector) < BALANCED * s.section;
        sum[inside] += part, number[inside] += s.count > 0;
    }
    int use = number[1] > 0.0;
    return number[use] > 0.0 ? sum[use] / number[use] : 0.0;
}

double sherd_face_scale(const sherd_face_source *source, sherd_element_index first,
                        sherd_element_index end)
{
    // Of equal lengths: rounding of positions.
    static const double EQUAL = 1e-6;
    double least = INFINITY, most = 0.0, ratio = 0.0;
    int largest = 0;
    for (sherd_element_index k = first; k < end; ++k) {
        surroundings s = look_around(source, k, true);
        least = fmin(least, s.least), most = fmax(most, s.most);
        ratio = fmax(ratio, s.most / (2.0 * sherd_element_radius(source->elements, k)));
        if (s.count > largest) largest = s.count;
    }
    if (largest == 0) return 0.0;
    bool touching = most - least <= EQUAL * most && fabs(ratio - 1.0) <= EQUAL;
    if (touching && largest <= 12)
        return lattice_scale(source, first, largest > 6 ? CLOSE_PACKED : CUBIC);
    double trace = mean_trace(source, first, end);
    return trace > 0.0 ? 1.0 / trace : 0.0;
}

// ---------------------------------------------------------------- faces

// Directions with less than this fraction of the bonds of the inside have none of a solid.
static const double NOTHING = 0.15, LINE = 0.3;
// Areas below this fraction of an element's section are the lattice's irregularity.
static const double SMALLEST = 0.15;

static sherd_vec3 column(const double v[9], int c)
{
    return vec3(v[c], v[3 + c], v[6 + c]);
}

sherd_face sherd_exposed_face(const sherd_face_source *source, sherd_element_index k, double scale)
{
    SHERD_ASSERT(scale >= 0.0, "areas are not negative");
    surroundings s = look_around(source, k, false);
    double r = sherd_element_radius(source->elements, k), section = PI * r * r;
    sherd_face ball = {.shape = SHERD_FACE_BALL, .front = section};
    if (s.count == 0 || !(scale > 0.0)) return ball;
    double volume = volume_of(source, k), values[3], vectors[9];
    for (int a = 0; a < 9; ++a)
        s.moment[a] *= scale / volume;
    sherd_symmetric_eigen(3, s.moment, values, vectors);
    int low = 0, high = 0;
    for (int a = 1; a < 3; ++a) {
        if (values[a] < values[low]) low = a;
        if (values[a] >= values[high]) high = a;
    }
    int middle = 3 - low - high;
    if (values[middle] < LINE * values[high])
        return (sherd_face){SHERD_FACE_LINE, column(vectors, high), 2.0 * volume / (PI * r), 0.0};
    if (values[low] < NOTHING * values[high]) {
        double area = volume / (2.0 * r);
        return (sherd_face){SHERD_FACE_PLATE, column(vectors, low), area, area};
    }
    sherd_vec3 out = vec3_scale(-scale, s.vector);
    double area = vec3_length(out);
    if (area < SMALLEST * section) return (sherd_face){.shape = SHERD_FACE_NONE};
    return (sherd_face){SHERD_FACE_PLATE, vec3_scale(1.0 / area, out), area, 0.0};
}

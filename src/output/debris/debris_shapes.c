#include "output/debris/debris_shapes.h"

#include "base/assertion.h"
#include "base/random.h"
#include "math/vec3.h"

static const uint64_t SEED = 0x637275; // "cru"
enum { CANDIDATES = 6 };
// Splinters with few corners: their edges are sharp all along.
static const int LEAST[DEBRIS_FORM_COUNT] = {8, 6}, MOST[DEBRIS_FORM_COUNT] = {12, 8};
enum { DIRECTION = 0, HEIGHT = 16, AXIS = 32, VERTICES, TILT, STREAMS = 64 };
static const double AXES[DEBRIS_FORM_COUNT][3] = {{1.3, 1.0, 0.75}, {4.0, 1.0, 0.8}};
static const double AXIS_RANGE = 0.3;            // relative difference of the largest and smallest
static const double CAP = 0.55, CAP_RANGE = 0.3; // height of the face towards +z over the half axis
static const double CAP_TILT = 0.02; // its points are a little off a plane: hulls need that
static const double FLAT = 0.9;      // cosine between +z and the normal of its triangles
static const double PI = 3.14159265358979323846;

static double draw(int shape, int stream, int index)
{
    return sherd_random_uniform(SEED, (uint64_t)(shape * STREAMS + stream), (uint64_t)index);
}

static sherd_vec3 direction(int shape, int vertex, int candidate)
{
    int index = vertex * CANDIDATES + candidate;
    double z = 2.0 * draw(shape, HEIGHT, index) - 1.0, a = 2.0 * PI * draw(shape, DIRECTION, index);
    double away = sqrt(1.0 - z * z);
    return vec3(away * cos(a), away * sin(a), z);
}

// Of a few random directions the one farthest from those before: without slivers.
static sherd_vec3 far_direction(int shape, int vertex, const sherd_vec3 *before)
{
    sherd_vec3 best = direction(shape, vertex, 0);
    double largest = -1.0;
    for (int c = 0; c < CANDIDATES; ++c) {
        sherd_vec3 u = direction(shape, vertex, c);
        double nearest = 2.0;
        for (int k = 0; k < vertex; ++k)
            nearest = fmin(nearest, vec3_distance(u, before[k]));
        if (nearest <= largest) continue;
        largest = nearest;
        best = u;
    }
    return best;
}

static bool all_below(const debris_shape *s, int i, sherd_vec3 normal)
{
    for (int k = 0; k < s->vertex_count; ++k)
        if (vec3_dot(normal, vec3_sub(s->vertex[k], s->vertex[i])) > 1e-9) return false;
    return true;
}

// Three points are a face if all others are on one side. No four points lie in a plane.
static void find_faces(debris_shape *s)
{
    for (int i = 0; i < s->vertex_count; ++i)
        for (int j = i + 1; j < s->vertex_count; ++j)
            for (int k = i + 1; k < s->vertex_count; ++k) {
                if (k == j) continue;
                sherd_vec3 n = vec3_cross(vec3_sub(s->vertex[j], s->vertex[i]),
                                          vec3_sub(s->vertex[k], s->vertex[i]));
                if (!all_below(s, i, vec3_normalize(n))) continue;
                SHERD_ASSERT(s->triangle_count < DEBRIS_SHAPE_TRIANGLES, "a hull is a sphere");
                int8_t *t = s->triangle[s->triangle_count];
                t[0] = (int8_t)i, t[1] = (int8_t)j, t[2] = (int8_t)k;
                s->outer[s->triangle_count++] = vec3_normalize(n).z > FLAT;
            }
}

// Leaves out points inside the hull.
static void drop_unused(debris_shape *s)
{
    int now[DEBRIS_SHAPE_VERTICES], count = 0;
    for (int v = 0; v < s->vertex_count; ++v) {
        bool used = false;
        for (int t = 0; t < s->triangle_count; ++t)
            used =
                used || s->triangle[t][0] == v || s->triangle[t][1] == v || s->triangle[t][2] == v;
        now[v] = count;
        if (used) s->vertex[count++] = s->vertex[v];
    }
    s->vertex_count = count;
    for (int t = 0; t < s->triangle_count; ++t)
        for (int c = 0; c < 3; ++c)
            s->triangle[t][c] = (int8_t)now[s->triangle[t][c]];
}

// Moves the centre of mass to the origin and scales the volume, by tetrahedra with the origin.
static void normalise(debris_shape *s)
{
    double volume = 0.0;
    sherd_vec3 moment = vec3(0.0, 0.0, 0.0);
    for (int t = 0; t < s->triangle_count; ++t) {
        sherd_vec3 a = s->vertex[s->triangle[t][0]], b = s->vertex[s->triangle[t][1]],
                   c = s->vertex[s->triangle[t][2]];
        double v = vec3_dot(a, vec3_cross(b, c)) / 6.0;
        volume += v;
        moment = vec3_add_scaled(moment, 0.25 * v, vec3_add(a, vec3_add(b, c)));
    }
    double scale = cbrt(4.0 / 3.0 * PI / volume);
    for (int v = 0; v < s->vertex_count; ++v)
        s->vertex[v] = vec3_scale(scale, vec3_add_scaled(s->vertex[v], -1.0 / volume, moment));
}

void sherd_debris_shape_make(debris_form form, int number, debris_shape *shape)
{
    int id = (int)form * DEBRIS_SHAPES + number;
    double axis[3];
    for (int c = 0; c < 3; ++c)
        axis[c] = AXES[form][c] * (1.0 + AXIS_RANGE * (draw(id, AXIS, c) - 0.5));
    *shape = (debris_shape){0};
    shape->vertex_count =
        LEAST[form] + (int)(draw(id, VERTICES, 0) * (MOST[form] - LEAST[form] + 1));
    sherd_vec3 unit[DEBRIS_SHAPE_VERTICES];
    double cap = CAP + CAP_RANGE * (draw(id, AXIS, 3) - 0.5);
    for (int v = 0; v < shape->vertex_count; ++v) {
        unit[v] = far_direction(id, v, unit);
        double z = fmin(unit[v].z, cap + CAP_TILT * (draw(id, TILT, v) - 0.5));
        shape->vertex[v] = vec3(axis[0] * unit[v].x, axis[1] * unit[v].y, axis[2] * z);
    }
    find_faces(shape);
    drop_unused(shape);
    normalise(shape);
}

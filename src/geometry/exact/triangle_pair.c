#include "geometry/exact/triangle_pair.h"

#include <math.h>

static int edge_orientation(const triangle_pair *p, int i, int j)
{
    return sherd_exact_side(p->at[0][i], p->at[0][(i + 1) % 3], p->at[1][j], p->at[1][(j + 1) % 3]);
}

// Returns false if one triangle lies on one side of the other. Sets `flat` if a point lies in a
// plane.
static bool find_sides(triangle_pair *p, bool *flat)
{
    for (int s = 0; s < 2; ++s) {
        const exact_point *const *plane = p->at[1 - s];
        for (int k = 0; k < 3; ++k) {
            p->side[s][k] = sherd_exact_side(plane[0], plane[1], plane[2], p->at[s][k]);
            *flat |= p->side[s][k] == 0;
        }
        if (p->side[s][0] == p->side[s][1] && p->side[s][1] == p->side[s][2]) return false;
    }
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            p->orientation[i][j] = edge_orientation(p, i, j);
            *flat |= p->orientation[i][j] == 0;
        }
    return true;
}

// Computes the point where edge `side` of triangle `s` passes through the other, from the lower
// vertex so that all triangles around the edge compute the same.
static pair_end make_end(const triangle_pair *p, int s, int side)
{
    int a = side, b = (side + 1) % 3;
    if (p->corner[s][a] > p->corner[s][b]) {
        a = b;
        b = side;
    }
    const exact_point *from = p->at[s][a], *to = p->at[s][b], *const *t = p->at[1 - s];
    double start = fabs((double)sherd_exact_volume(t[0], t[1], t[2], from));
    double end = fabs((double)sherd_exact_volume(t[0], t[1], t[2], to));
    pair_end e = {.of = (uint8_t)s, .side = (uint8_t)side, .along = start / (start + end)};
    double sum = 0.0;
    for (int k = 0; k < 3; ++k) {
        e.weight[k] = fabs((double)sherd_exact_volume(from, to, t[(k + 1) % 3], t[(k + 2) % 3]));
        sum += e.weight[k];
    }
    for (int k = 0; k < 3; ++k)
        e.weight[k] /= sum;
    return e;
}

// Returns whether edge k of triangle s passes through the interior of the other.
static bool passes_through(const triangle_pair *p, int s, int k)
{
    if (p->side[s][k] == p->side[s][(k + 1) % 3]) return false;
    int first = s == 0 ? p->orientation[k][0] : p->orientation[0][k];
    int second = s == 0 ? p->orientation[k][1] : p->orientation[1][k];
    int third = s == 0 ? p->orientation[k][2] : p->orientation[2][k];
    return first == second && second == third;
}

pair_result sherd_triangle_pair_cross(triangle_pair *p, pair_end end[2])
{
    bool flat = false;
    if (!find_sides(p, &flat) && !flat) return PAIR_APART;
    if (flat) return PAIR_DEGENERATE;
    int count = 0;
    for (int t = 0; t < 2; ++t)
        for (int k = 0; k < 3; ++k) {
            if (!passes_through(p, t, k)) continue;
            if (count < 2) end[count] = make_end(p, t, k);
            ++count;
        }
    if (count == 0) return PAIR_APART;
    return count == 2 ? PAIR_CROSSES : PAIR_DEGENERATE;
}

// Behind on the first triangle's edge, if the end lies on one; else in front if the second's edge
// comes from below, as a triangle lies to the left of its own edges.
bool sherd_triangle_pair_front_is_left(const triangle_pair *p, const pair_end *first)
{
    return first->of == 1 ? p->side[1][first->side] < 0 : p->side[0][first->side] > 0;
}

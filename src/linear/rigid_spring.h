// Springs between rigid bodies: symmetric 6 x 6 matrices, packed as 21 numbers by rows, that resist the
// difference of two rigid motions, both taken at one point o:
//   motion at o: x = (t, theta),   at o + r: t + theta x r
// The stiffness of an edge between two nodes is such a spring. Those within a rigid cluster vanish,
// and those between two clusters, taken at one point, add up.
#pragma once

#include "math/vec3.h"

enum { SHERD_SPRING_NUMBERS = 21 };

static inline int sherd_spring_entry(int row, int column)
{
    return row * (row + 1) / 2 + column; // column <= row
}

// Adds a spring at offset r from o that resists displacement only; k: xx yy zz xy xz yz.
static inline void sherd_spring_add_point(double s[SHERD_SPRING_NUMBERS], sherd_vec3 arm,
                                          const double k[6])
{
    const sherd_vec3 columns[3] = {vec3(k[0], k[3], k[4]), vec3(k[3], k[1], k[5]),
                                   vec3(k[4], k[5], k[2])};
    double rotation[3][3]; // [r]x K
    for (int b = 0; b < 3; ++b) {
        sherd_vec3 m = vec3_cross(arm, columns[b]);
        rotation[0][b] = m.x, rotation[1][b] = m.y, rotation[2][b] = m.z;
        const double column[3] = {columns[b].x, columns[b].y, columns[b].z};
        for (int a = b; a < 3; ++a)
            s[sherd_spring_entry(a, b)] += column[a];
    }
    for (int a = 0; a < 3; ++a) {
        sherd_vec3 m = vec3_cross(arm, vec3(rotation[a][0], rotation[a][1], rotation[a][2]));
        const double both[3] = {m.x, m.y, m.z};
        for (int b = 0; b < 3; ++b) {
            s[sherd_spring_entry(3 + a, b)] += rotation[a][b];
            if (b <= a) s[sherd_spring_entry(3 + a, 3 + b)] += both[b];
        }
    }
}

// Adds the spring `from`, given at o + r, to `to`, given at o: the motion there is t + theta x r.
static inline void sherd_spring_add_shifted(double to[SHERD_SPRING_NUMBERS],
                                            const double from[SHERD_SPRING_NUMBERS], sherd_vec3 r)
{
    double lower[6] = {from[0], from[2], from[5], from[1], from[3], from[4]};
    double rotation[3][3]; // the block theta t of `from`, then of the shifted spring
    for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b)
            rotation[a][b] = from[sherd_spring_entry(3 + a, b)];
    for (int a = 0; a < 3; ++a) {
        sherd_vec3 m = vec3_cross(r, vec3(rotation[a][0], rotation[a][1], rotation[a][2]));
        const double both[3] = {m.x, m.y, m.z};
        for (int b = 0; b < 3; ++b) {
            to[sherd_spring_entry(3 + a, b)] += rotation[a][b];
            // [r]x S_t_theta + S_theta_t [r]x': row a of the second is r x (row a of S_theta_t)
            if (b < a) to[sherd_spring_entry(3 + a, 3 + b)] += both[b];
            if (b > a) to[sherd_spring_entry(3 + b, 3 + a)] += both[b];
            if (b == a) to[sherd_spring_entry(3 + a, 3 + a)] += 2.0 * both[a];
            if (b <= a)
                to[sherd_spring_entry(3 + a, 3 + b)] += from[sherd_spring_entry(3 + a, 3 + b)];
        }
    }
    sherd_spring_add_point(to, r, lower);
}

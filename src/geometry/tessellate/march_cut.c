#include "geometry/tessellate/march_cut.h"

sherd_march_cut sherd_march_tetrahedron(const int corner[4], unsigned inside, bool even)
{
    int in[4], out[4], n_in = 0, n_out = 0;
    bool odd_order = false; // parity of the order (corners inside, corners outside)
    for (int k = 0; k < 4; ++k) {
        if (inside >> k & 1) {
            odd_order ^= n_out & 1;
            in[n_in++] = corner[k];
        } else {
            out[n_out++] = corner[k];
        }
    }
    sherd_march_cut cut = {.flip = even == odd_order};
    if (n_in == 0 || n_out == 0) return cut;
    cut.count = n_in == 2 ? 4 : 3;
    for (int k = 0; k < cut.count; ++k) {
        // Around the quadrilateral of two and two: 00, 01, 11, 10.
        cut.edge[k][0] = in[n_in == 1 ? 0 : n_in == 3 ? k : k / 2];
        cut.edge[k][1] = out[n_in == 1 ? k : n_in == 3 ? 0 : (k == 1 || k == 2)];
    }
    return cut;
}

void sherd_growth_march(sherd_mesh_growth *growth, const sherd_march_cut *cut,
                        const int32_t vertex[4])
{
    for (int k = 2; k < cut->count; ++k)
        sherd_growth_triangle(growth, vertex[0], vertex[cut->flip ? k : k - 1],
                              vertex[cut->flip ? k - 1 : k], NULL);
}

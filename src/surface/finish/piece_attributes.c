#include "surface/finish/piece_attributes.h"

#include "base/memory.h"
#include "geometry/mesh/mesh_access.h"

// Returns the axis of the largest component. Rounding may differ between the two sides of a crack,
// so components that are nearly equal count as equal and the later axis wins on both sides.
static int projection_axis(sherd_vec3 n)
{
    const double margin = 1.0 - 1e-9;
    double x = fabs(n.x), y = fabs(n.y), z = fabs(n.z);
    if (z >= margin * x && z >= margin * y) return 2;
    return y >= margin * x ? 1 : 0;
}

// The projections along x and y show z upwards.
static void project(sherd_vec3 p, int axis, double unit, float uv[2])
{
    double u = axis == 0 ? p.y : p.x, v = axis == 2 ? p.y : p.z;
    uv[0] = (float)(u / unit);
    uv[1] = (float)(v / unit);
}

bool sherd_texture_piece(sherd_mesh *mesh, const texture_scale *scale)
{
    size_t m = (size_t)mesh->triangle_count;
    bool has_outer = mesh->uv != NULL;
    if (!has_outer) mesh->uv = sherd_alloc(6 * m, sizeof *mesh->uv);
    if (mesh->uv == NULL) return false;
    for (int32_t t = 0; t < mesh->triangle_count; ++t) {
        float *uv = mesh->uv + 6 * (size_t)t;
        if (has_outer && mesh->face_kind[t] == SHERD_FACE_OUTER) {
            for (int k = 0; k < 6 && !scale->outer_is_file; ++k)
                uv[k] = (float)((double)uv[k] / scale->unit);
            continue;
        }
        int axis = projection_axis(mesh_area_vector(mesh, t));
        for (int k = 0; k < 3; ++k)
            project(mesh_corner(mesh, t, k), axis, scale->unit, uv + 2 * k);
    }
    return true;
}

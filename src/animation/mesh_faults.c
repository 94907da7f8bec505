#include "animation/mesh_faults.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

static bool exists(int index, int count)
{
    return index >= 0 && index < count;
}

static const char *fault_of_materials(const sherd_material_mesh *m, int material_count)
{
    if (!exists(m->outer_material, material_count) || !exists(m->inner_material, material_count))
        return "its material does not exist";
    for (int32_t g = 0; g < m->group_count; ++g)
        if (!exists(m->group_materials[g], material_count))
            return "a group's material does not exist";
    for (int32_t t = 0; m->group != NULL && t < m->triangle_count; ++t)
        if (m->group[t] < -1 || m->group[t] >= m->group_count)
            return "a triangle is in a group that does not exist";
    return NULL;
}

const char *sherd_mesh_fault(const sherd_material_mesh *m, int material_count)
{
    if (m->vertex_count < 0 || m->triangle_count < 0) return "counts must be >= 0";
    const char *fault = fault_of_materials(m, material_count);
    if (fault != NULL) return fault;
    for (size_t k = 0; k < 3 * (size_t)m->triangle_count; ++k)
        if (!exists(m->triangles[k], m->vertex_count))
            return "a triangle has a corner that does not exist";
    for (size_t k = 0; k < 3 * (size_t)m->vertex_count; ++k)
        if (!isfinite(m->vertices[k])) return "a vertex is not a number";
    return NULL;
}

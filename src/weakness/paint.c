// Painted meshes: the colour of the nearest point of the surface.
#include "base/error.h"
#include "base/memory.h"
#include "geometry/mesh/mesh_access.h"
#include "geometry/mesh/mesh_tree.h"
#include "weakness/pattern.h"

typedef struct paint_pattern {
    sherd_weakness base;
    sherd_mesh_tree tree;
    double (*value)[3]; // painted, by triangle and corner
    double depth, falloff;
} paint_pattern;

static double painted(const float *rgb, sherd_paint_channel channel, bool invert)
{
    double value = channel == SHERD_PAINT_MEAN
                       ? ((double)rgb[0] + (double)rgb[1] + (double)rgb[2]) / 3.0
                       : (double)rgb[channel - SHERD_PAINT_RED];
    return invert ? 1.0 - value : value;
}

static sherd_status check_colors(const sherd_mesh *mesh, sherd_error *error)
{
    const char *hint = "PLY properties red, green and blue, or three numbers 0..1 behind each "
                       "vertex of an OBJ file";
    if (mesh->color == NULL)
        return sherd_fail(error, SHERD_ERROR_INPUT, "mesh", hint, "has no vertex colours");
    for (size_t k = 0; k < 3 * (size_t)mesh->vertex_count; ++k)
        if (!(mesh->color[k] >= 0.0F && mesh->color[k] <= 1.0F))
            return sherd_fail(error, SHERD_ERROR_INPUT, "mesh", hint,
                              "vertex %zu has a colour of %g, must be 0 to 1", k / 3,
                              (double)mesh->color[k]);
    if (mesh->triangle_count == 0)
        return sherd_fail(error, SHERD_ERROR_INPUT, "mesh", "export faces, not points",
                          "has no triangles");
    return SHERD_OK;
}

static sherd_status paint_init(sherd_weakness *base, const sherd_weakness_def *def,
                               sherd_error *error)
{
    sherd_status status = sherd_mesh_check_arrays(def->mesh, "mesh", error);
    if (status == SHERD_OK) status = check_colors(def->mesh, error);
    if (status != SHERD_OK) return status;
    paint_pattern *p = (paint_pattern *)base;
    const sherd_mesh *mesh = def->mesh;
    p->depth = def->depth;
    p->falloff = def->falloff;
    p->value = sherd_alloc((size_t)mesh->triangle_count, sizeof *p->value);
    if (p->value == NULL || !sherd_mesh_tree_init(&p->tree, mesh))
        return sherd_fail_memory(error, "a painted mesh");
    for (size_t c = 0; c < 3 * (size_t)mesh->triangle_count; ++c)
        p->value[c / 3][c % 3] =
            painted(mesh->color + 3 * (size_t)mesh->triangles[c], def->channel, def->invert);
    return SHERD_OK;
}

static double paint_amount(const sherd_weakness *base, sherd_vec3 i, sherd_vec3 j)
{
    const paint_pattern *p = (const paint_pattern *)base;
    sherd_nearest_point at = sherd_mesh_tree_nearest(&p->tree, vec3_scale(0.5, vec3_add(i, j)));
    double fade = sherd_pattern_fade(sqrt(at.squared) - p->depth, p->falloff);
    const double *value = p->value[at.triangle];
    return fade * ((1.0 - at.v - at.w) * value[0] + at.v * value[1] + at.w * value[2]);
}

static void paint_release(sherd_weakness *base)
{
    paint_pattern *p = (paint_pattern *)base;
    sherd_mesh_tree_release(&p->tree);
    sherd_free(p->value);
}

const sherd_pattern_kind sherd_pattern_paint = {.size = sizeof(paint_pattern),
                                                .init = paint_init,
                                                .amount = paint_amount,
                                                .release = paint_release};

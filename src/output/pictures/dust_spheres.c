#include "output/pictures/dust_spheres.h"

#include "base/error.h"
#include "base/memory.h"
#include "output/pictures/appearance.h"

sherd_status sherd_dust_spheres_make(sherd_dust_spheres *spheres, const sherd_scene *scene,
                                     const sherd_dust *dust, double time, sherd_error *error)
{
    *spheres = (sherd_dust_spheres){0};
    sherd_status status = sherd_dust_at(dust, time, &spheres->view, error);
    const sherd_dust_view *v = &spheres->view;
    if (status != SHERD_OK || v->count == 0) return status;
    if (v->count > INT32_MAX)
        return sherd_fail(error, SHERD_ERROR_UNSUPPORTED, "output.dust.amount", "less dust",
                          "%lld grains do not fit a picture", (long long)v->count);
    spheres->colors = sherd_alloc(3 * (size_t)v->count, sizeof *spheres->colors);
    if (spheres->colors == NULL) return sherd_fail_memory(error, "dust");
    for (int64_t k = 0; k < v->count; ++k) {
        int body = v->body[k];
        sherd_color outer = sherd_appearance_color(scene->bodies[body].color);
        sherd_color c = sherd_appearance_broken(scene, body, outer);
        float *to = spheres->colors + 3 * k;
        to[0] = c.r, to[1] = c.g, to[2] = c.b;
    }
    spheres->batch = (sherd_render_spheres){.name = "dust",
                                            .count = (int32_t)v->count,
                                            .x = v->x,
                                            .y = v->y,
                                            .z = v->z,
                                            .radius = v->radius,
                                            .colors = spheres->colors,
                                            .material = sherd_render_material_default()};
    spheres->batch.material.outer_coat = 0.0;
    return SHERD_OK;
}

void sherd_dust_spheres_free(sherd_dust_spheres *spheres)
{
    sherd_dust_view_free(&spheres->view);
    sherd_free(spheres->colors);
    *spheres = (sherd_dust_spheres){0};
}

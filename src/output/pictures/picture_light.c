#include "output/pictures/picture_light.h"

#include "output/pictures/appearance.h"

sherd_status sherd_picture_environment(const sherd_scene_sky *sky, sherd_environment **out,
                                       sherd_error *error)
{
    *out = NULL;
    if (sky->kind == SHERD_SCENE_SKY_IMAGE) {
        *out = sherd_environment_read(sky->image, sky->rotation, sky->brightness, error);
    } else if (sky->kind == SHERD_SCENE_SKY_CLEAR) {
        sherd_sky_def def = sherd_sky_def_default();
        def.sun_azimuth = sky->sun_azimuth;
        def.sun_elevation = sky->sun_elevation;
        def.sun_diameter = sky->sun_size;
        def.haze = sky->haze;
        def.brightness = sky->brightness;
        *out = sherd_environment_sky(&def, error);
    } else {
        return SHERD_OK;
    }
    return *out != NULL ? SHERD_OK : error->status;
}

static sherd_color bright(sherd_vec3 srgb, double brightness)
{
    sherd_color c = sherd_appearance_color(srgb);
    float b = (float)brightness;
    return (sherd_color){b * c.r, b * c.g, b * c.b};
}

void sherd_picture_light(const sherd_scene_render *render,
                         sherd_render_lamp lamps[SHERD_RENDER_MOST_LAMPS], sherd_render_scene *out)
{
    const sherd_color dark = {0.0f, 0.0f, 0.0f};
    for (int k = 0; k < render->lamp_count; ++k) {
        const sherd_scene_lamp *from = &render->lamps[k];
        lamps[k] = (sherd_render_lamp){from->position, from->target, from->width, from->height,
                                       bright(from->color, from->brightness)};
    }
    out->lamps = lamps;
    out->lamp_count = render->lamp_count;
    if (render->sky.kind == SHERD_SCENE_SKY_DARK)
        out->light.key_irradiance = out->light.sky_zenith = out->light.sky_horizon = dark;
}

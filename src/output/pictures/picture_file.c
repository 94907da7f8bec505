#include "output/pictures/picture_file.h"

#include "output/files/output_names.h"

#include <stdio.h>

static sherd_status write_layers(const sherd_picture_maker *maker, const sherd_layers *layers,
                                 const char *path, sherd_output_list *own, sherd_error *error)
{
    sherd_status status = sherd_output_list_begin(own, path, error);
    if (status == SHERD_OK)
        status = sherd_layers_write_exr(layers, sherd_picture_maker_exr(maker), path, error);
    return status == SHERD_OK ? sherd_output_list_end(own, path, error) : status;
}

sherd_status sherd_picture_file_write(sherd_picture_maker *maker, const char *folder, int64_t frame,
                                      sherd_output_list *own, sherd_error *error)
{
    char path[OUTPUT_PATH];
    sherd_layers *layers = NULL;
    bool layered = sherd_picture_maker_exr(maker) != SHERD_EXR_NONE;
    snprintf(path, sizeof path, "%s/frame_%06lld.png", folder, (long long)frame);
    sherd_status status = sherd_output_list_begin(own, path, error);
    if (status == SHERD_OK)
        status = sherd_picture_maker_render(maker, path, layered ? &layers : NULL, error);
    if (status == SHERD_OK) status = sherd_output_list_end(own, path, error);
    if (status == SHERD_OK && layered) {
        snprintf(path, sizeof path, "%s/frame_%06lld.exr", folder, (long long)frame);
        status = write_layers(maker, layers, path, own, error);
    }
    sherd_layers_destroy(layers);
    return status;
}

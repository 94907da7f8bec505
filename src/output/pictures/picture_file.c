#include "output/pictures/picture_file.h"

#include "output/files/output_names.h"

#include <stdio.h>

sherd_status sherd_picture_file_write(sherd_picture_maker *maker, const char *folder, int64_t frame,
                                      sherd_own_files *own, sherd_error *error)
{
    char path[OUTPUT_PATH];
    snprintf(path, sizeof path, "%s/frame_%06lld.png", folder, (long long)frame);
    sherd_status status = sherd_own_files_begin(own, path, error);
    if (status == SHERD_OK) status = sherd_picture_maker_render(maker, path, error);
    return status == SHERD_OK ? sherd_own_files_end(own, path, error) : status;
}

// The picture of one frame as FOLDER/frame_000012.png.
#pragma once

#include "output/files/output_list.h"
#include "output/pictures/picture.h"

sherd_status sherd_picture_file_write(sherd_picture_maker *maker, const char *folder, int64_t frame,
                                      sherd_output_list *own, sherd_error *error);

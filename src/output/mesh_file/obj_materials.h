// Material libraries (.mtl) of Wavefront OBJ.
#pragma once

#include "output/mesh_file/mesh_formats.h"
#include "output/mesh_file/text_scanner.h"

// A line "mtllib names" of an OBJ file.
typedef struct sherd_obj_library {
    sherd_text_word names;
    long line;
} sherd_obj_library;

// Libraries of one OBJ file that were read; the number is limited.
enum { SHERD_OBJ_MAX_LIBRARIES = 256 };
typedef struct sherd_obj_libraries_read {
    int count;
    uint64_t device[SHERD_OBJ_MAX_LIBRARIES], number[SHERD_OBJ_MAX_LIBRARIES];
} sherd_obj_libraries_read;

// Sets the looks of the builder's groups from the library, which is in the OBJ's folder, by
// material name. Missing files and invalid values are noted.
void sherd_obj_read_library(const sherd_mesh_source *source, const sherd_obj_library *library,
                            sherd_obj_libraries_read *read, sherd_mesh_builder *builder);

// Parsers of mesh formats: they read a file in memory and add vertices and polygons to a builder.
#pragma once

#include "output/mesh_file/mesh_builder.h"

typedef struct sherd_mesh_source {
    const char *path; // named in errors
    const unsigned char *bytes;
    size_t size;
    double scale; // metres per unit of the file
} sherd_mesh_source;

// Each fails with `where` = path:line or "path: byte N".
sherd_status sherd_mesh_parse_stl_text(const sherd_mesh_source *source, sherd_mesh_builder *builder,
                                       sherd_error *error);
sherd_status sherd_mesh_parse_stl_binary(const sherd_mesh_source *source,
                                         sherd_mesh_builder *builder, sherd_error *error);
sherd_status sherd_mesh_parse_obj(const sherd_mesh_source *source, sherd_mesh_builder *builder,
                                  sherd_error *error);
// Both .glb and .gltf.
sherd_status sherd_mesh_parse_gltf(const sherd_mesh_source *source, sherd_mesh_builder *builder,
                                   sherd_error *error);
sherd_status sherd_mesh_parse_ply(const sherd_mesh_source *source, sherd_mesh_builder *builder,
                                  sherd_error *error);

// An error located at "path: byte N".
sherd_status sherd_mesh_fail_at_byte(const sherd_mesh_source *source, size_t byte,
                                     sherd_error *error, const char *hint, const char *what_format,
                                     ...) SHERD_PRINTF(5, 6);
// Errors of a builder that is full, and of a polygon that it rejects.
sherd_status sherd_mesh_fail_too_large(const sherd_mesh_source *source, sherd_error *error);
sherd_status sherd_mesh_fail_polygon(const sherd_mesh_source *source,
                                     const sherd_mesh_builder *builder, sherd_error *error);

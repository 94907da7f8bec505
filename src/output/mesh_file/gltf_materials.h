// Materials of glTF 2.0, as groups of a mesh.                             glTF 2.0, section 3.9
#pragma once

#include "output/mesh_file/gltf_reader.h"

enum { SHERD_GLTF_NAME = 256 };

// Name of a material's group: the material's name, with its index if it has none or the same name
// occurred before. "": no such material.
void sherd_gltf_group_name(const gltf_document *document, int64_t material,
                           char name[SHERD_GLTF_NAME]);

// Linear factor of the base colour; white if there is no such material.
void sherd_gltf_base_color(const gltf_document *document, int64_t material, double color[3]);

// Sets the looks of the builder's groups from the document's materials. Unavailable pictures are
// noted.
void sherd_gltf_read_materials(const gltf_document *document, sherd_mesh_builder *builder);

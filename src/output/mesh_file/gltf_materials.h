// Materials of glTF 2.0, as groups of a mesh.                             glTF 2.0, section 3.9
#pragma once

#include "output/mesh_file/gltf_reader.h"

enum { SHERD_GLTF_NAME = 256 };

// What the group of a material is called: as the material, with its number where it has no name, or that of one
// before. "": there is no such material.
void sherd_gltf_group_name(const gltf_document *document, int64_t material,
                           char name[SHERD_GLTF_NAME]);

// Linear factor of the base colour; white where there is no such material.
void sherd_gltf_base_color(const gltf_document *document, int64_t material, double color[3]);

// Gives the builder's groups what the document's materials say. Pictures that can't be had are noted.
void sherd_gltf_read_materials(const gltf_document *document, sherd_mesh_builder *builder);

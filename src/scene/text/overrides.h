// Changing a tree before it is read: variants of the file and --set path=value.
#pragma once

#include "scene/read/reader.h"

// Removes `variants:` from the tree, stores the names in the scene and applies the selected one,
// then the options' overrides. Paths are dotted; list items are addressed by `name` or by index
// from 0.
void sherd_overrides_apply(sherd_scene_reader *reader, sherd_node *root,
                           const sherd_scene_options *options, const char *file_name);

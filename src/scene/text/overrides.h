// Changing a tree before it is read: variants of the file and --set path=value.
#pragma once

#include "scene/read/reader.h"

// Takes `variants:` out of the tree, notes the names in the scene and applies the chosen one, then
// the options' overrides. Paths are dotted; list items go by their `name` or position from 0.
void sherd_overrides_apply(sherd_scene_reader *reader, sherd_node *root,
                           const sherd_scene_options *options, const char *file_name);

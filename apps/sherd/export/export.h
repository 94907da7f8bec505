// What the commands export and run share in telling about exports.
#pragma once

#include "export/animation.h"

extern const char EXPORT_HELP[];

// "out/run.glb: 167 moving pieces, 12 MB"
void export_say_animation(const animation_summary *summary, const char *path);

// What pictures need of a surface in addition: deviations from the request, for messages, and another
// number of threads.
#pragma once

#include <sherd/surface.h>

// How many bodies could not be cut at the last update and were marched instead.
int sherd_surface_fallbacks(const sherd_surface *surface);

// What is not as sharp about a body's outer surface as its shape, for the user (sherd_shape_display_mesh); NULL: nothing. The
// surface's.
const char *sherd_surface_note(const sherd_surface *surface, int body);

// For later updates; 0: all processors.
void sherd_surface_set_threads(sherd_surface *surface, int threads);

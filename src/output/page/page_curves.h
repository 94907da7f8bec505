// What the page draws over time: energies of frames, and what probes read.
#pragma once

#include "output/page/page_run.h"

// "energy":{...},"probes":[...] into a JSON object. Curves of many points are thinned.
sherd_status sherd_page_curves(const sherd_page_run *page, sherd_byte_buffer *json,
                               sherd_error *error);

// Curves over time on the page: energies of frames, and readings of probes.
#pragma once

#include "output/page/page_run.h"

// Writes "energy":{...},"probes":[...] to a JSON object. Long curves are decimated.
sherd_status sherd_page_curves(const sherd_page_run *page, sherd_byte_buffer *json,
                               sherd_error *error);

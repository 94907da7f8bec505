// One page that plays a run in a browser.
#pragma once

#include "output/formats/format_job.h"

enum { SHERD_PAGE_MOST_MEGABYTES = 60 }; // unless another size is asked for

// Writes the job's place. SHERD_ERROR_UNSUPPORTED where the page can't be made small enough.
sherd_status sherd_page_write(sherd_format_job *job, sherd_error *error);

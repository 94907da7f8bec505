// A web page that plays a run in a browser.
#pragma once

#include "output/formats/format_job.h"

enum { SHERD_PAGE_MAX_MEGABYTES = 60 }; // default limit

// Writes the job's file. SHERD_ERROR_UNSUPPORTED if the page cannot be made small enough.
sherd_status sherd_page_write(sherd_format_job *job, sherd_error *error);

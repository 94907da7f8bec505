// Adds findings to a diagnosis.
#pragma once

#include <sherd/diagnosis.h>

// Adds a finding. Long texts are truncated; findings beyond the capacity are dropped.
void sherd_finding_add(sherd_diagnosis *d, sherd_report_level level, const char *format, ...)
    SHERD_PRINTF(3, 4);

// Name of the body that an element belongs to; "" if none.
const char *sherd_finding_body(const sherd_run_model *model, sherd_element_index element);

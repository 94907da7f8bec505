// For the parts of a diagnosis.
#pragma once

#include <sherd/diagnosis.h>

// Texts that are too long are cut, findings beyond the room for them left out.
void sherd_finding_add(sherd_diagnosis *d, sherd_report_level level, const char *format, ...)
    SHERD_PRINTF(3, 4);

// The body that an element belongs to; "" if none.
const char *sherd_finding_body(const sherd_run_model *model, sherd_element_index element);

#include "output/diagnosis/finding.h"

#include <stdarg.h>
#include <stdio.h>

void sherd_finding_add(sherd_diagnosis *d, sherd_report_level level, const char *format, ...)
{
    if (d->count == SHERD_DIAGNOSIS_FINDINGS) return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(d->findings[d->count].text, SHERD_FINDING_TEXT, format, arguments);
    va_end(arguments);
    d->findings[d->count++].level = level;
}

const char *sherd_finding_body(const sherd_run_model *model, sherd_element_index element)
{
    for (int b = 0; b < model->body_count; ++b)
        if (element >= model->bodies[b].first &&
            element - model->bodies[b].first < model->bodies[b].count)
            return model->bodies[b].name;
    return "";
}

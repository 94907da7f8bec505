// The charts of report.html, made from the tables of a run.
#pragma once

#include "base/byte_buffer.h"
#include "output/report/report.h"

// Each appends its figures, or nothing if there is nothing to show. If memory is short, the buffer
// is marked as failed.
void sherd_report_energy_charts(sherd_byte_buffer *html, const sherd_report *report);
void sherd_report_breakage_charts(sherd_byte_buffer *html, const sherd_report *report);
void sherd_report_probe_charts(sherd_byte_buffer *html, const sherd_report *report);
void sherd_report_mass_chart(sherd_byte_buffer *html, const sherd_report *report);

// Which of a course's keys are needed when it runs straight between them.
#pragma once

#include <stdbool.h>
#include <stddef.h>

// Positions (count x 3) at ascending times (count >= 1). Sets `kept` of the first, the last and as many between as leave
// all others within `tolerance` of the straight way from key to key; 0: all are kept. Returns how many.
size_t sherd_thin_keys(const float *times, const float *positions, size_t count, double tolerance,
                       bool *kept);

// What a run's file says about how the run went, in short sentences: why nothing broke, why energy rose, what
// flew away, what penetrates, what was never bonded, what limits the time step. Only what applies is told.
#pragma once

#include <sherd/report.h>
#include <sherd/scene.h>

enum { MOST_FINDINGS = 16, FINDING_TEXT = 320 };

typedef struct finding {
    sherd_report_level level;
    char text[FINDING_TEXT];
} finding;

typedef struct diagnosis {
    finding findings[MOST_FINDINGS];
    int count;
} diagnosis;

// Looks at every frame's figures, and at the elements of a few frames. Without the scene (NULL) obstacles and the
// time step are left out; so is what damaged frames or missing memory keep from being looked at.
void diagnosis_make(diagnosis *d, sherd_run *run, const sherd_scene *scene);

// One line each to standard output.
void diagnosis_say(const diagnosis *d);

// For the parts of a diagnosis. Texts that are too long are cut.
void diagnosis_add(diagnosis *d, sherd_report_level level, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// The body that an element belongs to; "" if none.
const char *diagnosis_body(const sherd_run_model *model, sherd_element_index element);

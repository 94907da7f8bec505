// Findings about a run from its file, in short sentences: why nothing broke, why energy rose, what
// flew away, what penetrates, what was never bonded, what limits the time step, in how many steps
// friction did not converge. Only findings that apply are listed.
#pragma once

#include <sherd/run_file.h>
#include <sherd/scene.h>

enum { SHERD_DIAGNOSIS_FINDINGS = 16, SHERD_FINDING_TEXT = 320 };

// Severity of a finding.
typedef enum sherd_report_level {
    // as it should be
    SHERD_REPORT_GOOD = 0,
    // worth knowing
    SHERD_REPORT_NOTE,
    // results may be wrong
    SHERD_REPORT_WARNING,
    // results are wrong
    SHERD_REPORT_BAD,
} sherd_report_level;

// One finding about a run.
typedef struct sherd_finding {
    // its severity
    sherd_report_level level;
    char text[SHERD_FINDING_TEXT]; // one sentence or two
} sherd_finding;

// All findings about a run.
typedef struct sherd_diagnosis {
    // number of findings
    int count;
    sherd_finding findings[SHERD_DIAGNOSIS_FINDINGS]; // (count)
} sherd_diagnosis;

// Examines every frame's figures, and the elements of a few frames. Without the scene (NULL)
// obstacles and the time step are left out; so is what damaged frames or lack of memory prevent.
SHERD_API void sherd_diagnosis_make(sherd_diagnosis *diagnosis, sherd_run *run,
                                    const sherd_scene *scene);

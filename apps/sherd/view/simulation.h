// The simulation that `sherd view` shows: a packed scene, simulated on request; an existing run; or
// a run that another process is writing.
#pragma once

#include "message.h"
#include "options.h"
#include "view/live.h"

typedef struct simulation {
    const command_options *options;
    live *live;
    sherd_scene *scene;
    char folder[MESSAGE_PATH]; // of the run
    char preview[64];          // temporary folder for pages; "": none
    bool has_run;              // the run in the folder is shown, not the preview
    pthread_t thread;
    bool started; // the thread was started
} simulation;

// Packs the scene or opens the run, and makes its page. Returns 0, or the exit status after
// printing an error. Close in any case.
int simulation_open(simulation *s, const command_options *options, live *l);
// Starts answering requests of the page. Returns 0 or the exit status.
int simulation_start(simulation *s);
// Stops a running simulation with a checkpoint.
void simulation_close(simulation *s);

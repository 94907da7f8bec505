// What `sherd view` has behind the page: a scene that is packed and, when asked, simulated; a run that is
// there; or one that another process is writing.
#pragma once

#include "message.h"
#include "options.h"
#include "view/live.h"

typedef struct simulation {
    const command_options *options;
    live *live;
    sherd_scene *scene;
    char folder[MESSAGE_PATH]; // of the run
    char preview[64];          // a folder of its own for pages; "": none
    bool has_run;              // the folder's run is shown, not the preview
    pthread_t thread;
    bool started; // the thread
} simulation;

// Packs the scene or opens the run, and makes its page. Returns 0, or the exit status after having said
// what is wrong. Close in any case.
int simulation_open(simulation *s, const command_options *options, live *l);
// From here on requests of the page are answered. 0, or the exit status.
int simulation_start(simulation *s);
// Stops what runs, with a checkpoint.
void simulation_close(simulation *s);

// State of a running simulation, shared by the simulating thread and the threads that serve the
// page.
#pragma once

#include <sherd/run.h>

#include <pthread.h>
#include <stddef.h>

typedef enum live_phase {
    LIVE_PREVIEW = 0, // packed, not simulated yet
    LIVE_RUNNING,
    LIVE_PAUSED,
    LIVE_STOPPED,  // on request; can be continued
    LIVE_FINISHED, // can be extended
    LIVE_FAILED,
    LIVE_ELSEWHERE, // another process simulates; its run file is followed
} live_phase;

typedef struct live {
    pthread_mutex_t mutex;
    pthread_cond_t changed; // signals a change of any member below
    // Requests of the page.
    bool pause_wanted;
    sherd_stop stop;
    bool begin_wanted;
    bool ending;   // the command ends
    double longer; // [s] extension of the simulated time
    double asked;  // last request for a state, by clock_seconds [s]; 0: never
    // Present state.
    live_phase phase;
    char message[1024]; // reason of failure
    int64_t version;    // incremented with every change
    int64_t page;       // incremented when `html` changes
    char *html;
    size_t html_size;
    // The last state of the elements.
    int64_t sequence;            // incremented with each state; 0: none yet
    double time, end, time_left; // [s]
    int64_t frame, frames, broken;
    int32_t fragment_count;
    sherd_element_index element_count;
    float *place;                // x, y, z, speed as columns       (4 x elements)
    sherd_fragment_id *fragment; //                                 (elements)
    float *radius;               //                                 (elements)
    int32_t *body;               //                                 (elements)
    int obstacle_count;
    sherd_pose *obstacles; //                                        (obstacle_count)
} live;

void live_begin(live *l);
void live_end(live *l); // after all other threads have stopped using it

void live_set_phase(live *l, live_phase phase, const char *message);
const char *live_phase_word(live_phase phase);

// Sets a new page and takes ownership of the text.
void live_set_page(live *l, char *html, size_t size);

// Copies the state of a world, or of a frame; for a new model also `radius` and `body`. Skips
// elements of a world unless a page asked recently or is about to show a pause.
void live_show_view(live *l, const sherd_run_view *view);
void live_show_frame(live *l, const sherd_run_model *model, const sherd_run_frame *frame,
                     int64_t frames, double end);

// True if the command ends; the phase.
bool live_is_ending(live *l);
live_phase live_get_phase(live *l);

// Waits while a pause is requested.
void live_wait_while_paused(live *l);

// Data for the page, to be freed; NULL if memory is short or there is no state yet. Numbers are
// little-endian:
// state_json: text. elements: radii (float), bodies (int32). places: time (double), count, 0
// (int32), x, y, z, speed (float), fragments (int32).
char *live_state_json(live *l, int64_t *version);
char *live_elements(live *l, size_t *size);
char *live_places(live *l, size_t *size);

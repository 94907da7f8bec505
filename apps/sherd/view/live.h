// What the page is told of a simulation while it runs, shared by the thread that simulates and those that
// serve the page.
#pragma once

#include <sherd/run.h>

#include <pthread.h>
#include <stddef.h>

typedef enum live_phase {
    LIVE_PREVIEW = 0, // packed, nothing is simulated yet
    LIVE_RUNNING,
    LIVE_PAUSED,
    LIVE_STOPPED,  // as asked; can go on
    LIVE_FINISHED, // can go on for longer
    LIVE_FAILED,
    LIVE_ELSEWHERE, // another process simulates; what it writes is followed
} live_phase;

typedef struct live {
    pthread_mutex_t mutex;
    pthread_cond_t changed; // anything below, or a request
    // What is asked for by the page.
    bool pause_wanted;
    sherd_stop stop;
    bool begin_wanted;
    bool ending;   // the command ends
    double longer; // [s] to simulate beyond the end
    double asked;  // when a page last asked for a state, by clock_seconds [s]; 0: never
    // What is there.
    live_phase phase;
    char message[1024]; // why it failed
    int64_t version;    // goes up whenever something here changes
    int64_t page;       // goes up whenever `html` does
    char *html;
    size_t html_size;
    // The last state of the elements.
    int64_t sequence;            // goes up with each; 0: none yet
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
void live_end(live *l); // no thread may use it any more

void live_set_phase(live *l, live_phase phase, const char *message);
const char *live_phase_word(live_phase phase);

// A new page; the text becomes its own.
void live_set_page(live *l, char *html, size_t size);

// The state of a run's world, or of one of its frames; `radius` and `body` of the model once. Elements of a
// world are only looked at when a page has asked lately, or is about to see a pause.
void live_show_view(live *l, const sherd_run_view *view);
void live_show_frame(live *l, const sherd_run_model *model, const sherd_run_frame *frame,
                     int64_t frames, double end);

// Whether the command ends; the phase.
bool live_is_ending(live *l);
live_phase live_get_phase(live *l);

// Waits while a pause is asked for, and nothing else.
void live_wait_while_paused(live *l);

// Bytes for the page, to be freed; NULL: no memory, or no state yet. All numbers little-endian:
// state_json: text. elements: radii (float), bodies (int32). places: time (double), count, 0 (int32),
// x, y, z, speed (float), fragments (int32).
char *live_state_json(live *l, int64_t *version);
char *live_elements(live *l, size_t *size);
char *live_places(live *l, size_t *size);

#include "output/run/frame_outputs.h"

#include "base/assertion.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/thread_pool.h"
#include "output/files/output_names.h"
#include "output/formats/final_fragments.h"
#include "output/pictures/picture_file.h"
#include "output/replay/replay.h"
#include "output/run/run_outputs.h"
#include "output/run_file/run_check.h"
#include "render/png/picture_note.h"

#include <sherd/file.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A message of the thread, for the caller's thread.
typedef struct late_message {
    sherd_message_level level;
    char *where, *what, *hint; // owned
    struct late_message *next;
} late_message;

struct sherd_frame_outputs {
    sherd_run_loop *loop;
    sherd_messages messages; // received by `late`
    sherd_run *run;          // NULL: not open yet
    sherd_fragments *fragments;
    sherd_picture_maker *pictures;     // NULL if neither pictures nor meshes are needed
    sherd_dust *dust;                  // NULL: the scene has no dust
    sherd_debris *debris;              // NULL: pictures show no crumbs
    int64_t next;                      // first frame that is not made
    double meshes_wall, pictures_wall; // spent on the present frame [s]
    int64_t missing;                   // pictures that failed

    pthread_t thread;
    bool threaded; // it was started
    pthread_mutex_t lock;
    pthread_cond_t changed;
    // Under `lock`:
    int64_t ready;                             // last frame of the run file
    double all_meshes_wall, all_pictures_wall; // spent on all frames that are made [s]
    bool closing;
    sherd_status status;
    sherd_error error;
    late_message *first, **last;
};

// ---------------------------------------------------------------- messages

static void free_message(late_message *message)
{
    free(message->where);
    free(message->what);
    free(message->hint);
    free(message);
}

// If memory is short a message is lost.
static void keep_message(void *context, const sherd_message *message)
{
    sherd_frame_outputs *o = context;
    late_message *late = malloc(sizeof *late);
    if (late == NULL) return;
    *late = (late_message){message->level, strdup(message->where), strdup(message->what),
                           strdup(message->hint), NULL};
    if (late->where == NULL || late->what == NULL || late->hint == NULL) {
        free_message(late);
        return;
    }
    pthread_mutex_lock(&o->lock);
    *o->last = late;
    o->last = &late->next;
    pthread_mutex_unlock(&o->lock);
}

static late_message *take_messages(sherd_frame_outputs *o)
{
    pthread_mutex_lock(&o->lock);
    late_message *list = o->first;
    o->first = NULL, o->last = &o->first;
    pthread_mutex_unlock(&o->lock);
    return list;
}

static void pass_messages(sherd_frame_outputs *o)
{
    for (late_message *at = take_messages(o), *next; at != NULL; at = next) {
        next = at->next;
        sherd_message_send(&o->loop->messages, at->level, at->where, at->hint, "%s", at->what);
        free_message(at);
    }
}

// ---------------------------------------------------------------- life

static bool wants_frame_files(const sherd_run_loop *loop)
{
    for (int k = 0; k < sherd_format_count(); ++k)
        if (sherd_outputs_wants(loop, k) && sherd_format_get(k)->frame != NULL) return true;
    return false;
}

static bool exports_meshes(const sherd_run_loop *loop)
{
    bool meshes = false;
    for (int k = 0; k < sherd_format_count(); ++k)
        meshes = meshes || sherd_outputs_wants_meshes(loop, k);
    return meshes;
}

// Whether a picture of a resumed run has another quality than those to come. Files of former versions do not tell.
static bool has_quality(const char *path, sherd_render_quality quality)
{
    char note[SHERD_PICTURE_NOTE];
    return sherd_picture_note_read(path, note) && strcmp(note, sherd_quality_name(quality)) == 0;
}

// The first preview of a resumed run that makes final pictures: previews are drawn again. Final ones are not drawn over
// by previews, which is said. -1: no such picture.
static int64_t first_preview(sherd_run_loop *loop)
{
    sherd_render_quality quality =
        sherd_chosen_quality(&loop->scene->output.render, SHERD_RENDER_PREVIEW);
    bool final = quality == SHERD_RENDER_FINAL;
    int64_t first = -1, count = 0;
    for (int64_t k = 0; k <= loop->frame && sherd_outputs_pictures(loop); ++k) {
        char name[64], path[OUTPUT_PATH];
        snprintf(name, sizeof name, "frames/frame_%06lld.png", (long long)k);
        sherd_output_path(loop->folder, name, path);
        if (!has_quality(path, final ? SHERD_RENDER_PREVIEW : SHERD_RENDER_FINAL)) continue;
        if (count++ == 0) first = k;
    }
    if (count > 0 && final)
        sherd_message_send(&loop->messages, SHERD_MESSAGE_NOTE, NULL, NULL,
                           "%lld pictures of this run are previews: they are drawn again",
                           (long long)count);
    if (count > 0 && !final)
        sherd_message_send(&loop->messages, SHERD_MESSAGE_WARNING, NULL,
                           "resume with --quality final, or make all final at the end with sherd "
                           "render",
                           "%lld pictures of this run are final, the further ones will be "
                           "previews, as is the video from there on",
                           (long long)count);
    return final ? first : -1;
}

// The first frame without its picture; without pictures, the one after the last.
static int64_t first_missing(const sherd_run_loop *loop)
{
    static const char *const kinds[] = {"png", "exr"};
    int kind_count = loop->scene->output.render.exr != SHERD_EXR_NONE ? 2 : 1;
    for (int64_t k = 0; k <= loop->frame && sherd_outputs_pictures(loop); ++k)
        for (int c = 0; c < kind_count; ++c) {
            char name[64], path[OUTPUT_PATH];
            snprintf(name, sizeof name, "frames/frame_%06lld.%s", (long long)k, kinds[c]);
            sherd_output_path(loop->folder, name, path);
            if (!sherd_file_exists(path)) return k;
        }
    return loop->frame + 1;
}

static sherd_status make_parts(sherd_frame_outputs *o, sherd_error *error)
{
    sherd_run_loop *loop = o->loop;
    o->dust = sherd_dust_create(loop->scene, &loop->model, error);
    if (o->dust == NULL && error->status != SHERD_OK) return error->status;
    bool meshes = exports_meshes(loop);
    if (!meshes && !sherd_outputs_pictures(loop)) return SHERD_OK;
    o->fragments = sherd_fragments_create(error);
    if (o->fragments == NULL) return error->status;
    sherd_picture_use use = meshes ? SHERD_PICTURES_AND_MESHES : SHERD_PICTURES_ALONE;
    o->pictures = sherd_picture_maker_create(loop->scene, &loop->model, use, SHERD_RENDER_PREVIEW,
                                             loop->def->threads, &o->messages, error);
    if (o->pictures == NULL) return error->status;
    sherd_picture_maker_show_dust(o->pictures, o->dust);
    if (!sherd_outputs_pictures(loop)) return SHERD_OK;
    o->debris = sherd_debris_create(loop->scene, &loop->model, error);
    sherd_picture_maker_show_debris(o->pictures, o->debris);
    return o->debris != NULL ? SHERD_OK : error->status;
}

sherd_frame_outputs *sherd_frame_outputs_create(sherd_run_loop *loop, sherd_error *error)
{
    sherd_frame_outputs *o = sherd_alloc(1, sizeof *o);
    if (o == NULL) {
        (void)sherd_fail_memory(error, "pictures");
        return NULL;
    }
    o->loop = loop;
    o->messages = (sherd_messages){keep_message, o, 0};
    int64_t preview = first_preview(loop);
    o->next = first_missing(loop);
    if (preview >= 0 && preview < o->next) o->next = preview;
    o->ready = loop->frame;
    o->last = &o->first;
    pthread_mutex_init(&o->lock, NULL);
    pthread_cond_init(&o->changed, NULL);
    if (make_parts(o, error) == SHERD_OK) return o;
    sherd_frame_outputs_destroy(o);
    return NULL;
}

sherd_picture_maker *sherd_frame_outputs_meshes(sherd_frame_outputs *o)
{
    return o->pictures;
}

bool sherd_frame_outputs_use_rest(const sherd_frame_outputs *o)
{
    return o->pictures != NULL || o->dust != NULL || wants_frame_files(o->loop);
}

const sherd_dust *sherd_frame_outputs_dust(const sherd_frame_outputs *o)
{
    return o->dust;
}

// ---------------------------------------------------------------- one frame

// Before the first one: the automatic camera, former breaks, and former poses of obstacles.
static sherd_status open_run(sherd_frame_outputs *o, sherd_error *error)
{
    o->run = sherd_run_open(o->loop->folder, error);
    if (o->run == NULL) return error->status;
    sherd_status status = sherd_dust_catch_up(o->dust, o->run, o->next, error);
    if (status == SHERD_OK) status = sherd_debris_catch_up(o->debris, o->run, o->next, error);
    if (status != SHERD_OK || o->pictures == NULL) return status;
    status = sherd_replay_aim(o->pictures, o->run, error);
    if (status != SHERD_OK) return status;
    return sherd_replay_remember(o->pictures, o->run, o->next - 1, error);
}

static sherd_status update_meshes(sherd_frame_outputs *o, const sherd_run_frame *frame,
                                  sherd_error *error)
{
    double before = sherd_clock_seconds();
    sherd_status status = sherd_frame_fragments(o->fragments, &o->loop->model, frame, error);
    if (status != SHERD_OK) return status;
    sherd_fragment_view view = sherd_fragments_view(o->fragments);
    status = sherd_picture_maker_update(o->pictures, frame, &view, error);
    o->meshes_wall = sherd_clock_seconds() - before;
    return status;
}

static sherd_status write_picture(sherd_frame_outputs *o, int64_t index, sherd_error *error)
{
    char folder[OUTPUT_PATH];
    double before = sherd_clock_seconds();
    sherd_output_path(o->loop->folder, "frames", folder);
    sherd_status status = sherd_picture_file_write(o->pictures, folder, index, o->loop->own, error);
    o->pictures_wall = sherd_clock_seconds() - before;
    if (status != SHERD_ERROR_UNSUPPORTED) return status;
    if (o->missing++ == 0) // the run continues without the picture
        sherd_message_send(&o->messages, SHERD_MESSAGE_ERROR, error->where, error->hint, "%s",
                           error->what);
    return SHERD_OK;
}

// The picture comes last: where there is one, the frame's other files are complete.
static sherd_status make_files(sherd_frame_outputs *o, const sherd_run_frame *frame,
                               sherd_error *error)
{
    const sherd_run_loop *loop = o->loop;
    sherd_status status = sherd_dust_take(o->dust, frame, error);
    if (status == SHERD_OK) status = sherd_debris_take(o->debris, frame, error);
    if (status == SHERD_OK && o->pictures != NULL) status = update_meshes(o, frame, error);
    for (int k = sherd_format_count() - 1; k >= 0 && status == SHERD_OK; --k) {
        const sherd_format *format = sherd_format_get(k);
        if (!sherd_outputs_wants(loop, k) || format->frame == NULL) continue;
        char path[OUTPUT_PATH];
        sherd_output_path(loop->folder, format->about.place, path);
        sherd_format_job job = sherd_outputs_job(loop, k, path);
        status = format->frame(&job, frame, error);
    }
    if (status == SHERD_OK && sherd_outputs_pictures(loop))
        status = write_picture(o, frame->index, error);
    return status;
}

// Frame o->next, which the run file has.
static sherd_status make_next(sherd_frame_outputs *o, sherd_error *error)
{
    sherd_status status = o->run == NULL ? open_run(o, error) : SHERD_OK;
    if (status == SHERD_OK && o->next >= sherd_run_frame_count(o->run))
        status = sherd_run_extend(o->run, error);
    if (status != SHERD_OK) return status;
    sherd_run_frame *frame = sherd_run_read_frame(o->run, o->next, error);
    if (frame == NULL && error->status == SHERD_ERROR_INPUT) { // of an earlier session, damaged
        ++o->missing, ++o->next;
        return SHERD_OK;
    }
    if (frame == NULL) return error->status;
    status = make_files(o, frame, error);
    sherd_run_frame_destroy(frame);
    pthread_mutex_lock(&o->lock);
    o->all_meshes_wall += o->meshes_wall, o->all_pictures_wall += o->pictures_wall;
    pthread_mutex_unlock(&o->lock);
    o->meshes_wall = o->pictures_wall = 0.0;
    if (status == SHERD_OK) ++o->next;
    return status;
}

// ---------------------------------------------------------------- beside the simulation

// True if there is a frame to make. Waits for one.
static bool await_frame(sherd_frame_outputs *o)
{
    pthread_mutex_lock(&o->lock);
    while (o->next > o->ready && !o->closing)
        pthread_cond_wait(&o->changed, &o->lock);
    bool closing = o->closing;
    pthread_mutex_unlock(&o->lock);
    return !closing;
}

static void *make_frames(void *context)
{
    sherd_frame_outputs *o = context;
    sherd_status status = SHERD_OK;
    sherd_error error = {0};
    while (status == SHERD_OK && await_frame(o)) {
        sherd_thread_pool_lend(1);
        status = make_next(o, &error);
        sherd_thread_pool_lend(-1);
    }
    pthread_mutex_lock(&o->lock);
    o->status = status, o->error = error;
    pthread_mutex_unlock(&o->lock);
    return NULL;
}

static void join(sherd_frame_outputs *o)
{
    if (!o->threaded) return;
    pthread_mutex_lock(&o->lock);
    o->closing = true;
    pthread_cond_signal(&o->changed);
    pthread_mutex_unlock(&o->lock);
    pthread_join(o->thread, NULL);
    o->threaded = false;
    o->closing = false;
}

// If the system has no thread left, frames are made on this one.
static void start(sherd_frame_outputs *o)
{
    sherd_parallel parallel = {o->loop->def->threads};
    if (o->threaded || !sherd_outputs_pictures(o->loop) || sherd_parallel_threads(&parallel) < 2)
        return;
    sherd_picture_maker_set_threads(o->pictures, 1);
    o->threaded = pthread_create(&o->thread, NULL, make_frames, o) == 0;
    if (!o->threaded) sherd_picture_maker_set_threads(o->pictures, o->loop->def->threads);
}

void sherd_frame_outputs_release_meshes(sherd_frame_outputs *o)
{
    if (o == NULL) return;
    SHERD_ASSERT(!o->threaded, "no frame is made any more");
    sherd_picture_maker_destroy(o->pictures);
    sherd_fragments_destroy(o->fragments);
    o->pictures = NULL;
    o->fragments = NULL;
}

void sherd_frame_outputs_destroy(sherd_frame_outputs *o)
{
    if (o == NULL) return;
    join(o);
    sherd_frame_outputs_release_meshes(o);
    for (late_message *at = take_messages(o), *next; at != NULL; at = next) {
        next = at->next;
        free_message(at);
    }
    sherd_dust_destroy(o->dust);
    sherd_debris_destroy(o->debris);
    sherd_run_close(o->run);
    pthread_mutex_destroy(&o->lock);
    pthread_cond_destroy(&o->changed);
    sherd_free(o);
}

// Announces a frame to the thread; the status of those before it.
static sherd_status announce(sherd_frame_outputs *o, int64_t index, sherd_error *error)
{
    pthread_mutex_lock(&o->lock);
    o->ready = index;
    sherd_status status = o->status;
    if (status != SHERD_OK) *error = o->error;
    pthread_cond_signal(&o->changed);
    pthread_mutex_unlock(&o->lock);
    pass_messages(o);
    return status;
}

// On this thread.
static sherd_status make_one(sherd_frame_outputs *o, sherd_error *error)
{
    double before = sherd_clock_seconds();
    sherd_status status = make_next(o, error);
    o->loop->waited_wall += sherd_clock_seconds() - before;
    pass_messages(o);
    return status;
}

static sherd_status make_rest(sherd_frame_outputs *o, sherd_error *error)
{
    sherd_status status = SHERD_OK;
    while (status == SHERD_OK && o->next <= o->ready)
        status = make_one(o, error);
    return status;
}

static int64_t frames_left(const sherd_frame_outputs *o)
{
    return o->pictures != NULL ? o->ready - o->next + 1 : 0;
}

// After the last step.
static sherd_status make_last(sherd_frame_outputs *o, sherd_error *error)
{
    sherd_status status = SHERD_OK;
    while (status == SHERD_OK && o->next <= o->ready) {
        o->loop->frames_left = frames_left(o);
        sherd_run_loop_report(o->loop);
        status = make_one(o, error);
    }
    return status;
}

void sherd_frame_outputs_walls(sherd_frame_outputs *o, double *surfaces, double *pictures)
{
    pthread_mutex_lock(&o->lock);
    *surfaces = o->all_meshes_wall, *pictures = o->all_pictures_wall;
    pthread_mutex_unlock(&o->lock);
}

static void count(sherd_frame_outputs *o)
{
    sherd_run_loop *loop = o->loop;
    loop->missing_pictures = o->missing;
    loop->frames_left = frames_left(o);
}

sherd_status sherd_frame_outputs_add(sherd_frame_outputs *o, int64_t index, sherd_error *error)
{
    SHERD_ASSERT(index >= o->ready, "frames of a run advance");
    const sherd_run_loop *loop = o->loop;
    if (o->pictures == NULL && !wants_frame_files(loop)) return SHERD_OK;
    sherd_status status = announce(o, index, error);
    // The first one is made at once: what is wrong with pictures should be known early.
    if (status == SHERD_OK && o->run == NULL && o->next <= index) status = make_one(o, error);
    if (status == SHERD_OK && index < loop->plan.frames) start(o);
    return status == SHERD_OK && !o->threaded ? make_rest(o, error) : status;
}

sherd_status sherd_frame_outputs_end(sherd_frame_outputs *o, bool all, sherd_error *error)
{
    if (o == NULL) return SHERD_OK;
    double before = sherd_clock_seconds();
    join(o);
    o->loop->waited_wall += sherd_clock_seconds() - before;
    sherd_status status = announce(o, o->ready, error);
    if (o->pictures != NULL) sherd_picture_maker_set_threads(o->pictures, o->loop->def->threads);
    if (status == SHERD_OK && all) status = make_last(o, error);
    count(o);
    return status;
}

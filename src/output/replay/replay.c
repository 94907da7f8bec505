#include "output/replay/replay.h"

#include "base/error.h"
#include "output/files/readable_frame.h"
#include "output/formats/final_fragments.h"
#include "output/formats/frame_files.h"

enum { COOKIE = 0x72706c79 };

sherd_replay_def sherd_replay_def_default(void)
{
    return (sherd_replay_def){.cookie = COOKIE};
}

// ---------------------------------------------------------------- opening

static sherd_status check_def(const sherd_replay_def *def, sherd_export_needs needs,
                              sherd_error *error)
{
    if (def->cookie != COOKIE)
        return sherd_fail(error, SHERD_ERROR_INPUT, "replay",
                          "start from sherd_replay_def_default()", "definition not initialised");
    if (def->run == NULL || def->folder == NULL)
        return sherd_fail(error, SHERD_ERROR_INPUT, "replay.run", NULL,
                          "the run and its folder are missing");
    int64_t count = sherd_run_frame_count(def->run);
    if (def->first < 0 || def->first > def->last || def->last >= count)
        return sherd_fail(error, SHERD_ERROR_INPUT, "replay.last", NULL,
                          "frames %lld to %lld are asked for, the run has 0 to %lld",
                          (long long)def->first, (long long)def->last, (long long)count - 1);
    if (needs != SHERD_EXPORT_FROM_RUN && def->scene == NULL)
        return sherd_fail(error, SHERD_ERROR_INPUT, "replay.scene", NULL,
                          "the scene that the run was made from is missing");
    return SHERD_OK;
}

static sherd_status open_meshes(sherd_replay *r, sherd_picture_use use, sherd_error *error)
{
    const sherd_replay_def *def = r->def;
    r->fragments = sherd_fragments_create(error);
    if (r->fragments == NULL) return error->status;
    r->pictures =
        sherd_picture_maker_create(def->scene, &r->model, use, def->threads, &r->messages, error);
    if (r->pictures == NULL) return error->status;
    sherd_run_frame *first =
        sherd_readable_frame(def->run, 0, 0, sherd_run_frame_count(def->run) - 1, error);
    if (first == NULL) return error->status;
    sherd_picture_maker_aim(r->pictures, first);
    sherd_run_frame_destroy(first);
    return SHERD_OK;
}

sherd_status sherd_replay_open(sherd_replay *r, const sherd_replay_def *def,
                               sherd_export_needs needs, sherd_picture_use use, sherd_error *error)
{
    *r = (sherd_replay){.def = def, .messages = {def->on_message, def->context, 0}};
    sherd_status status = check_def(def, needs, error);
    if (status != SHERD_OK) return status;
    r->model = sherd_run_get_model(def->run);
    r->own = sherd_output_list_open(def->folder, error);
    if (r->own == NULL) return error->status;
    r->dust = sherd_dust_create(def->scene, &r->model, error);
    if (r->dust == NULL && error->status != SHERD_OK) return error->status;
    if (needs == SHERD_EXPORT_FROM_MESHES) status = open_meshes(r, use, error);
    if (r->pictures != NULL) sherd_picture_maker_show_dust(r->pictures, r->dust);
    return status;
}

void sherd_replay_close(sherd_replay *r)
{
    sherd_picture_maker_destroy(r->pictures);
    sherd_fragments_destroy(r->fragments);
    sherd_output_list_close(r->own);
    sherd_dust_destroy(r->dust);
}

// ---------------------------------------------------------------- what is in the way

void sherd_replay_look(const sherd_replay *r, sherd_overwrite_check *way, const char *folder,
                       const char *what, const char *kind)
{
    char path[OUTPUT_PATH];
    for (int64_t k = r->def->first; k <= r->def->last; ++k) {
        sherd_frame_files_path(path, folder, what, k, kind);
        sherd_overwrite_check_file(way, path);
    }
}

sherd_status sherd_replay_check(const sherd_replay *r, const sherd_overwrite_check *way,
                                sherd_error *error)
{
    return r->def->foreign == SHERD_FOREIGN_OVERWRITE ? SHERD_OK
                                                      : sherd_overwrite_check_result(way, error);
}

// ---------------------------------------------------------------- frames

// Uses the fragment numbers that the run stored.
static sherd_status show_frame(sherd_replay *r, const sherd_run_frame *frame, sherd_error *error)
{
    sherd_status status = sherd_frame_fragments(r->fragments, &r->model, frame, error);
    if (status != SHERD_OK) return status;
    sherd_fragment_view view = sherd_fragments_view(r->fragments);
    return sherd_picture_maker_update(r->pictures, frame, &view, error);
}

// Passes the frame before the first one, for obstacles' motion blur; skipped if damaged.
static sherd_status pass_previous_frame(sherd_replay *r, sherd_error *error)
{
    const sherd_replay_def *def = r->def;
    if (r->pictures == NULL || def->first <= 0 || !(def->scene->output.render.shutter > 0.0))
        return SHERD_OK;
    sherd_run_frame *frame = sherd_run_read_frame(def->run, def->first - 1, error);
    if (frame == NULL) return error->status == SHERD_ERROR_INPUT ? SHERD_OK : error->status;
    sherd_picture_maker_remember(r->pictures, frame);
    sherd_run_frame_destroy(frame);
    return SHERD_OK;
}

sherd_status sherd_replay_frames(sherd_replay *r, sherd_replay_work *work, void *context,
                                 sherd_error *error)
{
    const sherd_replay_def *def = r->def;
    sherd_status status = pass_previous_frame(r, error);
    if (status == SHERD_OK) status = sherd_dust_catch_up(r->dust, def->run, def->first, error);
    for (int64_t k = def->first; k <= def->last && status == SHERD_OK; ++k) {
        sherd_run_frame *frame = sherd_run_read_frame(def->run, k, error);
        if (frame == NULL && error->status == SHERD_ERROR_INPUT) {
            ++r->damaged;
            continue;
        }
        if (frame == NULL) return error->status;
        status = sherd_dust_take(r->dust, frame, error);
        if (status == SHERD_OK && r->pictures != NULL) status = show_frame(r, frame, error);
        if (status == SHERD_OK) status = work(context, frame, error);
        sherd_run_frame_destroy(frame);
        if (status == SHERD_OK && def->on_frame != NULL)
            def->on_frame(def->context, "frame", k, def->last);
    }
    return status;
}

#include "output/run/run_resume.h"
#include "base/cpu.h"
#include "output/diagnosis/energy_errors.h"

#include "output/files/output_names.h"
#include "output/files/readable_frame.h"
#include "output/run/run_checkpoint.h"
#include "output/run_file/run_check.h"

#include <sherd/simd.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

static sherd_status check_same_scene(const sherd_run_loop *loop, sherd_run *run, sherd_error *error)
{
    sherd_run_info info = sherd_run_get_info(run);
    const char *digest = info.setting_count > 0 ? info.settings[0] : "";
    if (strcmp(digest, loop->digest) == 0) return SHERD_OK;
    *error =
        (sherd_error){.status = SHERD_ERROR_INPUT,
                      .what = "the run in this folder was made from other physical settings",
                      .hint = "resume with the same scene, --variant and --set, or use another -o"};
    if (strncmp(digest, loop->digest, strcspn(loop->digest, ":") + 1) != 0) {
        const char what[] = "the run in this folder was made by another version of Sherd, which "
                            "fingerprinted settings differently";
        snprintf(error->what, sizeof error->what, "%s", what);
        snprintf(error->hint, sizeof error->hint, "resume it with that version, or use another -o");
    }
    snprintf(error->where, sizeof error->where, "%s", loop->folder);
    return error->status;
}

// Results of other instruction sets may differ by rounding errors.
static void warn_other_simd(sherd_run_loop *loop, const sherd_run *run)
{
    const char *then = sherd_run_get_info(run).simd;
    int level = sherd_simd_of_name(then);
    if (level < 0 || sherd_simd_agree((sherd_simd)level, sherd_simd_level())) return;
    sherd_message_send(
        &loop->messages, SHERD_MESSAGE_WARNING, NULL, NULL,
        "the run in %s was computed with the instruction set %s and continues with %s: its "
        "results will differ in rounding from those of an uninterrupted run; use --simd %s "
        "on a machine that has it",
        loop->folder, then, loop->info.simd, then);
}

// Reads figures of existing frames that the closing message reports.
static sherd_status look_back(sherd_run_loop *loop, sherd_run *run, sherd_error *error)
{
    sherd_status status = SHERD_OK;
    for (int64_t frame = 0; frame <= loop->frame && status == SHERD_OK; ++frame) {
        sherd_run_stats stats;
        status = sherd_run_read_stats(run, frame, &stats, error);
        if (status == SHERD_ERROR_INPUT) { // a damaged frame
            status = SHERD_OK;
            continue;
        }
        loop->last_stats = stats;
        loop->largest_store = fmax(loop->largest_store, sherd_largest_store(&stats.energy));
    }
    return status;
}

static sherd_status restore(sherd_run_loop *loop, sherd_run *run,
                            const sherd_run_checkpoint *checkpoint, sherd_error *error)
{
    sherd_status status = sherd_run_checkpoint_restore(loop, checkpoint, error);
    if (status == SHERD_OK) status = look_back(loop, run, error);
    loop->resumes = status == SHERD_OK;
    return status;
}

static bool has_checkpoint_file(const sherd_run_loop *loop)
{
    char newest[OUTPUT_PATH], previous[OUTPUT_PATH];
    sherd_output_path(loop->folder, "checkpoint.sherd", newest);
    sherd_output_path(loop->folder, "checkpoint-former.sherd", previous);
    return sherd_is_anything(newest) || sherd_is_anything(previous);
}

static void report_anew(sherd_run_loop *loop, const char *reason)
{
    sherd_message_send(&loop->messages, SHERD_MESSAGE_INFO, NULL, NULL,
                       "%s in %s: the run starts from the beginning", reason, loop->folder);
}

// Damaged frames are not rewritten: later frames are computed from the checkpoint.
static void report_damaged(sherd_run_loop *loop, sherd_run *run)
{
    char names[SHERD_DAMAGED_NAMES];
    if (sherd_run_damaged_frames(run, 0, loop->frame, names) > 0)
        sherd_message_send(&loop->messages, SHERD_MESSAGE_WARNING, NULL, NULL,
                           "frames %s in %s/run.sherd are damaged; they stay so", names,
                           loop->folder);
    if (sherd_run_sections_damaged(run))
        sherd_message_send(&loop->messages, SHERD_MESSAGE_WARNING, NULL, NULL,
                           "sections of bonds in %s/run.sherd are damaged; exports go without them",
                           loop->folder);
}

static sherd_status fail_to_go_on(int64_t frame, sherd_error *error)
{
    snprintf(error->hint, sizeof error->hint,
             "the run can't go on over frame %lld: run the scene again without --resume; "
             "sherd export takes the other frames",
             (long long)frame);
    return error->status;
}

// The frame of the checkpoint must have an intact STEP chunk; earlier frames only in file formats
// whose later frames depend on them. If it is damaged, the arrays of the last frame must be intact,
// because they contain the state of bonds.
static sherd_status check_frames(sherd_run *run, int64_t last, sherd_error *error)
{
    bool whole = true;
    for (int64_t k = 0; k <= last; ++k) {
        sherd_run_stats ignored;
        sherd_status status = sherd_run_read_stats(run, k, &ignored, error);
        if (status == SHERD_OK) continue;
        if (status != SHERD_ERROR_INPUT) return status;
        if (k == last || !sherd_run_frames_stand_alone(run)) return fail_to_go_on(k, error);
        whole = false;
    }
    if (whole || sherd_run_check_frame(run, last, error) == SHERD_OK) return SHERD_OK;
    return fail_to_go_on(last, error);
}

static sherd_status resume_run(sherd_run_loop *loop, sherd_run *run, sherd_error *error)
{
    sherd_status status = check_same_scene(loop, run, error);
    if (status != SHERD_OK) return status;
    if (!has_checkpoint_file(loop)) {
        report_anew(loop, "there is no checkpoint yet");
        return SHERD_OK;
    }
    sherd_run_checkpoint *checkpoint = sherd_run_read_checkpoint(run, error);
    if (checkpoint == NULL) return error->status;
    warn_other_simd(loop, run);
    status = check_frames(run, checkpoint->frame, error);
    if (status == SHERD_OK) status = restore(loop, run, checkpoint, error);
    sherd_run_checkpoint_destroy(checkpoint);
    if (status == SHERD_OK) report_damaged(loop, run);
    return status;
}

sherd_status sherd_run_resume(sherd_run_loop *loop, sherd_error *error)
{
    if (sherd_run_find(loop->folder) == SHERD_RUN_ABSENT) {
        report_anew(loop, "there is no run yet");
        return SHERD_OK;
    }
    // Stays open: later reads still get the content before truncation.
    loop->previous = sherd_run_open(loop->folder, error);
    return loop->previous != NULL ? resume_run(loop, loop->previous, error) : error->status;
}

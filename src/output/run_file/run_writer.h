// Writing the record of a run: append-only, so that a killed process or a full disk leaves every finished frame readable.
//
//     writer = sherd_run_writer_create("out", &info, &model, 0, &err);
//     sherd_run_writer_frame(writer, &frame, &err);            once per frame
//     sherd_run_writer_checkpoint(writer, &checkpoint, &err);  now and then
//     sherd_run_writer_close(writer, &err);
//
// Resuming:
//
//     run = sherd_run_open("out", &err);
//     checkpoint = sherd_run_read_checkpoint(run, &err);       restore the world from it
//     writer = sherd_run_writer_resume("out", checkpoint->frame, 0, &err);
//     table = sherd_table_writer_resume("out/stats.csv", ..., checkpoint->frame + 1, &err);
#pragma once

#include <sherd/run_file.h>
#include <sherd/world.h>

typedef struct sherd_run_writer sherd_run_writer;

// `threads`, 0: all, compress what is written; its bytes do not depend on them.

// Makes the folder when needed; a former run.sherd and its checkpoints in it are replaced, once the
// start of the new one is durable. SHERD_ERROR_INPUT, and nothing is touched, where run.sherd is
// foreign.
sherd_run_writer *sherd_run_writer_create(const char *folder, const sherd_run_info *info,
                                          const sherd_run_model *model, int threads,
                                          sherd_error *error);

// Continues after frame `last_frame` (-1: before the first): later frames and anything torn are cut
// off.
sherd_run_writer *sherd_run_writer_resume(const char *folder, int64_t last_frame, int threads,
                                          sherd_error *error);

// How many frames the run is to have from now on, with frame 0: a resumed run may get more than its start
// says. Kept with the frames that follow.
void sherd_run_writer_plan(sherd_run_writer *writer, int64_t frames);

// Appends a frame and hands it to the system. SHERD_ERROR_UNSTABLE when a position, orientation or
// velocity is not finite: such a frame is not written. After a failed write (full disk) earlier
// frames stay readable and the writer can only be closed.
sherd_status sherd_run_writer_frame(sherd_run_writer *writer, const sherd_run_frame *frame,
                                    sherd_error *error);

// Replaces the older of the two kept checkpoints; durable when it returns.
sherd_status sherd_run_writer_checkpoint(sherd_run_writer *writer,
                                         const sherd_run_checkpoint *checkpoint,
                                         sherd_error *error);

// The same with the world's present state in place of the checkpoint's, without a copy of it.
sherd_status sherd_run_writer_checkpoint_of(sherd_run_writer *writer,
                                            const sherd_run_checkpoint *checkpoint,
                                            const sherd_world *world, sherd_error *error);

// Makes everything durable, closes and frees, also on failure. NULL is fine.
sherd_status sherd_run_writer_close(sherd_run_writer *writer, sherd_error *error);

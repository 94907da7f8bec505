// What the chunks of a run file hold, as bytes. docs/file-formats.md describes the layout.
#pragma once

#include "base/byte_buffer.h"
#include "output/export/owned.h"
#include "output/run_file/chunk_file.h"

#include <sherd/run_file.h>

#define SHERD_RUN_MAGIC "SHERDRUN"
#define SHERD_CHECKPOINT_MAGIC "SHERDCKP"

enum {
    SHERD_CHUNK_INFO = SHERD_CHUNK_KIND('I', 'N', 'F', 'O'),
    SHERD_CHUNK_MODEL = SHERD_CHUNK_KIND('M', 'O', 'D', 'L'),
    SHERD_CHUNK_BONDS = SHERD_CHUNK_KIND('B', 'O', 'N', 'D'), // sections of bonds
    SHERD_CHUNK_STEP = SHERD_CHUNK_KIND('S', 'T', 'E', 'P'),  // the small part of a frame
    SHERD_CHUNK_FRAME = SHERD_CHUNK_KIND('F', 'R', 'A', 'M'), // the arrays by element
    SHERD_CHUNK_STATE = SHERD_CHUNK_KIND('S', 'T', 'A', 'T'), // a checkpoint
};

// The encoders append to `buffer`, which remembers when memory was short.
void sherd_run_encode_info(sherd_byte_buffer *buffer, const sherd_run_info *info);
void sherd_run_encode_model(sherd_byte_buffer *buffer, const sherd_run_model *model);
void sherd_run_encode_sections(sherd_byte_buffer *buffer, const sherd_run_model *model);
void sherd_run_encode_step(sherd_byte_buffer *buffer, const sherd_run_frame *frame,
                           int obstacle_count, const sherd_bond_index *newly_broken,
                           sherd_bond_index newly_broken_count);
void sherd_run_encode_frame(sherd_byte_buffer *buffer, const sherd_run_frame *frame,
                            sherd_element_index element_count, sherd_bond_index bond_count);
void sherd_run_encode_checkpoint(sherd_byte_buffer *buffer, const sherd_run_checkpoint *checkpoint);

// The decoders take untrusted bytes. SHERD_ERROR_INPUT: they don't make sense. `where` names the
// file.
sherd_status sherd_run_decode_info(const unsigned char *bytes, size_t size, const char *where,
                                   sherd_owned *owned, sherd_run_info *info, sherd_error *error);
sherd_status sherd_run_decode_model(const unsigned char *bytes, size_t size, const char *where,
                                    sherd_owned *owned, sherd_run_model *model, sherd_error *error);

// Fills bond_section of the model.
sherd_status sherd_run_decode_sections(const unsigned char *bytes, size_t size, const char *where,
                                       sherd_owned *owned, sherd_run_model *model,
                                       sherd_error *error);

// The STEP chunk: what a frame has beside the arrays by element.
typedef struct sherd_run_step {
    sherd_run_stats stats;
    double time;
    const sherd_pose *obstacles;          // owned by the bundle given
    sherd_bond_index newly_broken_count;  // bonds broken since the frame before
    const sherd_bond_index *newly_broken; // each within the model's bonds
} sherd_run_step;
sherd_status sherd_run_decode_step(const unsigned char *bytes, size_t size, const char *where,
                                   const sherd_run_model *model, sherd_owned *owned,
                                   sherd_run_step *step, sherd_error *error);
// Fills the arrays by element, and bond_broken where the frame has it, else NULL.
sherd_status sherd_run_decode_frame(const unsigned char *bytes, size_t size, const char *where,
                                    const sherd_run_model *model, sherd_owned *owned,
                                    sherd_run_frame *frame, sherd_error *error);
sherd_status sherd_run_decode_checkpoint(const unsigned char *bytes, size_t size, const char *where,
                                         sherd_owned *owned, sherd_run_checkpoint *checkpoint,
                                         sherd_error *error);

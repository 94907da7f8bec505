// Encodes and decodes the contents of a run file's chunks. docs/reference/run-file.md describes the
// layout.
#pragma once

#include "base/byte_buffer.h"
#include "output/export/owned_allocations.h"
#include "output/run_file/chunk_file.h"

#include <sherd/run_file.h>
#include <sherd/world.h>

#define SHERD_RUN_MAGIC "SHERDRUN"
#define SHERD_CHECKPOINT_MAGIC "SHERDCKP"

enum {
    SHERD_CHUNK_INFO = SHERD_CHUNK_KIND('I', 'N', 'F', 'O'),
    SHERD_CHUNK_MODEL = SHERD_CHUNK_KIND('M', 'O', 'D', 'L'),
    SHERD_CHUNK_BONDS = SHERD_CHUNK_KIND('B', 'O', 'N', 'D'), // sections of bonds
    SHERD_CHUNK_STEP = SHERD_CHUNK_KIND('S', 'T', 'E', 'P'),  // the scalar part of a frame
    SHERD_CHUNK_FRAME = SHERD_CHUNK_KIND('F', 'R', 'A', 'M'), // the arrays by element
    SHERD_CHUNK_STATE = SHERD_CHUNK_KIND('S', 'T', 'A', 'T'), // a checkpoint
};

// Elements and bonds of a model.
typedef struct sherd_run_sizes {
    size_t elements, bonds;
} sherd_run_sizes;

// The encoders append to `buffer`, which remembers if memory was short.
void sherd_run_encode_info(sherd_byte_buffer *buffer, const sherd_run_info *info);
void sherd_run_encode_model(sherd_byte_buffer *buffer, const sherd_run_model *model);
void sherd_run_encode_sections(sherd_byte_buffer *buffer, const sherd_run_model *model);
void sherd_run_encode_step(sherd_byte_buffer *buffer, const sherd_run_frame *frame,
                           int obstacle_count, const sherd_bond_index *newly_broken,
                           sherd_bond_index newly_broken_count, int64_t frames_planned);
void sherd_run_encode_frame(sherd_byte_buffer *buffer, const sherd_run_frame *frame,
                            sherd_element_index element_count, sherd_bond_index bond_count);
// `world`: its state in place of the checkpoint's; NULL: none.
sherd_status sherd_run_encode_checkpoint(sherd_byte_buffer *buffer,
                                         const sherd_run_checkpoint *checkpoint,
                                         const sherd_world *world, sherd_error *error);

// The STEP chunk: a frame's data besides the arrays by element.
typedef struct sherd_run_step {
    sherd_run_stats stats;
    double time;
    const sherd_pose *obstacles;          // owned by `owned` of the decoder
    sherd_bond_index newly_broken_count;  // bonds broken since the previous frame
    const sherd_bond_index *newly_broken; // indices of these bonds
    int64_t break_count;
    const sherd_break *breaks; // their breaks
    int64_t frames_planned;    // at the time of writing; 0: as in INFO
} sherd_run_step;

// Decoders take untrusted bytes. SHERD_ERROR_INPUT if they are invalid. `where` names the file.
typedef struct sherd_run_decoders {
    sherd_status (*info)(const unsigned char *bytes, size_t size, const char *where,
                         sherd_owned *owned, sherd_run_info *info, sherd_error *error);
    sherd_status (*model)(const unsigned char *bytes, size_t size, const char *where,
                          sherd_owned *owned, sherd_run_model *model, sherd_error *error);
    // Fills bond_section of the model.
    sherd_status (*sections)(const unsigned char *bytes, size_t size, const char *where,
                             sherd_owned *owned, sherd_run_model *model, sherd_error *error);
    sherd_status (*step)(const unsigned char *bytes, size_t size, const char *where,
                         const sherd_run_model *model, sherd_owned *owned, sherd_run_step *step,
                         sherd_error *error);
    // Fills the arrays by element, and bond_broken or NULL if the frame has none.
    sherd_status (*frame)(const unsigned char *bytes, size_t size, const char *where,
                          const sherd_run_model *model, sherd_owned *owned, sherd_run_frame *frame,
                          sherd_error *error);
} sherd_run_decoders;

// Decoders of a format version. Chunks of formats from SHERD_RUN_FIRST_RECORDS on are
// self-describing records (base/record.h); older ones have a fixed layout.
enum { SHERD_RUN_FIRST_RECORDS = 5 };
const sherd_run_decoders *sherd_run_decoders_of(uint32_t version);
extern const sherd_run_decoders sherd_run_old_decoders; // run_old_formats.c

// Only of this version: checkpoints of older formats cannot be restored.
sherd_status sherd_run_decode_checkpoint(const unsigned char *bytes, size_t size, const char *where,
                                         sherd_owned *owned, sherd_run_checkpoint *checkpoint,
                                         sherd_error *error);

// ---------------------------------------------------------------- what decoders of all versions ask

// SHERD_ERROR_INPUT: "the PART stored here makes no sense".
sherd_status sherd_run_fail_nonsense(const char *where, const char *part, sherd_error *error);
// Rounding to floats changes the norm by 1e-7; readers may rely on unit quaternions. False if some
// are invalid.
bool sherd_run_normalize_quaternions(double *x, double *y, double *z, double *w, size_t n);
bool sherd_run_bonds_make_sense(const sherd_run_model *model);
// The last body whose first element is at or before the element.
sherd_body_index sherd_run_body_of(const sherd_run_model *model, sherd_element_index element);
// For glue, the piece of the element at this end of the bond; otherwise -1.
int32_t sherd_run_piece_of(const sherd_run_model *model, sherd_bond_index bond,
                           sherd_element_index element);
bool sherd_run_tetras_make_sense(const sherd_tetra_mesh *mesh, sherd_element_index elements);
bool sherd_run_body_makes_sense(const sherd_run_model *model, int64_t first, int64_t count);
bool sherd_run_step_makes_sense(const sherd_run_step *step, const sherd_run_model *model);

// A word in a PNG file that says how its picture was made: a text chunk behind the header.
#pragma once

#include <sherd/render.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SHERD_PICTURE_NOTE = 16 }; // of a note, with the terminating zero [bytes]

// Returns a new file with the note, its size in `size`, from a PNG file's bytes. NULL when out of memory. Freed by the
// caller.
uint8_t *sherd_picture_note_add(const uint8_t *png, const char *note, size_t *size);

// As sherd_image_write_png with a note; NULL: none.
sherd_status sherd_image_write_noted(const sherd_image *image, const char *note, const char *path,
                                     sherd_error *error);

// Reads the note of a file. False if it has none.
bool sherd_picture_note_read(const char *path, char note[SHERD_PICTURE_NOTE]);

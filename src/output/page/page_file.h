// The page as a file: the viewer's files, then data in sections that are deflated and
// base64-encoded, so that nothing in a scene can be interpreted as HTML.
#pragma once

#include "base/byte_buffer.h"
#include "output/page/page_delta_encoding.h"

typedef struct sherd_page_section {
    const char *name; // of letters; not copied
    sherd_byte_buffer deflated;
} sherd_page_section;

enum { SHERD_PAGE_SECTIONS = 16 };

typedef struct sherd_page_file {
    int count;
    sherd_page_section sections[SHERD_PAGE_SECTIONS];
    bool failed; // memory was short
} sherd_page_file;

// Adds a section, or replaces the one of the same name.
void sherd_page_file_add(sherd_page_file *file, const char *name, const void *bytes, size_t size);
void sherd_page_file_add_track(sherd_page_file *file, const char *name, sherd_page_track *track);
void sherd_page_file_free(sherd_page_file *file);

// Of the whole page [bytes].
int64_t sherd_page_file_size(const sherd_page_file *file);

// A page opened from disk may not connect to anything; a page served by a program may connect to
// that program only.
typedef enum sherd_page_kind { SHERD_PAGE_ALONE, SHERD_PAGE_SERVED } sherd_page_kind;

sherd_status sherd_page_file_write(const sherd_page_file *file, const char *title,
                                   sherd_page_kind kind, const char *path, sherd_error *error);

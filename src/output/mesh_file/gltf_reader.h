// glTF 2.0 as the parts of its reader share it: the document, its buffers, and numbers in them.
#pragma once

#include "output/mesh_file/mesh_formats.h"

#include <jansson.h>

typedef struct gltf_buffer {
    const unsigned char *bytes; // in the file itself, or `owned`
    size_t size;
    unsigned char *owned;
    sherd_picture_source source; // of a file beside the document
} gltf_buffer;

typedef struct gltf_document {
    const sherd_mesh_source *source;
    json_t *root;
    gltf_buffer *buffers;
    size_t buffer_count;
    size_t size;            // of the file and those of its buffers together
    uint8_t *name_is_taken; // of each material: one before has the same
    uint8_t *image_is_bad;  // of each image: it can't be had, as was noted
} gltf_document;

// Takes a .glb apart, or the text of a .gltf, and gets all buffers, those in other files of its folder too. Release
// in any case.
sherd_status sherd_gltf_open(gltf_document *document, const sherd_mesh_source *source,
                             sherd_error *error);
void sherd_gltf_release(gltf_document *document);

// An error with the place in the document that it is about, "meshes[3]".
sherd_status sherd_gltf_fail(const gltf_document *document, sherd_error *error, const char *hint,
                             const char *what_format, ...) SHERD_PRINTF(4, 5);

// Item `index` of a list of the document, NULL: not there.
json_t *sherd_gltf_item(const gltf_document *document, const char *list, int64_t index);
// A whole number of an object; `otherwise` where it has none such.
int64_t sherd_gltf_integer(const json_t *object, const char *key, int64_t otherwise);

// What a URI holds or leads to: data in base64, or a file beside the document. `owned` is the caller's.
sherd_status sherd_gltf_read_uri(const gltf_document *document, const char *uri, gltf_buffer *out,
                                 sherd_error *error);

// Which file beside the document a URI leads to. False: none, or it is data.
bool sherd_gltf_find_file(const gltf_document *document, const char *uri,
                          sherd_picture_source *source);

// The stretch of a buffer that a view is, and the bytes from one row to the next (0: none given). False: it lies
// beyond.
bool sherd_gltf_find_view(const gltf_document *document, int64_t index, gltf_buffer *view,
                          int64_t *stride);

// A table of numbers in a buffer.
typedef struct gltf_accessor {
    const unsigned char *bytes;
    int64_t count, stride; // rows, and bytes from one to the next
    int type, components;  // 5120 BYTE ... 5126 FLOAT; numbers in a row
    bool normalized;       // whole numbers stand for 0..1 or -1..1
} gltf_accessor;

sherd_status sherd_gltf_accessor_open(const gltf_document *document, int64_t index,
                                      gltf_accessor *accessor, sherd_error *error);
// Number `component` of a row; both must exist.
double sherd_gltf_number(const gltf_accessor *accessor, int64_t row, int component);

// The parts of the glTF 2.0 reader: the document, its buffers, and numbers in them.
#pragma once

#include "output/mesh_file/mesh_formats.h"

#include <jansson.h>

typedef struct gltf_buffer {
    const unsigned char *bytes; // in the file itself, or `owned`
    size_t size;
    unsigned char *owned;
    sherd_picture_source source; // if it is a file in the document's folder
} gltf_buffer;

typedef struct gltf_document {
    const sherd_mesh_source *source;
    json_t *root;
    gltf_buffer *buffers;
    size_t buffer_count;
    size_t size;            // total size of the file and its buffers
    uint8_t *name_is_taken; // by material: an earlier one has the same name
    uint8_t *image_is_bad;  // by image: not available, which was noted
} gltf_document;

// Parses a .glb or .gltf and loads all buffers, also from other files in its folder. Release in any
// case.
sherd_status sherd_gltf_open(gltf_document *document, const sherd_mesh_source *source,
                             sherd_error *error);
void sherd_gltf_release(gltf_document *document);

// An error with the path within the document, "meshes[3]".
sherd_status sherd_gltf_fail(const gltf_document *document, sherd_error *error, const char *hint,
                             const char *what_format, ...) SHERD_PRINTF(4, 5);

// Item `index` of a list in the document, or NULL.
json_t *sherd_gltf_item(const gltf_document *document, const char *list, int64_t index);
// An integer in an object, or `otherwise` if it is missing.
int64_t sherd_gltf_integer(const json_t *object, const char *key, int64_t otherwise);

// Reads a URI: embedded base64 data, or a file in the document's folder. The caller frees `owned`.
sherd_status sherd_gltf_read_uri(const gltf_document *document, const char *uri, gltf_buffer *out,
                                 sherd_error *error);

// Identifies the file in the document's folder that a URI names. False for embedded data or if
// there is none.
bool sherd_gltf_find_file(const gltf_document *document, const char *uri,
                          sherd_picture_source *source);

// The bytes of a buffer view and its stride (0: not given). False if the view exceeds its buffer.
bool sherd_gltf_find_view(const gltf_document *document, int64_t index, gltf_buffer *view,
                          int64_t *stride);

// A table of numbers in a buffer.
typedef struct gltf_accessor {
    const unsigned char *bytes;
    int64_t count, stride; // rows, and bytes from one to the next
    int type, components;  // 5120 BYTE ... 5126 FLOAT; numbers in a row
    bool normalized;       // integers represent 0..1 or -1..1
} gltf_accessor;

sherd_status sherd_gltf_accessor_open(const gltf_document *document, int64_t index,
                                      gltf_accessor *accessor, sherd_error *error);
// Number `component` of a row; both must exist.
double sherd_gltf_number(const gltf_accessor *accessor, int64_t row, int component);

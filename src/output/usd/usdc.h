// A crate file (.usdc) that is being written.
//
//     head, 88 bytes | values, as they come | TOKENS STRINGS FIELDS FIELDSETS PATHS SPECS | contents
//
// A spec (prim, attribute or relationship) is a path and a set of fields; a field is a token and a
// value rep of 8 bytes: the value itself where it is small, else where it lies in the file. Equal
// tokens, paths, fields, sets, and arrays are stored once. Version 0.8.0, which all readers know.
//                                                       openusd.org, pxr/usd/sdf/crateFile.cpp
#pragma once

#include "base/byte_buffer.h"
#include "output/usd/usd_scene.h"

enum {
    SHERD_USDC_BOOL = 1,
    SHERD_USDC_INT = 3,
    SHERD_USDC_STRING = 10,
    SHERD_USDC_DOUBLE = 9,
    SHERD_USDC_TOKEN = 11,
    SHERD_USDC_TOKEN_LIST = 32,
    SHERD_USDC_PATH_LIST = 34,
    SHERD_USDC_TOKENS = 41,
    SHERD_USDC_SPECIFIER = 42,
    SHERD_USDC_VARIABILITY = 44,
    SHERD_USDC_SAMPLES = 46,
    SHERD_USDC_DOUBLES = 48,
};

// Finds items of a list by hashes of their content. Zero-filled is empty.
typedef struct sherd_usdc_index {
    uint64_t *keys;
    uint32_t *items; // number of the item + 1; 0: free
    size_t count, capacity;
} sherd_usdc_index;

enum { SHERD_USDC_NONE = UINT32_MAX };

// Where a value lies that was written before.
typedef struct sherd_usdc_stored {
    uint64_t hash[2]; // of its bytes, two of 64 bits: equal ones are equal values
    uint64_t rep;
} sherd_usdc_stored;

typedef struct sherd_usdc_field {
    uint32_t token;
    uint64_t rep;
} sherd_usdc_field;

typedef struct sherd_usdc_path {
    uint32_t parent, token;
    uint32_t first, last, next; // children and the next sibling; NONE: none
    bool is_property;
} sherd_usdc_path;

typedef struct sherd_usdc_spec {
    uint32_t path, set, kind;
} sherd_usdc_spec;

// Growing list of 32-bit numbers.
typedef struct sherd_usdc_numbers {
    uint32_t *items;
    size_t count, capacity;
} sherd_usdc_numbers;

typedef struct sherd_usdc_prim {
    uint32_t path;
    sherd_usdc_numbers fields, children, properties; // fields, tokens of names
} sherd_usdc_prim;

typedef struct sherd_usdc_file {
    sherd_file_writer *writer;
    bool failed;
    sherd_byte_buffer tokens;    // texts, each with its '\0'
    sherd_usdc_numbers token_at; // where each begins
    sherd_usdc_numbers strings;  // tokens of strings
    sherd_usdc_path *paths;
    size_t path_count, path_capacity;
    sherd_usdc_field *fields;
    size_t field_count, field_capacity;
    sherd_usdc_numbers sets;   // fields of each set, then NONE
    sherd_usdc_numbers set_at; // where each begins
    sherd_usdc_spec *specs;
    size_t spec_count, spec_capacity;
    sherd_usdc_stored *stored;
    size_t stored_count, stored_capacity;
    sherd_usdc_index token_index, path_index, field_index, set_index, stored_index;
    sherd_usdc_prim *open; // the root, and prims that are not ended
    size_t open_count, open_capacity;
    sherd_byte_buffer scratch; // a value before it is written
} sherd_usdc_file;

// ---------------------------------------------------------------- tables

void sherd_usdc_add_number(sherd_usdc_file *file, sherd_usdc_numbers *list, uint32_t number);
uint32_t sherd_usdc_token(sherd_usdc_file *file, const char *text);
// Of the STRINGS section.
uint32_t sherd_usdc_string(sherd_usdc_file *file, const char *text);
uint32_t sherd_usdc_child(sherd_usdc_file *file, uint32_t parent, uint32_t token, bool is_property);
// "/run/materials/steel/surface.outputs:surface"
uint32_t sherd_usdc_path_of(sherd_usdc_file *file, const char *text);
void sherd_usdc_add_field(sherd_usdc_file *file, sherd_usdc_numbers *set, const char *name,
                          uint64_t rep);
void sherd_usdc_add_spec(sherd_usdc_file *file, uint32_t path, int kind,
                         const sherd_usdc_numbers *set);
// The rep of a value of these bytes, 0 if it has not been written yet: then the caller sets it. NULL
// if memory is short.
uint64_t *sherd_usdc_recall(sherd_usdc_file *file, int crate_type, const void *bytes, size_t size);
void sherd_usdc_tables_free(sherd_usdc_file *file);

// ---------------------------------------------------------------- values

// The rep of a value that is small enough to be a part of it.
uint64_t sherd_usdc_inline(int crate_type, uint32_t value);
// Writes values unless they are inline or were written before.
uint64_t sherd_usdc_double(sherd_usdc_file *file, double value);
uint64_t sherd_usdc_value(sherd_usdc_file *file, const sherd_usd_type *type, bool array,
                          const sherd_usd_value *value);
uint64_t sherd_usdc_samples_of(sherd_usdc_file *file, const sherd_usd_type *type, bool array,
                               const sherd_usd_samples *samples);
uint64_t sherd_usdc_tokens(sherd_usdc_file *file, const sherd_usdc_numbers *tokens);
// A list of one token or path, explicit or put before the weaker layers' ones.
uint64_t sherd_usdc_list(sherd_usdc_file *file, int crate_type, bool prepended, uint32_t item);

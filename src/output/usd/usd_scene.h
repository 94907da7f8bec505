// A description of a scene in the terms of Universal Scene Description, as a stream of calls: prims
// nest, and have attributes with a value, samples over time or a connection, and relationships. An
// encoding writes what it is told: text (.usda) or crate (.usdc). Both are told the same, so that
// both files have the same content.
//
// Whatever is passed is only borrowed during the call.              openusd.org, "Glossary of terms"
#pragma once

#include "base/file_writer.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// How values are stored, and the type of `data` in sherd_usd_value.
typedef enum sherd_usd_storage {
    SHERD_USD_TOKEN,  // const char *
    SHERD_USD_STRING, // const char *
    SHERD_USD_ASSET,  // const char *, path of a file
    SHERD_USD_INT,    // int32_t
    SHERD_USD_INT64,  // int64_t
    SHERD_USD_FLOAT,  // float, of tuples and quaternions (x, y, z, real part) several
    SHERD_USD_HALF,   // float, stored in 16 bits
    SHERD_USD_DOUBLE, // double
} sherd_usd_storage;

// A type of attributes; those that differ only in meaning (point3f, color3f) are stored alike.
typedef struct sherd_usd_type {
    const char *name; // without the [] of arrays
    sherd_usd_storage storage;
    int width;       // components
    bool quaternion; // text has the real part first
    uint8_t crate;   // number of the stored type in .usdc
} sherd_usd_type;

// The type of that name, with or without [], which must be one of the table's; *array: whether it
// ends with [].
const sherd_usd_type *sherd_usd_type_find(const char *name, bool *array);
// Size of an item of `data` [bytes].
size_t sherd_usd_type_size(const sherd_usd_type *type);

typedef struct sherd_usd_value {
    size_t count;     // items of an array; 1 if it is none
    const void *data; // NULL: no value
} sherd_usd_value;

// Values over time. get() fills *value, valid until its next call; false if it failed.
typedef struct sherd_usd_samples {
    size_t count;
    const double *times; // time codes, ascending (count)
    bool (*get)(void *context, size_t k, sherd_usd_value *value);
    void *context;
} sherd_usd_samples;

typedef struct sherd_usd_attribute {
    const char *type; // "point3f[]"
    const char *name;
    bool uniform; // the same at all times
    bool custom;  // of no schema
    sherd_usd_value value;
    const sherd_usd_samples *samples; // NULL: none
    const char *interpolation;        // of primvars, which have a value; NULL: none
    const char *connection;           // path of an output; NULL: none
} sherd_usd_attribute;

typedef struct sherd_usd_prim {
    const char *type, *name;
    bool is_class;        // not shown itself, others inherit it
    const char *kind;     // NULL: none
    const char *inherits; // path of a class; NULL: none
    const char *schema;   // applied API schema; NULL: none
} sherd_usd_prim;

typedef struct sherd_usd_stage {
    const char *default_prim, *documentation;
    double first_code, last_code; // time codes
    double codes_per_second;      // of time codes and of frames
    double meters_per_unit;
    const char *up_axis;
} sherd_usd_stage;

// An encoding of the calls. Failures are kept until `finish`.
typedef struct sherd_usd_encoding {
    // NULL if memory is short. The writer is borrowed.
    void *(*create)(sherd_file_writer *writer, const sherd_usd_stage *stage);
    void (*begin)(void *file, const sherd_usd_prim *prim);
    void (*attribute)(void *file, const sherd_usd_attribute *attribute);
    void (*relationship)(void *file, const char *name, const char *target);
    void (*end)(void *file);
    // False if memory was short or a sample could not be had.
    bool (*finish)(void *file);
    void (*destroy)(void *file);
} sherd_usd_encoding;

extern const sherd_usd_encoding sherd_usda_encoding, sherd_usdc_encoding;

// An encoding and its file, that calls go to.
typedef struct sherd_usd_output {
    const sherd_usd_encoding *encoding;
    void *file;
} sherd_usd_output;

// Shorthands for attributes that have one value.
void sherd_usd_put(const sherd_usd_output *out, const char *type, const char *name, size_t count,
                   const void *data);
void sherd_usd_put_uniform(const sherd_usd_output *out, const char *type, const char *name,
                           size_t count, const void *data);
void sherd_usd_put_text(const sherd_usd_output *out, const char *type, const char *name,
                        const char *text);
void sherd_usd_put_primvar(const sherd_usd_output *out, const char *type, const char *name,
                           const char *interpolation, size_t count, const void *data);

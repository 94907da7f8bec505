// Values of a crate file: what fits into 4 bytes is a part of its rep, everything else is written
// where the file ends, arrays once.
#include "base/memory.h"
#include "math/half.h"
#include "output/usd/crate_coding.h"
#include "output/usd/usdc.h"

#include <math.h>
#include <string.h>

static const uint64_t ARRAY = UINT64_C(1) << 63, INLINED = UINT64_C(1) << 62,
                      COMPRESSED = UINT64_C(1) << 61;
enum { LEAST_COMPRESSED = 16 }; // integers of an array

static uint64_t rep_of(int crate_type, uint64_t payload)
{
    return (uint64_t)crate_type << 48 | payload;
}

uint64_t sherd_usdc_inline(int crate_type, uint32_t value)
{
    return rep_of(crate_type, value) | INLINED;
}

static uint64_t tell(const sherd_usdc_file *file)
{
    return (uint64_t)sherd_file_writer_size(file->writer);
}

static void put(sherd_usdc_file *file, const void *bytes, size_t size)
{
    sherd_file_writer_write(file->writer, bytes, size);
}

static void put_size(sherd_usdc_file *file, uint64_t size)
{
    put(file, &size, sizeof size);
}

static void align(sherd_usdc_file *file)
{
    const uint64_t zero = 0;
    size_t past = (size_t)(tell(file) % sizeof zero);
    if (past > 0) put(file, &zero, sizeof zero - past);
}

// ---------------------------------------------------------------- single values

// Tuples of whole numbers from -128 to 127 take a byte each.
static bool fit_bytes(const double *components, int width, uint32_t *to)
{
    unsigned char bytes[4] = {0};
    for (int c = 0; c < width; ++c) {
        double x = components[c];
        if (!(x >= -128.0 && x <= 127.0) || x != nearbyint(x) || (x == 0.0 && signbit(x)))
            return false;
        bytes[c] = (unsigned char)(int)x;
    }
    memcpy(to, bytes, sizeof *to);
    return true;
}

static uint64_t put_stored(sherd_usdc_file *file, int crate_type, const void *bytes, size_t size)
{
    uint64_t rep = rep_of(crate_type, tell(file));
    put(file, bytes, size);
    return rep;
}

uint64_t sherd_usdc_double(sherd_usdc_file *file, double value)
{
    float narrow = (float)value;
    uint32_t bits;
    memcpy(&bits, &narrow, sizeof bits);
    return (double)narrow == value ? sherd_usdc_inline(SHERD_USDC_DOUBLE, bits)
                                   : put_stored(file, SHERD_USDC_DOUBLE, &value, sizeof value);
}

static uint64_t put_tuple(sherd_usdc_file *file, const sherd_usd_type *type, const void *data)
{
    double components[4] = {0.0};
    uint32_t bytes;
    for (int c = 0; c < type->width; ++c)
        components[c] = type->storage == SHERD_USD_DOUBLE ? ((const double *)data)[c]
                                                          : (double)((const float *)data)[c];
    if (!type->quaternion && fit_bytes(components, type->width, &bytes))
        return sherd_usdc_inline(type->crate, bytes);
    return put_stored(file, type->crate, data, sherd_usd_type_size(type));
}

static uint64_t put_single(sherd_usdc_file *file, const sherd_usd_type *type, const void *data)
{
    uint32_t bits = 0;
    switch (type->storage) {
    case SHERD_USD_TOKEN:
    case SHERD_USD_ASSET:
        return sherd_usdc_inline(type->crate, sherd_usdc_token(file, *(const char *const *)data));
    case SHERD_USD_STRING:
        return sherd_usdc_inline(type->crate, sherd_usdc_string(file, *(const char *const *)data));
    case SHERD_USD_INT64: {
        int64_t wide = *(const int64_t *)data;
        if (wide == (int32_t)wide) return sherd_usdc_inline(type->crate, (uint32_t)wide);
        return put_stored(file, type->crate, data, sizeof wide);
    }
    case SHERD_USD_DOUBLE:
        if (type->width == 1) return sherd_usdc_double(file, *(const double *)data);
        break;
    case SHERD_USD_INT:
    case SHERD_USD_FLOAT:
    case SHERD_USD_HALF:
        if (type->width > 1) break;
        memcpy(&bits, data, sizeof bits);
        return sherd_usdc_inline(type->crate, bits);
    }
    return put_tuple(file, type, data);
}

// ---------------------------------------------------------------- arrays

static uint64_t put_plain_array(sherd_usdc_file *file, int crate_type, const void *items,
                                size_t count, size_t size)
{
    align(file);
    uint64_t rep = rep_of(crate_type, tell(file)) | ARRAY;
    put_size(file, count);
    put(file, items, size);
    return rep;
}

static uint64_t put_integers(sherd_usdc_file *file, const sherd_usd_type *type,
                             const sherd_usd_value *value)
{
    size_t width = sherd_usd_type_size(type);
    if (value->count < LEAST_COMPRESSED)
        return put_plain_array(file, type->crate, value->data, value->count, width * value->count);
    uint64_t rep = rep_of(type->crate, tell(file)) | ARRAY | COMPRESSED;
    file->scratch.size = 0;
    sherd_crate_compress_integers(&file->scratch, value->data, value->count, (int)width);
    put_size(file, value->count);
    put(file, file->scratch.bytes, file->scratch.size);
    file->failed = file->failed || file->scratch.failed;
    return rep;
}

static uint64_t put_halves(sherd_usdc_file *file, const sherd_usd_type *type,
                           const sherd_usd_value *value)
{
    size_t count = value->count * (size_t)type->width;
    const float *from = value->data;
    file->scratch.size = 0;
    unsigned char *to = sherd_byte_buffer_extend(&file->scratch, count * sizeof(uint16_t));
    for (size_t k = 0; to != NULL && k < count; ++k) {
        uint16_t half = sherd_half_from_float(from[k]);
        memcpy(to + k * sizeof half, &half, sizeof half);
    }
    file->failed = file->failed || file->scratch.failed;
    if (to == NULL) return 0;
    return put_plain_array(file, type->crate, file->scratch.bytes, value->count,
                           file->scratch.size);
}

static uint64_t put_texts(sherd_usdc_file *file, const sherd_usd_type *type,
                          const sherd_usd_value *value)
{
    sherd_usdc_numbers tokens = {0};
    for (size_t k = 0; k < value->count; ++k)
        sherd_usdc_add_number(file, &tokens,
                              sherd_usdc_token(file, ((const char *const *)value->data)[k]));
    size_t size = tokens.count * sizeof *tokens.items;
    uint64_t *rep = sherd_usdc_recall(file, type->crate, tokens.items, size);
    if (rep != NULL && *rep == 0)
        *rep = put_plain_array(file, type->crate, tokens.items, tokens.count, size);
    sherd_free(tokens.items);
    return rep != NULL ? *rep : 0;
}

static uint64_t put_array(sherd_usdc_file *file, const sherd_usd_type *type,
                          const sherd_usd_value *value)
{
    if (value->count == 0) return rep_of(type->crate, 0) | ARRAY;
    if (type->storage <= SHERD_USD_ASSET) return put_texts(file, type, value);
    size_t size = value->count * sherd_usd_type_size(type);
    uint64_t *rep = sherd_usdc_recall(file, type->crate, value->data, size);
    if (rep == NULL) return 0;
    if (*rep != 0) return *rep;
    if (type->storage == SHERD_USD_INT || type->storage == SHERD_USD_INT64)
        *rep = put_integers(file, type, value);
    else if (type->storage == SHERD_USD_HALF)
        *rep = put_halves(file, type, value);
    else
        *rep = put_plain_array(file, type->crate, value->data, value->count, size);
    return *rep;
}

uint64_t sherd_usdc_value(sherd_usdc_file *file, const sherd_usd_type *type, bool array,
                          const sherd_usd_value *value)
{
    return array ? put_array(file, type, value) : put_single(file, type, value->data);
}

uint64_t sherd_usdc_tokens(sherd_usdc_file *file, const sherd_usdc_numbers *tokens)
{
    uint64_t rep = rep_of(SHERD_USDC_TOKENS, tell(file));
    put_size(file, tokens->count);
    put(file, tokens->items, tokens->count * sizeof *tokens->items);
    return rep;
}

uint64_t sherd_usdc_list(sherd_usdc_file *file, int crate_type, bool prepended, uint32_t item)
{
    enum { EXPLICIT = 1 | 2, PREPENDED = 32 };
    const uint32_t content[2] = {prepended ? PREPENDED : EXPLICIT, item};
    uint64_t *rep = sherd_usdc_recall(file, crate_type, content, sizeof content);
    if (rep == NULL) return 0;
    if (*rep != 0) return *rep;
    *rep = rep_of(crate_type, tell(file));
    unsigned char head = (unsigned char)content[0];
    put(file, &head, 1);
    put_size(file, 1);
    put(file, &item, sizeof item);
    return *rep;
}

// ---------------------------------------------------------------- samples

static uint64_t put_times(sherd_usdc_file *file, const sherd_usd_samples *samples)
{
    size_t size = samples->count * sizeof *samples->times;
    uint64_t *rep = sherd_usdc_recall(file, SHERD_USDC_DOUBLES, samples->times, size);
    if (rep == NULL) return 0;
    if (*rep != 0) return *rep;
    *rep = rep_of(SHERD_USDC_DOUBLES, tell(file));
    put_size(file, samples->count);
    put(file, samples->times, size);
    return *rep;
}

// The values and their times come first, because the record needs the reps of both. Each of its two
// parts begins with the distance to itself, which would span values written in between.
uint64_t sherd_usdc_samples_of(sherd_usdc_file *file, const sherd_usd_type *type, bool array,
                               const sherd_usd_samples *samples)
{
    uint64_t times = put_times(file, samples);
    uint64_t *reps = sherd_alloc(samples->count, sizeof *reps);
    file->failed = file->failed || reps == NULL;
    for (size_t k = 0; k < samples->count && !file->failed; ++k) {
        sherd_usd_value value = {0};
        if (samples->get(samples->context, k, &value))
            reps[k] = sherd_usdc_value(file, type, array, &value);
        else
            file->failed = true;
    }
    align(file);
    uint64_t rep = rep_of(SHERD_USDC_SAMPLES, tell(file));
    put_size(file, sizeof times);
    put(file, &times, sizeof times);
    put_size(file, sizeof times);
    put_size(file, samples->count);
    if (reps != NULL) put(file, reps, samples->count * sizeof *reps);
    sherd_free(reps);
    return rep;
}

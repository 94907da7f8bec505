// Reads values of a .msh, text or binary, and reports errors.
#include "output/mesh_file/msh_reader.h"

#include "base/error.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

void sherd_msh_fail(msh_reader *r, const char *hint, const char *what_format, ...)
{
    if (msh_failed(r)) return;
    char where[SHERD_ERROR_TEXT_SIZE], what[SHERD_ERROR_TEXT_SIZE];
    if (r->binary)
        snprintf(where, sizeof where, "%s: byte %zu", r->scanner.path,
                 (size_t)(r->scanner.at - r->begin));
    else
        snprintf(where, sizeof where, "%s:%ld", r->scanner.path, r->scanner.line);
    va_list arguments;
    va_start(arguments, what_format);
    vsnprintf(what, sizeof what, what_format, arguments);
    va_end(arguments);
    r->status = sherd_fail(r->error, SHERD_ERROR_INPUT, where, hint, "%s", what);
}

const unsigned char *sherd_msh_take_bytes(msh_reader *r, size_t size, const char *what)
{
    if (!msh_failed(r) && msh_bytes_left(r) < size)
        sherd_msh_fail(r, "the file is cut off: export it again",
                       "the file ends where %s should be", what);
    if (msh_failed(r)) return NULL;
    const unsigned char *bytes = (const unsigned char *)r->scanner.at;
    r->scanner.at += size;
    return bytes;
}

double sherd_msh_text_number(msh_reader *r, const char *what)
{
    double value = 0.0;
    if (msh_failed(r)) return 0.0;
    sherd_text_word word = sherd_scan_word(&r->scanner);
    if (word.size > 0 && word.text[0] == '$')
        sherd_msh_fail(r, "the section ends too early: export the mesh again", "%s is missing",
                       what);
    else
        r->status = sherd_scan_number(&r->scanner, word, what, &value, r->error);
    return msh_failed(r) ? 0.0 : value;
}

double sherd_msh_take_real(msh_reader *r, const char *what)
{
    if (!r->binary) return sherd_msh_text_number(r, what);
    const unsigned char *bytes = sherd_msh_take_bytes(r, 8, what);
    double value = bytes != NULL ? sherd_load_f64(bytes, r->order) : 0.0;
    if (!isfinite(value)) sherd_msh_fail(r, "export the mesh again", "%s must be finite", what);
    return msh_failed(r) ? 0.0 : value;
}

int64_t sherd_msh_take_integer(msh_reader *r, size_t size, const char *what)
{
    if (r->binary) {
        const unsigned char *bytes = sherd_msh_take_bytes(r, size, what);
        if (bytes == NULL) return 0;
        uint64_t bits = sherd_load_bytes(bytes, size, r->order);
        return size == 4 ? (int32_t)(uint32_t)bits : (int64_t)bits;
    }
    double value = sherd_msh_text_number(r, what);
    if (value != floor(value) || fabs(value) > 9e15)
        sherd_msh_fail(r, NULL, "%s must be a whole number, got %g", what, value);
    return msh_failed(r) ? 0 : (int64_t)value;
}

int64_t sherd_msh_take_size(msh_reader *r, const char *what)
{
    return sherd_msh_take_integer(r, 8, what);
}

int64_t sherd_msh_take_int(msh_reader *r, const char *what)
{
    return sherd_msh_take_integer(r, 4, what);
}

size_t sherd_msh_check_count(msh_reader *r, int64_t count, size_t text_bytes, size_t binary_bytes,
                             const char *what)
{
    size_t each = r->binary ? binary_bytes : text_bytes;
    if (count < 0 || (uint64_t)count > msh_bytes_left(r) / each || count > INT32_MAX / 4)
        sherd_msh_fail(r, "the file is cut off or damaged: export it again",
                       "it announces %lld %s, more than the rest of the file can hold",
                       (long long)count, what);
    return msh_failed(r) ? 0 : (size_t)count;
}

int64_t sherd_msh_take_section_count(msh_reader *r, const char *what)
{
    bool binary = r->binary;
    r->binary = false;
    int64_t count = sherd_msh_take_int(r, what);
    r->binary = binary;
    if (binary && !msh_failed(r)) sherd_scan_next_line(&r->scanner);
    return count;
}

#include "output/usd/usd_record.h"

#include "base/memory.h"

#include <string.h>

// A call is its kind, then its texts, numbers and values, each a multiple of 8 bytes.
typedef enum call_kind { BEGIN, ATTRIBUTE, RELATIONSHIP, END } call_kind;

// ---------------------------------------------------------------- recording

static void put(sherd_byte_buffer *calls, const void *bytes, size_t size)
{
    unsigned char *to = sherd_byte_buffer_extend(calls, (size + 7) / 8 * 8);
    if (to == NULL) return;
    memset(to + size, 0, (size + 7) / 8 * 8 - size);
    if (size > 0) memcpy(to, bytes, size);
}

static void put_number(sherd_byte_buffer *calls, uint64_t number)
{
    put(calls, &number, sizeof number);
}

// NULL is stored with size 0.
static void put_text(sherd_byte_buffer *calls, const char *text)
{
    size_t size = text != NULL ? strlen(text) + 1 : 0;
    put_number(calls, size);
    put(calls, text, size);
}

static void begin(void *file, const sherd_usd_prim *prim)
{
    put_number(file, BEGIN);
    put_number(file, prim->is_class);
    const char *const texts[] = {prim->type, prim->name, prim->kind, prim->inherits, prim->schema};
    for (int k = 0; k < 5; ++k)
        put_text(file, texts[k]);
}

static void attribute(void *file, const sherd_usd_attribute *a)
{
    bool array;
    const sherd_usd_type *type = sherd_usd_type_find(a->type, &array);
    put_number(file, ATTRIBUTE);
    put_number(file, (uint64_t)a->uniform | (uint64_t)a->custom << 1 |
                         (uint64_t)(a->value.data != NULL) << 2);
    const char *const texts[] = {a->type, a->name, a->interpolation, a->connection};
    for (int k = 0; k < 4; ++k)
        put_text(file, texts[k]);
    if (a->value.data == NULL) return;
    put_number(file, a->value.count);
    if (type->storage > SHERD_USD_ASSET) {
        put(file, a->value.data, a->value.count * sherd_usd_type_size(type));
        return;
    }
    for (size_t k = 0; k < a->value.count; ++k)
        put_text(file, ((const char *const *)a->value.data)[k]);
}

static void relationship(void *file, const char *name, const char *target)
{
    put_number(file, RELATIONSHIP);
    put_text(file, name);
    put_text(file, target);
}

static void end(void *file)
{
    put_number(file, END);
}

const sherd_usd_encoding sherd_usd_recorder = {
    .begin = begin, .attribute = attribute, .relationship = relationship, .end = end};

sherd_usd_record sherd_usd_record_store(sherd_byte_buffer *calls, sherd_spool *spool)
{
    const sherd_usd_record record = {sherd_spool_size(spool), (int64_t)calls->size};
    sherd_spool_append(spool, calls->bytes, calls->size);
    calls->size = 0;
    return record;
}

// ---------------------------------------------------------------- playing

static const void *take(const unsigned char **at, size_t size)
{
    const void *bytes = *at;
    *at += (size + 7) / 8 * 8;
    return bytes;
}

static uint64_t take_number(const unsigned char **at)
{
    return *(const uint64_t *)take(at, sizeof(uint64_t));
}

static const char *take_text(const unsigned char **at)
{
    size_t size = take_number(at);
    return size > 0 ? take(at, size) : NULL;
}

static void play_begin(const unsigned char **at, const sherd_usd_output *out)
{
    sherd_usd_prim prim = {.is_class = take_number(at) != 0};
    const char **const texts[] = {&prim.type, &prim.name, &prim.kind, &prim.inherits, &prim.schema};
    for (int k = 0; k < 5; ++k)
        *texts[k] = take_text(at);
    out->encoding->begin(out->file, &prim);
}

static bool play_attribute(const unsigned char **at, const sherd_usd_output *out)
{
    uint64_t flags = take_number(at);
    sherd_usd_attribute a = {.uniform = flags & 1, .custom = flags >> 1 & 1};
    const char **const texts[] = {&a.type, &a.name, &a.interpolation, &a.connection};
    const char **list = NULL;
    bool array;
    for (int k = 0; k < 4; ++k)
        *texts[k] = take_text(at);
    const sherd_usd_type *type = sherd_usd_type_find(a.type, &array);
    if (flags >> 2 & 1) {
        a.value.count = take_number(at);
        if (type->storage > SHERD_USD_ASSET) {
            a.value.data = take(at, a.value.count * sherd_usd_type_size(type));
        } else {
            a.value.data = list = sherd_alloc(a.value.count, sizeof *list);
            for (size_t k = 0; list != NULL && k < a.value.count; ++k)
                list[k] = take_text(at);
            if (list == NULL) return false;
        }
    }
    out->encoding->attribute(out->file, &a);
    sherd_free(list);
    return true;
}

static bool play(const unsigned char *at, const unsigned char *last, const sherd_usd_output *out)
{
    bool good = true;
    while (good && at < last) {
        switch ((call_kind)take_number(&at)) {
        case BEGIN:
            play_begin(&at, out);
            break;
        case ATTRIBUTE:
            good = play_attribute(&at, out);
            break;
        case RELATIONSHIP: {
            const char *name = take_text(&at);
            out->encoding->relationship(out->file, name, take_text(&at));
            break;
        }
        case END:
            out->encoding->end(out->file);
            break;
        }
    }
    return good;
}

bool sherd_usd_record_play(sherd_usd_record record, sherd_spool *spool, const sherd_usd_output *out)
{
    unsigned char *calls = sherd_alloc((size_t)record.size, 1);
    if (calls == NULL) return false;
    sherd_spool_read(spool, record.offset, calls, (size_t)record.size);
    bool good = spool->system_error == 0 && play(calls, calls + record.size, out);
    sherd_free(calls);
    return good;
}

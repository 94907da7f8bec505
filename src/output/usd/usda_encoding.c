// Text USD. Numbers of single precision have 9 digits, which give them back exactly.
//                                                    openusd.org, "USD file formats: usda"
#include "base/byte_buffer.h"
#include "base/memory.h"
#include "output/export/json.h"
#include "output/text.h"
#include "output/usd/usd_scene.h"

#include <string.h>

enum { FLUSH_SIZE = 1 << 16, FLOAT_DIGITS = 9, DOUBLE_DIGITS = 15 };

typedef struct usda_file {
    sherd_file_writer *writer;
    sherd_byte_buffer text;
    int depth;
    bool failed;
} usda_file;

static void put(usda_file *file, const char *text)
{
    sherd_json_raw(&file->text, text);
}

static void indent(usda_file *file, int more)
{
    for (int k = 0; k < file->depth + more; ++k)
        put(file, "    ");
}

static void flush(usda_file *file, size_t least)
{
    if (file->text.size < least) return;
    sherd_file_writer_write(file->writer, file->text.bytes, file->text.size);
    file->text.size = 0;
}

static void put_number(usda_file *file, double number, int digits)
{
    char text[SHERD_NUMBER_SIZE];
    put(file, sherd_number_text(text, number, digits));
}

// ---------------------------------------------------------------- values

static double component(const sherd_usd_type *type, const void *data, size_t k)
{
    switch (type->storage) {
    case SHERD_USD_INT:
        return ((const int32_t *)data)[k];
    case SHERD_USD_INT64:
        return (double)((const int64_t *)data)[k];
    case SHERD_USD_DOUBLE:
        return ((const double *)data)[k];
    default:
        return (double)((const float *)data)[k];
    }
}

static void put_text_item(usda_file *file, const sherd_usd_type *type, const char *text)
{
    if (type->storage != SHERD_USD_ASSET) {
        sherd_json_string(&file->text, text);
        return;
    }
    put(file, "@");
    put(file, text);
    put(file, "@");
}

static void put_item(usda_file *file, const sherd_usd_type *type, const void *data, size_t k)
{
    size_t width = (size_t)type->width;
    if (type->storage <= SHERD_USD_ASSET) {
        put_text_item(file, type, ((const char *const *)data)[k]);
    } else if (type->storage == SHERD_USD_INT || type->storage == SHERD_USD_INT64) {
        sherd_json_integer(&file->text, type->storage == SHERD_USD_INT
                                            ? ((const int32_t *)data)[k]
                                            : ((const int64_t *)data)[k]);
    } else {
        int digits = type->storage == SHERD_USD_DOUBLE ? DOUBLE_DIGITS : FLOAT_DIGITS;
        for (size_t c = 0; c < width; ++c) {
            size_t from = type->quaternion ? (c + width - 1) % width : c;
            if (width > 1) put(file, c == 0 ? "(" : ", ");
            put_number(file, component(type, data, width * k + from), digits);
        }
        if (width > 1) put(file, ")");
    }
}

static void put_value(usda_file *file, const sherd_usd_type *type, bool array,
                      const sherd_usd_value *value)
{
    if (array) put(file, "[");
    for (size_t k = 0; k < value->count; ++k) {
        if (k > 0) put(file, ", ");
        put_item(file, type, value->data, k);
        flush(file, FLUSH_SIZE);
    }
    if (array) put(file, "]");
}

// ---------------------------------------------------------------- prims

static void begin(void *context, const sherd_usd_prim *prim)
{
    usda_file *file = context;
    bool about = prim->kind != NULL || prim->inherits != NULL || prim->schema != NULL;
    indent(file, 0);
    put(file, prim->is_class ? "class " : "def ");
    put(file, prim->type);
    put(file, " \"");
    put(file, prim->name);
    put(file, about ? "\" (\n" : "\"\n");
    const char *const rows[3][3] = {{"kind = \"", prim->kind, "\"\n"},
                                    {"prepend inherits = <", prim->inherits, ">\n"},
                                    {"prepend apiSchemas = [\"", prim->schema, "\"]\n"}};
    for (int r = 0; r < 3; ++r) {
        if (rows[r][1] == NULL) continue;
        indent(file, 1);
        for (int k = 0; k < 3; ++k)
            put(file, rows[r][k]);
    }
    if (about) {
        indent(file, 0);
        put(file, ")\n");
    }
    indent(file, 0);
    put(file, "{\n");
    ++file->depth;
}

static void end(void *context)
{
    usda_file *file = context;
    --file->depth;
    indent(file, 0);
    put(file, "}\n");
    flush(file, FLUSH_SIZE);
}

static void declare(usda_file *file, const sherd_usd_attribute *a)
{
    indent(file, 0);
    if (a->custom) put(file, "custom ");
    if (a->uniform) put(file, "uniform ");
    put(file, a->type);
    put(file, " ");
    put(file, a->name);
}

static void put_about(usda_file *file, const sherd_usd_attribute *a)
{
    if (a->interpolation == NULL) {
        put(file, "\n");
        return;
    }
    put(file, " (\n");
    indent(file, 1);
    put(file, "interpolation = \"");
    put(file, a->interpolation);
    put(file, "\"\n");
    indent(file, 0);
    put(file, ")\n");
}

static void put_samples(usda_file *file, const sherd_usd_type *type, bool array,
                        const sherd_usd_samples *samples)
{
    put(file, ".timeSamples = {\n");
    for (size_t k = 0; k < samples->count && !file->failed; ++k) {
        sherd_usd_value value = {0};
        indent(file, 1);
        put_number(file, samples->times[k], FLOAT_DIGITS);
        put(file, ": ");
        file->failed = !samples->get(samples->context, k, &value);
        put_value(file, type, array, &value);
        put(file, ",\n");
    }
    indent(file, 0);
    put(file, "}\n");
}

// Text has a line for each of an attribute's opinions: value, samples, connection. What is said about
// it stands with the value.
static void attribute(void *context, const sherd_usd_attribute *a)
{
    usda_file *file = context;
    bool array, none = a->samples == NULL && a->connection == NULL;
    const sherd_usd_type *type = sherd_usd_type_find(a->type, &array);
    if (a->value.data != NULL || none) {
        declare(file, a);
        if (a->value.data != NULL) put(file, " = ");
        if (a->value.data != NULL) put_value(file, type, array, &a->value);
        put_about(file, a);
    }
    if (a->samples != NULL) {
        declare(file, a);
        put_samples(file, type, array, a->samples);
    }
    if (a->connection != NULL) {
        declare(file, a);
        put(file, ".connect = <");
        put(file, a->connection);
        put(file, ">\n");
    }
    flush(file, FLUSH_SIZE);
}

static void relationship(void *context, const char *name, const char *target)
{
    usda_file *file = context;
    indent(file, 0);
    put(file, "rel ");
    put(file, name);
    put(file, " = <");
    put(file, target);
    put(file, ">\n");
}

// ---------------------------------------------------------------- file

static void put_row(usda_file *file, const char *name, double number)
{
    indent(file, 1);
    put(file, name);
    put(file, " = ");
    put_number(file, number, FLOAT_DIGITS);
    put(file, "\n");
}

static void *create(sherd_file_writer *writer, const sherd_usd_stage *stage)
{
    usda_file *file = sherd_alloc(1, sizeof *file);
    if (file == NULL) return NULL;
    file->writer = writer;
    put(file, "#usda 1.0\n(\n    defaultPrim = ");
    sherd_json_string(&file->text, stage->default_prim);
    put(file, "\n    doc = ");
    sherd_json_string(&file->text, stage->documentation);
    put(file, "\n");
    put_row(file, "endTimeCode", stage->last_code);
    put_row(file, "framesPerSecond", stage->codes_per_second);
    put_row(file, "metersPerUnit", stage->meters_per_unit);
    put_row(file, "startTimeCode", stage->first_code);
    put_row(file, "timeCodesPerSecond", stage->codes_per_second);
    put(file, "    upAxis = ");
    sherd_json_string(&file->text, stage->up_axis);
    put(file, "\n)\n\n");
    return file;
}

static bool finish(void *context)
{
    usda_file *file = context;
    flush(file, 0);
    return !file->failed && !file->text.failed;
}

static void destroy(void *context)
{
    usda_file *file = context;
    if (file == NULL) return;
    sherd_byte_buffer_free(&file->text);
    sherd_free(file);
}

const sherd_usd_encoding sherd_usda_encoding = {.create = create,
                                                .begin = begin,
                                                .attribute = attribute,
                                                .relationship = relationship,
                                                .end = end,
                                                .finish = finish,
                                                .destroy = destroy};

#include "base/memory.h"
#include "output/usd/crate_coding.h"
#include "output/usd/usdc.h"

#include <string.h>

enum { HEAD_SIZE = 88, SECTION_NAME = 16, SECTIONS = 6 };
enum { VERSION_MAJOR = 0, VERSION_MINOR = 8 };
enum { ATTRIBUTE_SPEC = 1, PRIM_SPEC = 6, ROOT_SPEC = 7, RELATIONSHIP_SPEC = 8 };
enum { DEF = 0, CLASS = 2, UNIFORM = 1 };

static uint64_t token_rep(sherd_usdc_file *file, const char *text)
{
    return sherd_usdc_inline(SHERD_USDC_TOKEN, sherd_usdc_token(file, text));
}

// ---------------------------------------------------------------- prims

// Opens a prim, or the root, as a child of the innermost one that is open.
static void open_prim(sherd_usdc_file *file, uint32_t path)
{
    if (sherd_grow((void **)&file->open, &file->open_capacity, file->open_count + 1,
                   sizeof *file->open))
        file->open[file->open_count++] = (sherd_usdc_prim){.path = path};
    else
        file->failed = true;
}

static sherd_usdc_prim *innermost(sherd_usdc_file *file)
{
    return &file->open[file->open_count - 1];
}

static void begin(void *context, const sherd_usd_prim *prim)
{
    sherd_usdc_file *file = context;
    if (file->failed) return;
    uint32_t name = sherd_usdc_token(file, prim->name);
    sherd_usdc_add_number(file, &innermost(file)->children, name);
    open_prim(file, sherd_usdc_child(file, innermost(file)->path, name, false));
    if (file->failed) return;
    sherd_usdc_numbers *set = &innermost(file)->fields;
    sherd_usdc_add_field(file, set, "specifier",
                         sherd_usdc_inline(SHERD_USDC_SPECIFIER, prim->is_class ? CLASS : DEF));
    sherd_usdc_add_field(file, set, "typeName", token_rep(file, prim->type));
    if (prim->kind != NULL) sherd_usdc_add_field(file, set, "kind", token_rep(file, prim->kind));
    if (prim->inherits != NULL)
        sherd_usdc_add_field(file, set, "inheritPaths",
                             sherd_usdc_list(file, SHERD_USDC_PATH_LIST, true,
                                             sherd_usdc_path_of(file, prim->inherits)));
    if (prim->schema != NULL)
        sherd_usdc_add_field(file, set, "apiSchemas",
                             sherd_usdc_list(file, SHERD_USDC_TOKEN_LIST, true,
                                             sherd_usdc_token(file, prim->schema)));
}

static void close_prim(sherd_usdc_file *file, int kind)
{
    sherd_usdc_prim *prim = innermost(file);
    if (prim->properties.count > 0)
        sherd_usdc_add_field(file, &prim->fields, "properties",
                             sherd_usdc_tokens(file, &prim->properties));
    if (prim->children.count > 0)
        sherd_usdc_add_field(file, &prim->fields, "primChildren",
                             sherd_usdc_tokens(file, &prim->children));
    sherd_usdc_add_spec(file, prim->path, kind, &prim->fields);
    sherd_free(prim->fields.items);
    sherd_free(prim->children.items);
    sherd_free(prim->properties.items);
    --file->open_count;
}

static void end(void *context)
{
    sherd_usdc_file *file = context;
    if (!file->failed) close_prim(file, PRIM_SPEC);
}

// ---------------------------------------------------------------- properties

static uint32_t add_property(sherd_usdc_file *file, const char *name)
{
    uint32_t token = sherd_usdc_token(file, name);
    sherd_usdc_add_number(file, &innermost(file)->properties, token);
    return sherd_usdc_child(file, innermost(file)->path, token, true);
}

static void attribute(void *context, const sherd_usd_attribute *a)
{
    sherd_usdc_file *file = context;
    if (file->failed) return;
    bool array;
    const sherd_usd_type *type = sherd_usd_type_find(a->type, &array);
    uint32_t path = add_property(file, a->name);
    sherd_usdc_numbers set = {0};
    sherd_usdc_add_field(file, &set, "typeName", token_rep(file, a->type));
    if (a->uniform)
        sherd_usdc_add_field(file, &set, "variability",
                             sherd_usdc_inline(SHERD_USDC_VARIABILITY, UNIFORM));
    if (a->custom)
        sherd_usdc_add_field(file, &set, "custom", sherd_usdc_inline(SHERD_USDC_BOOL, 1));
    if (a->value.data != NULL)
        sherd_usdc_add_field(file, &set, "default", sherd_usdc_value(file, type, array, &a->value));
    if (a->samples != NULL)
        sherd_usdc_add_field(file, &set, "timeSamples",
                             sherd_usdc_samples_of(file, type, array, a->samples));
    if (a->interpolation != NULL)
        sherd_usdc_add_field(file, &set, "interpolation", token_rep(file, a->interpolation));
    if (a->connection != NULL)
        sherd_usdc_add_field(file, &set, "connectionPaths",
                             sherd_usdc_list(file, SHERD_USDC_PATH_LIST, false,
                                             sherd_usdc_path_of(file, a->connection)));
    sherd_usdc_add_spec(file, path, ATTRIBUTE_SPEC, &set);
    sherd_free(set.items);
}

static void relationship(void *context, const char *name, const char *target)
{
    sherd_usdc_file *file = context;
    if (file->failed) return;
    uint32_t path = add_property(file, name);
    sherd_usdc_numbers set = {0};
    sherd_usdc_add_field(file, &set, "variability",
                         sherd_usdc_inline(SHERD_USDC_VARIABILITY, UNIFORM));
    sherd_usdc_add_field(
        file, &set, "targetPaths",
        sherd_usdc_list(file, SHERD_USDC_PATH_LIST, false, sherd_usdc_path_of(file, target)));
    sherd_usdc_add_spec(file, path, RELATIONSHIP_SPEC, &set);
    sherd_free(set.items);
}

// ---------------------------------------------------------------- sections

static void put_count(sherd_byte_buffer *to, uint64_t count)
{
    sherd_byte_buffer_append(to, &count, sizeof count);
}

// The size of the compressed bytes, then these.
static void put_compressed(sherd_byte_buffer *to, const void *bytes, size_t size)
{
    size_t before = to->size;
    put_count(to, 0);
    sherd_crate_compress(to, bytes, size);
    uint64_t packed = to->size - before - sizeof packed;
    if (!to->failed) memcpy(to->bytes + before, &packed, sizeof packed);
}

static void put_tokens(const sherd_usdc_file *file, sherd_byte_buffer *to)
{
    put_count(to, file->token_at.count);
    put_count(to, file->tokens.size);
    put_compressed(to, file->tokens.bytes, file->tokens.size);
}

static void put_strings(const sherd_usdc_file *file, sherd_byte_buffer *to)
{
    put_count(to, file->strings.count);
    sherd_byte_buffer_append(to, file->strings.items,
                             file->strings.count * sizeof *file->strings.items);
}

static void put_fields(const sherd_usdc_file *file, sherd_byte_buffer *to)
{
    size_t n = file->field_count;
    int32_t *tokens = sherd_alloc(n, sizeof *tokens);
    uint64_t *reps = sherd_alloc(n, sizeof *reps);
    to->failed = to->failed || tokens == NULL || reps == NULL;
    for (size_t k = 0; !to->failed && k < n; ++k) {
        tokens[k] = (int32_t)file->fields[k].token;
        reps[k] = file->fields[k].rep;
    }
    if (!to->failed) {
        put_count(to, n);
        sherd_crate_compress_integers(to, tokens, n, 4);
        put_compressed(to, reps, n * sizeof *reps);
    }
    sherd_free(tokens);
    sherd_free(reps);
}

static void put_sets(const sherd_usdc_file *file, sherd_byte_buffer *to)
{
    put_count(to, file->sets.count);
    sherd_crate_compress_integers(to, file->sets.items, file->sets.count, 4);
}

typedef struct path_lists {
    int32_t *numbers, *tokens, *jumps;
    size_t count;
} path_lists;

// Paths as a tree, parents before their children. A jump leads to the next sibling: the distance of
// that, 0 if it is next anyway, -1: only children follow, -2: nothing does.
static void list_paths(const sherd_usdc_file *file, uint32_t path, path_lists *lists)
{
    for (; path != SHERD_USDC_NONE; path = file->paths[path].next) {
        const sherd_usdc_path *p = &file->paths[path];
        size_t at = lists->count++;
        lists->numbers[at] = (int32_t)path;
        lists->tokens[at] = p->is_property ? -(int32_t)p->token : (int32_t)p->token;
        if (p->first != SHERD_USDC_NONE) list_paths(file, p->first, lists);
        bool children = p->first != SHERD_USDC_NONE, sibling = p->next != SHERD_USDC_NONE;
        lists->jumps[at] = children && sibling ? (int32_t)(lists->count - at)
                           : sibling           ? 0
                           : children          ? -1
                                               : -2;
    }
}

static void put_paths(const sherd_usdc_file *file, sherd_byte_buffer *to)
{
    size_t n = file->path_count;
    path_lists lists = {.numbers = sherd_alloc(n, sizeof *lists.numbers),
                        .tokens = sherd_alloc(n, sizeof *lists.tokens),
                        .jumps = sherd_alloc(n, sizeof *lists.jumps)};
    if (lists.numbers == NULL || lists.tokens == NULL || lists.jumps == NULL) {
        to->failed = true;
    } else {
        list_paths(file, 0, &lists);
        put_count(to, n);
        put_count(to, n);
        sherd_crate_compress_integers(to, lists.numbers, n, 4);
        sherd_crate_compress_integers(to, lists.tokens, n, 4);
        sherd_crate_compress_integers(to, lists.jumps, n, 4);
    }
    sherd_free(lists.numbers);
    sherd_free(lists.tokens);
    sherd_free(lists.jumps);
}

static void put_specs(const sherd_usdc_file *file, sherd_byte_buffer *to)
{
    size_t n = file->spec_count;
    int32_t *column = sherd_alloc(n, sizeof *column);
    to->failed = to->failed || column == NULL;
    put_count(to, n);
    for (int c = 0; c < 3 && !to->failed; ++c) {
        for (size_t k = 0; k < n; ++k) {
            const sherd_usdc_spec *s = &file->specs[k];
            column[k] = (int32_t)(c == 0 ? s->path : c == 1 ? s->set : s->kind);
        }
        sherd_crate_compress_integers(to, column, n, 4);
    }
    sherd_free(column);
}

static const struct {
    const char *name;
    void (*put)(const sherd_usdc_file *file, sherd_byte_buffer *to);
} SECTION[SECTIONS] = {{"TOKENS", put_tokens},  {"STRINGS", put_strings}, {"FIELDS", put_fields},
                       {"FIELDSETS", put_sets}, {"PATHS", put_paths},     {"SPECS", put_specs}};

static void put_sections(sherd_usdc_file *file)
{
    unsigned char contents[sizeof(uint64_t) + SECTIONS * (SECTION_NAME + 2 * sizeof(uint64_t))];
    uint64_t count = SECTIONS;
    memset(contents, 0, sizeof contents);
    memcpy(contents, &count, sizeof count);
    for (int k = 0; k < SECTIONS; ++k) {
        sherd_byte_buffer section = {0};
        SECTION[k].put(file, &section);
        const uint64_t range[2] = {(uint64_t)sherd_file_writer_size(file->writer), section.size};
        unsigned char *row = contents + sizeof count + (size_t)k * (SECTION_NAME + sizeof range);
        memcpy(row, SECTION[k].name, strlen(SECTION[k].name));
        memcpy(row + SECTION_NAME, range, sizeof range);
        sherd_file_writer_write(file->writer, section.bytes, section.size);
        file->failed = file->failed || section.failed;
        sherd_byte_buffer_free(&section);
    }
    unsigned char head[HEAD_SIZE] = "PXR-USDC";
    head[8] = VERSION_MAJOR, head[9] = VERSION_MINOR;
    int64_t at = sherd_file_writer_size(file->writer);
    memcpy(head + 16, &at, sizeof at);
    sherd_file_writer_write(file->writer, contents, sizeof contents);
    sherd_file_writer_rewrite(file->writer, 0, head, sizeof head);
}

// ---------------------------------------------------------------- file

static void describe_stage(sherd_usdc_file *file, const sherd_usd_stage *stage)
{
    sherd_usdc_numbers *set = &innermost(file)->fields;
    const struct {
        const char *name;
        double number;
    } rows[] = {{"startTimeCode", stage->first_code},
                {"endTimeCode", stage->last_code},
                {"timeCodesPerSecond", stage->codes_per_second},
                {"framesPerSecond", stage->codes_per_second},
                {"metersPerUnit", stage->meters_per_unit}};
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; ++k)
        sherd_usdc_add_field(file, set, rows[k].name, sherd_usdc_double(file, rows[k].number));
    sherd_usdc_add_field(file, set, "defaultPrim", token_rep(file, stage->default_prim));
    sherd_usdc_add_field(file, set, "upAxis", token_rep(file, stage->up_axis));
    sherd_usdc_add_field(
        file, set, "documentation",
        sherd_usdc_inline(SHERD_USDC_STRING, sherd_usdc_string(file, stage->documentation)));
}

static void destroy(void *context)
{
    sherd_usdc_file *file = context;
    if (file == NULL) return;
    for (size_t k = 0; k < file->open_count; ++k) {
        sherd_free(file->open[k].fields.items);
        sherd_free(file->open[k].children.items);
        sherd_free(file->open[k].properties.items);
    }
    sherd_free(file->open);
    sherd_byte_buffer_free(&file->scratch);
    sherd_usdc_tables_free(file);
    sherd_free(file);
}

static void *create(sherd_file_writer *writer, const sherd_usd_stage *stage)
{
    static const unsigned char head[HEAD_SIZE] = {0}; // filled when all is written
    sherd_usdc_file *file = sherd_alloc(1, sizeof *file);
    if (file == NULL) return NULL;
    file->writer = writer;
    sherd_file_writer_write(writer, head, sizeof head);
    sherd_usdc_token(file, ";-)"); // token 0 is of no property: these are written with a minus
    open_prim(file, sherd_usdc_child(file, SHERD_USDC_NONE, 0, false));
    if (!file->failed) describe_stage(file, stage);
    if (!file->failed) return file;
    destroy(file);
    return NULL;
}

static bool finish(void *context)
{
    sherd_usdc_file *file = context;
    if (!file->failed) close_prim(file, ROOT_SPEC);
    if (!file->failed) put_sections(file);
    return !file->failed;
}

const sherd_usd_encoding sherd_usdc_encoding = {.create = create,
                                                .begin = begin,
                                                .attribute = attribute,
                                                .relationship = relationship,
                                                .end = end,
                                                .finish = finish,
                                                .destroy = destroy};

// The tables of a crate file: everything that is told apart by content is stored once and referred
// to by number.
#include "output/usd/usdc.h"

#include "base/hash.h"
#include "base/memory.h"

#include <string.h>

// ---------------------------------------------------------------- finding by content

typedef bool (*is_same)(const sherd_usdc_file *file, uint32_t item, const void *wanted);

static uint64_t spread(uint64_t key)
{
    key ^= key >> 32;
    return key * UINT64_C(0x9E3779B97F4A7C15);
}

static size_t slot_of(const sherd_usdc_index *index, uint64_t key)
{
    return (size_t)(spread(key) >> 20) & (index->capacity - 1);
}

static bool enlarge(sherd_usdc_index *index)
{
    sherd_usdc_index old = *index;
    index->capacity = old.capacity == 0 ? 64 : 2 * old.capacity;
    index->keys = sherd_alloc(index->capacity, sizeof *index->keys);
    index->items = sherd_alloc(index->capacity, sizeof *index->items);
    bool good = index->keys != NULL && index->items != NULL;
    for (size_t k = 0; good && k < old.capacity; ++k) {
        if (old.items[k] == 0) continue;
        size_t slot = slot_of(index, old.keys[k]);
        while (index->items[slot] != 0)
            slot = (slot + 1) & (index->capacity - 1);
        index->keys[slot] = old.keys[k];
        index->items[slot] = old.items[k];
    }
    if (!good) {
        sherd_free(index->keys);
        sherd_free(index->items);
        *index = old;
        return false;
    }
    sherd_free(old.keys);
    sherd_free(old.items);
    return true;
}

// The item with this content; if there is none, enters `added` and returns NONE.
static uint32_t find_or_add(sherd_usdc_file *file, sherd_usdc_index *index, uint64_t key,
                            is_same same, const void *wanted, uint32_t added)
{
    if (2 * index->count >= index->capacity && !enlarge(index)) {
        file->failed = true;
        return 0;
    }
    size_t slot = slot_of(index, key);
    for (; index->items[slot] != 0; slot = (slot + 1) & (index->capacity - 1))
        if (index->keys[slot] == key && same(file, index->items[slot] - 1, wanted))
            return index->items[slot] - 1;
    index->keys[slot] = key;
    index->items[slot] = added + 1;
    ++index->count;
    return SHERD_USDC_NONE;
}

void sherd_usdc_add_number(sherd_usdc_file *file, sherd_usdc_numbers *list, uint32_t number)
{
    if (sherd_grow((void **)&list->items, &list->capacity, list->count + 1, sizeof *list->items))
        list->items[list->count++] = number;
    else
        file->failed = true;
}

// ---------------------------------------------------------------- tokens

static bool is_token(const sherd_usdc_file *file, uint32_t item, const void *wanted)
{
    return strcmp((const char *)file->tokens.bytes + file->token_at.items[item], wanted) == 0;
}

uint32_t sherd_usdc_token(sherd_usdc_file *file, const char *text)
{
    size_t size = strlen(text);
    uint64_t key = sherd_hash_bytes(SHERD_HASH_START, text, size);
    uint32_t next = (uint32_t)file->token_at.count;
    uint32_t found = find_or_add(file, &file->token_index, key, is_token, text, next);
    if (found != SHERD_USDC_NONE) return found;
    sherd_usdc_add_number(file, &file->token_at, (uint32_t)file->tokens.size);
    sherd_byte_buffer_append(&file->tokens, text, size + 1);
    file->failed = file->failed || file->tokens.failed;
    return next;
}

uint32_t sherd_usdc_string(sherd_usdc_file *file, const char *text)
{
    uint32_t token = sherd_usdc_token(file, text);
    for (size_t k = 0; k < file->strings.count; ++k) // names of primvars: few
        if (file->strings.items[k] == token) return (uint32_t)k;
    sherd_usdc_add_number(file, &file->strings, token);
    return (uint32_t)file->strings.count - 1;
}

// ---------------------------------------------------------------- paths

static bool is_path(const sherd_usdc_file *file, uint32_t item, const void *wanted)
{
    const sherd_usdc_path *a = &file->paths[item], *b = wanted;
    return a->parent == b->parent && a->token == b->token && a->is_property == b->is_property;
}

static uint32_t add_path(sherd_usdc_file *file, sherd_usdc_path path)
{
    if (!sherd_grow((void **)&file->paths, &file->path_capacity, file->path_count + 1,
                    sizeof *file->paths)) {
        file->failed = true;
        return 0;
    }
    uint32_t number = (uint32_t)file->path_count++;
    file->paths[number] = path;
    if (number == 0) return 0; // the root
    sherd_usdc_path *parent = &file->paths[path.parent];
    if (parent->first == SHERD_USDC_NONE)
        parent->first = number;
    else
        file->paths[parent->last].next = number;
    parent->last = number;
    return number;
}

uint32_t sherd_usdc_child(sherd_usdc_file *file, uint32_t parent, uint32_t token, bool is_property)
{
    const sherd_usdc_path path = {parent,          token,           SHERD_USDC_NONE,
                                  SHERD_USDC_NONE, SHERD_USDC_NONE, is_property};
    if (file->path_count == 0) return add_path(file, path);
    uint64_t key = ((uint64_t)parent << 32 | token) * 2 + is_property;
    uint32_t found =
        find_or_add(file, &file->path_index, key, is_path, &path, (uint32_t)file->path_count);
    return found != SHERD_USDC_NONE ? found : add_path(file, path);
}

uint32_t sherd_usdc_path_of(sherd_usdc_file *file, const char *text)
{
    uint32_t path = 0;
    while (*text != '\0' && !file->failed) {
        char name[256];
        bool is_property = *text == '.';
        size_t length = strcspn(text + 1, "/.");
        if (length >= sizeof name) length = sizeof name - 1;
        memcpy(name, text + 1, length);
        name[length] = '\0';
        path = sherd_usdc_child(file, path, sherd_usdc_token(file, name), is_property);
        text += 1 + length;
    }
    return path;
}

// ---------------------------------------------------------------- fields and specs

static bool is_field(const sherd_usdc_file *file, uint32_t item, const void *wanted)
{
    const sherd_usdc_field *a = &file->fields[item], *b = wanted;
    return a->token == b->token && a->rep == b->rep;
}

void sherd_usdc_add_field(sherd_usdc_file *file, sherd_usdc_numbers *set, const char *name,
                          uint64_t rep)
{
    const sherd_usdc_field field = {sherd_usdc_token(file, name), rep};
    uint32_t next = (uint32_t)file->field_count;
    uint32_t found =
        find_or_add(file, &file->field_index, spread(rep) + field.token, is_field, &field, next);
    if (found == SHERD_USDC_NONE) {
        if (!sherd_grow((void **)&file->fields, &file->field_capacity, file->field_count + 1,
                        sizeof *file->fields)) {
            file->failed = true;
            return;
        }
        file->fields[file->field_count++] = field;
        found = next;
    }
    sherd_usdc_add_number(file, set, found);
}

static bool is_set(const sherd_usdc_file *file, uint32_t item, const void *wanted)
{
    const sherd_usdc_numbers *set = wanted;
    uint32_t at = file->set_at.items[item];
    return at + set->count < file->sets.count &&
           file->sets.items[at + set->count] == SHERD_USDC_NONE &&
           memcmp(file->sets.items + at, set->items, set->count * sizeof *set->items) == 0;
}

void sherd_usdc_add_spec(sherd_usdc_file *file, uint32_t path, int kind,
                         const sherd_usdc_numbers *set)
{
    if (file->failed) return;
    uint64_t key = sherd_hash_bytes(SHERD_HASH_START, set->items, set->count * sizeof *set->items);
    uint32_t next = (uint32_t)file->set_at.count;
    uint32_t found = find_or_add(file, &file->set_index, key, is_set, set, next);
    if (found == SHERD_USDC_NONE) {
        sherd_usdc_add_number(file, &file->set_at, (uint32_t)file->sets.count);
        for (size_t k = 0; k < set->count; ++k)
            sherd_usdc_add_number(file, &file->sets, set->items[k]);
        sherd_usdc_add_number(file, &file->sets, SHERD_USDC_NONE);
        found = next;
    }
    if (file->failed || !sherd_grow((void **)&file->specs, &file->spec_capacity,
                                    file->spec_count + 1, sizeof *file->specs)) {
        file->failed = true;
        return;
    }
    file->specs[file->spec_count++] =
        (sherd_usdc_spec){path, file->set_at.items[found], (uint32_t)kind};
}

// ---------------------------------------------------------------- values

static bool is_stored(const sherd_usdc_file *file, uint32_t item, const void *wanted)
{
    const sherd_usdc_stored *a = &file->stored[item], *b = wanted;
    return a->hash[0] == b->hash[0] && a->hash[1] == b->hash[1];
}

uint64_t *sherd_usdc_recall(sherd_usdc_file *file, int crate_type, const void *bytes, size_t size)
{
    const uint64_t head[2] = {(uint64_t)crate_type, size};
    sherd_usdc_stored made = {0};
    for (int k = 0; k < 2; ++k) {
        uint64_t start = SHERD_HASH_START + (uint64_t)k;
        made.hash[k] = sherd_hash_bytes(sherd_hash_bytes(start, head, sizeof head), bytes, size);
    }
    uint32_t next = (uint32_t)file->stored_count;
    uint32_t found = find_or_add(file, &file->stored_index, made.hash[0], is_stored, &made, next);
    if (found != SHERD_USDC_NONE) return file->failed ? NULL : &file->stored[found].rep;
    if (!sherd_grow((void **)&file->stored, &file->stored_capacity, file->stored_count + 1,
                    sizeof *file->stored)) {
        file->failed = true;
        return NULL;
    }
    file->stored[file->stored_count++] = made;
    return &file->stored[next].rep;
}

// ---------------------------------------------------------------- life

static void free_index(sherd_usdc_index *index)
{
    sherd_free(index->keys);
    sherd_free(index->items);
}

void sherd_usdc_tables_free(sherd_usdc_file *file)
{
    sherd_byte_buffer_free(&file->tokens);
    sherd_free(file->token_at.items);
    sherd_free(file->strings.items);
    sherd_free(file->paths);
    sherd_free(file->fields);
    sherd_free(file->sets.items);
    sherd_free(file->set_at.items);
    sherd_free(file->specs);
    sherd_free(file->stored);
    free_index(&file->token_index);
    free_index(&file->path_index);
    free_index(&file->field_index);
    free_index(&file->set_index);
    free_index(&file->stored_index);
}

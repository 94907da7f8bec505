#include "scene/text/node.h"

#include "base/assertion.h"
#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------- memory

enum { BLOCK_SIZE = 64 * 1024, ALIGNMENT = 16 };

typedef struct sherd_arena_block {
    struct sherd_arena_block *next;
    size_t used, size; // of the bytes behind this header
} sherd_arena_block;

// The header is padded so that the bytes behind it are aligned too.
enum { HEADER = (sizeof(sherd_arena_block) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT };

static sherd_arena_block *add_block(sherd_arena *arena, size_t needed)
{
    size_t size = needed > BLOCK_SIZE ? needed : BLOCK_SIZE;
    sherd_arena_block *block = sherd_alloc(1, HEADER + size);
    if (block == NULL) return NULL;
    block->size = size;
    block->next = arena->blocks;
    arena->blocks = block;
    return block;
}

void *sherd_arena_alloc(sherd_arena *arena, size_t count, size_t item_size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, item_size, &bytes) || bytes > ((size_t)1 << 40)) {
        arena->failed = true;
        return NULL;
    }
    bytes = (bytes + ALIGNMENT) / ALIGNMENT * ALIGNMENT;
    sherd_arena_block *block = arena->blocks;
    if (block == NULL || block->size - block->used < bytes) block = add_block(arena, bytes);
    if (block == NULL) {
        arena->failed = true;
        return NULL;
    }
    void *pointer = (char *)block + HEADER + block->used;
    block->used += bytes;
    return pointer;
}

char *sherd_arena_copy(sherd_arena *arena, const char *text, size_t size)
{
    SHERD_ASSERT(text != NULL || size == 0, "what is copied is there");
    char *copy = sherd_arena_alloc(arena, size + 1, 1);
    if (copy != NULL) memcpy(copy, text, size);
    return copy;
}

char *sherd_arena_string(sherd_arena *arena, const char *text)
{
    return sherd_arena_copy(arena, text, strlen(text));
}

void sherd_arena_free(sherd_arena *arena)
{
    for (sherd_arena_block *block = arena->blocks, *next; block != NULL; block = next) {
        next = block->next;
        sherd_free(block);
    }
    *arena = (sherd_arena){0};
}

// ---------------------------------------------------------------- the tree

sherd_node *sherd_node_find(const sherd_node *map, const char *key)
{
    if (map == NULL || map->kind != SHERD_NODE_MAP) return NULL;
    for (sherd_node *child = map->first; child != NULL; child = child->next)
        if (strcmp(child->key, key) == 0) return child;
    return NULL;
}

sherd_node *sherd_node_item(const sherd_node *list, int index)
{
    if (list == NULL || list->kind != SHERD_NODE_LIST || index < 0) return NULL;
    sherd_node *child = list->first;
    while (child != NULL && index-- > 0)
        child = child->next;
    return child;
}

const char *sherd_node_name(const sherd_node *item)
{
    const sherd_node *name = sherd_node_find(item, "name");
    return name != NULL && name->kind == SHERD_NODE_SCALAR ? name->text : NULL;
}

bool sherd_node_is_position(const char *step)
{
    return step[0] != '\0' && strspn(step, "0123456789") == strlen(step);
}

sherd_node *sherd_node_find_item(const sherd_node *list, const char *step)
{
    for (sherd_node *item = list->first; item != NULL; item = item->next) {
        const char *name = sherd_node_name(item);
        if (name != NULL && strcmp(name, step) == 0) return item;
    }
    bool position = sherd_node_is_position(step) && strlen(step) < 9;
    return position ? sherd_node_item(list, atoi(step)) : NULL;
}

const sherd_node *sherd_node_follow(const sherd_node *from, const char *path, const char **rest)
{
    char step[96];
    *rest = path;
    while (from != NULL && **rest != '\0') {
        size_t length = strcspn(*rest, ".");
        if (length >= sizeof step) break;
        memcpy(step, *rest, length);
        step[length] = '\0';
        const sherd_node *next = from->kind == SHERD_NODE_LIST ? sherd_node_find_item(from, step)
                                                               : sherd_node_find(from, step);
        if (next == NULL) break;
        from = next;
        *rest += length + ((*rest)[length] == '.');
    }
    return from;
}

void sherd_node_append(sherd_node *parent, sherd_node *child)
{
    SHERD_ASSERT(parent != child && (parent->last == NULL || parent->count > 0),
                 "a node is not its own child");
    child->parent = parent;
    child->next = NULL;
    child->index = parent->count++;
    if (parent->last != NULL)
        parent->last->next = child;
    else
        parent->first = child;
    parent->last = child;
}

// The link that points to `child`: its elder sibling's, or its parent's.
static sherd_node **link_to(sherd_node *child, sherd_node **previous)
{
    *previous = NULL;
    sherd_node **link = &child->parent->first;
    while (*link != child) {
        *previous = *link;
        link = &(*link)->next;
    }
    return link;
}

void sherd_node_remove(sherd_node *child)
{
    SHERD_ASSERT(child->parent != NULL && child->parent->count > 0,
                 "a node that is removed has a parent");
    sherd_node *parent = child->parent, *previous;
    sherd_node **link = link_to(child, &previous);
    *link = child->next;
    if (parent->last == child) parent->last = previous;
    for (sherd_node *later = child->next; later != NULL; later = later->next)
        --later->index;
    --parent->count;
    child->parent = NULL;
    child->next = NULL;
}

void sherd_node_replace(sherd_node *old, sherd_node *replacement)
{
    SHERD_ASSERT(old != replacement && old->parent != NULL, "a node that is replaced has a parent");
    sherd_node *parent = old->parent, *previous;
    sherd_node **link = link_to(old, &previous);
    replacement->parent = parent;
    replacement->next = old->next;
    replacement->key = old->key;
    replacement->key_mark = old->key_mark;
    replacement->index = old->index;
    *link = replacement;
    if (parent->last == old) parent->last = replacement;
}

bool sherd_node_is_null(const sherd_node *node)
{
    if (node->kind != SHERD_NODE_SCALAR || node->quoted) return false;
    return node->text[0] == '\0' || strcmp(node->text, "~") == 0 || strcmp(node->text, "null") == 0;
}

const char *sherd_node_kind_name(const sherd_node *node)
{
    if (node->kind == SHERD_NODE_MAP) return "a map";
    if (node->kind == SHERD_NODE_LIST) return "a list";
    return sherd_node_is_null(node) ? "nothing" : "a single value";
}

// The name of a node in its parent.
static const char *step_name(const sherd_node *node, char *buffer, size_t size)
{
    if (node->parent->kind == SHERD_NODE_MAP) return node->key;
    const char *name = sherd_node_name(node);
    if (name != NULL && name[0] != '\0') return name;
    snprintf(buffer, size, "%d", node->index);
    return buffer;
}

void sherd_node_path(const sherd_node *node, char *path, size_t size)
{
    // The depth is bounded by SHERD_NODE_MAX_DEPTH; overrides may add as much again.
    const sherd_node *chain[4 * SHERD_NODE_MAX_DEPTH];
    int depth = 0;
    for (; node != NULL && node->parent != NULL && depth < 4 * SHERD_NODE_MAX_DEPTH;
         node = node->parent)
        chain[depth++] = node;
    size_t used = 0;
    path[0] = '\0';
    while (depth-- > 0 && used < size) {
        char buffer[16];
        const char *name = step_name(chain[depth], buffer, sizeof buffer);
        int n = snprintf(path + used, size - used, "%s%.100s", used > 0 ? "." : "", name);
        used += (size_t)n;
    }
}

void sherd_node_mark_where(const sherd_node_mark *mark, const char *path, char *where, size_t size)
{
    const char *gap = path[0] != '\0' ? "  " : "";
    if (mark->line > 0)
        snprintf(where, size, "%s:%d:%d%s%s", mark->source, mark->line, mark->column, gap, path);
    else
        snprintf(where, size, "%s%s%s", mark->source, gap, path);
}

void sherd_node_where(const sherd_node *node, char *where, size_t size)
{
    char path[SHERD_ERROR_TEXT_SIZE];
    sherd_node_path(node, path, sizeof path);
    sherd_node_mark_where(&node->mark, path, where, size);
}

void sherd_node_key_where(const sherd_node *node, char *where, size_t size)
{
    char path[SHERD_ERROR_TEXT_SIZE];
    sherd_node_path(node, path, sizeof path);
    sherd_node_mark_where(node->key != NULL ? &node->key_mark : &node->mark, path, where, size);
}

// ---------------------------------------------------------------- errors

sherd_error *sherd_diagnostics_add(sherd_diagnostics *diagnostics)
{
    int count = diagnostics->count;
    // Room grows at powers of two, so that the count alone tells the capacity.
    bool full = (count & (count - 1)) == 0;
    if (count >= SHERD_DIAGNOSTICS_MAX) {
        ++diagnostics->dropped;
        return NULL;
    }
    if (full) {
        size_t capacity = count == 0 ? 1 : 2 * (size_t)count;
        sherd_error *larger = sherd_alloc(capacity, sizeof *larger);
        if (larger == NULL) {
            ++diagnostics->dropped;
            return NULL;
        }
        if (count > 0) memcpy(larger, diagnostics->errors, (size_t)count * sizeof *larger);
        sherd_free(diagnostics->errors);
        diagnostics->errors = larger;
    }
    sherd_error *error = &diagnostics->errors[diagnostics->count++];
    *error = (sherd_error){0};
    return error;
}

int sherd_diagnostics_total(const sherd_diagnostics *diagnostics)
{
    return diagnostics->count + diagnostics->dropped;
}

void sherd_diagnostics_free(sherd_diagnostics *diagnostics)
{
    sherd_free(diagnostics->errors);
    *diagnostics = (sherd_diagnostics){0};
}

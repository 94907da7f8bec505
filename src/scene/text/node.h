// A scene file as a tree of maps, lists and single values, each with its location in the source.
// YAML's own document is copied into this tree because overrides replace and insert parts of it,
// and because aliases then need no special treatment later.
#pragma once

#include <sherd/export.h>
#include <sherd/scene.h>

#include <stdbool.h>
#include <stddef.h>

// Returns a zeroed entry for the next error, or NULL if the list is full (then it is only counted).
sherd_error *sherd_diagnostics_add(sherd_diagnostics *diagnostics);
// All errors so far, counted ones included.
int sherd_diagnostics_total(const sherd_diagnostics *diagnostics);

// Memory that is freed all at once: nodes, strings and arrays of one scene.
typedef struct sherd_arena {
    struct sherd_arena_block *blocks;
    bool failed; // an allocation failed
} sherd_arena;

// Zeroed, aligned for any type. NULL, and `failed` set, when memory is short.
void *sherd_arena_alloc(sherd_arena *arena, size_t count, size_t item_size);
// A zero-terminated copy of `size` bytes.
char *sherd_arena_copy(sherd_arena *arena, const char *text, size_t size);
char *sherd_arena_string(sherd_arena *arena, const char *text);
void sherd_arena_free(sherd_arena *arena);

typedef enum sherd_node_kind {
    SHERD_NODE_SCALAR = 0,
    SHERD_NODE_LIST,
    SHERD_NODE_MAP,
} sherd_node_kind;

typedef struct sherd_node_mark {
    const char *source; // file name, or "--set path=value"
    int line, column;   // from 1; line 0: the source alone says it
} sherd_node_mark;

typedef struct sherd_node {
    sherd_node_kind kind;
    sherd_node_mark mark;
    const char *text; // SCALAR
    bool quoted;      // SCALAR: "..." or '...', never null or a word with a meaning
    // Children of maps and lists, in the order of the file.
    int count;
    struct sherd_node *first, *last, *next;
    struct sherd_node *parent;
    const char *key; // in a map
    sherd_node_mark key_mark;
    int index; // in a list
} sherd_node;

enum {
    SHERD_NODE_MAX_DEPTH = 64,
    SHERD_NODE_MAX_COUNT = 500 * 1000, // nodes of one file, aliases expanded
    SHERD_NODE_MAX_KEYS = 1000,        // of one map; duplicates are searched pairwise
    SHERD_NODE_MAX_TEXT = 32 << 20,    // bytes of values and keys of one file, aliases expanded
};

// Reads one YAML document. NULL with errors added. `source` must live as long as the arena; with
// `located` false marks get line 0.
sherd_node *sherd_node_read(sherd_arena *arena, const char *text, size_t size, const char *source,
                            bool located, sherd_diagnostics *diagnostics);

// A map's value, or NULL. `map` may be NULL or no map.
sherd_node *sherd_node_find(const sherd_node *map, const char *key);
// A list's item by position, or NULL.
sherd_node *sherd_node_item(const sherd_node *list, int index);
// The text of a list item's `name`, or NULL.
const char *sherd_node_name(const sherd_node *item);
// Returns the item of this name or, for digits, at this position; NULL: there is none.
sherd_node *sherd_node_find_item(const sherd_node *list, const char *step);
// Returns whether a step of a path is made of digits.
bool sherd_node_is_position(const char *step);
// Follows a path from a node, "block.fracture.glue", as far as it leads: list items by their names or their
// positions. Returns the last node found; `rest` is set to what is left of the path, "" if nothing.
const sherd_node *sherd_node_follow(const sherd_node *from, const char *path, const char **rest);

void sherd_node_append(sherd_node *parent, sherd_node *child);
void sherd_node_remove(sherd_node *child);
// Replaces `old` by `replacement` (same key or index).
void sherd_node_replace(sherd_node *old, sherd_node *replacement);

// An empty value: `key:`, `~` or `null`.
bool sherd_node_is_null(const sherd_node *node);

// "map", "list", "single value", "nothing".
const char *sherd_node_kind_name(const sherd_node *node);

// "bodies.plate.packing": list items by their names where they have one.
void sherd_node_path(const sherd_node *node, char *path, size_t size);
// "file:line:column  key.path", with the value's or the key's position.
void sherd_node_where(const sherd_node *node, char *where, size_t size);
void sherd_node_key_where(const sherd_node *node, char *where, size_t size);
void sherd_node_mark_where(const sherd_node_mark *mark, const char *path, char *where, size_t size);

// YAML text into a tree of nodes, by libyaml's documents.
#include "scene/text/node.h"

#include "base/error.h"

#include <stdio.h>
#include <string.h>
#include <yaml.h>

typedef struct yaml_source {
    sherd_arena *arena;
    sherd_diagnostics *diagnostics;
    const char *text;
    size_t size;
    const char *name;
    bool located;
    yaml_document_t *document;
    const char **texts; // of the document's scalars, which aliases share; NULL: not yet copied
    int node_count;
    size_t text_bytes; // aliases expanded
    bool stopped;      // a limit was hit: one error is enough
} yaml_source;

static sherd_node_mark mark_of(const yaml_source *source, yaml_mark_t mark)
{
    sherd_node_mark result = {.source = source->name};
    if (!source->located) return result;
    result.line = (int)mark.line + 1;
    result.column = (int)mark.column + 1;
    return result;
}

static void fail_at(yaml_source *source, sherd_node_mark mark, const char *path, const char *hint,
                    const char *what)
{
    char where[SHERD_ERROR_TEXT_SIZE];
    sherd_node_mark_where(&mark, path, where, sizeof where);
    sherd_fail(sherd_diagnostics_add(source->diagnostics), SHERD_ERROR_INPUT, where, hint, "%s",
               what);
}

static void fail_node(yaml_source *source, sherd_node *node, const char *hint, const char *what)
{
    char path[SHERD_ERROR_TEXT_SIZE];
    sherd_node_path(node, path, sizeof path);
    fail_at(source, node->mark, path, hint, what);
}

// ---- limits, checked on the event stream, before libyaml builds anything

static void fail_depth(yaml_source *source, yaml_mark_t mark)
{
    char what[64];
    snprintf(what, sizeof what, "is nested more than %d levels deep", SHERD_NODE_MAX_DEPTH);
    fail_at(source, mark_of(source, mark), "", NULL, what);
}

static void fail_count(yaml_source *source, yaml_mark_t mark)
{
    char what[96];
    snprintf(what, sizeof what, "holds more than %d values, aliases expanded",
             SHERD_NODE_MAX_COUNT);
    fail_at(source, mark_of(source, mark), "", "put large geometry into a mesh file", what);
}

// Size of the document by the events so far.
typedef struct yaml_event_count {
    int depth, nodes;
    int64_t anchors, searched; // libyaml looks through all anchors for every anchor and alias
} yaml_event_count;

enum { MAX_SEARCHED = 10 * 1000 * 1000, LONGEST_ANCHOR = 64 };

static const unsigned char *anchor_of(const yaml_event_t *event)
{
    switch (event->type) {
    case YAML_ALIAS_EVENT:
        return event->data.alias.anchor;
    case YAML_SCALAR_EVENT:
        return event->data.scalar.anchor;
    case YAML_SEQUENCE_START_EVENT:
        return event->data.sequence_start.anchor;
    case YAML_MAPPING_START_EVENT:
        return event->data.mapping_start.anchor;
    default:
        return NULL;
    }
}

static bool check_anchor(yaml_source *source, const yaml_event_t *event, yaml_event_count *counted)
{
    const unsigned char *anchor = anchor_of(event);
    if (anchor == NULL) return true;
    counted->searched += counted->anchors;
    if (event->type != YAML_ALIAS_EVENT) ++counted->anchors;
    bool long_name = strlen((const char *)anchor) > LONGEST_ANCHOR;
    if (!long_name && counted->searched <= MAX_SEARCHED) return true;
    fail_at(source, mark_of(source, event->start_mark), "", "write the values out",
            long_name ? "the name of an anchor is longer than 64 bytes"
                      : "there are too many anchors (&name) and aliases (*name) up to here");
    return false;
}

static bool count_event(yaml_source *source, const yaml_event_t *event, yaml_event_count *counted)
{
    bool begins =
        event->type == YAML_SEQUENCE_START_EVENT || event->type == YAML_MAPPING_START_EVENT;
    if (begins || event->type == YAML_SCALAR_EVENT || event->type == YAML_ALIAS_EVENT)
        ++counted->nodes;
    if (begins) ++counted->depth;
    if (event->type == YAML_SEQUENCE_END_EVENT || event->type == YAML_MAPPING_END_EVENT)
        --counted->depth;
    if (counted->depth > SHERD_NODE_MAX_DEPTH) {
        fail_depth(source, event->start_mark);
        return false;
    }
    // Keys are no nodes of ours: with them there are at most twice as many.
    if (counted->nodes > 2 * SHERD_NODE_MAX_COUNT) {
        fail_count(source, event->start_mark);
        return false;
    }
    return check_anchor(source, event, counted);
}

// True when the text keeps within the limits. Syntax errors are left for later.
static bool check_limits(yaml_source *source)
{
    yaml_parser_t parser;
    if (!yaml_parser_initialize(&parser)) return true;
    yaml_parser_set_input_string(&parser, (const unsigned char *)source->text, source->size);
    yaml_event_count counted = {0};
    bool fits = true, done = false;
    while (fits && !done) {
        yaml_event_t event;
        if (!yaml_parser_parse(&parser, &event)) break;
        fits = count_event(source, &event, &counted);
        done = event.type == YAML_STREAM_END_EVENT;
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
    return fits;
}

// ---- document to nodes

// Where a node goes: below `parent` (NULL: the root), in maps under a key.
typedef struct node_target {
    sherd_node *parent;
    const char *key;
    sherd_node_mark key_mark;
    int depth;
} node_target;

static sherd_node *convert(yaml_source *source, int yaml_index, const node_target *target);

static sherd_node *new_node(yaml_source *source, const yaml_node_t *yaml)
{
    if (++source->node_count > SHERD_NODE_MAX_COUNT) {
        source->stopped = true;
        fail_count(source, yaml->start_mark);
        return NULL;
    }
    sherd_node *node = sherd_arena_alloc(source->arena, 1, sizeof *node);
    if (node == NULL) {
        source->stopped = true;
        sherd_fail_memory(sherd_diagnostics_add(source->diagnostics), "a scene file");
        return NULL;
    }
    node->mark = mark_of(source, yaml->start_mark);
    return node;
}

static bool is_plain_tag(const char *tag)
{
    static const char *const PLAIN[] = {"str", "map", "seq", "int", "float", "bool", "null"};
    if (strncmp(tag, "tag:yaml.org,2002:", 18) != 0) return false;
    for (size_t k = 0; k < sizeof PLAIN / sizeof PLAIN[0]; ++k)
        if (strcmp(tag + 18, PLAIN[k]) == 0) return true;
    return false;
}

static void check_tag(yaml_source *source, sherd_node *node, const yaml_node_t *yaml)
{
    const char *tag = (const char *)yaml->tag;
    if (tag == NULL || is_plain_tag(tag)) return;
    char what[96];
    snprintf(what, sizeof what, "has the tag '%.60s'", tag);
    fail_node(source, node, "scene files use no tags: remove it", what);
}

static void fail_duplicate(yaml_source *source, const sherd_node *map, const sherd_node *first,
                           const char *key, sherd_node_mark mark)
{
    char what[160], path[SHERD_ERROR_TEXT_SIZE], full[SHERD_ERROR_TEXT_SIZE];
    sherd_node_path(map, path, sizeof path);
    snprintf(full, sizeof full, "%.380s%s%.100s", path, path[0] != '\0' ? "." : "", key);
    if (mark.line > 0)
        snprintf(what, sizeof what, "duplicate key '%.80s', first given on line %d", key,
                 first->key_mark.line);
    else
        snprintf(what, sizeof what, "duplicate key '%.80s'", key);
    fail_at(source, mark, full, "remove one of them", what);
}

// Adds to the bytes of text, aliases expanded, as reading a value reads all of it. False with an
// error when there are too many.
static bool count_text(yaml_source *source, const yaml_node_t *yaml)
{
    source->text_bytes += yaml->data.scalar.length;
    if (source->text_bytes <= SHERD_NODE_MAX_TEXT) return true;
    source->stopped = true;
    char what[96];
    snprintf(what, sizeof what, "holds more than %d MB of text, aliases expanded",
             SHERD_NODE_MAX_TEXT >> 20);
    fail_at(source, mark_of(source, yaml->start_mark), "", "put large geometry into a mesh file",
            what);
    return false;
}

// The text of a scalar, copied once for all aliases. NULL when memory is short.
static const char *scalar_text(yaml_source *source, int yaml_index, const yaml_node_t *yaml)
{
    const char **text = &source->texts[yaml_index - 1];
    if (*text == NULL)
        *text = sherd_arena_copy(source->arena, (const char *)yaml->data.scalar.value,
                                 yaml->data.scalar.length);
    return *text;
}

// The key's text, or NULL with an error.
static const char *convert_key(yaml_source *source, sherd_node *map, int yaml_index)
{
    const yaml_node_t *yaml = yaml_document_get_node(source->document, yaml_index);
    sherd_node_mark mark = mark_of(source, yaml->start_mark);
    char path[SHERD_ERROR_TEXT_SIZE];
    sherd_node_path(map, path, sizeof path);
    if (yaml->type != YAML_SCALAR_NODE || yaml->data.scalar.length == 0) {
        fail_at(source, mark, path, NULL, "a key must be a word");
        return NULL;
    }
    if (!count_text(source, yaml)) return NULL;
    const char *key = scalar_text(source, yaml_index, yaml);
    if (key == NULL) return NULL;
    if (strlen(key) != yaml->data.scalar.length) {
        fail_at(source, mark, path, NULL, "a key holds a zero byte");
        return NULL;
    }
    const sherd_node *first = sherd_node_find(map, key);
    if (first == NULL) return key;
    fail_duplicate(source, map, first, key, mark);
    return NULL;
}

static void convert_map(yaml_source *source, const yaml_node_t *yaml, sherd_node *map, int depth)
{
    const yaml_node_pair_t *pair = yaml->data.mapping.pairs.start;
    for (; pair < yaml->data.mapping.pairs.top && !source->stopped; ++pair) {
        if (map->count >= SHERD_NODE_MAX_KEYS) {
            fail_node(source, map, NULL, "has more than 1000 keys");
            source->stopped = true;
            return;
        }
        const yaml_node_t *yaml_key = yaml_document_get_node(source->document, pair->key);
        const char *key = convert_key(source, map, pair->key);
        if (key == NULL) continue;
        node_target target = {map, key, mark_of(source, yaml_key->start_mark), depth + 1};
        if (convert(source, pair->value, &target) == NULL) return;
    }
}

static void convert_list(yaml_source *source, const yaml_node_t *yaml, sherd_node *list, int depth)
{
    const yaml_node_item_t *item = yaml->data.sequence.items.start;
    node_target target = {.parent = list, .depth = depth + 1};
    for (; item < yaml->data.sequence.items.top && !source->stopped; ++item)
        if (convert(source, *item, &target) == NULL) return;
}

static void convert_scalar(yaml_source *source, int yaml_index, const yaml_node_t *yaml,
                           sherd_node *node)
{
    node->text = "";
    if (!count_text(source, yaml)) return;
    node->text = scalar_text(source, yaml_index, yaml);
    node->quoted = yaml->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
    if (node->text == NULL) {
        source->stopped = true;
        sherd_fail_memory(sherd_diagnostics_add(source->diagnostics), "a scene file");
    } else if (strlen(node->text) != yaml->data.scalar.length) {
        fail_node(source, node, NULL, "holds a zero byte");
    }
}

// Copies one node and all below it. A map that holds an alias of itself shows as endless depth.
static sherd_node *convert(yaml_source *source, int yaml_index, const node_target *target)
{
    const yaml_node_t *yaml = yaml_document_get_node(source->document, yaml_index);
    if (target->depth > SHERD_NODE_MAX_DEPTH) {
        source->stopped = true;
        fail_depth(source, yaml->start_mark);
        return NULL;
    }
    sherd_node *node = new_node(source, yaml);
    if (node == NULL) return NULL;
    node->key = target->key;
    node->key_mark = target->key_mark;
    if (target->parent != NULL) sherd_node_append(target->parent, node);
    check_tag(source, node, yaml);
    if (yaml->type == YAML_MAPPING_NODE) {
        node->kind = SHERD_NODE_MAP;
        convert_map(source, yaml, node, target->depth);
    } else if (yaml->type == YAML_SEQUENCE_NODE) {
        node->kind = SHERD_NODE_LIST;
        convert_list(source, yaml, node, target->depth);
    } else {
        convert_scalar(source, yaml_index, yaml, node);
    }
    return source->stopped ? NULL : node;
}

// ---- syntax errors

// Line and column of a byte, for errors that libyaml gives as an offset only.
static sherd_node_mark mark_of_offset(const yaml_source *source, size_t offset)
{
    yaml_mark_t mark = {0};
    for (size_t k = 0; k < offset && k < source->size; ++k) {
        unsigned char c = (unsigned char)source->text[k];
        if (c == '\n') {
            ++mark.line;
            mark.column = 0;
        } else if ((c & 0xc0) != 0x80) {
            ++mark.column;
        }
    }
    return mark_of(source, mark);
}

// The byte at libyaml's mark, whose index counts characters.
static char byte_at(const yaml_source *source, size_t character)
{
    size_t seen = 0;
    for (size_t k = 0; k < source->size; ++k) {
        if (((unsigned char)source->text[k] & 0xc0) == 0x80) continue;
        if (seen++ == character) return source->text[k];
    }
    return '\0';
}

static void fail_syntax(yaml_source *source, const yaml_parser_t *parser)
{
    char what[256];
    if (parser->error == YAML_MEMORY_ERROR) {
        sherd_fail_memory(sherd_diagnostics_add(source->diagnostics), "a scene file");
        return;
    }
    if (parser->error == YAML_READER_ERROR) {
        snprintf(what, sizeof what, "is not text: %s", parser->problem);
        fail_at(source, mark_of_offset(source, parser->problem_offset), "",
                "scene files are YAML text in UTF-8", what);
        return;
    }
    const char *problem = parser->problem != NULL ? parser->problem : "syntax error";
    if (byte_at(source, parser->problem_mark.index) == '\t') {
        fail_at(source, mark_of(source, parser->problem_mark), "", "indent with spaces",
                "a tab can't indent YAML");
        return;
    }
    char hint[160] = "";
    if (source->located && parser->context != NULL &&
        parser->context_mark.line != parser->problem_mark.line)
        snprintf(hint, sizeof hint, "%s that began on line %d", parser->context,
                 (int)parser->context_mark.line + 1);
    else if (parser->context != NULL)
        snprintf(hint, sizeof hint, "%s", parser->context);
    snprintf(what, sizeof what, "not valid YAML: %s", problem);
    fail_at(source, mark_of(source, parser->problem_mark), "", hint, what);
}

// True when nothing but the end follows the first document.
static bool check_end(yaml_source *source, yaml_parser_t *parser)
{
    yaml_document_t second;
    if (!yaml_parser_load(parser, &second)) {
        fail_syntax(source, parser);
        return false;
    }
    const yaml_node_t *root = yaml_document_get_root_node(&second);
    bool ended = root == NULL;
    if (!ended)
        fail_at(source, mark_of(source, root->start_mark), "", "put each scene into its own file",
                "holds a second document");
    yaml_document_delete(&second);
    return ended;
}

static sherd_node *convert_document(yaml_source *source, yaml_document_t *document)
{
    source->document = document;
    size_t count = (size_t)(document->nodes.top - document->nodes.start);
    source->texts = sherd_arena_alloc(source->arena, count, sizeof *source->texts);
    if (source->texts == NULL) {
        sherd_fail_memory(sherd_diagnostics_add(source->diagnostics), "a scene file");
        return NULL;
    }
    if (yaml_document_get_root_node(document) == NULL) {
        yaml_mark_t start = {0};
        fail_at(source, mark_of(source, start), "",
                "docs/reference/scene.md shows how a scene begins", "is empty");
        return NULL;
    }
    node_target root = {0};
    return convert(source, 1, &root);
}

sherd_node *sherd_node_read(sherd_arena *arena, const char *text, size_t size, const char *source,
                            bool located, sherd_diagnostics *diagnostics)
{
    yaml_source from = {.arena = arena,
                        .diagnostics = diagnostics,
                        .text = text,
                        .size = size,
                        .name = source,
                        .located = located};
    int before = sherd_diagnostics_total(diagnostics);
    if (!check_limits(&from)) return NULL;
    yaml_parser_t parser;
    yaml_document_t document;
    if (!yaml_parser_initialize(&parser)) {
        sherd_fail_memory(sherd_diagnostics_add(diagnostics), "a scene file");
        return NULL;
    }
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, size);
    sherd_node *root = NULL;
    if (!yaml_parser_load(&parser, &document)) {
        fail_syntax(&from, &parser);
    } else {
        root = convert_document(&from, &document);
        yaml_document_delete(&document);
        if (root != NULL && !check_end(&from, &parser)) root = NULL;
    }
    yaml_parser_delete(&parser);
    // Faults such as duplicate keys leave a usable tree: reading on finds the other errors too.
    return from.stopped || root == NULL ||
                   (!located && sherd_diagnostics_total(diagnostics) > before)
               ? NULL
               : root;
}

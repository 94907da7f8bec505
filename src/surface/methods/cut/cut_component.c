#include "surface/methods/cut/cut_component.h"

#include "base/assertion.h"
#include "base/forest.h"
#include "base/memory.h"

#include <string.h>

static void join_vertices(int32_t *root, const cut_triangles *t)
{
    for (int32_t v = 0; v < t->vertex_count; ++v)
        root[v] = v;
    for (int32_t k = 0; k < t->count; ++k) {
        if (t->divided[k]) continue;
        const int32_t *c = cut_corners(t, k);
        for (int j = 1; j < 3; ++j)
            sherd_join_roots(root, c[0], c[j]);
    }
}

// A root is the lowest vertex of its component, so that it gets its number first.
static void number_components(cut_components *c, int32_t vertex_count)
{
    for (int32_t v = 0; v < vertex_count; ++v)
        c->of[v] = sherd_find_root(c->of, v);
    for (int32_t v = 0; v < vertex_count; ++v)
        c->of[v] = c->of[v] == v ? c->count++ : c->of[c->of[v]];
}

static cut_result set_values(cut_components *c, int32_t vertex_count, const cut_faces *faces)
{
    for (int32_t k = 0; k < faces->count; ++k) {
        const cut_face *face = &faces->items[k];
        for (int j = 0; j < 3; ++j) {
            if (face->corner[j] >= vertex_count) continue; // a crossing point
            int32_t *known = &c->known[c->of[face->corner[j]]];
            if (*known != CUT_UNKNOWN && *known != face->value) return CUT_INCONSISTENT;
            *known = face->value;
        }
    }
    return CUT_OK;
}

cut_result sherd_cut_components_find(cut_components *c, const cut_triangles *t,
                                     const cut_faces *faces)
{
    *c = (cut_components){.of = sherd_alloc((size_t)t->vertex_count, sizeof *c->of)};
    if (c->of == NULL) return CUT_MEMORY;
    join_vertices(c->of, t);
    number_components(c, t->vertex_count);
    c->known = sherd_alloc((size_t)c->count, sizeof *c->known);
    c->value = sherd_alloc((size_t)c->count, sizeof *c->value);
    if (c->known == NULL || c->value == NULL) return CUT_MEMORY;
    return set_values(c, t->vertex_count, faces);
}

void sherd_cut_components_release(cut_components *c)
{
    sherd_free(c->of);
    sherd_free(c->known);
    sherd_free(c->value);
    *c = (cut_components){0};
}

bool sherd_cut_labels_add(cut_labels *l, sherd_fragment_id label)
{
    int32_t at = l->count;
    SHERD_ASSERT(at < 2 || l->label[at - 2] < l->label[at - 1], "labels ascend");
    while (at > 0 && l->label[at - 1] > label)
        --at;
    if (at > 0 && l->label[at - 1] == label) return true;
    if (!sherd_grow((void **)&l->label, &l->capacity, (size_t)l->count + 1, sizeof *l->label))
        return false;
    memmove(l->label + at + 1, l->label + at, (size_t)(l->count - at) * sizeof *l->label);
    l->label[at] = label;
    l->count++;
    return true;
}

void sherd_cut_labels_release(cut_labels *l)
{
    sherd_free(l->label);
    *l = (cut_labels){0};
}

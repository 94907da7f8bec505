// Connected components of vertices of one list, joined by triangles that cross nothing. All
// vertices of a component have one value; divided triangles that share its vertices determine it.
#pragma once

#include "surface/methods/cut/cut_divide.h"

typedef struct cut_components {
    int32_t count;
    int32_t *of;    // component of each vertex
    int32_t *known; // value known from the list's own divided triangles, else CUT_UNKNOWN  (count)
    int32_t *value; // final value: see cut_link.h                                          (count)
} cut_components;

// The triangles of a list; corners are `stride` bytes apart.
typedef struct cut_triangles {
    int32_t vertex_count, count;
    const int32_t *corner;
    size_t stride;
    const uint8_t *divided;
} cut_triangles;

static inline const int32_t *cut_corners(const cut_triangles *t, int32_t k)
{
    return (const int32_t *)(const void *)((const char *)t->corner + t->stride * (size_t)k);
}

// `faces` are the parts of the divided triangles. Call release in any case.
cut_result sherd_cut_components_find(cut_components *c, const cut_triangles *t,
                                     const cut_faces *faces);
void sherd_cut_components_release(cut_components *c);

// Fragments that have faces in a list, ascending.
typedef struct cut_labels {
    int32_t count;
    size_t capacity;
    sherd_fragment_id *label;
} cut_labels;

// Returns false when out of memory.
bool sherd_cut_labels_add(cut_labels *l, sherd_fragment_id label);
void sherd_cut_labels_release(cut_labels *l);

// A patch of the outer surface, divided where cracks cross it.
#pragma once

#include "surface/methods/cut/cut_divide.h"

typedef struct cut_patch {
    int32_t triangle_count, vertex_count;
    int32_t *triangle; // indices in the outer surface, ascending
    int32_t *vertex;   // index in the outer surface of each of the patch's own vertices
    int32_t *corner;   // the patch's own vertex indices  (triangles x 3)
    // These depend on the cracks:
    int32_t point_count;
    crossing_point *points;
    uint8_t *divided;      // triangles
    cut_faces faces;       // the parts of these; their parents are triangles of the outer surface
    cut_components joined; // of the patch's vertices
    cut_labels labels;
} cut_patch;

// The outer surface, divided into patches of about this size.
typedef struct cut_patches {
    int32_t count;
    cut_patch *items;
    int32_t *patch_of;       // patch of each triangle of the outer surface
    int32_t *index_in_patch; // index of each triangle of the outer surface within its patch
} cut_patches;

// Returns false when out of memory; call release in any case.
bool sherd_cut_patches_create(cut_patches *p, const outline *o, double size);
void sherd_cut_patches_release(cut_patches *p);

// A segment of some block that lies in the patch.
typedef struct cut_segment {
    const crossings *of;
    int32_t number;
} cut_segment;

// Scratch memory of one thread.
typedef struct cut_patch_scratch {
    cut_divider divider;
    size_t segment_capacity, start_capacity;
    crossing *segments; // by triangle
    int32_t *start;
} cut_patch_scratch;

// Divides patch k along its `count` segments, which must be all of them, but does not set the
// values of its components and its labels. The order of segments determines that of points and
// faces.
cut_result sherd_cut_patch_make(cut_patches *p, int32_t k, const outline *o,
                                const cut_segment *segments, int32_t count,
                                cut_patch_scratch *scratch);
// Call after the values of the components were set. Returns false when out of memory.
bool sherd_cut_patch_label(cut_patch *p);
void sherd_cut_patch_scratch_release(cut_patch_scratch *scratch);

// Returns the fragment of an undivided triangle of the patch.
static inline sherd_fragment_id cut_patch_owner(const cut_patch *p, int32_t t)
{
    return p->joined.value[p->joined.of[p->corner[3 * (size_t)t]]];
}

// Barycentric weights of a face's vertex in the parent triangle.
void sherd_cut_patch_weights(const cut_patch *p, const outline *o, const cut_face *face, int corner,
                             double weight[3]);

// A patch of the outer surface, divided where cracks cross it.
#pragma once

#include "surface/methods/cut/cut_component.h"

typedef struct cut_patch {
    int32_t triangle_count, vertex_count;
    int32_t *triangle; // of the outline, ascending
    int32_t *vertex;   // of the outline, by the patch's own number
    int32_t *corner;   // own numbers of vertices  (triangles x 3)
    // As the cracks are:
    int32_t point_count;
    crossing_point *points;
    uint8_t *divided;      // triangles
    cut_faces faces;       // the parts of these; their parents are triangles of the outline
    cut_components joined; // of the patch's vertices
    cut_labels labels;
} cut_patch;

// The outline in patches of about this size.
typedef struct cut_patches {
    int32_t count;
    cut_patch *items;
    int32_t *patch_of; // of each triangle of the outline
    int32_t *place_of; // of each triangle of the outline in its patch
} cut_patches;

// False when memory is short; release in any case.
bool sherd_cut_patches_create(cut_patches *p, const outline *o, double size);
void sherd_cut_patches_release(cut_patches *p);

// A segment of some block that lies in the patch.
typedef struct cut_segment {
    const crossings *of;
    int32_t number;
} cut_segment;

// Scratch of one thread.
typedef struct cut_patch_scratch {
    cut_divider divider;
    size_t segment_room, start_room;
    crossing *segments; // by triangle
    int32_t *start;
} cut_patch_scratch;

// Divides the k-th patch along `count` segments, all there are in it, but for the values of its components
// and its labels. The segments' order decides that of points and faces.
cut_result sherd_cut_patch_make(cut_patches *p, int32_t k, const outline *o,
                                const cut_segment *segments, int32_t count,
                                cut_patch_scratch *scratch);
// Once the components have their values. False when memory is short.
bool sherd_cut_patch_label(cut_patch *p);
void sherd_cut_patch_scratch_release(cut_patch_scratch *scratch);

// The fragment of an undivided triangle of the patch.
static inline sherd_fragment_id cut_patch_owner(const cut_patch *p, int32_t t)
{
    return p->joined.value[p->joined.of[p->corner[3 * (size_t)t]]];
}

// Shares of the parent's corners at a vertex of a face.
void sherd_cut_patch_weights(const cut_patch *p, const outline *o, const cut_face *face, int corner,
                             double weight[3]);

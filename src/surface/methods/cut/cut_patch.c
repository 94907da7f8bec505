#include "surface/methods/cut/cut_patch.h"

#include "base/assertion.h"
#include "base/memory.h"
#include "base/sort.h"
#include "math/vec3.h"
#include "surface/partition/key_map.h"

#include <string.h>

// --- The outline in patches ------------------------------------------------------------------------

static sherd_vec3 centre_of(const outline *o, size_t t)
{
    const int32_t *c = o->triangle + 3 * t;
    sherd_vec3 sum = vec3_add(o->position[c[0]], vec3_add(o->position[c[1]], o->position[c[2]]));
    return vec3_scale(1.0 / 3.0, sum);
}

// Groups triangles by the cube that contains their centre.
static sherd_sort_pair *sort_triangles(const outline *o, double size)
{
    size_t n = (size_t)o->triangle_count;
    sherd_sort_pair *pairs = sherd_alloc(n, sizeof *pairs);
    const double half = 1 << 20; // cubes on either side of the middle: 21 bits per axis
    for (size_t t = 0; pairs != NULL && t < n; ++t) {
        sherd_vec3 at = vec3_scale(1.0 / size, vec3_sub(centre_of(o, t), o->lattice.centre));
        double x[3] = {at.x, at.y, at.z};
        pairs[t].value = (uint32_t)t;
        for (int d = 2; d >= 0; --d)
            pairs[t].key =
                pairs[t].key << 21 | (uint64_t)(half + fmax(-half, fmin(half - 1.0, floor(x[d]))));
    }
    if (pairs != NULL && sherd_sort_pairs(pairs, n)) return pairs;
    sherd_free(pairs);
    return NULL;
}

// Numbers the vertices of a patch in order of first use. `number` must be zero, and is zero again
// afterwards.
static bool number_vertices(cut_patch *p, const outline *o, int32_t *number)
{
    p->corner = sherd_alloc(3 * (size_t)p->triangle_count, sizeof *p->corner);
    p->vertex = sherd_alloc(3 * (size_t)p->triangle_count, sizeof *p->vertex);
    if (p->corner == NULL || p->vertex == NULL) return false;
    for (int32_t t = 0; t < p->triangle_count; ++t)
        for (int k = 0; k < 3; ++k) {
            int32_t v = o->triangle[3 * (size_t)p->triangle[t] + (size_t)k];
            if (number[v] == 0) {
                p->vertex[p->vertex_count++] = v;
                number[v] = p->vertex_count;
            }
            p->corner[3 * t + k] = number[v] - 1;
        }
    for (int32_t v = 0; v < p->vertex_count; ++v)
        number[p->vertex[v]] = 0;
    return true;
}

static bool fill_patches(cut_patches *p, const outline *o, const sherd_sort_pair *pairs)
{
    int32_t *number = sherd_alloc((size_t)o->vertex_count, sizeof *number);
    bool ok = number != NULL;
    for (int32_t first = 0, last; ok && first < o->triangle_count; first = last) {
        cut_patch *patch = &p->items[p->count];
        for (last = first + 1; last < o->triangle_count && pairs[last].key == pairs[first].key;)
            ++last;
        patch->triangle_count = last - first;
        patch->triangle = sherd_alloc((size_t)(last - first), sizeof *patch->triangle);
        patch->divided = sherd_alloc((size_t)(last - first), 1);
        ok = patch->triangle != NULL && patch->divided != NULL;
        for (int32_t k = first; ok && k < last; ++k) {
            patch->triangle[k - first] = (int32_t)pairs[k].value;
            p->patch_of[pairs[k].value] = p->count;
            p->index_in_patch[pairs[k].value] = k - first;
        }
        p->count++;
        ok = ok && number_vertices(patch, o, number);
    }
    sherd_free(number);
    return ok;
}

bool sherd_cut_patches_create(cut_patches *p, const outline *o, double size)
{
    size_t n = (size_t)o->triangle_count, patches = 0;
    sherd_sort_pair *pairs = sort_triangles(o, size);
    *p = (cut_patches){.patch_of = sherd_alloc(n, sizeof *p->patch_of),
                       .index_in_patch = sherd_alloc(n, sizeof *p->index_in_patch)};
    for (size_t t = 0; pairs != NULL && t < n; ++t)
        patches += t == 0 || pairs[t].key != pairs[t - 1].key;
    p->items = sherd_alloc(patches, sizeof *p->items);
    bool ok = pairs != NULL && p->patch_of != NULL && p->index_in_patch != NULL &&
              p->items != NULL && fill_patches(p, o, pairs);
    sherd_free(pairs);
    return ok;
}

static void release_cracks(cut_patch *p)
{
    sherd_free(p->points);
    sherd_free(p->faces.items);
    p->points = NULL;
    p->point_count = 0;
    p->faces = (cut_faces){0};
    sherd_cut_components_release(&p->joined);
}

void sherd_cut_patches_release(cut_patches *p)
{
    for (int32_t k = 0; k < p->count && p->items != NULL; ++k) {
        cut_patch *patch = &p->items[k];
        release_cracks(patch);
        sherd_cut_labels_release(&patch->labels);
        sherd_free(patch->triangle);
        sherd_free(patch->vertex);
        sherd_free(patch->corner);
        sherd_free(patch->divided);
    }
    sherd_free(p->items);
    sherd_free(p->patch_of);
    sherd_free(p->index_in_patch);
    *p = (cut_patches){0};
}

// --- Dividing one patch
// ----------------------------------------------------------------------------

static bool make_room(cut_patch_scratch *s, const cut_patch *p, int32_t count)
{
    return sherd_grow((void **)&s->segments, &s->segment_capacity, (size_t)count + 1,
                      sizeof *s->segments) &&
           sherd_grow((void **)&s->start, &s->start_capacity, (size_t)p->triangle_count + 2,
                      sizeof *s->start);
}

// Returns the patch's own index of a segment's point, -1 when out of memory.
static int32_t add_patch_point(cut_patch *p, key_map *numbers, size_t *capacity,
                               const crossing_point *point)
{
    int32_t k = sherd_key_map_insert(numbers, point->key);
    if (k < p->point_count) return k;
    if (!sherd_grow((void **)&p->points, capacity, (size_t)k + 1, sizeof *p->points)) return -1;
    p->points[p->point_count++] = *point;
    return k;
}

// Sorts segments by triangle; the order within a triangle is preserved.
static bool add_segments(cut_patch *p, const int32_t *index_in_patch, const cut_segment *segments,
                         int32_t count, cut_patch_scratch *s)
{
    key_map numbers = {0};
    size_t capacity = 0;
    bool ok = make_room(s, p, count);
    if (ok) memset(s->start, 0, (size_t)(p->triangle_count + 2) * sizeof *s->start);
    for (int32_t k = 0; ok && k < count; ++k)
        s->start[index_in_patch[segments[k].of->segments[segments[k].number].outer] + 2]++;
    for (int32_t t = 0; ok && t < p->triangle_count; ++t)
        s->start[t + 2] += s->start[t + 1];
    for (int32_t k = 0; ok && k < count; ++k) {
        const crossings *of = segments[k].of;
        crossing x = of->segments[segments[k].number];
        for (int e = 0; e < 2; ++e) {
            x.point[e] = add_patch_point(p, &numbers, &capacity, &of->points[x.point[e]]);
            ok &= x.point[e] >= 0;
        }
        s->segments[s->start[index_in_patch[x.outer] + 1]++] = x;
    }
    sherd_key_map_release(&numbers);
    return ok;
}

static cut_result divide_triangles(cut_patch *p, const outline *o, cut_patch_scratch *s)
{
    cut_result result = CUT_OK;
    for (int32_t t = 0; t < p->triangle_count && result == CUT_OK; ++t) {
        int32_t first = s->start[t], count = s->start[t + 1] - first;
        p->divided[t] = count > 0;
        if (count == 0) continue;
        cut_triangle triangle = {.kind = CUT_OUTER,
                                 .number = p->triangle[t],
                                 .count = count,
                                 .segments = s->segments + first,
                                 .point = p->points,
                                 .first_point = p->vertex_count};
        for (int k = 0; k < 3; ++k) {
            int32_t v = o->triangle[3 * (size_t)p->triangle[t] + (size_t)k];
            triangle.corner[k] = p->corner[3 * t + k];
            triangle.at[k] = o->position[v];
            triangle.order[k] = (uint64_t)v;
        }
        result = sherd_cut_divide(&s->divider, &triangle, &p->faces);
    }
    return result;
}

cut_result sherd_cut_patch_make(cut_patches *p, int32_t k, const outline *o,
                                const cut_segment *segments, int32_t count,
                                cut_patch_scratch *scratch)
{
    SHERD_ASSERT(k >= 0 && k < p->count && count >= 0, "the patch is one of the cut");
    cut_patch *patch = &p->items[k];
    release_cracks(patch);
    if (!add_segments(patch, p->index_in_patch, segments, count, scratch)) return CUT_MEMORY;
    cut_result result = divide_triangles(patch, o, scratch);
    if (result != CUT_OK) return result;
    const cut_triangles triangles = {patch->vertex_count, patch->triangle_count, patch->corner,
                                     3 * sizeof *patch->corner, patch->divided};
    return sherd_cut_components_find(&patch->joined, &triangles, &patch->faces);
}

bool sherd_cut_patch_label(cut_patch *p)
{
    bool ok = true;
    p->labels.count = 0;
    for (int32_t k = 0; ok && k < p->faces.count; ++k)
        ok = sherd_cut_labels_add(&p->labels, p->faces.items[k].value);
    for (int32_t t = 0; ok && t < p->triangle_count; ++t)
        if (!p->divided[t]) ok = sherd_cut_labels_add(&p->labels, cut_patch_owner(p, t));
    return ok;
}

void sherd_cut_patch_scratch_release(cut_patch_scratch *scratch)
{
    sherd_cut_divider_release(&scratch->divider);
    sherd_free(scratch->segments);
    sherd_free(scratch->start);
    *scratch = (cut_patch_scratch){0};
}

void sherd_cut_patch_weights(const cut_patch *p, const outline *o, const cut_face *face, int corner,
                             double weight[3])
{
    const int32_t *c = o->triangle + 3 * (size_t)face->parent;
    int32_t v = face->corner[corner];
    memset(weight, 0, 3 * sizeof *weight);
    if (v < p->vertex_count) {
        for (int j = 0; j < 3; ++j)
            weight[j] = c[j] == p->vertex[v];
        return;
    }
    const crossing_point *point = &p->points[v - p->vertex_count];
    if (point->of_crack) {
        memcpy(weight, point->weight, 3 * sizeof *weight);
        return;
    }
    for (int j = 0; j < 3; ++j)
        if (o->edge[3 * (size_t)face->parent + (size_t)j] == point->edge) {
            bool upwards = c[j] < c[(j + 1) % 3];
            weight[j] = upwards ? 1.0 - point->along : point->along;
            weight[(j + 1) % 3] = 1.0 - weight[j];
        }
}

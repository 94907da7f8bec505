// Built top-down. A range of items is split where the surface-area heuristic over 16 bins expects
// the fewest box tests; a node's children are the ranges left after repeatedly splitting the widest
// one.
#include "geometry/bvh.h"

#include "base/assertion.h"
#include "base/memory.h"
#include "math/bounds.h"
#include "math/vec3.h"

#include <string.h>

enum {
    BINS = 16,
    // Below this level ranges are halved by number of items, which bounds the depth for any input.
    SAH_LEVELS = 24
};

// Boxes are reordered with their items: sequential reads use the cache well.
typedef struct item {
    sherd_bounds box;
    int32_t index;
} item;

typedef struct builder {
    item *items;
    const sherd_vec3 *centroids; // by index; NULL: centres of boxes
    sherd_bvh_node *nodes;
    size_t node_count, node_capacity;
} builder;

typedef struct range {
    int32_t begin, end;
    sherd_bounds bounds;
} range;

// Returns half the surface area; 0 for an empty box.
static double half_area(sherd_bounds b)
{
    sherd_vec3 s = vec3_sub(b.high, b.low);
    return s.x >= 0.0 ? s.x * s.y + s.y * s.z + s.z * s.x : 0.0;
}

static double component(sherd_vec3 v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

static range make_range(const builder *b, int32_t begin, int32_t end)
{
    range r = {begin, end, bounds_empty()};
    for (int32_t k = begin; k < end; ++k)
        bounds_join(&r.bounds, &b->items[k].box);
    return r;
}

// Distribution of centres or positions along one axis over the bins (both doubled).
typedef struct binning {
    int axis;
    double low, bins_per_metre, width;
    const sherd_vec3 *centroids; // by index; NULL: centres of boxes
} binning;

static sherd_vec3 centroid_of(const sherd_vec3 *centroids, const item *i)
{
    return centroids == NULL ? vec3_add(i->box.low, i->box.high)
                             : vec3_add(centroids[i->index], centroids[i->index]);
}

static int bin_of(const binning *bins, const item *i)
{
    double place = component(centroid_of(bins->centroids, i), bins->axis);
    int bin = (int)((place - bins->low) * bins->bins_per_metre);
    return bin < 0 ? 0 : bin < BINS ? bin : BINS - 1;
}

// Fills the bins along the axis of largest spread; returns false if all centres coincide.
static bool choose_binning(const builder *b, range r, const sherd_vec3 *centroids, binning *chosen)
{
    sherd_bounds all = bounds_empty();
    *chosen = (binning){0};
    for (int32_t k = r.begin; k < r.end; ++k)
        bounds_add(&all, centroid_of(centroids, &b->items[k]));
    for (int axis = 0; axis < 3; ++axis) {
        double low = component(all.low, axis), width = component(all.high, axis) - low;
        if (width > chosen->width) *chosen = (binning){axis, low, BINS / width, width, centroids};
    }
    return chosen->width > 0.0 && isfinite(chosen->bins_per_metre);
}

static double widest_of(sherd_bounds b)
{
    sherd_vec3 s = vec3_sub(b.high, b.low);
    return fmax(s.x, fmax(s.y, s.z));
}

// Returns whether boxes overlap so much that splitting by their centres separates nothing.
static bool coincide(range r, const binning *centres)
{
    const double NEXT_TO_NOTHING = 1.0 / 32; // fraction of the range: half a bin
    return !(centres->width > 2.0 * NEXT_TO_NOTHING * widest_of(r.bounds));
}

// Returns the first bin of the right half at the cheapest split: area times number, left plus
// right.
static int cheapest_cut(const sherd_bounds bounds[BINS], const int32_t count[BINS])
{
    double right_cost[BINS];
    sherd_bounds box = bounds_empty();
    int32_t items = 0;
    for (int k = BINS - 1; k > 0; --k) {
        bounds_join(&box, &bounds[k]);
        items += count[k];
        right_cost[k] = items * half_area(box);
    }
    box = bounds_empty(), items = 0;
    int best = BINS / 2;
    double lowest = INFINITY;
    for (int k = 1; k < BINS; ++k) {
        bounds_join(&box, &bounds[k - 1]);
        items += count[k - 1];
        double cost = items * half_area(box) + right_cost[k];
        if (cost < lowest) lowest = cost, best = k;
    }
    return best;
}

static int cheapest_bin(const builder *b, range r, const binning *bins)
{
    sherd_bounds bounds[BINS];
    int32_t count[BINS] = {0};
    for (int k = 0; k < BINS; ++k)
        bounds[k] = bounds_empty();
    for (int32_t k = r.begin; k < r.end; ++k) {
        int bin = bin_of(bins, &b->items[k]);
        bounds_join(&bounds[bin], &b->items[k].box);
        ++count[bin];
    }
    return cheapest_cut(bounds, count);
}

// Moves items in bins below `first_right` to the front, and returns where the others begin; the
// middle if one part is empty.
static int32_t part(builder *b, range r, const binning *bins, int first_right)
{
    int32_t left = r.begin, right = r.end;
    while (left < right) {
        if (bin_of(bins, &b->items[left]) < first_right) {
            ++left;
        } else {
            item swap = b->items[left];
            b->items[left] = b->items[--right];
            b->items[right] = swap;
        }
    }
    return left > r.begin && left < r.end ? left : r.begin + (r.end - r.begin) / 2;
}

// Partitions a range into two parts and returns where the second begins.
static int32_t cut(builder *b, range r, int level)
{
    int32_t middle = r.begin + (r.end - r.begin) / 2;
    binning bins;
    if (level >= SAH_LEVELS) return middle;
    bool parted = choose_binning(b, r, NULL, &bins);
    if (b->centroids != NULL && coincide(r, &bins)) {
        // Areas do not discriminate then.
        if (!choose_binning(b, r, b->centroids, &bins)) return middle;
        return part(b, r, &bins, BINS / 2);
    }
    return parted ? part(b, r, &bins, cheapest_bin(b, r, &bins)) : middle;
}

// Splits the widest divisible range in two until there are four ranges or only leaves; returns
// their number.
static int cut_into_children(builder *b, range ranges[SHERD_BVH_WIDTH], int level)
{
    int count = 1;
    while (count < SHERD_BVH_WIDTH) {
        int widest = -1;
        for (int k = 0; k < count; ++k) {
            if (ranges[k].end - ranges[k].begin <= SHERD_BVH_LEAF_SIZE) continue;
            if (widest < 0 || half_area(ranges[k].bounds) > half_area(ranges[widest].bounds))
                widest = k;
        }
        if (widest < 0) break;
        range r = ranges[widest];
        int32_t middle = cut(b, r, level);
        ranges[widest] = make_range(b, r.begin, middle);
        ranges[count++] = make_range(b, middle, r.end);
    }
    return count;
}

static void set_child_box(sherd_bvh_node *node, int k, sherd_bounds box)
{
    for (int axis = 0; axis < 3; ++axis) {
        node->low[axis][k] = component(box.low, axis);
        node->high[axis][k] = component(box.high, axis);
    }
}

// Builds the node of a range and its subtree; -1 when out of memory.
static int32_t build_node(builder *b, range whole, int level)
{
    if (!sherd_grow((void **)&b->nodes, &b->node_capacity, b->node_count + 1, sizeof *b->nodes))
        return -1;
    int32_t index = (int32_t)b->node_count++;
    range ranges[SHERD_BVH_WIDTH] = {whole};
    int count = cut_into_children(b, ranges, level);
    for (int k = 0; k < SHERD_BVH_WIDTH; ++k)
        set_child_box(&b->nodes[index], k, k < count ? ranges[k].bounds : bounds_empty());
    for (int k = 0; k < count; ++k) {
        int32_t items = ranges[k].end - ranges[k].begin;
        if (items <= SHERD_BVH_LEAF_SIZE) {
            b->nodes[index].first[k] = ranges[k].begin;
            b->nodes[index].count[k] = items;
            continue;
        }
        int32_t child = build_node(b, ranges[k], level + 1);
        if (child < 0) return -1;
        b->nodes[index].first[k] = child; // the array may have been reallocated
    }
    return index;
}

bool sherd_bvh_init(sherd_bvh *bvh, const sherd_bounds *boxes, int32_t count)
{
    return sherd_bvh_init_with_centroids(bvh, boxes, NULL, count);
}

bool sherd_bvh_init_with_centroids(sherd_bvh *bvh, const sherd_bounds *boxes,
                                   const sherd_vec3 *centroids, int32_t count)
{
    *bvh = (sherd_bvh){.item_count = count};
    builder b = {.items = sherd_alloc((size_t)count, sizeof *b.items), .centroids = centroids};
    bvh->order = sherd_alloc((size_t)count, sizeof *bvh->order);
    bool built = b.items != NULL && bvh->order != NULL;
    for (int32_t k = 0; k < count && built; ++k)
        b.items[k] = (item){boxes[k], k};
    built = built && build_node(&b, make_range(&b, 0, count), 0) >= 0;
    for (int32_t k = 0; k < count && built; ++k)
        bvh->order[k] = b.items[k].index;
    bvh->nodes = b.nodes;
    bvh->node_count = (int32_t)b.node_count;
    sherd_free(b.items);
    if (!built) sherd_bvh_release(bvh);
    return built;
}

void sherd_bvh_release(sherd_bvh *bvh)
{
    sherd_free(bvh->nodes);
    sherd_free(bvh->order);
    *bvh = (sherd_bvh){0};
}

static bool visit_leaf(const sherd_bvh *bvh, const sherd_bvh_node *node, int k,
                       sherd_bvh_visitor *visit, void *context)
{
    for (int32_t i = 0; i < node->count[k]; ++i)
        if (!visit(context, bvh->order[node->first[k] + i])) return false;
    return true;
}

static bool child_overlaps(const sherd_bvh_node *node, int k, const sherd_bounds *box)
{
    return node->low[0][k] <= box->high.x && node->high[0][k] >= box->low.x &&
           node->low[1][k] <= box->high.y && node->high[1][k] >= box->low.y &&
           node->low[2][k] <= box->high.z && node->high[2][k] >= box->low.z;
}

bool sherd_bvh_overlaps(const sherd_bvh *bvh, sherd_bounds box, sherd_bvh_visitor *visit,
                        void *context)
{
    SHERD_ASSERT(bvh->node_count > 0, "a tree has a root");
    int32_t stack[SHERD_BVH_STACK_SIZE] = {0};
    int depth = 1;
    while (depth > 0) {
        const sherd_bvh_node *node = &bvh->nodes[stack[--depth]];
        for (int k = 0; k < SHERD_BVH_WIDTH; ++k) {
            if (!child_overlaps(node, k, &box)) continue;
            if (node->count[k] == 0)
                stack[depth++] = node->first[k];
            else if (!visit_leaf(bvh, node, k, visit, context))
                return false;
        }
    }
    return true;
}

// Slab test, with bounds widened by rounding so that no grazing hit is lost.
static bool child_on_ray(const sherd_bvh_node *node, int k, const double origin[3],
                         const double inverse[3])
{
    double enter = 0.0, leave = INFINITY;
    for (int axis = 0; axis < 3; ++axis) {
        double a = (node->low[axis][k] - origin[axis]) * inverse[axis];
        double b = (node->high[axis][k] - origin[axis]) * inverse[axis];
        enter = fmax(enter, fmin(a, b));
        leave = fmin(leave, fmax(a, b));
    }
    return enter <= leave * (1.0 + 1e-14);
}

void sherd_bvh_ray(const sherd_bvh *bvh, sherd_vec3 origin, sherd_vec3 direction,
                   sherd_bvh_visitor *visit, void *context)
{
    SHERD_ASSERT(bvh->node_count > 0, "a tree has a root");
    const double from[3] = {origin.x, origin.y, origin.z};
    const double inverse[3] = {1.0 / direction.x, 1.0 / direction.y, 1.0 / direction.z};
    int32_t stack[SHERD_BVH_STACK_SIZE] = {0};
    int depth = 1;
    while (depth > 0) {
        const sherd_bvh_node *node = &bvh->nodes[stack[--depth]];
        for (int k = 0; k < SHERD_BVH_WIDTH; ++k) {
            bool unused = !(node->low[0][k] <= node->high[0][k]);
            if (unused || !child_on_ray(node, k, from, inverse)) continue;
            if (node->count[k] == 0)
                stack[depth++] = node->first[k];
            else if (!visit_leaf(bvh, node, k, visit, context))
                return;
        }
    }
}

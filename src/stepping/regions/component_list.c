#include "stepping/regions/component_list.h"

#include "base/assertion.h"
#include "base/error.h"
#include "base/memory.h"
#include "models/bonded/storage/adjacency.h"

enum { SEGMENT = 1024 };

void sherd_component_list_free(sherd_component_list *list)
{
    sherd_free(list->member);
    sherd_free(list->segments);
    *list = (sherd_component_list){0};
}

size_t sherd_component_list_bytes(const sherd_component_list *list, sherd_element_index count)
{
    return (size_t)count * sizeof *list->member +
           (size_t)list->segment_count * sizeof *list->segments;
}

// at[k]: number of elements of the component whose first element is k, 0 if there is none.
static int64_t measure(const sherd_element_index *root, sherd_element_index *at,
                       sherd_element_index count)
{
    int64_t segments = 0;
    for (sherd_element_index k = 0; k < count; ++k)
        ++at[root[k]];
    for (sherd_element_index k = 0; k < count; ++k)
        if (at[k] >= SHERD_COMPONENT_FEWEST) segments += (at[k] - 1) / SEGMENT + 1;
    return segments;
}

// `at` turns from sizes into indices in `member`, -1: left out.
static void cut_into_segments(sherd_component_list *list, sherd_element_index *at,
                              sherd_element_index count)
{
    sherd_element_index place = 0;
    for (sherd_element_index k = 0; k < count; ++k) {
        sherd_element_index size = at[k];
        at[k] = size >= SHERD_COMPONENT_FEWEST ? place : -1;
        if (at[k] < 0) continue;
        for (sherd_element_index m = 0; m < size; m += SEGMENT)
            list->segments[list->segment_count++] = (sherd_component_segment){
                place + m, place + (m + SEGMENT < size ? m + SEGMENT : size), list->count, k, size};
        ++list->count;
        place += size;
    }
}

sherd_status sherd_component_list_make(sherd_component_list *list, const sherd_bonds *bonds,
                                       sherd_element_index count, sherd_error *error)
{
    size_t n = (size_t)count;
    sherd_element_index *root = sherd_alloc(n, sizeof *root), *at = sherd_alloc(n, sizeof *at);
    *list = (sherd_component_list){.member = sherd_alloc(n, sizeof *list->member)};
    bool done = root != NULL && at != NULL && list->member != NULL;
    if (done) {
        sherd_find_components(bonds, count, root);
        int64_t segments = measure(root, at, count);
        list->segments = sherd_alloc((size_t)segments, sizeof *list->segments);
        done = list->segments != NULL;
    }
    if (done) {
        cut_into_segments(list, at, count);
        for (sherd_element_index k = 0; k < count; ++k)
            if (at[root[k]] >= 0) list->member[at[root[k]]++] = k;
        SHERD_ASSERT(list->segment_count == 0 ||
                         list->segments[list->segment_count - 1].end <= count,
                     "members are elements that there are");
        SHERD_ASSERT(
            list->segment_count == 0 ||
                sherd_strictly_ascending(list->member + list->segments[0].begin,
                                         (size_t)(list->segments[0].end - list->segments[0].begin)),
            "members of a component ascend");
    }
    sherd_free(root);
    sherd_free(at);
    if (done) return SHERD_OK;
    sherd_component_list_free(list);
    return sherd_fail_memory(error, "components");
}

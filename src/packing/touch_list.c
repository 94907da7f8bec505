#include "packing/touch_list.h"

#include "base/assertion.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "math/point_grid.h"

enum { NEAR = 32, CHUNK = 1024 };

// Of centres, in radii: gaps of 0.15 r are bonded by default (sherd_body_def).
static const double REACH = 2.15;

typedef struct search {
    const sherd_point_grid *grid;
    sherd_touch_list *list;
} search;

static void list_chunk(void *context, size_t begin, size_t end)
{
    const search *s = context;
    for (size_t n = begin; n < end; ++n) {
        int32_t near[NEAR], *other = s->list->other + n * SHERD_TOUCH_MOST;
        int found = sherd_point_grid_near(s->grid, s->grid->point[n].at, s->grid->cell, near, NEAR);
        uint8_t kept = 0;
        for (int k = 0; k < found && kept < SHERD_TOUCH_MOST; ++k)
            if ((size_t)near[k] != n) other[kept++] = near[k];
        s->list->found[n] = kept;
    }
}

bool sherd_touch_list_init(sherd_touch_list *list, const sherd_centres *centres, double radius,
                           int threads)
{
    SHERD_ASSERT(radius > 0.0, "elements have a radius");
    size_t n = centres->count;
    sherd_point_grid grid = {0};
    *list = (sherd_touch_list){.count = n,
                               .other = sherd_alloc(n * SHERD_TOUCH_MOST, sizeof *list->other),
                               .found = sherd_alloc(n, sizeof *list->found)};
    bool done = list->other != NULL && list->found != NULL &&
                sherd_point_grid_init(&grid, REACH * radius, n);
    for (size_t k = 0; k < n && done; ++k)
        done = sherd_point_grid_add(&grid, centres->point[k]);
    if (done)
        sherd_parallel_for(&(sherd_parallel){threads}, n, CHUNK, list_chunk,
                           &(search){&grid, list});
    sherd_point_grid_free(&grid);
    if (!done) sherd_touch_list_free(list);
    return done;
}

void sherd_touch_list_free(sherd_touch_list *list)
{
    sherd_free(list->other);
    sherd_free(list->found);
    *list = (sherd_touch_list){0};
}

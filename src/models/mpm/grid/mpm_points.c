#include "models/mpm/grid/mpm_points.h"

#include "base/assertion.h"
#include "base/memory.h"
#include "base/pages/pages.h"

#include <stdint.h>
#include <string.h>

enum { MAX_COLUMNS = 3 + 3 + 2 * SHERD_MPM_SYMMETRIC + SHERD_MPM_TENSOR + 2 };

static int list_columns(sherd_mpm_points *p, bool affine, double **list[MAX_COLUMNS])
{
    int n = 0;
    for (int k = 0; k < 3; ++k)
        list[n++] = &p->x[k];
    for (int k = 0; k < 3; ++k)
        list[n++] = &p->v[k];
    for (int k = 0; k < SHERD_MPM_SYMMETRIC; ++k)
        list[n++] = &p->b[k], list[n++] = &p->rate[k];
    for (int k = 0; k < SHERD_MPM_TENSOR && affine; ++k)
        list[n++] = &p->c[k];
    list[n++] = &p->state;
    list[n++] = &p->volume;
    return n;
}

static bool allocate(sherd_mpm_points *p, size_t capacity, bool affine)
{
    double **list[MAX_COLUMNS];
    int n = list_columns(p, affine, list);
    bool ok = true;
    for (int k = 0; k < n; ++k)
        ok = (*list[k] = sherd_alloc_pages(capacity, sizeof(double))) != NULL && ok;
    p->body = sherd_alloc_pages(capacity, sizeof *p->body);
    p->number = sherd_alloc_pages(capacity, sizeof *p->number);
    p->capacity = capacity;
    return ok && p->body != NULL && p->number != NULL;
}

// With room for fillers: sorting adds up to 7 to a page, which has 512 points in a lattice.
static size_t roomy(size_t count)
{
    return count + count / 16;
}

bool sherd_mpm_points_make(sherd_mpm_points *p, size_t count, bool affine)
{
    *p = (sherd_mpm_points){0};
    if (!allocate(p, roomy(count), affine)) return false;
    for (size_t k = 0; k < count; ++k) {
        for (int n = 0; n < 3; ++n)
            p->b[n][k] = 1.0;
        p->number[k] = (int32_t)k;
    }
    p->count = count;
    return true;
}

void sherd_mpm_points_release(sherd_mpm_points *p)
{
    double **list[MAX_COLUMNS];
    int n = list_columns(p, true, list);
    for (int k = 0; k < n; ++k)
        sherd_free_pages(*list[k]);
    sherd_free_pages(p->body), sherd_free_pages(p->number);
    *p = (sherd_mpm_points){0};
}

// Fillers are copies of the neighbouring point without volume. They move and deform like it, so
// they do not change the time step, which depends on the fastest point.
static void fill_column(double *to, const double *from, const int32_t *source, size_t count)
{
    for (size_t k = 0; k < count; ++k)
        to[k] = from[source[k] >= 0 ? source[k] : -1 - source[k]];
}

static void fill_bodies(uint32_t *to, const uint32_t *from, const int32_t *source, size_t count)
{
    for (size_t k = 0; k < count; ++k)
        to[k] = from[source[k] >= 0 ? source[k] : -1 - source[k]];
}

static void fill_numbers(int32_t *to, const int32_t *from, const int32_t *source, size_t count)
{
    for (size_t k = 0; k < count; ++k)
        to[k] = source[k] >= 0 ? from[source[k]] : SHERD_MPM_FILLER;
}

// Before the first step velocity gradients and strain rates are zero everywhere; so is the state of many laws. Such a
// column stays as it is, and its pages are never there. Also looks past the last point, where points may come to lie.
static bool is_zero(const double *column, size_t count)
{
    for (size_t k = 0; k < count; ++k) {
        uint64_t bits;
        memcpy(&bits, &column[k], sizeof bits);
        if (bits != 0) return false;
    }
    return true;
}

// All columns are allocated before the first is moved, so that points stay as they are when memory is short; pages of
// the new ones take memory only when they are filled, and each old column is freed then.
static bool move_columns(sherd_mpm_points *p, const int32_t *source, size_t count)
{
    bool affine = p->c[0] != NULL;
    sherd_mpm_points made = {0};
    if (!allocate(&made, roomy(count), affine)) {
        sherd_mpm_points_release(&made);
        return false;
    }
    double **from[MAX_COLUMNS], **to[MAX_COLUMNS];
    int n = list_columns(p, affine, from);
    list_columns(&made, affine, to);
    for (int k = 0; k < n; ++k) {
        if (!is_zero(*from[k], p->count)) fill_column(*to[k], *from[k], source, count);
        sherd_free_pages(*from[k]);
        *from[k] = NULL;
    }
    fill_bodies(made.body, p->body, source, count);
    fill_numbers(made.number, p->number, source, count);
    sherd_mpm_points_release(p);
    *p = made;
    return true;
}

// Fills a spare column from each, whose array is the next spare one: there is no second copy of the points.
static bool permute_columns(sherd_mpm_points *p, const int32_t *source, size_t count)
{
    double **list[MAX_COLUMNS], *spare = sherd_alloc_pages(p->capacity, sizeof *spare);
    if (spare == NULL) return false;
    int n = list_columns(p, p->c[0] != NULL, list);
    size_t most = count > p->count ? count : p->count;
    for (int k = 0; k < n; ++k) {
        double *column = *list[k];
        if (is_zero(column, most)) continue;
        fill_column(spare, column, source, count);
        *list[k] = spare;
        spare = column;
    }
    fill_bodies((uint32_t *)spare, p->body, source, count);
    memcpy(p->body, spare, count * sizeof *p->body);
    fill_numbers((int32_t *)spare, p->number, source, count);
    memcpy(p->number, spare, count * sizeof *p->number);
    sherd_free_pages(spare);
    return true;
}

bool sherd_mpm_points_reorder(sherd_mpm_points *p, const int32_t *source, size_t count)
{
    SHERD_ASSERT(count % SHERD_MPM_BATCH == 0, "points come in whole batches");
    for (size_t k = 0; k < count; ++k) {
        size_t at = (size_t)(source[k] >= 0 ? source[k] : -1 - source[k]);
        (void)at;
        SHERD_ASSERT(at < p->count, "points come from points that there were");
        SHERD_ASSERT(p->number[at] != SHERD_MPM_FILLER, "no filler stands for a point");
    }
    if (!(count <= p->capacity ? permute_columns : move_columns)(p, source, count)) return false;
    for (size_t k = 0; k < count; ++k)
        if (source[k] < 0) p->volume[k] = 0.0;
    p->count = count;
    return true;
}

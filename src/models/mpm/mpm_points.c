#include "models/mpm/mpm_points.h"

#include "base/memory.h"

#include <string.h>

enum { MOST_COLUMNS = 3 + 3 + SHERD_MPM_SYMMETRIC + SHERD_MPM_TENSOR + 2 };

// What fills up a batch has of the point next to it.
typedef enum filling { FILL_COPY, FILL_ZERO, FILL_ONE } filling;

typedef struct column {
    double **values;
    filling filling;
} column;

static int list_columns(sherd_mpm_points *p, bool affine, column list[MOST_COLUMNS])
{
    int n = 0;
    for (int k = 0; k < 3; ++k)
        list[n++] = (column){&p->x[k], FILL_COPY};
    for (int k = 0; k < 3; ++k)
        list[n++] = (column){&p->v[k], FILL_ZERO};
    for (int k = 0; k < SHERD_MPM_SYMMETRIC; ++k)
        list[n++] = (column){&p->b[k], k < 3 ? FILL_ONE : FILL_ZERO};
    for (int k = 0; k < SHERD_MPM_TENSOR && affine; ++k)
        list[n++] = (column){&p->c[k], FILL_ZERO};
    list[n++] = (column){&p->state, FILL_COPY};
    list[n++] = (column){&p->volume, FILL_ZERO};
    return n;
}

static bool allocate(sherd_mpm_points *p, size_t capacity, bool affine)
{
    column list[MOST_COLUMNS];
    int n = list_columns(p, affine, list);
    bool ok = true;
    for (int k = 0; k < n; ++k)
        ok = (*list[k].values = sherd_alloc(capacity, sizeof(double))) != NULL && ok;
    p->body = sherd_alloc(capacity, sizeof *p->body);
    p->number = sherd_alloc(capacity, sizeof *p->number);
    p->capacity = capacity;
    return ok && p->body != NULL && p->number != NULL;
}

bool sherd_mpm_points_make(sherd_mpm_points *p, size_t count, bool affine)
{
    *p = (sherd_mpm_points){0};
    if (!allocate(p, count, affine)) return false;
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
    column list[MOST_COLUMNS];
    int n = list_columns(p, true, list);
    for (int k = 0; k < n; ++k)
        sherd_free(*list[k].values);
    sherd_free(p->body), sherd_free(p->number);
    *p = (sherd_mpm_points){0};
}

static void fill_column(double *to, const double *from, filling how, const int32_t *source,
                        size_t count)
{
    for (size_t k = 0; k < count; ++k)
        to[k] = source[k] >= 0     ? from[source[k]]
                : how == FILL_COPY ? from[-1 - source[k]]
                                   : (double)(how == FILL_ONE);
}

bool sherd_mpm_points_reorder(sherd_mpm_points *p, const int32_t *source, size_t count)
{
    bool affine = p->c[0] != NULL;
    sherd_mpm_points made = {0};
    if (!allocate(&made, count, affine)) {
        sherd_mpm_points_release(&made);
        return false;
    }
    column from[MOST_COLUMNS], to[MOST_COLUMNS];
    int n = list_columns(p, affine, from);
    list_columns(&made, affine, to);
    for (int k = 0; k < n; ++k)
        fill_column(*to[k].values, *from[k].values, from[k].filling, source, count);
    for (size_t k = 0; k < count; ++k) {
        int32_t at = source[k] >= 0 ? source[k] : -1 - source[k];
        made.body[k] = p->body[at];
        made.number[k] = source[k] >= 0 ? p->number[at] : SHERD_MPM_FILLER;
    }
    made.count = count;
    sherd_mpm_points_release(p);
    *p = made;
    return true;
}

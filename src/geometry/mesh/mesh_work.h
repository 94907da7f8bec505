// A bound on the work spent on a mesh: if the boxes of n triangles all overlap, each search visits
// all n of them, and a file of some kilobytes would take hours.
//
// Work counts the operations of searches in units of about 10 ns: a tested box or triangle is one,
// see the callers. The count does not depend on the number of threads, and neither does whether the
// bound is exceeded: a caller that exceeds it stops, its results are discarded, and the mesh is
// rejected.
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct sherd_mesh_work {
    int64_t limit;
    atomic_llong spent,
        expected; // expected: work not counted against `limit`, see mesh_work_expect
} sherd_mesh_work;

// Fifteen seconds: the bound on expected work.
#define MESH_WORK_MAX_EXPECTED INT64_C(1500000000)

// A third of a second for any mesh, plus 10 us per triangle. Well-shaped meshes take a tenth of the
// latter.
static inline int64_t mesh_work_limit(int32_t triangles)
{
    return INT64_C(30000000) + INT64_C(1000) * triangles;
}

static inline bool mesh_work_remains(sherd_mesh_work *work)
{
    return atomic_load_explicit(&work->spent, memory_order_relaxed) <= work->limit &&
           atomic_load_explicit(&work->expected, memory_order_relaxed) <= MESH_WORK_MAX_EXPECTED;
}

static inline void mesh_work_spend(sherd_mesh_work *work, int64_t units)
{
    atomic_fetch_add_explicit(&work->spent, units, memory_order_relaxed);
}

static inline void mesh_work_expect(sherd_mesh_work *work, int64_t units)
{
    atomic_fetch_add_explicit(&work->expected, units, memory_order_relaxed);
}

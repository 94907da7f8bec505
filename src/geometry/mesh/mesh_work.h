// A bound on the work that a mesh takes: searches among n triangles that lie across each other's boxes visit all n of
// them, and files of some kilobytes would take hours.
//
// Work is what searches do, in units of about 10 ns: a box or triangle looked at is one, see the users. It is the
// same for every number of threads, and so is whether it is all done: who finds that too much is spent ends, the
// results are thrown away, and the mesh is refused.
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct sherd_mesh_work {
    int64_t most;
    atomic_llong spent,
        expected; // the latter: what is not counted against `most`, see mesh_work_expect
} sherd_mesh_work;

// Fifteen seconds: what even expected work may come to.
#define MESH_WORK_MOST_EXPECTED INT64_C(1500000000)

// A third of a second for any mesh, and 10 us more for each triangle. Well-shaped meshes take a tenth of the latter.
static inline int64_t mesh_work_most(int32_t triangles)
{
    return INT64_C(30000000) + INT64_C(1000) * triangles;
}

static inline bool mesh_work_is_left(sherd_mesh_work *work)
{
    return atomic_load_explicit(&work->spent, memory_order_relaxed) <= work->most &&
           atomic_load_explicit(&work->expected, memory_order_relaxed) <= MESH_WORK_MOST_EXPECTED;
}

static inline void mesh_work_spend(sherd_mesh_work *work, int64_t units)
{
    atomic_fetch_add_explicit(&work->spent, units, memory_order_relaxed);
}

static inline void mesh_work_expect(sherd_mesh_work *work, int64_t units)
{
    atomic_fetch_add_explicit(&work->expected, units, memory_order_relaxed);
}

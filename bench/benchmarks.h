// The benchmarks, and shared code.
#pragma once

#include "options.h"

#include <sherd/body.h>
#include <sherd/packing.h>
#include <sherd/world_def.h>

// One function per benchmark; each returns the exit status.
int bench_explicit(const command_options *options);
int bench_implicit(const command_options *options);
int bench_rods(const command_options *options);
int bench_contact(const command_options *options);
int bench_breakage(const command_options *options);
int bench_optimizers(const command_options *options);
int bench_fracture(const command_options *options);
int bench_pictures(const command_options *options);
int bench_packing(const command_options *options);
int bench_surface(const command_options *options);
int bench_regions(const command_options *options);
int bench_mpm(const command_options *options);
int bench_mpm_spheres(const command_options *options);
int bench_transfers(const command_options *options);
int bench_threads(const command_options *options);

enum { BENCH_REPEATS = 5 };

// The machine's limits with so many threads: the best of a few tries.
typedef struct machine_peak {
    double gigaflops_double, gigaflops_single; // fused multiply-adds, two operations each
    double core_gigaflops_double; // of a second of processor time: other work beside does not count
    double gigabytes;             // a[i] = b[i] + s c[i], bytes read and written / s
} machine_peak;

machine_peak machine_peak_measure(int threads);
// Fused multiply-adds of doubles at this moment, in some unit that does not depend on threads; takes a few hundredths of
// a second.
double machine_peak_now(int threads);

static const double BENCH_RADIUS = 1e-3; // of elements [m]

// Fills a shape, which is destroyed; NULL gives NULL.
sherd_packing *bench_pack(sherd_shape *shape, double jitter, int threads, sherd_error *error);

// Takes its elements out of the order of rows, into that of a space-filling curve.
bool bench_order_along_curve(sherd_packing *packing, sherd_error *error);

// Adds a packing's elements, which is destroyed, as a body of a new material; the other fields are
// taken from `body`.
bool bench_add_body(sherd_world *world, sherd_packing *packing, const sherd_material_def *material,
                    sherd_body_def body, sherd_error *error);

// A floor and four walls close around a block of this edge about the origin.
bool bench_add_walls(sherd_world *world, double edge, sherd_error *error);

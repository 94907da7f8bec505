// One function per command; each returns the exit status.
#pragma once

#include "options.h"

int command_run(const command_options *options);
int command_check(const command_options *options);
int command_info(const command_options *options);
int command_surface(const command_options *options);
int command_export(const command_options *options);
int command_render(const command_options *options);
int command_calibrate(const command_options *options);
int command_bench(const command_options *options);
int bench_explicit(const command_options *options);
int bench_implicit(const command_options *options);
int bench_contact(const command_options *options);
int bench_breakage(const command_options *options);
int bench_optimizers(const command_options *options);
int bench_fracture(const command_options *options);
int bench_packing(const command_options *options);
int bench_surface(const command_options *options);
int bench_regions(const command_options *options);

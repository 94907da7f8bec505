// One function per command; each returns the exit status.
#pragma once

#include "options.h"

int command_run(const command_options *options);
int command_check(const command_options *options);
int command_info(const command_options *options);
int command_surface(const command_options *options);
int command_export(const command_options *options);
int command_render(const command_options *options);
int command_view(const command_options *options);
int command_calibrate(const command_options *options);
int command_paper(const command_options *options);
int command_doctor(const command_options *options);
int command_new(const command_options *options);
int command_materials(const command_options *options);
int command_completion(const command_options *options);
int command_man(const command_options *options);

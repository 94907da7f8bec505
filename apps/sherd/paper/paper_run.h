// The run of a row: anew, resumed, or the one that is there.
#pragma once

#include "options.h"
#include "paper/paper_item.h"

// Runs a row into `folder` unless a finished run of the same scene, frames and version is there. Returns 0, or
// the exit status after printing an error.
int paper_run_row(const paper_row *row, const char *folder, const command_options *options);

// Prints the command that simulates a row, and checks that its scene can be read. Returns 0, or the exit status
// after printing an error.
int paper_print_command(const paper_row *row, const command_options *options);

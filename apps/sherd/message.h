// Messages of the command: errors as "where / what / hint", sizes and times for people.
#pragma once

#include <sherd/error.h>
#include <sherd/message.h>
#include <sherd/scene.h>

#include <limits.h>

// Exit statuses of the command.
enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2 };

// The exit status that fits an error.
int message_status(const sherd_error *error);

// Prints an error to stderr and returns the exit status that fits it.
int message_error(const sherd_error *error);
// The same of what was refused before anything was run, which a closing line says.
int message_refused(const sherd_error *error);
int message_diagnostics(const sherd_diagnostics *diagnostics);
// A message of the library: progress and notes on standard output, all else on standard error.
void message_print(void *context, const sherd_message *message);
// The same without standard output: --quiet.
void message_print_quiet(void *context, const sherd_message *message);

// A mistake on the command line. Returns EXIT_USAGE.
int message_usage(const char *what, const char *argument, const char *hint);

// Notes of a scene's reader, such as repairs of a mesh: a line each on standard output.
void message_notes(const sherd_scene *scene);

// FOLDER/NAME. Longer than any name that the system takes: one that is cut to this is refused by the system,
// it never becomes another file's.
enum { MESSAGE_PATH = 2 * PATH_MAX };
void message_path(const char *folder, const char *name, char path[MESSAGE_PATH]);

// Text of the user or a file, for a terminal: sherd_printable into `shown`, which is returned.
enum { MESSAGE_NAME = 1024 };
const char *message_name(const char *name, char shown[MESSAGE_NAME]);

// "3 min 20 s" into `text`, which is returned.
enum { MESSAGE_TEXT = 48 };
const char *message_pressure(double pascals, char text[MESSAGE_TEXT]);
const char *message_duration(double seconds, char text[MESSAGE_TEXT]);

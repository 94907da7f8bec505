// Messages of the command: errors as "where / what / hint", readable sizes and times.
#pragma once

#include <sherd/error.h>
#include <sherd/message.h>
#include <sherd/scene.h>

#include <limits.h>

// Exit statuses of the command.
enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2 };

// The exit status for an error.
int message_status(const sherd_error *error);

// Prints an error to stderr and returns its exit status.
int message_error(const sherd_error *error);
// The same for input that was refused; adds a closing line that nothing was run.
int message_refused(const sherd_error *error);
int message_diagnostics(const sherd_diagnostics *diagnostics);
// Prints a message of the library: progress and notes on standard output, everything else on
// standard error.
void message_print(void *context, const sherd_message *message);
// The same without standard output, for --quiet.
void message_print_quiet(void *context, const sherd_message *message);

// Reports an error on the command line. Returns EXIT_USAGE.
int message_usage(const char *what, const char *argument, const char *hint);

// Prints notes of a scene's reader, such as repairs of a mesh, one per line.
void message_notes(const sherd_scene *scene);

// FOLDER/NAME. Longer than any path that the system accepts, so a truncated path is refused and
// cannot name another file.
enum { MESSAGE_PATH = 2 * PATH_MAX };
void message_path(const char *folder, const char *name, char path[MESSAGE_PATH]);

// Makes text of a user or a file safe for a terminal: sherd_printable into `shown`, which is
// returned.
enum { MESSAGE_NAME = 1024 };
const char *message_name(const char *name, char shown[MESSAGE_NAME]);

// Writes "3 min 20 s" to `text` and returns it.
enum { MESSAGE_TEXT = 48 };
const char *message_pressure(double pascals, char text[MESSAGE_TEXT]);
const char *message_duration(double seconds, char text[MESSAGE_TEXT]);
// Describes a run's video: "2.03 s, 100 times slower than real".
const char *message_video(int64_t pictures, double frame_rate, char text[MESSAGE_TEXT]);
// Writes a time step, "1.64 us" or "18.2 ms".
const char *message_step(double seconds, char text[MESSAGE_TEXT]);
// Writes a number with three significant digits, "683000".
const char *message_rounded(double number, char text[MESSAGE_TEXT]);

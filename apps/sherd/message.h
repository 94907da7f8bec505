// What the command says: errors as "where / what / hint", sizes and times for people.
#pragma once

#include <sherd/error.h>
#include <sherd/scene.h>

// Exit statuses of the command.
enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2 };

// Prints an error to stderr and returns the exit status that fits it.
int message_error(const sherd_error *error);
int message_diagnostics(const sherd_diagnostics *diagnostics);
// A mistake on the command line. Returns EXIT_USAGE.
int message_usage(const char *what, const char *argument, const char *hint);

// What the user or a file named, for a terminal: sherd_printable into `shown`, which is returned.
enum { MESSAGE_NAME = 1024 };
const char *message_name(const char *name, char shown[MESSAGE_NAME]);

// "1.5 GB", "3 min 20 s" into `text`, which is returned.
enum { MESSAGE_TEXT = 48 };
const char *message_bytes(double bytes, char text[MESSAGE_TEXT]);
const char *message_pressure(double pascals, char text[MESSAGE_TEXT]);
const char *message_duration(double seconds, char text[MESSAGE_TEXT]);

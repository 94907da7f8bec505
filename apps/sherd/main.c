// sherd: the command. Built on the library's public headers only.
#include "command_table.h"
#include "message.h"
#include "shell/help.h"

#include <sherd/simd.h>
#include <sherd/version.h>

#include <signal.h>
#include <stdio.h>
#include <string.h>
#if defined(__GLIBC__)
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <poll.h>
#include <stdbool.h>
#include <unistd.h>
#endif

static int run_command(const command *c, int count, char **words)
{
    command_options parsed;
    int status = options_parse(&parsed, count, words);
    sherd_error error;
    if (status == 0 && !parsed.help && sherd_simd_choose(parsed.simd, &error) != SHERD_OK) {
        message_error(&error);
        status = EXIT_USAGE;
    }
    if (status == 0 && !parsed.help)
        status = c->run(&parsed);
    else if (status == 0)
        help_print_command(stdout, c);
    options_free(&parsed);
    return status;
}

static int run_words(int argc, char **argv)
{
    if (argc < 2 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
        strcmp(argv[1], "help") == 0) {
        help_print(argc < 2 ? stderr : stdout);
        return argc < 2 ? EXIT_USAGE : EXIT_DONE;
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("sherd %s\n", sherd_version());
        return EXIT_DONE;
    }
    for (int k = 0; k < commands_count(); ++k)
        if (strcmp(argv[1], commands_get(k)->name) == 0)
            return run_command(commands_get(k), argc - 2, argv + 2);
    return message_usage("unknown command", argv[1], "sherd --help lists them");
}

// Each picture and surface allocates and frees memory. If it were returned to the system, clearing
// its pages again would cost 15 % of a picture. So up to some hundred megabytes of free memory are
// retained.
static void keep_memory(void)
{
#if defined(__GLIBC__)
    mallopt(M_MMAP_THRESHOLD, 32 << 20); // larger arrays are returned [bytes]; glibc's maximum
    mallopt(M_TRIM_THRESHOLD, 512 << 20);
#endif
}

// Descriptors 0 to 2: opens closed ones at the start, and checks that standard output was written.

// open() returns the lowest free number, which is the closed descriptor.
static bool open_one(int descriptor)
{
    if (fcntl(descriptor, F_GETFD) >= 0 || errno != EBADF) return true;
    int opened = open("/dev/null", O_RDWR);
    if (opened < 0) opened = open("/", O_RDONLY); // without /dev: writing there fails
    return opened == descriptor;
}

// Opens /dev/null for a closed standard input, output or error; otherwise the next opened file
// would get that number and receive text for the terminal. Ignores SIGPIPE: output without a reader
// is lost. Returns false if nothing could be opened.
static bool standard_streams_open(void)
{
    signal(SIGPIPE, SIG_IGN);
    return open_one(STDIN_FILENO) && open_one(STDOUT_FILENO) && open_one(STDERR_FILENO);
}

// True if the pipe has no reader or the terminal is closed.
static bool reader_is_gone(void)
{
    struct pollfd output = {.fd = STDOUT_FILENO, .events = POLLOUT};
    return poll(&output, 1, 0) > 0 && (output.revents & (POLLERR | POLLHUP)) != 0;
}

// Flushes standard output. Returns false after printing an error if output was lost (full disk);
// true if the reader closed the pipe.
static bool standard_output_flush(void)
{
    if ((fflush(stdout) == 0 && !ferror(stdout)) || reader_is_gone()) return true;
    fprintf(stderr, "sherd: can't write to standard output\n");
    return false;
}

int main(int argc, char **argv)
{
    keep_memory();
    if (!standard_streams_open()) return EXIT_FAILED;
    signal(SIGXFSZ, SIG_IGN); // report file size limits as ordinary write errors
    int status = run_words(argc, argv);
    return standard_output_flush() || status != EXIT_DONE ? status : EXIT_FAILED;
}

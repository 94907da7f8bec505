#include "standard_streams.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

// open() returns the lowest free number, which is the closed descriptor.
static bool open_one(int descriptor)
{
    if (fcntl(descriptor, F_GETFD) >= 0 || errno != EBADF) return true;
    int opened = open("/dev/null", O_RDWR);
    if (opened < 0) opened = open("/", O_RDONLY); // without /dev: writing there fails
    return opened == descriptor;
}

bool standard_streams_open(void)
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

bool standard_output_flush(void)
{
    if ((fflush(stdout) == 0 && !ferror(stdout)) || reader_is_gone()) return true;
    fprintf(stderr, "sherd: can't write to standard output\n");
    return false;
}

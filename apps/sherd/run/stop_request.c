#include "run/stop_request.h"

#include "clock.h"

#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

static const double LONG = 0.5; // [s] longest wait without feedback

static sherd_stop requested;
static _Atomic double slice_begin, slice_before; // [s]

static void say(const char *text, size_t size)
{
    ssize_t ignored = write(STDERR_FILENO, text, size);
    (void)ignored;
}

// Async-signal-safe.
static void on_request(int signal_number)
{
    static const char LATER[] = "\nstopping after the step in progress; once more stops at once, "
                                "without a checkpoint of it\n";
    static const char NOW[] = "\nstopped at once; what was written stays readable\n";
    if (sherd_stop_requested(&requested)) {
        say(NOW, sizeof NOW - 1);
        signal(signal_number, SIG_DFL);
        raise(signal_number); // once this handler returns
        return;
    }
    sherd_stop_request(&requested);
    if (slice_before > LONG || clock_seconds() - slice_begin > LONG) say(LATER, sizeof LATER - 1);
}

// A run started with nohup keeps ignoring SIGHUP.
static void listen_to_hangup(void (*handler)(int))
{
    if (signal(SIGHUP, handler) == SIG_IGN) signal(SIGHUP, SIG_IGN);
}

void stop_requests_begin(void)
{
    requested = (sherd_stop){0};
    stop_requests_slice(0.0);
    signal(SIGINT, on_request);
    signal(SIGTERM, on_request);
    listen_to_hangup(on_request);
}

void stop_requests_end(void)
{
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    listen_to_hangup(SIG_DFL);
}

const sherd_stop *stop_request(void)
{
    return &requested;
}

void stop_requests_slice(double seconds)
{
    slice_before = seconds;
    slice_begin = clock_seconds();
}

// sherd view: shows a run or a scene in the browser.
#include "commands.h"
#include "run/stop_request.h"
#include "view/server.h"
#include "view/simulation.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

// Writes a page that redirects to the address, readable only by this user: process arguments are
// visible to all users, and the address gives control of the run. It is in the temporary folder,
// which is removed at the end.
static bool write_redirect_page(const simulation *s, const char *address, char path[MESSAGE_PATH])
{
    message_path(s->preview, "open.html", path);
    int descriptor = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
    if (descriptor < 0) return false;
    bool written = dprintf(descriptor,
                           "<!doctype html><meta charset=\"utf-8\"><title>sherd view</title>\n"
                           "<meta name=\"referrer\" content=\"no-referrer\">\n"
                           "<meta http-equiv=\"refresh\" content=\"0; url=%s\">\n"
                           "<a href=\"%s\">sherd view</a>\n",
                           address, address) > 0;
    return close(descriptor) == 0 && written;
}

// In a separate process, so that failures of the browser do not affect this one.
static void open_browser(const simulation *s, const char *address)
{
    bool screen = getenv("DISPLAY") != NULL || getenv("WAYLAND_DISPLAY") != NULL;
    char way[MESSAGE_PATH];
    if (!screen || !write_redirect_page(s, address, way)) return;
    signal(SIGCHLD, SIG_IGN);
    pid_t child = fork();
    if (child != 0) return;
    execlp("xdg-open", "xdg-open", way, (char *)NULL);
    _exit(127);
}

static void wait_for_end(void)
{
    const struct timespec while_ = {0, 100000000};
    stop_requests_begin();
    while (!sherd_stop_requested(stop_request())) {
        stop_requests_slice(0.0);
        nanosleep(&while_, NULL);
    }
    stop_requests_end();
}

static int serve(simulation *s, live *l, const command_options *options)
{
    server *running = server_start(l, (int)options->port);
    if (running == NULL) {
        simulation_close(s);
        return EXIT_FAILED;
    }
    int code = simulation_start(s);
    if (code == 0) {
        printf("%s\n", server_address(running));
        if (!options->quiet)
            printf("  the page of %s; whoever knows this address may see and steer it. Ctrl-C "
                   "ends\n",
                   options->input);
        fflush(stdout);
        if (!options->no_browser) open_browser(s, server_address(running));
        wait_for_end();
    }
    simulation_close(s);
    s->started = false;
    server_stop(running);
    return code;
}

int command_view(const command_options *options)
{
    if (options->input == NULL)
        return message_usage("which run or scene?", NULL,
                             "sherd view out/plate, sherd view scenes/plate.yaml");
    live l;
    live_begin(&l);
    simulation s;
    int code = simulation_open(&s, options, &l);
    if (code == 0)
        code = serve(&s, &l, options);
    else
        simulation_close(&s);
    live_end(&l);
    return code;
}

#include "view/server.h"

#include "message.h"

#include <microhttpd.h>

#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

enum {
    TOKEN_BYTES = 16,
    TOKEN = 2 * TOKEN_BYTES,
    MAX_CONNECTIONS = 64,
    MAX_IDLE = 10, // [s] idle connections are closed, as they would block others
    ANSWER = 256
};

struct server {
    live *live;
    struct MHD_Daemon *daemon;
    int port;
    char token[TOKEN + 1];
    char address[128];
};

// ---------------------------------------------------------------- answers

static enum MHD_Result answer(struct MHD_Connection *to, unsigned status, const char *type,
                              struct MHD_Response *response)
{
    if (response == NULL) return MHD_NO;
    MHD_add_response_header(response, "Content-Type", type);
    MHD_add_response_header(response, "Cache-Control", "no-store");
    MHD_add_response_header(response, "Referrer-Policy", "no-referrer");
    MHD_add_response_header(response, "X-Content-Type-Options", "nosniff");
    MHD_add_response_header(response, "X-Frame-Options", "DENY");
    MHD_add_response_header(response, "Cross-Origin-Resource-Policy", "same-origin");
    enum MHD_Result result = MHD_queue_response(to, status, response);
    MHD_destroy_response(response);
    return result;
}

static enum MHD_Result answer_text(struct MHD_Connection *to, unsigned status, const char *text)
{
    char line[ANSWER];
    snprintf(line, sizeof line, "%s\n", text);
    return answer(to, status, "text/plain; charset=utf-8",
                  MHD_create_response_from_buffer(strlen(line), line, MHD_RESPMEM_MUST_COPY));
}

static enum MHD_Result answer_bytes(struct MHD_Connection *to, const char *type, char *bytes,
                                    size_t size)
{
    if (bytes == NULL) return answer_text(to, MHD_HTTP_SERVICE_UNAVAILABLE, "nothing yet");
    return answer(to, MHD_HTTP_OK, type,
                  MHD_create_response_from_buffer(size, bytes, MHD_RESPMEM_MUST_FREE));
}

static enum MHD_Result answer_page(server *s, struct MHD_Connection *to)
{
    pthread_mutex_lock(&s->live->mutex);
    char *copy = malloc(s->live->html_size + 1);
    size_t size = s->live->html_size;
    if (copy != NULL && size > 0) memcpy(copy, s->live->html, size);
    pthread_mutex_unlock(&s->live->mutex);
    return answer_bytes(to, "text/html; charset=utf-8", copy, size);
}

// ---------------------------------------------------------------- events

// A browser that listens for events: "data: {...}" after changes, at most ten times a second.
typedef struct listener {
    live *live;
    int64_t version; // last version that was sent
    char *event;
    size_t size, at;
} listener;

static void later(struct timespec *t, double seconds)
{
    clock_gettime(CLOCK_MONOTONIC, t);
    t->tv_nsec += (long)(1e9 * (seconds - (double)(long)seconds));
    t->tv_sec += (time_t)seconds + t->tv_nsec / 1000000000;
    t->tv_nsec %= 1000000000;
}

// Returns after a change, or after two seconds to detect a closed connection.
static void wait_for_news(listener *l)
{
    static const double APART = 0.1, PATIENCE = 2.0; // [s]
    struct timespec until;
    later(&until, APART);
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
    later(&until, PATIENCE);
    pthread_mutex_lock(&l->live->mutex);
    while (l->live->version == l->version && !l->live->ending)
        if (pthread_cond_timedwait(&l->live->changed, &l->live->mutex, &until) == ETIMEDOUT) break;
    pthread_mutex_unlock(&l->live->mutex);
}

static void make_event(listener *l)
{
    free(l->event);
    char *json = live_state_json(l->live, &l->version);
    size_t room = json != NULL ? strlen(json) + 16 : 16;
    l->event = malloc(room);
    l->at = 0;
    l->size = 0;
    if (l->event != NULL)
        l->size = (size_t)snprintf(l->event, room, json != NULL ? "data: %s\n\n" : ":%s\n\n",
                                   json != NULL ? json : "");
    free(json);
}

static ssize_t read_events(void *context, uint64_t position, char *to, size_t most)
{
    listener *l = context;
    (void)position;
    if (l->at == l->size) {
        if (l->event != NULL) wait_for_news(l);
        make_event(l);
        if (l->event == NULL) return MHD_CONTENT_READER_END_WITH_ERROR;
    }
    size_t count = l->size - l->at < most ? l->size - l->at : most;
    memcpy(to, l->event + l->at, count);
    l->at += count;
    return (ssize_t)count;
}

static void free_listener(void *context)
{
    listener *l = context;
    free(l->event);
    free(l);
}

static enum MHD_Result answer_events(server *s, struct MHD_Connection *to)
{
    listener *l = calloc(1, sizeof *l);
    if (l == NULL) return MHD_NO;
    l->live = s->live;
    l->version = -1;
    return answer(
        to, MHD_HTTP_OK, "text/event-stream",
        MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 4096, read_events, l, free_listener));
}

// ---------------------------------------------------------------- requests of change

// Parses "?by=0.005" in seconds.
static enum MHD_Result go_on_longer(server *s, struct MHD_Connection *to)
{
    const char *text = MHD_lookup_connection_value(to, MHD_GET_ARGUMENT_KIND, "by");
    char *end = NULL;
    double by = text != NULL ? strtod(text, &end) : 0.0;
    if (text == NULL || end == text || *end != '\0' || !(by > 0.0) || !(by < 1e6))
        return answer_text(to, MHD_HTTP_BAD_REQUEST, "by: seconds to simulate, above 0");
    pthread_mutex_lock(&s->live->mutex);
    live_phase phase = s->live->phase;
    bool fits = phase == LIVE_FINISHED || phase == LIVE_STOPPED;
    if (fits) s->live->longer = by, s->live->begin_wanted = true;
    pthread_cond_broadcast(&s->live->changed);
    pthread_mutex_unlock(&s->live->mutex);
    return answer_text(to, fits ? MHD_HTTP_OK : MHD_HTTP_CONFLICT,
                       fits ? "going on" : "only a run that has ended goes on");
}

// Applies a request if it is valid in the present state. Requires the lock.
static bool change(live *l, const char *what)
{
    bool runs = l->phase == LIVE_RUNNING || l->phase == LIVE_PAUSED;
    bool begins = l->phase == LIVE_PREVIEW || l->phase == LIVE_STOPPED || l->phase == LIVE_FAILED;
    if (strcmp(what, "start") == 0 && begins) return l->begin_wanted = true;
    if (strcmp(what, "pause") == 0 && runs) return l->pause_wanted = true;
    if (strcmp(what, "resume") == 0 && runs) return !(l->pause_wanted = false);
    if (strcmp(what, "stop") != 0 || !runs) return false;
    sherd_stop_request(&l->stop);
    return true;
}

static enum MHD_Result answer_post(server *s, struct MHD_Connection *to, const char *what)
{
    static const char *const KNOWN[] = {"start", "pause", "resume", "stop", NULL};
    if (strcmp(what, "longer") == 0) return go_on_longer(s, to);
    int k = 0;
    while (KNOWN[k] != NULL && strcmp(KNOWN[k], what) != 0)
        ++k;
    if (KNOWN[k] == NULL) return answer_text(to, MHD_HTTP_NOT_FOUND, "there is no such request");
    pthread_mutex_lock(&s->live->mutex);
    bool done = change(s->live, what);
    pthread_cond_broadcast(&s->live->changed);
    pthread_mutex_unlock(&s->live->mutex);
    return answer_text(to, done ? MHD_HTTP_OK : MHD_HTTP_CONFLICT,
                       done ? "done" : "not while it is in this state");
}

// ---------------------------------------------------------------- who may ask

static bool same_place(const server *s, const char *text, const char *scheme)
{
    static const char *const NAMES[] = {"127.0.0.1", "localhost"};
    for (size_t k = 0; k < sizeof NAMES / sizeof NAMES[0]; ++k) {
        char expected[64];
        snprintf(expected, sizeof expected, "%s%s:%d", scheme, NAMES[k], s->port);
        if (strcmp(text, expected) == 0) return true;
    }
    return false;
}

// Compares every byte, so that the time does not depend on the token.
static bool has_token(const server *s, const char *path)
{
    unsigned different = path[0] != '/';
    for (size_t k = 0; k < TOKEN; ++k) {
        if (path[k] == '\0') return false;
        different |= (unsigned)(path[1 + k] ^ s->token[k]);
    }
    return different == 0 && path[1 + TOKEN] == '/';
}

static bool may_ask(const server *s, struct MHD_Connection *from, const char *path, bool post)
{
    const char *host = MHD_lookup_connection_value(from, MHD_HEADER_KIND, "Host");
    const char *origin = MHD_lookup_connection_value(from, MHD_HEADER_KIND, "Origin");
    if (strlen(path) < TOKEN + 2 || !has_token(s, path)) return false;
    if (host == NULL || !same_place(s, host, "")) return false;
    return origin == NULL ? !post : same_place(s, origin, "http://");
}

static enum MHD_Result answer_get(server *s, struct MHD_Connection *to, const char *what)
{
    size_t size = 0;
    if (strcmp(what, "") == 0) return answer_page(s, to);
    if (strcmp(what, "events") == 0) return answer_events(s, to);
    if (strcmp(what, "state") == 0) {
        int64_t ignored;
        char *json = live_state_json(s->live, &ignored);
        return answer_bytes(to, "application/json", json, json != NULL ? strlen(json) : 0);
    }
    if (strcmp(what, "elements") == 0) {
        char *bytes = live_elements(s->live, &size);
        return answer_bytes(to, "application/octet-stream", bytes, size);
    }
    if (strcmp(what, "places") == 0) {
        char *bytes = live_places(s->live, &size);
        return answer_bytes(to, "application/octet-stream", bytes, size);
    }
    return answer_text(to, MHD_HTTP_NOT_FOUND, "there is no such thing");
}

static enum MHD_Result on_request(void *context, struct MHD_Connection *from, const char *path,
                                  const char *method, const char *version, const char *upload,
                                  size_t *upload_size, void **state)
{
    static const char BEGUN = 0;
    server *s = context;
    (void)version, (void)upload;
    if (*state == NULL) { // first call: headers; a body may follow, which is ignored
        *state = (void *)(uintptr_t)&BEGUN;
        return MHD_YES;
    }
    if (*upload_size > 0) {
        *upload_size = 0;
        return MHD_YES;
    }
    bool post = strcmp(method, MHD_HTTP_METHOD_POST) == 0;
    bool get = strcmp(method, MHD_HTTP_METHOD_GET) == 0;
    if (!may_ask(s, from, path, post))
        return answer_text(from, MHD_HTTP_FORBIDDEN, "not with this address");
    if (!post && !get) return answer_text(from, MHD_HTTP_METHOD_NOT_ALLOWED, "GET or POST");
    const char *what = path + 1 + TOKEN + 1;
    return post ? answer_post(s, from, what) : answer_get(s, from, what);
}

// ---------------------------------------------------------------- life

static bool make_token(server *s)
{
    unsigned char bytes[TOKEN_BYTES];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes) return false;
    for (int k = 0; k < TOKEN_BYTES; ++k)
        snprintf(s->token + 2 * k, 3, "%02x", bytes[k]);
    return true;
}

static void listen_on(server *s, int port)
{
    struct sockaddr_in here = {.sin_family = AF_INET,
                               .sin_port = htons((uint16_t)port),
                               .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    s->daemon = MHD_start_daemon(MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_THREAD_PER_CONNECTION,
                                 (uint16_t)port, NULL, NULL, on_request, s, MHD_OPTION_SOCK_ADDR,
                                 &here, MHD_OPTION_CONNECTION_LIMIT, (unsigned)MAX_CONNECTIONS,
                                 MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)MAX_IDLE, MHD_OPTION_END);
}

server *server_start(live *l, int port)
{
    server *s = calloc(1, sizeof *s);
    if (s == NULL) return NULL;
    s->live = l;
    if (make_token(s)) listen_on(s, port);
    if (s->daemon == NULL) {
        message_usage("can't listen on 127.0.0.1", NULL, "another --port, or 0 for any");
        free(s);
        return NULL;
    }
    s->port = MHD_get_daemon_info(s->daemon, MHD_DAEMON_INFO_BIND_PORT)->port;
    snprintf(s->address, sizeof s->address, "http://127.0.0.1:%d/%s/", s->port, s->token);
    return s;
}

void server_stop(server *s)
{
    if (s == NULL) return;
    MHD_stop_daemon(s->daemon);
    free(s);
}

const char *server_address(const server *s)
{
    return s->address;
}

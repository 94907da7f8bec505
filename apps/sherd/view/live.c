#include "view/live.h"

#include "clock.h"

#include <sherd/world.h>

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void live_begin(live *l)
{
    *l = (live){0};
    pthread_mutex_init(&l->mutex, NULL);
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&l->changed, &attributes);
    pthread_condattr_destroy(&attributes);
}

void live_end(live *l)
{
    free(l->html);
    free(l->place);
    free(l->fragment);
    free(l->radius);
    free(l->body);
    free(l->obstacles);
    pthread_cond_destroy(&l->changed);
    pthread_mutex_destroy(&l->mutex);
}

static void tell(live *l) // locked
{
    ++l->version;
    pthread_cond_broadcast(&l->changed);
}

void live_set_phase(live *l, live_phase phase, const char *message)
{
    pthread_mutex_lock(&l->mutex);
    l->phase = phase;
    snprintf(l->message, sizeof l->message, "%s", message != NULL ? message : "");
    tell(l);
    pthread_mutex_unlock(&l->mutex);
}

bool live_is_ending(live *l)
{
    pthread_mutex_lock(&l->mutex);
    bool ending = l->ending;
    pthread_mutex_unlock(&l->mutex);
    return ending;
}

live_phase live_get_phase(live *l)
{
    pthread_mutex_lock(&l->mutex);
    live_phase phase = l->phase;
    pthread_mutex_unlock(&l->mutex);
    return phase;
}

void live_set_page(live *l, char *html, size_t size)
{
    pthread_mutex_lock(&l->mutex);
    free(l->html);
    l->html = html;
    l->html_size = size;
    ++l->page;
    tell(l);
    pthread_mutex_unlock(&l->mutex);
}

const char *live_phase_word(live_phase phase)
{
    static const char *const WORDS[] = {"preview",  "running", "paused",   "stopped",
                                        "finished", "failed",  "elsewhere"};
    return WORDS[phase];
}

// ---------------------------------------------------------------- states

static int body_of(const sherd_run_model *m, sherd_element_index element)
{
    int body = 0;
    while (body + 1 < m->body_count && element >= m->bodies[body + 1].first)
        ++body;
    return body;
}

// Requires the lock. False if memory is short.
static bool make_room(live *l, const sherd_run_model *m)
{
    if (l->element_count == m->element_count && l->place != NULL) return true;
    size_t n = (size_t)m->element_count + 1, obstacles = (size_t)m->obstacle_count + 1;
    free(l->place), free(l->fragment), free(l->radius), free(l->body), free(l->obstacles);
    l->place = calloc(4 * n, sizeof *l->place);
    l->fragment = calloc(n, sizeof *l->fragment);
    l->radius = calloc(n, sizeof *l->radius);
    l->body = calloc(n, sizeof *l->body);
    l->obstacles = calloc(obstacles, sizeof *l->obstacles);
    bool ok = l->place != NULL && l->fragment != NULL && l->radius != NULL && l->body != NULL &&
              l->obstacles != NULL;
    l->element_count = ok ? m->element_count : 0;
    l->obstacle_count = ok ? m->obstacle_count : 0;
    for (sherd_element_index k = 0; k < l->element_count; ++k) {
        l->radius[k] = (float)m->radius[k];
        l->body[k] = body_of(m, k);
    }
    return ok;
}

static void put_places(live *l, const double *const x[3], const double *const v[3])
{
    size_t n = (size_t)l->element_count;
    for (size_t k = 0; k < n; ++k) {
        for (size_t c = 0; c < 3; ++c)
            l->place[c * n + k] = (float)x[c][k];
        l->place[3 * n + k] =
            (float)sqrt(v[0][k] * v[0][k] + v[1][k] * v[1][k] + v[2][k] * v[2][k]);
    }
}

static void put_world(live *l, const sherd_run_view *view)
{
    sherd_element_view e = sherd_world_elements(view->world);
    const double *const x[3] = {e.x, e.y, e.z}, *const v[3] = {e.vx, e.vy, e.vz};
    put_places(l, x, v);
    for (int k = 0; k < l->obstacle_count; ++k)
        l->obstacles[k] = sherd_world_obstacle_pose(view->world, k);
    if (view->fragments.element_fragment != NULL && view->fragments.count > 0)
        memcpy(l->fragment, view->fragments.element_fragment,
               (size_t)l->element_count * sizeof *l->fragment);
    ++l->sequence;
}

// Requires the lock. Copying 240,000 elements ten times a second takes a few percent of a
// processor.
static bool is_watched(const live *l)
{
    static const double LATELY = 3.0; // [s]; listening pages ask at least every other second
    return l->pause_wanted || l->sequence == 0 || clock_seconds() - l->asked < LATELY;
}

void live_show_view(live *l, const sherd_run_view *view)
{
    pthread_mutex_lock(&l->mutex);
    if (make_room(l, view->model)) {
        if (is_watched(l)) put_world(l, view);
        l->time = sherd_world_time(view->world);
        l->end = (double)view->plan.frames * view->plan.interval;
        l->time_left = view->time_left;
        l->frame = view->frame;
        l->frames = view->plan.frames;
        l->broken = sherd_world_broken_count(view->world);
        l->fragment_count = view->fragments.count;
    }
    tell(l);
    pthread_mutex_unlock(&l->mutex);
}

void live_show_frame(live *l, const sherd_run_model *model, const sherd_run_frame *f,
                     int64_t frames, double end)
{
    pthread_mutex_lock(&l->mutex);
    if (make_room(l, model)) {
        const double *const x[3] = {f->x, f->y, f->z}, *const v[3] = {f->vx, f->vy, f->vz};
        put_places(l, x, v);
        memcpy(l->fragment, f->element_fragment, (size_t)l->element_count * sizeof *l->fragment);
        if (l->obstacle_count > 0)
            memcpy(l->obstacles, f->obstacles, (size_t)l->obstacle_count * sizeof *l->obstacles);
        l->time = f->time;
        l->end = end;
        l->time_left = -1.0;
        l->frame = f->index;
        l->frames = frames;
        l->broken = f->stats.broken_bonds;
        l->fragment_count = (int32_t)f->stats.fragments;
        ++l->sequence;
    }
    tell(l);
    pthread_mutex_unlock(&l->mutex);
}

void live_wait_while_paused(live *l)
{
    pthread_mutex_lock(&l->mutex);
    bool waits = l->pause_wanted && !sherd_stop_requested(&l->stop);
    if (waits) {
        l->phase = LIVE_PAUSED;
        tell(l);
    }
    while (l->pause_wanted && !sherd_stop_requested(&l->stop))
        pthread_cond_wait(&l->changed, &l->mutex);
    if (waits) {
        l->phase = LIVE_RUNNING;
        tell(l);
    }
    pthread_mutex_unlock(&l->mutex);
}

// ---------------------------------------------------------------- for the page

typedef struct text {
    char *bytes;
    size_t size, room;
    bool failed;
} text;

__attribute__((format(printf, 2, 3))) static void put(text *t, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int more = t->failed ? -1 : vsnprintf(t->bytes + t->size, t->room - t->size, format, arguments);
    va_end(arguments);
    if (more < 0 || t->size + (size_t)more >= t->room)
        t->failed = true;
    else
        t->size += (size_t)more;
}

// printf may use the locale's decimal comma, so print integers of 1e-9 or the parts separately.
static void put_number(text *t, double value)
{
    char number[40];
    snprintf(number, sizeof number, "%.9g", isfinite(value) ? value : 0.0);
    for (char *c = number; *c != '\0'; ++c)
        if (*c == ',') *c = '.';
    put(t, "%s", number);
}

static void put_string(text *t, const char *string)
{
    put(t, "\"");
    for (; *string != '\0'; ++string) {
        unsigned char c = (unsigned char)*string;
        if (c == '"' || c == '\\')
            put(t, "\\%c", c);
        else if (c < 0x20)
            put(t, "\\u%04x", c);
        else
            put(t, "%c", c);
    }
    put(t, "\"");
}

static void put_member(text *t, const char *name, double value)
{
    put(t, ",\"%s\":", name);
    put_number(t, value);
}

static void put_obstacles(text *t, const live *l)
{
    put(t, ",\"obstacles\":[");
    for (int k = 0; k < l->obstacle_count; ++k) {
        sherd_pose p = l->obstacles[k];
        const double values[7] = {p.position.x, p.position.y, p.position.z, p.rotation.x,
                                  p.rotation.y, p.rotation.z, p.rotation.w};
        put(t, k > 0 ? ",[" : "[");
        for (int c = 0; c < 7; ++c) {
            put(t, c > 0 ? "," : "");
            put_number(t, values[c]);
        }
        put(t, "]");
    }
    put(t, "]}");
}

char *live_state_json(live *l, int64_t *version)
{
    pthread_mutex_lock(&l->mutex);
    l->asked = clock_seconds();
    text t = {.room = 8192 + 200 * (size_t)l->obstacle_count + 6 * strlen(l->message)};
    t.bytes = malloc(t.room);
    t.failed = t.bytes == NULL;
    put(&t, "{\"phase\":\"%s\",\"message\":", live_phase_word(l->phase));
    put_string(&t, l->message);
    put(&t, ",\"page\":%lld,\"sequence\":%lld,\"frame\":%lld,\"frames\":%lld", (long long)l->page,
        (long long)l->sequence, (long long)l->frame, (long long)l->frames);
    put(&t, ",\"broken\":%lld,\"fragments\":%d,\"elements\":%d", (long long)l->broken,
        (int)l->fragment_count, (int)l->element_count);
    put_member(&t, "time", l->time);
    put_member(&t, "end", l->end);
    put_member(&t, "left", l->time_left);
    put_obstacles(&t, l);
    *version = l->version;
    pthread_mutex_unlock(&l->mutex);
    if (!t.failed) return t.bytes;
    free(t.bytes);
    return NULL;
}

char *live_elements(live *l, size_t *size)
{
    pthread_mutex_lock(&l->mutex);
    size_t n = (size_t)l->element_count;
    *size = n * (sizeof *l->radius + sizeof *l->body);
    char *bytes = n > 0 ? malloc(*size) : NULL;
    if (bytes != NULL) {
        memcpy(bytes, l->radius, n * sizeof *l->radius);
        memcpy(bytes + n * sizeof *l->radius, l->body, n * sizeof *l->body);
    }
    pthread_mutex_unlock(&l->mutex);
    return bytes;
}

char *live_places(live *l, size_t *size)
{
    pthread_mutex_lock(&l->mutex);
    size_t n = (size_t)l->element_count, places = 4 * n * sizeof *l->place;
    const int32_t counts[2] = {l->element_count, 0};
    *size = sizeof l->time + sizeof counts + places + n * sizeof *l->fragment;
    char *bytes = l->sequence > 0 ? malloc(*size) : NULL;
    if (bytes != NULL) {
        char *to = bytes;
        memcpy(to, &l->time, sizeof l->time), to += sizeof l->time;
        memcpy(to, counts, sizeof counts), to += sizeof counts;
        memcpy(to, l->place, places), to += places;
        memcpy(to, l->fragment, n * sizeof *l->fragment);
    }
    pthread_mutex_unlock(&l->mutex);
    return bytes;
}

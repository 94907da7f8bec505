// Video by the ffmpeg program, which runs as a separate process: it is not linked, and without it
// only videos are missing.
#include <sherd/render.h>

#include "base/error.h"
#include "base/file_writer.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

// Larger than the system's limit, so that no name is truncated unnoticed.
enum { PATH_SIZE = 2 * PATH_MAX, WORDS_SIZE = 300 };

// The parts of a pattern such as "frames/frame_%06d.png".
typedef struct pattern {
    char before[PATH_SIZE], after[PATH_SIZE];
    int digits; // minimum number of digits, zero-padded
} pattern;

typedef struct frames {
    int first, count;
} frames;

// One run of ffmpeg: exit status, and the end of its output.
typedef struct outcome {
    int exit_status;
    char words[WORDS_SIZE];
} outcome;

// Copies up to the next % that is not part of %%, which stands for a percent sign. Returns the
// position of this %, or the end.
static const char *copy_plain(const char *at, char *to)
{
    for (; *at != '\0' && (*at != '%' || at[1] == '%'); ++at) {
        if (*at == '%') ++at;
        *to++ = *at;
    }
    *to = '\0';
    return at;
}

// A pattern has one %d or %0Nd, which stands for the number. Percent signs in the name are doubled.
static bool parse_pattern(const char *text, pattern *p)
{
    if (strlen(text) >= PATH_SIZE) return false;
    const char *at = copy_plain(text, p->before);
    if (*at++ != '%') return false;
    p->digits = 1;
    if (at[0] == '0' && isdigit((unsigned char)at[1]) && at[1] != '0') {
        p->digits = at[1] - '0';
        at += 2;
    }
    return *at == 'd' && *copy_plain(at + 1, p->after) == '\0';
}

static bool frame_exists(const pattern *p, int number)
{
    char path[2 * PATH_SIZE + 16];
    snprintf(path, sizeof path, "%s%0*d%s", p->before, p->digits, number, p->after);
    return access(path, R_OK) == 0;
}

// The first uninterrupted run of pictures between two numbers.
static frames find_frames(const pattern *p, int first, int last)
{
    frames f = {first, 0};
    while (f.first <= last && !frame_exists(p, f.first))
        ++f.first;
    while (f.first + f.count <= last && frame_exists(p, f.first + f.count))
        ++f.count;
    return f;
}

// Reads a stream to its end and keeps its last characters, on one line.
static void read_words(int stream, char words[WORDS_SIZE])
{
    char buffer[WORDS_SIZE - 1];
    size_t kept = 0;
    ssize_t got;
    while ((got = read(stream, buffer, sizeof buffer)) != 0) {
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) break;
        size_t room = WORDS_SIZE - 1, fresh = (size_t)got;
        size_t old = kept + fresh > room ? room - fresh : kept;
        memmove(words, words + kept - old, old);
        memcpy(words + old, buffer, fresh);
        kept = old + fresh;
    }
    while (kept > 0 && isspace((unsigned char)words[kept - 1]))
        --kept;
    words[kept] = '\0';
    for (size_t k = 0; k < kept; ++k)
        if (iscntrl((unsigned char)words[k])) words[k] = ' ';
}

static int wait_for(pid_t child)
{
    int status;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) return 1; // the host process reaps children itself: judge by the file
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// Opens a pipe whose descriptors do not collide with those of the standard streams.
static bool open_pipe(int ends[2])
{
    if (pipe2(ends, O_CLOEXEC) != 0) return false;
    for (int k = 0; k < 2; ++k)
        if (ends[k] >= 0 && ends[k] <= STDERR_FILENO) ends[k] = sherd_beyond_streams(ends[k]);
    if (ends[0] >= 0 && ends[1] >= 0) return true;
    int problem = errno;
    for (int k = 0; k < 2; ++k)
        if (ends[k] >= 0) close(ends[k]);
    errno = problem;
    return false;
}

// Runs a program in a folder with empty input and stores its messages in result->words. Returns 0,
// or the errno of the failure to start it.
static int run_program(char *const arguments[], const char *folder, outcome *result)
{
    int ends[2];
    *result = (outcome){0};
    if (!open_pipe(ends)) return errno;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
    posix_spawn_file_actions_addchdir_np(&actions, folder);
    pid_t child;
    int reason = posix_spawnp(&child, arguments[0], &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    if (reason == 0) {
        read_words(ends[0], result->words);
        result->exit_status = wait_for(child);
    }
    close(ends[0]);
    return reason;
}

// The input of ffmpeg. It runs in the folder of the pictures, because it accepts no pattern beyond
// 1024 bytes.
typedef struct source {
    char folder[PATH_SIZE], pattern[PATH_SIZE + 2];
    frames which;
    double rate; // [Hz]
} source;

static void find_source(const char *text, const pattern *p, source *s)
{
    const char *slash = strrchr(p->before, '/'), *name = strrchr(text, '/');
    if (strchr(p->after, '/') != NULL) slash = name = NULL; // the number is part of a folder's name
    int length = slash == NULL ? 0 : slash == p->before ? 1 : (int)(slash - p->before);
    snprintf(s->folder, PATH_SIZE, "%.*s", slash == NULL ? 1 : length,
             slash == NULL ? "." : p->before);
    snprintf(s->pattern, sizeof s->pattern, "%s%s", name == NULL && text[0] == '/' ? "" : "./",
             name != NULL ? name + 1 : text);
}

// Encodes with one codec. 4:2:0 colour needs even sizes, so that pictures of odd size lose a line.
static int encode(const source *in, const char *codec, const char *quality_option,
                  const char *quality, const char *output, outcome *result)
{
    char rate_text[32], first_text[16], count_text[16];
    snprintf(rate_text, sizeof rate_text, "%.6g", in->rate);
    snprintf(first_text, sizeof first_text, "%d", in->which.first);
    snprintf(count_text, sizeof count_text, "%d", in->which.count);
    const char *arguments[] = {"ffmpeg",    "-nostdin",      "-hide_banner",
                               "-loglevel", "error",         "-y",
                               "-f",        "image2",        "-framerate",
                               rate_text,   "-start_number", first_text,
                               "-i",        in->pattern,     "-frames:v",
                               count_text,  "-vf",           "crop=trunc(iw/2)*2:trunc(ih/2)*2",
                               "-c:v",      codec,           quality_option,
                               quality,     "-pix_fmt",      "yuv420p",
                               "-movflags", "+faststart",    "-f",
                               "mp4",       output,          NULL};
    return run_program((char *const *)arguments, in->folder, result);
}

static sherd_status fail_start(int reason, sherd_error *error)
{
    return sherd_fail(error, SHERD_ERROR_UNSUPPORTED, "ffmpeg",
                      "install ffmpeg (apt install ffmpeg); the pictures are kept",
                      "the ffmpeg program can't be started: %s", strerror(reason));
}

// Encodes into an existing empty file.
static sherd_status encode_part(const source *in, const char *part, const char *path,
                                sherd_error *error)
{
    outcome result;
    int reason = encode(in, "libx264", "-crf", "17", part, &result);
    if (reason == 0 && result.exit_status != 0 && strstr(result.words, "nknown encoder") != NULL)
        reason = encode(in, "mpeg4", "-q:v", "2", part, &result);
    if (reason != 0) return fail_start(reason, error);
    if (result.exit_status == 0) return SHERD_OK;
    return sherd_fail(error, SHERD_ERROR_UNSUPPORTED, path,
                      result.exit_status == 127 ? "install ffmpeg; the pictures are kept"
                                                : "the pictures are kept",
                      "ffmpeg ended with status %d: %s", result.exit_status, result.words);
}

static sherd_status fail_target(const char *path, int reason, sherd_error *error)
{
    return sherd_fail(error, SHERD_ERROR_IO, path,
                      "check that the folder exists, may be written to and has room",
                      "can't write the video: %s", strerror(reason));
}

// Makes the path absolute. False with errno.
static bool whole_target(const char *path, char target[PATH_SIZE])
{
    char folder[PATH_SIZE];
    const char *slash = strrchr(path, '/');
    size_t length = slash == NULL ? 1 : slash == path ? 1 : (size_t)(slash - path);
    errno = ENAMETOOLONG;
    if (length >= PATH_SIZE) return false;
    snprintf(folder, sizeof folder, "%.*s", (int)length, slash == NULL ? "." : path);
    char *whole = realpath(folder, NULL);
    if (whole == NULL) return false;
    int needed = snprintf(target, PATH_SIZE, "%s/%s", whole, slash == NULL ? path : slash + 1);
    free(whole);
    errno = ENAMETOOLONG;
    return needed < PATH_SIZE;
}

// Opens the target first: ffmpeg's own message about it would be harder to read.
static sherd_status make_video(const source *in, const char *path, sherd_error *error)
{
    char target[PATH_SIZE], part[PATH_SIZE + SHERD_PART_ROOM];
    if (!whole_target(path, target)) return fail_target(path, errno, error);
    int descriptor = sherd_part_open(target, part, sizeof part);
    if (descriptor < 0) return fail_target(path, errno, error);
    sherd_status status = encode_part(in, part, path, error);
    if (status == SHERD_OK && (fsync(descriptor) != 0 || rename(part, target) != 0))
        status = fail_target(path, errno, error);
    close(descriptor);
    if (status != SHERD_OK) unlink(part);
    return status;
}

sherd_status sherd_video_from_frames(const char *text, int first, int last, double frame_rate,
                                     const char *path, sherd_error *error)
{
    pattern p;
    if (!parse_pattern(text, &p))
        return sherd_fail(error, SHERD_ERROR_INPUT, text, "for example frames/frame_%06d.png",
                          "a picture pattern holds one %%d or %%0Nd, any other %% is doubled");
    if (!(frame_rate >= 0.1 && frame_rate <= 1000.0))
        return sherd_fail(error, SHERD_ERROR_INPUT, "frame rate", NULL,
                          "must lie in [0.1, 1000] pictures per second, got %g", frame_rate);
    source in = {.which = find_frames(&p, first, last), .rate = frame_rate};
    if (in.which.count == 0)
        return sherd_fail(error, SHERD_ERROR_IO, text, "render pictures first",
                          "no readable picture with a number from %d to %d", first, last);
    find_source(text, &p, &in);
    return make_video(&in, path, error);
}

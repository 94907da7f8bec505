// sherd doctor: tests the features of this build and this machine.
#include "commands.h"
#include "message.h"
#include "temporary_folder.h"

#include <sherd/file.h>
#include <sherd/render.h>
#include <sherd/run.h>
#include <sherd/simd.h>
#include <sherd/version.h>

#include <errno.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Prints a row; continuation lines have no name.
static void print_row(const char *name, const char *text)
{
    printf("%-15s %s\n", name, text);
}

static void print_build(void)
{
    char text[256];
    snprintf(text, sizeof text, "sherd %s, compiled by %s %s", sherd_version(),
#ifdef __clang__
             "clang", __clang_version__
#else
             "gcc", __VERSION__
#endif
    );
    print_row("version", text);
#ifdef SHERD_WITH_VIEW
    print_row("build options", "sherd view: yes");
#else
    print_row("build options",
              "sherd view: left out; apt install libmicrohttpd-dev, then build again");
#endif
#ifdef SHERD_NO_BENCH
    print_row("", "sherd bench: no; build with SHERD_BENCH=ON");
#elif defined(SHERD_RESEARCH)
    print_row("", "sherd bench: all benchmarks");
#else
    print_row("",
              "sherd bench: without optimizers, mpm, spheres; build with BUILD_SHARED_LIBS=OFF");
#endif
#ifdef SHERD_ASSERTIONS
    print_row("", "assertions: on, so that it is slow; build with CMAKE_BUILD_TYPE=Release");
#endif
}

// ---------------------------------------------------------------- the machine, as the system reports it

typedef struct machine {
    char processor[160];
    int cores, threads;  // of the machine; 0 = not known
    int usable;          // threads that this process may use
    double memory;       // [bytes]
    double memory_free;  // [bytes]
    double memory_limit; // of the control group [bytes]; 0: none below `memory`
} machine;

// The first number in a file, or `none`.
static double number_of(const char *path, double none)
{
    FILE *file = fopen(path, "r");
    double number;
    if (file == NULL) return none;
    if (fscanf(file, "%lf", &number) != 1) number = none;
    fclose(file);
    return number;
}

// The value in a line "KEY<blanks>: VALUE" of a file. False if there is none.
static bool value_of(const char *path, const char *key, char *value, int size)
{
    char line[256];
    bool found = false;
    FILE *file = fopen(path, "r");
    while (file != NULL && !found && fgets(line, sizeof line, file) != NULL) {
        const char *colon = strchr(line, ':');
        found = colon != NULL && strncmp(line, key, strlen(key)) == 0;
        if (!found) continue;
        colon += 1 + strspn(colon + 1, " \t");
        snprintf(value, (size_t)size, "%.*s", (int)strcspn(colon, "\n"), colon);
    }
    if (file != NULL) fclose(file);
    return found;
}

static double memory_of(const char *key)
{
    char value[64] = "";
    return value_of("/proc/meminfo", key, value, sizeof value) ? 1024.0 * atof(value) : 0.0; // kB
}

// Counts the first thread of each core.
static int count_cores(int threads)
{
    int count = 0;
    for (int k = 0; k < threads; ++k) {
        char path[96];
        snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list",
                 k);
        count += number_of(path, k) == k;
    }
    return count;
}

static int count_usable(int threads)
{
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : threads;
}

static machine machine_look(void)
{
    machine m = {.threads = (int)sysconf(_SC_NPROCESSORS_ONLN)};
    if (!value_of("/proc/cpuinfo", "model name", m.processor, sizeof m.processor))
        snprintf(m.processor, sizeof m.processor, "unknown");
    m.cores = count_cores((int)sysconf(_SC_NPROCESSORS_CONF));
    m.usable = count_usable(m.threads);
    m.memory = memory_of("MemTotal");
    m.memory_free = memory_of("MemAvailable");
    m.memory_limit = number_of("/sys/fs/cgroup/memory.max",
                               number_of("/sys/fs/cgroup/memory/memory.limit_in_bytes", 0.0));
    if (m.memory_limit >= m.memory) m.memory_limit = 0.0;
    return m;
}

// ---------------------------------------------------------------- the report

// Tests each level by selecting it, then restores the current one. SHERD_SIMD hides levels above
// it.
static void print_simd(void)
{
    sherd_simd used = sherd_simd_level(), best = SHERD_SIMD_BASELINE;
    char text[256] = "";
    for (int level = SHERD_SIMD_BASELINE; level <= SHERD_SIMD_AVX512; ++level) {
        const char *name = sherd_simd_name((sherd_simd)level);
        size_t length = strlen(text);
        if (sherd_simd_choose(name, &(sherd_error){0}) != SHERD_OK) continue;
        snprintf(text + length, sizeof text - length, "%s%s", length > 0 ? ", " : "", name);
        best = (sherd_simd)level;
    }
    sherd_simd_choose(sherd_simd_name(used), &(sherd_error){0});
    size_t length = strlen(text);
    snprintf(text + length, sizeof text - length, "; used: %s", sherd_simd_name(used));
    print_row("SIMD", text);
    const char *cap = getenv("SHERD_SIMD");
    if (cap == NULL || *cap == '\0' || strcmp(cap, "auto") == 0) return;
    if (best < sherd_simd_machine())
        snprintf(text, sizeof text,
                 "capped by SHERD_SIMD=%s; this machine also has what is above, to %s", cap,
                 sherd_simd_name(sherd_simd_machine()));
    else
        snprintf(text, sizeof text, "SHERD_SIMD=%s caps nothing that this machine has", cap);
    print_row("", text);
}

static void print_machine(const command_options *options)
{
    char text[256], size[2][SHERD_BYTES_TEXT];
    machine m = machine_look();
    print_row("processor", m.processor);
    print_simd();
    snprintf(text, sizeof text, "%d cores, %d hardware threads; used: %d%s", m.cores, m.threads,
             options->threads > 0 ? options->threads : m.usable,
             m.usable < m.threads && options->threads == 0 ? ", all that this process may use"
                                                           : "");
    print_row("threads", text);
    snprintf(text, sizeof text, "%s, %s of it free", sherd_bytes_text(m.memory, size[0]),
             sherd_bytes_text(m.memory_free, size[1]));
    print_row("memory", text);
    if (m.memory_limit > 0.0) {
        snprintf(text, sizeof text, "limited to %s for this process and those beside it",
                 sherd_bytes_text(m.memory_limit, size[0]));
        print_row("", text);
    }
}

// Detects a codec by its four-letter code in an .mp4 file.
static const char *codec_of(const char *path)
{
    char bytes[1 << 14]; // two pictures of 32 x 32
    FILE *file = fopen(path, "rb");
    if (file == NULL) return "no file";
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    if (memmem(bytes, size, "avc1", 4) != NULL) return "H.264";
    if (memmem(bytes, size, "mp4v", 4) != NULL)
        return "MPEG-4 part 2: this ffmpeg has no libx264, whose files are smaller";
    return "a codec that is not known";
}

// Makes a video of two pictures in the same way as runs do.
static void print_video(const char *folder)
{
    enum { SIDE = 32 };
    char path[MESSAGE_PATH], pattern[MESSAGE_PATH], text[SHERD_ERROR_TEXT_SIZE + 32];
    sherd_error error;
    sherd_image *image = sherd_image_create(SIDE, SIDE, &error);
    sherd_status status = image == NULL ? error.status : SHERD_OK;
    for (int k = 0; k < 2 && status == SHERD_OK; ++k) {
        message_path(folder, k == 0 ? "0.png" : "1.png", path);
        status = sherd_image_write_png(image, path, &error);
    }
    sherd_image_destroy(image);
    message_path(folder, "%d.png", pattern);
    message_path(folder, "video.mp4", path);
    if (status == SHERD_OK) status = sherd_video_from_frames(pattern, 0, 1, 2.0, path, &error);
    if (status == SHERD_OK)
        snprintf(text, sizeof text, "%s, by ffmpeg", codec_of(path));
    else
        snprintf(text, sizeof text, "none: %s", error.what);
    print_row("video", text);
    if (status != SHERD_OK) print_row("", error.hint);
}

static bool is_program(const char *name)
{
    char path[MESSAGE_PATH];
    const char *folders = getenv("PATH");
    while (folders != NULL && *folders != '\0') {
        size_t length = strcspn(folders, ":");
        snprintf(path, sizeof path, "%.*s/%s", (int)length, folders, name);
        if (access(path, X_OK) == 0) return true;
        folders += length + (folders[length] == ':');
    }
    return false;
}

static void print_browser(void)
{
#ifndef SHERD_WITH_VIEW
    print_row("browser", "not needed: this build lacks sherd view");
#else
    bool screen = getenv("DISPLAY") != NULL || getenv("WAYLAND_DISPLAY") != NULL;
    if (!screen)
        print_row("browser",
                  "no screen here: sherd view tells an address, for any browser on this machine");
    else if (!is_program("xdg-open"))
        print_row("browser",
                  "xdg-open is missing (apt install xdg-utils): sherd view only tells an address");
    else
        print_row("browser", "opened by sherd view, through xdg-open");
#endif
}

// A scene with some twenty elements that fall on a floor.
static const char TRIAL[] =
    "sherd: 1\nname: trial\nduration: 0.2 ms\n"
    "output: {frame_rate: 5 kHz, meshes: [ply], render: {width: 32, height: 32, samples: 1}}\n"
    "materials: {clay: {density: 2000, youngs_modulus: 50 MPa, tensile_strength: 1 MPa, "
    "shear_strength: 1 MPa}}\n"
    "bodies: [{name: block, shape: {box: [8 mm, 8 mm, 8 mm]}, packing: {hcp: {radius: 1.5 mm}}, "
    "material: clay, position: [0, 0, 5 mm], velocity: [0, 0, -10]}]\n"
    "obstacles: [{name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}}]\n";

// Runs a small scene with a picture and a mesh in `folder`.
static sherd_status try_run(const char *folder, int threads, sherd_run_result *result,
                            sherd_error *error)
{
    sherd_diagnostics diagnostics = {0};
    char out[MESSAGE_PATH];
    message_path(folder, "out", out);
    sherd_scene *scene =
        sherd_scene_parse(TRIAL, sizeof TRIAL - 1, "trial.yaml", NULL, &diagnostics);
    if (scene == NULL && diagnostics.count > 0) *error = diagnostics.errors[0];
    sherd_diagnostics_free(&diagnostics);
    if (scene == NULL) return SHERD_ERROR_MEMORY; // or the status of *error
    sherd_run_def def = sherd_run_def_default();
    def.scene = scene;
    def.folder = out;
    def.threads = threads;
    def.summary = SHERD_RUN_SUMMARY_NONE;
    if (sherd_pictures_check(error) != SHERD_OK) def.pictures = SHERD_RUN_PICTURES_NONE;
    sherd_status status = sherd_run_scene(&def, result, error);
    sherd_scene_destroy(scene);
    return status;
}

static bool print_run(const char *folder, int threads)
{
    char text[SHERD_ERROR_TEXT_SIZE + 64];
    sherd_run_result result = {0};
    sherd_error error = {0};
    sherd_status status = try_run(folder, threads, &result, &error);
    bool works = status == SHERD_OK && result.missing_pictures == 0;
    if (works)
        snprintf(text, sizeof text, "works: %lld steps, %sa mesh in %.2g s",
                 (long long)result.steps,
                 sherd_pictures_check(&error) == SHERD_OK ? "a picture and " : "", result.wall);
    else
        snprintf(text, sizeof text, "fails: %s",
                 status == SHERD_OK ? "pictures can't be made" : error.what);
    print_row("a small run", text);
    if (!works && error.hint[0] != '\0') print_row("", error.hint);
    return works;
}

int command_doctor(const command_options *options)
{
    if (options->input != NULL)
        return message_usage("takes no input", options->input, "sherd doctor");
    char folder[TEMPORARY_FOLDER], text[128];
    print_build();
    print_machine(options);
    bool writable = temporary_folder_make(".", folder);
    snprintf(text, sizeof text, writable ? "can be written to" : "can't be written to: %s",
             strerror(errno));
    print_row("working folder", text);
    bool works = writable || temporary_folder_make(NULL, folder);
    if (!writable) print_row("", works ? "name another with -o DIR" : "nor can TMPDIR");
    if (works) print_video(folder);
    print_browser();
    works = works && print_run(folder, options->threads);
    temporary_folder_remove(folder);
    return writable && works ? EXIT_DONE : EXIT_FAILED;
}

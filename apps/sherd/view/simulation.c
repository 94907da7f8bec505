#include "view/simulation.h"

#include "open_scene.h"
#include "run_folder.h"
#include "view/follow.h"

#include <sherd/file.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// ---------------------------------------------------------------- opening

static bool is_run(const char *path)
{
    size_t n = strlen(path);
    return sherd_folder_exists(path) || (n > 6 && strcmp(path + n - 6, ".sherd") == 0);
}

static sherd_scene *load_scene(const command_options *o, bool preview, int *code)
{
    const char **settings = calloc((size_t)o->override_count + 1, sizeof *settings);
    if (settings == NULL) return NULL;
    for (int k = 0; k < o->override_count; ++k)
        settings[k] = o->overrides[k];
    settings[o->override_count] = "output.meshes=[]";
    sherd_scene_options options = {o->variant, o->override_count + (preview ? 1 : 0), settings};
    sherd_scene *scene = open_scene_with(o->input, NULL, &options, code);
    free(settings);
    return scene;
}

static void quietly(void *context, const sherd_message *message)
{
    (void)context;
    if (message->level >= SHERD_MESSAGE_WARNING) message_print_quiet(NULL, message);
}

// Makes the page of a run for the server.

static char *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) return NULL;
    char *bytes = NULL;
    long length = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    if (length > 0 && fseek(file, 0, SEEK_SET) == 0) bytes = malloc((size_t)length);
    if (bytes != NULL && fread(bytes, 1, (size_t)length, file) != (size_t)length) {
        free(bytes);
        bytes = NULL;
    }
    fclose(file);
    *size = bytes != NULL ? (size_t)length : 0;
    return bytes;
}

static sherd_status export_page(sherd_run *run, const char *folder, const char *path,
                                const sherd_scene *scene, int threads, sherd_error *error)
{
    int64_t count = sherd_run_frame_count(run);
    sherd_replay_def def = sherd_replay_def_default();
    def.run = run;
    def.scene = scene;
    def.folder = folder;
    def.last = count > 0 ? count - 1 : 0;
    def.place = path;
    def.foreign = SHERD_FOREIGN_OVERWRITE;
    def.threads = threads;
    def.page = SHERD_REPLAY_PAGE_SERVED;
    sherd_export_result result;
    return sherd_replay_export(&def, sherd_export_format_find("html"), &result, error);
}

// Exports the page of the run in `folder` through a file in the folder `place`. Returns 0, or the
// exit status after printing an error.
static int view_page_make(live *l, const char *folder, const char *place, const sherd_scene *scene,
                          int threads)
{
    char path[MESSAGE_PATH];
    message_path(place, "page.html", path);
    sherd_error error = {0};
    sherd_run *run = sherd_run_open(folder, &error);
    if (run == NULL) return message_error(&error);
    sherd_status status = export_page(run, folder, path, scene, threads, &error);
    sherd_run_close(run);
    if (status != SHERD_OK) return message_error(&error);
    size_t size;
    char *html = read_file(path, &size);
    if (html == NULL) return EXIT_FAILED;
    live_set_page(l, html, size);
    return 0;
}

// Removes a folder and the files created there.
static void view_page_remove(const char *place)
{
    DIR *folder = opendir(place);
    for (struct dirent *e; folder != NULL && (e = readdir(folder)) != NULL;) {
        char path[MESSAGE_PATH];
        message_path(place, e->d_name, path);
        if (e->d_name[0] != '.') unlink(path); // subfolders remain, and then so does this folder
    }
    if (folder != NULL) closedir(folder);
    rmdir(place);
}

// Makes the scene's first frame in a temporary folder; the user's folder is not touched before
// simulation starts.
static int pack_scene(simulation *s)
{
    int code = EXIT_FAILED;
    sherd_scene *packed = load_scene(s->options, true, &code);
    if (packed == NULL) return code;
    sherd_run_def def = sherd_run_def_default();
    def.scene = packed;
    def.folder = s->preview;
    def.threads = s->options->threads;
    def.frames = 0;
    def.pictures = SHERD_RUN_PICTURES_NONE;
    def.summary = SHERD_RUN_SUMMARY_NONE;
    def.foreign = SHERD_FOREIGN_OVERWRITE;
    def.on_message = quietly;
    sherd_run_result result;
    sherd_error error = {0};
    sherd_status status = sherd_run_scene(&def, &result, &error);
    if (status == SHERD_OK)
        code = view_page_make(s->live, s->preview, s->preview, packed, s->options->threads);
    else
        code = message_error(&error);
    sherd_scene_destroy(packed);
    return code;
}

static int begin_with_scene(simulation *s)
{
    int code = EXIT_FAILED;
    s->scene = load_scene(s->options, false, &code);
    if (s->scene == NULL) return code;
    char folder[SHERD_RUN_FOLDER];
    snprintf(s->folder, sizeof s->folder, "%s",
             s->options->output != NULL ? s->options->output : sherd_run_folder(s->scene, folder));
    if (!s->options->quiet) message_notes(s->scene);
    return pack_scene(s);
}

static int open_run(simulation *s)
{
    run_folder r;
    int code = run_folder_open(&r, s->options, SHERD_EXPORT_FROM_SCENE);
    if (code == 0) {
        snprintf(s->folder, sizeof s->folder, "%s", r.path);
        s->scene = r.scene;
        r.scene = NULL;
        s->has_run = true;
        code = view_page_make(s->live, s->folder, s->preview, s->scene, s->options->threads);
        bool all = sherd_run_frame_count(r.run) >= r.info.frames_planned;
        live_set_phase(s->live, all ? LIVE_FINISHED : LIVE_STOPPED, NULL);
        if (!all && follow_is_written(s->folder)) live_set_phase(s->live, LIVE_ELSEWHERE, NULL);
    }
    run_folder_close(&r);
    return code;
}

int simulation_open(simulation *s, const command_options *options, live *l)
{
    *s = (simulation){.options = options, .live = l};
    const char *place = getenv("TMPDIR");
    snprintf(s->preview, sizeof s->preview, "%.40s/sherd-view-XXXXXX",
             place != NULL && strlen(place) <= 40 && place[0] == '/' ? place : "/tmp");
    if (mkdtemp(s->preview) == NULL) {
        s->preview[0] = '\0';
        message_usage("can't make a folder for the page", "TMPDIR", NULL);
        return EXIT_FAILED;
    }
    return is_run(options->input) ? open_run(s) : begin_with_scene(s);
}

// ---------------------------------------------------------------- running

static void on_stage(void *context, sherd_run_stage stage, const sherd_run_view *view)
{
    simulation *s = context;
    if (stage == SHERD_RUN_OPENED) {
        live_show_view(s->live, view);
        live_set_phase(s->live, LIVE_RUNNING, NULL);
    }
}

static void on_progress(void *context, const sherd_run_view *view)
{
    simulation *s = context;
    live_show_view(s->live, view);
    live_wait_while_paused(s->live);
}

static sherd_run_answer on_frame(void *context, const sherd_run_view *view)
{
    simulation *s = context;
    live_show_view(s->live, view);
    live_wait_while_paused(s->live);
    return SHERD_RUN_GO_ON;
}

static void keep_message(void *context, const sherd_message *message)
{
    simulation *s = context;
    if (s->options->quiet)
        message_print_quiet(NULL, message);
    else
        message_print(NULL, message);
}

static sherd_run_def run_def(simulation *s, bool resume)
{
    sherd_run_def def = sherd_run_def_default();
    def.scene = s->scene;
    def.folder = s->folder;
    def.threads = s->options->threads;
    def.begin = resume ? SHERD_RUN_RESUME : SHERD_RUN_ANEW;
    def.pictures = SHERD_RUN_PICTURES_NONE;
    def.foreign = s->options->overwrite ? SHERD_FOREIGN_OVERWRITE : SHERD_FOREIGN_KEEP;
    def.stop = &s->live->stop;
    def.on_stage = on_stage;
    def.on_progress = on_progress;
    def.on_frame = on_frame;
    def.on_message = keep_message;
    def.context = s;
    return def;
}

static void run_once(simulation *s)
{
    sherd_run_def def = run_def(s, s->has_run);
    sherd_run_result result;
    sherd_error error = {0};
    sherd_status status = sherd_run_scene(&def, &result, &error);
    if (result.begun || result.readable) s->has_run = true;
    bool closing = live_is_ending(s->live);
    if (result.readable && !closing)
        view_page_make(s->live, s->folder, s->preview, s->scene, s->options->threads);
    if (result.end == SHERD_RUN_FAILED) {
        char text[2 * SHERD_ERROR_TEXT_SIZE + 16];
        message_error(&error);
        snprintf(text, sizeof text, "%s. %s", error.what, error.hint);
        live_set_phase(s->live, LIVE_FAILED, text);
    } else {
        (void)status; // failed exports of the whole run were already reported
        live_set_phase(s->live, result.end == SHERD_RUN_FINISHED ? LIVE_FINISHED : LIVE_STOPPED,
                       NULL);
    }
}

// Waits for a request to start or continue. False if the command ends.
static bool wait_for_request(simulation *s)
{
    live *l = s->live;
    pthread_mutex_lock(&l->mutex);
    while (!l->begin_wanted && !l->ending)
        pthread_cond_wait(&l->changed, &l->mutex);
    bool begins = !l->ending;
    if (begins) {
        s->scene->duration += l->longer;
        l->longer = 0.0;
        l->begin_wanted = l->pause_wanted = false;
        l->stop = (sherd_stop){0};
        l->phase = LIVE_RUNNING;
        ++l->version;
        pthread_cond_broadcast(&l->changed);
    }
    pthread_mutex_unlock(&l->mutex);
    return begins;
}

static void *simulate(void *context)
{
    simulation *s = context;
    bool elsewhere = live_get_phase(s->live) == LIVE_ELSEWHERE;
    if (elsewhere) follow_run(s->live, s->folder);
    if (elsewhere && !live_is_ending(s->live)) {
        view_page_make(s->live, s->folder, s->preview, s->scene, s->options->threads);
        live_set_phase(s->live, follow_is_whole(s->folder) ? LIVE_FINISHED : LIVE_STOPPED, NULL);
    }
    while (wait_for_request(s))
        run_once(s);
    return NULL;
}

int simulation_start(simulation *s)
{
    s->started = pthread_create(&s->thread, NULL, simulate, s) == 0;
    return s->started ? 0 : EXIT_FAILED;
}

void simulation_close(simulation *s)
{
    pthread_mutex_lock(&s->live->mutex);
    s->live->ending = true;
    s->live->pause_wanted = false;
    sherd_stop_request(&s->live->stop);
    pthread_cond_broadcast(&s->live->changed);
    pthread_mutex_unlock(&s->live->mutex);
    if (s->started) pthread_join(s->thread, NULL);
    sherd_scene_destroy(s->scene);
    if (s->preview[0] != '\0') view_page_remove(s->preview);
}

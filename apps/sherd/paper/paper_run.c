#include "paper/paper_run.h"

#include "message.h"
#include "paper/paper_items.h"
#include "run/stop_request.h"

#include <sherd/file.h>
#include <sherd/run.h>
#include <sherd/version.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What a finished run was made of, in this file of its folder.
static const char KEY_FILE[] = "paper-row.txt";
enum { KEY_SIZE = 256 };

static void key_of(const sherd_scene *scene, int64_t frames, char key[KEY_SIZE])
{
    snprintf(key, KEY_SIZE, "scene %d:%016" PRIx64 "\nframes %lld\nduration %.17g\nversion %s\n",
             SHERD_SCENE_DIGEST_VERSION, scene->digest, (long long)frames, scene->duration,
             sherd_version());
}

static bool is_done(const char *folder, const char *key)
{
    char path[MESSAGE_PATH], there[KEY_SIZE] = "";
    message_path(folder, KEY_FILE, path);
    FILE *file = fopen(path, "rbe");
    if (file == NULL) return false;
    size_t size = fread(there, 1, KEY_SIZE - 1, file);
    fclose(file);
    return size == strlen(key) && memcmp(there, key, size) == 0;
}

// Where tables are enough: nothing to look at is made, unless a row asks for it.
static const char *const TABLES_ALONE[] = {"output.render=false", "output.meshes=[]"};

// What changes a row's scene.
typedef struct row_changes {
    const char *variant; // NULL: none
    int count;
    const char *settings[2 * PAPER_SETTINGS + PAPER_COUNT(TABLES_ALONE)];
} row_changes;

static row_changes changes_of(const paper_row *row, bool full)
{
    const char *small = row->reduced_variant;
    row_changes changes = {.variant = small != NULL && !full ? small : row->variant};
    if (changes.variant != NULL && changes.variant[0] == '\0') changes.variant = NULL;
    for (int k = 0; k < PAPER_COUNT(TABLES_ALONE); ++k)
        changes.settings[changes.count++] = TABLES_ALONE[k];
    for (int k = 0; k < PAPER_SETTINGS && row->settings[k] != NULL; ++k)
        changes.settings[changes.count++] = row->settings[k];
    for (int k = 0; k < PAPER_SETTINGS && row->reduced[k] != NULL && !full; ++k)
        changes.settings[changes.count++] = row->reduced[k];
    return changes;
}

static sherd_scene *load(const paper_row *row, const command_options *options, int *code)
{
    char path[MESSAGE_PATH], name[MESSAGE_TEXT * 2];
    row_changes changes = changes_of(row, options->full);
    snprintf(name, sizeof name, "%s.yaml", row->scene);
    message_path(options->scenes != NULL ? options->scenes : "scenes", name, path);
    sherd_diagnostics diagnostics = {0};
    sherd_scene_options with = {changes.variant, changes.count, changes.settings};
    sherd_scene *scene = sherd_scene_load(path, &with, &diagnostics);
    if (scene == NULL) {
        *code = message_diagnostics(&diagnostics);
        fprintf(stderr, "--scenes DIR says where the scenes are\n");
    }
    sherd_diagnostics_free(&diagnostics);
    return scene;
}

int paper_print_command(const paper_row *row, const command_options *options)
{
    int code = EXIT_DONE;
    row_changes changes = changes_of(row, options->full);
    printf("    %s\n", row->label);
    if (row->scene == NULL) return EXIT_DONE;
    printf("        sherd run scenes/%s.yaml", row->scene);
    if (changes.variant != NULL) printf(" --variant %s", changes.variant);
    for (int k = PAPER_COUNT(TABLES_ALONE); k < changes.count; ++k)
        printf(" --set '%s'", changes.settings[k]);
    if (row->frames > 0) printf(" --frames %lld", (long long)row->frames);
    printf("\n");
    sherd_scene_destroy(load(row, options, &code));
    return code;
}

typedef struct shown {
    const char *label;
    double last; // fraction that was printed
} shown;

static void on_progress(void *context, const sherd_run_view *view)
{
    shown *s = context;
    stop_requests_slice(view->last_step_wall);
    if (view->fraction < s->last + 0.1) return;
    s->last = view->fraction;
    char left[MESSAGE_TEXT];
    fprintf(stderr, "  %s: %.0f %%, %s left\n", s->label, 100.0 * view->fraction,
            view->time_left >= 0.0 ? message_duration(view->time_left, left) : "?");
}

static sherd_status simulate(const sherd_scene *scene, const paper_row *row, const char *folder,
                             const command_options *options, sherd_run_result *result,
                             sherd_error *error)
{
    shown progress = {.label = row->label};
    sherd_run_def def = sherd_run_def_default();
    def.scene = scene, def.folder = folder, def.threads = options->threads;
    def.frames = row->frames > 0 ? row->frames : -1;
    def.pictures = SHERD_RUN_PICTURES_NONE;
    def.begin = SHERD_RUN_RESUME;
    def.stop = stop_request();
    def.on_progress = options->quiet ? NULL : on_progress;
    def.context = &progress;
    stop_requests_begin();
    sherd_status status = sherd_run_scene(&def, result, error);
    if (status == SHERD_ERROR_INPUT && !result->begun) { // the run of another scene
        def.begin = SHERD_RUN_ANEW;
        *error = (sherd_error){0};
        status = sherd_run_scene(&def, result, error);
    }
    stop_requests_end();
    return status;
}

int paper_run_row(const paper_row *row, const char *folder, const command_options *options)
{
    int code = EXIT_DONE;
    char key[KEY_SIZE], path[MESSAGE_PATH];
    sherd_scene *scene = load(row, options, &code);
    if (scene == NULL) return code;
    key_of(scene, row->frames, key);
    if (!is_done(folder, key)) {
        sherd_run_result result;
        sherd_error error = {0};
        sherd_status status = simulate(scene, row, folder, options, &result, &error);
        message_path(folder, KEY_FILE, path);
        if (result.end == SHERD_RUN_STOPPED) {
            fprintf(stderr, "stopped; the same command goes on from there\n");
            code = EXIT_FAILED;
        } else if (status != SHERD_OK) {
            fprintf(stderr, "%s: ", row->label);
            code = message_error(&error);
        } else if (sherd_file_write(path, key, strlen(key), &error) != SHERD_OK) {
            code = message_error(&error);
        }
    }
    sherd_scene_destroy(scene);
    return code;
}

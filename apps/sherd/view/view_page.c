#include "view/view_page.h"

#include "message.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

int view_page_make(live *l, const char *folder, const char *place, const sherd_scene *scene,
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

void view_page_remove(const char *place)
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

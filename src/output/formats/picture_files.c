#include "output/formats/picture_files.h"

#include "base/error.h"
#include "base/memory.h"

#include <sherd/file.h>

#include <stdio.h>
#include <string.h>

static int count_pictures(const sherd_scene_group *groups, int count)
{
    int pictures = 0;
    for (int g = 0; g < count; ++g)
        pictures += groups[g].picture != NULL;
    return pictures;
}

int sherd_picture_files_most(const sherd_scene *scene)
{
    int most = 0;
    for (int b = 0; scene != NULL && b < scene->body_count; ++b)
        most += count_pictures(scene->bodies[b].groups, scene->bodies[b].group_count);
    return most;
}

void sherd_picture_files_path(const sherd_format_job *job, int index, const char *kind,
                              char path[OUTPUT_PATH])
{
    const char *ending = strrchr(job->format->about.place, '.');
    int stem = (int)(strlen(job->place) - strlen(ending));
    snprintf(path, OUTPUT_PATH, "%.*s_picture_%06d%s", stem, job->place, index, kind);
}

void sherd_picture_files_release(sherd_picture_files *files)
{
    sherd_free(files->written);
    *files = (sherd_picture_files){0};
}

// What a mesh file refers to is read if it is either.
static const char *kind_of(const sherd_scene_group *group)
{
    static const uint8_t PNG[4] = {0x89, 'P', 'N', 'G'};
    bool png = group->picture_size >= sizeof PNG && memcmp(group->picture_file, PNG, 4) == 0;
    return png ? ".png" : ".jpg";
}

static sherd_status write_picture(const sherd_format_job *job, const sherd_scene_group *group,
                                  const char *path, sherd_error *error)
{
    sherd_status status = sherd_own_files_begin(job->own, path, error);
    if (status == SHERD_OK)
        status = sherd_file_write(path, group->picture_file, group->picture_size, error);
    return status == SHERD_OK ? sherd_own_files_end(job->own, path, error) : status;
}

sherd_status sherd_picture_files_add(sherd_picture_files *files, const sherd_scene_group *group,
                                     char name[OUTPUT_PATH], sherd_error *error)
{
    int index = 0;
    while (index < files->count && files->written[index] != group->picture_file)
        ++index;
    char path[OUTPUT_PATH];
    sherd_picture_files_path(files->job, index, kind_of(group), path);
    const char *slash = strrchr(path, '/');
    snprintf(name, OUTPUT_PATH, "%s", slash != NULL ? slash + 1 : path);
    if (index < files->count) return SHERD_OK;
    if (!sherd_grow((void **)&files->written, &files->capacity, (size_t)index + 1,
                    sizeof *files->written))
        return sherd_fail_memory(error, "pictures of materials");
    files->written[files->count++] = group->picture_file;
    return write_picture(files->job, group, path, error);
}

#include "output/formats/picture_files.h"

#include "base/error.h"
#include "base/memory.h"
#include "render/texture/image.h"

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
    for (int m = 0; scene != NULL && m < scene->material_count; ++m)
        most += scene->materials[m].appearance.picture != NULL;
    return most;
}

void sherd_picture_files_path(const sherd_format_job *job, int index, const char *kind,
                              char path[OUTPUT_PATH])
{
    int stem = (int)(strrchr(job->path, '.') - job->path);
    snprintf(path, OUTPUT_PATH, "%.*s_picture_%06d%s", stem, job->path, index, kind);
}

void sherd_picture_files_release(sherd_picture_files *files)
{
    sherd_free(files->written);
    *files = (sherd_picture_files){0};
}

// Pictures are PNG or JPEG.
static const char *kind_of(const uint8_t *file, size_t size)
{
    static const uint8_t PNG[4] = {0x89, 'P', 'N', 'G'};
    return size >= sizeof PNG && memcmp(file, PNG, sizeof PNG) == 0 ? ".png" : ".jpg";
}

static sherd_status write_picture(const sherd_format_job *job, const uint8_t *file, size_t size,
                                  const char *path, sherd_error *error)
{
    sherd_status status = sherd_output_list_begin(job->own, path, error);
    if (status == SHERD_OK) status = sherd_file_write(path, file, size, error);
    return status == SHERD_OK ? sherd_output_list_end(job->own, path, error) : status;
}

sherd_status sherd_picture_files_add(sherd_picture_files *files, const sherd_texture_image *picture,
                                     char name[OUTPUT_PATH], sherd_error *error)
{
    int index = 0;
    while (index < files->count && files->written[index] != picture)
        ++index;
    size_t size;
    const uint8_t *file = sherd_texture_image_file(picture, &size);
    char path[OUTPUT_PATH];
    sherd_picture_files_path(files->job, index, kind_of(file, size), path);
    const char *slash = strrchr(path, '/');
    snprintf(name, OUTPUT_PATH, "%s", slash != NULL ? slash + 1 : path);
    if (index < files->count) return SHERD_OK;
    if (!sherd_grow((void **)&files->written, &files->capacity, (size_t)index + 1,
                    sizeof(const sherd_texture_image *)))
        return sherd_fail_memory(error, "pictures of materials");
    files->written[files->count++] = picture;
    return write_picture(files->job, file, size, path, error);
}

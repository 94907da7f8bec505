#include "output/mesh_file/sibling_file.h"

#include "base/memory.h"

#include <string.h>
#include <sys/stat.h>

char *sherd_sibling_path(const char *path, const char *name, size_t size)
{
    const char *slash = strrchr(path, '/');
    size_t folder = slash != NULL ? (size_t)(slash - path) + 1 : 0;
    char *beside = sherd_alloc(folder + size + 1, 1);
    if (beside == NULL) return NULL;
    memcpy(beside, path, folder);
    memcpy(beside + folder, name, size);
    for (char *c = beside + folder; *c != '\0'; ++c)
        if (*c == '\\') *c = '/';
    char *file = beside + folder;
    if (file[0] != '/' && strstr(file, "..") == NULL && strstr(file, "://") == NULL) return beside;
    sherd_free(beside);
    return NULL;
}

bool sherd_is_regular_file(const char *path, uint64_t *device, uint64_t *number)
{
    struct stat info;
    if (path == NULL || stat(path, &info) != 0 || !S_ISREG(info.st_mode)) return false;
    *device = (uint64_t)info.st_dev;
    *number = (uint64_t)info.st_ino;
    return true;
}

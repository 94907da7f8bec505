#include "output/files/output_list.h"

#include "output/files/output_names.h"
#include "output/run_file/run_check.h"

#include <sherd/file.h>
#include <sherd/run_file.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static const char HEADER[] = "sherd outputs 1: check, size, name; nothing else here is removed or "
                             "written over\n";

// Size of a file, or the reason why it is unknown.
enum { GROWS = -1, GROWS_WITHOUT_PART = -2 }; // the second: PATH.part of another program existed

typedef struct entry {
    char *name; // relative to the folder, or absolute
    int64_t size;
    size_t order; // index in the list; later entries override earlier ones
} entry;

struct sherd_output_list {
    char *folder;
    entry *entries; // sorted by name
    size_t count, capacity;
    bool listed;      // the list file exists
    bool present;     // the run file exists; without one, no file is known to be Sherd's
    bool unreadable;  // the list file is invalid: no file is known to be Sherd's
    int64_t planned;  // frames of a run without a list; -1: there is no run
    int lock, append; // descriptors; -1: not open
};

static sherd_status out_of_memory(sherd_error *error)
{
    *error = (sherd_error){.status = SHERD_ERROR_MEMORY,
                           .what = "not enough memory for the list of outputs"};
    return SHERD_ERROR_MEMORY;
}

static void list_path(const sherd_output_list *own, char path[OUTPUT_PATH])
{
    sherd_output_path(own->folder, OWN_FILES_LIST, path);
}

// ---------------------------------------------------------------- entries

static int compare_entries(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    return order != 0 ? order : x->order < y->order ? -1 : 1;
}

static bool add_entry(sherd_output_list *own, const char *name, int64_t size)
{
    if (own->count == own->capacity) {
        size_t capacity = 2 * own->capacity + 64;
        entry *entries = realloc(own->entries, capacity * sizeof *entries);
        if (entries == NULL) return false;
        own->entries = entries;
        own->capacity = capacity;
    }
    own->entries[own->count] = (entry){strdup(name), size, own->count};
    return own->entries[own->count].name != NULL && ++own->count > 0;
}

// Sorts by name and keeps only the latest entry of each.
static void sort_entries(sherd_output_list *own)
{
    if (own->count == 0) return;
    qsort(own->entries, own->count, sizeof *own->entries, compare_entries);
    size_t retained = 0;
    for (size_t k = 0; k < own->count; ++k) {
        if (k + 1 < own->count && strcmp(own->entries[k].name, own->entries[k + 1].name) == 0) {
            free(own->entries[k].name);
            continue;
        }
        own->entries[retained] = own->entries[k];
        own->entries[retained].order = retained;
        ++retained;
    }
    own->count = retained;
}

static int compare_name(const void *name, const void *b)
{
    return strcmp(name, ((const entry *)b)->name);
}

static const entry *find_entry(const sherd_output_list *own, const char *name)
{
    if (own->count == 0) return NULL;
    return bsearch(name, own->entries, own->count, sizeof *own->entries, compare_name);
}

static void clear_entries(sherd_output_list *own)
{
    for (size_t k = 0; k < own->count; ++k)
        free(own->entries[k].name);
    own->count = 0;
}

// ---------------------------------------------------------------- lines of the list

// FNV-1a checksum: a damaged line must not claim a file of another program.
static uint32_t line_check(const char *text)
{
    uint32_t hash = 2166136261u;
    for (; *text != '\0'; ++text)
        hash = (hash ^ (unsigned char)*text) * 16777619u;
    return hash;
}

// Composes "12 frames/a.png"; line breaks and % are escaped as %0a.
static void compose_line(const char *name, int64_t size, char text[4 * OUTPUT_PATH])
{
    static const char digits[] = "0123456789abcdef";
    size_t used = (size_t)snprintf(text, OUTPUT_PATH, "%lld ", (long long)size);
    for (; *name != '\0' && used + 4 < 4 * OUTPUT_PATH; ++name) {
        unsigned char byte = (unsigned char)*name;
        if (byte >= ' ' && byte != '%' && byte != 127) {
            text[used++] = *name;
        } else {
            text[used++] = '%';
            text[used++] = digits[byte >> 4];
            text[used++] = digits[byte & 15];
        }
    }
    text[used] = '\0';
}

static void decode_name(char *name)
{
    char *to = name;
    for (const char *at = name; *at != '\0'; ++at) {
        unsigned int byte;
        if (*at == '%' && sscanf(at + 1, "%2x", &byte) == 1 && byte != 0) {
            *to++ = (char)byte;
            at += 2;
        } else {
            *to++ = *at;
        }
    }
    *to = '\0';
}

// Ignores incomplete or damaged lines. False if memory is short.
static bool read_line(sherd_output_list *own, char *line)
{
    line[strcspn(line, "\n")] = '\0';
    char *text, *name;
    uint32_t check = (uint32_t)strtoul(line, &text, 16);
    if (text != line + 8 || *text != ' ' || check != line_check(text + 1)) return true;
    long long size = strtoll(text + 1, &name, 10);
    if (*name != ' ') return true;
    decode_name(name + 1);
    return add_entry(own, name + 1, size);
}

static sherd_status read_lines(sherd_output_list *own, FILE *file, sherd_error *error)
{
    char *line = NULL;
    size_t capacity = 0;
    bool good = getline(&line, &capacity, file) >= 0 && strcmp(line, HEADER) == 0, room = true;
    while (good && room && getline(&line, &capacity, file) >= 0)
        room = read_line(own, line);
    free(line);
    own->unreadable = !good;
    return room ? SHERD_OK : out_of_memory(error);
}

// ---------------------------------------------------------------- reading

// The number of planned or existing frames of a run, whichever is larger; -1 if there is no run.
static int64_t planned_frames(const char *folder)
{
    if (sherd_run_find(folder) != SHERD_RUN_PRESENT) return -1;
    sherd_error ignored;
    sherd_run *run = sherd_run_open(folder, &ignored);
    if (run == NULL) return -1;
    int64_t planned = sherd_run_get_info(run).frames_planned, there = sherd_run_frame_count(run);
    sherd_run_close(run);
    return planned > there ? planned : there;
}

static sherd_status read_list(sherd_output_list *own, sherd_error *error)
{
    char path[OUTPUT_PATH];
    struct stat status;
    clear_entries(own);
    own->listed = own->unreadable = false;
    own->present = sherd_run_find(own->folder) == SHERD_RUN_PRESENT;
    own->planned = -1;
    list_path(own, path);
    if (lstat(path, &status) != 0) {
        own->planned = planned_frames(own->folder);
        return SHERD_OK;
    }
    FILE *file = S_ISREG(status.st_mode) ? fopen(path, "re") : NULL;
    own->listed = true;
    own->unreadable = file == NULL;
    if (file == NULL) return SHERD_OK;
    sherd_status result = read_lines(own, file, error);
    fclose(file);
    sort_entries(own);
    return result;
}

sherd_output_list *sherd_output_list_open(const char *folder, sherd_error *error)
{
    sherd_output_list *own = calloc(1, sizeof *own);
    if (own != NULL) own->folder = strdup(folder);
    if (own == NULL || own->folder == NULL) {
        free(own);
        out_of_memory(error);
        return NULL;
    }
    own->lock = own->append = -1;
    if (read_list(own, error) == SHERD_OK) return own;
    sherd_output_list_close(own);
    return NULL;
}

void sherd_output_list_close(sherd_output_list *own)
{
    if (own == NULL) return;
    if (own->append >= 0) close(own->append);
    if (own->lock >= 0) close(own->lock);
    clear_entries(own);
    free(own->entries);
    free(own->folder);
    free(own);
}

static sherd_status fail_busy(const sherd_output_list *own, sherd_error *error)
{
    *error = (sherd_error){.status = SHERD_ERROR_IO,
                           .what = "another program is writing this file",
                           .hint = "wait until it has ended, or write to another folder with -o"};
    snprintf(error->where, sizeof error->where, "%s/run.sherd", own->folder);
    return error->status;
}

// Locks the folder itself, as files in it are replaced. The system releases the lock when the
// process ends. Some file systems do not support locks: there, concurrent runs are not detected.
sherd_status sherd_output_list_lock(sherd_output_list *own, sherd_error *error)
{
    sherd_status status = sherd_folder_create(own->folder, error);
    if (status != SHERD_OK) return status;
    own->lock = open(own->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int result = -1;
    while (own->lock >= 0 && (result = flock(own->lock, LOCK_EX | LOCK_NB)) != 0 && errno == EINTR)
        ;
    if (own->lock >= 0 && result != 0 && errno == EWOULDBLOCK) return fail_busy(own, error);
    return read_list(own, error);
}

// ---------------------------------------------------------------- what is whose

// The absolute path without links; for a new file, its folder's path is resolved. NULL if that does
// not exist.
static char *whole_path(const char *path)
{
    char folder[OUTPUT_PATH], *text;
    const char *slash = strrchr(path, '/');
    int size = slash == NULL ? 0 : (int)(slash - path);
    snprintf(folder, sizeof folder, "%.*s", size, path);
    char *whole = realpath(slash == NULL ? "." : size == 0 ? "/" : folder, NULL);
    if (whole == NULL) return NULL;
    if (asprintf(&text, "%s/%s", strcmp(whole, "/") != 0 ? whole : "",
                 slash == NULL ? path : slash + 1) < 0)
        text = NULL;
    free(whole);
    return text;
}

// The part of a path below a folder; NULL if it is not in the folder.
static const char *behind(const char *path, const char *folder)
{
    size_t length = strlen(folder);
    return strncmp(path, folder, length) == 0 && path[length] == '/' ? path + length + 1 : NULL;
}

// Relative to the folder if the file is in it, else absolute. False if the path cannot be resolved.
static bool name_of(const sherd_output_list *own, const char *path, char name[OUTPUT_PATH])
{
    const char *within = behind(path, own->folder);
    char *whole = within == NULL ? whole_path(path) : NULL;
    char *folder = whole != NULL ? realpath(own->folder, NULL) : NULL;
    if (folder != NULL) within = behind(whole, folder);
    const char *found = within != NULL ? within : whole;
    if (found != NULL) snprintf(name, OUTPUT_PATH, "%s", found);
    free(whole);
    free(folder);
    return found != NULL;
}

// True for a file of a run by an earlier version, which had no list.
static bool is_earlier(const sherd_output_list *own, const char *name)
{
    int64_t frame;
    return own->planned >= 0 && sherd_output_names_find(name, &frame) && frame < own->planned;
}

bool sherd_output_list_unreadable(const sherd_output_list *own)
{
    return own->unreadable;
}

bool sherd_output_list_foreign(const sherd_output_list *own, const char *path)
{
    struct stat status;
    char name[OUTPUT_PATH];
    if (lstat(path, &status) != 0) return false;
    if (!S_ISREG(status.st_mode) || !own->present || !name_of(own, path, name)) return true;
    if (!own->listed) return !is_earlier(own, name);
    const entry *e = find_entry(own, name);
    return e == NULL || (e->size >= 0 && e->size != status.st_size);
}

// ---------------------------------------------------------------- writing the list

static sherd_status fail_write(const sherd_output_list *own, sherd_error *error)
{
    const char *reason = strerror(errno);
    *error = (sherd_error){.status = SHERD_ERROR_IO,
                           .hint = "check that the folder is there, may be written to and has "
                                   "room, and continue with --resume"};
    snprintf(error->where, sizeof error->where, "%s/%s", own->folder, OWN_FILES_LIST);
    snprintf(error->what, sizeof error->what, "can't write: %s", reason);
    return error->status;
}

static sherd_status append_line(sherd_output_list *own, const char *name, int64_t size,
                                sherd_error *error)
{
    char text[4 * OUTPUT_PATH], line[4 * OUTPUT_PATH + 16];
    compose_line(name, size, text);
    int length = snprintf(line, sizeof line, "%08x %s\n", line_check(text), text);
    ssize_t written;
    while ((written = write(own->append, line, (size_t)length)) < 0 && errno == EINTR)
        ;
    if (written == length) return SHERD_OK;
    if (written >= 0) errno = ENOSPC;
    return fail_write(own, error);
}

static bool keep_earlier(void *context, const sherd_output_name *name, const char *path,
                         int64_t frame)
{
    sherd_output_list *own = context;
    (void)frame;
    if (name->made_by == MADE_IF_LISTED || sherd_output_list_foreign(own, path)) return true;
    return add_entry(own, path + strlen(own->folder) + 1, sherd_file_size(path));
}

static void print_entry(const sherd_output_list *own, const entry *e, FILE *to)
{
    char path[2 * OUTPUT_PATH], text[4 * OUTPUT_PATH];
    snprintf(path, sizeof path, "%s%s%s", e->name[0] == '/' ? "" : own->folder,
             e->name[0] == '/' ? "" : "/", e->name);
    if (!sherd_is_anything(path)) return;
    compose_line(e->name, e->size, text);
    fprintf(to, "%08x %s\n", line_check(text), text);
}

// Opens the list for appending; if its last line is incomplete, starts a new line.
static sherd_status open_append(sherd_output_list *own, sherd_error *error)
{
    char path[OUTPUT_PATH], last = '\n';
    list_path(own, path);
    if (own->append >= 0) close(own->append);
    own->append = open(path, O_RDWR | O_APPEND | O_NOFOLLOW | O_CLOEXEC);
    if (own->append < 0) return fail_write(own, error);
    off_t size = lseek(own->append, 0, SEEK_END);
    if (size > 0 && pread(own->append, &last, 1, size - 1) == 1 && last != '\n' &&
        write(own->append, "\n", 1) != 1)
        return fail_write(own, error);
    return SHERD_OK;
}

// Removes the temporary file of a process that was killed while it wrote the list. No list contains
// it, so it is recognized by its content or by being empty. Requires the lock, so that no other
// process is writing it.
static void remove_list_part(const sherd_output_list *own)
{
    char path[OUTPUT_PATH], part[OUTPUT_PATH + 8], text[sizeof HEADER];
    list_path(own, path);
    snprintf(part, sizeof part, "%s.part", path);
    int file = own->lock >= 0 ? open(part, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) : -1;
    if (file < 0) return;
    struct stat status;
    bool regular = fstat(file, &status) == 0 && S_ISREG(status.st_mode);
    ssize_t size = regular ? read(file, text, sizeof HEADER - 1) : -1;
    close(file);
    if (size >= 0 && memcmp(text, HEADER, (size_t)size) == 0) unlink(part);
}

sherd_status sherd_output_list_tidy(sherd_output_list *own, sherd_error *error)
{
    char path[OUTPUT_PATH], *text = NULL;
    size_t size = 0;
    list_path(own, path);
    remove_list_part(own);
    sherd_status status = own->listed ? read_list(own, error) : SHERD_OK;
    if (status != SHERD_OK) return status;
    if (!own->listed) sherd_output_names_visit(own->folder, keep_earlier, own);
    own->listed = true;
    own->unreadable = false;
    sort_entries(own);
    FILE *to = open_memstream(&text, &size);
    if (to == NULL) return out_of_memory(error);
    fputs(HEADER, to);
    for (size_t k = 0; k < own->count; ++k)
        print_entry(own, &own->entries[k], to);
    if (fclose(to) != 0) return out_of_memory(error);
    status = sherd_file_write(path, text, size, error);
    free(text);
    return status == SHERD_OK ? open_append(own, error) : status;
}

static sherd_status put(sherd_output_list *own, const char *path, int64_t size, sherd_error *error)
{
    char name[OUTPUT_PATH];
    // Skip writing if the list file is invalid. A path that cannot be resolved cannot be created
    // either.
    if (own->unreadable || !name_of(own, path, name)) return SHERD_OK;
    sherd_status status = SHERD_OK;
    if (own->append < 0 && own->listed) status = open_append(own, error);
    if (own->append < 0 && !own->listed) status = sherd_output_list_tidy(own, error);
    if (status == SHERD_OK) status = append_line(own, name, size, error);
    return own->lock >= 0 ? status : SHERD_OK;
}

sherd_status sherd_output_list_begin(sherd_output_list *own, const char *path, sherd_error *error)
{
    char part[OUTPUT_PATH];
    snprintf(part, sizeof part, "%s.part", path);
    return put(own, path, sherd_is_anything(part) ? GROWS_WITHOUT_PART : GROWS, error);
}

sherd_status sherd_output_list_end(sherd_output_list *own, const char *path, sherd_error *error)
{
    int64_t size = sherd_file_size(path);
    return size >= 0 ? put(own, path, size, error) : SHERD_OK;
}

void sherd_output_list_remove_parts(const sherd_output_list *own)
{
    for (size_t k = 0; k < own->count; ++k) {
        char part[2 * OUTPUT_PATH];
        struct stat status;
        if (own->entries[k].size != GROWS || own->entries[k].name[0] == '/') continue;
        snprintf(part, sizeof part, "%s/%s.part", own->folder, own->entries[k].name);
        if (lstat(part, &status) == 0 && S_ISREG(status.st_mode)) unlink(part);
    }
}

// Writing files: all or nothing, and one clear error when the system refuses.
#include "base/file_writer.h"
#include "base/memory.h"

#include <sherd/file.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[64];

static void make_folder(void)
{
    snprintf(folder, sizeof folder, "/tmp/sherd-test-XXXXXX");
    cr_assert(mkdtemp(folder) != NULL);
}

static void remove_folder(void)
{
    // Fails when anything was left behind.
    cr_assert(eq(int, rmdir(folder), 0));
}

static const char *in_folder(const char *name)
{
    static char path[128];
    cr_assert(sherd_path_join(path, sizeof path, folder, name));
    return path;
}

static bool holds(const char *path, const char *text)
{
    unsigned char *bytes;
    size_t size;
    if (sherd_file_read(path, &bytes, &size, NULL) != SHERD_OK) return false;
    bool same = size == strlen(text) && memcmp(bytes, text, size) == 0;
    sherd_free(bytes);
    return same;
}

TestSuite(file_writer, .init = make_folder, .fini = remove_folder);

Test(file_writer, the_file_appears_whole_or_not_at_all)
{
    const char *path = in_folder("a.txt");
    sherd_error err = {0};
    sherd_file_writer *writer = sherd_file_writer_create(path, &err);
    cr_assert(writer != NULL, "%s", err.what);
    sherd_file_writer_printf(writer, "%d ", 12);
    sherd_file_writer_text(writer, "ab");
    cr_assert(sherd_file_writer_size(writer) == 5);
    cr_assert(sherd_file_writer_flush(writer, &err) == SHERD_OK);
    cr_assert(sherd_file_exists(path) == false);
    cr_assert(sherd_file_writer_commit(writer, &err) == SHERD_OK);
    cr_assert(holds(path, "12 ab"));

    writer = sherd_file_writer_create(path, &err);
    sherd_file_writer_text(writer, "other");
    sherd_file_writer_abort(writer);
    cr_assert(holds(path, "12 ab"));
    cr_assert(sherd_file_size(path) == 5);
    unlink(path);
    cr_assert(sherd_file_size(path) == -1);
}

Test(file_writer, large_and_small_writes_keep_their_order)
{
    const char *path = in_folder("b.bin");
    enum { SIZE = 300000 };
    unsigned char *bytes = sherd_alloc(SIZE, 1), *back;
    for (int k = 0; k < SIZE; ++k)
        bytes[k] = (unsigned char)(k * 7 % 251);
    sherd_file_writer *writer = sherd_file_writer_create(path, NULL);
    size_t at = 0;
    for (size_t part = 1; at < SIZE; part = part * 3 % 100003) {
        size_t size = part < SIZE - at ? part : SIZE - at;
        sherd_file_writer_write(writer, bytes + at, size);
        at += size;
    }
    cr_assert(sherd_file_writer_commit(writer, NULL) == SHERD_OK);
    size_t size;
    cr_assert(sherd_file_read(path, &back, &size, NULL) == SHERD_OK);
    cr_assert(size == SIZE && memcmp(bytes, back, SIZE) == 0);
    sherd_free(bytes);
    sherd_free(back);
    unlink(path);
}

Test(file_writer, append_cuts_and_goes_on)
{
    const char *path = in_folder("c.txt");
    cr_assert(sherd_file_write(path, "one two", 7, NULL) == SHERD_OK);
    sherd_file_writer *writer = sherd_file_writer_append(path, 4, NULL);
    sherd_file_writer_text(writer, "three");
    cr_assert(sherd_file_writer_commit(writer, NULL) == SHERD_OK);
    cr_assert(holds(path, "one three"));
    writer = sherd_file_writer_append(path, INT64_MAX, NULL);
    sherd_file_writer_text(writer, "!");
    cr_assert(sherd_file_writer_size(writer) == 10);
    cr_assert(sherd_file_writer_commit(writer, NULL) == SHERD_OK);
    cr_assert(holds(path, "one three!"));
    unlink(path);
}

// Reading has hints of its own: nothing has to be made or freed first.
// Cutting first and asking then would cost the other's record.
Test(file_writer, two_writers_do_not_append_to_one_file)
{
    const char *path = in_folder("run.txt");
    sherd_error err = {0};
    sherd_file_writer *first = sherd_file_writer_append(path, INT64_MAX, &err);
    cr_assert(first != NULL, "%s", err.what);
    sherd_file_writer_text(first, "abc");
    cr_assert(sherd_file_writer_flush(first, &err) == SHERD_OK);
    cr_assert(sherd_file_writer_append(path, 0, &err) == NULL);
    cr_assert(eq(int, err.status, SHERD_ERROR_IO));
    cr_assert(strstr(err.what, "another program") != NULL, "%s", err.what);
    cr_assert(holds(path, "abc"));
    cr_assert(sherd_file_writer_commit(first, &err) == SHERD_OK);
    sherd_file_writer *later = sherd_file_writer_append(path, 0, &err);
    cr_assert(later != NULL, "the lock outlived its writer: %s", err.what);
    sherd_file_writer_abort(later);
    remove(path);
}

Test(file_writer, a_file_that_is_not_there_can_not_be_read)
{
    sherd_error err;
    unsigned char *bytes;
    size_t size;
    cr_assert(eq(int, sherd_file_read("/nowhere/at-all", &bytes, &size, &err), SHERD_ERROR_IO));
    cr_assert(eq(str, err.where, "/nowhere/at-all"));
    cr_assert(eq(str, err.hint, "check the path: there is no such file"));
}

Test(file_writer, a_full_disk_is_one_error_with_a_hint)
{
    sherd_error err = {0};
    sherd_file_writer *writer = sherd_file_writer_append("/dev/full", INT64_MAX, &err);
    cr_assert(writer != NULL, "%s", err.what);
    sherd_file_writer_text(writer, "x");
    cr_assert(sherd_file_writer_flush(writer, &err) == SHERD_ERROR_IO);
    cr_assert(eq(str, err.where, "/dev/full"));
    cr_assert(strstr(err.what, "No space left on device") != NULL, "%s", err.what);
    cr_assert(eq(str, err.hint, "free some space and continue with --resume"));
    // The failure stays.
    sherd_file_writer_text(writer, "y");
    cr_assert(sherd_file_writer_commit(writer, &err) == SHERD_ERROR_IO);
}

// A limit on file sizes cuts a write in the middle, like a disk that fills up.
Test(file_writer, a_torn_write_leaves_nothing_behind)
{
    const char *path = in_folder("d.txt");
    enum { SIZE = 200000 };
    char *bytes = sherd_alloc(SIZE, 1);
    cr_assert(sherd_file_write(path, "good", 4, NULL) == SHERD_OK);
    signal(SIGXFSZ, SIG_IGN);
    struct rlimit limit;
    getrlimit(RLIMIT_FSIZE, &limit);
    struct rlimit small = {100000, limit.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
    sherd_error err = {0};
    cr_assert(sherd_file_write(path, bytes, SIZE, &err) == SHERD_ERROR_IO);
    cr_assert(holds(path, "good"));
    sherd_file_writer *writer = sherd_file_writer_append(path, INT64_MAX, &err);
    sherd_file_writer_write(writer, bytes, SIZE);
    cr_assert(sherd_file_writer_flush(writer, &err) == SHERD_ERROR_IO);
    setrlimit(RLIMIT_FSIZE, &limit);
    sherd_file_writer_abort(writer);
    cr_assert(holds(path, "good"));
    sherd_free(bytes);
    unlink(path);
}

Test(file_writer, folders_and_their_parents)
{
    char deep[128];
    snprintf(deep, sizeof deep, "%s/x/y//z/", folder);
    sherd_error err = {0};
    cr_assert(sherd_folder_create(deep, &err) == SHERD_OK, "%s", err.what);
    cr_assert(sherd_folder_exists(deep) && !sherd_file_exists(deep));
    cr_assert(sherd_folder_create(deep, &err) == SHERD_OK);
    cr_assert(sherd_file_write(in_folder("x/file"), "", 0, &err) == SHERD_OK);
    cr_assert(sherd_folder_create(in_folder("x/file"), &err) == SHERD_ERROR_IO);
    cr_assert(sherd_folder_create(in_folder("x/file/below"), &err) == SHERD_ERROR_IO);
    cr_assert(strstr(err.what, "Not a directory") != NULL, "%s", err.what);
    cr_assert(sherd_folder_create("", &err) == SHERD_ERROR_INPUT);
    // Writing to a folder's name fails before any work is done.
    cr_assert(sherd_file_writer_create(in_folder("x"), &err) == NULL);
    cr_assert(sherd_file_writer_create(in_folder("none/a"), &err) == NULL);
    cr_assert(strstr(err.what, "No such file") != NULL);
    unlink(in_folder("x/file"));
    rmdir(in_folder("x/y/z"));
    rmdir(in_folder("x/y"));
    rmdir(in_folder("x"));
}

Test(file_writer, reading_files_of_unknown_size)
{
    unsigned char *bytes;
    size_t size;
    // The kernel tells size 0 for these.
    cr_assert(sherd_file_read("/proc/self/maps", &bytes, &size, NULL) == SHERD_OK);
    cr_assert(size > 1000 && bytes[size] == '\0' && strlen((char *)bytes) == size);
    sherd_free(bytes);
    sherd_error err = {0};
    cr_assert(sherd_file_read(folder, &bytes, &size, &err) == SHERD_ERROR_IO);
    cr_assert(bytes == NULL && strstr(err.what, "directory") != NULL);
}

// Words that a program prints must not end up in a file because it has closed its output.
Test(file_writer, keeps_off_the_numbers_of_standard_streams)
{
    int streams[3];
    for (int k = 0; k < 3; ++k)
        streams[k] = dup(k);
    for (int k = 0; k < 3; ++k)
        close(k);
    sherd_file_writer *created = sherd_file_writer_create(in_folder("a"), NULL);
    sherd_file_writer *appended = sherd_file_writer_append(in_folder("b"), 0, NULL);
    bool printed = write(1, "words", 5) == 5 || write(2, "words", 5) == 5;
    sherd_file_writer_write(created, "a", 1);
    bool committed = sherd_file_writer_commit(created, NULL) == SHERD_OK &&
                     sherd_file_writer_commit(appended, NULL) == SHERD_OK;
    for (int k = 0; k < 3; ++k) {
        dup2(streams[k], k);
        close(streams[k]);
    }
    cr_assert(eq(int, printed, false));
    cr_assert(eq(int, committed, true));
    cr_assert(holds(in_folder("a"), "a"));
    cr_assert(holds(in_folder("b"), ""));
    remove(in_folder("a"));
    remove(in_folder("b"));
}

static void put(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    cr_assert(file != NULL && fputs(text, file) >= 0);
    fclose(file);
}

// Names that others chose, and links that lead out of the folder, stay as they are.
Test(file_writer, what_is_in_the_way_of_a_temporary_file_stays)
{
    char victim[128];
    snprintf(victim, sizeof victim, "%s", in_folder("victim"));
    put(victim, "mine");
    cr_assert(eq(int, symlink(victim, in_folder("a.part")), 0));
    put(in_folder("a.1.part"), "a download");
    cr_assert(sherd_file_write(in_folder("a"), "new", 3, NULL) == SHERD_OK);
    cr_assert(holds(in_folder("a"), "new"));
    cr_assert(holds(victim, "mine"));
    cr_assert(holds(in_folder("a.1.part"), "a download"));
    cr_assert(symlink(victim, in_folder("b")) == 0);
    cr_assert(sherd_file_write(in_folder("b"), "new", 3, NULL) == SHERD_OK);
    cr_assert(holds(victim, "mine"));
    cr_assert(holds(in_folder("b"), "new"));
    const char *names[] = {"victim", "a.part", "a.1.part", "a", "b"};
    for (int k = 0; k < 5; ++k)
        cr_assert(eq(int, unlink(in_folder(names[k])), 0));
}

Test(file_writer, links_and_pipes_are_not_appended_to)
{
    char victim[128];
    sherd_error err = {0};
    snprintf(victim, sizeof victim, "%s", in_folder("victim"));
    put(victim, "mine");
    cr_assert(symlink(victim, in_folder("link")) == 0);
    cr_assert(sherd_file_writer_append(in_folder("link"), 0, &err) == NULL);
    cr_assert(err.status == SHERD_ERROR_IO && strstr(err.hint, "link") != NULL, "%s", err.hint);
    cr_assert(holds(victim, "mine"));
    cr_assert(mkfifo(in_folder("pipe"), 0600) == 0);
    cr_assert(sherd_file_writer_append(in_folder("pipe"), 0, &err) == NULL);
    cr_assert(eq(int, err.status, SHERD_ERROR_IO));
    const char *names[] = {"victim", "link", "pipe"};
    for (int k = 0; k < 3; ++k)
        unlink(in_folder(names[k]));
}

// What would be written from now on would be lost, and the program would not know.
Test(file_writer, a_file_that_lost_its_name_is_noticed)
{
    const char *words[] = {"removed", "moved", "replaced"};
    for (int k = 0; k < 3; ++k) {
        sherd_error err = {0};
        char path[128], other[128];
        snprintf(path, sizeof path, "%s", in_folder("a"));
        snprintf(other, sizeof other, "%s", in_folder("other"));
        sherd_file_writer *writer = sherd_file_writer_append(path, 0, NULL);
        sherd_file_writer_text(writer, "one");
        cr_assert(sherd_file_writer_flush(writer, &err) == SHERD_OK);
        if (k == 0) unlink(path);
        if (k == 1) rename(path, other);
        if (k == 2) put(other, "other"), rename(other, path);
        sherd_file_writer_text(writer, "two");
        cr_assert(sherd_file_writer_flush(writer, &err) == SHERD_ERROR_IO, "%s", words[k]);
        cr_assert(strstr(err.what, words[k]) != NULL, "%s", err.what);
        sherd_file_writer_abort(writer);
        unlink(path);
        unlink(other);
    }
}

Test(file_writer, a_file_that_grows_is_replaced_when_its_start_is_whole)
{
    char path[128];
    sherd_error err = {0};
    snprintf(path, sizeof path, "%s", in_folder("a"));
    put(path, "former");
    cr_assert(link(path, in_folder("copy")) == 0);
    sherd_file_writer *writer = sherd_file_writer_replace(path, &err);
    cr_assert(writer != NULL, "%s", err.what);
    sherd_file_writer_text(writer, "start");
    cr_assert(holds(path, "former"));
    cr_assert(sherd_file_writer_publish(writer, &err) == SHERD_OK, "%s", err.what);
    cr_assert(holds(path, "start"));
    cr_assert(sherd_file_writer_replace(path, &err) == NULL && strstr(err.what, "another program"));
    cr_assert(sherd_file_writer_append(path, 0, &err) == NULL);
    sherd_file_writer_text(writer, ", end");
    cr_assert(sherd_file_writer_commit(writer, &err) == SHERD_OK);
    cr_assert(holds(path, "start, end"));
    cr_assert(holds(in_folder("copy"), "former"));
    unlink(in_folder("copy"));
    unlink(path);
}

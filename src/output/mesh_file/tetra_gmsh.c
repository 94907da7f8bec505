// Makes tetrahedra with the gmsh program in a separate process with a time limit. It is optional
// and not linked (GPL).
#include <sherd/tetra.h>

#include "base/clock.h"
#include "base/error.h"

#include <sherd/file.h>

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PATH_SIZE = 512, WORDS_SIZE = 300 };

// A temporary folder with its files.
typedef struct workshop {
    char folder[PATH_SIZE / 2];
    char surface[PATH_SIZE], script[PATH_SIZE], mesh[PATH_SIZE], words[PATH_SIZE];
} workshop;

static sherd_status open_workshop(workshop *w, sherd_error *error)
{
    const char *base = getenv("TMPDIR");
    if (base == NULL || base[0] == '\0' || strlen(base) > 200) base = "/tmp";
    snprintf(w->folder, sizeof w->folder, "%s/sherd-gmsh-XXXXXX", base);
    if (mkdtemp(w->folder) == NULL)
        return sherd_fail(error, SHERD_ERROR_IO, base, "set TMPDIR to a folder that can be written",
                          "can't make a temporary folder: %s", strerror(errno));
    snprintf(w->surface, PATH_SIZE, "%s/surface.stl", w->folder);
    snprintf(w->script, PATH_SIZE, "%s/fill.geo", w->folder);
    snprintf(w->mesh, PATH_SIZE, "%s/fill.msh", w->folder);
    snprintf(w->words, PATH_SIZE, "%s/words.txt", w->folder);
    return SHERD_OK;
}

static void close_workshop(const workshop *w)
{
    unlink(w->surface);
    unlink(w->script);
    unlink(w->mesh);
    unlink(w->words);
    rmdir(w->folder);
}

// In units of `size`, because gmsh's tolerances are lengths.
static sherd_status write_surface(const workshop *w, const sherd_mesh *surface, double size,
                                  sherd_error *error)
{
    sherd_mesh *scaled = sherd_mesh_copy(surface, error);
    if (scaled == NULL) return SHERD_ERROR_MEMORY;
    for (size_t k = 0; k < 3 * (size_t)scaled->vertex_count; ++k)
        scaled->vertices[k] /= size;
    sherd_status status = sherd_mesh_write_stl(scaled, w->surface, error);
    sherd_mesh_destroy(scaled);
    return status;
}

// Splits the surface at creases into patches, remeshes these, and fills the volume.
static sherd_status write_script(const workshop *w, sherd_error *error)
{
    static const char TEXT[] = "Merge \"surface.stl\";\n"
                               "ClassifySurfaces{40 * Pi / 180, 1, 1, Pi};\n"
                               "CreateGeometry;\n"
                               "Surface Loop(1) = Surface{:};\n"
                               "Volume(1) = {1};\n"
                               "Mesh.MeshSizeMin = 0.7;\nMesh.MeshSizeMax = 1.0;\n"
                               "Mesh.MeshSizeFromCurvature = 0;\n"
                               "Mesh.MeshSizeExtendFromBoundary = 0;\n"
                               "Mesh.Optimize = 1;\nMesh.SaveAll = 1;\n"
                               "Mesh.MshFileVersion = 4.1;\nMesh.Binary = 0;\n";
    return sherd_file_write(w->script, TEXT, sizeof TEXT - 1, error);
}

// Starts gmsh in its own process group, with its messages in a file.
static int start(const workshop *w, pid_t *child)
{
    char *arguments[] = {"gmsh",          "-3", "-nopopup", "-v", "2", (char *)w->script, "-o",
                         (char *)w->mesh, NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, w->words,
                                     O_WRONLY | O_CREAT | O_APPEND, 0600);
    posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    posix_spawnattr_setpgroup(&attributes, 0);
    int reason = posix_spawnp(child, arguments[0], &actions, &attributes, arguments, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return reason;
}

// The exit status; -1: stopped by the time limit.
static int wait_for(pid_t child, double time_limit)
{
    double end = sherd_clock_seconds() + time_limit;
    int status;
    for (;;) {
        pid_t done = waitpid(child, &status, WNOHANG);
        if (done == child) return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        if (done < 0 && errno != EINTR)
            return 0; // the host process reaped the child: judge by the output file
        if (sherd_clock_seconds() > end) break;
        nanosleep(&(struct timespec){0, 20000000}, NULL);
    }
    kill(-child, SIGKILL);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    return -1;
}

// The last line of gmsh's messages.
static void last_words(const workshop *w, char words[WORDS_SIZE])
{
    words[0] = '\0';
    FILE *file = fopen(w->words, "r");
    if (file == NULL) return;
    char line[WORDS_SIZE];
    while (fgets(line, sizeof line, file) != NULL)
        if (strspn(line, " \t\r\n") < strlen(line)) memcpy(words, line, sizeof line);
    fclose(file);
    words[strcspn(words, "\r\n")] = '\0';
}

static sherd_status run_gmsh(const workshop *w, double time_limit, sherd_error *error)
{
    pid_t child;
    int reason = start(w, &child);
    int status = reason == 0 ? wait_for(child, time_limit) : 127;
    if (reason == ENOENT || (reason == 0 && status == 127))
        return sherd_fail(error, SHERD_ERROR_UNSUPPORTED, "gmsh",
                          "install gmsh, or use generator: lattice, which needs no other program",
                          "the program gmsh was not found");
    if (reason != 0)
        return sherd_fail(error, SHERD_ERROR_IO, "gmsh", NULL, "can't start the program: %s",
                          strerror(reason));
    if (status == -1)
        return sherd_fail(error, SHERD_ERROR_INPUT, "gmsh",
                          "use a larger size or time_limit, or generator: lattice",
                          "stopped after %g s", time_limit);
    if (status == 0 && sherd_file_exists(w->mesh)) return SHERD_OK;
    char words[WORDS_SIZE];
    last_words(w, words);
    return sherd_fail(error, SHERD_ERROR_INPUT, "gmsh", "use generator: lattice",
                      "could not fill the surface (exit status %d): %s", status, words);
}

sherd_tetra_mesh *sherd_tetra_mesh_gmsh(const sherd_mesh *surface, double size, double time_limit,
                                        sherd_error *error)
{
    if (!(size > 0.0) || !isfinite(size) || !(time_limit > 0.0) || !isfinite(time_limit)) {
        sherd_fail(error, SHERD_ERROR_INPUT, "sherd_tetra_mesh_gmsh", "both must be finite and > 0",
                   "size is %g, time_limit %g", size, time_limit);
        return NULL;
    }
    workshop w;
    if (open_workshop(&w, error) != SHERD_OK) return NULL;
    sherd_tetra_mesh *mesh = NULL;
    if (write_surface(&w, surface, size, error) == SHERD_OK &&
        write_script(&w, error) == SHERD_OK && run_gmsh(&w, time_limit, error) == SHERD_OK)
        mesh = sherd_tetra_mesh_read(w.mesh, size, NULL, error);
    close_workshop(&w);
    return mesh;
}

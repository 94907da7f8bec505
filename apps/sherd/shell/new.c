// sherd new: writes a commented scene, from options or three interactive answers, or from a mesh
// (shell/new_mesh.h).
#include "commands.h"
#include "message.h"
#include "shell/new_file.h"
#include "shell/new_scene.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct choice {
    const new_kind *kind;
    new_material material;
    int detail;
} choice;

// ---------------------------------------------------------------- questions

// Reads a line without surrounding blanks; the default answer if it is empty. False at the end of
// input.
static bool ask(const char *question, const char *words, const char *usual, char answer[NEW_WORDS])
{
    printf("%s (%s) [%s] ", question, words, usual);
    fflush(stdout);
    char line[NEW_WORDS];
    bool got = fgets(line, sizeof line, stdin) != NULL;
    const char *from = line;
    if (!got) {
        printf("\n");
        line[0] = '\0';
    }
    while (isspace((unsigned char)*from))
        ++from;
    size_t length = strlen(from);
    while (length > 0 && isspace((unsigned char)from[length - 1]))
        --length;
    snprintf(answer, NEW_WORDS, "%.*s", (int)length, from);
    if (length == 0) snprintf(answer, NEW_WORDS, "%s", usual);
    return got;
}

static void ask_all(choice *c)
{
    char words[NEW_WORDS], answer[NEW_WORDS], shown[MESSAGE_NAME];
    bool more = true;
    do {
        more = ask("What?", new_kind_words(words), c->kind->name, answer);
        const new_kind *kind = new_kind_find(answer);
        if (kind == NULL) printf("  there is no %s\n", message_name(answer, shown));
        if (kind != NULL) c->kind = kind, more = false;
    } while (more);
    c->material = *c->kind->materials[0];
    do {
        more = ask("Of what?", new_material_words(c->kind, words), c->material.name, answer);
        bool found = new_material_find(c->kind, answer, &c->material);
        if (!found) printf("  there is no %s\n", message_name(answer, shown));
        if (found) more = false;
    } while (more);
    do {
        more = ask("How fine?", "coarse, medium, fine", NEW_DETAIL_WORDS[c->detail], answer);
        int detail = new_detail_find(answer);
        if (detail < 0) printf("  there is no %s\n", message_name(answer, shown));
        if (detail >= 0) c->detail = detail, more = false;
    } while (more);
}

// ---------------------------------------------------------------- flags

static int take_flags(choice *c, const command_options *options)
{
    char words[NEW_WORDS], hint[NEW_WORDS + 64];
    if (options->kind != NULL) c->kind = new_kind_find(options->kind);
    snprintf(hint, sizeof hint, "there are: %s", new_kind_words(words));
    if (c->kind == NULL) return message_usage("unknown kind", options->kind, hint);
    c->material = *c->kind->materials[0];
    snprintf(hint, sizeof hint, "a new %s is of %s", c->kind->name,
             new_material_words(c->kind, words));
    if (options->material != NULL && !new_material_find(c->kind, options->material, &c->material))
        return message_usage("no such material", options->material, hint);
    if (options->detail != NULL) c->detail = new_detail_find(options->detail);
    if (c->detail < 0)
        return message_usage("unknown detail", options->detail, "there are: coarse, medium, fine");
    return 0;
}

// ---------------------------------------------------------------- the file

// The scene's name from a path; NULL if it is not valid.
static const char *scene_name(char path[MESSAGE_PATH])
{
    size_t length = strlen(path);
    if (length > 5 && strcmp(path + length - 5, ".yaml") == 0) path[length - 5] = '\0';
    const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;
    if (!isalpha((unsigned char)name[0]) || strlen(name) > 100) return NULL;
    for (const char *at = name; *at != '\0'; ++at)
        if (!isalnum((unsigned char)*at) && *at != '-' && *at != '_') return NULL;
    return name;
}

static int refuse_existing(const char *path)
{
    return message_usage("there is a file of this name already", path,
                         "choose another name; sherd new never writes over a file");
}

int new_file_refuse(const char *path)
{
    struct stat ignored;
    return lstat(path, &ignored) == 0 ? refuse_existing(path) : 0;
}

int new_file_write(const char *path, const char *text)
{
    sherd_error error = {.status = SHERD_ERROR_IO};
    snprintf(error.where, sizeof error.where, "%.*s", (int)sizeof error.where - 1, path);
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0 && errno == EEXIST) return refuse_existing(path);
    size_t length = strlen(text);
    bool written = file >= 0 && write(file, text, length) == (ssize_t)length;
    int problem = errno;
    if (file >= 0 && close(file) != 0 && written) written = false, problem = errno;
    if (written) return EXIT_DONE;
    if (file >= 0) unlink(path);
    snprintf(error.what, sizeof error.what, "can't write the scene: %s", strerror(problem));
    snprintf(error.hint, sizeof error.hint,
             "check that the folder exists, may be written to and has room");
    return message_error(&error);
}

static int refuse_without_mesh(const command_options *o)
{
    const char *const given[] = {o->drop, o->hit, o->press, o->tear, o->size, o->up};
    const char *first = o->pieces > 0 ? "--pieces" : o->elements > 0 ? "--elements" : NULL;
    for (size_t k = 0; k < sizeof given / sizeof given[0]; ++k)
        if (first == NULL) first = given[k];
    if (first == NULL) return 0;
    return message_usage("this is for scenes from a mesh", first, "add --mesh FILE");
}

int command_new(const command_options *options)
{
    char path[MESSAGE_PATH], text[NEW_TEXT], shown[MESSAGE_NAME], own_name[NEW_WORDS];
    if (options->input == NULL)
        return message_usage("what shall it be called?", NULL, "sherd new NAME writes NAME.yaml");
    snprintf(path, sizeof path - 8, "%s", options->input);
    const char *name = scene_name(path);
    if (name == NULL)
        return message_usage(
            "can't be a scene's name", options->input,
            "a letter, then letters, digits, - and _, at most 100; folders may precede it");
    snprintf(own_name, sizeof own_name, "%.100s", name); // is at most as long
    if (options->mesh != NULL) {
        strcat(path, ".yaml"); // there is room for it
        return new_mesh_scene(options, path, own_name);
    }
    int status = refuse_without_mesh(options);
    if (status != 0) return status;
    choice c = {.kind = new_kind_find("plate"), .detail = 1};
    status = take_flags(&c, options);
    if (status != 0) return status;
    bool flags = options->kind != NULL || options->material != NULL || options->detail != NULL;
    if (!flags && isatty(STDIN_FILENO) && isatty(STDOUT_FILENO)) ask_all(&c);
    if (!new_scene_text(c.kind, &c.material, c.detail, own_name, text))
        return message_usage("too long a name", options->input, NULL);
    strcat(path, ".yaml"); // there is room for it
    status = new_file_write(path, text);
    if (status == EXIT_DONE)
        printf("written to %s: %s\n  sherd run %s\n", message_name(path, shown), c.kind->about,
               shown);
    return status;
}

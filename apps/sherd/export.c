// sherd export, sherd surface and sherd render: files for other programs, pictures and a video from a
// run folder, without simulating.
#include "export.h"

#include "commands.h"
#include "run_folder.h"

#include <sherd/file.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

// Lists the formats, each with its description and default place.
void export_print_formats(FILE *to)
{
    fputs("Formats, with the place of -o and its default:\n\n", to);
    for (int k = 0; k < sherd_export_format_count(); ++k)
        fputs(sherd_export_format_get(k)->doc, to);
    fputs("\nAll but", to);
    for (int k = 0, named = 0; k < sherd_export_format_count(); ++k) {
        const sherd_export_format *f = sherd_export_format_get(k);
        if (f->needs == SHERD_EXPORT_FROM_RUN)
            fprintf(to, "%s %s", named++ > 0 ? " and" : "", f->word);
    }
    fputs(
        " also read the mesh files that the scene names. Frames that are damaged in the run file\n"
        "are left out, with exit status 1.\n",
        to);
}

const char *export_words(const char *last, char text[EXPORT_WORDS])
{
    size_t used = 0;
    int count = sherd_export_format_count();
    text[0] = '\0';
    for (int k = 0; k < count && used < EXPORT_WORDS; ++k)
        used += (size_t)snprintf(text + used, EXPORT_WORDS - used, "%s%s",
                                 k == 0           ? ""
                                 : k == count - 1 ? last
                                                  : ", ",
                                 sherd_export_format_get(k)->word);
    return text;
}

static int print_failed(const command_options *options, sherd_error *error)
{
    if (!options->quiet && isatty(STDOUT_FILENO) != 0) printf("\n"); // end the progress line
    // Replace the library's hint, which is for runs that can be resumed.
    if (error->status == SHERD_ERROR_IO && strstr(error->hint, "--resume") != NULL)
        snprintf(error->hint, sizeof error->hint,
                 "make room there or choose another place with -o, and export again");
    return message_error(error);
}

static void print_written(const sherd_replay_def *def, int format,
                          const sherd_export_result *result)
{
    char path[MESSAGE_PATH], text[MESSAGE_PATH + 256];
    sherd_replay_export_place(def, format, path, sizeof path);
    if (sherd_export_format_get(format)->whole)
        printf("%s\n", sherd_export_result_text(result, path, text, sizeof text));
    else
        printf("written to %s\n", message_name(path, text));
}

static int export_to(const command_options *options, int format)
{
    const sherd_export_format *f = sherd_export_format_get(format);
    run_folder r;
    int code = run_folder_open(&r, options, f->needs);
    if (code == 0) {
        sherd_replay_def def = run_folder_def(&r);
        sherd_export_result result;
        sherd_error error = {0};
        if (f->whole && !options->quiet) {
            printf("meshes of the fragments in frame %lld\n", (long long)r.last);
            fflush(stdout);
        }
        if (sherd_replay_export(&def, format, &result, &error) != SHERD_OK)
            code = print_failed(options, &error);
        else if (!options->quiet)
            print_written(&def, format, &result);
        if (code == 0) code = run_folder_status(&r);
    }
    run_folder_close(&r);
    return code;
}

int command_export(const command_options *options)
{
    char words[EXPORT_WORDS], hint[EXPORT_WORDS + 64];
    snprintf(hint, sizeof hint, "--to %s; sherd export --help", export_words(" or ", words));
    if (options->format == NULL) return message_usage("which format?", NULL, hint);
    int format = sherd_export_format_find(options->format);
    if (options->rest && (format < 0 || sherd_export_format_get(format)->rest_place == NULL))
        return message_usage("only ply has --rest", options->format, hint);
    if (format < 0) return message_usage("unknown format", options->format, hint);
    return export_to(options, format);
}

int command_surface(const command_options *options)
{
    command_options to_ply = *options;
    to_ply.format = "ply";
    return command_export(&to_ply);
}

// ---------------------------------------------------------------- sherd render

static int render(const run_folder *r)
{
    sherd_error error = {0};
    sherd_replay_def def = run_folder_def(r);
    if (sherd_replay_render(&def, &error) != SHERD_OK) return message_error(&error);
    if (r->options->quiet) return run_folder_status(r);
    const sherd_scene_output *output = &r->scene->output;
    char shown[MESSAGE_NAME], folder[MESSAGE_PATH], path[MESSAGE_PATH], video[MESSAGE_TEXT];
    message_path(r->path, "frames", folder);
    message_path(def.place != NULL ? def.place : r->path, "video.mp4", path);
    printf("written to %s", message_name(def.place != NULL ? def.place : folder, shown));
    if (output->render.video && sherd_file_exists(path))
        printf("; the video is %s",
               message_video(def.last - def.first + 1, output->frame_rate, video));
    printf("\n");
    return run_folder_status(r);
}

int command_render(const command_options *options)
{
    run_folder r;
    int code = run_folder_open(&r, options, SHERD_EXPORT_FROM_MESHES);
    if (code == 0) code = render(&r);
    run_folder_close(&r);
    return code;
}

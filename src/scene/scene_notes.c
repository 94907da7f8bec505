// Notes are stored in the form in which they are shown: "key.path: text".
#include "scene/scene_notes.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef struct text_list {
    const char *const **texts;
    int *count;
} text_list;

// Capacity doubles whenever the count reaches a power of two.
static bool make_room(sherd_scene_reader *reader, const text_list *list)
{
    size_t count = (size_t)*list->count;
    if ((count & (count - 1)) != 0) return true;
    const char **longer =
        sherd_arena_alloc(reader->arena, count > 0 ? 2 * count : 1, sizeof *longer);
    if (longer == NULL) return false;
    if (count > 0) memcpy(longer, *list->texts, count * sizeof *longer);
    *list->texts = longer;
    return true;
}

static void keep(sherd_scene_reader *reader, const sherd_node *node, const text_list *list,
                 const char *format, va_list arguments)
{
    char path[SHERD_ERROR_TEXT_SIZE], text[SHERD_ERROR_TEXT_SIZE],
        note[2 * SHERD_ERROR_TEXT_SIZE + 4], shown[2 * SHERD_ERROR_TEXT_SIZE + 4];
    sherd_node_path(node, path, sizeof path);
    vsnprintf(text, sizeof text, format, arguments);
    snprintf(note, sizeof note, "%s: %s", path, text);
    const char *kept =
        sherd_arena_string(reader->arena, sherd_printable(shown, sizeof shown, note));
    if (kept != NULL && make_room(reader, list))
        ((const char **)(uintptr_t)*list->texts)[(*list->count)++] = kept;
}

void sherd_scene_note(sherd_scene_reader *reader, const sherd_node *node, const char *format, ...)
{
    const text_list notes = {&reader->scene->notes, &reader->scene->note_count};
    va_list arguments;
    va_start(arguments, format);
    keep(reader, node, &notes, format, arguments);
    va_end(arguments);
}

void sherd_scene_warn(sherd_scene_reader *reader, const sherd_node *node, const char *format, ...)
{
    const text_list warnings = {&reader->scene->warnings, &reader->scene->warning_count};
    va_list arguments;
    va_start(arguments, format);
    keep(reader, node, &warnings, format, arguments);
    va_end(arguments);
}

// ---------------------------------------------------------------- repaired meshes

// "closed 2 holes of at most 3.1 mm, turned 14 triangles"
typedef struct list_text {
    char text[SHERD_ERROR_TEXT_SIZE];
    size_t used;
} list_text;

static void list_add(list_text *list, const char *format, ...) SHERD_PRINTF(2, 3);

static void list_add(list_text *list, const char *format, ...)
{
    char item[128];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(item, sizeof item, format, arguments);
    va_end(arguments);
    int n = snprintf(list->text + list->used, sizeof list->text - list->used, "%s%s",
                     list->used > 0 ? ", " : "", item);
    list->used += (size_t)n;
    if (list->used >= sizeof list->text) list->used = sizeof list->text - 1;
}

static const char *length_text(double length, char *text, size_t size)
{
    static const char *const UNITS[] = {"m", "mm", "um", "nm"};
    int unit = 0;
    for (; unit < 3 && length < 0.9995; ++unit)
        length *= 1e3;
    snprintf(text, size, "%.3g %s", length, UNITS[unit]);
    return text;
}

static const char *plural(int32_t count)
{
    return count == 1 ? "" : "s";
}

// Holes wider than this fraction of a body's diagonal, or of its surface, are more likely openings
// of a hollow object than faults: doorways, missing floors and lids.
static const double WIDE = 0.1, OPEN_FRACTION = 0.02;
static const char WALLS[] = "for walls as its triangles show give it a `thickness`; close it in a "
                            "mesh editor if it is meant to be solid";

void sherd_scene_note_repaired(sherd_scene_reader *reader, const sherd_node *node,
                               const sherd_repair_note *mesh, const sherd_mesh_report *report)
{
    const char *file = mesh->file;
    int32_t triangles = mesh->triangles;
    list_text list = {.used = 0};
    char width[32];
    int32_t n = report->filled_holes;
    if (n > 0)
        list_add(&list, "%d hole%s of %s%s closed", (int)n, plural(n), n > 1 ? "at most " : "",
                 length_text(report->widest_filled_hole, width, sizeof width));
    n = report->flipped_triangles;
    if (n > 0 && n < triangles) list_add(&list, "%d triangle%s turned", (int)n, plural(n));
    n = report->degenerate_triangles;
    if (n > 0) list_add(&list, "%d triangle%s without area left out", (int)n, plural(n));
    n = report->duplicate_triangles;
    if (n > 0) list_add(&list, "%d doubled triangle%s left out", (int)n, plural(n));
    if (list.used > 0) sherd_scene_note(reader, node, "%.200s was mended: %s", file, list.text);
    if (report->widest_filled_hole > WIDE * mesh->size)
        sherd_scene_warn(
            reader, node,
            "%.200s is open: a hole of %s was closed, %.2g of its size. A body is solid: %s",
            mesh->file, length_text(report->widest_filled_hole, width, sizeof width),
            report->widest_filled_hole / mesh->size, WALLS);
}

// ---------------------------------------------------------------- new surfaces

// Acceptance limit of a new surface: 99 % of the old one within this many element radii of it
// (scripts/check-any-mesh).
static const double NEAR_ENOUGH = 0.3;

// The enclosed region differs from what the old surface shows: the mesh, or parts of it, are a
// sheet.
static bool is_another(const sherd_wrap_note *note, const sherd_wrap_report *report)
{
    return !(note->def->thickness > 0.0) && note->element_radius > 0.0 &&
           report->distance > NEAR_ENOUGH * note->element_radius;
}

void sherd_scene_note_wrapped(sherd_scene_reader *reader, const sherd_node *node,
                              const sherd_wrap_note *note, const sherd_wrap_report *report)
{
    char near[32], far[32], volume[64], radii[48] = "", closed[80] = "", dropped[80] = "";
    length_text(report->distance, near, sizeof near);
    length_text(report->farthest, far, sizeof far);
    if (note->element_radius > 0.0)
        snprintf(radii, sizeof radii, " (%.2g element radii)",
                 report->distance / note->element_radius);
    if (report->closed_share >= 0.005 && !(note->def->thickness > 0.0))
        snprintf(closed, sizeof closed, "; %.0f %% of the new one close what was open",
                 100.0 * report->closed_share);
    if (report->left_out > 0)
        snprintf(dropped, sizeof dropped, "; %d piece%s smaller than an element left out",
                 (int)report->left_out, plural(report->left_out));
    snprintf(volume, sizeof volume, "%.4g m^3", report->volume);
    sherd_scene_note(reader, node,
                     "%.120s got a new surface: %.160s. 99 %% of the old one are nearer to it than "
                     "%s%s, all than %s%s%s; volume %s%s",
                     note->file, note->faults, near, radii, far, closed, dropped, volume,
                     is_another(note, report)
                         ? ". That is another shape than the mesh shows: give it a `thickness`, "
                           "which makes walls of its triangles, or close it in a mesh editor"
                         : "");
    bool sheet = note->def->thickness > 0.0;
    if (report->closed_share >= OPEN_FRACTION && !sheet)
        sherd_scene_warn(
            reader, node,
            "%.120s is open: of the body's surface %.0f %% close what was open, and all "
            "within is solid, %s. %c%s",
            note->file, 100.0 * report->closed_share, volume, toupper(WALLS[0]), WALLS + 1);
}

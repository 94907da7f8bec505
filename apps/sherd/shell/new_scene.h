// Templates of new scenes.
#pragma once

#include <stdbool.h>

enum { NEW_TEXT = 8192, NEW_DETAILS = 3, NEW_MATERIALS = 4 };

typedef struct new_material {
    const char *name;
    const char *keys; // lines of the scene
} new_material;

typedef struct new_kind {
    const char *name;
    const char *about;              // comment at the top of the scene
    const char *sizes[NEW_DETAILS]; // sizes of elements, coarse first, or numbers of yarns
    const new_material *materials[NEW_MATERIALS]; // the first is the default; NULL-terminated
    bool bonded, points;     // the kinds of the library's materials that are offered, too
    const char *camera;      //
    const char *time, *rate; // lines above the output, frame_rate
    const char *rest;        // bodies and everything else, with @size@ and @material@
} new_kind;

// NULL if there is no such name.
const new_kind *new_kind_find(const char *name);
// A material of the kind itself or of the library (`like: NAME`). False if there is no such name.
bool new_material_find(const new_kind *kind, const char *name, new_material *material);
int new_detail_find(const char *name); // -1 if there is no such name

// Writes "plate, ball, beam" to `text` and returns it.
enum { NEW_WORDS = 256 };
const char *new_kind_words(char text[NEW_WORDS]);
const char *new_material_words(const new_kind *kind, char text[NEW_WORDS]);
extern const char *const NEW_DETAIL_WORDS[NEW_DETAILS];

// Composes the scene; false if it is too long.
bool new_scene_text(const new_kind *kind, const new_material *material, int detail,
                    const char *name, char text[NEW_TEXT]);

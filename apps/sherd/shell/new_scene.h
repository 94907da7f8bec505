// Texts of new scenes.
#pragma once

#include <stdbool.h>

enum { NEW_TEXT = 8192, NEW_DETAILS = 3, NEW_MATERIALS = 4 };

typedef struct new_material {
    const char *name;
    const char *keys; // lines of the scene
} new_material;

typedef struct new_kind {
    const char *name;
    const char *about;                            // of the head of the scene
    const char *sizes[NEW_DETAILS];               // of elements, coarse first, or how many yarns
    const new_material *materials[NEW_MATERIALS]; // the first is the usual one; NULL ends them
    bool bonded, points;                          // also those of the library that are such
    const char *camera;                           //
    const char *time, *rate;                      // lines above the output, frame_rate
    const char *rest;                             // bodies and all else, with @size@ and @material@
} new_kind;

// NULL where there is none of this name.
const new_kind *new_kind_find(const char *name);
// Of the kind's own, or else of the library: `like: NAME`. False where there is none of this name.
bool new_material_find(const new_kind *kind, const char *name, new_material *material);
int new_detail_find(const char *name); // -1: none

// "plate, ball, beam" into `text`, which is returned.
enum { NEW_WORDS = 256 };
const char *new_kind_words(char text[NEW_WORDS]);
const char *new_material_words(const new_kind *kind, char text[NEW_WORDS]);
extern const char *const NEW_DETAIL_WORDS[NEW_DETAILS];

// The scene; false where it is too long.
bool new_scene_text(const new_kind *kind, const new_material *material, int detail,
                    const char *name, char text[NEW_TEXT]);

// The members of a definition: one row each, from which follow defaults, checks, the reading of
// scene files, the fingerprint that decides whether a run can be resumed, and the lists of
// docs/reference/scene*.md. Programs that bind to the library (Python's ctypes) make attributes of
// them.
//
//     const sherd_definition *d = sherd_material_def_fields();
//     for (int k = 0; k < d->count; ++k) show(d->fields[k].name, d->fields[k].doc);
#pragma once

#include <sherd/error.h>

#include <stdbool.h>
#include <stdint.h>

// Physical quantity of a value, in SI units.
typedef enum sherd_quantity {
    SHERD_QUANTITY_NUMBER = 0,      // plain, without unit
    SHERD_QUANTITY_LENGTH,          // [m]
    SHERD_QUANTITY_TIME,            // [s]
    SHERD_QUANTITY_MASS,            // [kg]
    SHERD_QUANTITY_ANGLE,           // [rad]
    SHERD_QUANTITY_SPEED,           // [m/s]
    SHERD_QUANTITY_ANGULAR_SPEED,   // [rad/s]
    SHERD_QUANTITY_ACCELERATION,    // [m/s^2]
    SHERD_QUANTITY_DENSITY,         // [kg/m^3]
    SHERD_QUANTITY_STRESS,          // [Pa]
    SHERD_QUANTITY_FORCE,           // [N]
    SHERD_QUANTITY_FREQUENCY,       // [Hz]
    SHERD_QUANTITY_FRACTURE_ENERGY, // [J/m^2]
    SHERD_QUANTITY_TOUGHNESS,       // [Pa m^0.5]
    SHERD_QUANTITY_COUNT,           // number of quantities
} sherd_quantity;

// Returns the unit of a quantity, "m", static; NULL if it has none.
SHERD_API const char *sherd_quantity_unit(sherd_quantity quantity);

// C type of a member.
typedef enum sherd_field_type {
    SHERD_FIELD_OTHER =
        0,               // pointers, handles, structs: code of the definition's own deals with them
    SHERD_FIELD_REAL,    // double
    SHERD_FIELD_VECTOR,  // sherd_vec3
    SHERD_FIELD_INT,     // int
    SHERD_FIELD_INT64,   // int64_t
    SHERD_FIELD_UINT64,  // uint64_t
    SHERD_FIELD_BOOLEAN, // bool
    SHERD_FIELD_CHOICE,  // an enum, counted from 0
    SHERD_FIELD_COLOR,   // sherd_vec3, sRGB
    SHERD_FIELD_ROTATION, // sherd_quat
    SHERD_FIELD_NAME,     // const char *, a word
    SHERD_FIELD_TEXT,     // const char *
} sherd_field_type;

// Lower bound of a range.
typedef enum sherd_bound {
    SHERD_BOUND_NONE = 0, // any finite number; low and high don't count
    SHERD_BOUND_FROM,     // low <= value <= high
    SHERD_BOUND_ABOVE,    // low < value <= high
} sherd_bound;

// Range of a number or of each component of a colour. Vectors are finite, rotations have length 1.
typedef struct sherd_range {
    // which bounds apply
    sherd_bound bound;
    double low, high; // high = INFINITY: any that is finite
    bool infinite;    // INFINITY is in, too
    bool zero;        // 0 is in, too, although it is below low
} sherd_range;

// Flags of members.
enum {
    // Not in the fingerprint: names, colours, pictures, which don't affect results. Rows without
    // this flag are in it: to forget the flag refuses to resume a run, where to forget its opposite
    // would resume a wrong one.
    SHERD_FIELD_NOT_PHYSICS = 1,
    SHERD_FIELD_REQUIRED = 2, // a scene must give it
    // The initial value stands for "not given" and is allowed although out of range (0,
    // not-a-number).
    SHERD_FIELD_UNSET = 4,
    SHERD_FIELD_BY_HAND = 8, // scenes write it in ways that code reads: `auto`, `50 T`
};

// Maps of scene files that have keys, docs/reference/scene.md.
enum {
    SHERD_MAP_SCENE = 1 << 0, // the file itself
    SHERD_MAP_SOLVER = 1 << 1,
    SHERD_MAP_MATERIAL = 1 << 2,
    SHERD_MAP_GRAIN = 1 << 3,
    SHERD_MAP_BODY = 1 << 4,
    SHERD_MAP_HCP = 1 << 5,
    SHERD_MAP_LAYERS = 1 << 6,
    SHERD_MAP_CUBIC = 1 << 7,
    SHERD_MAP_RANDOM = 1 << 8,
    SHERD_MAP_TETRA = 1 << 9,
    SHERD_MAP_SHELL = 1 << 10,
    SHERD_MAP_ROPE = 1 << 11,
    SHERD_MAP_WOVEN = 1 << 12,
    SHERD_MAP_KNITTED = 1 << 13,
    SHERD_MAP_OBSTACLE = 1 << 14,
    SHERD_MAP_FREE = 1 << 15,
    SHERD_MAP_MOTION = 1 << 16,
    SHERD_MAP_MOTION_KEY = 1 << 17,
    SHERD_MAP_DRIVER = 1 << 18,
    SHERD_MAP_REGION = 1 << 19,
    SHERD_MAP_OUTPUT = 1 << 20,
    SHERD_MAP_SURFACE = 1 << 21,
    SHERD_MAP_ROUGHNESS = 1 << 22,
    SHERD_MAP_RENDER = 1 << 23,
    SHERD_MAP_CAMERA = 1 << 24,
    SHERD_MAP_CLIP = 1 << 25,
    SHERD_MAP_POINTS = 1 << 26,
    SHERD_MAP_CAMERA_KEY = 1 << 27,
    SHERD_MAP_SKY = 1 << 28,
    SHERD_MAP_LAMP = 1 << 29,
    // Maps of different definitions may share a bit: dust is output's, grain a material's.
    SHERD_MAP_DUST = SHERD_MAP_GRAIN,
    SHERD_MAP_DEBRIS = SHERD_MAP_MOTION_KEY, // output's, motions are obstacles' and drivers'
    SHERD_MAP_APPEARANCE = SHERD_MAP_LAMP,   // a material's, lamps are output's
    SHERD_MAP_INNER = 1 << 30,
    // a driver's
    SHERD_MAP_WIND = SHERD_MAP_SKY,
    SHERD_MAP_BLAST = SHERD_MAP_LAMP,
    SHERD_MAP_PRESSURE = SHERD_MAP_CLIP,
};

// One of the words of a choice; NULLs beyond the last.
typedef struct sherd_word {
    const char *word, *doc; // as scenes write it; what it means
} sherd_word;

// One member of a definition.
typedef struct sherd_field {
    const char *name; // of the member, "time_step", "tetra.size"; NULL: a key of scenes alone
    const char *key;  // in scenes; NULL: the name, behind its last dot
    // its C type
    sherd_field_type type;
    size_t offset; // in the definition [bytes]
    // its unit
    sherd_quantity quantity;
    // its valid values
    sherd_range range;
    double initial[4]; // as the default function sets it, x y z w; a choice's number
    // CHOICE: its words in the order of the enum, NULL-terminated; or, where a table elsewhere has
    // them, what gives the word of each number.
    const char *const *choices;
    sherd_word (*choice)(int number);
    const char *hint; // what to do about a value that is out of range, or NULL
    unsigned flags;
    unsigned maps; // SHERD_MAP_...: in which maps of a scene the key stands; 0: in none
    // How it enters the fingerprint if not as the number it is. Gets the whole definition. What is
    // OTHER and has none is covered by another row's.
    uint64_t (*digest)(const void *definition, uint64_t hash);
    // For readers, with Markdown's marks: what it is; what it may be and its default where the
    // row's own values don't say it.
    const char *doc, *values, *usual;
} sherd_field;

// The members of a definition.
typedef struct sherd_definition {
    const char *name; // of the struct, "sherd_material_def"
    size_t size;      // of the struct [bytes]
    // its members (count)
    const sherd_field *fields;
    int count; // in the order in which they enter the fingerprint
} sherd_definition;

// Returns the word of a choice's number; NULLs if there is none or the member is no choice.
SHERD_API sherd_word sherd_field_word(const sherd_field *field, int number);

// Size of the text of sherd_field_range_text, with the terminating zero [bytes].
enum { SHERD_FIELD_TEXT_SIZE = 256 };
// Describes the range of a member in `text` and returns it: "> 0 and <= 1", "between 0 and 10", or
// "finite" without bounds.
SHERD_API const char *sherd_field_range_text(const sherd_field *field,
                                             char text[SHERD_FIELD_TEXT_SIZE]);

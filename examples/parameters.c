// Lesson 9: the parameters of a definition, as a table of its members: for programs that make forms,
// scripts or help from them. `./parameters` lists the definitions, `./parameters yarn` the members of
// one with defaults, ranges and meanings.
//
//     cc parameters.c $(pkg-config --cflags --libs sherd) -o parameters
//     ./parameters material
#include <sherd/scene.h>

#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    const sherd_definition *(*fields)(void);
} DEFINITIONS[] = {
    {"world", sherd_world_def_fields},
    {"material", sherd_material_def_fields},
    {"body", sherd_body_def_fields},
    {"obstacle", sherd_obstacle_def_fields},
    {"driver", sherd_driver_def_fields},
    {"motion", sherd_motion_fields},
    {"packing", sherd_packing_def_fields},
    {"tetra", sherd_tetra_lattice_def_fields},
    {"yarn", sherd_yarn_def_fields},
    {"weakness", sherd_weakness_def_fields},
    {"fracture", sherd_fracture_def_fields},
    {"surface", sherd_surface_def_fields},
    {"calibration", sherd_calibration_def_fields},
};
enum { DEFINITION_COUNT = sizeof DEFINITIONS / sizeof DEFINITIONS[0] };

static void print_words(const sherd_field *field)
{
    for (int number = 0;; ++number) {
        sherd_word word = sherd_field_word(field, number);
        if (word.word == NULL) break;
        printf("    %s%s%s%s\n", word.word, number == (int)field->initial[0] ? " (default)" : "",
               word.doc != NULL ? ": " : "", word.doc != NULL ? word.doc : "");
    }
}

static void print_field(const sherd_field *field)
{
    const char *unit = sherd_quantity_unit(field->quantity);
    printf("%s%s%s%s: %s\n", field->name, unit != NULL ? " [" : "", unit != NULL ? unit : "",
           unit != NULL ? "]" : "", field->doc != NULL ? field->doc : "");
    if (field->type == SHERD_FIELD_CHOICE) {
        print_words(field);
    } else if (field->type == SHERD_FIELD_REAL || field->type == SHERD_FIELD_INT) {
        char range[SHERD_FIELD_TEXT_SIZE];
        printf("    %s, default %g\n", sherd_field_range_text(field, range), field->initial[0]);
    }
}

int main(int argc, char **argv)
{
    for (int k = 0; k < DEFINITION_COUNT; ++k) {
        const sherd_definition *d = DEFINITIONS[k].fields();
        if (argc < 2) printf("%-12s %s, %d members\n", DEFINITIONS[k].name, d->name, d->count);
        if (argc < 2 || strcmp(argv[1], DEFINITIONS[k].name) != 0) continue;
        for (int row = 0; row < d->count; ++row)
            if (d->fields[row].name != NULL) print_field(&d->fields[row]);
        return 0;
    }
    return argc < 2 ? 0 : 2;
}

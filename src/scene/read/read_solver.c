// `solver: {...}`: how the world is stepped.
#include "scene/read/sections.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const METHODS[] = {"explicit", "implicit", "auto", NULL}; // as sherd_method
static const char *const SCHEMES[] = {"auto", "euler",      "midpoint",
                                      "bdf2", "left_point", NULL};    // as sherd_scheme
static const char *const PRECISIONS[] = {"mixed", "double", NULL};    // as sherd_precision
static const char *const FRACTURES[] = {"auto", "end_of_step", NULL}; // paper_fracture: no, yes

#define OF_WORLD(field) offsetof(sherd_world_def, field)

static const sherd_field SOLVER[] = {
    {"method", SHERD_FIELD_CHOICE, false, OF_WORLD(method), 0, 0, METHODS},
    {"time_step", SHERD_FIELD_OTHER, false, 0, 0, 0, NULL},
    {"safety", SHERD_FIELD_REAL, false, OF_WORLD(time_step_safety), 0, SHERD_RANGE_SHARE_OPEN,
     NULL},
    {"accuracy", SHERD_FIELD_REAL, false, OF_WORLD(accuracy), 0, SHERD_RANGE_SHARE_OPEN, NULL},
    {"implicit_elements", SHERD_FIELD_INT64, false, OF_WORLD(implicit_elements), 0,
     SHERD_RANGE_NOT_NEGATIVE, NULL},
    {"scheme", SHERD_FIELD_CHOICE, false, OF_WORLD(scheme), 0, 0, SCHEMES},
    {"fracture", SHERD_FIELD_OTHER, false, 0, 0, 0, NULL},
    {"contact_skin", SHERD_FIELD_REAL, false, OF_WORLD(contact_skin), 0, SHERD_RANGE_SHARE_OPEN,
     NULL},
    {"contact_barrier", SHERD_FIELD_REAL, false, OF_WORLD(contact_barrier), 0,
     SHERD_RANGE_SHARE_OPEN, NULL},
    {"contacts", SHERD_FIELD_BOOLEAN, false, OF_WORLD(contacts), 0, 0, NULL},
    {"sleep", SHERD_FIELD_BOOLEAN, false, OF_WORLD(sleep), 0, 0, NULL},
    {"regions", SHERD_FIELD_BOOLEAN, false, OF_WORLD(regions), 0, 0, NULL},
    {"precision", SHERD_FIELD_CHOICE, false, OF_WORLD(precision), 0, 0, PRECISIONS},
};

// "50 T", "0.5T": without the T, in `number`. False when it is no such text.
static bool is_in_limits(const char *text, char *number, size_t size)
{
    size_t length = strlen(text);
    if (length < 2 || length > size || text[length - 1] != 'T') return false;
    if (strchr("0123456789. ", text[length - 2]) == NULL) return false;
    snprintf(number, size, "%.*s", (int)(length - 1), text);
    return true;
}

// A multiple of the stability limit.
static void read_limits(sherd_scene_reader *reader, const sherd_node *node, const char *number)
{
    sherd_world_def *world = &reader->scene->world;
    sherd_units_error error;
    double limits;
    if (!sherd_units_parse(number, SHERD_QUANTITY_NUMBER, &reader->units, &limits, &error))
        sherd_reader_fail(reader, node, "e.g. 50 T", "must be a number of stability limits, got %s",
                          node->text);
    else if (!(limits > 0.0) || !isfinite(limits))
        sherd_reader_fail(reader, node, NULL, "must be > 0 and finite, got %s", node->text);
    else if (world->method == SHERD_METHOD_EXPLICIT)
        sherd_reader_fail(reader, node, "explicit steps are a share of the limit: `safety`",
                          "%s is for implicit steps, but the method is explicit", node->text);
    else
        world->time_step_in_limits = limits;
}

// A length in seconds is one of explicit steps, unless a method is asked for.
static void read_time_step(sherd_scene_reader *reader, const sherd_node *node, bool method_is_given)
{
    char number[64];
    const char *text = node->kind == SHERD_NODE_SCALAR ? node->text : "";
    if (strcmp(text, "auto") == 0) return;
    if (is_in_limits(text, number, sizeof number))
        read_limits(reader, node, number);
    else if (sherd_read_real(reader, node, SHERD_QUANTITY_TIME, SHERD_RANGE_POSITIVE,
                             &reader->scene->world.time_step) &&
             !method_is_given)
        reader->scene->world.method = SHERD_METHOD_EXPLICIT;
}

void sherd_read_solver(sherd_scene_reader *reader, const sherd_node *root)
{
    const sherd_node *node = sherd_node_find(root, "solver");
    sherd_world_def *world = &reader->scene->world;
    if (node == NULL || !sherd_read_fields(reader, node, &SHERD_FIELD_TABLE(SOLVER), world)) return;
    const sherd_node *time_step = sherd_node_find(node, "time_step");
    const sherd_node *fracture = sherd_node_find(node, "fracture");
    int choice = 0;
    if (time_step != NULL)
        read_time_step(reader, time_step, sherd_node_find(node, "method") != NULL);
    const sherd_node *barrier = sherd_node_find(node, "contact_barrier");
    if (barrier != NULL && world->contact_barrier > 0.0 && world->method != SHERD_METHOD_IMPLICIT)
        sherd_reader_fail(reader, barrier, "remove it, or use method implicit",
                          "is for the implicit method: explicit steps have no barriers");
    if (fracture != NULL && sherd_read_choice(reader, fracture, FRACTURES, &choice))
        world->paper_fracture = choice == 1;
}

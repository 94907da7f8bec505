// `solver: {...}`: how the world is stepped.
#include "base/field.h"
#include "scene/read/sections.h"
#include "world/world_def.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const FRACTURES[] = {"auto", "end_of_step", NULL}; // paper_fracture: no, yes

const sherd_scene_map sherd_map_solver = {"solver",
                                          {{sherd_world_def_fields, SHERD_MAP_SOLVER, 0}}};

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
    else if (!sherd_method_describe(world->method).implicit_steps)
        sherd_reader_fail(reader, node, "explicit steps are a share of the limit: `safety`",
                          "%s is for implicit steps, but the method is %s", node->text,
                          sherd_method_describe(world->method).word);
    else
        world->time_step_in_limits = limits;
}

// A length in seconds is one of explicit steps, unless a method is given.
static void read_time_step(sherd_scene_reader *reader, const sherd_node *node, bool method_is_given)
{
    char number[64];
    const char *text = node->kind == SHERD_NODE_SCALAR ? node->text : "";
    if (strcmp(text, "auto") == 0) return;
    if (is_in_limits(text, number, sizeof number))
        read_limits(reader, node, number);
    else if (sherd_read_real(reader, node, sherd_field_find(sherd_world_def_fields(), "time_step"),
                             &reader->scene->world.time_step) &&
             !method_is_given)
        reader->scene->world.method = SHERD_METHOD_EXPLICIT;
}

static void keep_keys(sherd_scene_reader *reader, const sherd_node *map)
{
    sherd_scene *scene = reader->scene;
    scene->solver_keys =
        sherd_arena_alloc(reader->arena, (size_t)map->count, sizeof *scene->solver_keys);
    if (scene->solver_keys == NULL) return;
    for (const sherd_node *node = map->first; node != NULL; node = node->next)
        scene->solver_keys[scene->solver_key_count++] = (sherd_scene_key){
            sherd_arena_string(reader->arena, node->key), sherd_reader_where(reader, node)};
}

void sherd_read_solver(sherd_scene_reader *reader, const sherd_node *root)
{
    const sherd_node *node = sherd_node_find(root, "solver");
    sherd_world_def *world = &reader->scene->world;
    if (node == NULL || !sherd_read_map(reader, node, &sherd_map_solver, NULL, world)) return;
    keep_keys(reader, node);
    const sherd_node *time_step = sherd_node_find(node, "time_step");
    const sherd_node *fracture = sherd_node_find(node, "fracture");
    int choice = 0;
    if (time_step != NULL)
        read_time_step(reader, time_step, sherd_node_find(node, "method") != NULL);
    if (fracture != NULL && sherd_read_choice(reader, fracture, FRACTURES, &choice))
        world->paper_fracture = choice == 1;
    sherd_error error; // members with errors of their own have been left out
    if (sherd_world_def_check(world, &error) != SHERD_OK)
        sherd_reader_fail_check(reader, node, sherd_world_def_fields(), &error);
}

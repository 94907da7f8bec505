// Worlds made of a scene's text, for tests.
#pragma once

#include <sherd/scene.h>
#include <sherd/world.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct stage {
    sherd_scene *scene;
    sherd_scene_build build;
    sherd_world *world;
} stage;

// Of the text without its first three keys. NULL, with what is wrong, as sherd_scene_parse().
static inline sherd_scene *parse(const char *text, sherd_diagnostics *diagnostics)
{
    char all[8192];
    int length = snprintf(all, sizeof all, "sherd: 1\nname: test\nduration: 10 s\n%s", text);
    cr_assert(lt(int, length, (int)sizeof all));
    return sherd_scene_parse(all, strlen(all), "test", NULL, diagnostics);
}

static inline stage set(const char *text, int threads)
{
    sherd_diagnostics diagnostics = {0};
    stage s = {.scene = parse(text, &diagnostics)};
    cr_assert(s.scene != NULL, "%s: %s", diagnostics.errors[0].where, diagnostics.errors[0].what);
    sherd_diagnostics_free(&diagnostics);
    sherd_error error;
    s.world = sherd_scene_create_world(s.scene, threads, &s.build, &error);
    cr_assert(s.world != NULL, "%s: %s", error.where, error.what);
    return s;
}

static inline void strike(stage *s)
{
    sherd_world_destroy(s->world);
    sherd_scene_build_free(&s->build);
    sherd_scene_destroy(s->scene);
}

static inline void go(const stage *s, double until)
{
    sherd_error error;
    sherd_status status = sherd_world_advance(s->world, until, &error);
    cr_assert(eq(int, (int)status, SHERD_OK), "%s: %s", error.where, error.what);
}

// The largest error of the energy balance at `looks` times until `until` (s), as a share.
static inline double worst_balance(const stage *s, double until, int looks)
{
    double worst = 0.0;
    for (int k = 1; k <= looks; ++k) {
        go(s, until * k / looks);
        worst = fmax(worst, fabs(sherd_world_energy(s->world).balance_error));
    }
    return worst;
}

// A new world of the text, in the state of another one of it.
static inline stage restored(const char *text, int threads, const stage *from)
{
    stage s = set(text, threads);
    sherd_error error;
    void *state;
    size_t size;
    cr_assert(sherd_world_save(from->world, &state, &size, &error) == SHERD_OK);
    cr_assert(sherd_world_restore(s.world, state, size, &error) == SHERD_OK, "%s: %s", error.where,
              error.what);
    sherd_world_free_state(state);
    return s;
}

// Goes on to `until` (s) and is struck: it must end as `whole` did.
static inline void go_on_as(const stage *whole, stage *s, double until)
{
    go(s, until);
    cr_assert(eq(u64, sherd_world_state_hash(s->world), sherd_world_state_hash(whole->world)));
    sherd_energy a = sherd_world_energy(whole->world), b = sherd_world_energy(s->world);
    cr_assert(eq(int, memcmp(&a, &b, sizeof a), 0));
    strike(s);
}

// A world that was saved after each number of steps, and restored, ends bit for bit as one that was not.
static inline void check_resumed(const char *text, double until, const int *stops, int count)
{
    stage whole = set(text, 2);
    go(&whole, until);
    for (int k = 0; k < count; ++k) {
        stage begun = set(text, 2);
        sherd_error error;
        cr_assert(sherd_world_advance_towards(begun.world, until, stops[k], &error) == SHERD_OK);
        stage resumed = restored(text, 1, &begun);
        strike(&begun);
        cr_assert(lt(dbl, sherd_world_time(resumed.world), until));
        go_on_as(&whole, &resumed, until);
    }
    strike(&whole);
}

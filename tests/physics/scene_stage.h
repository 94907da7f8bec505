// Worlds made of a scene's text, for tests.
#pragma once

#include <sherd/scene.h>

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

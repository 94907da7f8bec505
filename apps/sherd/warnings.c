#include "warnings.h"

#include <math.h>
#include <stdio.h>

enum { MOST_OVERLAPS = 8 };

static const double LEAST_COVER = 0.3; // of a shape's volume

void notes_say(const sherd_scene *scene)
{
    for (int k = 0; k < scene->note_count; ++k)
        printf("  note       %s\n", scene->notes[k]);
}

// ---------------------------------------------------------------- packings

static void say_random(const char *name, const sherd_packing *p)
{
    if (p->parts > 1 && p->tetra != NULL)
        printf("  note       bodies.%s: its tetrahedra are in %d parts, with no bond between them: "
               "pieces of its shape, or bits of films that a smaller `size` makes one with it\n",
               name, p->parts);
    else if (p->parts > 1)
        printf("  note       bodies.%s: its shape is in %d pieces, with no bond between them\n",
               name, p->parts);
    if (p->bridges > 0)
        printf(
            "  note       bodies.%s: %d bond%s farther than bond_range, to elements that would be "
            "left over: in narrow places of the shape, mostly\n",
            name, p->bridges, p->bridges == 1 ? " reaches" : "s reach");
    if (p->left_out > 0)
        printf(
            "  note       bodies.%s: %d element%s left out, too far from the others to be bonded "
            "to them through a place narrower than an element; a smaller radius helps\n",
            name, p->left_out, p->left_out == 1 ? " was" : "s were");
}

// Elements nearer to a face than this are at it [radii].
static const double NEAR_FACE = 0.3;

static void say_face(const sherd_scene_body *body, const sherd_packing *p)
{
    double n[3] = {p->face_normal.x, p->face_normal.y, p->face_normal.z};
    if (!(p->face_gap > NEAR_FACE * p->lattice_radius)) return;
    for (int a = 0; a < 3; ++a)
        n[a] = round(100.0 * n[a]) / 100.0 + 0.0; // no -0
    printf(
        "  note       bodies.%s: its elements begin %.2g m (%.2g radii) below the face towards "
        "[%.3g, %.3g, %.3g] of its shape: place what is to touch it there as much nearer, or %s\n",
        body->name, p->face_gap, p->face_gap / p->lattice_radius, n[0], n[1], n[2],
        body->packing.orientation == SHERD_PACKING_ORIENT_AUTO
            ? "choose another radius"
            : "leave out `orientation` or choose another radius");
}

void packings_say(const sherd_scene *scene, const sherd_scene_build *build)
{
    for (int k = 0; k < build->body_count; ++k) {
        say_random(scene->bodies[k].name, build->packings[k]);
        say_face(&scene->bodies[k], build->packings[k]);
    }
}

// ---------------------------------------------------------------- warnings

static void warn_overlaps(const sherd_scene *scene, const sherd_scene_build *build)
{
    sherd_scene_overlap list[MOST_OVERLAPS];
    int count = sherd_scene_overlaps(scene, build, list, MOST_OVERLAPS);
    for (int k = 0; k < count && k < MOST_OVERLAPS; ++k) {
        const sherd_scene_overlap *o = &list[k];
        fprintf(stderr,
                "warning: body '%s' begins up to %.3g m inside %s '%s' (%d elements): contact "
                "takes that "
                "for rest and pushes only what goes deeper\n",
                scene->bodies[o->body].name, o->depth, o->other_is_obstacle ? "obstacle" : "body",
                o->other_is_obstacle ? scene->obstacles[o->other].def.name
                                     : scene->bodies[o->other].name,
                o->elements);
    }
    if (count > MOST_OVERLAPS)
        fprintf(stderr, "warning: %d more bodies begin inside others\n", count - MOST_OVERLAPS);
}

// Lattices' cells, or where there are none spheres, which fill half of the room they have and more.
static double cover_of(const sherd_packing *p)
{
    return fmin(p->cell_volume_match, 2.0 * p->solid_fraction);
}

static void warn_cover(const sherd_scene *scene, const sherd_scene_build *build)
{
    for (int k = 0; k < build->body_count; ++k) {
        const sherd_packing *p = build->packings[k];
        if (cover_of(p) >= LEAST_COVER) continue;
        fprintf(
            stderr,
            "warning: elements of body '%s', %d in all, cover only %.2g %% of its shape; the rest "
            "is thinner than they are: choose a radius below %.3g m\n",
            scene->bodies[k].name, p->count, 100.0 * cover_of(p), 0.5 * p->lattice_radius);
    }
}

void warnings_say(const sherd_scene *scene, const sherd_scene_build *build)
{
    fflush(stdout);
    warn_overlaps(scene, build);
    warn_cover(scene, build);
}

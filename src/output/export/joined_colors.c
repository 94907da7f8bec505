#include "output/export/joined_colors.h"

#include "geometry/mesh/mesh_access.h"

#include <stdlib.h>
#include <string.h>

static bool join_colors(sherd_mesh *all, const sherd_mesh *const *parts, int count)
{
    all->color = malloc((3 * (size_t)all->vertex_count + 1) * sizeof *all->color);
    if (all->color == NULL) return false;
    float *to = all->color;
    for (int k = 0; k < count; ++k)
        for (size_t c = 0; c < 3 * (size_t)parts[k]->vertex_count; ++c)
            *to++ = parts[k]->color != NULL ? parts[k]->color[c] : 1.0f;
    return true;
}

// The index of a group name in `all`, which has room for it; appended if new.
static int32_t group_number(sherd_mesh *all, const char *name, size_t *used)
{
    for (int32_t k = 0; k < all->group_count; ++k)
        if (strcmp(sherd_mesh_group_name(all, k), name) == 0) return k;
    size_t size = strlen(name) + 1;
    memcpy(all->group_names + *used, name, size);
    *used += size;
    return all->group_count++;
}

static size_t names_size(const sherd_mesh *mesh)
{
    size_t size = 0;
    for (int32_t k = 0; k < mesh->group_count; ++k)
        size += strlen(sherd_mesh_group_name(mesh, k)) + 1;
    return size;
}

// Pieces of one body have the same groups: compare with the previous piece first.
static bool same_groups(const sherd_mesh *a, const sherd_mesh *b)
{
    size_t size = names_size(b);
    return a != NULL && a->group_count == b->group_count && names_size(a) == size &&
           memcmp(a->group_names, b->group_names, size) == 0;
}

static bool join_groups(sherd_mesh *all, const sherd_mesh *const *parts, int count)
{
    size_t room = 1, used = 0;
    int32_t most = 0, *to = malloc(((size_t)all->triangle_count + 1) * sizeof *to);
    const sherd_mesh *previous = NULL;
    for (int k = 0; k < count; ++k) {
        most = parts[k]->group_count > most ? parts[k]->group_count : most;
        if (parts[k]->group_count == 0 || same_groups(previous, parts[k])) continue;
        previous = parts[k];
        room += names_size(previous);
    }
    int32_t *number = malloc(((size_t)most + 1) * sizeof *number);
    all->group = to;
    all->group_names = malloc(room);
    bool good = to != NULL && number != NULL && all->group_names != NULL;
    previous = NULL;
    for (int k = 0; good && k < count; ++k) {
        const sherd_mesh *p = parts[k];
        bool known = p->group_count == 0 || same_groups(previous, p);
        for (int32_t g = 0; !known && g < p->group_count; ++g)
            number[g] = group_number(all, sherd_mesh_group_name(p, g), &used);
        if (p->group_count > 0) previous = p;
        for (int32_t t = 0; t < p->triangle_count; ++t)
            *to++ = p->group != NULL && p->group[t] >= 0 ? number[p->group[t]] : -1;
    }
    free(number);
    return good;
}

bool sherd_join_colors(sherd_mesh *all, const sherd_mesh *const *parts, int count)
{
    bool colors = false, groups = false;
    for (int k = 0; k < count; ++k) {
        colors = colors || parts[k]->color != NULL;
        groups = groups || parts[k]->group != NULL;
    }
    return (!colors || join_colors(all, parts, count)) &&
           (!groups || join_groups(all, parts, count));
}

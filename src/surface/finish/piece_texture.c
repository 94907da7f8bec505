#include "surface/finish/piece_texture.h"

#include "base/memory.h"
#include "geometry/mesh/mesh_attributes.h"
#include "math/vec3.h"

texture_scale sherd_piece_texture_scale(const maker_source *source)
{
    const sherd_surface_def *d = source->def;
    const sherd_surface_body *b = source->body;
    sherd_vec3 low = vec3(INFINITY, INFINITY, INFINITY), high = vec3_scale(-1.0, low);
    for (sherd_element_index e = b->first; e < b->first + b->count; ++e) {
        sherd_vec3 x = vec3(d->rest_x[e], d->rest_y[e], d->rest_z[e]);
        low = vec3_min(low, x);
        high = vec3_max(high, x);
    }
    double extent = fmax(high.x - low.x, fmax(high.y - low.y, high.z - low.z));
    double unit = d->inner_uv_scale > 0.0 ? d->inner_uv_scale : extent;
    return (texture_scale){unit > 0.0 ? unit : 1.0, false};
}

bool sherd_shape_uv_create(shape_uv *s, const sherd_shape *shape, double edge)
{
    *s = (shape_uv){.surface = sherd_shape_surface(shape, edge, NULL)};
    if (s->surface == NULL) return false;
    if (s->surface->uv != NULL) return sherd_mesh_tree_init(&s->tree, s->surface);
    sherd_shape_uv_release(s);
    return true;
}

void sherd_shape_uv_release(shape_uv *s)
{
    sherd_mesh_destroy(s->surface);
    sherd_mesh_tree_release(&s->tree);
    *s = (shape_uv){0};
}

// Gives the corners of outer faces the coordinates of the nearest points of the surface. Across a
// texture seam, extrapolates those of the source triangle nearest to the face's centre. mesh->uv
// must be allocated.
static void shape_uv_fill(const shape_uv *s, sherd_mesh *mesh)
{
    const sherd_attribute_source source = {s->surface, &s->tree};
    for (int32_t t = 0; t < mesh->triangle_count; ++t)
        if (mesh->face_kind[t] == SHERD_FACE_OUTER) sherd_mesh_transfer_uv(&source, mesh, t);
}

static bool texture_piece(sherd_mesh *mesh, const texture_scale *scale, const shape_uv *outer)
{
    if (outer != NULL && outer->surface != NULL) {
        mesh->uv = sherd_alloc(6 * (size_t)mesh->triangle_count, sizeof *mesh->uv);
        if (mesh->uv == NULL) return false;
        shape_uv_fill(outer, mesh);
    }
    return sherd_texture_piece(mesh, scale);
}

bool sherd_texture_pieces(const piece_array *pieces, const texture_scale *scale,
                          const shape_uv *outer)
{
    for (int32_t k = 0; k < pieces->count; ++k)
        if (pieces->items[k].mesh->uv == NULL &&
            !texture_piece(pieces->items[k].mesh, scale, outer))
            return false;
    return true;
}

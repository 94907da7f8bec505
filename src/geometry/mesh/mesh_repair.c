// Validation of a user's mesh: harmless faults are repaired, others are rejected with a reason.
#include "base/error.h"
#include "base/memory.h"
#include "geometry/mesh/mesh_access.h"
#include "geometry/mesh/mesh_holes.h"
#include "geometry/mesh/mesh_nesting.h"
#include "geometry/mesh/mesh_orient.h"
#include "geometry/mesh/mesh_tree.h"
#include "geometry/mesh/mesh_weld.h"
#include "geometry/mesh/self_intersection.h"

#include <stdio.h>

enum { MAX_INTERSECTIONS = 1000 };

// Vertices nearer than this fraction of the mesh's diagonal are merged. Single-precision files are
// rounded to 6e-8 of their coordinates.
static const double WELD_FRACTION = 1e-6;

// The volume of a larger mesh, or its square, would overflow. [m]
static const double LARGEST_EXTENT = 1e40;

typedef struct repair {
    sherd_mesh *mesh;
    const char *name;
    sherd_mesh_report *report;
    sherd_error *error;
} repair;

static sherd_status out_of_memory(const repair *r)
{
    return sherd_fail_memory(r->error, "repairing a mesh");
}

static sherd_status weld(const repair *r)
{
    // A stray vertex far away would make the tolerance too large.
    if (sherd_mesh_drop_unused(r->mesh) < 0) return out_of_memory(r);
    sherd_bounds b = sherd_mesh_bounds(r->mesh);
    double diagonal = vec3_distance(b.low, b.high);
    if (!(diagonal < LARGEST_EXTENT))
        return sherd_fail(r->error, SHERD_ERROR_INPUT, r->name,
                          "check the scale of the file's units",
                          "the mesh is too large: %g m across", diagonal);
    if (!(diagonal > 0.0))
        return sherd_fail(r->error, SHERD_ERROR_INPUT, r->name, "is this the right file?",
                          "the mesh has no extent");
    r->report->merged_vertices = sherd_mesh_weld(r->mesh, WELD_FRACTION * diagonal);
    r->report->degenerate_triangles = sherd_mesh_drop_degenerate(r->mesh);
    r->report->duplicate_triangles = sherd_mesh_drop_duplicates(r->mesh);
    bool failed = r->report->merged_vertices < 0 || r->report->duplicate_triangles < 0;
    if (failed || sherd_mesh_drop_unused(r->mesh) < 0) return out_of_memory(r);
    if (r->mesh->triangle_count == 0)
        return sherd_fail(r->error, SHERD_ERROR_INPUT, r->name, "is this the right file?",
                          "the mesh is empty: no triangle has an area");
    return SHERD_OK;
}

static sherd_status refuse_non_manifold(const repair *r, const sherd_mesh_edges *edges)
{
    r->report->non_manifold_edges = (int32_t)edges->non_manifold_edges;
    sherd_vec3 p =
        mesh_vertex(r->mesh, mesh_edge_from(r->mesh, (int32_t)edges->non_manifold_example));
    return sherd_fail(r->error, SHERD_ERROR_INPUT, r->name,
                      "remove inner walls and doubled faces in a mesh editor",
                      "%lld edges belong to three or more triangles, one at (%g, %g, %g)",
                      (long long)edges->non_manifold_edges, p.x, p.y, p.z);
}

// Reports the widest hole. An isolated triangle has none.
static sherd_status refuse_open(const repair *r, const sherd_mesh_edges *edges,
                                const sherd_holes *holes)
{
    static const char *const HINT =
        "close the surface in a mesh editor, or give it a thickness: a solid needs a closed "
        "boundary, and only holes that are small in it are closed here";
    r->report->boundary_edges = (int32_t)edges->boundary_edges;
    bool hole = holes->open_example >= 0;
    sherd_vec3 p =
        mesh_vertex(r->mesh, hole ? holes->open_example
                                  : mesh_edge_from(r->mesh, (int32_t)edges->boundary_example));
    char size[64] = "";
    if (hole)
        snprintf(size, sizeof size, ", at the widest hole: %.3g m across", holes->widest_open);
    return sherd_fail(r->error, SHERD_ERROR_INPUT, r->name, HINT,
                      "the mesh is open: %lld edges have only one triangle, one at (%g, %g, %g)%s",
                      (long long)edges->boundary_edges, p.x, p.y, p.z, size);
}

// Properties of a mesh that could be a boundary.
typedef struct topology {
    sherd_mesh_edges edges;
    sherd_orientation orientation;
} topology;

static void forget(topology *known)
{
    sherd_mesh_edges_release(&known->edges);
    sherd_free(known->orientation.component);
    *known = (topology){0};
}

// Reverses triangles to agree with their neighbours; rejects meshes that cannot be a boundary.
static sherd_status orient(const repair *r, topology *known)
{
    if (!sherd_mesh_edges_init(&known->edges, r->mesh)) return out_of_memory(r);
    if (known->edges.non_manifold_edges > 0) return refuse_non_manifold(r, &known->edges);
    if (!sherd_mesh_orient(r->mesh, &known->edges, &known->orientation)) return out_of_memory(r);
    r->report->flipped_triangles += known->orientation.flipped;
    if (!known->orientation.one_sided) return SHERD_OK;
    return sherd_fail(r->error, SHERD_ERROR_INPUT, r->name, "such a surface encloses nothing",
                      "the surface is one-sided, like a Moebius strip");
}

static sherd_status close_holes(const repair *r, const sherd_orientation *pieces,
                                sherd_holes *holes)
{
    sherd_mesh_edges edges; // of the triangles in their current orientation
    if (!sherd_mesh_edges_init(&edges, r->mesh)) return out_of_memory(r);
    bool done = sherd_mesh_fill_holes(r->mesh, &edges, pieces, holes);
    sherd_mesh_edges_release(&edges);
    if (!done) return out_of_memory(r);
    r->report->filled_holes = holes->filled;
    r->report->widest_filled_hole = holes->widest_filled;
    return SHERD_OK;
}

static sherd_status refuse_flat(const repair *r)
{
    return sherd_fail(r->error, SHERD_ERROR_INPUT, r->name,
                      "give the surface a thickness: elements must fit inside",
                      "the mesh encloses no volume");
}

static sherd_status refuse_cuts(const repair *r, const sherd_self_intersections *cuts)
{
    if (cuts->count == 0)
        return sherd_fail(r->error, SHERD_ERROR_INPUT, r->name,
                          "remesh it with better shaped triangles",
                          "the mesh can't be judged: too many of its %d triangles are long and lie "
                          "across each other",
                          (int)r->mesh->triangle_count);
    return sherd_fail(r->error, SHERD_ERROR_INPUT, r->name,
                      "unite overlapping parts in a mesh editor (a Boolean union)",
                      "the surface cuts through itself: %d%s pairs of triangles, one at "
                      "(%g, %g, %g)",
                      (int)cuts->count, cuts->count == MAX_INTERSECTIONS ? " or more" : "",
                      cuts->position.x, cuts->position.y, cuts->position.z);
}

static sherd_status refuse_nesting(const repair *r)
{
    return sherd_fail(
        r->error, SHERD_ERROR_INPUT, r->name, "leave out what can't be seen",
        "the mesh can't be judged: too many of its %d pieces, of %d triangles, lie in "
        "each other",
        (int)r->report->components, (int)r->mesh->triangle_count);
}

static sherd_status check_cuts(const repair *r, const sherd_mesh_tree *tree)
{
    sherd_self_intersections cuts;
    if (!sherd_mesh_self_intersections(r->mesh, tree, MAX_INTERSECTIONS, &cuts))
        return out_of_memory(r);
    r->report->self_intersections = cuts.count;
    return cuts.count > 0 || cuts.exhausted ? refuse_cuts(r, &cuts) : SHERD_OK;
}

static sherd_vec3 size_of(const sherd_mesh *mesh)
{
    sherd_bounds b = sherd_mesh_bounds(mesh);
    return vec3_sub(b.high, b.low);
}

// The closed surface must not intersect itself: only then is nesting of components well-defined.
static sherd_status flip_pieces(const repair *r, const sherd_orientation *orientation)
{
    r->report->components = orientation->components;
    sherd_vec3 size = size_of(r->mesh);
    double thinnest = fmin(size.x, fmin(size.y, size.z));
    if (!(thinnest > 1e-9 * vec3_length(size))) return refuse_flat(r);
    sherd_mesh_tree tree;
    sherd_status status = SHERD_OK;
    int32_t flipped = 0;
    if (!sherd_mesh_tree_init(&tree, r->mesh))
        status = out_of_memory(r);
    else
        status = check_cuts(r, &tree);
    sherd_mesh_work work = {.limit = mesh_work_limit(r->mesh->triangle_count)};
    if (status == SHERD_OK)
        flipped = sherd_mesh_orient_pieces(r->mesh, orientation, &tree.bvh, &work);
    sherd_mesh_tree_release(&tree);
    if (flipped < 0) return out_of_memory(r);
    if (!mesh_work_remains(&work)) return refuse_nesting(r);
    r->report->flipped_triangles += flipped;
    if (status != SHERD_OK) return status;
    bool solid = sherd_mesh_volume(r->mesh) > 1e-9 * size.x * size.y * size.z;
    return solid ? SHERD_OK : refuse_flat(r);
}

static sherd_status close_and_orient(const repair *r)
{
    topology known = {0};
    sherd_holes holes = {.open_example = -1};
    sherd_status status = orient(r, &known);
    if (status == SHERD_OK && known.edges.boundary_edges > 0) {
        status = close_holes(r, &known.orientation, &holes);
        forget(&known);
        if (status == SHERD_OK) status = orient(r, &known);
    }
    if (status == SHERD_OK && known.edges.boundary_edges > 0)
        status = refuse_open(r, &known.edges, &holes);
    if (status == SHERD_OK) status = flip_pieces(r, &known.orientation);
    forget(&known);
    return status;
}

sherd_status sherd_mesh_repair(sherd_mesh *mesh, const char *name, sherd_mesh_report *report,
                               sherd_error *error)
{
    sherd_mesh_report own;
    repair r = {mesh, name != NULL ? name : "mesh", report != NULL ? report : &own, error};
    *r.report = (sherd_mesh_report){0};
    if (mesh != NULL && mesh->triangle_count == 0)
        return sherd_fail(error, SHERD_ERROR_INPUT, r.name, "is this the right file?",
                          "the mesh is empty: it has no triangles");
    sherd_status status = sherd_mesh_check_arrays(mesh, r.name, error);
    if (status != SHERD_OK) return status;
    // Normals and face kinds come from the file; the outside of a solid has its own.
    sherd_free(mesh->normals);
    sherd_free(mesh->face_kind);
    mesh->normals = NULL;
    mesh->face_kind = NULL;
    status = weld(&r);
    if (status == SHERD_OK) status = close_and_orient(&r);
    r.report->bounds = sherd_mesh_bounds(mesh);
    r.report->volume = sherd_mesh_volume(mesh);
    return status;
}

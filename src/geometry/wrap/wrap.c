// Builds a new surface for a triangle soup: welds and orients it, evaluates its winding numbers on
// a grid, and marches it.
#include "base/error.h"
#include "base/forest.h"
#include "base/memory.h"
#include "geometry/mesh/mesh_access.h"
#include "geometry/mesh/mesh_attributes.h"
#include "geometry/mesh/mesh_weld.h"
#include "geometry/wrap/wrap_march.h"
#include "geometry/wrap/wrap_measure.h"
#include "geometry/wrap/wrap_orient.h"

#include <sherd/mesh.h>

#include <math.h>

// As in mesh_repair.c.
static const double WELD_FRACTION = 1e-6, LARGEST_EXTENT = 1e40;

// With more boundary edges, approximated solid angles of triangles are faster than those of single
// edges.
enum { MAX_OPEN_EDGES = 500 };

typedef struct wrapping {
    const char *name;
    const sherd_wrap_def *def;
    sherd_wrap_report *report;
    sherd_error *error;
    sherd_mesh *old; // welded and oriented
    sherd_mesh_tree tree;
    sherd_winding winding;
    sherd_winding_crossings crossings;
    bool by_crossings;
    sherd_mesh_work work;
} wrapping;

static sherd_status out_of_memory(const wrapping *w)
{
    return sherd_fail_memory(w->error, "a new surface for a mesh");
}

static sherd_status refuse_work(wrapping *w)
{
    return sherd_fail(w->error, SHERD_ERROR_INPUT, w->name,
                      "unite overlapping parts in a mesh editor (a Boolean union), or simplify it",
                      "the mesh can't be given a new surface: too many of its %d triangles lie "
                      "across each other",
                      (int)w->old->triangle_count);
}

static sherd_status check(const wrapping *w, const sherd_mesh *mesh)
{
    const sherd_wrap_def *d = w->def;
    sherd_status status = sherd_mesh_check_arrays(mesh, w->name, w->error);
    if (status != SHERD_OK) return status;
    if (!(d->edge_length > 0.0) || !isfinite(d->edge_length) || !(d->thickness >= 0.0) ||
        !isfinite(d->thickness) || !(d->least_volume >= 0.0) || !isfinite(d->least_volume))
        return sherd_fail(
            w->error, SHERD_ERROR_INPUT, "sherd_mesh_wrap", NULL,
            "edge_length must be > 0, thickness and least_volume >= 0, got %g, %g and %g",
            d->edge_length, d->thickness, d->least_volume);
    if (mesh->triangle_count == 0)
        return sherd_fail(w->error, SHERD_ERROR_INPUT, w->name, "is this the right file?",
                          "the mesh is empty: it has no triangles");
    return SHERD_OK;
}

static sherd_status weld(const wrapping *w)
{
    sherd_mesh *mesh = w->old;
    if (sherd_mesh_drop_unused(mesh) < 0) return out_of_memory(w);
    sherd_bounds b = sherd_mesh_bounds(mesh);
    double diagonal = vec3_distance(b.low, b.high);
    if (!(diagonal < LARGEST_EXTENT) || !(diagonal > 0.0))
        return sherd_fail(w->error, SHERD_ERROR_INPUT, w->name,
                          "is this the right file, and its scale?", "the mesh is %g m across",
                          diagonal);
    bool failed = sherd_mesh_weld(mesh, WELD_FRACTION * diagonal) < 0;
    sherd_mesh_drop_degenerate(mesh);
    failed = failed || sherd_mesh_drop_duplicates(mesh) < 0 || sherd_mesh_drop_unused(mesh) < 0;
    if (failed) return out_of_memory(w);
    if (mesh->triangle_count == 0)
        return sherd_fail(w->error, SHERD_ERROR_INPUT, w->name, "is this the right file?",
                          "the mesh is empty: no triangle has an area");
    return SHERD_OK;
}

static sherd_status prepare_winding(wrapping *w)
{
    int32_t triangles = w->old->triangle_count;
    int64_t max_edges = triangles < MAX_OPEN_EDGES ? triangles : MAX_OPEN_EDGES;
    if (!sherd_winding_crossings_init(&w->crossings, w->old, &w->tree.bvh, max_edges))
        return out_of_memory(w);
    w->by_crossings = w->crossings.edge_count <= max_edges;
    if (!w->by_crossings && !sherd_winding_init(&w->winding, w->old, &w->tree.bvh))
        return out_of_memory(w);
    return SHERD_OK;
}

static sherd_status prepare(wrapping *w, const sherd_mesh *mesh)
{
    w->old = sherd_mesh_copy(mesh, w->error);
    if (w->old == NULL) return SHERD_ERROR_MEMORY;
    sherd_status status = weld(w);
    if (status != SHERD_OK) return status;
    bool solid = !(w->def->thickness > 0.0);
    w->work.limit = mesh_work_limit(w->old->triangle_count);
    if (solid) {
        wrap_orientation found;
        if (!sherd_wrap_orient(w->old, &w->work, &found)) return out_of_memory(w);
        if (!mesh_work_remains(&w->work)) return refuse_work(w);
        w->report->turned_triangles = found.turned;
        w->report->inner_triangles = found.dropped;
    }
    if (!sherd_mesh_tree_init(&w->tree, w->old)) return out_of_memory(w);
    return solid ? prepare_winding(w) : SHERD_OK;
}

static wrap_field make_field(wrapping *w)
{
    wrap_field field = {.mesh = w->old,
                        .tree = &w->tree,
                        .winding = &w->winding,
                        .crossings = w->by_crossings ? &w->crossings : NULL,
                        .bounds = sherd_mesh_bounds(w->old),
                        .half_thickness = 0.5 * w->def->thickness,
                        .work = &w->work};
    sherd_vec3 arm = vec3(field.half_thickness, field.half_thickness, field.half_thickness);
    field.bounds =
        (sherd_bounds){vec3_sub(field.bounds.low, arm), vec3_add(field.bounds.high, arm)};
    return field;
}

static sherd_status refuse_empty(const wrapping *w)
{
    if (w->def->thickness > 0.0)
        return sherd_fail(w->error, SHERD_ERROR_INPUT, w->name, "a larger thickness",
                          "a sheet of this mesh, %g m thick, has no room for an element",
                          w->def->thickness);
    return sherd_fail(w->error, SHERD_ERROR_INPUT, w->name,
                      "give it a thickness: it is then a sheet with room for elements inside",
                      "the mesh encloses less than an element: its winding number is nowhere one "
                      "half in a place of %.3g m^3",
                      w->def->least_volume);
}

static sherd_status refuse_cells(const wrapping *w, double h)
{
    return sherd_fail(w->error, SHERD_ERROR_INPUT, w->name,
                      "check the scale of the file's units, or use larger elements",
                      "the mesh needs a new surface, of more than %.1f million cells of %.3g m",
                      1e-6 * WRAP_MAX_CELLS, h);
}

typedef struct wrap_pieces {
    int32_t kept, dropped;
} wrap_pieces;

// Six times the volume that each component bounds, at its root vertex [m^3].
static void measure_pieces(const sherd_mesh *mesh, int32_t *root, double *volume6)
{
    sherd_vec3 origin = mesh_vertex(mesh, 0);
    for (int32_t t = 0; t < mesh->triangle_count; ++t) {
        sherd_vec3 a = vec3_sub(mesh_corner(mesh, t, 0), origin);
        sherd_vec3 b = vec3_sub(mesh_corner(mesh, t, 1), origin);
        sherd_vec3 c = vec3_sub(mesh_corner(mesh, t, 2), origin);
        volume6[sherd_find_root(root, mesh->triangles[3 * (size_t)t])] +=
            vec3_dot(a, vec3_cross(b, c));
    }
}

static void drop_pieces(sherd_mesh *mesh, int32_t *root, const double *volume6, double min_volume,
                        wrap_pieces *pieces)
{
    int32_t kept = 0;
    for (int32_t v = 0; v < mesh->vertex_count; ++v) {
        if (sherd_find_root(root, v) != v) continue;
        bool keep = fabs(volume6[v]) >= 6.0 * min_volume;
        pieces->kept += keep;
        pieces->dropped += !keep;
    }
    if (pieces->dropped == 0) return;
    for (int32_t t = 0; t < mesh->triangle_count; ++t) {
        int32_t piece = sherd_find_root(root, mesh->triangles[3 * (size_t)t]);
        if (fabs(volume6[piece]) >= 6.0 * min_volume) mesh_move_triangle(mesh, kept++, t);
    }
    mesh->triangle_count = kept;
}

// Drops the triangles of components, and of cavities, whose volume is less than `min_volume` [m^3].
// Returns false when out of memory.
static bool wrap_drop_small_parts(sherd_mesh *mesh, double min_volume, wrap_pieces *pieces)
{
    size_t n = (size_t)mesh->vertex_count;
    int32_t *root = sherd_alloc(n, sizeof *root);
    double *volume6 = sherd_alloc(n, sizeof *volume6);
    bool good = root != NULL && volume6 != NULL;
    *pieces = (wrap_pieces){0, 0};
    for (size_t v = 0; good && v < n; ++v)
        root[v] = (int32_t)v;
    for (size_t k = 0; good && k < 3 * (size_t)mesh->triangle_count; k += 3) {
        sherd_join_roots(root, mesh->triangles[k], mesh->triangles[k + 1]);
        sherd_join_roots(root, mesh->triangles[k], mesh->triangles[k + 2]);
    }
    if (good && n > 0) {
        measure_pieces(mesh, root, volume6);
        drop_pieces(mesh, root, volume6, min_volume, pieces);
        good = pieces->dropped == 0 || sherd_mesh_drop_unused(mesh) >= 0;
    }
    sherd_free(root);
    sherd_free(volume6);
    return good;
}

// The new surface, with its measured errors.
static sherd_mesh *march(wrapping *w, const wrap_field *field)
{
    wrap_grid grid;
    wrap_pieces pieces;
    sherd_mesh *mesh = NULL;
    sherd_wrap_report *r = w->report;
    if (!sherd_wrap_grid_init(&grid, field, w->def->edge_length, (sherd_parallel){0}))
        out_of_memory(w);
    else if (!mesh_work_remains(&w->work))
        refuse_work(w);
    else if (grid.cells > WRAP_MAX_CELLS)
        refuse_cells(w, grid.h);
    else
        mesh = sherd_wrap_march(&grid, w->error);
    r->edge_length = grid.h;
    sherd_wrap_grid_release(&grid);
    if (mesh == NULL) return NULL;
    const sherd_attribute_source source = {field->mesh, field->tree};
    sherd_status status = mesh_work_remains(&w->work) ? SHERD_OK : refuse_work(w);
    if (status != SHERD_OK) {
        sherd_mesh_destroy(mesh);
        return NULL;
    }
    if (!wrap_drop_small_parts(mesh, w->def->least_volume, &pieces))
        status = out_of_memory(w);
    else if (mesh->triangle_count == 0 || !(sherd_mesh_volume(mesh) >= w->def->least_volume))
        status = refuse_empty(w);
    else if (!sherd_mesh_transfer_attributes(&source, mesh) ||
             !sherd_wrap_measure(field, mesh, r->edge_length, r))
        status = out_of_memory(w);
    if (status == SHERD_OK && !mesh_work_remains(&w->work)) status = refuse_work(w);
    if (status == SHERD_OK) {
        r->pieces = pieces.kept, r->left_out = pieces.dropped;
        r->volume = sherd_mesh_volume(mesh);
        return mesh;
    }
    sherd_mesh_destroy(mesh);
    return NULL;
}

sherd_mesh *sherd_mesh_wrap(const sherd_mesh *mesh, const char *name, const sherd_wrap_def *def,
                            sherd_wrap_report *report, sherd_error *error)
{
    sherd_wrap_report own;
    wrapping w = {.name = name != NULL ? name : "mesh",
                  .def = def,
                  .report = report != NULL ? report : &own,
                  .error = error};
    *w.report = (sherd_wrap_report){0};
    sherd_status status = check(&w, mesh);
    if (status == SHERD_OK) status = prepare(&w, mesh);
    sherd_mesh *wrapped = NULL;
    if (status == SHERD_OK) {
        wrap_field field = make_field(&w);
        wrapped = march(&w, &field);
    }
    sherd_winding_release(&w.winding);
    sherd_winding_crossings_release(&w.crossings);
    sherd_mesh_tree_release(&w.tree);
    sherd_mesh_destroy(w.old);
    return wrapped;
}

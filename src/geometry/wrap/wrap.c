// A new surface for a triangle soup: weld and orient it, find what its winding numbers enclose on a grid, march.
#include "base/error.h"
#include "base/memory.h"
#include "geometry/mesh/mesh_access.h"
#include "geometry/mesh/mesh_attributes.h"
#include "geometry/mesh/mesh_weld.h"
#include "geometry/wrap/wrap_march.h"
#include "geometry/wrap/wrap_measure.h"
#include "geometry/wrap/wrap_orient.h"
#include "geometry/wrap/wrap_specks.h"

#include <math.h>

// As in mesh_repair.c.
static const double WELD_SHARE = 1e-6, LARGEST_EXTENT = 1e40;

typedef struct wrapping {
    const char *name;
    const sherd_wrap_def *def;
    sherd_wrap_report *report;
    sherd_error *error;
    sherd_mesh *old; // welded and oriented
    sherd_mesh_tree tree;
    sherd_winding winding;
} wrapping;

static sherd_status out_of_memory(const wrapping *w)
{
    return sherd_fail_memory(w->error, "a new surface for a mesh");
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
    bool failed = sherd_mesh_weld(mesh, WELD_SHARE * diagonal) < 0;
    sherd_mesh_drop_degenerate(mesh);
    failed = failed || sherd_mesh_drop_duplicates(mesh) < 0 || sherd_mesh_drop_unused(mesh) < 0;
    if (failed) return out_of_memory(w);
    if (mesh->triangle_count == 0)
        return sherd_fail(w->error, SHERD_ERROR_INPUT, w->name, "is this the right file?",
                          "the mesh is empty: no triangle has an area");
    return SHERD_OK;
}

static sherd_status prepare(wrapping *w, const sherd_mesh *mesh)
{
    w->old = sherd_mesh_copy(mesh, w->error);
    if (w->old == NULL) return SHERD_ERROR_MEMORY;
    sherd_status status = weld(w);
    if (status != SHERD_OK) return status;
    bool solid = !(w->def->thickness > 0.0);
    if (solid) {
        wrap_orientation found;
        if (!sherd_wrap_orient(w->old, &found)) return out_of_memory(w);
        w->report->turned_triangles = found.turned;
        w->report->inner_triangles = found.dropped;
    }
    if (!sherd_mesh_tree_init(&w->tree, w->old)) return out_of_memory(w);
    if (solid && !sherd_winding_init(&w->winding, w->old, &w->tree.bvh)) return out_of_memory(w);
    return SHERD_OK;
}

static wrap_field make_field(const wrapping *w)
{
    wrap_field field = {.mesh = w->old,
                        .tree = &w->tree,
                        .winding = &w->winding,
                        .bounds = sherd_mesh_bounds(w->old),
                        .half_thickness = 0.5 * w->def->thickness};
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

// The new surface, with all that is measured of it.
static sherd_mesh *march(const wrapping *w, const wrap_field *field)
{
    wrap_grid grid;
    wrap_pieces pieces;
    sherd_mesh *mesh = NULL;
    sherd_wrap_report *r = w->report;
    if (sherd_wrap_grid_init(&grid, field, w->def->edge_length, (sherd_parallel){0}))
        mesh = sherd_wrap_march(&grid, w->error);
    else
        out_of_memory(w);
    r->edge_length = grid.h;
    sherd_wrap_grid_release(&grid);
    if (mesh == NULL) return NULL;
    const sherd_attribute_source source = {field->mesh, field->tree};
    sherd_status status = SHERD_OK;
    if (!sherd_wrap_drop_specks(mesh, w->def->least_volume, &pieces))
        status = out_of_memory(w);
    else if (mesh->triangle_count == 0 || !(sherd_mesh_volume(mesh) >= w->def->least_volume))
        status = refuse_empty(w);
    else if (!sherd_mesh_take_attributes(&source, mesh) ||
             !sherd_wrap_measure(field, mesh, r->edge_length, r))
        status = out_of_memory(w);
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
    sherd_mesh_tree_release(&w.tree);
    sherd_mesh_destroy(w.old);
    return wrapped;
}

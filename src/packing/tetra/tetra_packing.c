// Elements from tetrahedra: the source of the mesh, and the properties of each element from its
// tetrahedron.
//
// [VBDEM] takes an element's mass from its tetrahedron, bonds tetrahedra that share a face and
// continues as for spheres; it specifies neither their radius nor the bonds' sections. Here:
//
// - centre    the centroid
// - volume    the tetrahedron's; scaled so that the sum is the solid's, as chords cut off curved
// surfaces
// - section   the area of the shared face, as in finite volumes: along any cut, the sum of bonds'
// sections
//             is at least the cut's area
// - radius    of the sphere of equal volume (its moment of inertia is within a third of the
// tetrahedron's),
//             but so small that elements without a bond do not overlap: otherwise contacts would
//             stiffen the unbroken solid in compression
#include "packing/tetra/tetra_packing.h"

#include "base/error.h"
#include "base/forest.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "geometry/space_filling.h"
#include "geometry/tetra/tetra_mesh.h"
#include "packing/packing_alloc.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

// ---------------------------------------------------------------- the mesh

static sherd_tetra_mesh *fill_by_lattice(const sherd_shape *shape, const sherd_packing_def *def,
                                         sherd_error *error)
{
    sherd_tetra_lattice_def lattice = sherd_tetra_lattice_def_default();
    lattice.size = def->tetra.size;
    lattice.jitter = def->tetra.jitter;
    lattice.quality = def->tetra.quality;
    lattice.seed = def->seed;
    lattice.max_tetrahedra = def->max_elements;
    lattice.threads = def->threads;
    return sherd_tetra_mesh_fill(shape, &lattice, error);
}

static sherd_tetra_mesh *fill_by_gmsh(const sherd_shape *shape, const sherd_packing_def *def,
                                      sherd_error *error)
{
    // Finer than requested: gmsh puts new vertices onto chords of the surface.
    sherd_mesh *surface = sherd_shape_surface(shape, 0.3 * def->tetra.size, error);
    if (surface == NULL) return NULL;
    sherd_tetra_mesh *mesh =
        sherd_tetra_mesh_gmsh(surface, def->tetra.size, def->tetra.time_limit, error);
    sherd_mesh_destroy(surface);
    return mesh;
}

// A file's mesh and the body's shape must agree; the usual mistake is the scale.
static sherd_status compare_with_shape(const sherd_shape *shape, const sherd_tetra_mesh *mesh,
                                       const char *file, sherd_error *error)
{
    if (shape == NULL) return SHERD_OK;
    double wanted = sherd_shape_volume(shape), got = sherd_tetra_mesh_volume(mesh);
    if (fabs(got - wanted) <= 0.2 * wanted) return SHERD_OK;
    return sherd_fail(error, SHERD_ERROR_INPUT, file,
                      "is the scale right? Leave the body's shape out to use the mesh's surface",
                      "its tetrahedra have a volume of %.4g m^3, the body's shape %.4g m^3", got,
                      wanted);
}

static sherd_tetra_mesh *get_mesh(const sherd_shape *shape, const sherd_packing_def *def,
                                  sherd_error *error)
{
    const sherd_packing_tetra *t = &def->tetra;
    if (t->mesh_file != NULL) {
        sherd_tetra_mesh *mesh = sherd_tetra_mesh_read(t->mesh_file, t->mesh_scale, NULL, error);
        if (mesh == NULL || compare_with_shape(shape, mesh, t->mesh_file, error) == SHERD_OK)
            return mesh;
        sherd_tetra_mesh_destroy(mesh);
        return NULL;
    }
    return t->generator == SHERD_TETRA_GMSH ? fill_by_gmsh(shape, def, error)
                                            : fill_by_lattice(shape, def, error);
}

// ---------------------------------------------------------------- elements

// Data while a packing is being built.
typedef struct tetra_packer {
    sherd_packing *packing;
    const sherd_tetra_mesh *mesh;
    sherd_tetra_topology topology;
    sherd_parallel parallel;
    double *tetra_volume; // [m^3] (elements)
    double *stiffness;    // of an element's bonds by its mass and inertia, over the mean (elements)
} tetra_packer;

static sherd_vec3 centre_of(const sherd_packing *p, int32_t k)
{
    return vec3(p->x[k], p->y[k], p->z[k]);
}

static void set_elements(void *context, size_t begin, size_t end)
{
    tetra_packer *k = context;
    for (size_t t = begin; t < end; ++t) {
        sherd_vec3 p[4];
        tetra_points(k->mesh, (int32_t)t, p);
        sherd_vec3 c = vec3_scale(0.25, vec3_add(vec3_add(p[0], p[1]), vec3_add(p[2], p[3])));
        k->packing->x[t] = c.x, k->packing->y[t] = c.y, k->packing->z[t] = c.z;
        k->tetra_volume[t] = tetra_volume_of(p);
    }
}

// Slivers would shorten time steps or, with bonds so weak that they don't, be damped too slowly. So
// elements have at least this fraction of their neighbours' mean volume; then all are scaled such
// that the body has the right mass.
static const double LEAST_VOLUME = 0.25;

static void set_volumes(void *context, size_t begin, size_t end)
{
    tetra_packer *k = context;
    for (size_t t = begin; t < end; ++t) {
        double around = 0.0, count = 0.0;
        for (int f = 0; f < 4; ++f) {
            int32_t other = k->topology.neighbor[4 * t + (size_t)f];
            if (other >= 0) around += k->tetra_volume[other], count += 1.0;
        }
        double least = count > 0.0 ? LEAST_VOLUME * around / count : 0.0;
        k->packing->volume[t] = fmax(k->tetra_volume[t], least);
    }
}

static void scale_volumes(sherd_packing *p, double total)
{
    double sum = 0.0;
    for (int32_t t = 0; t < p->count; ++t)
        sum += p->volume[t];
    for (int32_t t = 0; t < p->count; ++t)
        p->volume[t] *= total / sum;
}

static double equal_sphere(double volume)
{
    return cbrt(0.75 * volume / PI);
}

static bool is_bonded(const tetra_packer *k, int32_t a, int32_t b)
{
    for (int f = 0; f < 4; ++f)
        if (k->topology.neighbor[4 * (size_t)a + (size_t)f] == b) return true;
    return false;
}

// Distances between elements that share a corner but no face are divided in proportion to the
// spheres, minus a gap, so that only larger strains bring them into contact. A sliver keeps 0.7 of
// its sphere, as contacts treat initial overlaps as undeformed.
static const double GAP = 0.03;

static void set_radii(void *context, size_t begin, size_t end)
{
    tetra_packer *k = context;
    const sherd_packing *p = k->packing;
    for (size_t t = begin; t < end; ++t) {
        double full = equal_sphere(p->volume[t]), share = 1.0;
        for (int c = 0; c < 4; ++c) {
            int32_t v = tetra_corners(k->mesh, (int32_t)t)[c];
            for (int32_t n = k->topology.start[v]; n < k->topology.start[v + 1]; ++n) {
                int32_t other = k->topology.around[n];
                if (other == (int32_t)t || is_bonded(k, (int32_t)t, other)) continue;
                double d = vec3_distance(centre_of(p, (int32_t)t), centre_of(p, other));
                share = fmin(share, (1.0 - GAP) * d / (full + equal_sphere(p->volume[other])));
            }
        }
        p->radius[t] = full * fmax(share, 0.7);
    }
}

// ---------------------------------------------------------------- bonds

static double face_area(const tetra_packer *k, size_t t, int f)
{
    return 0.5 * vec3_length(tetra_face_vector(k->mesh, (int32_t)t, f));
}

// The larger of the squares of an element's frequencies in its bonds, moving and turning, but for E over
// density: sums of E S / l by the mass; of E I / l, I = S^2 / 4 pi, for bending and of G S l / 4 for
// shear, as a bond takes half of one end's rotation, with G = 0.4 E, by the moment of inertia. Times
// the square of the element's size: a matter of shape alone.
static double stiffness_of(const tetra_packer *k, size_t t)
{
    const sherd_packing *p = k->packing;
    double moving = 0.0, turning = 0.0;
    for (int f = 0; f < 4; ++f) {
        int32_t other = k->topology.neighbor[4 * t + (size_t)f];
        if (other < 0) continue;
        double S = face_area(k, t, f);
        double l = vec3_distance(centre_of(p, (int32_t)t), centre_of(p, other));
        moving += S / l;
        turning += S * S / (4.0 * PI * l) + 0.1 * S * l;
    }
    double r = p->radius[t];
    return fmax(moving, turning / (0.4 * r * r)) / cbrt(p->volume[t]);
}

static void measure_stiffness(void *context, size_t begin, size_t end)
{
    tetra_packer *k = context;
    for (size_t t = begin; t < end; ++t)
        k->stiffness[t] = stiffness_of(k, t);
}

// The time step is limited by the stiffest element. Elements whose shape makes them stiffer than
// this multiple of the mean (mainly slivers) get weaker bonds.
static const double STIFFEST = 2.0;

static void compare_stiffness(tetra_packer *k)
{
    size_t n = (size_t)k->packing->count;
    double mean = 0.0, volume = 0.0;
    for (size_t t = 0; t < n; ++t) {
        volume += k->packing->volume[t];
        mean += k->packing->volume[t] * k->stiffness[t];
    }
    for (size_t t = 0; t < n && mean > 0.0; ++t)
        k->stiffness[t] *= volume / mean;
}

// Faces of t towards higher elements, in the order of those.
static int higher_neighbors(const tetra_packer *k, size_t t, int face[4])
{
    int count = 0;
    const int32_t *n = k->topology.neighbor + 4 * t;
    for (int f = 0; f < 4; ++f) {
        if (n[f] <= (int32_t)t) continue;
        int at = count++;
        for (; at > 0 && n[face[at - 1]] > n[f]; --at)
            face[at] = face[at - 1];
        face[at] = f;
    }
    return count;
}

static bool make_bonds(tetra_packer *k)
{
    sherd_packing *p = k->packing;
    size_t room = 2 * (size_t)p->count, m = 0; // four faces, each shared
    p->bond_section = sherd_alloc(room, sizeof *p->bond_section);
    if (!sherd_packing_alloc_bonds(p, room) || p->bond_section == NULL) return false;
    for (size_t t = 0; t < (size_t)p->count; ++t) {
        int face[4], count = higher_neighbors(k, t, face);
        for (int f = 0; f < count; ++f) {
            int32_t other = k->topology.neighbor[4 * t + (size_t)face[f]];
            double excess = fmax(k->stiffness[t], k->stiffness[other]) / STIFFEST;
            p->bond_i[m] = (int32_t)t;
            p->bond_j[m] = other;
            p->bond_section[m++] = face_area(k, t, face[f]) / fmax(1.0, excess);
            p->weakened_bonds += excess > 1.0;
        }
    }
    p->bond_count = (sherd_bond_index)m;
    return true;
}

// ---------------------------------------------------------------- the packing

// Sorts tetrahedra along a space-filling curve, so that neighbours in space are near in memory.
static bool order_tetras(sherd_tetra_mesh *mesh)
{
    size_t n = (size_t)mesh->tetra_count;
    double *c[3] = {sherd_alloc(n, sizeof(double)), sherd_alloc(n, sizeof(double)),
                    sherd_alloc(n, sizeof(double))};
    uint32_t *order = sherd_alloc(n, sizeof *order);
    int32_t *sorted = sherd_alloc(4 * n, sizeof *sorted);
    bool ok = c[0] != NULL && c[1] != NULL && c[2] != NULL && order != NULL && sorted != NULL;
    for (size_t t = 0; ok && t < n; ++t) {
        sherd_vec3 p[4];
        tetra_points(mesh, (int32_t)t, p);
        c[0][t] = p[0].x + p[1].x + p[2].x + p[3].x;
        c[1][t] = p[0].y + p[1].y + p[2].y + p[3].y;
        c[2][t] = p[0].z + p[1].z + p[2].z + p[3].z;
    }
    ok = ok && sherd_morton_order(c[0], c[1], c[2], n, order);
    for (size_t t = 0; ok && t < n; ++t)
        memcpy(sorted + 4 * t, mesh->tetras + 4 * (size_t)order[t], 4 * sizeof *sorted);
    if (ok) {
        sherd_free(mesh->tetras);
        mesh->tetras = sorted;
        sorted = NULL;
    }
    for (int k = 0; k < 3; ++k)
        sherd_free(c[k]);
    sherd_free(order);
    sherd_free(sorted);
    return ok;
}

static bool allocate(tetra_packer *k)
{
    size_t n = (size_t)k->mesh->tetra_count;
    k->tetra_volume = sherd_alloc(n, sizeof *k->tetra_volume);
    k->stiffness = sherd_alloc(n, sizeof *k->stiffness);
    return sherd_packing_alloc(k->packing, n, true) && k->tetra_volume != NULL &&
           k->stiffness != NULL;
}

static void measure(const tetra_packer *k)
{
    sherd_packing *p = k->packing;
    double boundary = 0.0, gaps = 0.0;
    for (int32_t t = 0; t < p->count; ++t) {
        p->element_volume += 4.0 / 3.0 * PI * p->radius[t] * p->radius[t] * p->radius[t];
        p->lattice_radius += p->radius[t] / (double)p->count;
        for (int f = 0; f < 4; ++f) {
            if (k->topology.neighbor[4 * (size_t)t + (size_t)f] >= 0) continue;
            // Height of the centroid above the face, minus the radius.
            double gap =
                fabs(0.75 * k->tetra_volume[t] / face_area(k, (size_t)t, f) - p->radius[t]);
            boundary += 1.0;
            gaps += gap;
            p->surface_gap_max = fmax(p->surface_gap_max, gap);
        }
    }
    p->solid_fraction = p->element_volume / p->shape_volume;
    p->cell_volume_match = sherd_tetra_mesh_volume(k->mesh) / p->shape_volume;
    p->surface_gap_mean = boundary > 0.0 ? gaps / boundary : 0.0;
    p->tetra_quality = sherd_tetra_mesh_quality(k->mesh);
}

// Tetrahedra that share no face have no bond: films thinner than a tetrahedron are disconnected.
static bool count_parts(sherd_packing *p)
{
    int32_t *root = sherd_alloc((size_t)p->count, sizeof *root);
    if (root == NULL) return false;
    for (int32_t n = 0; n < p->count; ++n)
        root[n] = n;
    for (sherd_bond_index b = 0; b < p->bond_count; ++b)
        sherd_join_roots(root, p->bond_i[b], p->bond_j[b]);
    p->parts = 0;
    for (int32_t n = 0; n < p->count; ++n)
        p->parts += root[n] == n;
    sherd_free(root);
    return true;
}

static sherd_status pack(const sherd_shape *shape, tetra_packer *k, sherd_error *error)
{
    sherd_tetra_mesh *mesh = k->packing->tetra;
    size_t n = (size_t)mesh->tetra_count;
    if (!order_tetras(mesh) || !allocate(k)) return sherd_fail_memory(error, "packing: elements");
    sherd_status status =
        sherd_tetra_topology_build(mesh, "packing.tetra", &k->parallel, &k->topology, error);
    if (status != SHERD_OK) return status;
    sherd_parallel_for(&k->parallel, n, 1024, set_elements, k);
    sherd_parallel_for(&k->parallel, n, 1024, set_volumes, k);
    k->packing->shape_volume =
        shape != NULL ? sherd_shape_volume(shape) : sherd_tetra_mesh_volume(mesh);
    scale_volumes(k->packing, k->packing->shape_volume);
    sherd_parallel_for(&k->parallel, n, 1024, set_radii, k);
    sherd_parallel_for(&k->parallel, n, 1024, measure_stiffness, k);
    compare_stiffness(k);
    if (!make_bonds(k) || !count_parts(k->packing))
        return sherd_fail_memory(error, "packing: bonds");
    measure(k);
    return SHERD_OK;
}

sherd_packing *sherd_tetra_packing_create(const sherd_shape *shape, const sherd_packing_def *def,
                                          sherd_error *error)
{
    if (shape == NULL && def->tetra.mesh_file == NULL) {
        sherd_fail(error, SHERD_ERROR_INPUT, "packing.shape", "give a shape to fill", "got none");
        return NULL;
    }
    sherd_tetra_mesh *mesh = get_mesh(shape, def, error);
    if (mesh == NULL) return NULL;
    sherd_packing *packing = sherd_alloc(1, sizeof *packing);
    if (packing == NULL) {
        sherd_tetra_mesh_destroy(mesh);
        sherd_fail_memory(error, "packing");
        return NULL;
    }
    packing->tetra = mesh;
    tetra_packer k = {.packing = packing, .mesh = mesh, .parallel = {def->threads}};
    sherd_status status = SHERD_OK;
    if (mesh->tetra_count > def->max_elements)
        status = sherd_fail(error, SHERD_ERROR_INPUT, "packing.tetra",
                            "use a coarser mesh, or raise max_elements; a mesh may lack its scale",
                            "the mesh has %d tetrahedra, the limit is %lld", mesh->tetra_count,
                            (long long)def->max_elements);
    if (status == SHERD_OK) status = pack(shape, &k, error);
    sherd_tetra_topology_release(&k.topology);
    sherd_free(k.tetra_volume);
    sherd_free(k.stiffness);
    if (status == SHERD_OK) return packing;
    sherd_packing_destroy(packing);
    return NULL;
}

#include "surface/methods/tetra/tetra_piece.h"

#include "base/forest.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/sort.h"
#include "geometry/mesh/mesh_access.h"
#include "surface/piece/skin.h"

#include <string.h>

typedef struct builder {
    tetra_faces *faces;
    piece *out;
    const int32_t *tetra; // of the fragment
    int32_t tetra_count, offset;
    // Faces of the surface, in the order of tetrahedra.
    size_t face_count, face_capacity;
    int64_t *face; // 4 tetra + corner
    // Arrays by corner of faces, 3 per face.
    int32_t *partner; // edge from this corner to the next: the same edge of the face joined to it
    int32_t *root;    // union-find forest of corners at one vertex; then the vertex
    // Tetrahedra of one vertex star.
    size_t star_count, star_capacity;
    int32_t *star;
    // New vertices at the middles of edges, -1 none: by corner.
    int32_t *middle;
    int32_t *origin; // by vertex: the vertex of the tetrahedral mesh, -1 at the middle of an edge
    int32_t vertex_count, triangle_count;
} builder;

static int32_t neighbor_of(const builder *b, int32_t t, int k)
{
    return b->faces->topology->neighbor[4 * (size_t)t + (size_t)k];
}

static uint8_t state_of(const builder *b, int32_t t, int k)
{
    return b->faces->state[4 * (size_t)t + (size_t)k];
}

// Returns the tetrahedral mesh's vertex at corner j of surface face f.
static int32_t face_vertex(const builder *b, size_t f, int j)
{
    const int32_t *c = tetra_corners(b->faces->mesh, (int32_t)(b->face[f] / 4));
    return c[sherd_tetra_face[b->face[f] % 4][j]];
}

static int back_face(const builder *b, int32_t t, int32_t other)
{
    int k = 0;
    while (neighbor_of(b, t, k) != other)
        ++k;
    return k;
}

// ---------------------------------------------------------------- cracks

static bool star_has(const builder *b, int32_t t)
{
    for (size_t k = 0; k < b->star_count; ++k)
        if (b->star[k] == t) return true;
    return false;
}

static bool add_to_star(builder *b, int32_t t)
{
    if (star_has(b, t)) return true;
    if (!sherd_grow((void **)&b->star, &b->star_capacity, b->star_count + 1, sizeof *b->star))
        return false;
    b->star[b->star_count++] = t;
    return true;
}

// Collects the tetrahedra around v that are connected with t through faces at v. Returns false when
// out of memory.
static bool find_star(builder *b, int32_t v, int32_t t)
{
    b->star_count = 0;
    if (!add_to_star(b, t)) return false;
    for (size_t done = 0; done < b->star_count; ++done)
        for (int k = 0; k < 4; ++k) {
            int32_t at = b->star[done];
            if (tetra_corners(b->faces->mesh, at)[k] == v || state_of(b, at, k) != TETRA_JOINED)
                continue;
            if (!add_to_star(b, neighbor_of(b, at, k))) return false;
        }
    return true;
}

// Returns whether both sides of a crack face are connected at all its corners: then it cannot open.
static bool is_useless(builder *b, int32_t t, int k, bool *useless)
{
    *useless = false;
    for (int j = 0; j < 3; ++j) {
        if (!find_star(b, tetra_corners(b->faces->mesh, t)[sherd_tetra_face[k][j]], t))
            return false;
        if (!star_has(b, neighbor_of(b, t, k))) return true;
    }
    *useless = true;
    return true;
}

// Tests with all cracks open; closing cracks that cannot open changes no star.
static bool close_immobile_cracks(builder *b)
{
    size_t count = 0, capacity = 0;
    int64_t *useless_faces = NULL;
    bool ok = true;
    for (int32_t n = 0; ok && n < b->tetra_count; ++n)
        for (int k = 0; ok && k < 4; ++k) {
            int32_t t = b->tetra[n];
            if (state_of(b, t, k) != TETRA_CRACK || neighbor_of(b, t, k) < t) continue;
            bool useless;
            ok = is_useless(b, t, k, &useless);
            if (!ok || !useless) continue;
            ok = sherd_grow((void **)&useless_faces, &capacity, count + 1, sizeof *useless_faces);
            if (ok) useless_faces[count++] = 4 * (int64_t)t + k;
        }
    for (size_t n = 0; ok && n < count; ++n) {
        int32_t t = (int32_t)(useless_faces[n] / 4);
        int k = (int)(useless_faces[n] % 4);
        int32_t other = neighbor_of(b, t, k);
        b->faces->state[useless_faces[n]] = TETRA_JOINED;
        b->faces->state[4 * (size_t)other + (size_t)back_face(b, other, t)] = TETRA_JOINED;
    }
    sherd_free(useless_faces);
    return ok;
}

// ---------------------------------------------------------------- faces and vertices

static bool list_faces(builder *b)
{
    for (int32_t n = 0; n < b->tetra_count; ++n)
        for (int k = 0; k < 4; ++k) {
            size_t at = 4 * (size_t)b->tetra[n] + (size_t)k;
            if (b->faces->state[at] == TETRA_JOINED) continue;
            if (!sherd_grow((void **)&b->face, &b->face_capacity, b->face_count + 1,
                            sizeof *b->face))
                return false;
            b->faces->face_index[at] = (int32_t)b->face_count;
            b->face[b->face_count++] = (int64_t)at;
        }
    size_t corners = 3 * b->face_count;
    b->partner = sherd_alloc(corners, sizeof *b->partner);
    b->root = sherd_alloc(corners, sizeof *b->root);
    b->middle = sherd_alloc(corners, sizeof *b->middle);
    return b->partner != NULL && b->root != NULL && b->middle != NULL;
}

// Goes from face k of tetrahedron t around its edge (u, v), through the solid, to the next surface
// face. Returns that face's index.
static int32_t turn_around_edge(const builder *b, int32_t t, int k, int32_t u, int32_t v)
{
    for (;;) {
        const int32_t *c = tetra_corners(b->faces->mesh, t);
        int m = 0; // the other face at the edge: opposite neither u nor v
        while (m == k || c[m] == u || c[m] == v)
            ++m;
        if (state_of(b, t, m) != TETRA_JOINED)
            return b->faces->face_index[4 * (size_t)t + (size_t)m];
        int32_t next = neighbor_of(b, t, m);
        k = back_face(b, next, t);
        t = next;
    }
}

static int corner_at(const builder *b, int32_t f, int32_t v)
{
    int j = 0;
    while (face_vertex(b, (size_t)f, j) != v)
        ++j;
    return j;
}

// Viewed from outside, an edge has opposite directions in the two faces it joins.
static void join_faces(builder *b)
{
    for (int32_t c = 0; c < (int32_t)(3 * b->face_count); ++c)
        b->root[c] = c;
    for (size_t f = 0; f < b->face_count; ++f)
        for (int j = 0; j < 3; ++j) {
            int32_t u = face_vertex(b, f, j), v = face_vertex(b, f, (j + 1) % 3);
            int32_t other =
                turn_around_edge(b, (int32_t)(b->face[f] / 4), (int)(b->face[f] % 4), u, v);
            int at_u = corner_at(b, other, u), at_v = corner_at(b, other, v);
            b->partner[3 * f + (size_t)j] = 3 * other + at_v;
            sherd_join_roots(b->root, (int32_t)(3 * f) + j, 3 * other + at_u);
            sherd_join_roots(b->root, (int32_t)(3 * f) + (j + 1) % 3, 3 * other + at_v);
        }
}

// Numbers vertices in the order of their first corners. A root is its tree's first corner.
static void number_vertices(builder *b)
{
    int32_t corners = (int32_t)(3 * b->face_count);
    for (int32_t c = 0; c < corners; ++c)
        b->root[c] = sherd_find_root(b->root, c);
    for (int32_t c = 0; c < corners; ++c)
        b->root[c] = b->root[c] == c ? b->vertex_count++ : b->root[b->root[c]];
}

// ---------------------------------------------------------------- edges that coincide

// Two edges between the same two vertices (where a fragment nearly touches itself) would look like
// one edge of four triangles: all but the first get a vertex at the middle.
static bool split_double_edges(builder *b)
{
    size_t corners = 3 * b->face_count;
    memset(b->middle, -1, corners * sizeof *b->middle);
    b->triangle_count = (int32_t)b->face_count;
    sherd_sort_pair *edge = sherd_alloc(corners, sizeof *edge);
    if (edge == NULL) return false;
    for (size_t c = 0; c < corners; ++c) {
        size_t next = c % 3 == 2 ? c - 2 : c + 1;
        edge[c].key = (uint64_t)b->root[c] << 32 | (uint64_t)b->root[next];
        edge[c].value = (uint32_t)c;
    }
    bool ok = corners == 0 || sherd_sort_pairs(edge, corners);
    for (size_t c = 1; ok && c < corners; ++c) {
        int32_t at = (int32_t)edge[c].value;
        if (edge[c].key != edge[c - 1].key || b->middle[at] >= 0) continue;
        b->middle[at] = b->middle[b->partner[at]] = b->vertex_count++;
        b->triangle_count += 2;
    }
    sherd_free(edge);
    return ok;
}

// ---------------------------------------------------------------- the mesh

static bool make_room(builder *b)
{
    piece *out = b->out;
    size_t n = (size_t)b->vertex_count, m = (size_t)b->triangle_count;
    b->origin = sherd_alloc(n, sizeof *b->origin);
    out->mesh = sherd_mesh_create(b->vertex_count, b->triangle_count, NULL);
    out->bones = sherd_alloc(SKIN_BONES * n, sizeof *out->bones);
    out->weights = sherd_alloc(SKIN_BONES * n, sizeof *out->weights);
    if (out->mesh == NULL || out->bones == NULL || out->weights == NULL) return false;
    out->mesh->normals = sherd_alloc(3 * n, sizeof(double));
    out->mesh->face_kind = sherd_alloc(m, sizeof(uint8_t));
    return out->mesh->normals != NULL && out->mesh->face_kind != NULL && b->origin != NULL;
}

// If a vertex has few tetrahedra, their neighbours and the neighbours' neighbours carry it too, as
// many as possible.
static bool widen_star(builder *b)
{
    for (size_t done = 0; b->star_count <= SKIN_BONES && done < b->star_count;)
        // Adds whole rings, so that distance alone decides among them.
        for (size_t ring = b->star_count; done < ring; ++done)
            for (int k = 0; k < 4; ++k) {
                int32_t at = b->star[done];
                if (state_of(b, at, k) == TETRA_JOINED && !add_to_star(b, neighbor_of(b, at, k)))
                    return false;
            }
    return true;
}

// The term that skin.c adds for rows and planes of spheres can be smaller: centres of tetrahedra
// are spread in space. With this value the error of the surface is a fifth of an edge times the
// strain.
static const double SKIN_RADIUS = 0.3;

static bool carry(builder *b, int32_t vertex, sherd_vec3 x, int32_t at, int32_t t)
{
    if (!find_star(b, at, t) || !widen_star(b)) return false;
    size_t n = b->star_count;
    sherd_vec3 *centre = sherd_alloc(n, sizeof *centre);
    if (centre == NULL) return false;
    for (size_t k = 0; k < n; ++k) {
        sherd_vec3 p[4];
        tetra_points(b->faces->mesh, b->star[k], p);
        centre[k] = vec3_scale(0.25, vec3_add(vec3_add(p[0], p[1]), vec3_add(p[2], p[3])));
    }
    int32_t *bones = b->out->bones + SKIN_BONES * (size_t)vertex;
    sherd_skin_among(centre, b->star, (int32_t)n, SKIN_RADIUS * b->faces->radius[t], x, bones,
                     b->out->weights + SKIN_BONES * (size_t)vertex);
    for (int k = 0; k < SKIN_BONES; ++k)
        bones[k] += b->offset;
    sherd_free(centre);
    return true;
}

static bool set_vertices(builder *b)
{
    int32_t next = 0, corners = (int32_t)(3 * b->face_count);
    for (int32_t c = 0; c < corners; ++c) {
        int32_t t = (int32_t)(b->face[c / 3] / 4), v = face_vertex(b, (size_t)(c / 3), c % 3);
        sherd_vec3 x = tetra_vertex(b->faces->mesh, v);
        if (b->root[c] == next) {
            mesh_set_vertex(b->out->mesh, next, x);
            b->origin[next] = v;
            if (!carry(b, next++, x, v, t)) return false;
        }
        if (b->middle[c] < 0 || b->partner[c] < c) continue;
        int32_t w = face_vertex(b, (size_t)(c / 3), (c + 1 - c / 3 * 3) % 3);
        x = vec3_scale(0.5, vec3_add(x, tetra_vertex(b->faces->mesh, w)));
        mesh_set_vertex(b->out->mesh, b->middle[c], x);
        b->origin[b->middle[c]] = -1;
        if (!carry(b, b->middle[c], x, v, t)) return false;
    }
    return true;
}

// A face is a polygon of its corners and the middles of its edges: ears are cut off at middles
// first, so that no two corners are joined that were joined already.
static void set_triangles(builder *b)
{
    int32_t next = 0;
    for (size_t f = 0; f < b->face_count; ++f) {
        int32_t polygon[6], middle[3], count = 0;
        for (int j = 0; j < 3; ++j) {
            middle[j] = b->middle[3 * f + (size_t)j];
            polygon[count++] = b->root[3 * f + (size_t)j];
            if (middle[j] >= 0) polygon[count++] = middle[j];
        }
        int start = 0; // a fan from a middle crosses no edge of the face
        while (count > 3 && start < count && polygon[start] != middle[0] &&
               polygon[start] != middle[1] && polygon[start] != middle[2])
            ++start;
        uint8_t kind =
            b->faces->state[b->face[f]] == TETRA_OUTER ? SHERD_FACE_OUTER : SHERD_FACE_INNER;
        for (int k = 1; k + 1 < count; ++k) {
            mesh_set_triangle(b->out->mesh, next, polygon[start % count],
                              polygon[(start + k) % count], polygon[(start + k + 1) % count]);
            b->out->mesh->face_kind[next++] = kind;
        }
    }
}

static void add_normal(sherd_mesh *mesh, int32_t v, sherd_vec3 n)
{
    double *to = mesh->normals + 3 * (size_t)v;
    to[0] += n.x, to[1] += n.y, to[2] += n.z;
}

// Area-weighted normals; the outside is shaded as if unbroken, also along cracks.
static bool set_normals(const builder *b)
{
    sherd_mesh *mesh = b->out->mesh;
    uint8_t *rim = sherd_alloc((size_t)mesh->vertex_count, 1);
    if (rim == NULL) return false;
    for (int32_t c = 0; c < 3 * mesh->triangle_count; ++c)
        if (mesh->face_kind[c / 3] == SHERD_FACE_OUTER) rim[mesh->triangles[c]] = 1;
    for (int32_t c = 0; c < 3 * mesh->triangle_count; ++c) {
        int32_t v = mesh->triangles[c];
        if (rim[v] && mesh->face_kind[c / 3] == SHERD_FACE_INNER) continue;
        add_normal(mesh, v, mesh_area_vector(mesh, c / 3));
    }
    for (int32_t v = 0; v < mesh->vertex_count; ++v) {
        double *n = mesh->normals + 3 * (size_t)v;
        sherd_vec3 normal = vec3_normalize(vec3(n[0], n[1], n[2]));
        if (rim[v] && b->origin[v] >= 0) normal = b->faces->outer_normal[b->origin[v]];
        if (!(vec3_length(normal) > 0.0)) normal = vec3(0.0, 0.0, 1.0);
        n[0] = normal.x, n[1] = normal.y, n[2] = normal.z;
    }
    sherd_free(rim);
    return true;
}

static uint64_t fingerprint(const sherd_mesh *m)
{
    uint64_t h = sherd_hash_bytes(SHERD_HASH_START, m->vertices,
                                  3 * (size_t)m->vertex_count * sizeof *m->vertices);
    h = sherd_hash_bytes(h, m->triangles, 3 * (size_t)m->triangle_count * sizeof *m->triangles);
    return sherd_hash_bytes(h, m->face_kind, (size_t)m->triangle_count);
}

bool sherd_tetra_piece_build(piece *out, tetra_faces *faces, const int32_t *tetra, int32_t count,
                             int32_t offset)
{
    builder b = {
        .faces = faces, .out = out, .tetra = tetra, .tetra_count = count, .offset = offset};
    bool ok = close_immobile_cracks(&b) && list_faces(&b);
    if (ok) {
        join_faces(&b);
        number_vertices(&b);
    }
    ok = ok && split_double_edges(&b) && make_room(&b) && set_vertices(&b);
    if (ok) set_triangles(&b);
    ok = ok && set_normals(&b);
    if (ok) out->fingerprint = fingerprint(out->mesh);
    sherd_free(b.face);
    sherd_free(b.partner);
    sherd_free(b.root);
    sherd_free(b.star);
    sherd_free(b.middle);
    sherd_free(b.origin);
    return ok;
}

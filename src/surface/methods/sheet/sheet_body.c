#include "surface/methods/sheet/sheet_body.h"

#include "base/hash.h"
#include "base/memory.h"
#include "geometry/mesh/mesh_access.h"
#include "surface/methods/sheet/tear_line.h"
#include "surface/piece/piece.h"
#include "surface/piece/skin.h"

// Numbering of cell corners: those in faces and beside bonds by half-bond (of half-bonds that share
// a corner, the first around the face); on rims before elements; beside broken bonds on the far
// side; centres; at the middles of bonds; on spokes. With h half-bonds and n elements these begin
// at 0, h, 2 h, 3 h, 3 h + n and 4 h + n.
typedef struct update {
    const sheet *s;
    const body_frame *frame;
    // The half-bond whose corner its element uses in the face to the left  (h).
    int32_t *shared;
    // The sheet's, moved along tears (h).
    sheet_corner *corner;
    // Index of a corner within its piece (5 h + elements).
    int32_t *local;
    piece_list list;
    int32_t *cell_start, *cell; // elements of each piece
} update;

static bool is_broken(const update *u, int32_t h)
{
    return u->frame->broken[u->s->bond[h]] != 0;
}

// ---------------------------------------------------------------- corners that cells share

// Around a face, half-bond k leads from element k to the next: if it is intact, both use one
// corner. A single broken bond separates nothing, as the others still connect all elements.
static void assign_shared_corners(update *u, int32_t h)
{
    const sheet *s = u->s;
    int broken = 0;
    int32_t first = h, k = h; // an element to which a broken bond leads
    do {
        if (is_broken(u, k)) ++broken, first = s->next[k];
        k = s->next[k];
    } while (k != h);
    if (broken < 2) first = h;
    int32_t group = first;
    k = first;
    do {
        u->shared[k] = group;
        if (broken > 1 && is_broken(u, k)) group = s->next[k];
        k = s->next[k];
    } while (k != first);
}

static void assign_all_shared_corners(update *u)
{
    const sheet *s = u->s;
    for (int32_t h = 0; h < s->half_count; ++h)
        u->shared[h] = -1;
    for (int32_t h = 0; h < s->half_count; ++h) {
        if (s->is_rim[h])
            u->shared[h] = h;
        else if (u->shared[h] < 0)
            assign_shared_corners(u, h);
    }
}

// Returns the corner of the half-bond's element to the left or right of the half-bond.
static int32_t corner_left(const update *u, int32_t h)
{
    return u->shared[h];
}

static int32_t corner_right(const update *u, int32_t h)
{
    const sheet *s = u->s;
    int32_t o = s->other[h];
    // Beyond the wall, returns the corner on the rim of the far side, or of this side.
    if (s->is_rim[o]) return is_broken(u, h) ? 2 * s->half_count + o : o;
    return u->shared[s->next[o]];
}

// Both sides of an unopened bond use the same corner.
static int32_t corner_middle(const update *u, int32_t h, bool open)
{
    int32_t o = u->s->other[h];
    return 3 * u->s->half_count + u->s->count + (open || h < o ? h : o);
}

static bool is_open(const update *u, int32_t h)
{
    int32_t o = u->s->other[h];
    return is_broken(u, h) &&
           (corner_left(u, h) != corner_right(u, o) || corner_right(u, h) != corner_left(u, o));
}

static bool smooth_corners(update *u)
{
    uint8_t *open = sherd_alloc((size_t)u->s->half_count, 1);
    for (int32_t h = 0; open != NULL && h < u->s->half_count; ++h)
        open[h] = is_open(u, h);
    bool good = open != NULL && sherd_tear_line_smooth(u->s, open, u->corner);
    sherd_free(open);
    return good;
}

// ---------------------------------------------------------------- a cell's outline

enum { MAX_OUTLINE = 96, MAX_TURNS = 32 };

typedef enum edge_kind { EDGE_INSIDE, EDGE_RIM, EDGE_TORN } edge_kind;

typedef struct outline {
    int count;
    int32_t corner[MAX_OUTLINE];
    edge_kind edge[MAX_OUTLINE]; // from this corner to the next
    // If the corner occurred earlier in the outline, its position there: a second vertex half-way
    // from the centre then separates the two occurrences, which two edges would join otherwise.
    // Else -1.
    int32_t spoke[MAX_OUTLINE];
} outline;

static void add_corner(outline *o, int32_t corner, edge_kind edge)
{
    o->corner[o->count] = corner;
    o->edge[o->count++] = edge;
}

// A bond with the same corner on both sides adds no edge: it ends within a face.
static void drop_flat(outline *o)
{
    int kept = 0, last = o->count;
    for (int k = 0; k < last; ++k) {
        bool flat = o->corner[k] == o->corner[k + 1 < last ? k + 1 : 0];
        if (flat && o->edge[k] == EDGE_INSIDE) continue;
        o->corner[kept] = o->corner[k];
        o->edge[kept++] = o->edge[k];
    }
    o->count = kept;
}

// A face that surrounds another, with two bonds between, occurs twice.
static void number_spokes(const update *u, int32_t element, outline *o)
{
    int32_t spoke = 4 * u->s->half_count + u->s->count + u->s->start[element];
    for (int k = 0; k < o->count; ++k) {
        o->spoke[k] = -1;
        for (int j = 0; j < k && o->spoke[k] < 0; ++j)
            if (o->corner[j] == o->corner[k]) o->spoke[k] = spoke;
        spoke += o->spoke[k] >= 0;
    }
}

// Builds the outline counter-clockwise. Each bond adds one edge; between two bonds lies a face,
// where the left corner of one bond is the right corner of the next, or a rim with a corner of its
// own.
static void trace_cell(const update *u, int32_t element, outline *o)
{
    const sheet *s = u->s;
    o->count = 0;
    for (int32_t h = s->start[element]; h < s->start[element + 1]; ++h) {
        if (h - s->start[element] == MAX_TURNS) break;
        bool open = is_open(u, h);
        add_corner(o, corner_right(u, h), open ? EDGE_TORN : EDGE_INSIDE);
        if (s->is_double[h]) add_corner(o, corner_middle(u, h, open), o->edge[o->count - 1]);
        if (!s->is_rim[h]) continue;
        add_corner(o, corner_left(u, h), EDGE_RIM);
        add_corner(o, s->half_count + h, EDGE_RIM);
    }
    drop_flat(o);
    number_spokes(u, element, o);
}

// ---------------------------------------------------------------- pieces

static bool is_wanted(const update *u, int32_t k)
{
    int32_t slot = u->frame->view->element_slot[u->s->first + k];
    return u->s->start[k + 1] > u->s->start[k] &&
           u->frame->view->fragments[slot].count >= u->frame->smallest;
}

// Orders fragments by their first elements, as in the view; then their elements, by a counting
// sort.
static bool list_cells(update *u)
{
    const sheet *s = u->s;
    for (int32_t k = 0; k < s->count; ++k)
        if (is_wanted(u, k) &&
            sherd_key_map_insert(&u->list.number, (uint64_t)u->frame->label[k]) < 0)
            return false;
    u->cell_start = sherd_alloc(u->list.number.count + 2, sizeof *u->cell_start);
    u->cell = sherd_alloc((size_t)s->count, sizeof *u->cell);
    if (u->cell_start == NULL || u->cell == NULL || !sherd_piece_list_allocate(&u->list))
        return false;
    for (int32_t k = 0; k < s->count; ++k)
        if (is_wanted(u, k))
            ++u->cell_start[sherd_key_map_find(&u->list.number, (uint64_t)u->frame->label[k]) + 2];
    for (size_t p = 1; p <= u->list.number.count; ++p)
        u->cell_start[p + 1] += u->cell_start[p];
    for (int32_t k = 0; k < s->count; ++k)
        if (is_wanted(u, k)) {
            int32_t p = sherd_key_map_find(&u->list.number, (uint64_t)u->frame->label[k]);
            u->cell[u->cell_start[p + 1]++] = k;
        }
    return true;
}

// Adds the moved positions of corners along tears.
static uint64_t hash_positions(const update *u, const outline *o, uint64_t hash)
{
    for (int k = 0; k < o->count; ++k) {
        if (o->corner[k] >= u->s->half_count) continue;
        const sherd_vec3 *position = &u->corner[o->corner[k]].point;
        hash = sherd_hash_bytes(hash, position, sizeof *position);
    }
    return hash;
}

// Hashes the inputs of a mesh: its cells and their corners.
static void describe_piece(update *u, int32_t p)
{
    piece *out = &u->list.pieces[p];
    uint64_t hash = SHERD_HASH_START;
    for (int32_t c = u->cell_start[p]; c < u->cell_start[p + 1]; ++c) {
        outline o;
        trace_cell(u, u->cell[c], &o);
        hash = sherd_hash_bytes(hash, &u->cell[c], sizeof u->cell[c]);
        hash = sherd_hash_bytes(hash, o.corner, (size_t)o.count * sizeof *o.corner);
        hash = sherd_hash_bytes(hash, o.edge, (size_t)o.count * sizeof *o.edge);
        hash = hash_positions(u, &o, hash);
    }
    out->element_count = u->cell_start[p + 1] - u->cell_start[p];
    out->fragment = u->frame->label[u->cell[u->cell_start[p]]];
    out->body = u->frame->index;
    out->fingerprint = hash;
}

typedef struct sheet_size {
    int32_t corners, triangles;
} sheet_size;

// Numbers the corners of a piece. Every corner belongs to one piece only.
static sheet_size number_corners(update *u, int32_t p)
{
    sheet_size size = {0};
    for (int32_t c = u->cell_start[p]; c < u->cell_start[p + 1]; ++c) {
        outline o;
        trace_cell(u, u->cell[c], &o);
        for (int k = 0; k < o.count; ++k)
            u->local[o.corner[k]] = -1;
    }
    for (int32_t c = u->cell_start[p]; c < u->cell_start[p + 1]; ++c) {
        outline o;
        trace_cell(u, u->cell[c], &o);
        if (o.count == 0) continue;
        u->local[3 * u->s->half_count + u->cell[c]] = size.corners++;
        for (int k = 0; k < o.count; ++k) {
            if (u->local[o.corner[k]] < 0) u->local[o.corner[k]] = size.corners++;
            size.triangles += o.edge[k] == EDGE_INSIDE ? 2 : 4;
            if (o.spoke[k] < 0) continue;
            u->local[o.spoke[k]] = size.corners++;
            size.triangles += 4;
        }
    }
    return size;
}

// ---------------------------------------------------------------- writing

static void add_bones(const update *u, piece *out, int32_t v, const int32_t *elements, int count)
{
    int32_t *bones = out->bones + SKIN_BONES * (size_t)v;
    float *weights = out->weights + SKIN_BONES * (size_t)v;
    sherd_skin_to_one(u->s->first + elements[0], bones, weights);
    for (int k = 0; k < count; ++k) {
        bones[k] = u->s->first + elements[k];
        weights[k] = 1.0F / (float)count;
    }
}

// Writes both vertices of a corner, the one on the normal's side first.
static void add_vertices(const update *u, piece *out, int32_t corner, const sheet_corner *at,
                         const int32_t *elements, int count)
{
    for (int side = 0; side < 2; ++side) {
        int32_t v = 2 * u->local[corner] + side;
        double up = side == 0 ? 1.0 : -1.0;
        mesh_set_vertex(out->mesh, v, vec3_add_scaled(at->point, up * at->half, at->normal));
        double *n = out->mesh->normals + 3 * (size_t)v;
        n[0] = up * at->normal.x, n[1] = up * at->normal.y, n[2] = up * at->normal.z;
        add_bones(u, out, v, elements, count);
    }
}

// Lists the elements that share corner `h` of a face.
static int sharing_elements(const update *u, int32_t h, int32_t elements[SKIN_BONES])
{
    int count = 0;
    for (int32_t k = h; count < SKIN_BONES; k = u->s->next[k]) {
        if (u->shared[k] == h) elements[count++] = u->s->from[k];
        if (u->s->next[k] == h) break;
    }
    return count;
}

static void add_corner_vertices(const update *u, piece *out, int32_t corner, int32_t element)
{
    const sheet *s = u->s;
    int32_t middle = corner - 3 * s->half_count - s->count;
    int32_t h = middle >= 0 ? middle : corner % s->half_count;
    int32_t elements[SKIN_BONES] = {element, s->from[s->other[h]]};
    if (middle >= 0) {
        elements[0] = s->from[h];
        sheet_corner at = sheet_middle(s, h);
        add_vertices(u, out, corner, &at, elements, is_open(u, h) ? 1 : 2);
    } else if (corner >= 2 * s->half_count) { // beside a broken bond, on its far side
        add_vertices(u, out, corner, &u->corner[h], elements, 1);
    } else if (corner >= s->half_count) {
        add_vertices(u, out, corner, &s->rim[h], elements, 1);
    } else if (s->is_rim[h]) {
        elements[0] = s->from[h];
        add_vertices(u, out, corner, &u->corner[h], elements, is_broken(u, h) ? 1 : 2);
    } else {
        add_vertices(u, out, corner, &u->corner[h], elements, sharing_elements(u, h, elements));
    }
}

static void add_triangle(piece *out, int32_t *t, int32_t a, int32_t b, int32_t c, uint8_t kind)
{
    mesh_set_triangle(out->mesh, *t, a, b, c);
    out->mesh->face_kind[(*t)++] = kind;
}

static void add_on_both_sides(piece *out, int32_t *t, int32_t a, int32_t b, int32_t c)
{
    add_triangle(out, t, a, b, c, SHERD_FACE_OUTER);
    add_triangle(out, t, a + 1, c + 1, b + 1, SHERD_FACE_OUTER);
}

static void add_spoke_vertices(const update *u, piece *out, int32_t spoke, int32_t centre,
                               int32_t corner, int32_t element)
{
    for (int side = 0; side < 2; ++side) {
        int32_t v = 2 * u->local[spoke] + side, a = centre + side, b = corner + side;
        sherd_vec3 sum = vec3_add(mesh_vertex(out->mesh, a), mesh_vertex(out->mesh, b));
        mesh_set_vertex(out->mesh, v, vec3_scale(0.5, sum));
        for (int d = 0; d < 3; ++d)
            out->mesh->normals[3 * (size_t)v + (size_t)d] =
                out->mesh->normals[3 * (size_t)a + (size_t)d];
        add_bones(u, out, v, &element, 1);
    }
}

// Writes the triangles between the centre, or spokes, and an edge of the outline.
static void write_sector(const update *u, piece *out, const outline *o, int k, int32_t c,
                         int32_t *triangle)
{
    int next = k + 1 < o->count ? k + 1 : 0;
    int32_t a = 2 * u->local[o->corner[k]], b = 2 * u->local[o->corner[next]];
    int32_t near_a = o->spoke[k] < 0 ? a : 2 * u->local[o->spoke[k]];
    int32_t near_b = o->spoke[next] < 0 ? b : 2 * u->local[o->spoke[next]];
    add_on_both_sides(out, triangle, c, near_a, near_b);
    if (near_a != a) add_on_both_sides(out, triangle, near_a, a, b);
    if (near_b != b) add_on_both_sides(out, triangle, near_a, b, near_b);
    if (o->edge[k] == EDGE_INSIDE) return;
    uint8_t kind = o->edge[k] == EDGE_TORN ? SHERD_FACE_INNER : SHERD_FACE_OUTER;
    add_triangle(out, triangle, a, a + 1, b + 1, kind);
    add_triangle(out, triangle, a, b + 1, b, kind);
}

static void write_cell(const update *u, piece *out, int32_t element, int32_t *triangle)
{
    outline o;
    trace_cell(u, element, &o);
    if (o.count == 0) return;
    int32_t centre = 3 * u->s->half_count + element, c = 2 * u->local[centre];
    add_vertices(u, out, centre, &u->s->centre[element], &element, 1);
    for (int k = 0; k < o.count; ++k) {
        add_corner_vertices(u, out, o.corner[k], element);
        if (o.spoke[k] >= 0)
            add_spoke_vertices(u, out, o.spoke[k], c, 2 * u->local[o.corner[k]], element);
    }
    for (int k = 0; k < o.count; ++k)
        write_sector(u, out, &o, k, c, triangle);
}

static void build_pieces(void *context, size_t begin, size_t end)
{
    update *u = context;
    for (size_t p = begin; p < end; ++p) {
        if (!u->list.stale[p]) continue;
        piece *out = &u->list.pieces[p];
        sheet_size size = number_corners(u, (int32_t)p);
        if (!sherd_piece_reserve(out, 2 * (int64_t)size.corners, size.triangles)) {
            u->list.failed[p] = 1;
            continue;
        }
        int32_t triangle = 0;
        for (int32_t c = u->cell_start[p]; c < u->cell_start[p + 1]; ++c)
            write_cell(u, out, u->cell[c], &triangle);
    }
}

static bool run_update(update *u, piece_array *former, const sherd_parallel *parallel)
{
    size_t h = (size_t)u->s->half_count;
    u->shared = sherd_alloc(h, sizeof *u->shared);
    u->local = sherd_alloc(5 * h + (size_t)u->s->count, sizeof *u->local);
    u->corner = sherd_alloc(h, sizeof *u->corner);
    if (u->shared == NULL || u->local == NULL || u->corner == NULL || !list_cells(u)) return false;
    assign_all_shared_corners(u);
    if (!smooth_corners(u)) return false;
    for (size_t p = 0; p < u->list.number.count; ++p)
        describe_piece(u, (int32_t)p);
    sherd_piece_list_keep(&u->list, former);
    sherd_parallel_for(parallel, u->list.number.count, 4, build_pieces, u);
    return true;
}

bool sherd_sheet_update(const sheet *s, const body_frame *frame, piece_array *pieces,
                        const sherd_parallel *parallel)
{
    update u = {.s = s, .frame = frame};
    bool good = run_update(&u, pieces, parallel);
    sherd_free(u.shared);
    sherd_free(u.corner);
    sherd_free(u.local);
    sherd_free(u.cell_start);
    sherd_free(u.cell);
    return sherd_piece_list_finish(&u.list, good, frame->next_version, pieces);
}

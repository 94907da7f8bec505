#include "output/page/page_sections.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

sherd_element_index sherd_page_main_bone(const sherd_surface_piece *piece, int32_t vertex)
{
    size_t at = (size_t)vertex * SHERD_SURFACE_BONES, most = at;
    for (size_t k = at + 1; k < at + SHERD_SURFACE_BONES; ++k)
        if (piece->weights[k] > piece->weights[most]) most = k;
    return piece->bones[most];
}

static size_t vertex_total(const sherd_page_run *p)
{
    size_t total = 0;
    for (int k = 0; k < p->surface_count; ++k)
        total += (size_t)sherd_surface_get_piece(p->last.surface, k).mesh->vertex_count;
    return total;
}

static size_t triangle_total(const sherd_page_run *p)
{
    size_t total = 0;
    for (int k = 0; k < p->surface_count; ++k)
        total += (size_t)sherd_surface_get_piece(p->last.surface, k).mesh->triangle_count;
    return total;
}

// Half the edge of the cube about its centre of mass that contains every piece at rest. [m]
static double largest_offset(const sherd_page_run *p)
{
    double largest = 0.0;
    for (int k = 0; k < p->piece_count; ++k) {
        if (p->pieces[k].surface < 0) continue;
        const sherd_mesh *mesh =
            sherd_surface_get_piece(p->last.surface, p->pieces[k].surface).mesh;
        sherd_vec3 c = p->pieces[k].rest_center;
        const double center[3] = {c.x, c.y, c.z};
        for (size_t v = 0; v < 3 * (size_t)mesh->vertex_count; ++v)
            largest = fmax(largest, fabs(mesh->vertices[v] - center[v % 3]));
    }
    return largest > 0.0 ? largest : 1.0;
}

// Writes vertices and triangles of the pieces in the order of the table.
static bool put_vertices(sherd_page_run *p, double offset)
{
    size_t total = vertex_total(p), at = 0;
    sherd_page_track places = {.width = 2, .count = 3 * total},
                     sites = {.width = 4, .count = total};
    uint16_t *place = sherd_page_track_frame(&places);
    int32_t *site = sherd_page_track_frame(&sites);
    for (int k = 0; k < p->piece_count && place != NULL && site != NULL; ++k) {
        if (p->pieces[k].surface < 0) continue;
        sherd_surface_piece piece = sherd_surface_get_piece(p->last.surface, p->pieces[k].surface);
        sherd_vec3 c = p->pieces[k].rest_center;
        for (int32_t v = 0; v < piece.mesh->vertex_count; ++v, ++at) {
            const double *x = piece.mesh->vertices + 3 * (size_t)v;
            const double from[3] = {x[0] - c.x, x[1] - c.y, x[2] - c.z};
            for (size_t a = 0; a < 3; ++a)
                place[a * total + at] = (uint16_t)lround(32767.5 * (from[a] / offset + 1.0));
            site[at] = p->site[sherd_page_main_bone(&piece, v)];
        }
    }
    bool ok = place != NULL && site != NULL;
    sherd_page_file_add_track(&p->file, "vertices", &places);
    sherd_page_file_add_track(&p->file, "sites", &sites);
    return ok;
}

static bool put_triangles(sherd_page_run *p)
{
    size_t total = triangle_total(p), at = 0;
    int32_t first = 0;
    sherd_page_track corners = {.width = 4, .count = 3 * total};
    int32_t *corner = sherd_page_track_frame(&corners);
    sherd_byte_buffer kinds = {0};
    for (int k = 0; k < p->piece_count && corner != NULL; ++k) {
        if (p->pieces[k].surface < 0) continue;
        const sherd_mesh *mesh =
            sherd_surface_get_piece(p->last.surface, p->pieces[k].surface).mesh;
        for (size_t c = 0; c < 3 * (size_t)mesh->triangle_count; ++c)
            corner[at++] = first + mesh->triangles[c];
        sherd_byte_buffer_append(&kinds, mesh->face_kind, (size_t)mesh->triangle_count);
        first += mesh->vertex_count;
    }
    bool ok = corner != NULL && !kinds.failed;
    sherd_page_file_add_track(&p->file, "triangles", &corners);
    sherd_page_file_add(&p->file, "kinds", kinds.size > 0 ? kinds.bytes : (const void *)"",
                        kinds.size);
    sherd_byte_buffer_free(&kinds);
    return ok;
}

// Columns of 4-byte numbers: id, parent, elements, body, vertices, triangles, bends, mass.
static bool put_pieces(sherd_page_run *p)
{
    enum { COLUMNS = 8 };
    size_t n = (size_t)p->piece_count;
    int32_t *rows = calloc(COLUMNS * n + 1, sizeof *rows);
    if (rows == NULL) return false;
    const sherd_fragment *fragments = sherd_fragments_view(p->last.fragments).fragments;
    for (size_t k = 0; k < n; ++k) {
        const sherd_page_piece *piece = &p->pieces[k];
        const sherd_mesh *mesh = piece->surface >= 0
                                     ? sherd_surface_get_piece(p->last.surface, piece->surface).mesh
                                     : NULL;
        float mass = (float)fragments[k].mass;
        rows[k] = fragments[k].id, rows[n + k] = fragments[k].parent;
        rows[2 * n + k] = fragments[k].count, rows[3 * n + k] = piece->body;
        rows[4 * n + k] = mesh != NULL ? mesh->vertex_count : 0;
        rows[5 * n + k] = mesh != NULL ? mesh->triangle_count : 0;
        rows[6 * n + k] = piece->bends;
        memcpy(&rows[7 * n + k], &mass, sizeof mass);
    }
    sherd_page_file_add(&p->file, "pieces", rows, COLUMNS * n * sizeof *rows);
    free(rows);
    return true;
}

// Columns of 4-byte numbers: radius, body and piece of each point.
static bool put_points(sherd_page_run *p)
{
    size_t n = (size_t)p->point_count;
    int32_t *rows = calloc(3 * n + 1, sizeof *rows);
    if (rows == NULL) return false;
    const int32_t *slot = sherd_fragments_view(p->last.fragments).element_slot;
    for (size_t k = 0; k < n; ++k) {
        float radius = (float)p->model.radius[p->points[k]];
        memcpy(&rows[k], &radius, sizeof radius);
        rows[2 * n + k] = slot[p->points[k]];
        rows[n + k] = p->pieces[rows[2 * n + k]].body;
    }
    sherd_page_file_add(&p->file, "balls", rows, 3 * n * sizeof *rows);
    free(rows);
    return true;
}

sherd_status sherd_page_meshes(sherd_page_run *p, sherd_error *error)
{
    p->offset = largest_offset(p);
    bool ok = put_pieces(p) && put_vertices(p, p->offset) && put_triangles(p) && put_points(p);
    return ok && !p->file.failed ? SHERD_OK : sherd_page_out_of_memory(error);
}

#include "output/export/json.h"
#include "output/formats/piece_file.h"
#include "output/page/page_scene.h"

static const char *const SECTION_NAMES[SECTION_COUNT] = {
    [SECTION_VERTICES] = "vertices",   [SECTION_TRIANGLES] = "triangles",
    [SECTION_KINDS] = "kinds",         [SECTION_TEXTURE] = "texture",
    [SECTION_SHAPES] = "shapes",       [SECTION_TRACKS] = "tracks",
    [SECTION_OBSTACLES] = "obstacles", [SECTION_RADII] = "radii",
    [SECTION_LABELS] = "labels",       [SECTION_FRAMES] = "frames",
};

static void put_names(sherd_byte_buffer *json, const sherd_page_run *p)
{
    sherd_run_info info = sherd_run_get_info(p->job->run);
    sherd_json_add_text(json, "title", info.name);
    sherd_json_add_text(json, "variant", info.variant);
    sherd_json_add_text(json, "scene", info.scene_path);
    sherd_json_add_text(json, "sherd", info.version);
    sherd_json_add_number(json, "planned", (double)info.frames_planned);
    sherd_json_add_number(json, "first", (double)p->job->first);
    sherd_json_add_number(json, "radius", p->radius);
    sherd_json_add_number(json, "topSpeed", p->top_speed);
    sherd_json_add_number(json, "topStress", p->top_stress);
    sherd_json_add_text(json, "stressUnit", p->stress_in_pascals ? "Pa" : "");
}

// Only pieces with a mesh.
static void put_pieces(sherd_byte_buffer *json, const sherd_page_run *p)
{
    const sherd_fragment *fragments = sherd_fragments_view(p->last.fragments).fragments;
    sherd_json_add_list(json, "pieces");
    for (int k = 0; k < p->piece_count; ++k) {
        const sherd_page_piece *piece = &p->pieces[k];
        if (piece->surface < 0) continue;
        const sherd_mesh *mesh = sherd_surface_get_piece(p->last.surface, piece->surface).mesh;
        sherd_json_separate(json);
        sherd_json_raw(json, "{");
        sherd_json_add_number(json, "id", fragments[k].id);
        sherd_json_add_number(json, "body", piece->body);
        sherd_json_add_number(json, "elements", fragments[k].count);
        sherd_json_add_number(json, "mass", fragments[k].mass);
        sherd_json_add_number(json, "vertices", mesh->vertex_count);
        sherd_json_add_number(json, "triangles", mesh->triangle_count);
        sherd_json_add_number(json, "deviation", piece->deviation);
        sherd_json_key(json, "bends");
        sherd_json_raw(json, piece->bends ? "true" : "false");
        sherd_json_raw(json, "}");
    }
    sherd_json_raw(json, "]");
}

// Number of points per body: points are sorted by body.
static void put_points(sherd_byte_buffer *json, const sherd_page_run *p)
{
    sherd_json_add_list(json, "points");
    for (int b = 0; b < p->model.body_count; ++b) {
        const sherd_body_info *body = &p->model.bodies[b];
        sherd_element_index count = 0;
        for (sherd_element_index k = 0; k < p->point_count; ++k)
            count += p->points[k] >= body->first && p->points[k] < body->first + body->count;
        sherd_json_add_item(json, count);
    }
    sherd_json_raw(json, "]");
}

static void put_sections(sherd_byte_buffer *json, const sherd_piece_file *file)
{
    size_t offset = 0;
    sherd_json_key(json, "sections");
    sherd_json_raw(json, "{");
    for (int s = 0; s < SECTION_COUNT; ++s) {
        sherd_json_add_list(json, SECTION_NAMES[s]);
        sherd_json_integer(json, (int64_t)offset);
        sherd_json_raw(json, ",");
        sherd_json_integer(json, (int64_t)file->size[s]);
        sherd_json_raw(json, "]");
        offset += (file->size[s] + PIECE_FILE_ALIGNMENT - 1) / PIECE_FILE_ALIGNMENT *
                  PIECE_FILE_ALIGNMENT;
    }
    sherd_json_raw(json, "}");
}

sherd_status sherd_piece_file_about(sherd_piece_file *file, sherd_byte_buffer *json,
                                    sherd_error *error)
{
    const sherd_page_run *p = &file->run;
    sherd_json_raw(json, "{");
    put_names(json, p);
    sherd_page_scene_times(json, p);
    sherd_page_scene_bodies(json, p);
    sherd_status status = sherd_page_scene_obstacles(json, &file->shapes, p, error);
    if (status != SHERD_OK) return status;
    file->size[SECTION_SHAPES] = file->shapes.size;
    put_pieces(json, p);
    put_points(json, p);
    put_sections(json, file);
    sherd_json_raw(json, "}");
    return json->failed || file->shapes.failed ? sherd_page_out_of_memory(error) : SHERD_OK;
}

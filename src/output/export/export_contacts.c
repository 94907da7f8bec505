// Forces of contacts as CSV and .vtp.

#include "output/export/export_contacts.h"

#include "base/error.h"
#include "base/file_writer.h"
#include "base/memory.h"
#include "output/export/owned_allocations.h"
#include "output/export/vtp.h"
#include "output/text.h"

#include <inttypes.h>
#include <string.h>

static sherd_vec3 force_of(const sherd_contact_force *c)
{
    double n = c->normal_force;
    return (sherd_vec3){n * c->normal.x + c->friction.x, n * c->normal.y + c->friction.y,
                        n * c->normal.z + c->friction.z};
}

// ---------------------------------------------------------------- the table

struct sherd_csv_contacts {
    sherd_file_writer *writer;
    const sherd_run_model *model;
};

sherd_csv_contacts *sherd_csv_contacts_create(const char *path, const sherd_run_model *model,
                                              sherd_error *error)
{
    sherd_csv_contacts *t = sherd_alloc(1, sizeof *t);
    if (t == NULL) {
        sherd_fail_memory(error, path);
        return NULL;
    }
    *t = (sherd_csv_contacts){sherd_file_writer_create(path, error), model};
    if (t->writer == NULL) {
        sherd_free(t);
        return NULL;
    }
    sherd_file_writer_text(
        t->writer, "frame,time_s,i,i_obstacle,j,j_obstacle,x_m,y_m,z_m,normal_x,normal_y,normal_z,"
                   "normal_force_n,friction_x_n,friction_y_n,friction_z_n,force_x_n,force_y_n,"
                   "force_z_n,overlap_m\n");
    return t;
}

// Quotes the name if it contains separators.
static void put_name(sherd_file_writer *writer, const char *name)
{
    bool quoted = strpbrk(name, ",\"\r\n") != NULL;
    if (quoted) sherd_file_writer_text(writer, "\"");
    for (const char *at = name; *at != '\0'; ++at)
        sherd_file_writer_printf(writer, quoted && *at == '"' ? "\"%c" : "%c", *at);
    if (quoted) sherd_file_writer_text(writer, "\"");
}

static void put_side(const sherd_csv_contacts *t, sherd_element_index element, int32_t obstacle)
{
    sherd_file_writer_text(t->writer, ",");
    if (element >= 0) sherd_file_writer_printf(t->writer, "%d", (int)element);
    sherd_file_writer_text(t->writer, ",");
    if (obstacle >= 0) put_name(t->writer, t->model->obstacle_names[obstacle]);
}

static void put_number(sherd_file_writer *writer, double value, int digits)
{
    char text[SHERD_NUMBER_SIZE];
    sherd_file_writer_text(writer, ",");
    sherd_file_writer_text(writer, sherd_number_text(text, value, digits));
}

static void put_vector(sherd_file_writer *writer, sherd_vec3 v, int digits)
{
    put_number(writer, v.x, digits);
    put_number(writer, v.y, digits);
    put_number(writer, v.z, digits);
}

void sherd_csv_contacts_frame(sherd_csv_contacts *t, const sherd_run_frame *frame)
{
    for (int64_t k = 0; k < frame->contact_count && frame->contacts != NULL; ++k) {
        const sherd_contact_force *c = &frame->contacts[k];
        sherd_file_writer_printf(t->writer, "%" PRId64, frame->index);
        put_number(t->writer, frame->time, 17);
        put_side(t, c->i, c->i_obstacle);
        put_side(t, c->j, c->j_obstacle);
        put_vector(t->writer, c->place, 17);
        put_vector(t->writer, c->normal, 9);
        put_number(t->writer, c->normal_force, 9);
        put_vector(t->writer, c->friction, 9);
        put_vector(t->writer, force_of(c), 9);
        put_number(t->writer, c->overlap, 9);
        sherd_file_writer_text(t->writer, "\n");
    }
}

sherd_status sherd_csv_contacts_commit(sherd_csv_contacts *t, sherd_error *error)
{
    sherd_status status = sherd_file_writer_commit(t->writer, error);
    sherd_free(t);
    return status;
}

void sherd_csv_contacts_abort(sherd_csv_contacts *t)
{
    if (t == NULL) return;
    sherd_file_writer_abort(t->writer);
    sherd_free(t);
}

// ---------------------------------------------------------------- for ParaView

typedef struct contact_arrays {
    int32_t *i, *j, *i_obstacle, *j_obstacle;
    double *place;
    float *normal, *normal_force, *friction, *force, *overlap;
} contact_arrays;

static bool make_room(contact_arrays *a, size_t count, sherd_owned *owned)
{
    int32_t **integers[] = {&a->i, &a->j, &a->i_obstacle, &a->j_obstacle};
    float **vectors[] = {&a->normal, &a->friction, &a->force};
    bool ok = true;
    for (int k = 0; k < 4; ++k)
        ok = (*integers[k] = sherd_owned_alloc(owned, count, sizeof(int32_t))) != NULL && ok;
    for (int k = 0; k < 3; ++k)
        ok = (*vectors[k] = sherd_owned_alloc(owned, 3 * count, sizeof(float))) != NULL && ok;
    a->place = sherd_owned_alloc(owned, 3 * count, sizeof *a->place);
    a->normal_force = sherd_owned_alloc(owned, count, sizeof *a->normal_force);
    a->overlap = sherd_owned_alloc(owned, count, sizeof *a->overlap);
    return ok && a->place != NULL && a->normal_force != NULL && a->overlap != NULL;
}

static void put3(float *to, sherd_vec3 v)
{
    to[0] = (float)v.x, to[1] = (float)v.y, to[2] = (float)v.z;
}

static void fill(contact_arrays *a, const sherd_run_frame *frame)
{
    for (int64_t k = 0; k < frame->contact_count; ++k) {
        const sherd_contact_force *c = &frame->contacts[k];
        a->i[k] = c->i, a->j[k] = c->j;
        a->i_obstacle[k] = c->i_obstacle, a->j_obstacle[k] = c->j_obstacle;
        a->place[3 * k] = c->place.x;
        a->place[3 * k + 1] = c->place.y;
        a->place[3 * k + 2] = c->place.z;
        put3(a->normal + 3 * k, c->normal);
        put3(a->friction + 3 * k, c->friction);
        put3(a->force + 3 * k, force_of(c));
        a->normal_force[k] = (float)c->normal_force;
        a->overlap[k] = (float)c->overlap;
    }
}

sherd_status sherd_vtp_write_contacts(const char *path, const sherd_run_frame *frame,
                                      sherd_error *error)
{
    sherd_owned owned = {0};
    contact_arrays a = {0};
    sherd_status status = SHERD_OK;
    if (!make_room(&a, (size_t)frame->contact_count, &owned)) {
        status = sherd_fail_memory(error, path);
    } else {
        fill(&a, frame);
        const sherd_vtk_array point[] = {{"i", SHERD_VTK_INT32, 1, a.i},
                                         {"j", SHERD_VTK_INT32, 1, a.j},
                                         {"i_obstacle", SHERD_VTK_INT32, 1, a.i_obstacle},
                                         {"j_obstacle", SHERD_VTK_INT32, 1, a.j_obstacle},
                                         {"normal", SHERD_VTK_FLOAT32, 3, a.normal},
                                         {"normal_force_n", SHERD_VTK_FLOAT32, 1, a.normal_force},
                                         {"friction_n", SHERD_VTK_FLOAT32, 3, a.friction},
                                         {"force_n", SHERD_VTK_FLOAT32, 3, a.force},
                                         {"overlap_m", SHERD_VTK_FLOAT32, 1, a.overlap}};
        const sherd_vtk_mesh mesh = {.time = frame->time,
                                     .point_count = frame->contact_count,
                                     .points = a.place,
                                     .point_array_count = sizeof point / sizeof *point,
                                     .point_arrays = point};
        status = sherd_vtp_write(path, &mesh, error);
    }
    sherd_owned_free(&owned);
    return status;
}

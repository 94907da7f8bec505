// CSV tables.
#include "base/file_writer.h"
#include "base/memory.h"
#include "output/tables/table_columns.h"
#include "output/tables/table_resume.h"

#include <sherd/file.h>
#include <sherd/table.h>

#include "temporary_path.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const sherd_column columns[] = {{"frame", SHERD_COLUMN_INTEGER},
                                       {"time_s", SHERD_COLUMN_EXACT},
                                       {"share", SHERD_COLUMN_NUMBER},
                                       {"name, \"quoted\"", SHERD_COLUMN_TEXT},
                                       {"hash", SHERD_COLUMN_HASH}};

typedef sherd_status row_function(sherd_table_writer *writer, const sherd_cell *cells,
                                  sherd_error *error);

static void put_by(row_function *put, sherd_table_writer *writer, int64_t frame, const char *name)
{
    const sherd_cell cells[] = {{.integer = frame},
                                {.number = 0.1 * (double)frame},
                                {.number = 1.0 / 3.0},
                                {.text = name},
                                {.integer = -1}};
    cr_assert(put(writer, cells, NULL) == SHERD_OK);
}

static void put_row(sherd_table_writer *writer, int64_t frame, const char *name)
{
    put_by(sherd_table_writer_row, writer, frame, name);
}

static void write_frames(int64_t first, int64_t end)
{
    sherd_error err = {0};
    sherd_table_writer *writer = first == 0
                                     ? sherd_table_writer_create(path, columns, 5, &err)
                                     : sherd_table_writer_resume(path, columns, 5, first, &err);
    cr_assert(writer != NULL, "%s", err.what);
    for (int64_t k = first; k < end; ++k)
        put_row(writer, k, "a\nb,\"c\"");
    cr_assert(sherd_table_writer_close(writer, &err) == SHERD_OK);
}

TestSuite(table, .init = make_path, .fini = remove_path);

Test(table, what_is_no_table_of_ours_stays)
{
    sherd_error err = {0};
    cr_assert(sherd_file_write(path, "frame,mine\n1,2\n", 15, NULL) == SHERD_OK);
    cr_assert(sherd_table_writer_create(path, columns, 5, &err) == NULL);
    cr_assert(err.status == SHERD_ERROR_INPUT && strstr(err.what, "header") != NULL, "%s",
              err.what);
    cr_assert(eq(int, (int)sherd_file_size(path), 15));
    cr_assert(sherd_file_write(path, "fra", 3, NULL) == SHERD_OK); // torn in its header
    write_frames(0, 1);
}

Test(table, cells_come_back)
{
    write_frames(0, 3);
    sherd_error err = {0};
    sherd_table *table = sherd_table_read(path, &err);
    cr_assert(table != NULL, "%s: %s", err.where, err.what);
    cr_assert(sherd_table_row_count(table) == 3 && sherd_table_column_count(table) == 5);
    cr_assert(sherd_table_find_column(table, "share") == 2);
    cr_assert(sherd_table_find_column(table, "none") == -1);
    cr_assert(eq(str, (char *)sherd_table_column_name(table, 3), "name, \"quoted\""));
    cr_assert(eq(str, (char *)sherd_table_text(table, 2, 3), "a\nb,\"c\""));
    cr_assert(eq(str, (char *)sherd_table_text(table, 2, 4), "ffffffffffffffff"));
    cr_assert(eq(str, (char *)sherd_table_text(table, 2, 2), "0.333333333"));
    cr_assert(sherd_table_number(table, 2, 1) == 0.1 * 2.0);
    cr_assert(isnan(sherd_table_number(table, 2, 3)));
    sherd_table_destroy(table);
}

Test(table, rows_are_on_disk_at_once_and_torn_ones_ignored)
{
    sherd_table_writer *writer = sherd_table_writer_create(path, columns, 5, NULL);
    put_row(writer, 0, "x");
    put_row(writer, 1, "y");
    cr_assert(eq(int, truncate(path, sherd_file_size(path) - 1), 0));
    sherd_table *table = sherd_table_read(path, NULL);
    cr_assert(table != NULL && sherd_table_row_count(table) == 1);
    sherd_table_destroy(table);
    sherd_table_writer_close(writer, NULL);
}

Test(table, added_rows_are_on_disk_after_a_flush)
{
    sherd_table_writer *writer = sherd_table_writer_create(path, columns, 5, NULL);
    int64_t header = sherd_file_size(path);
    for (int64_t k = 0; k < 100; ++k)
        put_by(sherd_table_writer_add, writer, k, "x");
    cr_assert(eq(int, (int)sherd_file_size(path), (int)header));
    cr_assert(sherd_table_writer_flush(writer, NULL) == SHERD_OK);
    sherd_table *table = sherd_table_read(path, NULL);
    cr_assert(table != NULL && sherd_table_row_count(table) == 100);
    sherd_table_destroy(table);
    sherd_table_writer_close(writer, NULL);
}

Test(table, resume_keeps_earlier_rows_and_gives_equal_bytes)
{
    unsigned char *straight, *resumed;
    size_t size, resumed_size;
    write_frames(0, 6);
    cr_assert(sherd_file_read(path, &straight, &size, NULL) == SHERD_OK);
    cr_assert(eq(int, truncate(path, (off_t)size - 3), 0));
    write_frames(4, 6);
    cr_assert(sherd_file_read(path, &resumed, &resumed_size, NULL) == SHERD_OK);
    cr_assert(size == resumed_size && memcmp(straight, resumed, size) == 0);
    sherd_free(straight);
    sherd_free(resumed);
}

Test(table, resume_refuses_another_table_and_starts_missing_ones)
{
    sherd_error err = {0};
    cr_assert(sherd_file_write(path, "frame,other\n0,1\n", 16, NULL) == SHERD_OK);
    cr_assert(sherd_table_writer_resume(path, columns, 5, 1, &err) == NULL);
    cr_assert(err.status == SHERD_ERROR_INPUT);
    unlink(path);
    sherd_table_writer *writer = sherd_table_writer_resume(path, columns, 5, 1, &err);
    cr_assert(writer != NULL);
    put_row(writer, 1, "");
    sherd_table_writer_close(writer, NULL);
    sherd_table *table = sherd_table_read(path, NULL);
    cr_assert(sherd_table_row_count(table) == 1);
    sherd_table_destroy(table);
}

Test(table, ragged_and_binary_files_are_refused)
{
    sherd_error err = {0};
    cr_assert(sherd_file_write(path, "a,b\n1,2\n3\n", 10, NULL) == SHERD_OK);
    cr_assert(sherd_table_read(path, &err) == NULL && strstr(err.where, ":3") != NULL);
    cr_assert(sherd_file_write(path, "a,b\n1,\0\n", 8, NULL) == SHERD_OK);
    cr_assert(sherd_table_read(path, &err) == NULL && err.status == SHERD_ERROR_INPUT);
    cr_assert(sherd_file_write(path, "", 0, NULL) == SHERD_OK);
    cr_assert(sherd_table_read(path, &err) == NULL);
    cr_assert(sherd_file_write(path, "a,b\r\n1,2\r\n", 10, NULL) == SHERD_OK);
    sherd_table *table = sherd_table_read(path, &err);
    cr_assert(eq(str, (char *)sherd_table_text(table, 0, 1), "2"));
    sherd_table_destroy(table);
}

Test(table, numbers_do_not_follow_the_locale)
{
    // Without this locale on the machine the test still checks the plain case.
    setlocale(LC_ALL, "de_DE.UTF-8");
    write_frames(0, 2);
    sherd_table *table = sherd_table_read(path, NULL);
    cr_assert(eq(str, (char *)sherd_table_text(table, 1, 1), "0.10000000000000001"));
    cr_assert(sherd_table_number(table, 1, 1) == 0.1);
    sherd_table_destroy(table);
}

Test(table, stats_have_the_promised_columns)
{
    static const char promised[] =
        "frame,time_s,steps,dt_s,kinetic_j,elastic_j,gravity_j,contact_j,work_j,dissipated_j,"
        "balance_error,elements,bonds,broken_bonds,fragments,max_stress_ratio,newton_iterations,"
        "linear_iterations,wall_s,"
        "state_hash";
    sherd_table_writer *writer =
        sherd_table_writer_create(path, sherd_stats_columns(), SHERD_STATS_COLUMN_COUNT, NULL);
    sherd_run_stats stats = {.frame = 3,
                             .energy = {.dissipated_bonds = 1.0,
                                        .dissipated_fracture = 2.0,
                                        .dissipated_contact = 4.0,
                                        .dissipated_friction = 8.0,
                                        .dissipated_integration = 16.0,
                                        .balance_error = 0.5,
                                        .dissipated_onset = -32.0,
                                        .dissipated_softening = 64.0,
                                        .dissipated_plastic = 128.0}};
    stats.angular_momentum.z = -7.0;
    stats.implicit_steps = 5;
    stats.unsettled_steps = 2;
    stats.torn = 9;
    sherd_cell cells[SHERD_STATS_COLUMN_COUNT];
    sherd_stats_cells(&stats, cells);
    cr_assert(sherd_table_writer_row(writer, cells, NULL) == SHERD_OK);
    cr_assert(sherd_table_writer_close(writer, NULL) == SHERD_OK);
    unsigned char *bytes;
    size_t size;
    cr_assert(sherd_file_read(path, &bytes, &size, NULL) == SHERD_OK);
    cr_assert(strncmp((char *)bytes, promised, sizeof promised - 1) == 0);
    sherd_free(bytes);
    sherd_table *table = sherd_table_read(path, NULL);
    int dissipated = sherd_table_find_column(table, "dissipated_j");
    cr_assert(sherd_table_number(table, 0, dissipated) == 191.0);
    const double last[] = {-7.0, 16.0, -32.0, 5.0, 2.0, 64.0, 128.0, 9.0};
    for (int k = 0; k < 8; ++k)
        cr_assert(sherd_table_number(table, 0, SHERD_STATS_COLUMN_COUNT - 8 + k) == last[k]);
    sherd_table_destroy(table);
}

Test(table, probes_have_one_row_per_probe)
{
    sherd_table_writer *writer =
        sherd_table_writer_create(path, sherd_probe_columns(), SHERD_PROBE_COLUMN_COUNT, NULL);
    sherd_probe_row row = {.frame = 2,
                           .time = 0.5,
                           .name = "punch",
                           .kind = "obstacle",
                           .reading = {.force = {0.0, 0.0, -9.0},
                                       .rotation = {0.0, 0.0, 0.25},
                                       .force_least = {1.0, 2.0, 3.0},
                                       .force_largest = {4.0, 5.0, 6.0},
                                       .torque_least = {7.0, 8.0, 9.0},
                                       .torque_largest = {10.0, 11.0, 12.0}}};
    sherd_cell cells[SHERD_PROBE_COLUMN_COUNT];
    sherd_probe_cells(&row, cells);
    cr_assert(sherd_table_writer_row(writer, cells, NULL) == SHERD_OK);
    cr_assert(sherd_table_writer_close(writer, NULL) == SHERD_OK);
    sherd_table *table = sherd_table_read(path, NULL);
    cr_assert(eq(str, (char *)sherd_table_text(table, 0, 2), "punch"));
    cr_assert(sherd_table_number(table, 0, sherd_table_find_column(table, "force_z_n")) == -9.0);
    cr_assert(sherd_table_number(table, 0, sherd_table_find_column(table, "rotation_z_rad")) ==
              0.25);
    static const char *const ranges[] = {
        "force_x_least_n",   "force_y_least_n",     "force_z_least_n",     "force_x_largest_n",
        "force_y_largest_n", "force_z_largest_n",   "torque_x_least_nm",   "torque_y_least_nm",
        "torque_z_least_nm", "torque_x_largest_nm", "torque_y_largest_nm", "torque_z_largest_nm"};
    for (int k = 0; k < 12; ++k)
        cr_assert(sherd_table_number(table, 0, sherd_table_find_column(table, ranges[k])) ==
                  k + 1.0);
    sherd_table_destroy(table);
}

// Saved columns: what is written comes back, versions that know more or fewer columns read each other's, and damaged
// bytes are refused.
#include "base/memory.h"
#include "base/record.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include <math.h>
#include <string.h>

enum { COUNT = 11 };

static const sherd_record_about LENIENT = {.where = "toy", .hint = "make it anew"};
static const sherd_record_about COMPLETE = {
    .where = "toy", .hint = "make it anew", .complete = true};

// ---------------------------------------------------------------- a toy, and what it is in the next version

typedef struct toy {
    double mass, old_name;
    int64_t turns;
    bool wound;
    sherd_vec3 place;
    float friction[2];
} toy;

static const sherd_row_member OLD_MEMBERS[] = {SHERD_MEMBER(toy, mass), SHERD_MEMBER(toy, turns),
                                               SHERD_MEMBER(toy, wound), SHERD_MEMBER(toy, place)};
static const sherd_row_layout old_toy = SHERD_ROW_LAYOUT(toy, OLD_MEMBERS);
static const sherd_row_member NEW_MEMBERS[] = {SHERD_ADDED_MEMBER(toy, old_name, 2.5),
                                               SHERD_MEMBER(toy, mass), SHERD_MEMBER(toy, turns),
                                               SHERD_MEMBER(toy, wound), SHERD_MEMBER(toy, place)};
static const sherd_row_layout new_toy = SHERD_ROW_LAYOUT(toy, NEW_MEMBERS);

typedef struct toy_columns {
    double x[COUNT];
    uint8_t broken[COUNT];
    float strain[COUNT]; // that the next version adds
} toy_columns;

static int columns_of(toy_columns *of, bool next_version, sherd_record_column columns[3])
{
    columns[0] = (sherd_record_column){"x", &sherd_rows_f64, of->x, COUNT, SHERD_COLUMN_PLANES};
    columns[1] = (sherd_record_column){"broken", &sherd_rows_bits, of->broken, COUNT, 0};
    columns[2] =
        (sherd_record_column){"strain", &sherd_rows_f32, of->strain, COUNT, SHERD_COLUMN_OPTIONAL};
    return next_version ? 3 : 2;
}

static toy_columns some_columns(void)
{
    toy_columns c;
    for (int k = 0; k < COUNT; ++k)
        c.x[k] = 0.1 * k, c.broken[k] = k % 3 == 1, c.strain[k] = (float)k;
    return c;
}

static void save(sherd_byte_buffer *out, bool next_version)
{
    toy_columns c = some_columns();
    toy one = {.mass = 3.0, .old_name = 7.0, .turns = -4, .wound = true, .place = {1.0, 2.0, 3.0}};
    sherd_record_column columns[3];
    size_t begun = sherd_record_begin(out, "toy");
    sherd_record_write(
        out, &(sherd_record_column){"head", next_version ? &new_toy : &old_toy, &one, 1, 0});
    sherd_record_write_all(out, columns, columns_of(&c, next_version, columns));
    sherd_record_end(out, begun);
    cr_assert_not(out->failed);
}

static sherd_status restore(const sherd_byte_buffer *bytes, bool next_version,
                            const sherd_record_about *about, toy *one, toy_columns *c,
                            sherd_error *error)
{
    sherd_record_column columns[3];
    sherd_record_reader in = sherd_record_open(bytes->bytes, bytes->size, about, error);
    sherd_record_reader part = sherd_record_enter(&in, "toy");
    sherd_record_read(
        &part, &(sherd_record_column){"head", next_version ? &new_toy : &old_toy, one, 1, 0});
    sherd_record_read_all(&part, columns, columns_of(c, next_version, columns));
    sherd_record_leave(&part);
    return sherd_record_close(&in);
}

static void check_common(const toy *one, const toy_columns *c)
{
    toy_columns as = some_columns();
    cr_expect(one->mass == 3.0 && one->turns == -4 && one->wound && one->place.z == 3.0);
    cr_expect(memcmp(c->x, as.x, sizeof as.x) == 0);
    cr_expect(memcmp(c->broken, as.broken, sizeof as.broken) == 0);
}

Test(record, what_is_saved_comes_back)
{
    sherd_byte_buffer bytes = {0};
    sherd_error error = {0};
    toy one = {0};
    toy_columns c, as = some_columns();
    save(&bytes, true);
    cr_assert(eq(int, restore(&bytes, true, &COMPLETE, &one, &c, &error), SHERD_OK), "%s",
              error.what);
    check_common(&one, &c);
    cr_expect(one.old_name == 7.0 && memcmp(c.strain, as.strain, sizeof as.strain) == 0);
    sherd_byte_buffer_free(&bytes);
}

// ---------------------------------------------------------------- in pieces

enum { LONG = 30000 }; // rows: more bytes than a buffer passes on at once

// Sections within sections, structs, planes, bits, and rows that are appended one by one.
static void save_nested(sherd_byte_buffer *out, const double *numbers)
{
    size_t outer = sherd_record_begin(out, "outer");
    save(out, true);
    size_t inner = sherd_record_begin(out, "inner");
    sherd_record_write(out,
                       &(sherd_record_column){"planes", &sherd_rows_f64, (void *)(uintptr_t)numbers,
                                              LONG, SHERD_COLUMN_PLANES});
    sherd_record_end(out, inner);
    save(out, false);
    sherd_record_write_head(out, "rows", &sherd_rows_f64, LONG);
    for (int k = 0; k < LONG; ++k)
        sherd_record_write_rows(out, &sherd_rows_f64, &numbers[k], 1);
    sherd_record_write(
        out, &(sherd_record_column){"whole", &sherd_rows_f64, (void *)(uintptr_t)numbers, LONG, 0});
    sherd_record_end(out, outer);
}

static bool collect(void *context, const void *bytes, size_t size)
{
    sherd_byte_buffer_append(context, bytes, size);
    return true;
}

static bool refuse(void *context, const void *bytes, size_t size)
{
    (void)context, (void)bytes, (void)size;
    return false;
}

Test(record, a_stream_takes_the_same_bytes)
{
    double *numbers = sherd_alloc(LONG, sizeof *numbers);
    sherd_byte_buffer whole = {0}, pieces = {0};
    for (int k = 0; k < LONG; ++k)
        numbers[k] = 0.1 * k;
    save_nested(&whole, numbers);
    sherd_byte_stream stream = {.context = &pieces};
    sherd_byte_buffer out = {.stream = &stream};
    save_nested(&out, numbers);
    cr_expect(eq(sz, out.size, whole.size)); // counted
    out.size = 0, stream.take = collect;
    save_nested(&out, numbers);
    sherd_byte_buffer_flush(&out);
    cr_assert(not(out.failed));
    cr_assert(eq(sz, pieces.size, whole.size));
    cr_expect(memcmp(pieces.bytes, whole.bytes, whole.size) == 0);
    cr_expect(lt(sz, out.capacity, whole.size / 2)); // it is never there as a whole
    sherd_byte_buffer_free(&out), sherd_byte_stream_free(&stream);
    sherd_byte_buffer_free(&whole), sherd_byte_buffer_free(&pieces);
    sherd_free(numbers);
}

Test(record, a_stream_that_fails_makes_the_buffer_fail)
{
    static const char bytes[100000] = {0};
    sherd_byte_stream stream = {.take = refuse};
    sherd_byte_buffer out = {.stream = &stream};
    sherd_byte_buffer_append(&out, bytes, 10);
    cr_expect(not(out.failed)); // not passed on yet
    sherd_byte_buffer_append(&out, bytes, sizeof bytes);
    cr_expect(out.failed);
    cr_expect(sherd_byte_buffer_extend(&out, 1) == NULL);
    sherd_byte_buffer_free(&out);
}

Test(record, a_column_that_older_records_lack_has_its_default)
{
    sherd_byte_buffer bytes = {0};
    sherd_error error = {0};
    toy one = {.old_name = -1.0};
    toy_columns c;
    memset(&c, 7, sizeof c);
    save(&bytes, false);
    cr_assert(eq(int, restore(&bytes, true, &COMPLETE, &one, &c, &error), SHERD_OK), "%s",
              error.what);
    check_common(&one, &c);
    cr_expect(one.old_name == 2.5);
    for (int k = 0; k < COUNT; ++k)
        cr_expect(c.strain[k] == 0.0f);
    sherd_byte_buffer_free(&bytes);
}

Test(record, a_column_that_is_not_known_is_skipped_or_refused)
{
    sherd_byte_buffer bytes = {0};
    sherd_error error = {0};
    toy one = {.old_name = -1.0};
    toy_columns c;
    save(&bytes, true);
    cr_assert(eq(int, restore(&bytes, false, &LENIENT, &one, &c, &error), SHERD_OK), "%s",
              error.what);
    check_common(&one, &c);
    cr_expect(one.old_name == -1.0);
    cr_assert(eq(int, restore(&bytes, false, &COMPLETE, &one, &c, &error), SHERD_ERROR_INPUT));
    cr_expect(strstr(error.what, "toy.head.old_name is not known") != NULL, "%s", error.what);
    cr_expect_str_eq(error.hint, "make it anew");
    sherd_byte_buffer_free(&bytes);
}

Test(record, an_unknown_column_can_be_listed_and_read)
{
    sherd_byte_buffer bytes = {0};
    sherd_error error = {0};
    float strain[COUNT];
    save(&bytes, true);
    sherd_record_reader in = sherd_record_open(bytes.bytes, bytes.size, &LENIENT, &error);
    sherd_record_reader part = sherd_record_enter(&in, "toy");
    sherd_record_unread unread;
    bool found = false;
    while (sherd_record_next_unread(&part, &unread)) {
        if (strcmp(unread.name, "strain") != 0) continue;
        found = true;
        cr_assert(unread.type == SHERD_SCALAR_F32 && unread.per_row == 1 && unread.rows == COUNT);
        unread.pieces.layout = &sherd_rows_f32;
        sherd_record_read_rows(&part, &unread.pieces, strain, COUNT);
    }
    cr_assert(found && sherd_record_leave(&part) == SHERD_OK && strain[5] == 5.0f);
    sherd_byte_buffer_free(&bytes);
}

// ---------------------------------------------------------------- what can't be

static void check_refused(const sherd_row_layout *layout, size_t rows, const char *name,
                          const char *what)
{
    sherd_byte_buffer bytes = {0};
    sherd_error error = {0};
    double values[2 * COUNT];
    save(&bytes, false);
    sherd_record_reader in = sherd_record_open(bytes.bytes, bytes.size, &LENIENT, &error);
    sherd_record_reader part = sherd_record_enter(&in, "toy");
    sherd_record_read(&part, &(sherd_record_column){name, layout, values, rows, 0});
    cr_assert(eq(int, sherd_record_leave(&part), SHERD_ERROR_INPUT));
    cr_expect(eq(int, in.status, SHERD_ERROR_INPUT));
    cr_expect(strstr(error.what, what) != NULL, "%s", error.what);
    sherd_byte_buffer_free(&bytes);
}

Test(record, refusals_say_what_is_wrong)
{
    check_refused(&sherd_rows_f64, COUNT, "y", "toy.y is missing");
    check_refused(&sherd_rows_f64, COUNT + 1, "x", "toy.x has 11 rows, not 12");
    check_refused(&sherd_rows_i64, COUNT, "x", "toy.x is 1 times f64, not 1 times i64");
    check_refused(&sherd_rows_i32, 1, "head", "toy.head is missing"); // members have names there
}

// Each cut and each changed byte is refused or gives other numbers, never more than there is room for; what is
// behind the arrays is watched by the sanitizers.
Test(record, damage_is_survived)
{
    sherd_byte_buffer whole = {0};
    save(&whole, true);
    for (size_t size = 0; size < whole.size; ++size) {
        sherd_byte_buffer cut = {.bytes = whole.bytes, .size = size};
        toy one = {0};
        toy_columns c;
        cr_expect(eq(int, restore(&cut, true, &LENIENT, &one, &c, NULL), SHERD_ERROR_INPUT));
    }
    static const unsigned char flips[] = {1, 0x40, 0x80, 0xff};
    int refused = 0;
    for (size_t at = 0; at < whole.size; ++at)
        for (size_t f = 0; f < sizeof flips; ++f) {
            toy one = {0};
            toy_columns c;
            whole.bytes[at] ^= flips[f];
            refused += restore(&whole, true, &COMPLETE, &one, &c, NULL) != SHERD_OK;
            cr_expect(le(int, one.wound, 1));
            whole.bytes[at] ^= flips[f];
        }
    cr_expect(lt(int, (int)whole.size, refused)); // at least what heads and names say
    sherd_byte_buffer_free(&whole);
}

// ---------------------------------------------------------------- layouts

Test(record, a_member_that_no_table_has_is_found)
{
    typedef struct full {
        double a;
        int64_t b[3];
    } full;
    static const sherd_row_member members[] = {SHERD_MEMBER(full, a), SHERD_ARRAY_MEMBER(full, b)};
    const sherd_row_layout complete = SHERD_ROW_LAYOUT(full, members);
    sherd_row_layout lacking = complete;
    lacking.count = 1;
    cr_expect(eq(sz, sherd_row_uncovered(&complete), 0));
    cr_expect(eq(sz, sherd_row_uncovered(&lacking), 24));
    cr_expect_not(sherd_row_is_plain(&lacking));
    full from = {1.0, {2, 3, 4}}, to = {0};
    sherd_row_copy(&lacking, &to, &from);
    cr_expect(to.a == 1.0 && to.b[0] == 0);
}

Test(record, sections_of_one_name_follow_each_other)
{
    sherd_byte_buffer out = {0};
    for (int k = 0; k < 3; ++k) {
        size_t begun = sherd_record_begin(&out, "part");
        sherd_record_write(&out, &(sherd_record_column){"k", &sherd_rows_i32, &k, 1, 0});
        sherd_record_end(&out, begun);
    }
    sherd_record_reader in = sherd_record_open(out.bytes, out.size, &COMPLETE, NULL);
    for (int k = 0; k < 3; ++k) {
        int32_t found = -1;
        sherd_record_reader part = sherd_record_enter(&in, "part");
        sherd_record_read(&part, &(sherd_record_column){"k", &sherd_rows_i32, &found, 1, 0});
        cr_expect(sherd_record_leave(&part) == SHERD_OK && found == k);
    }
    cr_expect_not(sherd_record_has(&in, "part"));
    cr_expect(eq(int, sherd_record_close(&in), SHERD_OK));
    sherd_byte_buffer_free(&out);
}

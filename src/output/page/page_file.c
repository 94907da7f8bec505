#include "output/page/page_file.h"

#include "base/file_writer.h"
#include "output/export/xml.h"
#include "output/page/page_assets.h"

#include <string.h>
#include <zlib.h>

// ---------------------------------------------------------------- sections

static sherd_page_section *section(sherd_page_file *file, const char *name)
{
    int k = 0;
    while (k < file->count && strcmp(file->sections[k].name, name) != 0)
        ++k;
    if (k == SHERD_PAGE_SECTIONS) return NULL;
    if (k == file->count) ++file->count;
    sherd_byte_buffer_free(&file->sections[k].deflated);
    file->sections[k] = (sherd_page_section){.name = name};
    return &file->sections[k];
}

void sherd_page_file_add(sherd_page_file *file, const char *name, const void *bytes, size_t size)
{
    sherd_page_section *made = section(file, name);
    uLongf most = compressBound((uLong)size);
    unsigned char *to = made != NULL ? sherd_byte_buffer_extend(&made->deflated, most) : NULL;
    if (to == NULL || compress2(to, &most, bytes, (uLong)size, 6) != Z_OK)
        file->failed = true;
    else
        made->deflated.size = most;
}

void sherd_page_file_add_track(sherd_page_file *file, const char *name, sherd_page_track *track)
{
    sherd_byte_buffer bytes = {0};
    sherd_page_track_encode(track, &bytes);
    if (bytes.failed)
        file->failed = true;
    else
        sherd_page_file_add(file, name, bytes.size > 0 ? bytes.bytes : (const void *)"",
                            bytes.size);
    sherd_byte_buffer_free(&bytes);
}

void sherd_page_file_free(sherd_page_file *file)
{
    for (int k = 0; k < file->count; ++k)
        sherd_byte_buffer_free(&file->sections[k].deflated);
    *file = (sherd_page_file){0};
}

int64_t sherd_page_file_size(const sherd_page_file *file)
{
    const int64_t frame = 2000; // tags
    int64_t size = frame;
    for (int k = 0; k < sherd_page_asset_count(); ++k)
        size += (int64_t)sherd_page_asset_get(k).size;
    for (int k = 0; k < file->count; ++k)
        size += 4 * (((int64_t)file->sections[k].deflated.size + 2) / 3);
    return size;
}

// ---------------------------------------------------------------- HTML

// Content security policy: everything is embedded in the page. Nothing else is loaded, and the only
// scripts are boot.js, whose hash is in page_assets.h, and the modules that it makes from the
// page's texts. Names from scenes occur only in the title, where they are escaped, and in encoded
// sections.
static const char HEAD[] =
    "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
    "script-src '" SHERD_PAGE_BOOT_HASH "' blob:; style-src 'unsafe-inline'; img-src data: blob:; ";
static const char AFTER_POLICY[] =
    "\">\n<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
    "<meta name=\"referrer\" content=\"no-referrer\">\n"
    "<link rel=\"icon\" href=\"data:,\">\n<title>";

static void write_text(sherd_file_writer *to, const char *text)
{
    sherd_byte_buffer html = {0};
    sherd_html_text(&html, text);
    sherd_file_writer_write(to, html.bytes, html.failed ? 0 : html.size);
    sherd_byte_buffer_free(&html);
}

static void write_asset(sherd_file_writer *to, const sherd_page_asset *asset)
{
    switch (asset->kind) {
    case SHERD_PAGE_STYLE:
        sherd_file_writer_text(to, "<style>\n");
        break;
    case SHERD_PAGE_MARKUP:
        break;
    case SHERD_PAGE_MODULE:
        sherd_file_writer_printf(to, "<script type=\"text/plain\" data-module=\"%s\">\n",
                                 asset->name);
        break;
    case SHERD_PAGE_BOOT:
        sherd_file_writer_text(to, "<script>");
        break;
    }
    sherd_file_writer_write(to, asset->bytes, asset->size);
    if (asset->kind == SHERD_PAGE_STYLE) sherd_file_writer_text(to, "</style>\n");
    if (asset->kind == SHERD_PAGE_MODULE || asset->kind == SHERD_PAGE_BOOT)
        sherd_file_writer_text(to, "</script>\n");
}

static void write_assets(sherd_file_writer *to, sherd_page_asset_kind kind)
{
    for (int k = 0; k < sherd_page_asset_count(); ++k) {
        sherd_page_asset asset = sherd_page_asset_get(k);
        if (asset.kind == kind) write_asset(to, &asset);
    }
}

static void write_section(sherd_file_writer *to, const sherd_page_section *s)
{
    enum { SLICE = 3 << 16 }; // whole groups of base64
    sherd_file_writer_printf(to, "<script type=\"text/plain\" data-section=\"%s\">", s->name);
    for (size_t at = 0; at < s->deflated.size; at += SLICE) {
        size_t left = s->deflated.size - at;
        sherd_byte_buffer text = {0};
        sherd_html_base64(&text, s->deflated.bytes + at, left < SLICE ? left : SLICE);
        sherd_file_writer_write(to, text.bytes, text.failed ? 0 : text.size);
        sherd_byte_buffer_free(&text);
    }
    sherd_file_writer_text(to, "</script>\n");
}

sherd_status sherd_page_file_write(const sherd_page_file *file, const char *title,
                                   sherd_page_kind kind, const char *path, sherd_error *error)
{
    sherd_file_writer *to = sherd_file_writer_create(path, error);
    if (to == NULL) return error->status;
    sherd_file_writer_text(to, HEAD);
    sherd_file_writer_text(to, kind == SHERD_PAGE_SERVED ? "connect-src 'self'; " : "");
    sherd_file_writer_text(to, "base-uri 'none'; form-action 'none'");
    sherd_file_writer_text(to, AFTER_POLICY);
    write_text(to, title);
    sherd_file_writer_text(to, "</title>\n");
    write_assets(to, SHERD_PAGE_STYLE);
    sherd_file_writer_printf(to, "</head>\n<body data-served=\"%d\">\n", kind == SHERD_PAGE_SERVED);
    write_assets(to, SHERD_PAGE_MARKUP);
    for (int k = 0; k < file->count; ++k)
        write_section(to, &file->sections[k]);
    write_assets(to, SHERD_PAGE_MODULE);
    write_assets(to, SHERD_PAGE_BOOT);
    sherd_file_writer_text(to, "</body></html>\n");
    return sherd_file_writer_commit(to, error);
}

// Reads pictures by libpng with its defaults, so checksums are checked, and shows what a viewer would: the target of `run.sh`.
//
// With the names of files as arguments, it prints the names of those that libpng reads to their end without an error. Otherwise it
// takes its inputs from AFL++.
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <fcntl.h>
#include <unistd.h>

__AFL_FUZZ_INIT();

struct input {
    const unsigned char *bytes;
    size_t left;
};

static void give(png_structp png, png_bytep out, size_t length) {
    struct input *input = png_get_io_ptr(png);
    if (length > input->left) {
        png_error(png, "the file ends here");
    }
    memcpy(out, input->bytes, length);
    input->bytes += length;
    input->left -= length;
}

static void on_error(png_structp png, png_const_charp text) {
    (void)text;
    png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp text) {
    (void)png;
    (void)text;
}

// The rows as 8 bits of red, green, blue and alpha.
static void read_rows(png_structp png, png_infop info, unsigned char **row) {
    png_set_expand(png);
    png_set_scale_16(png);
    png_set_gray_to_rgb(png);
    png_set_add_alpha(png, 255, PNG_FILLER_AFTER);
    int passes = png_set_interlace_handling(png);
    png_read_update_info(png, info);
    *row = malloc(png_get_rowbytes(png, info));
    png_uint_32 height = png_get_image_height(png, info);
    for (int pass = 0; pass < passes; pass++) {
        for (png_uint_32 at = 0; at < height; at++) {
            png_read_row(png, *row, NULL);
        }
    }
}

// 1 if libpng reads the file to its end, 0 after an error.
static int is_accepted(const unsigned char *bytes, size_t length) {
    struct input input = {bytes, length};
    unsigned char *volatile row = NULL;
    png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, on_error, on_warning);
    png_infop info = png_create_info_struct(png);
    int is_read = 0;
    if (setjmp(png_jmpbuf(png)) == 0) {
        // No limit of libpng is wider than by default.
        png_set_user_limits(png, 1000, 1000);
        png_set_read_fn(png, &input, give);
        png_read_info(png, info);
        read_rows(png, info, (unsigned char **)&row);
        png_read_end(png, info);
        is_read = 1;
    }
    free(row);
    png_destroy_read_struct(&png, &info, NULL);
    return is_read;
}

static int judge(const char *name) {
    static unsigned char bytes[1 << 20];
    FILE *file = fopen(name, "rb");
    if (file == NULL) {
        perror(name);
        return 1;
    }
    size_t length = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    if (is_accepted(bytes, length)) {
        puts(name);
    }
    return 0;
}

// The counts of a run, which outlive each process of it: executions, and those of them that were accepted.
static unsigned long *counts(void) {
    static unsigned long unseen[2];
    const char *name = getenv("READER_COUNTS");
    int file = name == NULL ? -1 : open(name, O_RDWR);
    void *seen = file < 0 ? MAP_FAILED : mmap(NULL, sizeof unseen, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    return seen == MAP_FAILED ? unseen : seen;
}

int main(int argc, char **argv) {
    int status = 0;
    for (int at = 1; at < argc; at++) {
        status |= judge(argv[at]);
    }
    if (argc > 1) {
        return status;
    }
    unsigned long *counted = counts();
    __AFL_INIT();
    unsigned char *bytes = __AFL_FUZZ_TESTCASE_BUF;
    while (__AFL_LOOP(10000)) {
        counted[0] += 1;
        counted[1] += is_accepted(bytes, __AFL_FUZZ_TESTCASE_LEN);
    }
    return 0;
}

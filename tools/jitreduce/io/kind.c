/* Knows files of other kinds by the bytes at their begin. */
#include "kind.h"

#include <stdbool.h>
#include <string.h>

#define NUMPY "; save its numbers by numpy.save"

typedef struct file_kind {
    size_t at, length;
    const char *bytes, *name, *advice;
} file_kind;

#define KIND(at_, bytes_, name_, advice_)                                                                              \
    { .at = at_, .length = sizeof bytes_ - 1, .bytes = bytes_, .name = name_, .advice = advice_ }

static const file_kind kinds[] = {
    KIND(0, "\x89PNG\r\n\x1a\n", "a PNG image", NUMPY),
    KIND(0, "\xff\xd8\xff", "a JPEG image", NUMPY),
    KIND(0, "GIF8", "a GIF image", NUMPY),
    KIND(0, "II*\0", "a TIFF image", NUMPY),
    KIND(0, "MM\0*", "a TIFF image", NUMPY),
    KIND(0, "%PDF-", "a PDF document", ""),
    KIND(0, "PAR1", "a Parquet file", "; pandas.read_parquet(...).to_csv() makes a text of it"),
    KIND(0, "ARROW1", "an Arrow (Feather) file", "; pandas.read_feather(...).to_csv() makes a text of it"),
    KIND(0, "\x89HDF\r\n\x1a\n", "an HDF5 file", "; h5py reads it, numpy.save writes a data set of it"),
    KIND(0, "CDF\x01", "a NetCDF file", NUMPY),
    KIND(0, "CDF\x02", "a NetCDF file", NUMPY),
    KIND(0, "SQLite format 3", "an SQLite database", "; sqlite3 -csv writes a text of it"),
    KIND(0, "MATLAB 5.0 MAT-file", "a MATLAB file", "; scipy.io.loadmat reads it, numpy.save writes an array"),
    KIND(0, "PK\x05\x06", "an empty zip archive", ""),
    KIND(0, "BZh", "a bzip2 file", "; bzip2 -dc unpacks it into a pipe"),
    KIND(0,
         "\xfd"
         "7zXZ\0",
         "an xz file", "; xz -dc unpacks it into a pipe"),
    KIND(0, "7z\xbc\xaf\x27\x1c", "a 7z archive", ""),
    KIND(0, "\x04\x22\x4d\x18", "an lz4 file", "; lz4 -dc unpacks it into a pipe"),
    KIND(0,
         "\x7f"
         "ELF",
         "an ELF program or library", ""),
    KIND(0, "\x80\x04\x95", "a Python pickle", NUMPY),
    KIND(0, "RIFF", "a RIFF file (WAV, AVI)", NUMPY),
    KIND(0, "\xd0\xcf\x11\xe0", "an old Office document", "; save it as CSV"),
    KIND(0, "\xff\xfe", "a text in UTF-16", "; iconv -f UTF-16 -t UTF-8 makes one that is read"),
    KIND(0, "\xfe\xff", "a text in UTF-16", "; iconv -f UTF-16 -t UTF-8 makes one that is read"),
    KIND(257, "ustar", "a tar archive", ""),
};

static const char little[] = "a text in UTF-16 (little-endian)", big[] = "a text in UTF-16 (big-endian)";

static bool is_printable(char c) {
    return c >= ' ' && c <= '~';
}

/* Two characters of UTF-16 without a byte order mark, whose low bytes stand at `low` of each. */
static bool is_wide(const char *bytes, size_t count, size_t low) {
    return count >= 4 && is_printable(bytes[low]) && is_printable(bytes[2 + low]) && bytes[1 - low] == 0 &&
           bytes[3 - low] == 0;
}

const char *cli_file_kind(const char *bytes, size_t count) {
    if (is_wide(bytes, count, 0)) return little;
    if (is_wide(bytes, count, 1)) return big;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const file_kind *kind = &kinds[i];
        if (count >= kind->at + kind->length && memcmp(bytes + kind->at, kind->bytes, kind->length) == 0)
            return kind->name;
    }
    return NULL;
}

const char *cli_file_advice(const char *name) {
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (kinds[i].name == name) return kinds[i].advice;
    if (name == little) return "; iconv -f UTF-16LE -t UTF-8 makes one that is read";
    return name == big ? "; iconv -f UTF-16BE -t UTF-8 makes one that is read" : "";
}

/* Writes the demo's data on standard output: a .npy file with an hourly temperature for each of 1 048 576 hours.
 *
 * 119 years of invented weather: a yearly and a daily wave, a slow warming, cold spells and noise. The same bytes on
 * every run on every machine that rounds as IEEE 754 says. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { HOURS = 1 << 20, HEADER_BYTES = 128 };

/* A number in [-1, 1): one step of a 64-bit linear congruential generator (Knuth's MMIX constants). */
static double noise(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) / 4503599627370496.0 - 1.0;
}

int main(void) {
    char header[HEADER_BYTES];
    memset(header, ' ', sizeof header);
    static const char start[] =
        "\x93NUMPY\x01\x00\x76\x00{'descr': '<f4', 'fortran_order': False, 'shape': (1048576,), }";
    memcpy(header, start, sizeof start - 1);
    header[HEADER_BYTES - 1] = '\n';
    fwrite(header, 1, sizeof header, stdout);

    const double turn = 6.283185307179586;
    uint64_t state = 1899;
    double spell = 0;
    for (int hour = 0; hour < HOURS; hour++) {
        spell = 0.995 * spell + 0.4 * noise(&state);
        double year = hour / 8766.0;
        double celsius = 9.0 + 0.01 * year - 11.0 * cos(turn * year) - 4.0 * cos(turn * (hour % 24 - 3) / 24.0) + spell;
        float element = (float)(round(celsius * 10.0) / 10.0);
        fwrite(&element, sizeof element, 1, stdout);
    }
    return fflush(stdout) == EOF || ferror(stdout);
}

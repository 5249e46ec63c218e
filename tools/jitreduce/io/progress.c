/* Draws the bar, and takes it off again. */
#include "progress.h"

#include <stdio.h>
#include <unistd.h>

#include "base/cli_clock.h"
#include "base/cli_settings.h"

cli_progress cli_progress_of(const cli_options *options) {
    const double first_s = 0.3; /* what takes less has no bar */
    return (cli_progress){.shows = !options->quiet && isatty(STDERR_FILENO) == 1,
                          .plain = cli_settings_plain_terminal(),
                          .next_s = cli_now_s() + first_s};
}

/* A line at each new tenth, none for what has no share. */
static void tell_plain(cli_progress *progress, double share, const char *text) {
    const int tenths = (int)(share * 10);
    if (share < 0 || tenths <= progress->tenths) return;
    progress->tenths = tenths;
    fprintf(stderr, "%d %% %s\n", 10 * tenths, text);
}

static void draw(double share, const char *text) {
    enum { WIDTH = 20 };
    static const char full[] = "####################", empty[] = "....................";
    const int filled = (int)(share * WIDTH);
    if (share < 0)
        fprintf(stderr, "\r%s\033[K", text);
    else
        fprintf(stderr, "\r[%.*s%.*s] %3d %%  %s\033[K", filled, full, WIDTH - filled, empty, (int)(share * 100), text);
}

void cli_progress_show(cli_progress *progress, double share, const char *text) {
    const double between_s = 0.1;
    if (!progress->shows) return;
    const double now = cli_now_s();
    if (now < progress->next_s) return;
    progress->next_s = now + between_s;
    if (share > 1) share = 1;
    if (progress->plain)
        tell_plain(progress, share, text);
    else
        draw(share, text);
    progress->drawn = !progress->plain;
    fflush(stderr);
}

void cli_progress_reading(cli_progress *progress, const cli_source *source) {
    char text[128];
    if (progress == NULL || !progress->shows) return;
    const bool known = source->file_bytes > 0;
    snprintf(text, sizeof text, "reading %.60s: %llu MB", source->name,
             (unsigned long long)(source->read_bytes / 1000000));
    cli_progress_show(progress, known ? (double)source->read_bytes / (double)source->file_bytes : -1, text);
}

void cli_progress_end(cli_progress *progress) {
    if (progress->drawn) fputs("\r\033[K", stderr);
    progress->drawn = false;
}

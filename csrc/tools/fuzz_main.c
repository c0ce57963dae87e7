/* Runs a fuzz target on the files named, or on all files of the folders named: a corpus can then be
 * replayed by any compiler, with any sanitizer. */
#define _POSIX_C_SOURCE 200809L
#include "fuzz_input.h"

#include <dirent.h>
#include <string.h>
#include <sys/stat.h>

enum { PATH_ROOM = 4096, FILE_ROOM = 1 << 16 };

static int runs;

static int run_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    uint8_t *data = malloc(FILE_ROOM);
    if (!file || !data) {
        perror(path);
        if (file) fclose(file);
        free(data);
        return 1;
    }
    size_t size = fread(data, 1, FILE_ROOM, file);
    fclose(file);
    /* A copy of exactly this size, so that a sanitizer sees reads past the end. */
    uint8_t *exact = malloc(size ? size : 1);
    if (exact) {
        memcpy(exact, data, size);
        LLVMFuzzerTestOneInput(exact, size);
        runs++;
    }
    free(exact);
    free(data);
    return !exact;
}

static int run_folder(DIR *folder, const char *path)
{
    int failed = 0;
    for (struct dirent *entry; (entry = readdir(folder));) {
        char inner[PATH_ROOM];
        if (entry->d_name[0] == '.') continue;
        int length = snprintf(inner, sizeof inner, "%s/%s", path, entry->d_name);
        failed |= length >= PATH_ROOM ? 1 : run_file(inner);
    }
    return failed;
}

int main(int argc, char **argv)
{
    int failed = 0;
    for (int i = 1; i < argc; i++) {
        DIR *folder = opendir(argv[i]);
        failed |= folder ? run_folder(folder, argv[i]) : run_file(argv[i]);
        if (folder) closedir(folder);
    }
    printf("%d inputs\n", runs);
    return failed || !runs;
}

/* A client of `basra serve` in plain C: starts it, says hello, asks what to play, prints the answer.
 *
 *     cc -std=c11 -o serve_client serve_client.c
 *     ./serve_client                  # or the words of another command: ./serve_client python3 -m basra serve
 *
 * A request is one line of JSON, and so is an answer; docs/protocol.md has all of them.  This program
 * writes requests as text and looks for the two things that it wants in the answers, which is enough
 * here.  A larger one should use a library for JSON.
 */
#define _POSIX_C_SOURCE 200809L

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

/* Starts a command with two pipes: what is written to *requests it reads, what it says is in *answers. */
static pid_t start(char *const words[], FILE **requests, FILE **answers)
{
    int in[2], out[2];
    if (pipe(in) || pipe(out)) return -1;
    pid_t child = fork();
    if (child == 0) {
        dup2(in[0], STDIN_FILENO);
        dup2(out[1], STDOUT_FILENO);
        close(in[0]);
        close(in[1]);
        close(out[0]);
        close(out[1]);
        execvp(words[0], words);
        perror(words[0]);
        _exit(127);
    }
    close(in[0]);
    close(out[1]);
    *requests = fdopen(in[1], "w");
    *answers = fdopen(out[0], "r");
    return child;
}

/* Reads answers up to the final one to the request with this id, and gives that; NULL if the server has
 * ended.  Partial answers, with "final":false, come before it, and answers to other requests may. */
static char *final_answer(FILE *answers, int id, char **line, size_t *size)
{
    char start[40];
    snprintf(start, sizeof start, "{\"id\":%d,", id);
    while (getline(line, size, answers) > 0) {
        if (!strncmp(*line, start, strlen(start)) && strstr(*line, "\"final\":true")) return *line;
    }
    return NULL;
}

/* The text after a key such as "move", up to the next quotation mark; NULL if there is no such key.
 * Ends the text where it ends. */
static char *text_after(char *json, const char *key)
{
    char wanted[40];
    snprintf(wanted, sizeof wanted, "\"%s\":\"", key);
    char *found = strstr(json, wanted);
    if (!found) return NULL;
    found += strlen(wanted);
    found[strcspn(found, "\"")] = '\0';
    return found;
}

int main(int count, char *arguments[])
{
    /* Writing to a server that has ended is to be an error, not our end. */
    signal(SIGPIPE, SIG_IGN);
    char *usual[] = {"basra", "serve", NULL};
    FILE *requests, *answers;
    pid_t server = start(count > 1 ? arguments + 1 : usual, &requests, &answers);
    if (server < 0) return EXIT_FAILURE;

    /* Two requests in a row: nothing has to be waited for.  What is not flushed is not sent. */
    fputs("{\"id\": 1, \"type\": \"hello\", \"protocol\": 1}\n", requests);
    fputs("{\"id\": 2, \"type\": \"analyze\", \"limits\": {\"time\": 1}, \"every\": 0.25,"
          " \"position\": {\"hand\": \"7D 5C KH 2S\", \"floor\": \"3C 2H 5S\"}}\n",
          requests);
    fflush(requests);

    char *line = NULL;
    size_t size = 0;
    int status = EXIT_FAILURE;
    char *hello = final_answer(answers, 1, &line, &size);
    char *version = hello ? text_after(hello, "version") : NULL;
    if (version) printf("basra %s\n", version);
    /* Moves come best first, so the first one in the answer is the best. */
    char *analysis = final_answer(answers, 2, &line, &size);
    char *best = analysis ? text_after(analysis, "move") : NULL;
    if (best) {
        printf("best move: %s\n", best);
        status = EXIT_SUCCESS;
    } else if (analysis) {
        fprintf(stderr, "no move: %s", analysis);
    }

    /* The end of its input ends the server, once all is answered. */
    fclose(requests);
    fclose(answers);
    free(line);
    waitpid(server, NULL, 0);
    return status;
}

/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * An MPI program that knows nothing of HiTopo at link time: each argument is a split of MPI_COMM_WORLD, for
 * which rank 0 prints the sizes of all ranks' new communicators, 0 for none, - after an error:
 *
 *     socket          MPI_COMM_TYPE_HW_GUIDED with this value
 *     L3Cache@1       likewise, but rank 1 has an info object without the key; @1- one that is MPI_INFO_NULL
 *     core,Package    odd ranks have the second value
 *     type:6          the split type of this number, without info
 *     unguided        MPI_COMM_TYPE_HW_UNGUIDED
 *     within:Package  none: those after it split this process's part of MPI_COMM_WORLD
 *     fatal           none: an error ends the job from here on
 *     end             none: those after it come in MPI_Finalize, from a delete function of MPI_COMM_SELF's
 *     fail            none, the last: that function returns an error
 */
#include <stdlib.h>
#include <string.h>

#include "test/mpi/split/print_sizes.h"

/* Open MPI 6's numbers. */
#define HW_UNGUIDED 12
#define HW_GUIDED 13

static int rank, size;
static MPI_Comm parent = MPI_COMM_WORLD;

static MPI_Info make_info(char *word)
{
    MPI_Info info;
    char *at = strchr(word, '@'), *comma = strchr(word, ',');
    const int is_without = NULL != at && atoi(at + 1) == rank;

    if (NULL != at) {
        const int is_null = '-' == at[strlen(at) - 1];
        *at = '\0';
        if (is_without && is_null) {
            return MPI_INFO_NULL;
        }
    }
    if (NULL != comma) {
        *comma = '\0';
        word = rank % 2 ? comma + 1 : word;
    }
    MPI_Info_create(&info);
    if (!is_without) {
        MPI_Info_set(info, "mpi_hw_resource_type", word);
    }
    return info;
}

static int split_guided(char *word, MPI_Comm *newcomm)
{
    MPI_Info info = make_info(word);
    const int code = MPI_Comm_split_type(parent, HW_GUIDED, rank, info, newcomm);

    if (MPI_INFO_NULL != info) {
        MPI_Info_free(&info);
    }
    return code;
}

/* The size of this process's new communicator, 0 for none, -1 after an error. */
static int split(const char *argument)
{
    char word[256];
    int code, new_size = 0;
    MPI_Comm newcomm = MPI_COMM_NULL;

    snprintf(word, sizeof(word), "%s", argument);
    if (0 == strncmp(word, "type:", 5) || 0 == strcmp(word, "unguided")) {
        const int split_type = 't' == word[0] ? atoi(word + 5) : HW_UNGUIDED;
        code = MPI_Comm_split_type(parent, split_type, rank, MPI_INFO_NULL, &newcomm);
    } else {
        code = split_guided(word, &newcomm);
    }
    if (MPI_SUCCESS != code) {
        return -1;
    }
    if (MPI_COMM_NULL != newcomm) {
        MPI_Comm_size(newcomm, &new_size);
        MPI_Comm_free(&newcomm);
    }
    return new_size;
}

static int is_word(const char *argument, const char *word)
{
    return NULL != argument && 0 == strcmp(argument, word);
}

/* The argument that ended it. */
static char *const *split_each(char *const *argument)
{
    for (; NULL != *argument && !is_word(*argument, "end") && !is_word(*argument, "fail"); ++argument) {
        if (is_word(*argument, "fatal")) {
            MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
            continue;
        }
        if (0 == strncmp(*argument, "within:", 7)) {
            split_guided(*argument + 7, &parent);
            continue;
        }
        print_sizes(parent, *argument, split(*argument));
    }
    return argument;
}

static int at_end(MPI_Comm comm, int key, void *arguments, void *extra)
{
    (void) comm;
    (void) key;
    (void) extra;
    return is_word(*split_each(arguments), "fail") ? MPI_ERR_OTHER : MPI_SUCCESS;
}

static void split_at_end(char *const *arguments)
{
    int keyval;

    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, at_end, &keyval, NULL);
    MPI_Comm_set_attr(MPI_COMM_SELF, keyval, (void *) arguments);
    MPI_Comm_free_keyval(&keyval);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    char *const *last = size <= MAX_RANKS ? split_each(argv + 1) : argv + argc;
    if (is_word(*last, "end")) {
        split_at_end(last + 1);
    }
    MPI_Finalize();
    return 0;
}

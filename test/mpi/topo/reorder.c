/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * A program that knows nothing of HiTopo: makes grids and graphs with reorder = 1 and checks what MPI promises of them.
 *
 *     reorder cart DIMS          8x4p; at rank 0 prints the WORLD rank of each new rank
 *     reorder graph SEED         a random graph, which each process has as a whole
 *     reorder dist SEED          one of which each process tells some edges, its own or others'
 *     reorder often NUM          makes and frees some, NUM times
 *
 * Where there are several, one after the other, each line begins with its two words: "cart 8x4p: ".
 */
#include "test/mpi/topo/reorder.h"

#include "test/mpi/table/resident.h"

enum { MAX_DIMS = 6 };

static int world_rank, world_size;
static char label[64];

/* ---- who is where ---- */

/* "cart: 0 4 1 5": the rank in `old` of each new rank. */
static void print_ranks(const char *what, MPI_Comm old, MPI_Comm made)
{
    int own, rank, size;

    MPI_Comm_rank(old, &own);
    MPI_Comm_rank(made, &rank);
    MPI_Comm_size(made, &size);
    int *ranks = malloc((size_t) size * sizeof(*ranks));
    MPI_Gather(&own, 1, MPI_INT, ranks, 1, MPI_INT, 0, made);
    if (0 == rank) {
        printf("%s%s:", label, what);
        for (int i = 0; i < size; ++i) {
            printf(" %d", ranks[i]);
        }
        printf("\n");
        fflush(stdout);
    }
    free(ranks);
}

/* ---- grids ---- */

typedef struct grid_t {
    int num_dims, num_cells, dims[MAX_DIMS], periods[MAX_DIMS];
} grid_t;

static grid_t parse_grid(const char *text)
{
    grid_t grid = {.num_dims = 0, .num_cells = 1};

    for (char *end; '\0' != *text && grid.num_dims < MAX_DIMS; ++grid.num_dims) {
        grid.dims[grid.num_dims] = (int) strtol(text, &end, 10);
        grid.num_cells *= grid.dims[grid.num_dims];
        grid.periods[grid.num_dims] = 'p' == *end;
        text = end + ('p' == *end);
        text += 'x' == *text;
    }
    return grid;
}

static void check_cart(MPI_Comm cart, const grid_t *grid)
{
    int dims[MAX_DIMS], periods[MAX_DIMS], coords[MAX_DIMS], own[MAX_DIMS], rank, same, sources[2 * MAX_DIMS];

    MPI_Comm_rank(cart, &rank);
    MPI_Cart_get(cart, grid->num_dims, dims, periods, coords);
    MPI_Cart_coords(cart, rank, grid->num_dims, own);
    MPI_Cart_rank(cart, coords, &same);
    CHECK(same == rank);
    for (int d = 0; d < grid->num_dims; ++d) {
        CHECK(dims[d] == grid->dims[d] && periods[d] == grid->periods[d] && coords[d] == own[d]);
        MPI_Cart_shift(cart, d, 1, &sources[2 * d], &sources[2 * d + 1]);
    }
    check_neighbours(cart, 2 * grid->num_dims, sources, 2 * grid->num_dims);
}

/* Rows of a grid: the same row for who shares all but the last coordinate. */
static void check_sub(MPI_Comm cart, const grid_t *grid)
{
    int remain[MAX_DIMS] = {0}, coords[MAX_DIMS], rank, size;
    MPI_Comm row;

    remain[grid->num_dims - 1] = 1;
    MPI_Comm_rank(cart, &rank);
    MPI_Cart_coords(cart, rank, grid->num_dims, coords);
    MPI_Cart_sub(cart, remain, &row);
    MPI_Comm_rank(row, &rank);
    MPI_Comm_size(row, &size);
    CHECK(size == grid->dims[grid->num_dims - 1] && rank == coords[grid->num_dims - 1]);
    MPI_Comm_free(&row);
}

static MPI_Comm make_cart(MPI_Comm comm, const grid_t *grid, int reorder)
{
    MPI_Comm cart = MPI_COMM_WORLD;
    int rank;

    MPI_Comm_rank(comm, &rank);
    CHECK(MPI_SUCCESS == MPI_Cart_create(comm, grid->num_dims, grid->dims, grid->periods, reorder, &cart));
    CHECK((MPI_COMM_NULL == cart) == (rank >= grid->num_cells));
    return cart;
}

static void try_cart(const char *dims)
{
    const grid_t grid = parse_grid(dims);
    int mapped = -2, rank;
    MPI_Comm cart = make_cart(MPI_COMM_WORLD, &grid, 1);

    MPI_Cart_map(MPI_COMM_WORLD, grid.num_dims, grid.dims, grid.periods, &mapped);
    if (MPI_COMM_NULL != cart) {
        MPI_Comm_rank(cart, &rank);
        check_cart(cart, &grid);
        check_sub(cart, &grid);
        print_ranks("cart", MPI_COMM_WORLD, cart);
        const int is_same = mapped == rank;
        int are_same;
        MPI_Reduce(&is_same, &are_same, 1, MPI_INT, MPI_LAND, 0, cart);
        if (0 == rank) {
            printf("%sMPI_Cart_map says %s\n", label, are_same ? "the same" : "something else");
        }
        MPI_Comm_free(&cart);
    } else {
        printf("%soutside: MPI_Cart_map gives %s\n", label, MPI_UNDEFINED == mapped ? "MPI_UNDEFINED" : "a rank");
    }
    cart = make_cart(MPI_COMM_WORLD, &grid, 0);
    if (MPI_COMM_NULL != cart) {
        MPI_Comm_rank(cart, &rank);
        CHECK(rank == world_rank);
        check_cart(cart, &grid);
        MPI_Comm_free(&cart);
    }
}

/* Backwards: a communicator whose ranks are not those of MPI_COMM_WORLD. */
static void try_reversed(const char *dims)
{
    const grid_t grid = parse_grid(dims);
    MPI_Comm reversed, cart;

    MPI_Comm_split(MPI_COMM_WORLD, 0, -world_rank, &reversed);
    cart = make_cart(reversed, &grid, 1);
    if (MPI_COMM_NULL != cart) {
        check_cart(cart, &grid);
        print_ranks("reversed", MPI_COMM_WORLD, cart);
        MPI_Comm_free(&cart);
    }
    MPI_Comm_free(&reversed);
}

static void try_wrong_grids(void)
{
    const int too_many[] = {world_size + 1}, negative[] = {-1, 2}, periods[] = {0, 0};
    MPI_Comm cart;

    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    CHECK(MPI_SUCCESS != MPI_Cart_create(MPI_COMM_WORLD, 1, too_many, periods, 1, &cart));
    CHECK(MPI_SUCCESS != MPI_Cart_create(MPI_COMM_WORLD, 2, negative, periods, 1, &cart));
    CHECK(MPI_SUCCESS == MPI_Cart_create(MPI_COMM_WORLD, 0, NULL, NULL, 1, &cart));
    if (MPI_COMM_NULL != cart) {
        MPI_Comm_free(&cart);
    }
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

/* ---- graphs ---- */

static void try_graph(unsigned seed)
{
    int *matrix = random_graph(world_size, seed, 1), *index = malloc((size_t) world_size * sizeof(int));
    int *edges = malloc((size_t) world_size * (size_t) world_size * sizeof(int)), num = 0, rank, mapped, count;
    MPI_Comm graph;

    for (int i = 0; i < world_size; ++i) {
        list_t list = list_of(matrix, world_size, i, 1, 0);
        memcpy(edges + num, list.ranks, (size_t) list.degree * sizeof(int));
        index[i] = num += list.degree;
        free_list(&list);
    }
    MPI_Graph_create(MPI_COMM_WORLD, world_size, index, edges, 1, &graph);
    MPI_Graph_map(MPI_COMM_WORLD, world_size, index, edges, &mapped);
    MPI_Comm_rank(graph, &rank);
    MPI_Graph_neighbors_count(graph, rank, &count);
    list_t list = list_of(matrix, world_size, rank, 1, 0);
    CHECK(count == list.degree);
    check_neighbours(graph, count, list.ranks, count);
    print_ranks("graph", MPI_COMM_WORLD, graph);
    int is_same = mapped == rank, are_same;
    MPI_Reduce(&is_same, &are_same, 1, MPI_INT, MPI_LAND, 0, graph);
    if (0 == rank) {
        printf("%sMPI_Graph_map says %s\n", label, are_same ? "the same" : "something else");
    }
    free_list(&list);
    MPI_Comm_free(&graph);
    free(matrix);
    free(index);
    free(edges);
}

/* Weights: with or without. is_ordered: the lists are those that were passed, in their order; else the same pairs. */
static void check_lists(MPI_Comm graph, const int *matrix, int is_weighted, int is_ordered)
{
    int rank, indegree, outdegree, weighted;

    MPI_Comm_rank(graph, &rank);
    MPI_Dist_graph_neighbors_count(graph, &indegree, &outdegree, &weighted);
    list_t in = list_of(matrix, world_size, rank, 0, 1), out = list_of(matrix, world_size, rank, 1, 0);
    CHECK(indegree == in.degree && outdegree == out.degree && weighted == is_weighted);
    int *got = calloc(4 * (size_t) (indegree + outdegree + 1), sizeof(int));
    int *sources = got, *in_weights = sources + indegree, *targets = in_weights + indegree,
        *out_weights = targets + outdegree;
    MPI_Dist_graph_neighbors(graph, indegree, sources, is_weighted ? in_weights : unweighted(), outdegree, targets,
                             is_weighted ? out_weights : unweighted());
    for (int i = 0; i < indegree; ++i) {
        CHECK(0 != matrix[sources[i] * world_size + rank]);
        CHECK(!is_ordered || sources[i] == in.ranks[i]);
        CHECK(!is_weighted || in_weights[i] == matrix[sources[i] * world_size + rank]);
    }
    for (int i = 0; i < outdegree; ++i) {
        CHECK(0 != matrix[rank * world_size + targets[i]]);
        CHECK(!is_ordered || targets[i] == out.ranks[i]);
        CHECK(!is_weighted || out_weights[i] == matrix[rank * world_size + targets[i]]);
    }
    check_neighbours(graph, indegree, sources, outdegree);
    free(got);
    free_list(&in);
    free_list(&out);
}

static void try_adjacent(const int *matrix, int is_weighted)
{
    list_t in = list_of(matrix, world_size, world_rank, 0, 1), out = list_of(matrix, world_size, world_rank, 1, 0);
    MPI_Comm graph;

    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, in.degree, in.ranks, weights_of(&in, is_weighted), out.degree,
                                   out.ranks, weights_of(&out, is_weighted), MPI_INFO_NULL, 1, &graph);
    check_lists(graph, matrix, is_weighted, 1);
    print_ranks("adjacent", MPI_COMM_WORLD, graph);
    MPI_Comm_free(&graph);
    free_list(&in);
    free_list(&out);
}

/* Each process tells the edges of the next vertex; the last one also tells nothing but has an info. */
static void try_general(const int *matrix, int is_weighted)
{
    const int vertex = (world_rank + 1) % world_size;
    list_t out = list_of(matrix, world_size, vertex, 1, 0);
    MPI_Comm graph;
    MPI_Info info;

    MPI_Info_create(&info);
    MPI_Info_set(info, "hitopo_test", "yes");
    MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &vertex, &out.degree, out.ranks, is_weighted ? out.weights : unweighted(),
                          info, 1, &graph);
    check_lists(graph, matrix, is_weighted, 0);
    print_ranks("general", MPI_COMM_WORLD, graph);
    MPI_Info_free(&info);
    MPI_Comm_free(&graph);
    free_list(&out);
}

static void try_dist(unsigned seed)
{
    int *matrix = random_graph(world_size, seed, 0);

    for (int is_weighted = 0; is_weighted < 2; ++is_weighted) {
        try_adjacent(matrix, is_weighted);
        try_general(matrix, is_weighted);
    }
    free(matrix);
}

static void make_once(const int *matrix)
{
    const int dims[] = {world_size}, periods[] = {1};
    list_t in = list_of(matrix, world_size, world_rank, 0, 1), out = list_of(matrix, world_size, world_rank, 1, 0);
    MPI_Comm cart, graph;

    MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 1, &cart);
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, in.degree, in.ranks, unweighted(), out.degree, out.ranks,
                                   unweighted(), MPI_INFO_NULL, 1, &graph);
    MPI_Comm_free(&graph);
    MPI_Comm_free(&cart);
    free_list(&in);
    free_list(&out);
}

/* The round that grew least of five counts: Open MPI itself takes memory at any time. */
static void try_often(int num)
{
    int *matrix = random_graph(world_size, 1, 0);
    long least = 1 << 30;

    for (int round = 0; round < 6; ++round) {
        const long before = resident_kib();
        for (int i = 0; i < num; ++i) {
            make_once(matrix);
        }
        const long grown = resident_kib() - before;
        least = 0 < round && grown < least ? grown : least;
    }
    long most;
    MPI_Reduce(&least, &most, 1, MPI_LONG, MPI_MAX, 0, MPI_COMM_WORLD);
    if (0 == world_rank) {
        printf("%sgrown: %ld KB in %d\n", label, most, num);
    }
    free(matrix);
}

static void try_one(const char *what, const char *argument)
{
    if (0 == strcmp(what, "cart")) {
        try_cart(argument);
        try_reversed(argument);
        try_wrong_grids();
    } else if (0 == strcmp(what, "graph")) {
        try_graph((unsigned) atoi(argument));
    } else if (0 == strcmp(what, "dist")) {
        try_dist((unsigned) atoi(argument));
    } else if (0 == strcmp(what, "often")) {
        try_often(atoi(argument));
    } else {
        fprintf(stderr, "usage: reorder (cart DIMS | graph SEED | dist SEED | often NUM)..\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &world_size);
    for (int i = 1; i + 1 < argc; i += 2) {
        if (3 < argc) {
            snprintf(label, sizeof(label), "%s %s: ", argv[i], argv[i + 1]);
        }
        try_one(argv[i], argv[i + 1]);
    }
    MPI_Finalize();
    return 0;
}

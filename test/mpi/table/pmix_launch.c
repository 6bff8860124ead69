/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * pmix_launch NUM PROGRAM [ARGUMENT...]: a host environment of its own. Starts NUM processes of a job on
 * this node as their PMIx server, and tells them of a fabric what no launcher at hand tells. It is made up
 * here; PMIX_LAUNCH_FABRIC says how much of it is told, and pmix.sh what HiTopo shall make of it.
 */
#include <pmix.h>
#include <pmix_server.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const pmix_nspace_t job = "hitopo-pmix-launch";
static char host[256];

static void check(pmix_status_t status, const char *what)
{
    if (status != PMIX_SUCCESS && status != PMIX_OPERATION_SUCCEEDED) {
        fprintf(stderr, "pmix_launch: %s: %s\n", what, PMIx_Error_string(status));
        exit(2);
    }
}

/* ---- lists of PMIx's key and value ---- */

static void add(void *list, const char *key, const void *value, pmix_data_type_t type)
{
    check(PMIx_Info_list_add(list, key, value, type), key);
}

static void add_number(void *list, const char *key, uint32_t number)
{
    add(list, key, &number, PMIX_UINT32);
}

static void add_rank(void *list, const char *key, uint16_t number)
{
    add(list, key, &number, PMIX_UINT16);
}

/* Adds what `inner` lists as one array, and releases it. */
static void add_list(void *list, const char *key, void *inner)
{
    pmix_data_array_t array;
    check(PMIx_Info_list_convert(inner, &array), key);
    add(list, key, &array, PMIX_DATA_ARRAY);
    PMIx_Info_list_release(inner);
}

/* ---- the fabric ---- */

static void *one_switch(const char *device, const char *switch_id)
{
    void *peers = PMIx_Info_list_start();
    add(peers, PMIX_DEVICE_ID, device, PMIX_STRING);
    add(peers, PMIX_FABRIC_SWITCH, switch_id, PMIX_STRING);
    add(peers, PMIX_SWITCH_PEERS, "0,1", PMIX_STRING);
    return peers;
}

static void add_switches(void *process)
{
    void *devices = PMIx_Info_list_start();
    add_list(devices, PMIX_SWITCH_PEERS, one_switch("fab0", "s12"));
    add_list(devices, PMIX_SWITCH_PEERS, one_switch("fab1", "s3"));
    add_list(process, PMIX_SWITCH_PEERS, devices);
}

/* Two devices, at 4.1.0 and 4.2.0 in the logical view and elsewhere in the physical one. */
static void add_coordinates(void *node)
{
    static uint32_t logical[2][3] = {{4, 1, 0}, {4, 2, 0}}, physical[3] = {9, 9, 9};
    static char *const names[2] = {"fab0", "fab1"};
    pmix_coord_t views[2][2];
    pmix_geometry_t devices[2];
    memset(devices, 0, sizeof(devices));
    for (int i = 0; i < 2; ++i) {
        views[i][0] = (pmix_coord_t){.view = PMIX_COORD_PHYSICAL_VIEW, .coord = physical, .dims = 3};
        views[i][1] = (pmix_coord_t){.view = PMIX_COORD_LOGICAL_VIEW, .coord = logical[i], .dims = 3};
        devices[i].uuid = names[i];
        devices[i].osname = names[i];
        devices[i].coordinates = views[i];
        devices[i].ncoords = 2;
    }
    pmix_data_array_t array = {.type = PMIX_GEOMETRY, .size = 2, .array = devices};
    add(node, PMIX_FABRIC_COORDINATES, &array, PMIX_DATA_ARRAY);
}

/* PMIX_LAUNCH_FABRIC is "groups", "switches", "coordinates", or several of them. */
static int has(const char *what)
{
    const char *wanted = getenv("PMIX_LAUNCH_FABRIC");
    return wanted != NULL && strstr(wanted, what) != NULL;
}

/* ---- the job ---- */

static void add_maps(void *info, int num)
{
    char ranks[256] = "", *regex;
    for (int i = 0; i < num; ++i) {
        snprintf(ranks + strlen(ranks), sizeof(ranks) - strlen(ranks), "%s%d", i > 0 ? "," : "", i);
    }
    add(info, PMIX_LOCAL_PEERS, ranks, PMIX_STRING);
    check(PMIx_generate_regex(host, &regex), "regex");
    add(info, PMIX_NODE_MAP, regex, PMIX_REGEX);
    check(PMIx_generate_ppn(ranks, &regex), "ppn");
    add(info, PMIX_PROC_MAP, regex, PMIX_REGEX);
}

static void *process(int rank)
{
    void *info = PMIx_Info_list_start();
    const pmix_rank_t number = (pmix_rank_t) rank;
    add(info, PMIX_RANK, &number, PMIX_PROC_RANK);
    add_rank(info, PMIX_LOCAL_RANK, (uint16_t) rank);
    add_rank(info, PMIX_NODE_RANK, (uint16_t) rank);
    add(info, PMIX_HOSTNAME, host, PMIX_STRING);
    add_number(info, PMIX_NODEID, 17);
    if (has("switches")) {
        add_switches(info);
    }
    return info;
}

static void register_job(int num)
{
    void *info = PMIx_Info_list_start(), *node = PMIx_Info_list_start();
    pmix_data_array_t array;
    char groups[512];
    add_number(info, PMIX_JOB_SIZE, (uint32_t) num);
    add_number(info, PMIX_UNIV_SIZE, (uint32_t) num);
    add_number(info, PMIX_MAX_PROCS, (uint32_t) num);
    add_number(info, PMIX_LOCAL_SIZE, (uint32_t) num);
    add_number(info, PMIX_NODE_SIZE, (uint32_t) num);
    add_number(info, PMIX_NUM_NODES, 1);
    add_maps(info, num);
    if (has("groups")) {
        snprintf(groups, sizeof(groups), "7:elsewhere;12:other,%s", host);
        add(info, PMIX_FABRIC_GROUPS, groups, PMIX_STRING);
    }
    add(node, PMIX_HOSTNAME, host, PMIX_STRING);
    if (has("coordinates")) {
        add_coordinates(node);
    }
    add_list(info, PMIX_NODE_INFO_ARRAY, node);
    for (int i = 0; i < num; ++i) {
        add_list(info, PMIX_PROC_INFO_ARRAY, process(i));
    }
    check(PMIx_Info_list_convert(info, &array), "the job");
    check(PMIx_server_register_nspace(job, num, array.array, array.size, NULL, NULL), "register_nspace");
    PMIx_Info_list_release(info);
}

static pid_t start(int rank, char **program)
{
    pmix_proc_t client;
    char **variables = NULL;
    PMIX_LOAD_PROCID(&client, job, (pmix_rank_t) rank);
    check(PMIx_server_register_client(&client, getuid(), getgid(), NULL, NULL, NULL), "register_client");
    check(PMIx_server_setup_fork(&client, &variables), "setup_fork");
    pid_t child = fork();
    if (child == 0) {
        for (char **variable = variables; variable != NULL && *variable != NULL; ++variable) {
            putenv(*variable);
        }
        execvp(program[0], program);
        _exit(127);
    }
    return child;
}

/* ---- what clients ask their server for ---- */

static pmix_status_t client_came(const pmix_proc_t *proc, void *object, pmix_op_cbfunc_t done, void *data)
{
    (void) proc, (void) object, (void) done, (void) data;
    return PMIX_OPERATION_SUCCEEDED;
}

/* All processes are here: what they contributed is all there is. */
static pmix_status_t fence(const pmix_proc_t procs[], size_t num, const pmix_info_t info[], size_t num_info,
                           char *bytes, size_t size, pmix_modex_cbfunc_t done, void *data)
{
    (void) procs, (void) num, (void) info, (void) num_info;
    done(PMIX_SUCCESS, bytes, size, data, free, bytes);
    return PMIX_SUCCESS;
}

int main(int argc, char **argv)
{
    pmix_server_module_t module;
    int status = 0, num = argc > 2 ? atoi(argv[1]) : 0;
    if (num < 1 || gethostname(host, sizeof(host) - 1) != 0) {
        fprintf(stderr, "usage: pmix_launch NUM PROGRAM [ARGUMENT...]\n");
        return 2;
    }
    memset(&module, 0, sizeof(module));
    module.client_connected = client_came;
    module.client_finalized = client_came;
    module.fence_nb = fence;
    check(PMIx_server_init(&module, NULL, 0), "server_init");
    register_job(num);
    for (int i = 0; i < num; ++i) {
        if (start(i, argv + 2) < 0) {
            return 2;
        }
    }
    for (int i = 0, one; i < num; ++i) {
        if (wait(&one) > 0 && one != 0) {
            status = 1;
        }
    }
    (void) PMIx_server_finalize();
    return status;
}

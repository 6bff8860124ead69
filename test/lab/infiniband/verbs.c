/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * Preloaded in front of libumad2sim.so, which plays the management devices of a host in ibsim's fabric but
 * no verbs: plays those calls of libibverbs that component openib makes, from the same simulated files
 * (umad2sim answers open and read below /sys). Beside that
 *     LAB_MADS        a file that gets one line, the host's name, for each packet sent: counted where they
 *                     leave libibumad, not where HiTopo counts
 *     LAB_DENY_UMAD   names of hosts, in blanks, on which management devices may not be opened
 *     LAB_ETHERNET    names of hosts, in blanks, whose ports are Ethernet (RoCE)
 *     LAB_SYS         a folder with a folder for each host, which stands for the simulated files
 *     LAB_STOP        "N PID": stops that process when a process of ours has opened its N-th management device
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <infiniband/verbs.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#undef ibv_query_port

/* ---- the kernel's side: counting and denying ---- */

enum { UMAD_HEADER = 64, MAD = 256, CLASS = 1, DIRECTED_ROUTE = 0x81 };

static const char *host_name(void)
{
    static char name[HOST_NAME_MAX + 1];
    gethostname(name, sizeof(name) - 1);
    return name;
}

/* Whether the variable lists this host: " a b ". */
static bool lists_host(const char *variable)
{
    const char *hosts = getenv(variable);
    char word[HOST_NAME_MAX + 3];

    snprintf(word, sizeof(word), " %s ", host_name());
    return NULL != hosts && NULL != strstr(hosts, word);
}

static void count_mad(void)
{
    const char *path = getenv("LAB_MADS");
    char line[HOST_NAME_MAX + 2];
    int file = NULL == path ? -1 : (int) syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_APPEND | O_CREAT, 0600);

    if (0 <= file) {
        int length = snprintf(line, sizeof(line), "%s\n", host_name());
        (void) syscall(SYS_write, file, line, length);
        (void) syscall(SYS_close, file);
    }
}

ssize_t write(int file, const void *bytes, size_t count)
{
    static ssize_t (*next)(int, const void *, size_t);
    const unsigned char *mad = (const unsigned char *) bytes + UMAD_HEADER;

    if (NULL == next) {
        *(void **) &next = dlsym(RTLD_NEXT, "write");
    }
    if (UMAD_HEADER + MAD == count && DIRECTED_ROUTE == mad[CLASS]) {
        count_mad();
    }
    return next(file, bytes, count);
}

static void leave_now(int signal)
{
    (void) signal;
    _exit(EXIT_SUCCESS);
}

/* umad2sim waits for ever in its own exit handler where an answer of ibsim was missing; a thread that was
 * abandoned in it may hold any lock, so that flushing is bounded too. */
static void leave(int status, void *unused)
{
    (void) unused;
    signal(SIGALRM, leave_now);
    alarm(60);
    fflush(stdout);
    _exit(status);
}

/* umad2sim ends a process that ibsim does not let in. All are in before MPI_Init's fence, so before one of them
 * asks and stops it. */
static void __attribute__((constructor)) connect_early(void)
{
    if (NULL != getenv("LAB_STOP")) {
        close(open("/sys/class/infiniband/ibsim0/node_guid", O_RDONLY, 0));
    }
}

static void stop_at_open(void)
{
    static int num_opened = 0;
    const char *when = getenv("LAB_STOP");
    int number, pid;

    ++num_opened;
    if (NULL != when && 2 == sscanf(when, "%d %d", &number, &pid) && number == num_opened) {
        kill(pid, SIGSTOP);
    }
}

int open(const char *path, int flags, ...)
{
    static int (*next)(const char *, int, ...);
    static const char umad[] = "/dev/infiniband/umad", sys[] = "/sys/class/infiniband";
    const bool is_umad = 0 == strncmp(path, umad, sizeof(umad) - 1);
    va_list rest;

    if (NULL == next) {
        *(void **) &next = dlsym(RTLD_NEXT, "open");
    }
    if (is_umad && lists_host("LAB_DENY_UMAD")) {
        errno = EACCES;
        return -1;
    }
    if (NULL != getenv("LAB_SYS") && 0 == strcmp(path, sys)) {
        path = getenv("LAB_SYS");
    }
    va_start(rest, flags);
    const int mode = va_arg(rest, int);
    va_end(rest);
    const int file = next(path, flags, mode);
    if (is_umad) {
        stop_at_open();
    }
    return file;
}

/* Open MPI's processes wait in a loop of these. Here they would keep the simulated switches from the few
 * processors, as no job does with real ones. */
int sched_yield(void)
{
    return usleep(200);
}

/* ---- verbs ---- */

static struct ibv_device device = {
    .node_type = IBV_NODE_CA,
    .transport_type = IBV_TRANSPORT_IB,
    .name = "ibsim0",
    .dev_name = "uverbs0",
};

/* Length of what the simulated file holds, -1 if there is none. */
static int read_file(const char *name, char *text, int capacity)
{
    const char *sys = getenv("LAB_SYS");
    char path[PATH_MAX];

    if (NULL == sys) {
        snprintf(path, sizeof(path), "/sys/class/infiniband/ibsim0/%s", name);
    } else {
        snprintf(path, sizeof(path), "%s/%s/%s", sys, host_name(), name);
    }
    int file = open(path, O_RDONLY, 0);
    if (0 > file) {
        return -1;
    }
    int length = (int) read(file, text, capacity - 1);
    close(file);
    text[0 < length ? length : 0] = '\0';
    return length;
}

static int read_port_file(int port, const char *name, char *text, int capacity)
{
    char path[64];

    snprintf(path, sizeof(path), "ports/%d/%s", port, name);
    return read_file(path, text, capacity);
}

/* The number at the file's begin: "4: ACTIVE" is 4. */
static int port_number(int port, const char *name)
{
    char text[64];
    return 0 < read_port_file(port, name, text, sizeof(text)) ? (int) strtol(text, NULL, 0) : 0;
}

/* "fe80:0000:..:0001" */
static void parse_hex(const char *text, unsigned char *bytes, int count)
{
    unsigned byte;

    for (int i = 0; i < count && 1 == sscanf(text, "%2x", &byte); ++i) {
        bytes[i] = (unsigned char) byte;
        text += 2;
        text += ':' == *text;
    }
}

static int query_port(struct ibv_context *context, uint8_t port, struct ibv_port_attr *out, size_t size)
{
    struct ibv_port_attr attributes = {
        .state = port_number(port, "state"),
        .lid = (uint16_t) port_number(port, "lid"),
        .link_layer = lists_host("LAB_ETHERNET") ? IBV_LINK_LAYER_ETHERNET : IBV_LINK_LAYER_INFINIBAND,
        .gid_tbl_len = 1,
    };

    (void) context;
    memcpy(out, &attributes, size < sizeof(attributes) ? size : sizeof(attributes));
    return 0;
}

struct ibv_device **ibv_get_device_list(int *count)
{
    struct ibv_device **list = calloc(2, sizeof(*list));
    char guid[64];

    list[0] = 0 < read_file("node_guid", guid, sizeof(guid)) ? &device : NULL;
    if (NULL != count) {
        *count = NULL != list[0];
    }
    /* After umad2sim's own handler, so before it: also where there is no port to ask. */
    if (NULL != getenv("LAB_STOP")) {
        on_exit(leave, NULL);
    }
    return list;
}

void ibv_free_device_list(struct ibv_device **list)
{
    free(list);
}

const char *ibv_get_device_name(struct ibv_device *which)
{
    return which->name;
}

struct ibv_context *ibv_open_device(struct ibv_device *which)
{
    struct verbs_context *verbs = calloc(1, sizeof(*verbs));

    verbs->sz = sizeof(*verbs);
    verbs->query_port = query_port;
    verbs->context.device = which;
    verbs->context.abi_compat = __VERBS_ABI_IS_EXTENDED;
    return &verbs->context;
}

int ibv_close_device(struct ibv_context *context)
{
    free((char *) context - offsetof(struct verbs_context, context));
    return 0;
}

int ibv_query_device(struct ibv_context *context, struct ibv_device_attr *attributes)
{
    char text[64];

    (void) context;
    memset(attributes, 0, sizeof(*attributes));
    while (0 < read_port_file(attributes->phys_port_cnt + 1, "state", text, sizeof(text))) {
        ++attributes->phys_port_cnt;
    }
    return 0;
}

int ibv_query_gid(struct ibv_context *context, uint8_t port, int index, union ibv_gid *gid)
{
    char text[64];

    (void) context;
    if (0 != index || 0 >= read_port_file(port, "gids/0", text, sizeof(text))) {
        errno = EINVAL;
        return -1;
    }
    parse_hex(text, gid->raw, sizeof(gid->raw));
    return 0;
}

int ibv_query_port(struct ibv_context *context, uint8_t port, struct _compat_ibv_port_attr *attributes)
{
    return query_port(context, port, (struct ibv_port_attr *) attributes,
                      offsetof(struct ibv_port_attr, port_cap_flags2));
}

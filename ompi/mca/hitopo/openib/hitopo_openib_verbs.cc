// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include <endian.h>
#include <fcntl.h>
#include <infiniband/verbs.h>
#include <unistd.h>

#include <cerrno>
#include <memory>
#include <system_error>

#include "ompi/mca/hitopo/core/text/text.h"
#include "ompi/mca/hitopo/openib/hitopo_openib_input.h"

namespace hitopo {
namespace {

struct Close {
    void operator()(ibv_device** list) const { ibv_free_device_list(list); }
    void operator()(ibv_context* context) const { ibv_close_device(context); }
};
using DeviceList = std::unique_ptr<ibv_device*, Close>;
using Context = std::unique_ptr<ibv_context, Close>;

void add_refusal(IbPorts& found, const std::string& device, int code) {
    add_item(found.reason, ", ", device + ": " + std::generic_category().message(code));
}

// False in a virtual machine, whose kernel does not know.
bool is_virtual_function(const std::string& device) {
    return access(("/sys/class/infiniband/" + device + "/device/physfn").c_str(), F_OK) == 0;
}

// Zero, or the error.
int add_port(IbPorts& found, ibv_context* context, int number) {
    const std::uint8_t index = static_cast<std::uint8_t>(number);
    ibv_port_attr attributes = {};
    ibv_gid gid = {};
    if (const int code = ibv_query_port(context, index, &attributes)) {
        return code;
    }
    errno = 0;
    if (ibv_query_gid(context, index, 0, &gid) != 0) {
        return errno != 0 ? errno : EIO;
    }
    IbPort port;
    port.device = ibv_get_device_name(context->device);
    port.number = number;
    port.is_virtual = is_virtual_function(port.device);
    port.guid = be64toh(gid.global.interface_id);
    port.subnet_prefix = be64toh(gid.global.subnet_prefix);
    port.lid = attributes.lid;
    port.is_active = attributes.state == IBV_PORT_ACTIVE;
    port.is_infiniband = attributes.link_layer != IBV_LINK_LAYER_ETHERNET;
    found.ports.push_back(port);
    return 0;
}

void add_device(IbPorts& found, ibv_device* device) {
    const std::string name = ibv_get_device_name(device);
    errno = 0;
    const Context context(ibv_open_device(device));
    if (context == nullptr) {
        add_refusal(found, name, errno != 0 ? errno : EACCES);
        return;
    }
    ibv_device_attr attributes = {};
    int code = ibv_query_device(context.get(), &attributes);
    for (int number = 1; code == 0 && number <= attributes.phys_port_cnt; ++number) {
        code = add_port(found, context.get(), number);
    }
    if (code != 0) {
        add_refusal(found, name, code);
    }
}

}  // namespace

// libibverbs warns on stderr about a small RLIMIT_MEMLOCK even where the kernel knows no device. The
// lab's stand-in for verbs wraps open(), not access().
bool has_verbs_devices() {
    const int folder = open("/sys/class/infiniband", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder >= 0) {
        close(folder);
    }
    return folder >= 0;
}

IbPorts list_verbs_ports() {
    IbPorts found;
    int num_devices = 0;
    errno = 0;
    const DeviceList devices(ibv_get_device_list(&num_devices));
    if (devices == nullptr) {
        add_refusal(found, "libibverbs", errno);
        return found;
    }
    for (int i = 0; i < num_devices; ++i) {
        add_device(found, devices.get()[i]);
    }
    return found;
}

}  // namespace hitopo

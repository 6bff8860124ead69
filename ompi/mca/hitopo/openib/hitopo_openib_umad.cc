// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include <dlfcn.h>
#include <fcntl.h>
#include <infiniband/umad.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <unordered_map>

#include "ompi/mca/hitopo/openib/hitopo_openib_input.h"

namespace hitopo {
namespace {

constexpr const char* kLibrary = "libibumad.so.3";  // the version of the headers
constexpr int kDirectedRouteClass = 0x81;
constexpr int kPermissiveLid = 0xffff;
constexpr std::size_t kMaxInFlight = 16;  // a switch queues few

// The library is loaded, not linked: a linked component would not load without it, and the
// administrator's file does not need it.
class Library {
public:
    decltype(&umad_init) init = nullptr;
    decltype(&umad_open_port) open_port = nullptr;
    decltype(&umad_close_port) close_port = nullptr;
    decltype(&umad_register) register_agent = nullptr;
    decltype(&umad_size) size = nullptr;
    decltype(&umad_get_mad) get_mad = nullptr;
    decltype(&umad_set_addr) set_addr = nullptr;
    decltype(&umad_status) status = nullptr;
    decltype(&umad_send) send = nullptr;
    decltype(&umad_recv) receive = nullptr;

    // Never unloaded: a thread of ours may still be in it.
    bool load() {
        handle_ = dlopen(kLibrary, RTLD_NOW | RTLD_LOCAL);
        return handle_ != nullptr && find(init, "umad_init") && find(open_port, "umad_open_port") &&
               find(close_port, "umad_close_port") && find(register_agent, "umad_register") &&
               find(size, "umad_size") && find(get_mad, "umad_get_mad") &&
               find(set_addr, "umad_set_addr") && find(status, "umad_status") &&
               find(send, "umad_send") && find(receive, "umad_recv") && init() == 0;
    }

private:
    template <class Function>
    bool find(Function& function, const char* name) {
        function = reinterpret_cast<Function>(dlsym(handle_, name));
        return function != nullptr;
    }

    void* handle_ = nullptr;
};

// Without the kernel's module, libibumad warns on stderr. The simulator umad2sim wraps open(), not
// access().
bool has_kernel_module() {
    const int file = ::open("/sys/class/infiniband_mad/abi_version", O_RDONLY | O_CLOEXEC);
    if (file >= 0) {
        ::close(file);
    }
    return file >= 0;
}

int ms_until(Deadline deadline) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        deadline - std::chrono::steady_clock::now());
    return static_cast<int>(std::max<std::chrono::milliseconds::rep>(left.count(), 0));
}

class UmadClient : public SmpClient {
public:
    ~UmadClient() override { close_port(); }

    std::string open(const IbPort& port) override {
        if (!has_kernel_module()) {
            return "the kernel's module ib_umad is not loaded";
        }
        if (!is_loaded_ && !library_.load()) {
            return std::string(kLibrary) + " could not be loaded";
        }
        is_loaded_ = true;
        close_port();
        errno = 0;
        port_ = library_.open_port(port.device.c_str(), port.number);
        if (port_ < 0) {
            return "its management device could not be opened: " +
                   std::generic_category().message(errno != 0 ? errno : -port_);
        }
        agent_ = library_.register_agent(port_, kDirectedRouteClass, 1, 0, nullptr);
        return agent_ >= 0 ? "" : "it accepts no management packets, like most virtual functions";
    }

    std::vector<std::optional<SmpData>> ask(const std::vector<SmpRequest>& requests,
                                            Deadline deadline) override {
        std::vector<std::optional<SmpData>> answers(requests.size());
        Flight flight;
        std::size_t num_sent = 0;
        while (num_sent < requests.size() || !flight.empty()) {
            while (num_sent < requests.size() && flight.size() < kMaxInFlight) {
                if (!send(requests[num_sent], num_sent, deadline, flight)) {
                    return answers;
                }
                ++num_sent;
            }
            if (!receive(deadline, flight, answers)) {
                return answers;
            }
        }
        return answers;
    }

private:
    using Flight = std::unordered_map<std::uint32_t, std::size_t>;  // by transaction: of which request

    void close_port() {
        if (port_ >= 0) {
            library_.close_port(port_);  // and its agent
            port_ = -1;
        }
    }

    bool send(const SmpRequest& request, std::size_t index, Deadline deadline, Flight& flight) {
        constexpr int kNumTries = 2;
        const Mad mad = encode_smp(request, ++transaction_);
        buffer_.assign(library_.size() + mad.size(), 0);
        std::copy(mad.begin(), mad.end(), static_cast<std::uint8_t*>(library_.get_mad(buffer_.data())));
        library_.set_addr(buffer_.data(), kPermissiveLid, 0, 0, 0);
        flight[transaction_] = index;
        return library_.send(port_, agent_, buffer_.data(), static_cast<int>(mad.size()),
                             std::max(ms_until(deadline) / kNumTries, 1), kNumTries - 1) >= 0;
    }

    // One packet, good or bad; false where none came.
    bool receive(Deadline deadline, Flight& flight, std::vector<std::optional<SmpData>>& answers) {
        int num_bytes = kMadBytes;
        buffer_.assign(library_.size() + kMadBytes, 0);
        const int wait_ms = ms_until(deadline);
        if (wait_ms == 0 || library_.receive(port_, buffer_.data(), &num_bytes, wait_ms) < 0) {
            return false;
        }
        Mad mad = {};
        std::copy_n(static_cast<const std::uint8_t*>(library_.get_mad(buffer_.data())), mad.size(),
                    mad.begin());
        const auto found = flight.find(transaction_of(mad));
        if (found == flight.end()) {
            return true;
        }
        const std::optional<SmpReply> reply = decode_smp(mad);
        if (reply && reply->is_good && library_.status(buffer_.data()) == 0) {
            answers[found->second] = reply->data;
        }
        flight.erase(found);
        return true;
    }

    Library library_;
    bool is_loaded_ = false;
    int port_ = -1;
    int agent_ = -1;
    std::uint32_t transaction_ = 0;
    std::vector<char> buffer_;
};

}  // namespace

std::shared_ptr<SmpClient> make_umad_client() { return std::make_shared<UmadClient>(); }

}  // namespace hitopo

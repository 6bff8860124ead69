// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// An open file that is closed with its owner.
#ifndef OMPI_MCA_HITOPO_SUPPORT_DESCRIPTOR_H
#define OMPI_MCA_HITOPO_SUPPORT_DESCRIPTOR_H

#include <unistd.h>

#include <cerrno>
#include <utility>

namespace hitopo {

class Descriptor {
public:
    explicit Descriptor(int number) : number_(number) {}
    Descriptor(Descriptor&& other) noexcept : number_(other.release()) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        std::swap(number_, other.number_);
        return *this;
    }
    // errno stays as it is: it tells why the owner gives up.
    ~Descriptor() {
        if (number_ >= 0) {
            const int before = errno;
            ::close(number_);
            errno = before;
        }
    }

    int number() const { return number_; }  // negative: none
    int release() { return std::exchange(number_, -1); }

private:
    int number_;
};

}  // namespace hitopo

#endif

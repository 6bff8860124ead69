// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// How processes hand in their parts of the report, apart from what the program sends in MPI_COMM_WORLD.
#ifndef OMPI_PROFILE_PRIVATE_WORLD_H
#define OMPI_PROFILE_PRIVATE_WORLD_H

#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace hitopo::profile {

class PrivateWorld {
public:
    // Both collective over MPI_COMM_WORLD.
    PrivateWorld();
    ~PrivateWorld() { PMPI_Comm_free(&comm_); }
    PrivateWorld(const PrivateWorld&) = delete;
    PrivateWorld& operator=(const PrivateWorld&) = delete;

    int rank() const { return rank_; }
    int size() const { return size_; }

    // Rank 0's answer. Collective.
    bool is_first_ready(bool is_ready) const;

    // What one process sends in a call, another receives in one.
    template <class T>
    void send(int to, const std::vector<T>& values) const {
        send_bytes(to, reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
    }
    void send(int to, const std::string& text) const { send_bytes(to, text.data(), text.size()); }

    template <class T>
    std::vector<T> receive(int from) const {
        std::vector<T> values(receive_length(from) / sizeof(T));
        auto* bytes = reinterpret_cast<char*>(values.data());
        for (std::size_t left = values.size() * sizeof(T); left > 0;) {
            const std::size_t count = receive_piece(from, bytes, left);
            bytes += count;
            left -= count;
        }
        return values;
    }
    // Gives a text of any length to `take`, piece by piece.
    template <class Take>
    void receive_text(int from, Take&& take) const {
        std::string piece;
        for (std::size_t left = receive_length(from); left > 0; left -= piece.size()) {
            piece.resize(std::min(left, kPieceBytes));
            (void)receive_piece(from, piece.data(), left);
            take(piece);
        }
    }

private:
    static constexpr std::size_t kPieceBytes = std::size_t{1} << 24;

    void send_bytes(int to, const char* bytes, std::size_t count) const;
    std::size_t receive_length(int from) const;
    // The next of what is left; how many bytes it has.
    std::size_t receive_piece(int from, char* bytes, std::size_t left) const;

    MPI_Comm comm_ = MPI_COMM_NULL;
    int rank_ = 0;
    int size_ = 1;
};

}  // namespace hitopo::profile

#endif

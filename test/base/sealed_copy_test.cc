// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// One copy of bytes between real processes: who can open it has equal bytes, nobody can change them, and
// whatever else lies where the copy was is not taken for it.
#include "ompi/mca/hitopo/base/job/sealed_copy.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <functional>
#include <random>
#include <string>
#include <utility>

namespace hitopo {
namespace {

constexpr int kSkipped = 77;

// The exit code of a child that does this; 128 and its number for a signal.
int status_of_child(const std::function<int()>& body) {
    const pid_t child = ::fork();
    if (child == 0) {
        ::_exit(body());
    }
    int status = 0;
    EXPECT_EQ(::waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

std::string some_bytes(std::size_t num_bytes) {
    std::string bytes(num_bytes, '\0');
    std::minstd_rand random(1);
    for (char& byte : bytes) {
        byte = static_cast<char>(random());
    }
    return bytes;
}

std::string path_of(const Whereabouts& told) {
    return "/proc/" + std::to_string(told.process) + "/fd/" + std::to_string(told.descriptor);
}

class SealedCopies : public testing::Test {
protected:
    // Another process's view: 0 where the bytes are equal, 1 where they differ, 2 where it cannot open.
    int opened_with(const Whereabouts& told) const {
        const std::optional<SharedBytes> bytes = open_sealed_copy(told);
        return !bytes ? 2 : bytes->view() == bytes_ ? 0 : 1;
    }

    // Puts another file in place of the copy's.
    void replace(int file) {
        ASSERT_GE(file, 0);
        ASSERT_EQ(::dup2(file, copy_->file.number()), copy_->file.number());
        ::close(file);
    }

    const std::string bytes_ = some_bytes(100003);
    std::optional<SealedCopy> copy_ = make_sealed_copy(bytes_);
};

TEST_F(SealedCopies, are_equal_for_maker_and_others) {
    ASSERT_TRUE(copy_);
    EXPECT_EQ(copy_->bytes.view(), bytes_);
    EXPECT_TRUE(copy_->bytes.is_mapped());
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(copy_->bytes.view().data()) % 8, 0u);
    EXPECT_EQ(status_of_child([&] { return opened_with(copy_->whereabouts); }), 0);
}

TEST_F(SealedCopies, of_nothing) {
    const std::optional<SealedCopy> empty = make_sealed_copy("");
    ASSERT_TRUE(empty);
    const std::optional<SharedBytes> opened = open_sealed_copy(empty->whereabouts);
    ASSERT_TRUE(opened);
    EXPECT_EQ(opened->view(), "");
}

TEST_F(SealedCopies, outlive_the_file_and_the_maker) {
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    const pid_t maker = ::fork();
    if (maker == 0) {
        const std::optional<SealedCopy> copy = make_sealed_copy(bytes_);
        const std::string told = copy->whereabouts.encode();
        (void)!::write(ends[1], told.data(), told.size());
        ::pause();  // it never comes to close anything
    }
    char told[256];
    const ssize_t num_told = ::read(ends[0], told, sizeof told);
    ASSERT_GT(num_told, 0);
    const std::optional<Whereabouts> where = Whereabouts::decode({told, std::size_t(num_told)});
    ASSERT_TRUE(where);
    const std::optional<SharedBytes> opened = open_sealed_copy(*where);
    ::kill(maker, SIGKILL);
    ASSERT_EQ(::waitpid(maker, nullptr, 0), maker);
    ASSERT_TRUE(opened);
    EXPECT_EQ(opened->view(), bytes_);
    EXPECT_FALSE(open_sealed_copy(*where));
    ::close(ends[0]);
    ::close(ends[1]);
}

TEST_F(SealedCopies, cannot_be_changed) {
    ASSERT_TRUE(copy_);
    const std::string path = path_of(copy_->whereabouts);
    EXPECT_EQ(
        status_of_child([&] {
            const int file = ::open(path.c_str(), O_RDWR);
            return file >= 0 &&
                   (::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0) != MAP_FAILED ||
                    ::write(file, "x", 1) >= 0 || ::ftruncate(file, 0) == 0 ||
                    ::ftruncate(file, 1 << 20) == 0 || ::fcntl(file, F_ADD_SEALS, 0) == 0);
        }),
        0);
    EXPECT_EQ(::fcntl(copy_->file.number(), F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
    EXPECT_EQ(copy_->bytes.view(), bytes_);
}

TEST_F(SealedCopies, of_another_pid_namespace_are_refused) {
    ASSERT_TRUE(copy_);
    const int status = status_of_child([&] {
        return ::unshare(CLONE_NEWPID) != 0
                   ? kSkipped
                   : status_of_child([&] { return opened_with(copy_->whereabouts); });
    });
    if (status == kSkipped) {
        GTEST_SKIP() << "this user may make no PID namespace";
    }
    EXPECT_EQ(status, 2);
}

TEST_F(SealedCopies, are_not_opened_by_another_user) {
    ASSERT_TRUE(copy_);
    const int status = status_of_child([&] {
        return ::setgid(65534) != 0 || ::setuid(65534) != 0 ? kSkipped : opened_with(copy_->whereabouts);
    });
    if (status == kSkipped) {
        GTEST_SKIP() << "not root: no other user to be";
    }
    EXPECT_EQ(status, 2);
}

TEST_F(SealedCopies, that_are_closed_are_not_opened) {
    ASSERT_TRUE(copy_);
    const Whereabouts told = copy_->whereabouts;
    copy_.reset();
    EXPECT_EQ(opened_with(told), 2);
}

TEST_F(SealedCopies, are_told_from_what_follows_at_their_number) {
    ASSERT_TRUE(copy_);
    const Whereabouts told = copy_->whereabouts;
    const std::optional<SealedCopy> next = make_sealed_copy(bytes_);
    ASSERT_TRUE(next);
    replace(::dup(next->file.number()));
    EXPECT_EQ(opened_with(told), 2) << "of as many bytes";
    Whereabouts forged = next->whereabouts;
    EXPECT_EQ(opened_with(forged), 0);
    ++forged.nonce;
    EXPECT_EQ(opened_with(forged), 2);
}

TEST_F(SealedCopies, are_told_from_files_that_are_none) {
    ASSERT_TRUE(copy_);
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    ::close(ends[1]);
    const std::string folder = testing::TempDir(), fifo = folder + "/sealed_copy_test.fifo";
    ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
    for (const int file :
         {ends[0], ::open("/dev/zero", O_RDONLY), ::open("/proc/self/stat", O_RDONLY),
          ::open(folder.c_str(), O_RDONLY | O_DIRECTORY), ::open(fifo.c_str(), O_RDWR)}) {
        replace(file);
        EXPECT_EQ(opened_with(copy_->whereabouts), 2);
        Whereabouts forged = copy_->whereabouts;
        struct stat status = {};
        ASSERT_EQ(::fstat(copy_->file.number(), &status), 0);
        forged.device = status.st_dev;
        forged.inode = status.st_ino;
        EXPECT_EQ(opened_with(forged), 2);
        forged.num_bytes = static_cast<std::uint64_t>(status.st_size);
        EXPECT_EQ(opened_with(forged), 2);
    }
    ::unlink(fifo.c_str());
}

// Whoever could still write could make its readers stumble.
TEST_F(SealedCopies, that_are_not_sealed_are_not_opened) {
    ASSERT_TRUE(copy_);
    const int file = ::memfd_create("unsealed", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    std::string content(copy_->whereabouts.num_bytes, '\0');
    ASSERT_EQ(::pread(copy_->file.number(), &content[0], content.size(), 0),
              static_cast<ssize_t>(content.size()));
    ASSERT_EQ(::write(file, content.data(), content.size()), static_cast<ssize_t>(content.size()));
    struct stat status = {};
    ASSERT_EQ(::fstat(file, &status), 0);
    Whereabouts told = copy_->whereabouts;
    told.device = status.st_dev;
    told.inode = status.st_ino;
    replace(file);
    EXPECT_EQ(opened_with(told), 2);
    ASSERT_EQ(::fcntl(copy_->file.number(), F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK), 0);
    EXPECT_EQ(opened_with(told), 2) << "one seal is missing";
    ASSERT_EQ(::fcntl(copy_->file.number(), F_ADD_SEALS, F_SEAL_SEAL), 0);
    EXPECT_EQ(opened_with(told), 0);
    ++told.num_bytes;
    EXPECT_EQ(opened_with(told), 2) << "not as long as told";
}

TEST_F(SealedCopies, are_not_made_beyond_the_limit_of_files) {
    EXPECT_EQ(status_of_child([&] {
                  const rlimit limit = {bytes_.size(), bytes_.size()};
                  return ::setrlimit(RLIMIT_FSIZE, &limit) == 0 && !make_sealed_copy(bytes_) &&
                                 make_sealed_copy(bytes_.substr(0, 1000))
                             ? 0
                             : 1;
              }),
              0);
}

TEST_F(SealedCopies, need_a_descriptor) {
    ASSERT_TRUE(copy_);
    EXPECT_EQ(status_of_child([&] {
                  const rlimit limit = {3, 3};
                  return ::setrlimit(RLIMIT_NOFILE, &limit) == 0 && !make_sealed_copy(bytes_) &&
                                 !open_sealed_copy(copy_->whereabouts)
                             ? 0
                             : 1;
              }),
              0);
}

TEST_F(SealedCopies, need_address_space) {
    ASSERT_TRUE(copy_);
    EXPECT_EQ(status_of_child([&] {
                  const rlimit limit = {1 << 16, 1 << 16};  // less than is mapped already
                  return ::setrlimit(RLIMIT_AS, &limit) == 0 && !make_sealed_copy(bytes_) &&
                                 !open_sealed_copy(copy_->whereabouts)
                             ? 0
                             : 1;
              }),
              0);
}

TEST(WhereaboutsTest, come_back_as_they_were) {
    Whereabouts told;
    told.process = 1;
    told.descriptor = 2;
    told.space_device = 3;
    told.space_inode = 4;
    told.device = 5;
    told.inode = 6;
    told.num_bytes = 7;
    told.nonce = UINT64_MAX;
    const std::string bytes = told.encode();
    const std::optional<Whereabouts> read = Whereabouts::decode(bytes);
    ASSERT_TRUE(read);
    EXPECT_EQ(read->encode(), bytes);
    EXPECT_EQ(read->space_inode, 4u);
    for (std::size_t length = 0; length < bytes.size(); ++length) {
        EXPECT_FALSE(Whereabouts::decode(bytes.substr(0, length)));
    }
    EXPECT_FALSE(Whereabouts::decode(bytes + "x"));
}

// Random numbers in every field, alone and together.
TEST_F(SealedCopies, are_not_found_by_forged_whereabouts) {
    ASSERT_TRUE(copy_);
    const std::string told = copy_->whereabouts.encode();
    std::mt19937_64 random(7);
    for (int i = 0; i < 2000; ++i) {
        std::string forged = told;
        for (std::size_t field = 1; field < told.size() / 8; ++field) {
            if (i % 9 == 8 || static_cast<int>(field) == i % 9) {
                const std::uint64_t number = random() >> random() % 64;
                forged.replace(8 * field, 8, reinterpret_cast<const char*>(&number), 8);
            }
        }
        const std::optional<Whereabouts> where = Whereabouts::decode(forged);
        ASSERT_TRUE(where);
        EXPECT_EQ(open_sealed_copy(*where).has_value(), forged == told);
    }
    EXPECT_FALSE(Whereabouts::decode(some_bytes(told.size())));
}

TEST(SharedBytesTest, stay_where_they_are) {
    SharedBytes bytes("12345678 and more");
    const std::string_view view = bytes.view();
    const SharedBytes moved = std::move(bytes);
    EXPECT_EQ(moved.view().data(), view.data());
    EXPECT_EQ(moved.view(), "12345678 and more");
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(view.data()) % 8, 0u);
    EXPECT_FALSE(moved.is_mapped());
    EXPECT_EQ(SharedBytes("").view(), "");
}

}  // namespace
}  // namespace hitopo

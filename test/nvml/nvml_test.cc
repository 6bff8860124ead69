// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The component, its program and a stand-in of NVML (fake_nvml.c): a rack of 18 nodes with four GPUs
// each.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <set>
#include <string>
#include <utility>

#include "ompi/mca/hitopo/core/text/guard.h"
#include "ompi/mca/hitopo/nvml/hitopo_nvml.h"
#include "test/paths.h"
#include "test/support/recorder.h"

namespace hitopo {
namespace {

constexpr int kTimeoutMs = 60000;
constexpr int kNodes = 18;
constexpr const char* kTray = "3,0,5,171 3,0,5,171 3,0,5,171 3,0,5,171";
const std::string kUuid = "abababababababababababababababab";

class Nvml : public testing::Test {
protected:
    Nvml() { gpus(kTray); }
    ~Nvml() override {
        ::unsetenv("FAKE_NVML");
        ::unsetenv("FAKE_NVML_FAIL");
        hitopo_nvml_close();
    }

    static void gpus(const std::string& all) { ::setenv("FAKE_NVML", all.c_str(), 1); }
    static void fail(const std::string& function) { ::setenv("FAKE_NVML_FAIL", function.c_str(), 1); }

    // What processes of one more node hear.
    Recorder& ask() {
        recorder_.emplace();
        recorder_->question.asks_for_node = asks_for_node_;
        EXPECT_EQ(hitopo_nvml_query(&settings_, &recorder_->question, &*recorder_), kSuccess);
        EXPECT_EQ(recorder_->values, RawAddress());
        for (const SideReason& reason : recorder_->side_reasons) {
            EXPECT_EQ(reason.text, recorder_->side_reasons.front().text);
        }
        return *recorder_;
    }

    std::string domain() { return ask().side_value("nvlink://Domain"); }
    std::string clique() { return ask().side_value("nvlink://Clique"); }

    void expect_nothing(const std::string& reason) {
        Recorder& heard = ask();
        EXPECT_TRUE(heard.side.empty()) << reason;
        EXPECT_FALSE(heard.error);
        EXPECT_EQ(heard.side_reasons.at(0).text, reason);
    }

    bool asks_for_node_ = true;
    hitopo_nvml_settings_t settings_ = {FAKE_NVML, HITOPO_NVML_FABRIC, "/dev/no-driver", kTimeoutMs};
    std::optional<Recorder> recorder_;
};

TEST_F(Nvml, nodes_of_a_rack_are_in_one_domain) {
    std::set<std::string> domains;
    std::set<std::string> cliques;
    for (int node = 0; node < kNodes; ++node) {
        domains.insert(domain());
        cliques.insert(clique());
    }
    EXPECT_EQ(domains, std::set<std::string>{kUuid});
    EXPECT_EQ(cliques, std::set<std::string>{kUuid + "/5"});
}

TEST_F(Nvml, its_answer_is_for_the_node) {
    for (const SideAnswer& one : ask().side) {
        EXPECT_TRUE(one.is_for_node) << one.type;
    }
    EXPECT_EQ(recorder_->side.size(), 2U);
    EXPECT_EQ(recorder_->side_reasons.at(0).text,
              "4 of 4 GPUs in NVLink fabric " + kUuid + ", clique 5");
}

// The number of a clique is unique in its domain.
TEST_F(Nvml, the_next_rack_is_another_domain_and_clique) {
    const std::string before = clique();
    gpus("3,0,5,172 3,0,5,172 3,0,5,172 3,0,5,172");
    EXPECT_EQ(domain(), "acacacacacacacacacacacacacacacac");
    EXPECT_NE(clique(), before);
}

TEST_F(Nvml, a_broken_gpu_takes_nothing_from_the_others) {
    gpus("3,0,5,171 3,999,0,0 2,0,0,0 0,0,0,0");
    EXPECT_EQ(clique(), kUuid + "/5");
    EXPECT_EQ(recorder_->side_reasons.at(0).text,
              "1 of 4 GPUs in NVLink fabric " + kUuid + ", clique 5");
}

TEST_F(Nvml, each_call_may_fail) {
    for (const std::string& function :
         {std::string("nvmlInit_v2"), std::string("nvmlDeviceGetCount_v2")}) {
        fail(function);
        expect_nothing(function + ": NVML's error 999");
    }
    fail("nvmlDeviceGetHandleByIndex_v2");
    expect_nothing("nvmlDeviceGetHandleByIndex_v2: NVML's error 2");
    fail("nvmlDeviceGetGpuFabricInfoV");
    expect_nothing("none of 4 GPUs is in an NVLink fabric");
}

TEST_F(Nvml, no_gpu) {
    gpus("");
    expect_nothing("no GPU");
}

TEST_F(Nvml, a_library_that_is_none_or_too_old) {
    for (const auto& [library, why] :
         {std::pair("libm.so.6", "nvmlInit_v2: this NVML has no such function; it needs driver 535"),
          std::pair("/no/such/library", "no NVML: /no/such/library"),
          std::pair("libnosuch.so", "no NVML: libnosuch.so")}) {
        settings_.library = library;
        EXPECT_EQ(domain(), "-");
        EXPECT_EQ(recorder_->side_reasons.at(0).text.find(why), 0U) << library;
        ASSERT_TRUE(recorder_->error) << library;
        EXPECT_EQ(recorder_->error->value, library);
        EXPECT_EQ(recorder_->error->where, "hitopo_nvml_library");
        EXPECT_EQ(recorder_->error->message.find(why), 0U) << library;
    }
    settings_.library = FAKE_NVML;
    settings_.program = "/no/such/program";
    expect_nothing("/no/such/program: No such file or directory");
}

// A file of settings can be another user's: what it names would run as this one.
TEST_F(Nvml, a_library_of_another_user_is_not_loaded) {
    if (::geteuid() != 0) {
        GTEST_SKIP() << "only root gives files away";
    }
    const std::string library = testing::TempDir() + "hitopo-nvml" + std::to_string(getpid());
    std::filesystem::copy_file(FAKE_NVML, library);
    settings_.library = library.c_str();
    EXPECT_EQ(domain(), kUuid);
    ASSERT_EQ(::chown(library.c_str(), 65534, 65534), 0);
    hitopo_nvml_prepare(&settings_);
    Recorder recorder;
    EXPECT_EQ(hitopo_nvml_query(&settings_, &recorder.question, &recorder), kSuccess);
    ASSERT_TRUE(recorder.error);
    EXPECT_EQ(recorder.error->code, Errc::kMalformed);
    EXPECT_EQ(recorder.error->value, library);
    EXPECT_EQ(recorder.error->where, "hitopo_nvml_library");
    EXPECT_TRUE(recorder.side.empty());
    std::filesystem::remove(library);
}

TEST_F(Nvml, a_driver_that_hangs_costs_its_time_and_no_more) {
    fail("hang");
    settings_.timeout_ms = 100;
    expect_nothing("no answer within 100 ms");
    hitopo_nvml_prepare(&settings_);
    hitopo_nvml_close();
}

TEST_F(Nvml, is_not_asked_without_a_driver) {
    for (const char* library : {static_cast<const char*>(nullptr), ""}) {
        settings_.library = library;
        expect_nothing("no NVIDIA driver: there is no /dev/no-driver");
        hitopo_nvml_prepare(&settings_);
    }
    settings_.timeout_ms = 0;
    expect_nothing("hitopo_nvml_timeout_ms is 0");
    asks_for_node_ = false;
    expect_nothing("not asked: local rank 0 answers for the whole node");
}

TEST_F(Nvml, prepared_answers_once) {
    hitopo_nvml_prepare(&settings_);
    gpus("");
    EXPECT_EQ(domain(), kUuid);  // was asked before
    expect_nothing("no GPU");
}

}  // namespace
}  // namespace hitopo

// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include "ompi/mca/hitopo/core/text/guard.h"
#include "ompi/mca/hitopo/file/file_input.h"
#include "ompi/mca/hitopo/file/hitopo_file.h"
#include "test/support/recorder.h"

namespace hitopo {
namespace {

Result<std::string> read_file(const std::string& path, std::size_t max_bytes) {
    return regular_files("", "").read(path, max_bytes);
}

class FileTest : public testing::Test {
protected:
    FileTest() {
        std::string name = testing::TempDir() + "hitopo-XXXXXX";
        folder_ = ::mkdtemp(name.data());
    }
    ~FileTest() override { std::filesystem::remove_all(folder_); }

    std::string write(const std::string& name, const std::string& text) {
        std::ofstream(folder_ + '/' + name) << text;
        return folder_ + '/' + name;
    }

    void query(const std::string& path, int rank = 0) {
        const hitopo_file_settings_t settings = {path.c_str()};
        recorder_.question.rank = rank;
        EXPECT_EQ(hitopo_file_query(&settings, &recorder_.question, &recorder_), kSuccess);
    }

    std::string folder_;
    Recorder recorder_;
};

TEST_F(FileTest, query_answers_from_the_map) {
    const std::string path = write("a.map", "include b.map\nhost node1 switch=s\nrank 3 socket=1\n");
    write("b.map", "* island=i\n");
    query(path, 3);
    EXPECT_EQ(recorder_.values[kIsland]->to_string(), "i");
    EXPECT_EQ(recorder_.values[kSwitch]->to_string(), "i/s");
    EXPECT_EQ(recorder_.values[kSocket]->to_string(), "i/s/1");
    EXPECT_FALSE(recorder_.values[kNode]);
    EXPECT_EQ(recorder_.reasons[kIsland], folder_ + "/b.map:1");
    EXPECT_EQ(recorder_.reasons[kNode], path + " has no value");
    EXPECT_FALSE(recorder_.error);
}

TEST_F(FileTest, query_replaces_the_node_only) {
    query(write("a.map", "shape island:2 node:2 core:2"), 5);
    EXPECT_EQ(recorder_.values[kNode]->to_string(), "i1/i1n0");
    EXPECT_TRUE(recorder_.replaces_node);
}

TEST_F(FileTest, query_is_silent_without_a_path) {
    query("");
    const hitopo_file_settings_t none = {nullptr};
    EXPECT_EQ(hitopo_file_query(&none, &recorder_.question, &recorder_), kSuccess);
    EXPECT_EQ(recorder_.values, RawAddress());
    EXPECT_FALSE(recorder_.error);
    EXPECT_EQ(recorder_.reason, "hitopo_file_path is not set");
}

// The job is told where all its processes say so.
TEST_F(FileTest, query_says_that_the_map_tells_nothing) {
    const std::string path = write("a.map", "host node2 switch=s\n");
    query(path);
    EXPECT_EQ(recorder_.values, RawAddress());
    ASSERT_TRUE(recorder_.error);
    EXPECT_EQ(recorder_.error->code, Errc::kAbsent);
    EXPECT_EQ(recorder_.error->value, path);
    EXPECT_EQ(recorder_.error->where, "hitopo_file_path");
    EXPECT_EQ(recorder_.error->message,
              "this node is node1, the file begins with node2; correct the names or the path");
}

TEST_F(FileTest, query_names_the_first_hosts_of_a_topology_conf) {
    query(write("a.conf",
                "SwitchName=top Switches=s1\nSwitchName=s1 Nodes=n[1-4],m\nSwitchName=s2 Nodes=k\n"));
    ASSERT_TRUE(recorder_.error);
    EXPECT_EQ(recorder_.error->message,
              "this node is node1, the file begins with n[1-4],m; correct the names or the path");
}

TEST_F(FileTest, query_is_silent_where_the_map_tells_something) {
    for (const char* text : {"* switch=s\n", "rank 0 socket=1\n", "host node1 nvlink://Domain=d\n"}) {
        query(write("a.map", text));
        EXPECT_FALSE(recorder_.error) << text;
    }
}

// The kind of a file shows behind a byte order mark; messages are those of its kind.
TEST_F(FileTest, query_takes_byte_order_marks) {
    const std::string mark = "\xEF\xBB\xBF";
    write("b.map", mark + "host node1 island=i\r\n");
    for (const std::string& text :
         {mark + "host node1 switch=s\r\ninclude b.map\r\n", mark + "SwitchName=s Nodes=node1\r\n",
          mark + "\tSwitchName\t=\ts\tNodes = node1\r\n\r\n"}) {
        Recorder recorder;
        const std::string path = write("a", text);
        const hitopo_file_settings_t settings = {path.c_str()};
        EXPECT_EQ(hitopo_file_query(&settings, &recorder.question, &recorder), kSuccess);
        ASSERT_TRUE(recorder.values[kSwitch]) << text;
        EXPECT_EQ(recorder.values[kSwitch]->path.back(), Name("s")) << text;
        EXPECT_FALSE(recorder.error) << text;
    }
    for (const std::string& wide : {std::string("\xFF\xFES\0w\0", 6), std::string("\xFE\xFF\0S", 4),
                                    std::string("S\0w\0i\0", 6), std::string("\0\0\0S", 4)}) {
        Recorder recorder;
        const std::string path = write("a", wide);
        const hitopo_file_settings_t settings = {path.c_str()};
        EXPECT_EQ(hitopo_file_query(&settings, &recorder.question, &recorder), kSuccess);
        ASSERT_TRUE(recorder.error);
        EXPECT_EQ(recorder.error->value, "UTF-16");
        EXPECT_EQ(recorder.error->where, path);
    }
}

// Sets variables of the environment while it lives.
class Environment {
public:
    explicit Environment(std::map<std::string, std::string> variables)
        : variables_(std::move(variables)) {
        for (const auto& [name, value] : variables_) {
            ::setenv(name.c_str(), value.c_str(), 1);
        }
    }
    ~Environment() {
        for (const auto& variable : variables_) {
            ::unsetenv(variable.first.c_str());
        }
    }
    Environment(const Environment&) = delete;
    Environment& operator=(const Environment&) = delete;

private:
    const std::map<std::string, std::string> variables_;
};

TEST_F(FileTest, query_looks_for_all_names_of_the_node) {
    const std::string path =
        write("a.conf", "SwitchName=s1 Nodes=n[1-9].lab\nSwitchName=s2 Nodes=k1,k2\n");
    const auto switch_of = [&](const char* host, const std::map<std::string, std::string>& variables,
                               const char* variable = nullptr) {
        const Environment environment(variables);
        Recorder recorder;
        recorder.host_is(host, variable);
        const hitopo_file_settings_t settings = {path.c_str()};
        EXPECT_EQ(hitopo_file_query(&settings, &recorder.question, &recorder), kSuccess);
        EXPECT_EQ(recorder.error.has_value(), !recorder.values[kSwitch]);
        return recorder.values[kSwitch] ? recorder.values[kSwitch]->to_string() : "-";
    };
    EXPECT_EQ(switch_of("N3", {}), "s1");
    EXPECT_EQ(switch_of("n3.lab", {}), "s1");
    EXPECT_EQ(switch_of("n3.home", {}), "-");
    EXPECT_EQ(switch_of("vm", {}), "-");
    EXPECT_EQ(switch_of("vm", {{"SLURMD_NODENAME", "n2"}}), "s1");
    EXPECT_EQ(switch_of("job-worker-0", {{"NODE_NAME", "K2.cluster.local"}}), "s2");
    EXPECT_EQ(switch_of("n1", {{"SLURMD_NODENAME", "k1"}, {"NODE_NAME", "k1"}}), "s1");
    EXPECT_EQ(switch_of("vm", {{"SLURMD_NODENAME", "n1"}, {"NODE_NAME", "k1"}}), "s1");
    EXPECT_EQ(switch_of("pod", {{"MY_NODE", "k1"}, {"NODE_NAME", "n1"}}, "MY_NODE"), "s2");
    EXPECT_EQ(switch_of("pod", {{"MY_NODE", "k1"}}), "-");
    EXPECT_EQ(switch_of("pod", {{"SLURMD_NODENAME", ""}, {"NODE_NAME", ""}}), "-");
}

TEST_F(FileTest, query_tells_the_place_of_a_bad_line) {
    const std::string path = write("a.map", "* island=i\n* swich=s\n");
    query(path);
    EXPECT_EQ(recorder_.values[kIsland], RawValue(Name("i")));
    EXPECT_FALSE(recorder_.values[kSwitch]);
    ASSERT_TRUE(recorder_.error);
    EXPECT_EQ(recorder_.error->code, Errc::kSkipped);
    EXPECT_EQ(recorder_.error->where, path);
    EXPECT_EQ(recorder_.error->variable, "hitopo_file_path");
    EXPECT_EQ(recorder_.error->line, 2);
    EXPECT_EQ(recorder_.error->column, 3);
}

TEST_F(FileTest, query_tells_all_bad_lines) {
    for (const char* first : {"* island=i\n", "* =i\n"}) {  // the rest is used, or nothing is
        Recorder recorder;
        const std::string path = write("a.map", std::string(first) + "* swich=s\nhots n1 switch=s\n");
        const hitopo_file_settings_t settings = {path.c_str()};
        EXPECT_EQ(hitopo_file_query(&settings, &recorder.question, &recorder), kSuccess);
        ASSERT_TRUE(recorder.error);
        ASSERT_FALSE(recorder.error->others.empty());
        EXPECT_EQ(recorder.error->others.back().position(), path + ":3:1");
        EXPECT_EQ(recorder.error->others.back().value, "hots");
    }
}

// Rank 0 prints it, and `hitopo show --why` each node's.
TEST_F(FileTest, query_says_how_to_make_a_map_of_another_file) {
    const std::pair<const char*, const char*> files[] = {
        {"{\"kind\": \"NodeList\", \"items\": []}", "lists Kubernetes nodes"},
        {"apiVersion: v1\nitems:\n- metadata:\n    labels: {topology.k8s.aws/x: InstancE}\n",
         "lists Kubernetes nodes"},
        {"kind: ConfigMap\n", "is a ConfigMap of Kubernetes"},
        {"{ \"Instances\": [{\"InstanceId\": \"i-1\"}]}", "lists instances of AWS"},
        {"[ { \"InstanceId\": \"i-1\"} ]", "lists instances of AWS"},
        {"[{\"kind\": \"compute#instance\"}]", "lists instances of Google Cloud"},
        {"{\"instances\": [{\"id\": \"a\", \"network_layers\": []}]}", "lists instances by Topograph"},
        {"---\n- topology: t\n", "is Slurm's topology.yaml"},
        {"#\n# Topology file\n#\nvendid=0x2c9\n", "is what ibnetdiscover prints"},
        {"n1 {\"lldp\": []}\n", "is what lldpcli prints"},
        {"{}", "is YAML or JSON"}};
    for (const auto& [text, what] : files) {
        Recorder recorder;
        const std::string path = write("nodes", text);
        const hitopo_file_settings_t settings = {path.c_str()};
        EXPECT_EQ(hitopo_file_query(&settings, &recorder.question, &recorder), kSuccess);
        ASSERT_TRUE(recorder.error) << text;
        EXPECT_EQ(recorder.error->message, std::string("this file ") + what +
                                               ". Write a map of it, and name that: hitopo map " + path +
                                               " > hitopo.map");
        EXPECT_EQ(recorder.error->where, "hitopo_file_path");
        recorder.error.reset();
        recorder.question.asks_for_node = false;
        EXPECT_EQ(hitopo_file_query(&settings, &recorder.question, &recorder), kSuccess);
        EXPECT_EQ(recorder.error->code, Errc::kAbsent) << "one process of the node reads it";
    }
}

TEST_F(FileTest, query_reads_a_topology_conf) {
    query(write("a.conf", "SwitchName=top Switches=s\nSwitchName=s Nodes=node[1-2]\n"));
    EXPECT_EQ(recorder_.values[kIsland]->to_string(), "top");
    EXPECT_EQ(recorder_.values[kSwitch]->to_string(), "s");
    EXPECT_EQ(recorder_.reasons[kSwitch], folder_ + "/a.conf:2");
    EXPECT_FALSE(recorder_.error);
}

TEST_F(FileTest, query_tells_a_missing_map) {
    query(folder_ + "/none.map");
    ASSERT_TRUE(recorder_.error);
    EXPECT_EQ(recorder_.error->code, Errc::kUnreadable);
    EXPECT_EQ(recorder_.error->where, "hitopo_file_path");
    EXPECT_EQ(recorder_.error->value, folder_ + "/none.map");
    EXPECT_NE(recorder_.error->message.find("No such file"), std::string::npos);
}

TEST_F(FileTest, query_tells_the_line_of_a_missing_include) {
    const std::string path = write("a.map", "\ninclude none.map\n");
    query(path);
    ASSERT_TRUE(recorder_.error);
    EXPECT_EQ(recorder_.error->code, Errc::kUnreadable);
    EXPECT_EQ(recorder_.error->where, path);
    EXPECT_EQ(recorder_.error->line, 2);
    EXPECT_EQ(recorder_.error->column, 9);
}

TEST_F(FileTest, read_waits_for_no_fifo) {
    const std::string path = folder_ + "/fifo";
    ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
    const Result<std::string> text = read_file(path, 100);
    ASSERT_FALSE(text);
    EXPECT_EQ(text.error().code, Errc::kUnreadable);
    EXPECT_NE(text.error().message.find("it is a pipe"), std::string::npos);
}

TEST_F(FileTest, read_takes_no_folder_and_no_device) {
    EXPECT_EQ(read_file(folder_, 100).error().code, Errc::kUnreadable);
    EXPECT_EQ(read_file("/dev/zero", 100).error().code, Errc::kUnreadable);
    EXPECT_EQ(read_file("", 100).error().code, Errc::kUnreadable);
}

TEST_F(FileTest, read_has_a_limit) {
    const std::string path = write("a", std::string(100000, 'x'));
    EXPECT_EQ(read_file(path, 100000)->size(), 100000u);
    EXPECT_EQ(read_file(path, 99999).error().code, Errc::kTooLarge);
    EXPECT_EQ(*read_file(write("empty", ""), 0), "");
}

}  // namespace
}  // namespace hitopo

// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// options.cc, render.cc and program.cc.
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>

#include "ompi/tools/hitopo/options.h"
#include "ompi/tools/hitopo/program.h"
#include "ompi/tools/hitopo/render.h"
#include "test/tools/show_fixtures.h"

namespace hitopo::tool {
namespace {

CommandLine parsed(std::vector<const char*> words) {
    words.insert(words.begin(), "hitopo");
    return parse_command_line(static_cast<int>(words.size()), words.data());
}

// "show json why > x.json": the subcommand, its format, and what else is not as it is without options.
std::string understood(const std::vector<const char*>& words) {
    const CommandLine line = parsed(words);
    if (!line.options) {
        return line.text;
    }
    const Options& options = *line.options;
    const char* const commands[] = {"show", "info", "report", "tune", "order", "check", "map", "select"};
    const char* const formats[] = {"table", "tree", "svg", "json", "text", "html", "csv"};
    std::string text = commands[static_cast<std::size_t>(options.command)];
    const auto add = [&](bool is_there, const std::string& word) { text += is_there ? ' ' + word : ""; };
    add(true, formats[static_cast<std::size_t>(options.format)]);
    add(options.has_why, "why");
    add(options.has_devices, "devices");
    add(options.compares, "compare");
    add(!options.profile.empty(), options.profile);
    for (const std::string& other : options.other_profiles) {
        add(true, other);
    }
    add(!options.side.empty(), "side " + options.side);
    for (const std::string& name : options.names) {
        add(true, "variables " + name);
    }
    add(options.is_bug_report, "bug");
    add(!options.required.empty(), "require " + options.required);
    add(options.link_seconds != 0, "links " + std::to_string(options.link_seconds));
    add(!options.output.empty(), "> " + options.output);
    return text;
}

TEST(CommandLine, options_of_show_info_report_and_check) {
    const std::pair<std::vector<const char*>, const char*> cases[] = {
        {{"show"}, "show table"},
        {{"show", "--format", "json", "--why", "--output", "x.json"}, "show json why > x.json"},
        {{"show", "--devices"}, "show table devices"},
        {{"show", "-d", "--format", "json", "--why"}, "show json why devices"},
        {{"show", "-d", "--format", "svg"}, "show svg devices"},
        {{"info"}, "info text"},
        {{"info", "--format=json"}, "info json"},
        {{"info", "hitopo_file", "coll"}, "info text variables hitopo_file variables coll"},
        {{"info", "--report", "bug"}, "info text bug > bug"},
        {{"check", "--require", "switch=slurm,core"}, "check text require switch=slurm,core"},
        {{"check", "--links"}, "check text links 30"},
        {{"check", "--links", "--output", "x"}, "check text links 30 > x"},
        {{"check", "--links", "5"}, "check text links 5"},
        {{"check", "--links=5"}, "check text links 5"},
        {{"report", "job.json"}, "report text job.json"},
        {{"report", "-", "-f", "html", "-o", "x.html"}, "report html - > x.html"},
        {{"report", "x", "-f", "json"}, "report json x"},
        {{"report", "x", "-f", "csv"}, "report csv x"},
        {{"report", "a", "b", "c"}, "report text a b c"},
        {{"report", "--compare", "a", "b"}, "report text compare a b"},
        {{"report", "a", "--side", "x://Y"}, "report text a side x://Y"},
        {{"check"}, "check text"},
        {{"check", "--format", "json", "-o", "x.json"}, "check json > x.json"}};
    for (const auto& [words, expected] : cases) {
        EXPECT_EQ(understood(words), expected);
    }
}

TEST(CommandLine, help_and_version_are_no_errors) {
    for (const char* option : {"--help", "--version"}) {
        const CommandLine line = parsed({option});
        EXPECT_FALSE(line.options);
        EXPECT_EQ(line.exit_code, kExitDone);
    }
    EXPECT_EQ(parsed({"--version"}).text, "hitopo 0.2.0\n");
    EXPECT_NE(parsed({"--help"}).text.find("mpirun -np 4 hitopo show --format tree"), std::string::npos);
    EXPECT_NE(parsed({"show", "--help"}).text.find("--why"), std::string::npos);
}

TEST(CommandLine, options_of_order) {
    const CommandLine line = parsed({"order", "x", "-f", "rankfile", "--launcher", "5.0", "-o", "y"});
    ASSERT_TRUE(line.options);
    EXPECT_EQ(line.options->command, Command::kOrder);
    EXPECT_EQ(line.options->profile, "x");
    EXPECT_EQ(line.options->format, Format::kRankfile);
    EXPECT_EQ(line.options->order.launcher, Launcher::kPrrte);
    EXPECT_EQ(line.options->output, "y");
    EXPECT_EQ(parsed({"order", "--grid", "4x4"}).options->format, Format::kText);
}

TEST(CommandLine, options_of_select) {
    const CommandLine line = parsed({"select", "--gpus-per-rank", "2", "--order", "gpu", "--bind",
                                     "keep", "--visible", "all", "-o", "y"});
    ASSERT_TRUE(line.options);
    const SelectOptions& options = line.options->select;
    EXPECT_EQ(line.options->command, Command::kSelect);
    EXPECT_EQ(options.gpus_per_rank, 2);
    EXPECT_TRUE(options.by_gpu && options.keeps_cpus && options.sees_all);
    EXPECT_EQ(line.options->format, Format::kScript);
    EXPECT_EQ(line.options->output, "y");
    const CommandLine rankfile = parsed({"select", "-f", "rankfile"});
    const SelectOptions& plain = rankfile.options->select;
    EXPECT_FALSE(plain.by_gpu || plain.keeps_cpus || plain.sees_all || plain.gpus_per_rank != 0);
    EXPECT_EQ(rankfile.options->format, Format::kRankfile);
}

// One message: the value, and a remedy.
void expect_wrong_use(const std::vector<const char*>& words, const std::string& fault) {
    const CommandLine line = parsed(words);
    EXPECT_FALSE(line.options) << fault;
    EXPECT_EQ(line.exit_code, kExitUsage) << fault;
    EXPECT_NE(line.text.find(fault), std::string::npos) << fault << " is not in " << line.text;
    const std::string remedy = "\nRun with --help for more information.\n";
    ASSERT_GT(line.text.size(), remedy.size());
    EXPECT_EQ(line.text.find(remedy), line.text.size() - remedy.size()) << line.text;
    EXPECT_EQ(line.text.rfind("hitopo: "), 0U) << line.text;
}

TEST(CommandLine, wrong_use_of_each_subcommand_names_the_fault) {
    for (const char* command : {"show", "info", "check", "select", "report", "order", "tune"}) {
        expect_wrong_use({command, "--bogus"}, "--bogus");
        expect_wrong_use({command, "--output"}, "--output");
        expect_wrong_use({command, "--format", "bad"}, "bad");
        expect_wrong_use({command, "--format"}, "--format");
    }
    for (const char* command : {"show", "check", "select", "tune"}) {
        expect_wrong_use({command, "extra"}, "extra");
    }
}

TEST(CommandLine, wrong_use_names_the_fault) {
    const std::vector<std::pair<std::vector<const char*>, std::string>> cases = {
        {{}, "show, check, info, map, select, report, order or tune"},
        {{"shw"}, "shw is not a subcommand. Use show, check"},
        {{"--format", "json"}, "--format is not a subcommand"},
        {{"show", "--frmat", "svg"}, "--frmat"},
        {{"show", "-f", "json", "-f", "tree"}, "--format"},
        {{"show", "--why=maybe"}, "maybe"},
        {{"show", "--why", "--format", "svg"}, "--why"},
        {{"show", "--collectives", "--format", "svg"}, "--collectives"},
        {{"show", "--collectives", "--why"}, "--collectives"},
        {{"show", "--bytes", "5"}, "--collectives"},
        {{"show", "--devices", "--format=tree"}, "--devices"},
        {{"show", "--devices", "--collectives"}, "--collectives"},
        {{"show", "--collectives", "--bytes", "-1"}, "--bytes"},
        {{"show", "--collectives", "--bytes", "1.5"}, "--bytes: Value 1.5"},
        {{"show", "--collectives", "--bytes", "2000000000000000"}, "--bytes: Value 2000000000000000"},
        {{"order"}, "exactly one of these"},
        {{"order", "x", "--hosts"}, "exactly one of these"},
        {{"order", "--check", "x"}, "--check"},
        {{"order", "x", "--format", "mpich-order"},
         "mpich-order not in {hostfile,rankfile,slurm,list,map}"},
        {{"order", "x", "--format", "list"}, "--format list needs --hosts"},
        {{"order", "x", "--node-rank", "y"}, "--node-rank needs --hosts"},
        {{"order", "--hosts", "--node-rank", "y", "--format", "list"}, "excludes --format"},
        {{"order", "--hosts", "--table", "x", "--hostfile", "y"}, "--hostfile"},
        {{"order", "x", "--output", "y"}, "--output"},
        {{"order", "x", "--launcher", "3.1"}, "3.1"},
        {{"order", "--grid", "2y2"}, "--grid: is not a grid: \"2y2\". Write dimensions"},
        {{"order", "--grid", "0x4"}, "--grid: is not a grid: \"0\". Write dimensions"},
        {{"order", "--grid", "1001x1000"}, "--grid: is too large: \"1001x1000\". A grid has at most"},
        {{"order", "--hosts", "--capacities", "switch:x"},
         "--capacities: \"switch:x\": this is not level:number"},
        {{"check", "--why"}, "--why"},
        {{"check", "--links", "0"}, "--links: Value 0 not in range"},
        {{"check", "--require", "swich"}, "--require: \"swich\": write levels: cluster, island"},
        {{"check", "--require", "core,switch="}, "--require: \"switch=\": write a component"},
        {{"info", "hitopo", "--report", "x"}, "--report"},
        {{"select", "--order", "node"}, "node not in {cpu,gpu}"},
        {{"select", "--gpus-per-rank", "0"}, "--gpus-per-rank"},
        {{"select", "--visible", "all", "-f", "json"}, "--visible all needs --format script"},
        {{"report"}, "name its FILE"},
        {{"report", "x", "--side"}, "--side"},
        {{"report", "--compare", "x"}, "two files"},
        {{"report", "--compare", "x", "y", "z"}, "two files"},
        {{"report", "x", "--side", "y://Z", "-f", "csv"}, "--side needs"},
        {{"report", "--hang", "x", "-f", "json"}, "--hang excludes --compare, --side and --format"},
        {{"report", "--compare", "x", "y", "-f", "json"}, "--compare needs --format text or html"},
        {{"report", "--compare", "x", "y", "-f", "csv"}, "--compare needs --format text or html"},
        {{"report", "x", "--side", "y://Z", "-f", "html"}, "--side needs"},
        {{"report", "--compare", "x", "y", "--side", "y://Z"}, "--side needs"}};
    for (const auto& [words, fault] : cases) {
        expect_wrong_use(words, fault);
    }
}

TEST(CommandLine, complete_offers_what_can_stand_at_the_cursor) {
    const auto offered = [](std::vector<const char*> words) {
        words.insert(words.begin(), "complete");
        const CommandLine line = parsed(std::move(words));
        EXPECT_EQ(line.exit_code, kExitDone);
        return line.text;
    };
    const std::string commands = "show\ninfo\nreport\ncheck\nmap\nselect\norder\ntune\n";
    EXPECT_EQ(offered({}), commands);
    EXPECT_EQ(offered({"sh"}), commands);
    EXPECT_EQ(offered({"-"}), "--help\n--version\n");
    EXPECT_EQ(offered({"tune", ""}), "--help\n--output\n--check\n");
    EXPECT_EQ(offered({"check", "--format", ""}), "text\njson\n");
    EXPECT_EQ(offered({"check", "-f", "x"}), "text\njson\n");
    EXPECT_EQ(offered({"order", "--launcher", ""}), "4.1\n5.0\n");
    EXPECT_EQ(offered({"check", "--openmp", "--"}),
              "--help\n--format\n--require\n--links\n--openmp\n--gpu\n--gpu-by-local-rank\n--output\n");
    EXPECT_EQ(offered({"check", "--output", ""}), "");
    EXPECT_EQ(offered({"report", ""}), "");
    EXPECT_EQ(offered({"order", "x", ""}), "");
    EXPECT_EQ(offered({"shw", ""}), "");
}

Options show_options(Format format, bool has_why = false) {
    return {Command::kShow, format, has_why, "", ""};
}

TEST(RenderShow, each_format) {
    const Documents documents = {fixture("two-islands.json"), "", {}};
    const auto start = [&](Format format) {
        const Rendered rendered = render_show(documents, show_options(format), Charset::kUtf8);
        EXPECT_EQ(rendered.error, "");
        return rendered.text.substr(0, 14);
    };
    EXPECT_EQ(start(Format::kTable), "MPI_COMM_WORLD");
    EXPECT_EQ(start(Format::kTree), "MPI_COMM_WORLD");
    EXPECT_EQ(start(Format::kJson), "{\n  \"hitopo\": ");
    EXPECT_EQ(start(Format::kSvg), "<svg xmlns=\"ht");
}

TEST(RenderShow, no_table_is_one_message_with_reason_and_remedy) {
    const Documents documents = {std::nullopt, "rank 3 runs without HiTopo", {}};
    const Rendered rendered = render_show(documents, show_options(Format::kTree), Charset::kUtf8);
    EXPECT_EQ(rendered.text, "");
    EXPECT_NE(rendered.error.find("no address table: rank 3 runs without HiTopo."), std::string::npos);
    EXPECT_NE(rendered.error.find("hitopo info"), std::string::npos);
}

TEST(RenderShow, why_is_told_without_a_table_too) {
    const std::string process = json_fixture("two-nodes-processes.json")[0].dump();
    const Documents documents = {std::nullopt, "off", {process, ""}};
    const Rendered rendered = render_show(documents, show_options(Format::kTable, true), Charset::kUtf8);
    EXPECT_NE(rendered.text.find("rank 0  * slurm"), std::string::npos) << rendered.text;
    EXPECT_NE(rendered.text.find("rank 1  HiTopo is off there"), std::string::npos) << rendered.text;
    EXPECT_NE(rendered.error, "");
}

TEST(RenderShow, why_in_json_is_one_document) {
    const std::string process = json_fixture("two-nodes-processes.json")[0].dump();
    const Documents documents = {fixture("two-islands.json"), "", {process, "", "broken"}};
    const Rendered rendered = render_show(documents, show_options(Format::kJson, true), Charset::kUtf8);
    const Json json = *parse_json(rendered.text);
    ASSERT_EQ(json["processes"].size(), 3U);
    EXPECT_EQ(json["processes"][0]["host"], "n1");
    EXPECT_TRUE(json["processes"][1].is_null());
    EXPECT_TRUE(json["processes"][2].is_null());
}

TEST(RenderShow, broken_documents_are_one_line) {
    for (const char* text : {"", "{", "{}", "[1]", "\x1b"}) {
        const Rendered rendered =
            render_show({text, "", {}}, show_options(Format::kTable), Charset::kUtf8);
        EXPECT_EQ(rendered.text, "");
        EXPECT_NE(rendered.error.find("different versions"), std::string::npos) << rendered.error;
        EXPECT_EQ(rendered.error.find('\n'), std::string::npos);
    }
}

TEST(RenderInfo, text_json_and_nothing) {
    const std::string document = fixture("framework.json");
    const Options text = {Command::kInfo, Format::kText, false, "", ""};
    const Options json = {Command::kInfo, Format::kJson, false, "", ""};
    const auto info = [](const std::optional<std::string>& framework, const Options& options) {
        Documents documents;
        documents.framework = framework;
        return render_info(documents, options, Charset::kUtf8);
    };
    EXPECT_EQ(info(document, text).text, fixture("framework.info.txt"));
    EXPECT_EQ(*parse_json(info(document, json).text), *parse_json(document));
    EXPECT_NE(info(std::nullopt, text).error, "");
    EXPECT_NE(info("{}", json).error, "");

    Options named = text;
    named.names = {"hitopo_slurm_p", "nosuch"};
    EXPECT_EQ(info(document, named).text.find("  hitopo_slurm_priority = "), 0U);
    EXPECT_EQ(info(document, named).text.find("hitopo_file"), std::string::npos);
    named.format = Format::kJson;
    EXPECT_EQ(parse_json(info(document, named).text)->at("variables").size(), 1U);
    named.names = {"hitopo_nosuch"};
    EXPECT_EQ(info(document, named).error,
              "no variable begins with hitopo_nosuch. `hitopo info` lists all.");
}

TEST(Output, goes_to_the_file_whole) {
    const std::string path = testing::TempDir() + "hitopo-output-" + std::to_string(getpid());
    EXPECT_FALSE(write_output("one\n", path).has_value());
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    EXPECT_EQ(text.str(), "one\n");
    std::remove(path.c_str());
}

TEST(Output, failures_name_the_file_and_the_reason) {
    const std::optional<Error> missing = write_output("x", "/nowhere/at/all");
    ASSERT_TRUE(missing.has_value());
    EXPECT_EQ(error_line(*missing), "/nowhere/at/all cannot be written: No such file or directory");
    const std::optional<Error> full = write_output(std::string(100000, 'x'), "/dev/full");
    ASSERT_TRUE(full.has_value());
    EXPECT_EQ(error_line(*full), "/dev/full cannot be written: No space left on device");
}

TEST(Output, is_probed_without_a_trace) {
    std::string folder = testing::TempDir() + "hitopo-output-XXXXXX";
    ASSERT_NE(mkdtemp(folder.data()), nullptr);
    const auto complaint = [](const std::string& path) {
        const std::optional<Error> error = probe_output(path);
        return error ? error_line(*error) : "";
    };
    for (const std::string& path : {folder + "/new", std::string(), std::string("/dev/full")}) {
        EXPECT_EQ(complaint(path), "");
    }
    EXPECT_EQ(complaint(folder), folder + " cannot be written: Is a directory");
    EXPECT_EQ(complaint(folder + "/no/file"),
              folder + "/no/file cannot be written: No such file or directory");
    EXPECT_TRUE(std::filesystem::is_empty(folder));
    std::filesystem::remove(folder);
}

std::string content_of(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

// A folder with a file of another purpose, and a link of ours to "mine".
class LinkedOutput : public testing::Test {
protected:
    LinkedOutput() {
        EXPECT_NE(mkdtemp(folder_.data()), nullptr);
        std::ofstream(in("precious")) << "precious";
        EXPECT_EQ(symlink("mine", in("link").c_str()), 0);
    }
    ~LinkedOutput() override { std::filesystem::remove_all(folder_); }
    std::string in(const char* name) const { return folder_ + "/" + name; }

    std::string folder_ = testing::TempDir() + "hitopo-output-XXXXXX";
};

TEST_F(LinkedOutput, goes_through_a_link_of_ours_once) {
    for (int i = 0; i < 2; ++i) {
        EXPECT_FALSE(write_output("text", in("link")).has_value());
        EXPECT_EQ(content_of(in("mine")), "text");
        EXPECT_TRUE(std::filesystem::is_symlink(in("link")));
    }
    EXPECT_EQ(symlink("link", in("twice").c_str()), 0);
    EXPECT_TRUE(write_output("x", in("twice")).has_value());
    EXPECT_EQ(content_of(in("mine")), "text");
}

TEST_F(LinkedOutput, never_goes_through_a_link_of_another_user) {
    if (geteuid() != 0) {
        GTEST_SKIP() << "only root makes one";
    }
    EXPECT_EQ(symlink("precious", in("theirs").c_str()), 0);
    EXPECT_EQ(lchown(in("theirs").c_str(), 65534, 65534), 0);
    const std::optional<Error> error = write_output("x", in("theirs"));
    ASSERT_TRUE(error.has_value());
    EXPECT_EQ(error_line(*error), in("theirs") + " cannot be written: Operation not permitted");
    EXPECT_EQ(content_of(in("precious")), "precious");
}

// What the other user swaps after the link was judged.
std::function<void()> before_readlinkat;

TEST_F(LinkedOutput, goes_through_the_link_that_was_judged) {
    int num_swapped = 0;
    before_readlinkat = [&] {
        std::filesystem::remove(in("link"));
        EXPECT_EQ(symlink("precious", in("link").c_str()), 0);
        ++num_swapped;
    };
    EXPECT_FALSE(write_output("text", in("link")).has_value());
    before_readlinkat = nullptr;
    EXPECT_EQ(num_swapped, 1);
    EXPECT_EQ(content_of(in("precious")), "precious");
    EXPECT_EQ(content_of(in("mine")), "text");
}

TEST_F(LinkedOutput, goes_through_no_link_behind_it) {
    EXPECT_EQ(symlink("precious", in("mine").c_str()), 0);
    EXPECT_TRUE(write_output("x", in("link")).has_value());
    EXPECT_EQ(content_of(in("precious")), "precious");
}

TEST_F(LinkedOutput, standard_output_stays_usable) {
    const int before = dup(1);
    const int file = open(in("precious").c_str(), O_WRONLY | O_TRUNC);
    dup2(file, 1);
    EXPECT_FALSE(probe_output("/dev/fd/1").has_value());  // in a folder that takes no file
    EXPECT_FALSE(write_output("text", "/dev/stdout").has_value());
    dup2(before, 1);
    close(file);
    close(before);
    EXPECT_EQ(content_of(in("precious")), "text");
}

}  // namespace
}  // namespace hitopo::tool

// In place of the C library's.
extern "C" ssize_t readlinkat(int folder, const char* path, char* target, size_t size) {
    if (hitopo::tool::before_readlinkat) {
        hitopo::tool::before_readlinkat();
    }
    return syscall(SYS_readlinkat, folder, path, target, size);
}

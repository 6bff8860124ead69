// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/machine/cgroup.h"

#include <algorithm>

#include "ompi/mca/hitopo/core/text/text.h"

namespace hitopo {
namespace {

bool has_item(std::string_view list, std::string_view item) {
    const std::vector<std::string_view> items = split(list, ',');
    return std::find(items.begin(), items.end(), item) != items.end();
}

// Files of the kernel end in a newline.
std::string_view first_line(std::string_view text) { return trim(text.substr(0, text.find('\n'))); }

bool is_octal(char c) { return c >= '0' && c <= '7'; }

// "/mnt/a\040b": blanks, tabs, newlines and backslashes are octal there.
std::string unescaped(std::string_view text) {
    std::string plain;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\\' && text.size() - i > 3 && is_octal(text[i + 1]) && is_octal(text[i + 2]) &&
            is_octal(text[i + 3])) {
            plain += static_cast<char>((text[i + 1] - '0') * 64 + (text[i + 2] - '0') * 8 +
                                       (text[i + 3] - '0'));
            i += 3;
        } else {
            plain += text[i];
        }
    }
    return plain;
}

// line: id ":" controllers ":" path; without controllers: version 2
//
//     3:cpu,cpuacct:/job/step
//     0::/user.slice
std::optional<std::string> path_of(std::string_view cgroup, std::string_view controller) {
    for (const std::string_view line : split(cgroup, '\n')) {
        const std::size_t first = line.find(':');
        const std::size_t second = line.find(':', first == std::string_view::npos ? first : first + 1);
        if (second == std::string_view::npos) {
            continue;
        }
        const std::string_view controllers = line.substr(first + 1, second - first - 1);
        if (controller.empty() ? controllers.empty() : has_item(controllers, controller)) {
            return std::string(line.substr(second + 1));
        }
    }
    return std::nullopt;
}

struct Mount {
    std::string root;  // the group that is mounted
    std::string folder;
};

// line: id parent device root folder options {tag} "-" type source options
//
//     41 31 0:38 / /sys/fs/cgroup/unified rw,relatime shared:9 - cgroup2 cgroup2 rw
std::optional<Mount> read_mount(std::string_view line, std::string_view controller) {
    const std::size_t dash = line.find(" - ");
    if (dash == std::string_view::npos) {
        return std::nullopt;
    }
    const std::vector<std::string_view> fields = split(line.substr(0, dash), ' ');
    const std::vector<std::string_view> types = split(line.substr(dash + 3), ' ');
    if (fields.size() < 5 || types.size() < 3) {
        return std::nullopt;
    }
    const bool is_wanted = controller.empty() ? types[0] == "cgroup2"
                                              : types[0] == "cgroup" && has_item(types[2], controller);
    return is_wanted ? std::optional<Mount>({unescaped(fields[3]), unescaped(fields[4])}) : std::nullopt;
}

// "/b" of "/a/b" below "/a"; nothing where it is not below it.
std::optional<std::string> path_below(const std::string& root, const std::string& path) {
    const std::string prefix = root == "/" ? "" : root;
    const bool is_below = path.compare(0, prefix.size(), prefix) == 0 &&
                          (path.size() == prefix.size() || path[prefix.size()] == '/');
    return is_below && path.find("/..") == std::string::npos
               ? std::optional<std::string>(path.substr(prefix.size()))
               : std::nullopt;
}

void add_folders(const Mount& mount, std::string below, std::vector<std::string>& folders) {
    while (!below.empty()) {
        if (below != "/") {
            folders.push_back(mount.folder + below);
        }
        below.resize(below.rfind('/') == std::string::npos ? 0 : below.rfind('/'));
    }
    folders.push_back(mount.folder);
}

// controller: "" for version 2.
void add_folders(std::string_view cgroup, std::string_view mountinfo, std::string_view controller,
                 std::vector<std::string>& folders) {
    const std::optional<std::string> path = path_of(cgroup, controller);
    if (!path) {
        return;
    }
    std::optional<Mount> other;
    for (const std::string_view line : split(mountinfo, '\n')) {
        const std::optional<Mount> mount = read_mount(line, controller);
        const std::optional<std::string> below = mount ? path_below(mount->root, *path) : std::nullopt;
        if (below) {
            add_folders(*mount, *below, folders);
            return;
        }
        other = other ? other : mount;
    }
    if (other) {
        add_folders(*other, "", folders);
    }
}

}  // namespace

std::vector<std::string> cgroup_folders(std::string_view cgroup, std::string_view mountinfo,
                                        std::string_view controller) {
    std::vector<std::string> folders;
    add_folders(cgroup, mountinfo, controller, folders);
    add_folders(cgroup, mountinfo, "", folders);
    return folders;
}

// "50000 100000": microseconds in each period of so many; "max 100000": no limit.
std::optional<std::int64_t> milli_cpus_of(std::string_view cpu_max) {
    const std::string_view text = first_line(cpu_max);
    const std::size_t blank = text.find(' ');
    return blank == std::string_view::npos
               ? std::nullopt
               : milli_cpus_of(text.substr(0, blank), text.substr(blank + 1));
}

// "50000", "100000"; "-1": no limit.
std::optional<std::int64_t> milli_cpus_of(std::string_view quota_us, std::string_view period_us) {
    constexpr std::uint64_t kMostUs = std::uint64_t{1} << 50;
    const std::optional<std::uint64_t> quota = parse_number(first_line(quota_us));
    const std::optional<std::uint64_t> period = parse_number(first_line(period_us));
    return quota && period && *quota <= kMostUs && *period > 0
               ? std::optional<std::int64_t>(static_cast<std::int64_t>(*quota * 1000 / *period))
               : std::nullopt;
}

}  // namespace hitopo

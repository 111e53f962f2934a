#include "cli/check_input.hpp"

#include "cli/gltf_file.hpp"
#include <sudar/geom/disjoint_sets.hpp>
#include <sudar/geom/mesh_weld.hpp>
#include <sudar/io/mesh_file.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <map>

namespace sudar_cli {

namespace {

using sudar::Mesh;
using sudar::Vec3d;

struct Unit {
  std::string_view name;
  double in_a_metre;
};
// An inch is 0.0254 m and a foot 0.3048 m: of these two a length is multiplied, written as a division
constexpr std::array<Unit, 5> kUnits = {{{"mm", 1000}, {"cm", 100}, {"m", 1}, {"in", 1 / 0.0254}, {"ft", 1 / 0.3048}}};

double to_metres(double length, double in_a_metre) {
  return in_a_metre == kUnits[3].in_a_metre   ? length * 0.0254
         : in_a_metre == kUnits[4].in_a_metre ? length * 0.3048
                                              : length / in_a_metre;
}

// A file before it is cut: what one thread makes of it
struct RawPart {
  std::string name;
  Mesh mesh;
};
struct LoadedFile {
  std::vector<RawPart> raw;
  std::vector<CheckPart> parts;
  std::string failure;
  std::vector<std::string> faults;
};

// The shells of a mesh: what hangs together by vertices, in the order of their first triangles
std::vector<Mesh> shells_of(const Mesh& mesh) {
  sudar::DisjointSets sets(static_cast<std::uint32_t>(mesh.vertices.size()));
  for (const auto& t : mesh.triangles) sets.join(t[0], t[1]), sets.join(t[0], t[2]);
  std::vector<Mesh> out;
  std::vector<std::uint32_t> shell(mesh.vertices.size(), sudar::kNoIndex), place(mesh.vertices.size(), sudar::kNoIndex);
  for (const auto& t : mesh.triangles) {
    std::uint32_t& number = shell[sets.find(t[0])];
    if (number == sudar::kNoIndex) {
      number = static_cast<std::uint32_t>(out.size());
      out.emplace_back();
    }
    Mesh& to = out[number];
    sudar::MeshTriangle moved;
    for (std::size_t k = 0; k < 3; ++k) {
      std::uint32_t& at = place[t[k]];
      if (at == sudar::kNoIndex) {
        at = static_cast<std::uint32_t>(to.vertices.size());
        to.vertices.push_back(mesh.vertices[t[k]]);
      }
      moved[k] = at;
    }
    to.triangles.push_back(moved);
  }
  return out;
}

// The tree of each part; a part that has none is told and left out
void build(LoadedFile& file) {
  for (RawPart& raw : file.raw) {
    auto made = sudar::TriangleMesh::make(std::move(raw.mesh));
    if (made)
      file.parts.push_back({std::move(raw.name), 0, std::move(*made)});
    else
      file.faults.push_back(raw.name + ": " + made.error().reason);
  }
  file.raw.clear();
}

LoadedFile load(const CheckFile& file, bool per_part) {
  LoadedFile out;
  auto read = load_model(file.path);
  if (!read) {
    out.failure = sudar::mesh_file_message(file.path, read.error());
    return out;
  }
  const std::filesystem::path path = file.path;
  const double unit = units_in_a_metre(file.units);
  if (!per_part) {
    auto joined = sudar::join_parts(*read);
    if (!joined) {
      out.failure = sudar::mesh_file_message(file.path, joined.error());
      return out;
    }
    read->assign(1, {"", std::move(*joined)});
  }
  const bool objects = read->size() > 1;
  for (std::size_t i = 0; i < read->size(); ++i) {
    Mesh& mesh = (*read)[i].mesh;
    for (Vec3d& v : mesh.vertices)
      for (int k = 0; k < 3; ++k) v[k] = to_metres(v[k], unit);
    std::string name = per_part ? (*read)[i].name : path.filename().string();
    if (name.empty()) name = path.stem().string() + (objects ? '#' + std::to_string(i + 1) : "");
    auto welded = sudar::weld(mesh);
    if (!welded) {
      out.faults.push_back(name + ": " + welded.error().reason);
      continue;
    }
    if (!per_part || objects) {
      out.raw.push_back({std::move(name), std::move(welded->mesh)});
      continue;
    }
    std::vector<Mesh> shells = shells_of(welded->mesh);
    for (std::size_t k = 0; k < shells.size(); ++k)
      out.raw.push_back({shells.size() > 1 ? name + '#' + std::to_string(k + 1) : name, std::move(shells[k])});
  }
  return out;
}

// Two files whose sizes differ as two units do are likely to be in different ones
void compare_sizes(CheckInput& input) {
  std::vector<double> sizes(input.files.size(), 0);
  for (std::size_t f = 0; f < sizes.size(); ++f) {
    sudar::Aabb3d all = sudar::Aabb3d::empty();
    for (const CheckPart& part : input.parts)
      if (part.file == f) all = merge(all, part.mesh->bounds());
    if (all.lo.x <= all.hi.x) sizes[f] = length(all.hi - all.lo);
  }
  for (std::size_t f = 0; f < sizes.size(); ++f)
    for (std::size_t g = f + 1; g < sizes.size(); ++g) {
      if (!(sizes[f] > 0 && sizes[g] > 0)) continue;
      const double ratio = std::max(sizes[f], sizes[g]) / std::min(sizes[f], sizes[g]);
      for (const double suspect : {1000.0, 25.4}) {
        if (!(ratio > suspect * 0.9 && ratio < suspect * 1.1)) continue;
        const bool first = sizes[f] > sizes[g];
        input.warnings.push_back(input.files[first ? f : g] + " is about " + (suspect == 1000 ? "1000" : "25.4") +
                                 " times larger than " + input.files[first ? g : f] +
                                 ": are they in the same units? Say them with --units or file@mm");
        return;
      }
    }
}

}  // namespace

double units_in_a_metre(std::string_view unit) {
  for (const Unit& x : kUnits)
    if (x.name == unit) return x.in_a_metre;
  throw UnitError("'" + std::string(unit) + "' is no unit; there are mm, cm, m, in, ft");
}

double parse_length(std::string_view text) {
  double value = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  while (!unit.empty() && unit.front() == ' ') unit.remove_prefix(1);
  if (fault != std::errc{} || !std::isfinite(value) || value < 0)
    throw UnitError("'" + std::string(text) + "' is no length; write 1mm, 0.5cm, 0.03 (metres)");
  return to_metres(value, units_in_a_metre(unit.empty() ? "m" : unit));
}

CheckFile parse_file(const std::string& argument, const std::string& units) {
  std::error_code ignored;
  const std::size_t at = argument.rfind('@');
  if (at != std::string::npos && !std::filesystem::exists(argument, ignored)) {
    const std::string unit = argument.substr(at + 1);
    units_in_a_metre(unit);
    return {argument.substr(0, at), unit, false};
  }
  // glTF says so itself
  std::string ending = std::filesystem::path(argument).extension().string();
  for (char& c : ending) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  if (ending == ".gltf" || ending == ".glb") return {argument, "m", false};
  return {argument, units.empty() ? "m" : units, units.empty()};
}

CheckInput read_parts(std::span<const CheckFile> files, bool per_part, sudar::Executor& executor,
                      const std::atomic<bool>& stop) {
  CheckInput input;
  using Clock = std::chrono::steady_clock;
  const auto ms_since = [](Clock::time_point start) {
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
  };
  std::vector<LoadedFile> loaded(files.size());
  const auto each = [&](auto&& work) {
    const auto start = Clock::now();
    sudar::parallel_for(executor, files.size(), 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end && !stop; ++i) work(i);
    });
    return ms_since(start);
  };
  input.load_ms = each([&](std::size_t i) { loaded[i] = load(files[i], per_part); });
  input.build_ms = each([&](std::size_t i) {
    build(loaded[i]);
    if (!loaded[i].parts.empty() || !loaded[i].failure.empty()) return;
    loaded[i].failure =
        files[i].path + ": " + (loaded[i].faults.empty() ? "no part is left" : loaded[i].faults.front());
    loaded[i].faults.clear();
  });
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (!loaded[i].failure.empty()) {
      input.failures.push_back(std::move(loaded[i].failure));
      continue;
    }
    for (const std::string& fault : loaded[i].faults) input.failures.push_back(files[i].path + ": " + fault);
    const auto number = static_cast<std::uint32_t>(input.files.size());
    input.files.push_back(files[i].path);
    input.units.push_back(files[i].units);
    for (CheckPart& part : loaded[i].parts) {
      part.file = number;
      input.parts.push_back(std::move(part));
    }
  }
  // One name, one part: the second of a name is called name#2
  std::map<std::string, std::size_t> seen;
  for (CheckPart& part : input.parts)
    if (const std::size_t times = ++seen[part.name]; times > 1) {
      std::size_t number = times;
      while (seen.contains(part.name + '#' + std::to_string(number))) ++number;
      part.name += '#' + std::to_string(number);
      ++seen[part.name];
    }
  compare_sizes(input);
  return input;
}

}  // namespace sudar_cli

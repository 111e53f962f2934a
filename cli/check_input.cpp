#include "cli/check_input.hpp"

#include "cli/gltf_file.hpp"
#include <sudar/geom/disjoint_sets.hpp>
#include <sudar/geom/mesh_check.hpp>
#include <sudar/geom/mesh_weld.hpp>
#include <sudar/geom/point_in_mesh.hpp>
#include <sudar/io/double_text.hpp>
#include <sudar/io/mesh_file.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>

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

// Six times the volume, seen from a point near it
double volume_of(const Mesh& mesh) {
  double sum = 0;
  const Vec3d origin = mesh.vertices.front();
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const auto x = mesh.corners(t);
    sum += dot(x.a - origin, cross(x.b - origin, x.c - origin));
  }
  return sum;
}
sudar::Aabb3d box_of(const Mesh& mesh) {
  sudar::Aabb3d box = sudar::Aabb3d::empty();
  for (const Vec3d& v : mesh.vertices) box = merge(box, v);
  return box;
}

// Shells that face inward go with the smallest one around them
void join_hollows(std::vector<Mesh>& shells) {
  struct Shell {
    std::uint32_t number;
    double volume;
    sudar::Aabb3d box;
  };
  std::vector<Shell> around, hollow;
  for (std::uint32_t i = 0; i < shells.size(); ++i) {
    const double volume = volume_of(shells[i]);
    if (volume > 0) around.push_back({i, volume, box_of(shells[i])});
    if (volume < 0 && check_solid(shells[i])) hollow.push_back({i, volume, box_of(shells[i])});
  }
  std::sort(around.begin(), around.end(), [](const Shell& x, const Shell& y) {
    return x.volume != y.volume ? x.volume < y.volume : x.number < y.number;
  });
  // A file of nothing but shells must not take the square of their number
  constexpr std::size_t kMostLooks = 20'000'000;
  std::size_t looks = 0;
  for (const Shell& inner : hollow)
    for (const Shell& outer : around) {
      if (looks++ >= kMostLooks) return;
      if (outer.volume < -inner.volume || !contains(outer.box, inner.box)) continue;
      Mesh& body = shells[outer.number];
      looks += body.triangles.size();
      if (!check_solid(body) ||
          sudar::locate(body, shells[inner.number].vertices.front()) != sudar::Containment::inside)
        continue;
      const auto shift = static_cast<std::uint32_t>(body.vertices.size());
      Mesh& with = shells[inner.number];
      body.vertices.insert(body.vertices.end(), with.vertices.begin(), with.vertices.end());
      for (const auto& t : with.triangles) body.triangles.push_back({t[0] + shift, t[1] + shift, t[2] + shift});
      with = {};
      break;
    }
  std::erase_if(shells, [](const Mesh& mesh) { return mesh.triangles.empty(); });
}

// Two files whose sizes differ as two units do are likely to be in different ones
void compare_sizes(CheckInput& input) {
  std::vector<sudar::Aabb3d> boxes(input.files.size(), sudar::Aabb3d::empty());
  for (const CheckPart& part : input.parts) boxes[part.file] = merge(boxes[part.file], part.mesh->bounds());
  struct Size {
    double size;
    std::size_t file;
  };
  std::vector<Size> sizes;
  for (std::size_t f = 0; f < boxes.size(); ++f)
    if (const double size = length(boxes[f].hi - boxes[f].lo); boxes[f].lo.x <= boxes[f].hi.x && size > 0)
      sizes.push_back({size, f});
  std::sort(sizes.begin(), sizes.end(),
            [](const Size& x, const Size& y) { return x.size != y.size ? x.size < y.size : x.file < y.file; });
  for (const double suspect : {1000.0, 25.4})
    for (const Size& large : sizes) {
      const auto small = std::partition_point(sizes.begin(), sizes.end(),
                                              [&](const Size& x) { return !(large.size / x.size < suspect * 1.1); });
      if (small == sizes.end() || !(large.size / small->size > suspect * 0.9)) continue;
      input.warnings.push_back(input.files[large.file] + " is about " + (suspect == 1000 ? "1000" : "25.4") +
                               " times larger than " + input.files[small->file] +
                               ": are they in the same units? Say them with --units or file@mm");
      return;
    }
}

// The names of the files, and of those that share one so many folders before it as tell them apart. They do not depend on
// the order of the files, nor on which of them can be read.
std::vector<std::string> names_of(const std::vector<CheckFile>& files) {
  std::vector<std::string> out;
  std::map<std::string, std::vector<std::size_t>> same;
  for (std::size_t i = 0; i < files.size(); ++i) {
    out.push_back(std::filesystem::path(files[i].path).filename().string());
    same[out.back()].push_back(i);
  }
  for (const auto& [name, all] : same) {
    if (all.size() < 2) continue;
    std::vector<std::filesystem::path> rest;
    for (const std::size_t i : all) rest.push_back(std::filesystem::path(files[i].path).lexically_normal());
    for (std::vector<std::filesystem::path> from = rest;;) {
      std::set<std::string> seen;
      for (const std::size_t i : all) seen.insert(out[i]);
      bool more = false;
      for (const std::filesystem::path& path : from) more = more || path.has_parent_path();
      if (seen.size() == all.size() || !more) break;
      for (std::size_t k = 0; k < all.size(); ++k) {
        const std::filesystem::path parent = from[k].parent_path();
        if (parent.empty() || parent == from[k]) {
          from[k].clear();
          continue;
        }
        out[all[k]] = (parent.has_filename() ? parent.filename().string() + '/' : "/") + out[all[k]];
        from[k] = parent;
      }
    }
  }
  return out;
}

}  // namespace

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
  if (out.size() > 1) join_hollows(out);
  return out;
}

double units_in_a_metre(std::string_view unit) {
  for (const Unit& x : kUnits)
    if (x.name == unit) return x.in_a_metre;
  throw UnitError("'" + std::string(unit) + "' is no unit; there are mm, cm, m, in, ft");
}

double parse_length(std::string_view text) {
  double value = 0;
  const auto [end, fault] = sudar::read_double(text, value);
  std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  while (!unit.empty() && unit.front() == ' ') unit.remove_prefix(1);
  if (fault != std::errc{} || !std::isfinite(value) || value < 0)
    throw UnitError("'" + std::string(text) + "' is no length; write 1mm, 0.5cm, 0.03 (metres)");
  return to_metres(value, units_in_a_metre(unit.empty() ? "m" : unit));
}

CheckFile parse_file(const std::string& argument, const std::string& units) {
  std::error_code ignored;
  std::string path = argument, said = units;
  if (const std::size_t at = argument.rfind('@');
      at != std::string::npos && !std::filesystem::exists(argument, ignored)) {
    const std::string unit = argument.substr(at + 1);
    const bool known = std::any_of(kUnits.begin(), kUnits.end(), [&](const Unit& x) { return x.name == unit; });
    // A word after the @ that looks like a unit, of a file that is there, is a misspelt unit
    if (!known && std::filesystem::exists(argument.substr(0, at), ignored)) units_in_a_metre(unit);
    if (known) return {argument.substr(0, at), unit, false};
  }
  // glTF says so itself
  std::string ending = std::filesystem::path(path).extension().string();
  for (char& c : ending) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  if (ending == ".gltf" || ending == ".glb") return {path, "m", false};
  return {path, said.empty() ? "m" : said, said.empty()};
}

// A part before its tree is built
struct ReadRun::Loaded {
  struct Raw {
    std::string name;
    Mesh mesh;
    bool welded = false;
  };
  std::vector<Raw> raw;
  std::vector<std::string> warnings;
  bool whole = false;  // one part, named as the file
};

// A part, or why there is none
struct ReadRun::Built {
  std::size_t file = 0, raw = 0;
  std::string name, fault;
  std::shared_ptr<const sudar::TriangleMesh> mesh;
  bool done = false;
};

ReadRun::ReadRun(std::vector<CheckFile> files, bool per_part, std::size_t most_triangles, const std::atomic<bool>& stop)
    : files_(std::move(files)),
      names_(names_of(files_)),
      per_part_(per_part),
      most_triangles_(most_triangles),
      stop_(stop),
      loaded_(files_.size()),
      failures_(files_.size()),
      read_(files_.size(), 0) {}
ReadRun::~ReadRun() = default;

void ReadRun::run(sudar::Executor& executor, std::atomic<std::uint64_t>& done) {
  using Clock = std::chrono::steady_clock;
  const auto ms_from = [](Clock::time_point start) {
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
  };
  // One file to its unbuilt parts; returns why there are none
  const auto load = [&](std::size_t number) -> std::string {
    const CheckFile& file = files_[number];
    Loaded& out = loaded_[number];
    auto read = load_model(file.path, most_triangles_);
    if (!read) return sudar::mesh_file_message(file.path, read.error());
    const double unit = units_in_a_metre(file.units);
    if (!per_part_ && read->size() > 1) {
      auto all = sudar::join_parts(*read);
      if (!all) return sudar::mesh_file_message(file.path, all.error());
      read->assign(1, {"", std::move(*all)});
    }
    const bool objects = read->size() > 1;
    out.whole = !objects;
    const std::string stem = std::filesystem::path(file.path).stem().string();
    for (std::size_t i = 0; i < read->size(); ++i) {
      Mesh mesh = std::move((*read)[i].mesh);
      for (Vec3d& v : mesh.vertices)
        for (int k = 0; k < 3; ++k) v[k] = to_metres(v[k], unit);
      std::string name = per_part_ ? std::move((*read)[i].name) : names_[number];
      if (name.empty()) name = stem + (objects ? '#' + std::to_string(i + 1) : "");
      if (!per_part_ || objects) {
        out.raw.push_back({std::move(name), std::move(mesh)});
        continue;
      }
      auto welded = sudar::weld(mesh);
      if (!welded) return file.path + ": " + welded.error().reason;
      mesh = {};
      std::vector<Mesh> shells = shells_of(welded->mesh);
      out.whole = shells.size() == 1;
      for (std::size_t k = 0; k < shells.size(); ++k)
        out.raw.push_back({shells.size() > 1 ? name + '#' + std::to_string(k + 1) : name, std::move(shells[k]), true});
    }
    if (out.raw.size() > kMostParts) {
      const std::size_t count = out.raw.size();
      out.raw.clear();
      return file.path + ": " + std::to_string(count) + " parts, and no more than " + std::to_string(kMostParts) +
             " can be checked";
    }
    return {};
  };
  auto start = Clock::now();
  sudar::parallel_for(executor, files_.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end && !stop_; ++i) {
      std::string failure;
      try {
        failure = load(i);
      } catch (const std::bad_alloc&) {
        loaded_[i].raw = {};
        failure = files_[i].path + ": memory is exhausted";
      }
      const std::lock_guard lock(mutex_);
      failures_[i] = std::move(failure);
      read_[i] = 1;
      ++done;
    }
  });

  // The trees, of all parts of all files
  {
    const std::lock_guard lock(mutex_);
    load_ms_ = ms_from(start);
    for (std::size_t i = 0; i < files_.size(); ++i)
      for (std::size_t k = 0; k < loaded_[i].raw.size(); ++k) {
        if (built_.size() >= kMostParts) {
          failures_[i] = files_[i].path + ": no more than " + std::to_string(kMostParts) + " parts can be checked";
          break;
        }
        built_.emplace_back();
        built_.back().file = i, built_.back().raw = k;
      }
  }
  start = Clock::now();
  sudar::parallel_for(executor, built_.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end && !stop_; ++i) {
      Loaded::Raw raw = std::move(loaded_[built_[i].file].raw[built_[i].raw]);
      std::string fault;
      std::shared_ptr<const sudar::TriangleMesh> mesh;
      if (!raw.welded) {
        auto welded = sudar::weld(raw.mesh);
        if (welded)
          raw.mesh = std::move(welded->mesh);
        else
          fault = welded.error().reason;
      }
      if (fault.empty()) {
        auto made = sudar::TriangleMesh::make(std::move(raw.mesh));
        if (made)
          mesh = std::move(*made);
        else
          fault = made.error().reason;
      }
      const std::lock_guard lock(mutex_);
      built_[i].name = std::move(raw.name);
      built_[i].fault = std::move(fault);
      built_[i].mesh = std::move(mesh);
      built_[i].done = true;
    }
  });
  const std::lock_guard lock(mutex_);
  build_ms_ = ms_from(start);
  ended_ = true;
}

CheckInput ReadRun::take() {
  const std::lock_guard lock(mutex_);
  CheckInput input;
  input.load_ms = load_ms_, input.build_ms = build_ms_;
  std::size_t at = 0;
  for (std::size_t i = 0; i < files_.size(); ++i) {
    std::vector<CheckPart> parts;
    std::vector<std::string> faults;
    bool all = read_[i] != 0;
    for (; at < built_.size() && built_[at].file == i; ++at) {
      Built& part = built_[at];
      if (!part.done)
        all = false;
      else if (part.mesh)
        parts.push_back({part.name, 0, part.mesh, loaded_[i].whole});
      else
        faults.push_back(part.name + ": " + part.fault);
    }
    if (built_.empty() && read_[i] != 0 && failures_[i].empty()) all = false;
    if (!all) faults.push_back(parts.empty() ? "not read: interrupted" : "not all of it was read: interrupted");
    if (!failures_[i].empty()) {
      input.failures.push_back(failures_[i]);
      continue;
    }
    if (parts.empty()) {
      input.failures.push_back(files_[i].path + ": " + (faults.empty() ? "no part is left" : faults.front()));
      continue;
    }
    for (const std::string& fault : faults) input.failures.push_back(files_[i].path + ": " + fault);
    const auto number = static_cast<std::uint32_t>(input.files.size());
    input.files.push_back(files_[i].path);
    input.units.push_back(files_[i].units);
    for (CheckPart& part : parts) {
      part.file = number;
      input.parts.push_back(std::move(part));
    }
  }
  // One name, one part: the second of a name is called name#2
  std::map<std::string, std::size_t> seen;
  for (const CheckPart& part : input.parts) seen.try_emplace(part.name, 0);
  for (CheckPart& part : input.parts) {
    std::size_t& last = seen[part.name];
    if (last++ == 0) continue;
    // Where the last of this name ended, so that many of one name take no square of their number
    std::string name;
    do name = part.name + '#' + std::to_string(last++);
    while (seen.contains(name));
    --last;
    seen.emplace(name, 1);
    part.name = std::move(name);
  }
  compare_sizes(input);
  return input;
}

}  // namespace sudar_cli

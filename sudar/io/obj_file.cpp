#include <sudar/io/file_bytes.hpp>
#include <sudar/io/obj_file.hpp>
#include <sudar/io/polygon_soup.hpp>
#include <sudar/io/text_scan.hpp>

#include <algorithm>
#include <charconv>
#include <map>
#include <unordered_map>

namespace sudar {

namespace {

// Statements that say nothing about the surface, or that this reader has no use for
constexpr std::string_view kObjSkipped[] = {
    "vt",     "vn",     "vp",    "s",        "mg",       "l",   "p",          "usemtl",    "mtllib",
    "usemap", "maplib", "bevel", "c_interp", "d_interp", "lod", "shadow_obj", "trace_obj",
};
// Statements that describe a surface by a formula, or call another file
constexpr std::string_view kObjUnsupported[] = {
    "curv", "curv2", "surf",  "cstype", "deg", "bmat", "step", "parm", "trim", "hole", "scrv", "sp",
    "end",  "con",   "ctech", "stech",  "bsp", "bzp",  "cdc",  "cdp",  "res",  "call", "csh",
};

bool is_one_of(std::string_view word, std::span<const std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// Cut so that no character of UTF-8 is cut
std::string obj_name(std::string_view text) {
  text = detail::trimmed(text);
  if (text.size() > kMaxPartName) {
    std::size_t end = kMaxPartName;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0u) == 0x80u) --end;
    text = text.substr(0, end);
  }
  return std::string(text);
}

// Names by number, in the order in which they come
class ObjNames {
 public:
  std::uint32_t number_of(std::string_view name) {
    return numbers_.try_emplace(std::string(name), static_cast<std::uint32_t>(numbers_.size())).first->second;
  }

 private:
  std::unordered_map<std::string, std::uint32_t> numbers_;
};

class ObjParser {
 public:
  explicit ObjParser(std::string_view text) : lines_(text) {}

  Result<MeshFile> parse() {
    std::string_view line;
    std::string whole;
    while (lines_.next(line)) {
      // A backslash at its end continues a line
      if (line.ends_with('\\')) {
        whole.clear();
        bool more = true;
        for (; line.ends_with('\\') && more; more = lines_.next(line)) {
          whole.append(line.substr(0, line.size() - 1));
          whole.push_back(' ');
        }
        if (more) whole.append(line);
        line = whole;
      }
      if (const auto read = statement(line); !read) return read.error();
    }
    return soup_.finish(MeshFormat::obj, part_names_, "line: the face names a vertex that is not there");
  }

 private:
  Error fail(const char* reason, ErrorCode code = ErrorCode::bad_format) const {
    return {code, lines_.number(), reason};
  }

  Result<void> statement(std::string_view line) {
    std::string_view rest = line;
    const std::string_view word = detail::take_word(rest);
    if (word.empty() || word[0] == '#') return {};
    if (word == "v") return vertex(without_comment(rest));
    if (word == "f" || word == "fo") return face(without_comment(rest));
    if (word == "o") {
      object_ = objects_.number_of(obj_key(rest));
      object_name_ = obj_name(rest);
      enter_group({});
      return {};
    }
    if (word == "g") {
      enter_group(rest);
      return {};
    }
    if (is_one_of(word, kObjSkipped)) return {};
    if (is_one_of(word, kObjUnsupported))
      return fail("line: curves, surfaces by formula and other files are not read", ErrorCode::unsupported);
    return fail("line: this is no statement of the format");
  }

  static std::string_view without_comment(std::string_view text) { return text.substr(0, text.find('#')); }
  static std::string_view obj_key(std::string_view text) { return detail::trimmed(text); }

  void enter_group(std::string_view name) {
    name = obj_key(name);
    if (name == "default") name = {};
    group_ = groups_.number_of(name);
    group_name_ = obj_name(name);
    part_known_ = false;
  }

  // x y z, then maybe a weight, maybe a colour
  Result<void> vertex(std::string_view rest) {
    Vec3d p{};
    int count = 0;
    for (std::string_view word = detail::take_word(rest); !word.empty(); word = detail::take_word(rest), ++count) {
      double number = 0;
      if (!detail::parse_number(word, number)) return fail("line: a coordinate is no number");
      if (count < 3) p[count] = number;
      if (count == 7) return fail("line: the vertex has too many numbers");
    }
    if (count < 3) return fail("line: the vertex has no three numbers");
    if (!is_finite(p)) return fail("line: the vertex is NaN or infinite", ErrorCode::non_finite);
    if (soup_.vertices.size() >= kMaxMeshVertices)
      return fail("line: more vertices than 32-bit indices reach", ErrorCode::too_large);
    soup_.vertices.push_back(p);
    return {};
  }

  // v, v/vt, v//vn or v/vt/vn: only v counts, but the others must be numbers
  Result<void> face(std::string_view rest) {
    if (!part_known_) enter_part();
    std::size_t count = 0;
    for (std::string_view word = detail::take_word(rest); !word.empty(); word = detail::take_word(rest), ++count) {
      std::size_t slash = word.find('/');
      std::int64_t index = 0;
      if (!detail::parse_integer(word.substr(0, slash), index) || index == 0)
        return fail("line: a corner of the face is no number of a vertex");
      for (int more = 0; slash != std::string_view::npos; ++more) {
        word.remove_prefix(slash + 1);
        slash = word.find('/');
        std::int64_t other = 0;
        const std::string_view field = word.substr(0, slash);
        const bool left_out = field.empty() && more == 0 && slash != std::string_view::npos;
        if (more > 1 || (!left_out && (!detail::parse_integer(field, other) || other == 0)))
          return fail("line: a corner of the face is none of v, v/vt, v//vn and v/vt/vn");
      }
      // Counted from 1, or back from the last one so far
      const auto so_far = static_cast<std::int64_t>(soup_.vertices.size());
      if (index < -so_far || index >= std::int64_t{kNoIndex})
        return fail("line: the face names a vertex that is not there", ErrorCode::index_out_of_range);
      soup_.add_corner(static_cast<std::uint32_t>(index < 0 ? so_far + index : index - 1), lines_.number());
    }
    if (count < 3) return fail("line: a face needs three corners");
    soup_.end_face();
    return {};
  }

  void enter_part() {
    const auto [found, is_new] = parts_.try_emplace({object_, group_}, static_cast<std::uint32_t>(part_names_.size()));
    if (is_new) {
      const bool both = !object_name_.empty() && !group_name_.empty() && object_name_ != group_name_;
      part_names_.push_back(both ? object_name_ + '/' + group_name_
                                 : (object_name_.empty() ? group_name_ : object_name_));
    }
    soup_.begin_part(found->second);
    part_known_ = true;
  }

  detail::LineReader lines_;
  detail::PolygonSoup soup_;
  ObjNames objects_, groups_;
  std::uint32_t object_ = objects_.number_of({}), group_ = groups_.number_of({});
  std::string object_name_, group_name_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> parts_;
  std::vector<std::string> part_names_;
  bool part_known_ = false;
};

void append_number(std::string& out, double value) {
  char digits[32];
  const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
  out.append(digits, end);
}

}  // namespace

Result<MeshFile> parse_obj(std::span<const std::byte> bytes) noexcept {
  return guarded([&]() -> Result<MeshFile> {
    return ObjParser({reinterpret_cast<const char*>(bytes.data()), bytes.size()}).parse();
  });
}

Result<void> write_obj(const std::string& path, std::span<const MeshPart> parts) noexcept {
  return guarded([&]() -> Result<void> {
    if (parts.empty()) return Error{ErrorCode::empty_input, Error::kNoElement, "a mesh needs a triangle"};
    std::unordered_map<std::string, std::size_t> uses;
    for (const MeshPart& part : parts) ++uses[part.name];
    std::string out;
    std::size_t before = 0;  // vertices of the parts so far
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const Mesh& mesh = parts[i].mesh;
      if (const auto good = check_mesh(mesh); !good) return good.error();
      // Objects of one name would become one part
      std::string name = obj_name(parts[i].name);
      for (char& c : name)
        if (static_cast<unsigned char>(c) < 0x20 || c == '\\') c = '_';
      if (parts.size() > 1 && (name.empty() || uses[parts[i].name] > 1))
        name += (name.empty() ? "part_" : "_") + std::to_string(i + 1);
      if (!name.empty()) out += "o " + name + '\n';
      for (const Vec3d& v : mesh.vertices) {
        out += 'v';
        for (int axis = 0; axis < 3; ++axis) {
          out += ' ';
          append_number(out, v[axis]);
        }
        out += '\n';
      }
      for (const MeshTriangle& t : mesh.triangles) {
        out += 'f';
        for (const std::uint32_t c : t) out += ' ' + std::to_string(before + c + 1);
        out += '\n';
      }
      before += mesh.vertices.size();
    }
    return write_whole_file(path, out);
  });
}

}  // namespace sudar

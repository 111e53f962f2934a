#include "cli/gltf_file.hpp"

#include <sudar/io/file_bytes.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <deque>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <unordered_map>

namespace sudar_cli {

namespace {

using GltfJson = nlohmann::json;
using sudar::Error;
using sudar::ErrorCode;
using sudar::Vec3d;

// What is wrong with a file, thrown up to the door of this file
struct GltfFault {
  Error error;
};
[[noreturn]] void fail(ErrorCode code, const char* reason, std::size_t element = Error::kNoElement) {
  throw GltfFault{{code, element, reason}};
}

std::uint32_t word_at(std::string_view bytes, std::size_t at) {
  std::uint32_t word = 0;
  for (std::size_t k = 0; k < 4; ++k) word |= std::uint32_t{static_cast<std::uint8_t>(bytes[at + k])} << (8 * k);
  return word;
}

// A whole number of an object: what is not there is `otherwise`
std::size_t whole(const GltfJson& object, const char* key, std::optional<std::size_t> otherwise = std::nullopt) {
  const auto found = object.find(key);
  if (found == object.end()) {
    if (!otherwise) fail(ErrorCode::bad_format, "a number that must be there is missing");
    return *otherwise;
  }
  if (!found->is_number_unsigned()) fail(ErrorCode::bad_format, "a count or an index is no whole number");
  return found->get<std::size_t>();
}
const GltfJson& list(const GltfJson& object, const char* key) {
  static const GltfJson kNone = GltfJson::array();
  const auto found = object.find(key);
  if (found == object.end()) return kNone;
  if (!found->is_array()) fail(ErrorCode::bad_format, "a list is no array");
  return *found;
}
const GltfJson& member(const GltfJson& array, std::size_t index, const char* reason) {
  if (index >= array.size()) fail(ErrorCode::index_out_of_range, reason, index);
  if (!array[index].is_object()) fail(ErrorCode::bad_format, "an element of a list is no object", index);
  return array[index];
}

std::string decode_base64(std::string_view text) {
  std::string out;
  out.reserve(text.size() / 4 * 3);
  std::uint32_t word = 0;
  int bits = 0;
  for (const char c : text) {
    int digit;
    if (c >= 'A' && c <= 'Z')
      digit = c - 'A';
    else if (c >= 'a' && c <= 'z')
      digit = c - 'a' + 26;
    else if (c >= '0' && c <= '9')
      digit = c - '0' + 52;
    else if (c == '+')
      digit = 62;
    else if (c == '/')
      digit = 63;
    else if (c == '=')
      break;
    else
      fail(ErrorCode::bad_format, "a buffer is no base64");
    word = word << 6 | static_cast<std::uint32_t>(digit);
    if ((bits += 6) >= 8) out += static_cast<char>(word >> (bits -= 8) & 255);
  }
  return out;
}

// Rows of a 4 x 4 matrix without the last
using Transform = std::array<std::array<double, 4>, 3>;
constexpr Transform kStay = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};

Transform product(const Transform& a, const Transform& b) {
  Transform out{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 4; ++j) {
      for (std::size_t k = 0; k < 3; ++k) out[i][j] += a[i][k] * b[k][j];
      if (j == 3) out[i][j] += a[i][3];
    }
  return out;
}
Vec3d apply(const Transform& t, const Vec3d& p) {
  Vec3d out;
  for (int i = 0; i < 3; ++i) {
    const auto& row = t[static_cast<std::size_t>(i)];
    out[i] = row[0] * p.x + row[1] * p.y + row[2] * p.z + row[3];
  }
  return out;
}
double determinant(const Transform& t) {
  return t[0][0] * (t[1][1] * t[2][2] - t[1][2] * t[2][1]) - t[0][1] * (t[1][0] * t[2][2] - t[1][2] * t[2][0]) +
         t[0][2] * (t[1][0] * t[2][1] - t[1][1] * t[2][0]);
}

template <std::size_t N>
std::array<double, N> numbers(const GltfJson& node, const char* key, const std::array<double, N>& otherwise) {
  const auto found = node.find(key);
  if (found == node.end()) return otherwise;
  if (!found->is_array() || found->size() != N) fail(ErrorCode::bad_format, "a transform has the wrong length");
  std::array<double, N> out;
  for (std::size_t i = 0; i < N; ++i) {
    if (!(*found)[i].is_number()) fail(ErrorCode::bad_format, "a transform has an element that is no number");
    out[i] = (*found)[i].get<double>();
    if (!std::isfinite(out[i])) fail(ErrorCode::non_finite, "a transform is not finite");
  }
  return out;
}

Transform transform_of(const GltfJson& node) {
  if (node.contains("matrix")) {
    const auto m = numbers<16>(node, "matrix", {});
    Transform out{};
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 4; ++j) out[i][j] = m[4 * j + i];
    return out;
  }
  const auto move = numbers<3>(node, "translation", {0, 0, 0}), scale = numbers<3>(node, "scale", {1, 1, 1});
  const auto q = numbers<4>(node, "rotation", {0, 0, 0, 1});
  const double square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
  if (!(square > 0)) fail(ErrorCode::bad_format, "a rotation has no length");
  const double s = 2 / square, x = q[0], y = q[1], z = q[2], w = q[3];
  const double turn[3][3] = {{1 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y)},
                             {s * (x * y + w * z), 1 - s * (x * x + z * z), s * (y * z - w * x)},
                             {s * (x * z - w * y), s * (y * z + w * x), 1 - s * (x * x + y * y)}};
  Transform out{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) out[i][j] = turn[i][j] * scale[j];
    out[i][3] = move[i];
  }
  return out;
}

// "my%20part.bin" as the name of a file
std::string decode_percent(std::string_view text) {
  const auto digit = [](char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
  };
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size() && digit(text[i + 1]) >= 0 && digit(text[i + 2]) >= 0) {
      out += static_cast<char>(16 * digit(text[i + 1]) + digit(text[i + 2]));
      i += 2;
    } else {
      out += text[i];
    }
  }
  return out;
}

// Nothing in it changes where the surface is
bool is_harmless(const std::string& extension) {
  return extension == "KHR_mesh_quantization" || extension.starts_with("KHR_materials_") ||
         extension.starts_with("KHR_texture_") || extension.starts_with("EXT_texture_") ||
         extension == "KHR_lights_punctual" || extension == "KHR_xmp_json_ld";
}

// JSON costs tens of bytes for each of its values, whatever it says, and for each level: counted before it is read
void check_json_size(std::string_view text) {
  std::size_t values = 0, depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == 0) fail(ErrorCode::bad_format, "byte: its JSON has a byte of zero", i);
    if (c == '"') {
      // To the end of the string
      for (++i; i < text.size() && text[i] != '"'; ++i) i += text[i] == '\\';
    } else if (c == ',' || c == ':') {
      if (++values > kMostGltfValues) fail(ErrorCode::too_large, "byte: its JSON has too many values", i);
    } else if (c == '[' || c == '{') {
      if (++depth > kMostGltfDepth) fail(ErrorCode::too_large, "byte: its JSON is nested too deep", i);
    } else if ((c == ']' || c == '}') && depth > 0) {
      --depth;
    }
  }
}

class GltfReader {
 public:
  GltfReader(std::filesystem::path folder, GltfJson json, std::string_view chunk, std::size_t bytes,
             std::size_t most_triangles)
      : folder_(std::move(folder)),
        json_(std::move(json)),
        chunk_(chunk),
        bytes_(bytes),
        most_triangles_(most_triangles) {}

  std::vector<sudar::MeshPart> read() {
    if (!json_.is_object()) fail(ErrorCode::bad_format, "the JSON of the file is no object");
    const auto asset = json_.find("asset");
    if (asset == json_.end() || !asset->is_object() || !asset->contains("version") ||
        !(*asset)["version"].is_string() || (*asset)["version"].get<std::string>().substr(0, 2) != "2.")
      fail(ErrorCode::unsupported, "it is not glTF of version 2");
    for (const GltfJson& name : list(json_, "extensionsRequired"))
      if (!name.is_string() || !is_harmless(name.get<std::string>()))
        fail(ErrorCode::unsupported, "the file needs an extension that there is no reader of (compressed meshes?)");
    buffers_.resize(list(json_, "buffers").size());
    walk_nodes();
    if (parts_.empty()) fail(ErrorCode::empty_input, "no node has a mesh with a triangle");
    return std::move(parts_);
  }

 private:
  std::size_t limit() const { return std::max(gltf_limit(bytes_), most_triangles_); }

  // Read when a triangle needs it, and a file once, however many buffers name it
  std::string_view buffer_at(std::size_t i) {
    const GltfJson& buffer = member(list(json_, "buffers"), i, "a buffer that is not there");
    const std::size_t length = whole(buffer, "byteLength");
    std::optional<std::string_view>& known = buffers_[i];
    if (!known) {
      const auto uri = buffer.find("uri");
      if (uri == buffer.end()) {
        if (i != 0) fail(ErrorCode::bad_format, "a buffer has neither a place nor data", i);
        known = chunk_;
      } else if (!uri->is_string()) {
        fail(ErrorCode::bad_format, "the place of a buffer is no text", i);
      } else if (const auto& text = uri->get_ref<const std::string&>(); text.starts_with("data:")) {
        const std::size_t comma = text.find(";base64,");
        if (comma == std::string::npos) fail(ErrorCode::unsupported, "data in the file is not base64", i);
        known = kept_.emplace_back(decode_base64(std::string_view(text).substr(comma + 8)));
      } else {
        known = file_at(text, i);
      }
    }
    if (known->size() < length) fail(ErrorCode::bad_format, "a buffer is shorter than it says", i);
    return *known;
  }
  std::string_view file_at(const std::string& uri, std::size_t i) {
    const std::string name = decode_percent(uri);
    const std::filesystem::path place = std::filesystem::path(name).lexically_normal();
    if (place.is_absolute() || place.empty() || *place.begin() == ".." || uri.find(':') != std::string::npos ||
        name.find('\0') != std::string::npos)
      fail(ErrorCode::unsupported, "a buffer lies outside of the folder of the file", i);
    const auto [found, is_new] = beside_.try_emplace(place.string());
    if (is_new) {
      auto read = sudar::read_whole_file((folder_ / place).string());
      if (!read) fail(read.error().code, "a buffer beside the file cannot be read", i);
      found->second = kept_.emplace_back(std::move(*read));
      bytes_ += found->second.size();
    }
    return found->second;
  }

  // Elements of an accessor, each at its place in a buffer
  struct Elements {
    const char* bytes;
    std::size_t count, stride;
    int kind;  // 5120 … 5126
    bool normalized;
  };
  static std::size_t size_of_kind(std::size_t kind) {
    switch (kind) {
      case 5120:
      case 5121:
        return 1;
      case 5122:
      case 5123:
        return 2;
      case 5125:
      case 5126:
        return 4;
      default:
        fail(ErrorCode::bad_format, "an accessor has a type of numbers that there is none of");
    }
  }
  Elements elements(std::size_t index, const char* type, std::size_t width) {
    const GltfJson& accessor = member(list(json_, "accessors"), index, "an accessor that is not there");
    if (accessor.contains("sparse")) fail(ErrorCode::unsupported, "sparse accessors have no reader", index);
    if (!accessor.contains("type") || accessor["type"] != type)
      fail(ErrorCode::bad_format, "an accessor is not of the type that its use asks for", index);
    const std::size_t kind = whole(accessor, "componentType"), count = whole(accessor, "count");
    const GltfJson& view =
        member(list(json_, "bufferViews"), whole(accessor, "bufferView"), "a view of a buffer that is not there");
    const std::string_view bytes = buffer_at(whole(view, "buffer"));
    const std::size_t element = size_of_kind(kind) * width, stride = whole(view, "byteStride", element);
    const std::size_t start = whole(view, "byteOffset", 0), length = whole(view, "byteLength");
    const std::size_t offset = whole(accessor, "byteOffset", 0), all = bytes.size();
    // Every sum is checked before it is made
    if (start > all || length > all - start || offset > length)
      fail(ErrorCode::index_out_of_range, "a view reaches past its buffer", index);
    const std::size_t room = length - offset;
    if (stride < element || stride > 4096) fail(ErrorCode::bad_format, "a stride is too small or too large", index);
    if (count > 0 && (room < element || (room - element) / stride < count - 1))
      fail(ErrorCode::index_out_of_range, "an accessor reaches past its view", index);
    const bool normalized = accessor.contains("normalized") && accessor["normalized"] == true;
    return {bytes.data() + start + offset, count, stride, static_cast<int>(kind), normalized};
  }
  static double number_at(const Elements& x, std::size_t i, std::size_t k) {
    const char* at = x.bytes + i * x.stride + k * size_of_kind(static_cast<std::size_t>(x.kind));
    const auto byte = [&](std::size_t n) { return std::uint32_t{static_cast<std::uint8_t>(at[n])}; };
    switch (x.kind) {
      case 5120: {
        const double v = static_cast<std::int8_t>(byte(0));
        return x.normalized ? std::max(v / 127, -1.0) : v;
      }
      case 5121:
        return x.normalized ? byte(0) / 255.0 : byte(0);
      case 5122: {
        const double v = static_cast<std::int16_t>(byte(0) | byte(1) << 8);
        return x.normalized ? std::max(v / 32767, -1.0) : v;
      }
      case 5123: {
        const double v = byte(0) | byte(1) << 8;
        return x.normalized ? v / 65535 : v;
      }
      case 5125:
        return byte(0) | byte(1) << 8 | byte(2) << 16 | byte(3) << 24;
      default:
        return static_cast<double>(std::bit_cast<float>(byte(0) | byte(1) << 8 | byte(2) << 16 | byte(3) << 24));
    }
  }

  void add_primitive(const GltfJson& primitive, const Transform& at, sudar::Mesh& mesh) {
    if (!primitive.is_object()) fail(ErrorCode::bad_format, "a primitive is no object");
    constexpr std::size_t kTriangles = 4, kStrip = 5, kFan = 6;
    const std::size_t mode = whole(primitive, "mode", kTriangles);
    if (mode < kTriangles) return;
    if (mode > kFan) fail(ErrorCode::bad_format, "a primitive has a mode that there is none of");
    const auto attributes = primitive.find("attributes");
    if (attributes == primitive.end() || !attributes->is_object())
      fail(ErrorCode::bad_format, "a primitive has no attributes");
    if (!attributes->contains("POSITION")) return;
    const Elements points = elements(whole(*attributes, "POSITION"), "VEC3", 3);
    const bool indexed = primitive.contains("indices");
    Elements indices{};
    if (indexed) indices = elements(whole(primitive, "indices"), "SCALAR", 1);
    const std::size_t corners = indexed ? indices.count : points.count;
    const std::size_t triangles = mode == kTriangles ? corners / 3 : corners < 3 ? 0 : corners - 2;
    if (triangles > limit() - std::min(made_, limit()))
      fail(ErrorCode::too_large, "more triangles than a file of its size may have (--max-triangles allows more)");
    made_ += triangles;
    // Points that no triangle names are left where they are: primitives may share a list of millions
    std::unordered_map<std::uint32_t, std::uint32_t> few;
    std::vector<std::uint32_t> many;
    if (corners < points.count / 8)
      few.reserve(corners);
    else
      many.assign(points.count, sudar::kNoIndex);
    const auto corner = [&](std::size_t i) {
      const double number = indexed ? number_at(indices, i, 0) : static_cast<double>(i);
      if (!(number >= 0 && number < static_cast<double>(points.count)))
        fail(ErrorCode::index_out_of_range, "a triangle names a vertex that is not there", i);
      const auto v = static_cast<std::uint32_t>(number);
      std::uint32_t& place = many.empty() ? few.try_emplace(v, sudar::kNoIndex).first->second : many[v];
      if (place == sudar::kNoIndex) {
        const Vec3d p = apply(at, {number_at(points, v, 0), number_at(points, v, 1), number_at(points, v, 2)});
        if (!is_finite(p)) fail(ErrorCode::non_finite, "a position is not finite", v);
        if (++made_points_ > 3 * limit()) fail(ErrorCode::too_large, "more vertices than a file of its size may have");
        place = static_cast<std::uint32_t>(mesh.vertices.size());
        mesh.vertices.push_back(p);
      }
      return place;
    };
    // A mirrored node turns its triangles over
    const bool mirrored = determinant(at) < 0;
    for (std::size_t i = 0; i < triangles; ++i) {
      sudar::MeshTriangle t = mode == kTriangles
                                  ? sudar::MeshTriangle{corner(3 * i), corner(3 * i + 1), corner(3 * i + 2)}
                              : mode == kFan ? sudar::MeshTriangle{corner(0), corner(i + 1), corner(i + 2)}
                                             : sudar::MeshTriangle{corner(i), corner(i + 1), corner(i + 2)};
      if (mirrored != (mode == kStrip && i % 2 == 1)) std::swap(t[1], t[2]);
      mesh.triangles.push_back(t);
    }
  }

  // From the roots of the scene down, without recursion; a node that is met twice is no tree
  void walk_nodes() {
    const GltfJson& nodes = list(json_, "nodes");
    std::vector<std::uint8_t> met(nodes.size(), 0);
    struct Entry {
      std::size_t node;
      Transform at;
    };
    std::vector<Entry> open;
    const auto push = [&](const GltfJson& index, const Transform& at) {
      if (!index.is_number_unsigned()) fail(ErrorCode::bad_format, "the number of a node is no whole number");
      const auto number = index.get<std::size_t>();
      if (number >= nodes.size()) fail(ErrorCode::index_out_of_range, "a node that is not there", number);
      if (met[number]++ != 0) fail(ErrorCode::bad_format, "a node has two parents", number);
      open.push_back({number, at});
    };
    const GltfJson& scenes = list(json_, "scenes");
    if (scenes.empty()) {
      std::vector<std::uint8_t> child(nodes.size(), 0);
      for (const GltfJson& node : nodes)
        if (node.is_object())
          for (const GltfJson& index : list(node, "children"))
            if (index.is_number_unsigned() && index.get<std::size_t>() < nodes.size())
              child[index.get<std::size_t>()] = 1;
      for (std::size_t i = nodes.size(); i-- > 0;)
        if (child[i] == 0) push(GltfJson(i), kStay);
    } else {
      const GltfJson& roots = list(member(scenes, whole(json_, "scene", 0), "a scene that is not there"), "nodes");
      for (std::size_t i = roots.size(); i-- > 0;) push(roots[i], kStay);
    }
    while (!open.empty()) {
      const Entry entry = open.back();
      open.pop_back();
      const GltfJson& node = member(nodes, entry.node, "");
      const Transform at = product(entry.at, transform_of(node));
      if (node.contains("mesh")) add_node(node, at);
      const GltfJson& children = list(node, "children");
      for (std::size_t i = children.size(); i-- > 0;) push(children[i], at);
    }
  }

  void add_node(const GltfJson& node, const Transform& at) {
    if (const auto extensions = node.find("extensions");
        extensions != node.end() && extensions->is_object() && extensions->contains("EXT_mesh_gpu_instancing"))
      fail(ErrorCode::unsupported, "a node has instances by an extension that there is no reader of");
    const GltfJson& mesh = member(list(json_, "meshes"), whole(node, "mesh"), "a mesh that is not there");
    sudar::MeshPart part;
    for (const GltfJson* named : {&node, &mesh})
      if (part.name.empty() && named->contains("name") && (*named)["name"].is_string())
        part.name = (*named)["name"].get<std::string>().substr(0, sudar::kMaxPartName);
    for (const GltfJson& primitive : list(mesh, "primitives")) add_primitive(primitive, at, part.mesh);
    if (!part.mesh.triangles.empty()) parts_.push_back(std::move(part));
  }

  std::filesystem::path folder_;
  GltfJson json_;
  std::string_view chunk_;
  std::deque<std::string> kept_;
  std::map<std::string, std::string_view> beside_;        // files by name
  std::vector<std::optional<std::string_view>> buffers_;  // that were asked for
  std::vector<sudar::MeshPart> parts_;
  std::size_t bytes_, most_triangles_, made_ = 0, made_points_ = 0;
};

constexpr std::uint32_t kGlbMagic = 0x46546C67, kJsonChunk = 0x4E4F534A, kBinChunk = 0x004E4942;

}  // namespace

sudar::Result<std::vector<sudar::MeshPart>> parse_gltf(std::string_view bytes, const std::string& folder,
                                                       std::size_t most_triangles) {
  return sudar::guarded([&]() -> sudar::Result<std::vector<sudar::MeshPart>> {
    try {
      std::string_view text = bytes, chunk;
      if (text.size() >= 12 && word_at(text, 0) == kGlbMagic) {
        if (word_at(text, 4) != 2) fail(ErrorCode::unsupported, "byte: it is not GLB of version 2", 4);
        if (word_at(text, 8) != text.size())
          fail(ErrorCode::bad_format, "byte: the length in the file is not its length", 8);
        std::size_t at = 12;
        std::string_view json;
        while (at < text.size()) {
          if (text.size() - at < 8) fail(ErrorCode::bad_format, "byte: a chunk is cut off", at);
          const std::size_t length = word_at(text, at), kind = word_at(text, at + 4);
          if (length > text.size() - at - 8) fail(ErrorCode::bad_format, "byte: a chunk is longer than the file", at);
          if (kind == kJsonChunk && json.empty()) json = text.substr(at + 8, length);
          if (kind == kBinChunk && chunk.empty()) chunk = text.substr(at + 8, length);
          at += 8 + length;
        }
        text = json;
      }
      // Some writers fill a chunk up with zeros in place of blanks
      text = text.substr(0, text.find_last_not_of('\0') + 1);
      check_json_size(text);
      GltfJson json;
      try {
        json = GltfJson::parse(text);
      } catch (const GltfJson::parse_error& error) {
        const auto start = text.empty() ? 0 : static_cast<std::size_t>(text.data() - bytes.data());
        fail(ErrorCode::bad_format, "byte: its JSON is none", start + error.byte);
      } catch (const GltfJson::out_of_range&) {
        fail(ErrorCode::non_finite, "a number of its JSON is beyond the range of numbers");
      }
      return GltfReader(folder, std::move(json), chunk, bytes.size(), most_triangles).read();
    } catch (const GltfFault& fault) {
      return fault.error;
    } catch (const nlohmann::json::exception&) {
      return Error{ErrorCode::bad_format, Error::kNoElement, "its JSON is not what the format says"};
    }
  });
}

sudar::Result<std::vector<sudar::MeshPart>> load_model(const std::string& path, std::size_t most_triangles) {
  return sudar::guarded([&]() -> sudar::Result<std::vector<sudar::MeshPart>> {
    std::string ending = std::filesystem::path(path).extension().string();
    std::transform(ending.begin(), ending.end(), ending.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    // Read once: by a rename it may be of another format a moment later
    const auto bytes = sudar::read_whole_file(path);
    if (!bytes) return bytes.error();
    if (ending == ".gltf" || ending == ".glb" || bytes->starts_with("glTF"))
      return parse_gltf(*bytes, std::filesystem::path(path).parent_path().string(), most_triangles);
    auto file = sudar::parse_mesh_file(std::as_bytes(std::span(*bytes)), path);
    if (!file) return file.error();
    return std::move(file->parts);
  });
}

}  // namespace sudar_cli

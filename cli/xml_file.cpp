#include "cli/xml_file.hpp"

#include <sudar/io/text_scan.hpp>

#include <algorithm>
#include <charconv>
#include <cstdint>

namespace sudar_cli {

namespace {

class XmlParser {
 public:
  explicit XmlParser(std::string_view text) : text_(text) {
    at_ = text_.size() - sudar::detail::without_byte_order_mark(text_).size();
  }

  XmlElement parse() {
    std::vector<XmlElement> open;
    XmlElement root;
    bool done = false;
    while (at_ < text_.size()) {
      const std::size_t bracket = text_.find('<', at_);
      if (bracket == std::string_view::npos) break;
      pass(bracket);
      if (starts("<!--")) {
        skip_past("-->", "a comment");
      } else if (starts("<![CDATA[")) {
        skip_past("]]>", "CDATA");
      } else if (starts("<?")) {
        skip_past("?>", "an instruction");
      } else if (starts("<!")) {
        fail("document types are not read");
      } else if (starts("</")) {
        pass(at_ + 2);
        const std::string name = word();
        blanks();
        expect('>');
        if (open.empty() || open.back().name != name) fail("</" + name + "> ends what was not begun");
        close(open, root, done);
      } else {
        if (done) fail("there are two roots");
        if (++count_ > kMostXmlElements) fail("there are too many elements");
        if (open.size() >= kMostXmlDepth) fail("elements are nested too deep");
        open.push_back(element());
        if (empty_) close(open, root, done);
      }
    }
    if (!open.empty()) fail("<" + open.back().name + "> of line " + std::to_string(open.back().line) + " has no end");
    if (!done) fail("there is no element");
    return root;
  }

 private:
  [[noreturn]] void fail(const std::string& message) const { throw XmlError(line_, message); }
  bool starts(std::string_view word) const { return text_.substr(at_).starts_with(word); }
  void pass(std::size_t to) {
    line_ += static_cast<std::size_t>(std::count(text_.begin() + static_cast<std::ptrdiff_t>(at_),
                                                 text_.begin() + static_cast<std::ptrdiff_t>(to), '\n'));
    at_ = to;
  }
  void skip_past(std::string_view end, const char* what) {
    const std::size_t found = text_.find(end, at_);
    if (found == std::string_view::npos) fail(std::string(what) + " has no end");
    pass(found + end.size());
  }
  void blanks() {
    std::size_t to = at_;
    while (to < text_.size() && std::string_view(" \t\r\n").find(text_[to]) != std::string_view::npos) ++to;
    pass(to);
  }
  void expect(char c) {
    if (at_ >= text_.size() || text_[at_] != c) fail(std::string("here '") + c + "' should stand");
    ++at_;
  }
  std::string word() {
    const std::size_t start = at_;
    while (at_ < text_.size() && std::string_view(" \t\r\n=/><\"'").find(text_[at_]) == std::string_view::npos) ++at_;
    if (at_ == start) fail("a name is missing");
    return std::string(text_.substr(start, at_ - start));
  }

  XmlElement element() {
    XmlElement out;
    ++at_;
    out.line = line_;
    out.name = word();
    for (;;) {
      blanks();
      if (at_ >= text_.size()) fail("<" + out.name + "> is cut off");
      if (text_[at_] == '>' || text_[at_] == '/') break;
      std::string key = word();
      blanks();
      expect('=');
      blanks();
      const char quote = at_ < text_.size() ? text_[at_] : '\0';
      if (quote != '"' && quote != '\'') fail("the value of '" + key + "' has no quotes");
      const std::size_t end = text_.find(quote, at_ + 1);
      if (end == std::string_view::npos) fail("the value of '" + key + "' has no end");
      if (out.attribute(key) != nullptr) fail("'" + key + "' is there twice");
      if (out.attributes.size() >= kMostXmlDepth) fail("<" + out.name + "> has too many attributes");
      out.attributes.emplace_back(std::move(key), decoded(text_.substr(at_ + 1, end - at_ - 1)));
      pass(end + 1);
    }
    empty_ = text_[at_] == '/';
    if (empty_) ++at_;
    expect('>');
    return out;
  }

  std::string decoded(std::string_view value) const {
    std::string out;
    for (std::size_t i = 0; i < value.size(); ++i) {
      if (value[i] != '&') {
        out += value[i];
        continue;
      }
      const std::size_t end = value.find(';', i);
      const std::string_view name = value.substr(i + 1, end == std::string_view::npos ? 0 : end - i - 1);
      constexpr std::pair<std::string_view, char> kNames[] = {
          {"lt", '<'}, {"gt", '>'}, {"amp", '&'}, {"quot", '"'}, {"apos", '\''}};
      const auto* found =
          std::find_if(std::begin(kNames), std::end(kNames), [&](const auto& x) { return x.first == name; });
      if (found != std::end(kNames)) {
        out += found->second;
      } else if (std::uint32_t code = 0; name.size() > 1 && name[0] == '#' && number(name.substr(1), code)) {
        append_utf8(out, code);
      } else {
        fail("&" + std::string(name) + "; is not known");
      }
      i = end;
    }
    return out;
  }
  static bool number(std::string_view digits, std::uint32_t& code) {
    const int base = digits[0] == 'x' ? 16 : 10;
    if (base == 16) digits.remove_prefix(1);
    const auto [end, fault] = std::from_chars(digits.data(), digits.data() + digits.size(), code, base);
    return fault == std::errc{} && end == digits.data() + digits.size() && code > 0 && code < 0x110000;
  }
  static void append_utf8(std::string& out, std::uint32_t code) {
    const auto tail = [&](int shift) { out += static_cast<char>(0x80 | (code >> shift & 63)); };
    if (code < 0x80) {
      out += static_cast<char>(code);
    } else if (code < 0x800) {
      out += static_cast<char>(0xc0 | code >> 6), tail(0);
    } else if (code < 0x10000) {
      out += static_cast<char>(0xe0 | code >> 12), tail(6), tail(0);
    } else {
      out += static_cast<char>(0xf0 | code >> 18), tail(12), tail(6), tail(0);
    }
  }

  // The last open element goes into the one before it
  static void close(std::vector<XmlElement>& open, XmlElement& root, bool& done) {
    XmlElement ended = std::move(open.back());
    open.pop_back();
    if (!open.empty()) {
      open.back().children.push_back(std::move(ended));
    } else {
      root = std::move(ended);
      done = true;
    }
  }

  std::string_view text_;
  std::size_t at_ = 0, line_ = 1, count_ = 0;
  bool empty_ = false;
};

}  // namespace

const std::string* XmlElement::attribute(std::string_view key) const {
  for (const auto& [name_of, value] : attributes)
    if (name_of == key) return &value;
  return nullptr;
}

const XmlElement* XmlElement::child(std::string_view key) const {
  for (const XmlElement& element : children)
    if (element.name == key) return &element;
  return nullptr;
}

XmlElement parse_xml(std::string_view text) { return XmlParser(text).parse(); }

}  // namespace sudar_cli

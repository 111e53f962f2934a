// What:    A small reader of XML: elements with attributes, as URDF and SRDF have them.
// Differs: No document types, no entities but the five of the language and numbers, no namespaces; text between elements is
//          skipped. So there is nothing in a file that grows by itself or points elsewhere. Depth and number of the elements
//          are bounded, and nothing recurses.
// Fails:   throws XmlError with the line and one clear sentence.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sudar_cli {

inline constexpr std::size_t kMostXmlDepth = 64, kMostXmlElements = 1'000'000;

struct XmlError : std::runtime_error {
  XmlError(std::size_t line, const std::string& message)
      : std::runtime_error("line " + std::to_string(line) + ": " + message) {}
};

struct XmlElement {
  std::string name;
  std::vector<std::pair<std::string, std::string>> attributes;
  std::vector<XmlElement> children;
  std::size_t line = 0;

  // Null when there is none
  const std::string* attribute(std::string_view key) const;
  const XmlElement* child(std::string_view key) const;
};

// The root
XmlElement parse_xml(std::string_view text);

}  // namespace sudar_cli

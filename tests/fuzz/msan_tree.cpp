// What:    For the memory sanitizer alone: what the standard library's own code writes into the nodes of maps and sets is
//          written. That library is not instrumented, and without this every map is a false alarm.
// Differs: The linker puts these before its functions (--wrap). Rebalancing writes nodes on the way to the root, their
//          children and grandchildren, and the header; keys and values are left as they are.
#include <sanitizer/msan_interface.h>

#include <map>

namespace {

using Node = std::_Rb_tree_node_base;

__attribute__((no_sanitize("memory"))) void written(const Node* node, int generations) {
  if (node == nullptr) return;
  __msan_unpoison(node, sizeof *node);
  if (generations == 0) return;
  written(node->_M_left, generations - 1);
  written(node->_M_right, generations - 1);
}

__attribute__((no_sanitize("memory"))) void way_is_written(const Node* node, const Node* header) {
  for (; node != nullptr && node != header; node = node->_M_parent) written(node, 2);
  written(header, 0);
}

}  // namespace

// NOLINTBEGIN: the names are the linker's
extern "C" {
void __real__ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_(bool, Node*, Node*, Node&);
Node* __real__ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_(Node*, Node&);

void __wrap__ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_(bool left, Node* node, Node* parent,
                                                                              Node& header) {
  __real__ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_(left, node, parent, header);
  way_is_written(node, &header);
}
Node* __wrap__ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_(Node* node, Node& header) {
  Node* gone = __real__ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_(node, header);
  // What moved is anywhere around: all of it, which is small here
  written(header._M_parent, 64);
  written(&header, 0);
  return gone;
}
}
// NOLINTEND

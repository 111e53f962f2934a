// What:    One question to a peer in a process of its own, so that a failed assertion, a crash or an endless loop of the
//          peer's ends the question and not the program. All of these happen on hard cases.
// Fails:   any of them, or no process to be had, is an answer that says died.
#pragma once

#include "bench/peers/case_peer.hpp"

namespace sudar_bench {

using AskCase = CaseAnswer (*)(const PlacedShape& a, const PlacedShape& b);

CaseAnswer ask_in_child(AskCase ask, const PlacedShape& a, const PlacedShape& b);

}  // namespace sudar_bench

#pragma once

#include <string>

namespace attn::gpt2 {

/// "load 0.5 on 2 processors": what else the machine had to do, on the average of a minute.
std::string load_of_machine();

}  // namespace attn::gpt2

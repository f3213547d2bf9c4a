// What the precompiled headers hang on: CMake wants a target, and a target a file.

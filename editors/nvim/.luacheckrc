-- What Neovim gives its plugins; LuaJIT is what it runs them with.
std = "luajit"
globals = { "vim" }
self = false -- methods that others call
max_line_length = 140
exclude_files = { "lua/foreword/types.lua" }

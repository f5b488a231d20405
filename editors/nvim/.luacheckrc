std = "luajit"
globals = { "vim" }
self = false
max_line_length = 120
max_string_line_length = false
exclude_files = { "lua/foreword/types.lua" } -- generated

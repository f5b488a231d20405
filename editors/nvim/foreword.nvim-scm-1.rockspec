rockspec_format = "3.0"
package = "foreword.nvim"
version = "scm-1"
source = { url = "." } -- `luarocks make` in this folder
description = {
  summary = "See what a model is told about your code, and chat with it",
  license = "MIT",
}
dependencies = { "lua >= 5.1" }
build = {
  type = "builtin",
  copy_directories = { "doc", "lsp", "plugin" },
}

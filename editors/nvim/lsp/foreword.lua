-- Configuration for vim.lsp.enable("foreword"), Neovim 0.11 and later. The file also works alone, copied to
-- ~/.config/nvim/lsp/: the server then shows its documents with window/showDocument.
local found, client = pcall(require, "foreword.client")
if found then
  return client.lsp_config()
end

---@type vim.lsp.Config
return {
  cmd = { "foreword", "serve" },
  root_markers = { ".git", "foreword.toml" },
}

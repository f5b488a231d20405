--- Code lenses on instruction files: what a file reaches, above its first line.
---
--- Neovim shows the lenses of all servers of a buffer or of none. So they are switched on in the buffers for which
--- ours has one, and nowhere else.
local M = {}

---@param bufnr integer
local function show(bufnr)
  if vim.lsp.codelens.enable then -- 0.12: Neovim keeps them fresh
    return vim.lsp.codelens.enable(true, { bufnr = bufnr })
  end
  local group = vim.api.nvim_create_augroup("foreword.codelens", { clear = false })
  vim.api.nvim_clear_autocmds({ group = group, buffer = bufnr })
  vim.api.nvim_create_autocmd({ "BufEnter", "InsertLeave", "TextChanged", "BufWritePost" }, {
    group = group,
    buffer = bufnr,
    callback = function()
      if require("foreword.client").attached(bufnr) then
        vim.lsp.codelens.refresh({ bufnr = bufnr })
      end
    end,
  })
  vim.lsp.codelens.refresh({ bufnr = bufnr })
end

---@param client vim.lsp.Client
---@param bufnr integer
function M.attach(client, bufnr)
  local provides = client.server_capabilities and client.server_capabilities.codeLensProvider
  if not provides or not require("foreword.config").get().codelens then
    return
  end
  local params = { textDocument = { uri = vim.uri_from_bufnr(bufnr) } }
  require("foreword.client").request(client, "textDocument/codeLens", params, function(_, lenses)
    if type(lenses) == "table" and #lenses > 0 and vim.api.nvim_buf_is_loaded(bufnr) then
      show(bufnr)
    end
  end)
end

return M

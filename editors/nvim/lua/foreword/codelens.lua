--- Code lenses on instruction files: what a file reaches, above its first line.
local M = {}

---@param client vim.lsp.Client
---@param bufnr integer
function M.attach(client, bufnr)
  local provides = client.server_capabilities and client.server_capabilities.codeLensProvider
  if not provides or not require("foreword.config").get().codelens then
    return
  end
  if vim.lsp.codelens.enable then -- 0.12: Neovim keeps them fresh
    return vim.lsp.codelens.enable(true, { client_id = client.id })
  end
  local group = vim.api.nvim_create_augroup("foreword.codelens", { clear = false })
  vim.api.nvim_clear_autocmds({ group = group, buffer = bufnr })
  -- Neovim 0.10 and 0.11 refresh the lenses of every client of the buffer at once.
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

return M

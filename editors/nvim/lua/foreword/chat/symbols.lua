--- The symbols of a file, as its language servers tell them.
local M = {}

---@class foreword.Symbol
---@field name string
---@field kind string
---@field first integer line from 1
---@field last integer

local patience = 1000 -- milliseconds: a message must not wait for a server that is starting

---@param symbols table[]
---@param into foreword.Symbol[]
local function flatten(symbols, into)
  for _, symbol in ipairs(symbols) do
    local range = symbol.range or (symbol.location or {}).range
    if range then
      table.insert(into, {
        name = symbol.name,
        kind = (vim.lsp.protocol.SymbolKind[symbol.kind] or "Symbol"):lower(),
        first = range.start.line + 1,
        last = range["end"].line + 1,
      })
    end
    flatten(symbol.children or {}, into)
  end
end

--- Asks for the symbols; gives none where nobody knows them.
---@param uri string?
---@param done fun(symbols: foreword.Symbol[])
function M.get(uri, done)
  local bufnr = uri and vim.fn.bufnr(vim.uri_to_fname(uri)) or -1
  local method = "textDocument/documentSymbol"
  if
    bufnr == -1
    or not vim.api.nvim_buf_is_loaded(bufnr)
    or #vim.lsp.get_clients({ bufnr = bufnr, method = method }) == 0
  then
    return done({})
  end
  local over = false
  local function finish(symbols)
    if not over then
      over = true
      done(symbols)
    end
  end
  local cancel = vim.lsp.buf_request_all(
    bufnr,
    method,
    { textDocument = { uri = uri } },
    function(answers)
      local symbols = {}
      for _, answer in pairs(answers) do
        flatten(answer.result or {}, symbols)
      end
      table.sort(symbols, function(a, b)
        return a.first < b.first or (a.first == b.first and a.name < b.name)
      end)
      finish(symbols)
    end
  )
  vim.defer_fn(function()
    if not over then
      cancel()
      finish({})
    end
  end, patience)
end

return M

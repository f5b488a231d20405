--- What the sources for blink.cmp and nvim-cmp share: the word under the cursor in a prompt of the chat panel, and the
--- panel's own items as a language server would give them.
local M = {}

--- Whether a buffer is a prompt of the chat panel.
---@param bufnr integer
---@return boolean
function M.enabled(bufnr)
  return vim.bo[bufnr].filetype:match("^foreword") ~= nil
end

--- The word that is being typed, from its @ on.
---@param before string the line as far as the cursor
---@return string? prefix
function M.prefix(before)
  return before:match("^(@%S*)$") or before:match("%s(@%S*)$")
end

--- The column in UTF-16 units, as a language server counts.
---@param line string
---@param byte integer
---@return integer
local function units(line, byte)
  local _, utf16 = vim.str_utfindex(line, math.min(byte, #line))
  return utf16
end

--- Items of the panel as completion items that replace the whole word.
---@param items table[] of the panel: word, abbr, menu, info
---@param row integer of the cursor, from 0
---@param before string the line as far as the cursor
---@param prefix string
---@return table[]
function M.convert(items, row, before, prefix)
  local range = {
    start = { line = row, character = units(before, #before - #prefix) },
    ["end"] = { line = row, character = units(before, #before) },
  }
  return vim.tbl_map(function(item)
    local text = item.insertText or item.word or item.label
    return {
      label = item.label or item.abbr or item.word,
      detail = item.detail or item.menu,
      documentation = item.documentation or item.info,
      kind = type(item.kind) == "number" and item.kind or 17, -- File
      filterText = item.filterText or text,
      insertText = text,
      textEdit = { range = range, newText = text },
    }
  end, items)
end

--- Asks the panel. done is called once, with nothing where no word of ours is typed.
---@param bufnr integer
---@param row integer of the cursor, from 0
---@param before string the line as far as the cursor
---@param done fun(items: table[])
function M.ask(bufnr, row, before, done)
  local prefix = M.prefix(before)
  if not prefix then
    return done({})
  end
  require("foreword.chat.complete").items(bufnr, prefix, function(items)
    done(M.convert(items or {}, row, before, prefix))
  end)
end

return M

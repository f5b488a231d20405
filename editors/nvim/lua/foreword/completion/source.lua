--- What the sources for blink.cmp and nvim-cmp share: the word under the cursor in a prompt of the chat panel, and the
--- panel's own items as a language server would give them.
local M = {}

--- Whether a buffer is the prompt of the chat panel: the one in which 'omnifunc' is the panel's.
---@param bufnr integer
---@return boolean
function M.enabled(bufnr)
  return vim.bo[bufnr].omnifunc:find("foreword.chat.complete", 1, true) ~= nil
end

--- The column in UTF-16 units, as a language server counts.
---@param line string
---@param byte integer
---@return integer
local function units(line, byte)
  local _, utf16 = vim.str_utfindex(line, math.min(byte, #line))
  return utf16
end

--- As language servers number the kinds of what they complete.
local kinds = { context = 14, buffer = 17, file = 17, symbol = 18 }

--- The panel's items for the word under the cursor, which replace all of it. None where no word of ours is typed.
---@param row integer of the cursor, from 0
---@param before string the line as far as the cursor
---@return table[] items as a language server gives them
function M.items(row, before)
  local complete = require("foreword.chat.complete")
  local start = complete.start(before)
  if not start then
    return {}
  end
  local range = {
    start = { line = row, character = units(before, start) },
    ["end"] = { line = row, character = units(before, #before) },
  }
  return vim.tbl_map(function(item)
    return {
      label = item.word,
      detail = item.info,
      kind = kinds[item.kind] or 1,
      filterText = item.word,
      insertText = item.word,
      textEdit = { range = range, newText = item.word },
    }
  end, complete.items(before:sub(start + 1)))
end

return M

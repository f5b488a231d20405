--- Puts the pieces of an answer together, in the order in which they began.
local problem = require("foreword.models.problem")

local M = {}

--- An answer is cut here: no window of a model holds as much.
M.longest = 2 * 1024 * 1024

---@class foreword.Answer
---@field parts foreword.MessagePart[] in the shape of a message
---@field usage? foreword.Usage
---@field reason? string why the model stopped

---@class foreword.Building
---@field add fun(delta: foreword.Delta) raises a foreword.Problem when it is too long
---@field answer fun(): foreword.Answer

--- The arguments as an object, or the text that the model wrote where it is none.
---@param text string
---@return any
local function arguments_of(text)
  if vim.trim(text) == "" then
    return vim.empty_dict()
  end
  local ok, value = pcall(vim.json.decode, text)
  if ok and type(value) == "table" and (next(value) == nil or not vim.islist(value)) then
    return next(value) and value or vim.empty_dict()
  end
  return text
end

---@param model string that answers
---@param new_id fun(): string makes the id of a call where the provider gives none
---@return foreword.Building
function M.new(model, new_id)
  local blocks, length = {}, 0
  local usage, reason ---@type foreword.Usage?, string?

  local function grow(text)
    length = length + #(text or "")
    if length > M.longest then
      error(problem.new("endless", "2 MB"), 0)
    end
  end
  local function part(kind, text)
    local last = blocks[#blocks]
    if not last or last.type ~= kind or last.signature or last.data then
      last = { type = kind, pieces = {} }
      table.insert(blocks, last)
    end
    table.insert(last.pieces, text)
    return last
  end

  local kinds = {}
  function kinds.text(delta)
    if delta.text ~= "" then
      part("text", delta.text)
    end
  end
  function kinds.thinking(delta)
    if delta.data then
      table.insert(blocks, { type = "thinking", data = delta.data, pieces = {}, model = model })
    elseif delta.text and delta.text ~= "" then
      part("thinking", delta.text).model = model
    end
    local last = blocks[#blocks]
    if delta.signature and last and last.type == "thinking" then
      last.signature = (last.signature or "") .. delta.signature
    end
  end
  function kinds.call(delta)
    local open
    for _, block in ipairs(blocks) do
      open = open or (block.index == delta.index and block or nil)
    end
    if not open then
      local id = delta.id and delta.id ~= "" and delta.id or new_id()
      open = { type = "tool-use", index = delta.index, id = id, name = "", pieces = {} }
      table.insert(blocks, open)
    end
    open.name = open.name ~= "" and open.name or delta.name or ""
    table.insert(open.pieces, delta.arguments or "")
    open.signature = delta.signature or open.signature
  end
  function kinds.usage(delta)
    usage = delta.usage
  end
  kinds["end"] = function(delta)
    reason = reason or delta.reason
  end

  return {
    add = function(delta)
      grow(delta.text)
      grow(delta.arguments)
      kinds[delta.kind](delta)
    end,
    answer = function()
      local parts = {}
      for _, block in ipairs(blocks) do
        local text = table.concat(block.pieces)
        table.insert(parts, {
          type = block.type,
          text = block.type ~= "tool-use" and not block.data and text or nil,
          id = block.id,
          name = block.name,
          arguments = block.type == "tool-use" and arguments_of(text) or nil,
          data = block.data,
          signature = block.signature,
          model = block.model,
        })
      end
      return { parts = parts, usage = usage, reason = reason }
    end,
  }
end

return M

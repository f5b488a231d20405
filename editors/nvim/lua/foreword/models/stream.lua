--- Readers of the streams of providers: bytes in any pieces become deltas.
local lines = require("foreword.models.lines")
local problem = require("foreword.models.problem")

local M = {}

---@class foreword.Delta
---@field kind "text"|"thinking"|"call"|"usage"|"end"
---@field text? string of an answer, or of thinking
---@field signature? string of thinking, or of a call; goes back to the provider as it came
---@field data? string thinking that cannot be read
---@field index? integer of a call: which one the piece belongs to
---@field id? string
---@field name? string
---@field arguments? string a piece of the text of the arguments
---@field usage? foreword.Usage
---@field reason? string why the model stopped, in the provider's word

---@class foreword.Reader
---@field push fun(bytes: string): foreword.Delta[] raises a foreword.Problem
---@field finish fun(): foreword.Delta[] nothing more comes; raises when the answer had not ended

--- The text of a value, where it is one.
---@param value any
---@return string?
function M.words(value)
  return type(value) == "string" and value or nil
end

--- The value as a table; an empty one where it is none, so that a stream may say anything without harm.
---@param value any
---@return table
function M.object(value)
  return type(value) == "table" and value or {}
end

---@param value any
---@return integer
function M.count(value)
  return type(value) == "number" and value >= 0 and value < 2 ^ 53 and math.floor(value) or 0
end

---@param text string
local function garbage(text)
  local head = text:sub(1, 2000):lower()
  if head:match("^%s*<!doctype") or head:match("^%s*<html") or head:match("^%s*<head") then
    error(problem.new("page", problem.title(text)), 0)
  end
  error(problem.new("garbage", text), 0)
end

---@param interpret fun(event: table): foreword.Delta[]
---@param object_of fun(line: string): string?
---@param rest fun(): string?
---@return foreword.Reader
local function reader(interpret, object_of, rest)
  local source = lines.lines()
  local ended, seen = false, false
  local raw, raw_length = {}, 0

  local function take(text, deltas)
    if not text then
      return
    elseif vim.trim(text) == "[DONE]" then
      ended = true
      return
    end
    local ok, event = pcall(vim.json.decode, text, { luanil = { object = true, array = true } })
    if not ok or type(event) ~= "table" or vim.islist(event) and #event > 0 then
      garbage(text)
    end
    seen = true
    for _, delta in ipairs(interpret(event)) do
      ended = ended or delta.kind == "end"
      table.insert(deltas, delta)
    end
  end
  local function feed(line, deltas)
    if not seen and raw_length < 2000 then
      table.insert(raw, line)
      raw_length = raw_length + #line
    end
    take(object_of(line), deltas)
  end

  return {
    push = function(bytes)
      local deltas = {}
      for _, line in ipairs(source.push(bytes)) do
        feed(line, deltas)
      end
      return deltas
    end,
    finish = function()
      local deltas = {}
      for _, line in ipairs(source.rest()) do
        feed(line, deltas)
      end
      take(rest(), deltas)
      local text = table.concat(raw, "\n")
      if not seen and not ended and vim.trim(text) ~= "" then
        garbage(text)
      elseif not ended then
        error(problem.new("cut"), 0)
      end
      return deltas
    end,
  }
end

--- Reads objects out of server-sent events.
---@param interpret fun(event: table): foreword.Delta[]
---@return foreword.Reader
function M.events(interpret)
  local events = lines.events()
  return reader(interpret, function(line)
    local data = events.push(line)
    -- An endpoint that was not made to stream answers with one object, or says in one what is wrong.
    return data or (line:sub(1, 1) == "{" and line or nil)
  end, events.flush)
end

--- Reads objects that stand one in each line.
---@param interpret fun(event: table): foreword.Delta[]
---@return foreword.Reader
function M.objects(interpret)
  return reader(interpret, function(line)
    return line:match("%S") and line or nil
  end, function() end)
end

return M

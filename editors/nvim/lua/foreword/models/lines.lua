--- Lines and server-sent events out of bytes that come in any pieces.
local M = {}

--- No model says this much in one line; an endpoint that never ends its line must not fill the memory.
M.longest = 4 * 1024 * 1024

---@class foreword.Lines
---@field push fun(bytes: string): string[] the lines that are complete now
---@field rest fun(): string[] the last line, where nothing ended it

--- Makes lines of bytes. Lines end with \n, \r\n or \r; halves of characters stay until the other half comes, since
--- only whole lines are given.
---@return foreword.Lines
function M.lines()
  local pieces, length = {}, 0 -- of the line that is not complete
  local returned, begun = false, false

  local function take(text)
    local line = table.concat(pieces) .. text
    pieces, length = {}, 0
    if not begun then
      begun = true
      line = line:gsub("^\239\187\191", "") -- a byte order mark
    end
    return line
  end

  local lines = {}
  function lines.push(bytes)
    local found = {}
    if bytes == "" then
      return found
    end
    -- A \n that follows a \r of the piece before ends no line of its own.
    local from = returned and bytes:sub(1, 1) == "\n" and 2 or 1
    returned = bytes:sub(-1) == "\r"
    while true do
      local at = bytes:find("[\r\n]", from)
      if not at then
        break
      end
      table.insert(found, take(bytes:sub(from, at - 1)))
      from = at + (bytes:sub(at, at + 1) == "\r\n" and 2 or 1)
    end
    if from <= #bytes then
      table.insert(pieces, bytes:sub(from))
      length = length + #bytes - from + 1
      if length > M.longest then
        error(require("foreword.models.problem").new("endless", "4 MB in one line"), 0)
      end
    end
    return found
  end
  function lines.rest()
    local line = take("")
    return line ~= "" and { line } or {}
  end
  return lines
end

---@class foreword.Events
---@field push fun(line: string): string? the data of the event that the line ends
---@field flush fun(): string? that of the event that nothing ended

--- Makes events of lines, by the rules of the HTML standard, section "Server-sent events". What an event is called is
--- not needed: all providers say it in the data, too.
---@return foreword.Events
function M.events()
  local data = {} ---@type string[]
  local events = {}
  function events.push(line)
    if line == "" then
      return events.flush()
    end
    local value = line:match("^data: ?(.*)$") or (line == "data" and "")
    if value then
      table.insert(data, value)
    end
  end
  function events.flush()
    local text = #data > 0 and table.concat(data, "\n") or nil
    data = {}
    return text
  end
  return events
end

return M

--- The requests that were prepared in this Neovim, as text, so that two turns can be held against each other.
local M = {}

--- Requests that are kept of one session: those that one compares are near each other.
local max_turns = 20

local kept = {} ---@type table<string, table<integer, string[]>> by session and turn
local last = nil ---@type string? session of the newest request

---@param value any
---@param indent string
---@param lines string[]
local function write(value, indent, lines)
  if type(value) == "string" and value:find("\n", 1, true) then
    lines[#lines] = lines[#lines] .. " |"
    for _, line in ipairs(vim.split(value, "\n", { plain = true })) do
      table.insert(lines, indent .. line)
    end
  elseif type(value) == "table" and next(value) ~= nil then
    if vim.islist(value) then
      for i, item in ipairs(value) do
        table.insert(lines, ("%s- %d:"):format(indent, i))
        write(item, indent .. "  ", lines)
      end
    else
      local keys = vim.tbl_keys(value)
      table.sort(keys, function(a, b)
        return tostring(a) < tostring(b)
      end)
      for _, key in ipairs(keys) do
        table.insert(lines, ("%s%s:"):format(indent, key))
        write(value[key], indent .. "  ", lines)
      end
    end
  else
    lines[#lines] = lines[#lines]
      .. " "
      .. (type(value) == "string" and value or vim.json.encode(value))
  end
end

--- A value as indented text: keys sorted, texts of several lines as lines.
---@param value any
---@return string[]
function M.render(value)
  local lines = { "" }
  write(value, "", lines)
  if lines[1] == "" and #lines > 1 then
    table.remove(lines, 1)
  end
  return lines
end

--- Keeps the request that a turn was prepared as.
---@param params foreword.PrepareTurnParams
---@param result foreword.PrepareTurnResult
function M.record(params, result)
  if not params.session or not result.turn then
    return
  end
  local turns = kept[params.session] or {}
  kept[params.session] = turns
  turns[result.turn] = M.render(result.body)
  last = params.session
  local numbers = vim.tbl_keys(turns)
  table.sort(numbers)
  for i = 1, #numbers - max_turns do
    turns[numbers[i]] = nil
  end
end

--- The text of a request that was prepared here.
---@param session string
---@param turn integer
---@return string[]?
function M.get(session, turn)
  return kept[session] and kept[session][turn]
end

--- The session that was used last in this Neovim.
---@return string?
function M.last()
  return last
end

--- Sessions that were used in this Neovim, by name.
---@return string[]
function M.sessions()
  local names = vim.tbl_keys(kept)
  table.sort(names)
  return names
end

return M

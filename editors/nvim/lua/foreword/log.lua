--- `:Foreword log`: what the server said, in one buffer.
local M = {}

--- Lines of window/logMessage, oldest first. Neovim's own log drops those below its level.
local lines = {} ---@type string[]
local max_lines = 1000
local levels = { "error", "warning", "info", "log", "debug" }

--- Bytes at the end of Neovim's log that are searched for standard error of the server.
local tail_size = 256 * 1024

---@param params { type?: integer, message?: string } of window/logMessage
function M.add(params)
  local stamp = ("%s %-7s "):format(os.date("%H:%M:%S"), levels[params.type] or "log")
  for _, line in ipairs(vim.split(params.message or "", "\n", { trimempty = true })) do
    table.insert(lines, stamp .. line)
  end
  while #lines > max_lines do
    table.remove(lines, 1)
  end
end

--- Standard error of the server, from Neovim's log, where it is one entry for each write.
---@return string[]
local function standard_error()
  local file = io.open(vim.lsp.log.get_filename(), "r")
  if not file then
    return {}
  end
  local size = file:seek("end") or 0
  file:seek("set", math.max(0, size - tail_size))
  local found = {}
  local binary = require("foreword.binary").find()
  local names = { foreword = true, [binary and binary.cmd[1] or "foreword"] = true }
  for line in file:lines() do
    local program, text = line:match('"rpc"%s+"([^"]*)"%s+"stderr"%s+"(.*)"%s*$')
    if program and (names[program] or names[vim.fs.basename(program)]) then
      text = text:gsub("\\n", "\n"):gsub("\\t", "\t"):gsub('\\"', '"'):gsub("\\\\", "\\")
      vim.list_extend(found, vim.split(text, "\n", { trimempty = true }))
    end
  end
  file:close()
  return found
end

---@return string[]
function M.lines()
  local shown = { "# foreword: log", "", "## Messages of the server", "" }
  vim.list_extend(shown, #lines > 0 and lines or { "(none)" })
  vim.list_extend(shown, { "", "## Standard error", "" })
  local written = standard_error()
  vim.list_extend(shown, #written > 0 and written or { "(none)" })
  vim.list_extend(shown, { "", "All of it: " .. vim.lsp.log.get_filename() })
  return shown
end

---@param mods? vim.api.keyset.cmd.mods
function M.open(mods)
  require("foreword.view").open({
    name = "foreword-log:///log",
    filetype = "",
    mods = mods,
    fetch = function(done)
      done(nil, M.lines())
    end,
  })
end

return M

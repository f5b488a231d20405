--- `:Foreword pin`: files that go with every prompt.
local M = {}

---@param uri string
---@return string
local function shown(uri)
  return vim.fn.fnamemodify(vim.uri_to_fname(uri), ":~:.")
end

--- Tells which files are pinned.
local function list()
  local pinned = require("foreword.pins").list()
  local text = #pinned == 0 and "no file is pinned"
    or "pinned files:\n" .. table.concat(vim.tbl_map(shown, pinned), "\n")
  require("foreword.request").tell(text, vim.log.levels.INFO)
end

--- Pins files, the current one where none is named; with off takes them off.
---@param args string[] list, clear, or files
---@param off? boolean
function M.run(args, off)
  local pins, request = require("foreword.pins"), require("foreword.request")
  if args[1] == "list" then
    return list()
  elseif args[1] == "clear" then
    pins.clear()
    return request.tell("no file is pinned any more", vim.log.levels.INFO)
  end
  local done = {}
  for _, path in ipairs(#args > 0 and args or { "" }) do
    local uri, problem = request.target(path)
    if not uri and off and path ~= "" then -- a file that is gone can be taken off all the same
      uri = vim.uri_from_fname(vim.fs.normalize(vim.fn.fnamemodify(vim.fn.expand(path), ":p")))
    end
    if not uri then
      return request.tell(problem)
    end
    local changed = off and pins.remove(uri) or not off and pins.add(uri)
    local word = off and (changed and "no longer pinned" or "was not pinned")
      or (changed and "pinned" or "is pinned already")
    table.insert(done, ("%s: %s"):format(shown(uri), word))
  end
  request.tell(table.concat(done, "\n"), vim.log.levels.INFO)
end

return M

--- Finds the program: where the configuration says, on $PATH, or built beside the plugin.
local M = {}

--- The directory of the plugin, editors/nvim of the repository.
local source = vim.fn.fnamemodify(debug.getinfo(1, "S").source:sub(2), ":p")
local plugin = vim.fs.dirname(vim.fs.dirname(vim.fs.dirname(source)))

--- Places where a build leaves the program: `go build ./cmd/foreword` at the top of the repository, or bin/.
local function built_places()
  local top = vim.fs.dirname(vim.fs.dirname(plugin))
  return { top .. "/foreword", top .. "/bin/foreword", plugin .. "/bin/foreword" }
end

---@class foreword.Binary
---@field cmd string[] The command line that starts the server.
---@field path string The program.
---@field source "configured"|"PATH"|"built"

---@return foreword.Binary? binary
---@return string? reason why there is none and what to do
function M.find()
  local cmd = require("foreword.config").get().cmd
  if cmd and #cmd > 0 then
    local line = type(cmd) == "string" and { vim.fn.expand(cmd), "serve" } or vim.deepcopy(cmd)
    local path = vim.fn.exepath(line[1])
    if path == "" then
      return nil,
        ("the program %s, which the setting cmd names, cannot be run; correct cmd or build it"):format(
          line[1]
        )
    end
    return { cmd = line, path = path, source = "configured" }
  end
  local path = vim.fn.exepath("foreword")
  if path ~= "" then
    return { cmd = { path, "serve" }, path = path, source = "PATH" }
  end
  for _, place in ipairs(built_places()) do
    path = vim.fn.exepath(place)
    if path ~= "" then
      return { cmd = { path, "serve" }, path = path, source = "built" }
    end
  end
  return nil,
    "the program foreword is not on $PATH and not built beside the plugin; "
      .. "run `go build ./cmd/foreword` at the top of its repository, "
      .. "or set vim.g.foreword = { cmd = '/path/to/foreword' } (:help foreword-install)"
end

---@param binary foreword.Binary
---@return string? version what the program says of itself
---@return string? problem
function M.version(binary)
  local ok, run = pcall(vim.system, { binary.path, "version" }, { text = true, timeout = 5000 })
  if not ok then
    return nil, tostring(run)
  end
  local result = run:wait()
  if result.code ~= 0 then
    return nil,
      ("`%s version` ended with code %d: %s"):format(
        binary.path,
        result.code,
        vim.trim(result.stderr or "")
      )
  end
  return vim.trim(result.stdout or "")
end

return M

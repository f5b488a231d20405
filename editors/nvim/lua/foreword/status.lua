--- What the server works with: the component of a status line, and `:Foreword status`.
local M = {}

---@class foreword.Known
---@field text string
---@field stale boolean
---@field asking boolean

local known = {} ---@type table<integer, foreword.Known> by buffer
local busy = nil ---@type string? what the server is doing

--- Says that what is known may be old. The next look asks again.
function M.forget()
  for _, entry in pairs(known) do
    entry.stale = true
  end
  vim.schedule(function()
    vim.cmd.redrawstatus({ bang = true })
  end)
end

--- For foreword/status.
---@param params foreword.StatusNotificationParams
function M.receive(params)
  busy = params.busy and (params.message or "working") or nil
  if params.kind == "error" and params.message then
    vim.notify_once("foreword: " .. params.message, vim.log.levels.ERROR)
  elseif params.kind == "warning" and params.message then
    vim.notify_once("foreword: " .. params.message, vim.log.levels.WARN)
  end
  vim.cmd.redrawstatus({ bang = true })
end

--- The component: how many instruction files apply to the buffer and what they cost. Empty where there is no server.
--- It never waits: it gives what is known and asks in the background.
---@param bufnr? integer
---@return string
function M.line(bufnr)
  bufnr = (bufnr == nil or bufnr == 0) and vim.api.nvim_get_current_buf() or bufnr
  local client = require("foreword.client")
  if not client.attached(bufnr) then
    known[bufnr] = nil
    return ""
  end
  local entry = known[bufnr] or { text = "foreword", stale = true, asking = false }
  known[bufnr] = entry
  if entry.stale and not entry.asking then
    entry.stale, entry.asking = false, true
    local uri = vim.uri_from_bufnr(bufnr)
    require("foreword.request").command(
      uri,
      "foreword.status",
      { uri = uri },
      function(problem, result)
        entry.asking = false
        local counted = result and result.instructions
        require("foreword.count").receive(bufnr, counted)
        if counted then
          entry.text = ("foreword: %d %s, %d tokens"):format(
            counted.applies,
            counted.applies == 1 and "file" or "files",
            counted.tokens
          )
        else
          entry.text = problem and "foreword: ?" or "foreword"
        end
        vim.cmd.redrawstatus({ bang = true })
      end
    )
  end
  return busy and (entry.text .. ", " .. busy) or entry.text
end

---@param result foreword.StatusResult
---@return string[]
local function render(result)
  local lines = {
    "# foreword: status",
    "",
    ("- server %s (%s, %s)"):format(result.server, result.go, result.platform),
    ("- profile %s"):format(result.profile),
    ("- changes on disk: %s"):format(result.watcher),
    ("- %d open buffers, %d sessions"):format(result.buffers, result.sessions),
  }
  local function add(...)
    vim.list_extend(lines, { ... })
  end
  local counted = result.instructions
  if counted then
    add("", "## This file", "")
    add(
      ("%s: instruction files sent: %d, %d tokens (%s); left out: %d."):format(
        vim.fn.fnamemodify(vim.uri_to_fname(counted.uri), ":~:."),
        counted.applies,
        counted.tokens,
        counted.counter,
        counted.leftOut
      )
    )
  end
  add("", "## Folders", "")
  for _, folder in ipairs(result.folders or {}) do
    local branch = folder.branch and folder.branch ~= "" and (", branch " .. folder.branch) or ""
    local trust = folder.trusted and "trusted" or "restricted (:Foreword trust)"
    add(("- %s: %s%s"):format(vim.uri_to_fname(folder.uri), trust, branch))
  end
  add("", "## Settings", "")
  for _, setting in ipairs(result.settings or {}) do
    add(("- `%s = %s` (%s)"):format(setting.key, vim.json.encode(setting.value), setting.origin))
  end
  add("", "## Problems", "")
  for _, problem in ipairs(result.problems or {}) do
    local where = problem.uri
        and problem.uri ~= ""
        and (" (%s)"):format(vim.uri_to_fname(problem.uri))
      or ""
    add(("- %s: %s%s"):format(problem.severity, problem.message, where))
  end
  if #(result.problems or {}) == 0 then
    add("none")
  end
  return lines
end

---@param mods? vim.api.keyset.cmd.mods
function M.open(mods)
  local request = require("foreword.request")
  local uri = request.target() -- without a file the answer is about the server alone
  require("foreword.view").open({
    name = "foreword-status:///status",
    mods = mods,
    live = true,
    fetch = function(done)
      return request.command(uri, "foreword.status", { uri = uri }, function(problem, result)
        done(problem, result and render(result))
      end)
    end,
  })
end

return M

--- `:checkhealth foreword`
local M = {}

local health = vim.health

--- Asks the server and waits: a health report is read, not typed through.
---@param client vim.lsp.Client
---@param command foreword.CommandName
---@param params table
---@return table? result
---@return string? problem
local function ask(client, command, params)
  local answer, failed
  local cancel = require("foreword.request").command(
    params.uri,
    command,
    params,
    function(problem, result)
      answer, failed = result, problem or "no result"
    end
  )
  vim.wait(5000, function()
    return answer ~= nil or failed ~= nil
  end, 10)
  if not answer and not failed then
    cancel()
    failed = ("%s did not answer within 5 seconds"):format(client.name)
  end
  return answer, failed
end

--- The buffer that the report is about: the one that was looked at before :checkhealth opened its own.
---@return integer?
local function subject()
  local before = vim.fn.bufnr("#")
  for _, bufnr in ipairs({ require("foreword.focus").last() or -1, before }) do
    if bufnr > 0 and require("foreword.client").is_file(bufnr) then
      return bufnr
    end
  end
end

local function check_editor()
  local version = tostring(vim.version())
  if vim.fn.has("nvim-0.10") == 0 then
    health.error("Neovim " .. version .. " is too old", { "Install Neovim 0.10 or later" })
  else
    health.ok("Neovim " .. version)
  end
  local problems = require("foreword.config").problems()
  for _, problem in ipairs(problems) do
    health.warn(problem, { "See :help foreword-settings" })
  end
  if #problems == 0 then
    health.ok("settings are valid")
  end
end

local function check_binary()
  local binary, reason = require("foreword.binary").find()
  if not binary then
    health.error(reason, { "See :help foreword-install" })
    return
  end
  local version, problem = require("foreword.binary").version(binary)
  if version then
    health.ok(("%s (%s), %s"):format(binary.path, binary.source, version))
  else
    health.error(problem, { "Build the program again, or correct the setting cmd" })
  end
end

--- How the key of an endpoint is found, never the key itself.
---@param endpoint foreword.Endpoint
local function check_key(endpoint)
  local key = endpoint.key
  if key == nil then
    health.info(("endpoint %s (%s): no key is set"):format(endpoint.name, endpoint.url))
  elseif type(key) == "string" then
    if (vim.env[key] or "") ~= "" then
      health.ok(("endpoint %s (%s): the key is in $%s"):format(endpoint.name, endpoint.url, key))
    else
      health.warn(
        ("endpoint %s (%s): $%s is empty"):format(endpoint.name, endpoint.url, key),
        { ("Set the environment variable %s before Neovim is started"):format(key) }
      )
    end
  elseif type(key) == "table" then
    local program = tostring(key[1])
    if vim.fn.executable(program) == 1 then
      health.ok(
        ("endpoint %s (%s): the key comes from %s, which is not run now"):format(
          endpoint.name,
          endpoint.url,
          program
        )
      )
    else
      health.warn(
        ("endpoint %s (%s): the program %s, which gives the key, cannot be run"):format(
          endpoint.name,
          endpoint.url,
          program
        )
      )
    end
  else
    health.ok(
      ("endpoint %s (%s): the key comes from a function"):format(endpoint.name, endpoint.url)
    )
  end
end

--- What the chat panel needs: curl, and endpoints. No address is asked.
local function check_chat()
  local curl = vim.fn.exepath("curl")
  if curl == "" then
    health.warn("curl is not on $PATH: no model can be asked", { "Install curl" })
  else
    health.ok("curl: " .. curl)
  end
  local endpoints, bad = require("foreword.models.endpoint").endpoints()
  for _, problem in ipairs(bad) do
    health.warn(problem, { "See :help foreword-settings" })
  end
  for _, endpoint in ipairs(endpoints) do
    check_key(endpoint)
  end
  if #endpoints == 0 and #bad == 0 then
    health.info("no endpoint is set: prompts are shown, to be copied")
  end
end

--- Other panels and completions that foreword has an adapter for.
local function check_others()
  local found = {}
  for _, other in ipairs({
    { "codecompanion", "CodeCompanion" },
    { "CopilotChat", "CopilotChat" },
    { "avante", "avante" },
    { "sidekick", "sidekick" },
    { "blink.cmp", "blink.cmp" },
    { "cmp", "nvim-cmp" },
  }) do
    local path = other[1]:gsub("%.", "/")
    if #vim.api.nvim_get_runtime_file(("lua/%s/init.lua"):format(path), false) > 0 then
      table.insert(found, other[2])
    end
  end
  health.info(
    #found > 0
        and ("installed, with an adapter in foreword: %s (:help foreword-adapters)"):format(
          table.concat(found, ", ")
        )
      or "no other panel or completion that foreword has an adapter for is installed"
  )
end

---@param client vim.lsp.Client
---@param bufnr integer?
local function check_file(client, bufnr)
  if not bufnr then
    health.info(
      "no file is open; open one and run :checkhealth foreword again to see what applies to it"
    )
    return
  end
  local path = vim.api.nvim_buf_get_name(bufnr)
  local uri = vim.uri_from_bufnr(bufnr)
  if client.attached_buffers[bufnr] then
    health.ok("attached to " .. path)
  else
    health.warn(
      "not attached to " .. path,
      { "See the setting autostart, :help foreword-settings" }
    )
  end
  local root = require("foreword.client").root(path)
  health.info("root: " .. (root or "none, the file belongs to no project"))
  local result, problem = ask(client, "foreword.instructions.explain", { uri = uri })
  if not result then
    health.error(problem)
    return
  end
  for _, entry in ipairs(result.entries) do
    local line = ("%s: %s, %d tokens (%s)"):format(entry.path, entry.state, entry.tokens, entry.why)
    if entry.state == "unreadable" then
      health.warn(line)
    else
      health.info(line)
    end
  end
  if #result.entries == 0 then
    health.info("no instruction files on the way from the root to this file")
  end
end

function M.check()
  health.start("foreword: editor")
  check_editor()
  health.start("foreword: program")
  check_binary()
  health.start("foreword: chat")
  check_chat()
  health.start("foreword: other panels")
  check_others()

  health.start("foreword: server")
  local client = require("foreword.client").get()
  if not client then
    local failure = require("foreword.client").failure()
    if failure then
      health.error(
        failure,
        { ":Foreword log shows what it said", ":Foreword restart starts it again" }
      )
    else
      health.info("not running; it starts with the first file that is opened")
    end
    return
  end
  local bufnr = subject()
  local status, problem = ask(client, "foreword.status", {
    uri = bufnr and vim.uri_from_bufnr(bufnr) or nil,
  })
  if not status then
    health.error(problem or "no answer", { ":Foreword log shows what it said" })
    return
  end
  health.ok(("running: version %s, contract %d"):format(status.server, status.version))
  health.info("changes on disk: " .. status.watcher)
  for _, folder in ipairs(status.folders or {}) do
    local path = vim.uri_to_fname(folder.uri)
    health.info(
      folder.trusted and (path .. ": trusted")
        or (path .. ": restricted (:Foreword trust changes that)")
    )
  end
  for _, found in ipairs(status.problems or {}) do
    local report = found.severity == "error" and health.error
      or found.severity == "warning" and health.warn
      or health.info
    report(found.message)
  end

  health.start("foreword: this file")
  check_file(client, bufnr)
end

return M

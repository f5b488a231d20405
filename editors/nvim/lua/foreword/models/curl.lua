--- A request by curl: the body goes in by standard input, address and headers by a pipe of their own, so that no other
--- user of the machine reads a key or a message in the list of processes, and nothing is written to a disk.
local problem = require("foreword.models.problem")

local M = {}

---@class foreword.HttpRequest
---@field url string
---@field headers table<string, string>
---@field body? string

local longest_error = 64 * 1024 -- of what an endpoint says that went wrong; the rest is not read

local kinds = { -- by exit code; curl(1), "Exit codes"
  [6] = "unknown-host",
  [7] = "refused",
  [28] = "refused",
  [35] = "certificate",
  [51] = "certificate",
  [58] = "certificate",
  [60] = "certificate",
  [77] = "certificate",
  [18] = "cut",
  [52] = "cut",
  [55] = "cut",
  [56] = "cut",
  [92] = "cut",
}

---@param value string
---@return string
local function quoted(value)
  return '"' .. value:gsub('[\\"]', "\\%0"):gsub("[\r\n%z]", " ") .. '"'
end

---@param request foreword.HttpRequest
---@return string
local function config_of(request)
  local lines = { "url = " .. quoted(request.url) }
  local headers = vim.tbl_extend("keep", request.headers, { ["content-type"] = "application/json" })
  -- Without it curl waits for a permission before a long body, which some endpoints never give.
  headers.expect = headers.expect or ""
  local names = vim.tbl_keys(headers)
  table.sort(names)
  for _, name in ipairs(names) do
    table.insert(lines, "header = " .. quoted(name .. ": " .. headers[name]))
  end
  return table.concat(lines, "\n") .. "\n"
end

--- The pipe of the configuration, filled: what is in it is less than any pipe holds.
---@param text string
---@return integer? fd that curl reads
---@return string? path by which curl names it
---@return fun()? close
local function config_pipe(text)
  if #text > 32 * 1024 then
    return nil
  end
  if vim.fn.has("win32") == 1 then -- there is no name for a pipe; the folder of temporary files is the user's own
    local path = vim.fn.tempname()
    local fd = assert(vim.uv.fs_open(path, "w", 384)) -- 0600
    vim.uv.fs_write(fd, text)
    vim.uv.fs_close(fd)
    return nil, path, function()
      vim.uv.fs_unlink(path)
    end
  end
  local ends = assert(vim.uv.pipe({ nonblock = false }, { nonblock = false }))
  vim.uv.fs_write(ends.write, text)
  vim.uv.fs_close(ends.write)
  return ends.read, "/dev/fd/3", function()
    vim.uv.fs_close(ends.read)
  end
end

---@param status integer
---@param headers table<string, string>
---@param text string
---@return foreword.Problem
local function refusal(status, headers, text)
  local kind = ({
    [401] = "key",
    [403] = "key",
    [404] = "not-found",
    [429] = "rate",
    [503] = "rate",
    [529] = "rate",
  })[status] or (status >= 500 and "server" or "request")
  local ok, said = pcall(vim.json.decode, text, { luanil = { object = true, array = true } })
  local detail = text
  if ok and type(said) == "table" then
    local inner = said.error or (said[1] or {}).error or said
    detail = type(inner) == "table" and (inner.message or vim.json.encode(inner)) or tostring(inner)
  elseif text:lower():match("^%s*<") then
    detail = problem.title(text)
  end
  return problem.new(kind, tostring(detail), status, tonumber(headers["retry-after"]))
end

---@class foreword.HttpAnswer
---@field on_bytes fun(bytes: string) pieces of the body of a good answer; may raise a foreword.Problem
---@field on_end fun(problem: foreword.Problem?) once

--- Sends a request. All is called on the main loop.
---@param request foreword.HttpRequest
---@param answer foreword.HttpAnswer
---@return fun() cancel ends it without on_end
function M.send(request, answer)
  local over = false
  local function finish(failed)
    if not over then
      over = true
      answer.on_end(failed)
    end
  end
  local program = vim.fn.exepath("curl")
  if program == "" then
    vim.schedule(function()
      finish(problem.new("no-curl"))
    end)
    return function()
      over = true
    end
  end
  local fd, name, close = config_pipe(config_of(request))
  if not name then
    vim.schedule(function()
      finish(problem.new("request", "the headers are too long"))
    end)
    return function()
      over = true
    end
  end
  local input, output, errors =
    assert(vim.uv.new_pipe()), assert(vim.uv.new_pipe()), assert(vim.uv.new_pipe())
  local args = { "-q", "--silent", "--show-error", "--no-buffer", "--include" }
  vim.list_extend(args, { "--suppress-connect-headers", "--connect-timeout", "30" })
  if request.body then
    vim.list_extend(args, { "--request", "POST", "--data-binary", "@-" })
  end
  vim.list_extend(args, { "--config", name })

  local head, headers, status = "", {}, nil ---@type string?, table<string, string>, integer?
  local said, said_length, complaint = {}, 0, ""
  local code, open = nil, 2
  local handle

  local function kill()
    if handle and not handle:is_closing() then
      handle:kill("sigterm")
    end
  end
  local function take(bytes)
    if status >= 200 and status < 300 then
      local ok, caught = pcall(answer.on_bytes, bytes)
      if not ok then
        kill()
        finish(problem.from(caught))
      end
    elseif said_length < longest_error then
      table.insert(said, bytes)
      said_length = said_length + #bytes
    end
  end
  local function read(bytes)
    if over then
      return
    elseif not head then
      return take(bytes)
    end
    head = head .. bytes
    while head do
      local first, last = head:find("\r?\n\r?\n")
      if not first then
        return
      end
      local block = head:sub(1, first - 1)
      status = tonumber(block:match("^HTTP/%S+ (%d+)")) or 0
      headers = {}
      for key, value in block:gmatch("\n([^:\r\n]+):%s*([^\r\n]*)") do
        headers[key:lower()] = value
      end
      local rest = head:sub(last + 1)
      if status >= 100 and status < 200 then
        head = rest -- the answer proper is still to come
      else
        head = nil
        if rest ~= "" then
          take(rest)
        end
      end
    end
  end
  local function settle()
    if code == nil or open > 0 then
      return
    end
    if close then
      close()
      close = nil
    end
    if status and (status < 200 or status >= 300) then
      finish(refusal(status, headers, table.concat(said)))
    elseif code ~= 0 then
      local detail = complaint:gsub("^curl: %(%d+%) ", "")
      finish(problem.new(kinds[code] or "server", detail))
    else
      finish(not status and problem.new("cut") or nil)
    end
  end

  handle = vim.uv.spawn(program, {
    args = args,
    stdio = { input, output, errors, fd },
    hide = true,
  }, function(exit)
    handle:close()
    vim.schedule(function()
      code = exit
      settle()
    end)
  end)
  if not handle then
    close()
    for _, pipe in ipairs({ input, output, errors }) do
      pipe:close()
    end
    vim.schedule(function()
      finish(problem.new("no-curl"))
    end)
    return function()
      over = true
    end
  end
  local function listen(pipe, use)
    pipe:read_start(function(_, bytes)
      if not bytes then
        pipe:close()
      end
      vim.schedule(function()
        if bytes then
          use(bytes)
        else
          open = open - 1
          settle()
        end
      end)
    end)
  end
  listen(output, read)
  listen(errors, function(bytes)
    complaint = (complaint .. bytes):sub(1, 2000)
  end)
  if request.body then
    input:write(request.body)
  end
  input:shutdown(function()
    input:close()
  end)
  return function()
    over = true
    kill()
  end
end

return M

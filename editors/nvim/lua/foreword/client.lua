--- The connection with the server: its configuration, the buffers that it gets, start and end.
---
--- One process serves every folder: a buffer of another repository adds a workspace folder to the running client.
local M = {}

--- Name of the client, and of its configuration in lsp/.
M.name = "foreword"

--- Buffers above this size in bytes are not sent. An instruction file may have 1 MiB; a log of a gigabyte would only
--- be copied.
local max_buffer = 16 * 1024 * 1024

local current = nil ---@type integer? id of the newest client; Neovim lists it only once it has been initialized
local stopping = {} ---@type table<integer, boolean> clients that were asked to end, by id
local told_missing = false ---@type boolean the user knows that there is no program
local failure = nil ---@type string? how the server ended by itself; attaching waits for :Foreword restart

---@param client vim.lsp.Client
---@param method string name of a method of the client
---@return any ...
local function call(client, method, ...)
  if vim.fn.has("nvim-0.11") == 1 then
    return client[method](client, ...)
  end
  return client[method](...)
end

---@param client vim.lsp.Client
---@return boolean
local function usable(client)
  return client.name == M.name and not stopping[client.id] and not call(client, "is_stopped")
end

---@param client vim.lsp.Client
---@param method string
---@param params table?
function M.notify(client, method, params)
  call(client, "notify", method, params)
end

---@param client vim.lsp.Client
---@param method string
---@param params table?
---@param handler lsp.Handler
---@return boolean sent
---@return integer? id
function M.request(client, method, params, handler)
  -- No buffer is named: pending edits of every buffer are sent first, those of an AGENTS.md in another window too.
  return call(client, "request", method, params, handler)
end

---@param client vim.lsp.Client
---@param id integer
function M.cancel(client, id)
  if not call(client, "is_stopped") then
    call(client, "cancel_request", id)
  end
end

--- The folder that a file belongs to: its repository, else the nearest directory with a foreword.toml, else the
--- working directory where it holds the file, else the file's directory. Never the home directory or one above it,
--- which would make a project of everything.
---@param path string absolute
---@return string? root
function M.root(path)
  local home = vim.fs.normalize(vim.uv.os_homedir() or "")
  local function allowed(dir)
    return dir and dir ~= "/" and home ~= dir and not vim.startswith(home, dir .. "/") and dir
      or nil
  end
  path = vim.fs.normalize(path)
  local cwd = vim.fs.normalize(vim.fn.getcwd())
  return allowed(vim.fs.root(path, ".git"))
    or allowed(vim.fs.root(path, "foreword.toml"))
    or (vim.startswith(path, cwd .. "/") and allowed(cwd))
    or allowed(vim.fs.dirname(path))
end

--- Whether a buffer is a file: it has a name that is no URI, and no special buftype.
---@param bufnr integer
---@return boolean yes
---@return string? why_not
function M.is_file(bufnr)
  if not vim.api.nvim_buf_is_valid(bufnr) then
    return false, "the buffer is gone"
  end
  local name = vim.api.nvim_buf_get_name(bufnr)
  if vim.bo[bufnr].buftype ~= "" then
    return false, ("this buffer is no file (buftype %s)"):format(vim.bo[bufnr].buftype)
  elseif name == "" then
    return false, "this buffer has no file name yet; save it first (:write NAME)"
  elseif name:match("^%a[%w+.-]+:/") then
    return false, ("%s is not a file on this machine"):format(name)
  elseif vim.fn.isdirectory(name) == 1 then
    return false, ("%s is a directory"):format(name)
  end
  return true
end

---@param bufnr integer
---@return boolean
local function wanted(bufnr)
  if not (vim.api.nvim_buf_is_loaded(bufnr) and M.is_file(bufnr)) then
    return false
  end
  local size = vim.api.nvim_buf_get_offset(bufnr, vim.api.nvim_buf_line_count(bufnr))
  if size > max_buffer then
    return false
  end
  local autostart = require("foreword.config").get().autostart
  if type(autostart) == "function" then
    return autostart(bufnr) and true or false
  end
  return autostart
end

---@param root string?
---@return lsp.WorkspaceFolder[]?
local function folders_of(root)
  return root and { { uri = vim.uri_from_fname(root), name = root } } or nil
end

---@param client vim.lsp.Client
---@param folder lsp.WorkspaceFolder
---@return boolean
local function has_folder(client, folder)
  for _, known in ipairs(client.workspace_folders or {}) do
    if known.uri == folder.uri then
      return true
    end
  end
  return false
end

--- Folders that came while the client was starting; they are told once it has started.
local waiting = {} ---@type table<integer, lsp.WorkspaceFolder[]>

---@param client vim.lsp.Client
---@param root string?
local function add_folder(client, root)
  local folder = (folders_of(root) or {})[1]
  if not folder or has_folder(client, folder) then
    return
  end
  client.workspace_folders = vim.list_extend(client.workspace_folders or {}, { folder })
  if client.initialized then
    M.notify(client, "workspace/didChangeWorkspaceFolders", {
      event = { added = { folder }, removed = {} },
    })
  else
    waiting[client.id] = vim.list_extend(waiting[client.id] or {}, { folder })
  end
end

--- Called for every attached buffer, from LspAttach: the client has been initialized by then.
---@param client vim.lsp.Client
---@param bufnr integer
local function on_attach(client, bufnr)
  if waiting[client.id] then
    M.notify(client, "workspace/didChangeWorkspaceFolders", {
      event = { added = waiting[client.id], removed = {} },
    })
    waiting[client.id] = nil
  end
  require("foreword.focus").watch()
  require("foreword.diagnostics").watch(bufnr)
  require("foreword.codelens").attach(client, bufnr)
  require("foreword.count").attach(bufnr)
  vim.cmd.redrawstatus({ bang = true })
end

---@param code integer
---@param signal integer
---@param id integer
local function on_exit(code, signal, id)
  vim.schedule(function()
    if not stopping[id] and vim.v.exiting == vim.NIL then
      failure = ("the server ended with exit code %d, signal %d"):format(code, signal)
    end
    stopping[id], waiting[id] = nil, nil
    if current == id then
      current = nil
    end
    require("foreword.status").forget()
  end)
end

local function capabilities()
  return vim.tbl_deep_extend("force", vim.lsp.protocol.make_client_capabilities(), {
    workspace = { textDocumentContent = { dynamicRegistration = false } },
  })
end

local listening = false

--- What must exist once for all clients: the commands that code actions carry, and the LspAttach autocommand.
local function listen()
  if listening then
    return
  end
  listening = true
  vim.lsp.commands["foreword.client.showPreview"] = function(command)
    require("foreword.preview").open({ uri = ((command.arguments or {})[1] or {}).uri })
  end
  vim.lsp.commands["foreword.client.showExplain"] = function(command)
    require("foreword.explain").open({ uri = ((command.arguments or {})[1] or {}).uri })
  end
  vim.api.nvim_create_autocmd("LspAttach", {
    group = vim.api.nvim_create_augroup("foreword.client", { clear = true }),
    callback = function(event)
      local client = vim.lsp.get_client_by_id(event.data.client_id)
      if client and client.name == M.name then
        on_attach(client, event.buf)
      end
    end,
  })
end

--- The configuration of the client, as vim.lsp.enable and vim.lsp.start take it.
---@return vim.lsp.Config
function M.lsp_config()
  listen()
  local config = require("foreword.config").get()
  local binary = require("foreword.binary").find()
  return {
    name = M.name,
    -- Without a program vim.lsp.enable writes to the log that foreword cannot be run.
    cmd = binary and binary.cmd or { "foreword", "serve" },
    root_dir = function(bufnr, on_dir)
      if M.is_file(bufnr) then
        on_dir(M.root(vim.api.nvim_buf_get_name(bufnr)))
      end
    end,
    reuse_client = function(client, wish)
      if not usable(client) then
        return false
      end
      add_folder(client, wish.root_dir)
      return true
    end,
    capabilities = capabilities(),
    init_options = {
      commands = { "foreword.client.showPreview", "foreword.client.showExplain" },
      notifications = { "foreword/status", "foreword/promptChanged" },
      requests = { "foreword/collectSections" },
      settings = next(config.settings) and config.settings or vim.empty_dict(),
    },
    settings = { foreword = next(config.settings) and config.settings or vim.empty_dict() },
    get_language_id = function(_, filetype)
      return filetype ~= "" and filetype or "plaintext"
    end,
    handlers = require("foreword.handlers"),
    on_exit = on_exit,
  }
end

--- The client that runs or is starting, where there is one.
---@return vim.lsp.Client?
function M.get()
  local newest = current and vim.lsp.get_client_by_id(current)
  if newest and usable(newest) then
    return newest
  end
  for _, client in ipairs(vim.lsp.get_clients({ name = M.name })) do
    if usable(client) then
      return client
    end
  end
end

--- Whether the client has ended by itself and Neovim has not yet told how: one that is started now ends like it.
---@return boolean
local function ending()
  return current ~= nil and not stopping[current] and not M.get()
end

---@param bufnr integer
---@return boolean
function M.attached(bufnr)
  local client = M.get()
  return client ~= nil and client.attached_buffers[bufnr] ~= nil
end

--- Gives a buffer that is a file to the server, which is started if need be.
---@param bufnr integer
---@return integer? client_id
---@return string? reason why there is no server for it, and what to do
function M.attach(bufnr)
  local is_file, why_not = M.is_file(bufnr)
  if not is_file then
    return nil, why_not
  end
  if failure then
    return nil, failure .. "; :Foreword log shows what it said, :Foreword restart starts it again"
  end
  if ending() then
    return nil, "the server has just ended; :Foreword log shows what it said"
  end
  local root = M.root(vim.api.nvim_buf_get_name(bufnr))
  local client = M.get()
  if client then
    add_folder(client, root)
    vim.lsp.buf_attach_client(bufnr, client.id)
    return client.id
  end
  -- With 0.11 what the user wrote with vim.lsp.config("foreword", …) is laid over ours.
  local config = vim.lsp.config and vim.lsp.config[M.name] or M.lsp_config()
  config = vim.tbl_extend("force", config, { root_dir = root or vim.NIL })
  if config.root_dir == vim.NIL then
    config.root_dir = nil
  end
  if type(config.cmd) == "table" and vim.fn.executable(config.cmd[1]) == 0 then
    local _, reason = require("foreword.binary").find()
    return nil, reason or ("the program %s cannot be run"):format(config.cmd[1])
  end
  local id = vim.lsp.start(config, {
    bufnr = bufnr,
    reuse_client = config.reuse_client,
    silent = true,
  })
  current = id
  if not id then
    return nil, ("the server could not be started with `%s`"):format(table.concat(config.cmd, " "))
  end
  return id
end

--- What the autocommands call: attaches after the file is shown, and tells once if it cannot be.
---@param bufnr integer
function M.attach_soon(bufnr)
  vim.schedule(function()
    if not wanted(bufnr) or M.attached(bufnr) or failure or ending() then
      return
    end
    local id, reason = M.attach(bufnr)
    if not id and not told_missing then
      told_missing = true
      vim.notify("foreword: " .. reason, vim.log.levels.WARN)
    end
  end)
end

--- Gives every loaded buffer that is a file to the server.
function M.attach_all()
  for _, bufnr in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(bufnr) then
      M.attach_soon(bufnr)
    end
  end
end

--- Makes sure that the server is started and has the folder of a file.
---@param uri string? of a file; the file that was looked at last otherwise
---@return string? reason why it is not
local function cover(uri)
  local client = M.get()
  if not uri then
    local bufnr = require("foreword.focus").last() or vim.api.nvim_get_current_buf()
    return not client and select(2, M.attach(bufnr)) or nil
  end
  local path = vim.uri_to_fname(uri)
  local loaded = vim.fn.bufloaded(path) == 1
  if client and not loaded then
    add_folder(client, M.root(path))
    return nil
  elseif vim.fn.isdirectory(path) == 1 then
    return "the server is not running yet; open a file of the folder first"
  end
  local bufnr = vim.fn.bufadd(path)
  vim.fn.bufload(bufnr)
  return select(2, M.attach(bufnr))
end

--- Calls done with an initialized client that has the folder of a file, starting one if need be.
---@param uri string? of a file
---@param done fun(client: vim.lsp.Client?, reason: string?)
function M.ready(uri, done)
  local reason = not ending() and cover(uri) or nil
  if reason and not M.get() then
    return done(nil, reason)
  end
  local patience = 500 -- of 20 ms: a start takes well under a second; ten is a server that hangs
  local function poll()
    local client = M.get()
    if client and client.initialized then
      return done(client)
    end
    patience = client and patience - 1 or math.min(patience, 10) - 1 -- why it ended is known a moment later
    if failure or patience <= 0 then
      return done(
        nil,
        failure and (failure .. "; :Foreword log shows what it said")
          or "the server does not answer; :Foreword log shows what it said, :Foreword restart starts it again"
      )
    end
    vim.defer_fn(poll, 20)
  end
  poll()
end

--- How the server ended by itself, if it did.
---@return string?
function M.failure()
  return failure
end

--- Ends the server and starts it again for every buffer.
---@param done? fun(client: vim.lsp.Client?, reason: string?)
function M.restart(done)
  require("foreword.config").reload()
  failure, told_missing = nil, false
  if ending() then
    current = nil
  end
  local clients = vim.lsp.get_clients({ name = M.name })
  local bufnr = vim.api.nvim_get_current_buf()
  for _, client in ipairs(clients) do
    stopping[client.id] = true
    call(client, "stop")
  end
  local patience = 150 -- of 20 ms; a server that has not ended after three seconds is killed
  local function poll()
    local left = vim.tbl_filter(function(client)
      return vim.lsp.get_client_by_id(client.id) ~= nil
    end, clients)
    patience = patience - 1
    if #left > 0 and patience == 0 then
      for _, client in ipairs(left) do
        call(client, "stop", true)
      end
    end
    if #left > 0 and patience > -50 then
      return vim.defer_fn(poll, 20)
    end
    require("foreword.status").forget()
    M.attach_all()
    vim.schedule(function() -- after those of attach_all
      M.ready(M.is_file(bufnr) and vim.uri_from_bufnr(bufnr) or nil, function(client, reason)
        require("foreword.view").refresh_all()
        if done then
          done(client, reason)
        end
      end)
    end)
  end
  poll()
end

return M

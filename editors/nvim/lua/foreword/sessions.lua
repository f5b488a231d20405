--- `:Foreword session`: the conversations that the server remembers.
local M = {}

local actions = { "fork", "forget", "list", "rebase", "show" }
local known = {} ---@type string[] names that were listed last, for completion

--- The folder of the current file, so that only conversations about it are listed.
---@return string? uri
local function folder()
  local uri = require("foreword.request").target()
  local root = uri and require("foreword.client").root(vim.uri_to_fname(uri))
  return root and vim.uri_from_fname(root)
end

---@param everywhere boolean
---@param done fun(problem: string?, result: foreword.ListSessionsResult?)
---@return fun() cancel
local function ask(everywhere, done)
  local params = { folder = not everywhere and folder() or nil }
  return require("foreword.request").command(
    nil,
    "foreword.session.list",
    params,
    function(problem, result)
      if result then
        known = vim.tbl_map(function(entry)
          return entry.session
        end, result.sessions)
      end
      done(problem, result)
    end
  )
end

--- The session of the project that was used last.
---@param done fun(problem: string?, session: string?)
function M.newest(done)
  ask(false, function(problem, result)
    local entry = result and result.sessions[1]
    done(
      problem or not entry and "no conversation is remembered here" or nil,
      entry and entry.session
    )
  end)
end

---@param result foreword.ListSessionsResult
---@return string[]
local function render_list(result)
  local lines = { "# foreword: sessions", "" }
  for _, entry in ipairs(result.sessions) do
    local title = entry.title:gsub("%s+", " ")
    vim.list_extend(lines, {
      ("## %s"):format(entry.session),
      "",
      title ~= "" and title or "(nothing was said)",
      "",
      ("- %d turn%s, used last %s, begun %s"):format(
        entry.turns,
        entry.turns == 1 and "" or "s",
        entry.updated,
        entry.created
      ),
    })
    if entry.root then
      table.insert(lines, "- about " .. vim.uri_to_fname(entry.root))
    end
    table.insert(lines, "")
  end
  if #result.sessions == 0 then
    table.insert(
      lines,
      "No conversation is remembered here; :Foreword! session list shows those of other folders."
    )
  end
  return lines
end

---@param shown foreword.ShowSessionResult
---@return string[]
local function render(shown)
  local lines =
    { ("# foreword: session %s"):format(shown.session), "", shown.title:gsub("%s+", " "), "" }
  local function add(...)
    table.insert(lines, (select("#", ...) > 1 and string.format(...) or (...)))
  end
  add("## Epochs")
  add("")
  for _, epoch in ipairs(shown.epochs) do
    add(
      "- %d, from turn %d: %s (%d sections, %d bytes)%s",
      epoch.number,
      epoch.began,
      epoch.because,
      epoch.sections,
      epoch.bytes,
      epoch.due and ("; the next turn begins another: " .. epoch.due) or ""
    )
  end
  add("")
  add("## Turns")
  add("")
  for _, turn in ipairs(shown.history) do
    local usage = turn.usage and (", reported %d"):format(turn.usage.input or 0) or ""
    local cache = turn.usage
        and turn.usage.cacheRead
        and (", %d read from the cache"):format(turn.usage.cacheRead)
      or ""
    add(
      "- %d after %d, %s%s: %d tokens predicted%s, %d of them cached%s%s%s",
      turn.turn,
      turn.parent,
      turn.state,
      turn.model and (" for " .. turn.model) or "",
      turn.input,
      usage,
      turn.cachePredicted,
      cache,
      turn.broken and turn.broken ~= "" and ("; broken by " .. turn.broken) or "",
      turn.error and turn.error ~= "" and ("; " .. turn.error) or ""
    )
  end
  add("")
  add("## What was told after the system text")
  add("")
  for _, told in ipairs(shown.ledger) do
    add("- turn %d, %s: %s %s, %d tokens", told.turn, told.how, told.kind, told.key, told.tokens)
  end
  if #shown.ledger == 0 then
    add("nothing")
  end
  return lines
end

---@param everywhere boolean
---@param mods? vim.api.keyset.cmd.mods
local function list(everywhere, mods)
  require("foreword.view").open({
    name = everywhere and "foreword-sessions:///everywhere" or "foreword-sessions:///here",
    mods = mods,
    live = true,
    fetch = function(done)
      return ask(everywhere, function(problem, result)
        done(problem, result and render_list(result))
      end)
    end,
  })
end

---@param session string
---@param mods? vim.api.keyset.cmd.mods
local function show(session, mods)
  require("foreword.view").open({
    name = "foreword-session:///" .. session,
    mods = mods,
    live = true,
    fetch = function(done)
      return require("foreword.request").command(
        nil,
        "foreword.session.show",
        { session = session },
        function(problem, result)
          done(problem, result and render(result))
        end
      )
    end,
  })
end

--- Runs a command that changes a session, and says what became of it.
---@param command foreword.CommandName
---@param params table
---@param said fun(result: table): string
local function change(command, params, said)
  local request = require("foreword.request")
  request.command(nil, command, params, function(problem, result)
    if not result then
      return request.tell(problem)
    end
    request.tell(said(result), vim.log.levels.INFO)
    require("foreword.view").touch()
  end)
end

local run = {} ---@type table<string, fun(session: string, rest: string[], opts: table): string?>

function run.show(session, _, opts)
  show(session, opts.smods)
end

function run.rebase(session, rest)
  local reason = #rest > 0 and table.concat(rest, " ") or nil
  change("foreword.session.rebase", { session = session, reason = reason }, function(result)
    return ("the turn after turn %d of %s says the whole prompt anew"):format(result.turn, session)
  end)
end

function run.fork(session, rest)
  if not rest[1] then
    return "a name for the new session is missing: :Foreword session fork SESSION NAME [TURN]"
  elseif rest[2] and not tonumber(rest[2]) then
    return ("the turn to go on from is a number, not %s"):format(rest[2])
  end
  local params = { session = session, as = rest[1], turn = tonumber(rest[2]) }
  change("foreword.session.fork", params, function(result)
    return ("%s goes on from turn %d of %s"):format(result.session, result.turn, session)
  end)
end

function run.forget(session, _, opts)
  local question = ("Delete all that is remembered of %s? This cannot be undone."):format(session)
  if not opts.bang and vim.fn.confirm(question, "&Delete\n&Cancel", 2, "Question") ~= 1 then
    return
  end
  change("foreword.session.forget", { session = session }, function(result)
    return ("%s is forgotten"):format(result.session)
  end)
end

---@param args string[] the action, the session, and what the action takes
---@param opts { bang?: boolean, smods?: vim.api.keyset.cmd.mods }
function M.run(args, opts)
  local request = require("foreword.request")
  local action = args[1] or "list"
  if action == "list" then
    return list(opts.bang or false, opts.smods)
  elseif not run[action] then
    return request.tell(
      (":Foreword session takes %s, not %s"):format(table.concat(actions, ", "), action)
    )
  end
  local function go(session)
    local problem = run[action](session, vim.list_slice(args, 3), opts)
    if problem then
      request.tell(problem)
    end
  end
  if args[2] then
    return go(args[2])
  elseif action == "forget" then -- what deletes is named
    return request.tell("the session to forget is missing: :Foreword session forget SESSION")
  end
  local last = require("foreword.turns").last()
  if last then
    return go(last)
  end
  M.newest(function(problem, session)
    if not session then
      return request.tell(problem)
    end
    go(session)
  end)
end

--- What may stand after `:Foreword session`. Names are those that were listed last; they are asked for anew in the
--- background, so that typing never waits.
---@param before string[] the words that are complete
---@return string[]
function M.complete(before)
  if #before == 0 then
    return vim.list_slice(actions)
  elseif #before > 1 or before[1] == "list" then
    return {}
  end
  if require("foreword.client").get() then
    ask(true, function() end)
  end
  local all = vim.list_slice(known)
  for _, name in ipairs(require("foreword.turns").sessions()) do
    if not vim.tbl_contains(all, name) then
      table.insert(all, name)
    end
  end
  return all
end

return M

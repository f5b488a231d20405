--- `:Foreword diff`: how the requests of two turns differ, side by side, or as a report of what broke the cache.
local M = {}

---@class foreword.DiffOpts
---@field session? string The one that was used last by default.
---@field from? string|integer The earlier turn; the parent of the later one by default.
---@field to? string|integer The later turn; the newest by default.
---@field report? boolean The report in place of the two texts.
---@field mods? vim.api.keyset.cmd.mods Where the window opens.
---@field opened? fun(bufnr: integer) Called once it is shown, with the buffer of the later turn or the report.

--- The session to compare, where none is named: the newest of this Neovim, else the newest of the project.
---@param session string?
---@param done fun(problem: string?, session: string?)
local function choose(session, done)
  session = session or require("foreword.turns").last()
  if session then
    return done(nil, session)
  end
  require("foreword.sessions").newest(done)
end

--- What is remembered of a turn that was not prepared in this Neovim: the messages and what was told with them.
---@param shown foreword.ShowSessionResult with the messages up to the turn
---@param turn integer
---@return string[]
local function remembered(shown, turn)
  local lines = {}
  for _, epoch in ipairs(shown.epochs) do
    if epoch.began <= turn then
      table.insert(
        lines,
        ("epoch %d, from turn %d: %s"):format(epoch.number, epoch.began, epoch.because)
      )
    end
  end
  local told = {} ---@type table<string, string[]>
  for _, entry in ipairs(shown.ledger) do
    if entry.turn <= turn then
      local anchor = entry.message or ""
      told[anchor] = told[anchor] or {}
      table.insert(
        told[anchor],
        ("  told: %s %s, %d tokens"):format(entry.kind, entry.key, entry.tokens)
      )
    end
  end
  vim.list_extend(lines, told[""] or {})
  for _, message in ipairs(shown.messages or {}) do
    table.insert(lines, "")
    table.insert(lines, ("%s %s:"):format(message.role, message.id or ""))
    vim.list_extend(lines, told[message.id or ""] or {})
    vim.list_extend(lines, require("foreword.turns").render(message.content))
  end
  return lines
end

--- The text of a turn: the request where it was prepared here, else what the server remembers.
---@param session string
---@param turn integer
---@param done fun(problem: string?, lines: string[]?)
local function text(session, turn, done)
  local request = require("foreword.turns").get(session, turn)
  if request or turn == 0 then
    return done(nil, request or { "(nothing was sent before)" })
  end
  local params = { session = session, messages = true, turn = turn }
  require("foreword.request").command(nil, "foreword.session.show", params, function(problem, shown)
    done(problem, shown and remembered(shown, turn))
  end)
end

---@param name string
---@param lines string[]
---@return integer bufnr
local function scratch(name, lines)
  local bufnr = vim.fn.bufnr("^" .. vim.fn.escape(name, "[]*?\\") .. "$")
  if bufnr == -1 then
    bufnr = vim.api.nvim_create_buf(false, true)
    vim.api.nvim_buf_set_name(bufnr, name)
    vim.keymap.set("n", "q", "<Cmd>tabclose<CR>", { buffer = bufnr, desc = "Close the comparison" })
  end
  vim.bo[bufnr].modifiable = true
  vim.api.nvim_buf_set_lines(bufnr, 0, -1, false, lines)
  vim.bo[bufnr].modifiable, vim.bo[bufnr].modified = false, false
  vim.bo[bufnr].bufhidden = "hide"
  return bufnr
end

--- Shows two texts side by side in a tab page of their own, with Neovim's own marks.
---@param session string
---@param result foreword.DiffPromptResult
---@param before string[]
---@param after string[]
---@return integer bufnr of the later turn
local function side_by_side(session, result, before, after)
  local left = scratch(("foreword-turn:///%s/%d"):format(session, result.from), before)
  local right = scratch(("foreword-turn:///%s/%d"):format(session, result.to), after)
  vim.cmd.tabnew()
  local empty = vim.api.nvim_get_current_buf()
  vim.api.nvim_win_set_buf(0, left)
  pcall(vim.api.nvim_buf_delete, empty, {})
  vim.cmd.diffthis()
  vim.cmd("rightbelow vertical split")
  vim.api.nvim_win_set_buf(0, right)
  vim.cmd.diffthis()
  return right
end

---@param session string
---@param params foreword.DiffPromptParams
---@param opts foreword.DiffOpts
local function report(session, params, opts)
  require("foreword.view").open({
    name = ("foreword-diff:///%s.%s-%s"):format(
      session,
      params.from or "parent",
      params.to or "newest"
    ),
    live = true,
    mods = opts.mods,
    opened = opts.opened,
    fetch = function(done)
      return require("foreword.request").command(
        nil,
        "foreword.prompt.diff",
        params,
        function(problem, result)
          done(problem, result and vim.split(result.text, "\n", { trimempty = true }))
        end
      )
    end,
  })
end

---@param given string|integer?
---@param what string
---@return integer?
---@return string? problem
local function number(given, what)
  if given == nil then
    return nil
  end
  local turn = tonumber(given)
  if not turn or turn < 0 or turn % 1 ~= 0 then
    return nil, ("%s is the number of a turn, not %s"):format(what, given)
  end
  return turn
end

---@param opts? foreword.DiffOpts
function M.open(opts)
  opts = opts or {}
  local request = require("foreword.request")
  local from, bad_from = number(opts.from, "the first place after the session")
  local to, bad_to = number(opts.to, "the second place after the session")
  if bad_from or bad_to then
    return request.tell(bad_from or bad_to)
  end
  choose(opts.session, function(problem, session)
    if not session then
      return request.tell(problem)
    end
    local params = { session = session, from = from, to = to }
    if opts.report then
      return report(session, params, opts)
    end
    request.command(nil, "foreword.prompt.diff", params, function(failed, result)
      if not result then
        return request.tell(failed)
      end
      text(session, result.from, function(no_before, before)
        text(session, result.to, function(no_after, after)
          if not before or not after then
            return request.tell(no_before or no_after)
          end
          local bufnr = side_by_side(session, result, before, after)
          request.tell(
            ("turns %d and %d of %s: the first %d tokens are the same; %s"):format(
              result.from,
              result.to,
              session,
              result.firstChanged,
              result.cache.because
            ),
            vim.log.levels.INFO
          )
          if opts.opened then
            opts.opened(bufnr)
          end
        end)
      end)
    end)
  end)
end

return M

--- `:Foreword`: one command, its subcommands, and their completion.
local M = {}

---@class foreword.Subcommand
---@field run fun(args: string[], opts: vim.api.keyset.create_user_command.command_args)
---@field words? string[] what its argument may be
---@field files? boolean its argument may be a file
---@field complete? fun(lead: string, before: string[]): string[] what its arguments may be, in place of words
---@field free? boolean its arguments may be anything
---@field range? boolean it takes lines
---@field bang? boolean it takes a bang
---@field summary string

---@type table<string, foreword.Subcommand>
M.subcommands = {
  preview = {
    summary = "show the exact prompt for this file",
    files = true,
    run = function(args, opts)
      require("foreword.preview").open({ path = args[1], mods = opts.smods })
    end,
  },
  explain = {
    summary = "show which instruction files apply here and why; with ! in the location list",
    words = { "loclist", "quickfix" },
    files = true,
    bang = true,
    run = function(args, opts)
      local explain = require("foreword.explain")
      local list = vim.tbl_contains({ "loclist", "quickfix" }, args[1]) and table.remove(args, 1)
      if list or opts.bang then
        explain.list({ path = args[1], quickfix = list == "quickfix" })
      else
        explain.open({ path = args[1], mods = opts.smods })
      end
    end,
  },
  tokens = {
    summary = "count the tokens of the buffer, or of a range of lines",
    range = true,
    free = true,
    run = function(args, opts)
      local lines = opts.range > 0 and { first = opts.line1, last = opts.line2 } or {}
      lines.model = args[1]
      require("foreword.tokens").count(lines)
    end,
  },
  chat = {
    summary = "open the chat, or do something in it",
    free = true,
    range = true,
    bang = true,
    complete = function(lead, before)
      return require("foreword.chat").complete(lead, before)
    end,
    run = function(args, opts)
      require("foreword.chat").run(args, opts)
    end,
  },
  diff = {
    summary = "show how the requests of two turns differ; with ! what broke the cached prefix",
    free = true,
    bang = true,
    complete = function(_, before)
      return #before == 0 and require("foreword.turns").sessions() or {}
    end,
    run = function(args, opts)
      require("foreword.diff").open({
        session = args[1],
        from = args[2],
        to = args[3],
        report = opts.bang,
        mods = opts.smods,
      })
    end,
  },
  check = {
    summary = "list what is wrong with the instruction files; with ! in the location list",
    words = { "loclist", "quickfix" },
    bang = true,
    run = function(args, opts)
      require("foreword.check").list({ loclist = args[1] == "loclist" or opts.bang })
    end,
  },
  list = {
    summary = "show every instruction file, rule and skill with its reach and its tokens",
    words = { "quickfix" },
    run = function(args, opts)
      require("foreword.list").open({ quickfix = args[1] == "quickfix", mods = opts.smods })
    end,
  },
  pin = {
    summary = "send a file with every prompt; with ! no longer",
    words = { "clear", "list" },
    files = true,
    bang = true,
    run = function(args, opts)
      require("foreword.pin").run(args, opts.bang)
    end,
  },
  model = {
    summary = "choose the model that prompts are for",
    free = true,
    complete = function()
      return require("foreword.choose").models()
    end,
    run = function(args)
      require("foreword.choose").model(args[1])
    end,
  },
  agent = {
    summary = "choose the agent",
    free = true,
    complete = function()
      return require("foreword.choose").agents()
    end,
    run = function(args)
      require("foreword.choose").agent(args[1])
    end,
  },
  mode = {
    summary = "build or plan",
    words = { "build", "plan" },
    run = function(args)
      require("foreword.choose").mode(args[1])
    end,
  },
  session = {
    summary = "list the sessions, or show, rebase, fork or forget one",
    free = true,
    bang = true,
    complete = function(_, before)
      return require("foreword.sessions").complete(before)
    end,
    run = function(args, opts)
      require("foreword.sessions").run(args, opts)
    end,
  },
  build = {
    summary = "build the program beside the plugin, with Go",
    run = function()
      require("foreword.build").run()
    end,
  },
  status = {
    summary = "show what the server is working with",
    run = function(_, opts)
      require("foreword.status").open(opts.smods)
    end,
  },
  trust = {
    summary = "trust the project of this file, revoke that, or list what is trusted",
    words = { "grant", "list", "revoke" },
    run = function(args)
      require("foreword.trust")[args[1] or "grant"]()
    end,
  },
  log = {
    summary = "show what the server said",
    run = function(_, opts)
      require("foreword.log").open(opts.smods)
    end,
  },
  restart = {
    summary = "end the server and start it again",
    run = function()
      local request = require("foreword.request")
      require("foreword.client").restart(function(client, reason)
        request.tell(
          client and "restarted" or reason,
          client and vim.log.levels.INFO or vim.log.levels.ERROR
        )
      end)
    end,
  },
}

---@return string[]
local function names()
  local sorted = vim.tbl_keys(M.subcommands)
  table.sort(sorted)
  return sorted
end

---@param text string
local function refuse(text)
  require("foreword.request").tell(text)
end

---@param opts vim.api.keyset.create_user_command.command_args
function M.run(opts)
  if vim.fn.has("nvim-0.10") == 0 then
    return vim.notify("foreword: Neovim 0.10 or later is needed", vim.log.levels.ERROR)
  end
  local args = vim.deepcopy(opts.fargs)
  local name = table.remove(args, 1)
  if not name then
    local usage = vim.tbl_map(function(known)
      return ("  :Foreword %-8s %s"):format(known, M.subcommands[known].summary)
    end, names())
    return vim.api.nvim_echo({ { table.concat(usage, "\n") } }, false, {})
  end
  local sub = M.subcommands[name]
  if not sub then
    local near = require("foreword.config").nearest(name, names())
    return refuse(
      ("there is no :Foreword %s%s (there are %s)"):format(
        name,
        near and ("; did you mean :Foreword " .. near .. "?") or "",
        table.concat(names(), ", ")
      )
    )
  end
  if opts.range > 0 and not sub.range then
    return refuse((":Foreword %s takes no range"):format(name))
  elseif opts.bang and not sub.bang then
    return refuse((":Foreword %s takes no !"):format(name))
  elseif sub.words and args[1] and not sub.files and not vim.tbl_contains(sub.words, args[1]) then
    return refuse(
      (":Foreword %s takes %s, not %s"):format(name, table.concat(sub.words, ", "), args[1])
    )
  elseif not sub.words and not sub.files and not sub.free and args[1] then
    return refuse((":Foreword %s takes no argument"):format(name))
  end
  sub.run(args, opts)
end

---@param lead string what is typed of the word
---@param line string the whole command line
---@param position integer of the cursor in it, in bytes
---@return string[]
function M.complete(lead, line, position)
  local before = line:sub(1, position - #lead)
  local typed = before:match("Foreword!?%s+(.*)$")
  if not typed then
    return {}
  end
  local args = vim.split(typed, "%s+", { trimempty = true })
  local name = table.remove(args, 1)
  local found ---@type string[]
  if not name then
    found = names()
  else
    local sub = M.subcommands[name] or {}
    if sub.complete then
      found = sub.complete(lead, args)
    else
      found = #args == 0 and vim.deepcopy(sub.words or {}) or {}
    end
    if sub.files then
      vim.list_extend(found, vim.fn.getcompletion(lead, "file"))
    end
  end
  return vim.tbl_filter(function(word)
    return vim.startswith(word, lead)
  end, found)
end

return M

-- The commands that ask the server: diff, check, list, pin, model, agent, mode, session, and the count in buffers.
package.path = vim.fs.dirname(vim.fn.fnamemodify(arg[0], ":p")) .. "/lib/?.lua;" .. package.path
local t = require("harness")

local root = t.repository("shop")
t.write(
  root .. "/.cursor/rules/money.mdc",
  "---\ndescription: Money\nglobs: [unclosed\n---\nCents.\n"
)
vim.o.hidden = true
vim.g.foreword = { cmd = t.binary, debounce = 20, settings = { model = "gpt-4o" } }
t.load()
local bufnr = t.edit(root .. "/main.go")
t.attached(bufnr)

--- Runs a command of the server and waits.
---@param command foreword.CommandName
---@param params table
---@return table
local function run(command, params)
  local problem, result
  require("foreword").request(command, params, function(...)
    problem, result = ...
  end)
  t.wait(command, function()
    return problem or result
  end)
  return assert(result, problem)
end

---@param session string
---@param id string
---@param text string
---@return foreword.PrepareTurnResult
local function turn(session, id, text)
  return run("foreword.turn.prepare", {
    uri = vim.uri_from_bufnr(bufnr),
    session = session,
    wire = "openai-chat",
    model = "gpt-4o",
    append = { { id = id, role = "user", content = text } },
  })
end

local function back()
  vim.cmd("silent! tabonly")
  vim.cmd("silent! only")
  vim.api.nvim_set_current_buf(bufnr)
  t.told = {}
end

---@param text string
---@return string
local function told(text)
  return t.wait("the message " .. text, function()
    return t.told_of(text)[1]
  end)
end

t.test(":Foreword model, agent and mode choose, and the preview follows", function()
  vim.cmd("Foreword preview")
  local preview = t.document("foreword-preview://" .. root)
  vim.cmd("Foreword model gpt-5")
  told("model: gpt-5")
  t.wait("the model in the preview", function()
    return t.text(preview):find("gpt-5", 1, true)
  end)
  vim.cmd("Foreword mode plan")
  told("mode: plan")
  t.same(require("foreword.choice").get(), { model = "gpt-5", mode = "plan" })
  vim.cmd("Foreword mode")
  told("mode: build")
  vim.cmd("Foreword agent explore")
  t.wait("the agent in the preview", function()
    return t.text(preview):find('the agent "explore" has a prompt of its own', 1, true)
  end)
  t.same(require("foreword.preview").params("file:///x"), {
    uri = "file:///x",
    model = "gpt-5",
    agent = "explore",
    mode = "build",
  })
  back()
end)

t.test("without a word they ask, and the last answer goes back to the settings", function()
  local asked
  local select, input = vim.ui.select, vim.ui.input
  vim.ui.select = function(items, opts, choose)
    asked = { items = items, kind = opts.kind }
    choose(items[#items], #items)
  end
  vim.cmd("Foreword agent")
  t.same(asked.kind, "foreword.agent")
  t.contains(table.concat(asked.items, " "), "build explore general plan")
  t.same(require("foreword.choice").get().agent, nil)
  vim.ui.select = function(items, _, choose)
    choose(items[#items - 1], #items - 1)
  end
  vim.ui.input = function(_, typed)
    typed("my-model")
  end
  vim.cmd("Foreword model")
  t.same(require("foreword.choice").model(), "my-model")
  vim.ui.select = function(_, _, choose)
    choose(nil)
  end
  vim.cmd("Foreword model")
  t.same(require("foreword.choice").model(), "my-model")
  vim.ui.select, vim.ui.input = select, input
  for _, key in ipairs({ "model", "agent", "mode" }) do
    require("foreword.choice").set(key, nil)
  end
  t.same(require("foreword.choice").model(), "gpt-4o")
  t.same(pcall(require("foreword.choice").set, "mode", "nonsense"), false)
  t.same(pcall(require("foreword.choice").set, "colour", "red"), false)
end)

t.test("agents of foreword.toml complete, and endpoints' models", function()
  t.write(
    root .. "/foreword.toml",
    '[agents.reviewer]\ndescription = "Reviews."\nprompt = "Review."\n'
  )
  t.edit(root .. "/foreword.toml")
  t.attached(vim.api.nvim_get_current_buf())
  t.wait("the agent", function()
    return vim.tbl_contains(vim.fn.getcompletion("Foreword agent ", "cmdline"), "reviewer")
  end)
  require("foreword").setup({
    chat = {
      endpoints = {
        { name = "here", url = "http://127.0.0.1:1/v1", models = { "small", "large" } },
      },
    },
  })
  t.same(
    vim.fn.getcompletion("Foreword model ", "cmdline"),
    { "gpt-4o", "here/large", "here/small" }
  )
  require("foreword.choice").set("model", "here/small")
  t.same(require("foreword.preview").params("file:///x").model, "small")
  require("foreword.choice").set("model", nil)
  require("foreword").setup({})
  vim.fn.delete(root .. "/foreword.toml")
  back()
end)

t.test(":Foreword pin sends a file with every prompt, as the buffer has it", function()
  vim.cmd("Foreword pin " .. vim.fn.fnameescape(root .. "/NOTES"))
  told("NOTES: pinned")
  vim.cmd("Foreword pin " .. vim.fn.fnameescape(root .. "/NOTES"))
  told("is pinned already")
  vim.cmd("Foreword preview")
  local preview = t.document("foreword-preview://" .. root)
  t.wait("the pinned file in the preview", function()
    return t.text(preview):find("A file without a type.", 1, true)
  end)
  vim.cmd("Foreword pin list")
  told("pinned files:")
  vim.cmd("Foreword! pin " .. vim.fn.fnameescape(root .. "/NOTES"))
  told("NOTES: no longer pinned")
  t.wait("the file gone from the preview", function()
    return not t.text(preview):find("A file without a type.", 1, true)
  end)
  back()
  vim.cmd("Foreword pin")
  told("main.go: pinned")
  vim.cmd("Foreword pin /no/such/file")
  told("there is no file /no/such/file")
  vim.cmd("Foreword pin clear")
  t.same(require("foreword.pins").list(), {})
  vim.cmd("Foreword! pin /no/such/file")
  told("was not pinned")
end)

t.test("the preview has the tokens as text and as virtual text", function()
  vim.cmd("Foreword preview")
  local preview = t.document("foreword-preview://" .. root)
  local namespace = vim.api.nvim_get_namespaces()["foreword.preview"]
  local marks = t.wait("the marks", function()
    local all = vim.api.nvim_buf_get_extmarks(preview, namespace, 0, -1, { details = true })
    return #all > 3 and all
  end)
  for _, mark in ipairs(marks) do
    local line = vim.api.nvim_buf_get_lines(preview, mark[2], mark[2] + 1, false)[1]
    local tokens = line:match("(%d+) tokens?%)$")
    t.contains(mark[4].virt_text[1][1], tokens .. " tokens")
  end
  back()
  return #marks .. " sections"
end)

t.test(":Foreword diff without a conversation says so", function()
  vim.cmd("Foreword diff")
  told("no conversation is remembered here")
  vim.cmd("Foreword diff nobody")
  told("nobody")
  vim.cmd("Foreword diff nobody one")
  told("is the number of a turn, not one")
  back()
end)

t.test(":Foreword diff shows two requests side by side", function()
  turn("talk", "u1", "first question")
  local rules = t.edit(root .. "/AGENTS.md")
  t.attached(rules)
  vim.api.nvim_buf_set_lines(rules, 2, 3, false, { "Use American spelling in comments." })
  vim.api.nvim_set_current_buf(bufnr)
  local second = turn("talk", "u2", "second question")
  t.same(second.turn, 2)
  vim.cmd("Foreword diff")
  told("turns 1 and 2 of talk")
  local windows = vim.api.nvim_tabpage_list_wins(0)
  t.same(#windows, 2)
  for _, window in ipairs(windows) do
    t.same(vim.wo[window].diff, true)
  end
  local before = t.text(vim.api.nvim_win_get_buf(windows[1]))
  local after = t.text(vim.api.nvim_win_get_buf(windows[2]))
  t.contains(before, "first question")
  t.lacks(before, "second question")
  t.contains(after, "second question")
  t.contains(after, "American spelling")
  assert(vim.fn.diff_hlID(vim.api.nvim_buf_line_count(0) - 1, 1) >= 0)
  t.keys("q")
  t.same(#vim.api.nvim_list_tabpages(), 1)
  vim.cmd("Foreword! diff talk 1 2")
  local report = t.document("foreword-diff:///talk")
  t.contains(t.text(report), "# From turn 1 to turn 2")
  t.contains(t.text(report), "American spelling")
  back()
end)

t.test("a turn of another Neovim is shown as the server remembers it", function()
  local turns = require("foreword.turns")
  local get = turns.get
  turns.get = function()
    return nil
  end
  local shown
  require("foreword").diff({
    session = "talk",
    opened = function(later)
      shown = later
    end,
  })
  t.wait("the comparison", function()
    return shown
  end)
  turns.get = get
  t.contains(t.text(shown), "second question")
  t.contains(t.text(shown), "told: update instructions/AGENTS.md")
  back()
end)

t.test("a request is rendered with sorted keys and its texts as lines", function()
  t.same(require("foreword.turns").render({ b = { "x", { a = "1\n2" } }, a = 5, c = {} }), {
    "a: 5",
    "b:",
    "  - 1: x",
    "  - 2:",
    "    a: |",
    "      1",
    "      2",
    "c: []",
  })
end)

t.test(":Foreword session lists, shows, forks, rebases and forgets", function()
  vim.cmd("Foreword session")
  local list = t.document("foreword-sessions:///here")
  t.contains(t.text(list), "## talk")
  t.contains(t.text(list), "first question")
  back()
  vim.cmd("Foreword session show talk")
  local shown = t.document("foreword-session:///talk")
  t.contains(t.text(shown), "turn 2, update: update instructions/AGENTS.md")
  back()
  vim.cmd("Foreword session fork talk")
  told("a name for the new session is missing")
  vim.cmd("Foreword session fork talk other 1")
  told("other goes on from turn 1 of talk")
  vim.cmd("Foreword session rebase talk because of a test")
  told("the turn after turn 2 of talk says the whole prompt anew")
  t.same(turn("talk", "u3", "third").epoch.number, 2)
  t.wait("the names", function()
    local names = vim.fn.getcompletion("Foreword session show ", "cmdline")
    return vim.tbl_contains(names, "other") and vim.tbl_contains(names, "talk")
  end)
  vim.cmd("Foreword session forget")
  told("the session to forget is missing")
  local confirm, asked = vim.fn.confirm, nil
  vim.fn.confirm = function(text)
    asked = text
    return 2
  end
  vim.cmd("Foreword session forget other")
  vim.fn.confirm = confirm
  t.contains(asked, "other")
  t.same(#run("foreword.session.list", {}).sessions, 2)
  vim.cmd("Foreword! session forget other")
  told("other is forgotten")
  t.same(#run("foreword.session.list", {}).sessions, 1)
  vim.cmd("Foreword session destroy talk")
  told("takes fork, forget, list, rebase, show, not destroy")
  back()
end)

t.test(":Foreword list shows every instruction file, and gd goes there", function()
  vim.cmd("Foreword list")
  local list = t.document("foreword-list:///")
  local text = t.text(list)
  t.contains(text, "## AGENTS.md")
  t.contains(text, "ünï code/AGENTS.md")
  vim.fn.search("Nested\\|^\\[ünï", "w")
  t.keys("gd")
  t.same(vim.api.nvim_buf_get_name(0), root .. "/ünï code/AGENTS.md")
  back()
  vim.cmd("Foreword list quickfix")
  t.wait("the list", function()
    return #vim.fn.getqflist() > 2
  end)
  back()
end)

t.test(":Foreword check fills the lists with what is wrong", function()
  vim.cmd("Foreword check")
  told("in 6 instruction files")
  local items = vim.fn.getqflist()
  assert(#items > 0, "nothing is wrong")
  t.contains(vim.fn.bufname(items[1].bufnr), "")
  local texts = table.concat(
    vim.tbl_map(function(item)
      return item.text
    end, items),
    "\n"
  )
  back()
  vim.cmd("Foreword! check")
  t.wait("the location list", function()
    return #vim.fn.getloclist(0) == #items
  end)
  vim.cmd("silent! lclose")
  back()
  return texts
end)

t.test(":Foreword explain fills both lists", function()
  vim.cmd("Foreword explain quickfix")
  t.wait("the quickfix list", function()
    return (vim.fn.getqflist({ title = true }).title or ""):find("Instructions for", 1, true)
  end)
  back()
end)

t.test("the count is off; as a sign and in the winbar it can be had", function()
  local namespace = vim.api.nvim_create_namespace("foreword.count")
  t.same(vim.api.nvim_buf_get_extmarks(bufnr, namespace, 0, -1, {}), {})
  t.same(vim.wo.winbar, "")
  require("foreword").setup({ count = "sign" })
  require("foreword.count").attach(bufnr)
  require("foreword.status").forget()
  require("foreword").statusline(bufnr)
  local mark = t.wait("the sign", function()
    return vim.api.nvim_buf_get_extmarks(bufnr, namespace, 0, -1, { details = true })[1]
  end)
  t.same(vim.trim(mark[4].sign_text), "1")
  require("foreword").setup({ count = "winbar" })
  require("foreword.count").attach(bufnr)
  t.contains(vim.wo.winbar, "foreword'.statusline()")
  t.same(vim.api.nvim_buf_get_extmarks(bufnr, namespace, 0, -1, {}), {})
  require("foreword").setup({})
  require("foreword.count").attach(bufnr)
  t.same(vim.wo.winbar, "")
  vim.wo.winbar = "mine"
  require("foreword").setup({ count = "winbar" })
  require("foreword.count").attach(bufnr)
  t.same(vim.wo.winbar, "mine")
  vim.wo.winbar = ""
  require("foreword").setup({})
end)

t.test(":Foreword build says what is missing, and builds where all is there", function()
  local path = vim.env.PATH
  vim.env.PATH = "/nowhere"
  local problem
  require("foreword.build").run(function(failed)
    problem = failed
  end)
  vim.env.PATH = path
  t.contains(problem, "Go is not on $PATH")
end)

t.test("every <Plug> map runs a command", function()
  for name in pairs(require("foreword.command").subcommands) do
    local map = vim.fn.maparg(("<Plug>(foreword-%s)"):format(name), "n")
    t.contains(map:lower(), name)
  end
  for _, mode in ipairs({ "n", "x", "i" }) do
    for _, map in ipairs(vim.api.nvim_get_keymap(mode)) do
      local ours = (map.rhs or ""):find("Foreword", 1, true)
      assert(not ours or vim.startswith(map.lhs, "<Plug>"), map.lhs .. " is ours")
    end
  end
end)

t.test("nothing that Neovim has deprecated was called", function()
  if vim.fn.has("nvim-0.11") == 1 then
    vim.cmd("checkhealth vim.deprecated")
    t.lacks(t.text(), "foreword")
    vim.cmd.bwipeout()
  end
end)

t.test("nothing was said that is an error of Neovim", function()
  t.quiet()
end)

t.done()

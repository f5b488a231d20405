--- The chat, headless: what the provider is sent, what stands in the transcript, and what is kept.
local here = vim.fs.dirname(vim.fn.fnamemodify(debug.getinfo(1, "S").source:sub(2), ":p"))
local t = dofile(here .. "/lib/harness.lua")
local provider = dofile(here .. "/lib/provider.lua").start(t.top .. "/received")

t.write(
  t.home .. "/.config/foreword/foreword.toml",
  '[agents.build]\npermissions = [{ permission = "grep", action = "ask" }]\n'
)
vim.env.TEST_KEY = "sekret-7731"
t.load()
require("foreword").setup({
  cmd = t.binary,
  chat = {
    endpoints = {
      { name = "local", url = provider.url .. "/v1", models = { "gpt-4o" }, key = "TEST_KEY" },
      {
        name = "claude",
        type = "anthropic",
        url = provider.url .. "/v1",
        models = { "claude-sonnet-4-5" },
        key = { "sh", "-c", "echo key-of-a-command" },
      },
      {
        name = "google",
        type = "gemini",
        url = provider.url .. "/v1beta",
        models = { "gemini-2.5-pro" },
        key = function()
          return "key-of-a-function"
        end,
      },
      { name = "ollama", type = "ollama", url = provider.url, models = { "llama3.1" } },
    },
  },
})
local root = t.repository("shop")
local file = t.edit(root .. "/main.go")
t.attached(file)

local chat = require("foreword.chat.chat")
local transcript = require("foreword.chat.transcript")

local function shown()
  return t.text(transcript.bufnr())
end
local function idle()
  t.wait("the end of the answer", function()
    return not chat.busy() and #chat.queue == 0
  end)
  t.quiet()
end
local function say(text)
  vim.cmd("Foreword chat send " .. text)
  t.wait("it is taken", function()
    return chat.busy() or chat.conversation.entries[1] ~= nil
  end)
  idle()
end
local function last()
  local all = provider.received()
  return all[#all], #all
end
local function newest()
  return chat.conversation.entries[#chat.conversation.entries]
end

t.test("nothing of the chat is loaded before it is asked for", function()
  local fresh = vim
    .system({
      vim.v.progpath,
      "--clean",
      "--headless",
      "--cmd",
      "set rtp^=" .. t.plugin,
      "+lua for k in pairs(package.loaded) do if k:find('foreword%.[cm]%w+%.') then print(k) end end",
      "+qa!",
    }, { text = true })
    :wait()
  t.same(vim.trim(fresh.stdout .. fresh.stderr), "")
end)

t.test("without a file the chat says what to do", function()
  local files = vim
    .system({
      vim.v.progpath,
      "--clean",
      "--headless",
      "--cmd",
      "set rtp^=" .. t.plugin,
      "+Foreword chat send hello",
      "+lua vim.wait(60000, function() return not require('foreword.chat.chat').busy() end)",
      "+lua buffer = require('foreword.chat.transcript').bufnr()",
      "+lua print(table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), ' '))",
      "+qa!",
    }, { text = true, cwd = t.top })
    :wait()
  t.contains(files.stdout .. files.stderr, "no file is open; open one of the project")
  for name in vim.fs.dir(require("foreword.chat.store").folder()) do
    vim.fn.delete(require("foreword.chat.store").folder() .. "/" .. name)
  end
end)

t.test("five turns: each sends what was said before, byte for byte", function()
  vim.cmd("Foreword chat")
  for i = 1, 5 do
    provider.orders({ say = { "Answer ", tostring(i), " é文.\n\nSecond line." } })
    say("question " .. i)
    t.same(newest().state, "done", vim.inspect(newest().problem))
  end
  local all = provider.received()
  t.same(#all, 5)
  for i, one in ipairs(all) do
    t.same(one.path, "/v1/chat/completions")
    t.same(one.headers.authorization, "Bearer sekret-7731")
    t.same(one.body.stream, true)
    t.contains(one.text, "Use British spelling")
    t.same(one.body.messages[#one.body.messages].content:match("question %d"), "question " .. i)
    if i > 1 then
      t.contains(one.text, ("Answer %d é文."):format(i - 1))
      -- The messages of the request before stand at the beginning of this one.
      local before = all[i - 1].text:match('"messages":(%b[])'):sub(1, -2)
      t.contains(one.text, before)
    end
  end
  for i = 1, 5 do
    t.contains(shown(), "question " .. i)
    t.contains(shown(), ("Answer %d é文."):format(i))
  end
  t.contains(shown(), "1,000 tokens in, 20 out, 900 from the cache")
end)

t.test("the server was told what the turns cost", function()
  local result
  require("foreword").request(
    "foreword.session.show",
    { session = chat.conversation.id },
    function(_, answer)
      result = answer
    end
  )
  t.wait("the session", function()
    return result
  end)
  t.same(#result.history, 5)
  t.same(result.history[5].state, "finished")
  t.same(result.history[5].usage.cacheRead, 900)
end)

t.test("the cursor stays where the user put it while an answer comes", function()
  local window = require("foreword.chat.panel").windows()
  vim.api.nvim_win_set_cursor(window, { 5, 0 })
  provider.orders({ hold = "First part", ["then"] = { " and\nthe rest" } })
  vim.cmd("Foreword chat send more")
  t.wait("the first part", function()
    return shown():find("First part", 1, true)
  end)
  t.same(vim.api.nvim_win_get_cursor(window), { 5, 0 })
  vim.cmd("Foreword chat send queued while it answers")
  t.same(#chat.queue, 1)
  provider.orders({ say = { "Answer to the queued one" } })
  provider.orders({ release = true })
  idle()
  t.wait("the queued one is answered", function()
    return shown():find("Answer to the queued one", 1, true) and not chat.busy()
  end)
  t.contains(shown(), "First part and\nthe rest")
  t.same(vim.api.nvim_win_get_cursor(window), { 5, 0 })
  t.contains(last().text, "queued while it answers")
end)

t.test("stop keeps what came, and closes the connection", function()
  provider.orders({ hold = "Half an answer" })
  vim.cmd("Foreword chat send stop me")
  t.wait("the first part", function()
    return shown():find("Half an answer", 1, true)
  end)
  vim.cmd("Foreword chat stop")
  t.same(chat.busy(), false)
  t.same(newest().state, "stopped")
  t.contains(shown(), "Half an answer")
  t.contains(shown(), "Stopped.")
  provider.orders({ say = { "after the stop" } })
  say("go on")
  t.contains(last().text, "Half an answer")
end)

t.test("retry asks again from the same turn", function()
  provider.orders({ say = { "another answer" } })
  vim.cmd("Foreword chat retry")
  idle()
  t.contains(shown(), "another answer")
  t.lacks(shown(), "after the stop")
  t.lacks(last().text, "after the stop")
  t.contains(last().text, "go on")
end)

t.test("an edited message is sent in place of what it was, without what came after it", function()
  local window = require("foreword.chat.panel").windows()
  vim.api.nvim_set_current_win(window)
  vim.fn.search("^question 2$", "w")
  vim.cmd("Foreword chat edit")
  t.same(require("foreword.chat.panel").typed(), "question 2")
  require("foreword.chat.panel").type("question two")
  provider.orders({ say = { "edited answer" } })
  vim.cmd("Foreword chat send")
  idle()
  local sent = last()
  t.contains(sent.text, "question two")
  t.contains(sent.text, "question 1")
  t.lacks(sent.text, "question 2")
  t.lacks(sent.text, "question 3")
  t.lacks(shown(), "question 3")
end)

t.test("a tool is called, its rules are told, and it is folded", function()
  t.write(root .. "/pay/AGENTS.md", "Amounts are cents.\n")
  t.write(root .. "/pay/till.go", "package pay\n")
  provider.orders(
    { say = { "I look.", { id = "c1", name = "read", arguments = { path = "pay/till.go" } } } },
    { say = { "It is package pay." } }
  )
  say("what is pay?")
  local sent = last()
  t.contains(sent.text, "Amounts are cents.")
  t.contains(sent.text, "package pay")
  local result = sent.body.messages[#sent.body.messages]
  t.same(result.role, "tool")
  t.same(result.tool_call_id, "c1")
  t.contains(shown(), "### Tool: ")
  t.contains(shown(), "1 instruction file was added: ")
  vim.api.nvim_set_current_win((require("foreword.chat.panel").windows()))
  vim.fn.search("^### Tool: ", "w")
  return t.same(vim.fn.foldclosed(".") > 0, true, "folded")
end)

t.test("an edit is a diff, taken by hunk and refused by hunk", function()
  local long = {}
  for i = 1, 30 do
    long[i] = "line " .. i
  end
  t.write(root .. "/long.txt", table.concat(long, "\n") .. "\n")
  local new = vim.deepcopy(long)
  new[2], new[28] = "LINE 2", "LINE 28"
  provider.orders({
    say = {
      {
        id = "e1",
        name = "edit",
        arguments = {
          path = "long.txt",
          old = table.concat(long, "\n"),
          new = table.concat(new, "\n"),
        },
      },
    },
  }, { say = { "edited" } })
  vim.cmd("Foreword chat send edit it")
  t.wait("the diff", function()
    return vim.wo.diff and vim.api.nvim_buf_get_name(0):find("foreword-proposal", 1, true)
  end)
  t.keys("ga")
  t.keys("gr")
  idle()
  local bufnr = vim.fn.bufnr(root .. "/long.txt")
  local lines = vim.api.nvim_buf_get_lines(bufnr, 0, -1, false)
  t.same({ lines[2], lines[28], #lines }, { "LINE 2", "line 28", 30 })
  t.same(vim.bo[bufnr].modified, true)
  t.lacks(t.read(root .. "/long.txt"), "LINE")
  t.contains(last().text, "took 1 of 2 parts")
  t.same(#vim.api.nvim_list_tabpages(), 1, "tab pages")
end)

t.test("a file outside the project is not edited, nor one of git's own", function()
  t.write(t.top .. "/outside/x.txt", "outside\n")
  vim.uv.fs_symlink(t.top .. "/outside", root .. "/link")
  local find = require("foreword.tools.confine").find
  for _, name in ipairs({
    "../x",
    "/etc/passwd",
    "link/x.txt",
    "link/new",
    ".git/config",
    "a/../.GIT/x",
  }) do
    t.same((find(name, root)), nil, name)
  end
  t.same(find("./a/../new/file.txt", root), root .. "/new/file.txt")
end)

t.test(
  "what the rules ask for is put to the user: refused, allowed once, allowed for all of it",
  function()
    local asked, answer = {}, 3
    local select = vim.ui.select
    vim.ui.select = function(items, opts, done)
      table.insert(asked, opts.prompt)
      done(items[answer], answer)
    end
    local grep = { id = "g", name = "grep", arguments = { pattern = "println" } }
    local function result()
      provider.orders({ say = { grep } }, { say = { "so it is" } })
      say("find it")
      local messages = last().body.messages
      return messages[#messages].content
    end
    t.contains(result(), "did not allow")
    answer = 1
    t.contains(result(), "main.go:4")
    t.same(#asked, 2, table.concat(asked, "\n"))
    answer = 2
    t.contains(result(), "main.go:4")
    t.contains(result(), "main.go:4")
    t.same(#asked, 3)
    vim.ui.select = select
    return asked[1]
  end
)

t.test(
  "a tool that is not there, and arguments that make no sense, are answered to the model",
  function()
    provider.orders({
      say = {
        { id = "n1", name = "launch", arguments = { target = "moon" } },
        { id = "n2", name = "edit", arguments = { path = "../../x", old = "", new = "y" } },
        {
          id = "n3",
          name = "edit",
          arguments = { path = "main.go", old = "no such line", new = "y" },
        },
      },
    }, { say = { "I see" } })
    say("try")
    local messages = last().body.messages
    t.contains(messages[#messages - 2].content, 'There is no tool "launch"')
    t.contains(messages[#messages - 1].content, "is not in the workspace")
    t.contains(messages[#messages].content, "does not stand in main.go")
  end
)

t.test("in plan mode only a plan is edited", function()
  require("foreword.choice").set("mode", "plan")
  local edit = function(path)
    return { id = "p" .. path, name = "edit", arguments = { path = path, old = "", new = "# Plan" } }
  end
  provider.orders(
    { say = { edit("notes.md"), edit(".foreword/plans/a.md") } },
    { say = { "done" } }
  )
  vim.cmd("Foreword chat send plan it")
  t.wait("the diff", function()
    return vim.wo.diff
  end)
  t.keys("gA")
  idle()
  require("foreword.choice").set("mode", "build")
  local messages = last().body.messages
  t.contains(messages[#messages - 1].content, "In plan mode nothing but a plan may be edited")
  t.contains(messages[#messages].content, "The user took the change of .foreword/plans/a.md")
  t.same(t.text(vim.fn.bufnr(root .. "/.foreword/plans/a.md")), "# Plan")
end)

t.test("a read-only buffer is not changed", function()
  t.write(root .. "/locked.txt", "locked\n")
  vim.fn.bufload(vim.fn.bufadd(root .. "/locked.txt"))
  vim.bo[vim.fn.bufnr(root .. "/locked.txt")].readonly = true
  provider.orders({
    say = {
      {
        id = "r1",
        name = "edit",
        arguments = { path = "locked.txt", old = "locked", new = "open" },
      },
    },
  }, { say = { "I see" } })
  say("open it")
  local messages = last().body.messages
  t.contains(messages[#messages].content, "is read-only")
end)

t.test("the limit of steps ends a loop, and says so", function()
  require("foreword.config").get().chat.max_steps = 2
  local look = { say = { { id = "l", name = "list", arguments = vim.empty_dict() } } }
  local _, before = last()
  provider.orders(look, look)
  say("look for ever")
  t.same(select(2, last()) - before, 2, "requests")
  t.contains(shown(), "the limit of steps is reached")
  provider.orders({ say = { "enough" } })
  vim.cmd("Foreword chat continue")
  idle()
  t.contains(shown(), "enough")
  require("foreword.config").get().chat.max_steps = 25
end)

for _, case in ipairs({
  { "claude/claude-sonnet-4-5", "/v1/messages", "x-api-key", "key-of-a-command" },
  {
    "google/gemini-2.5-pro",
    "/v1beta/models/gemini-2.5-pro:streamGenerateContent?alt=sse",
    "x-goog-api-key",
    "key-of-a-function",
  },
  { "ollama/llama3.1", "/api/chat" },
}) do
  t.test(case[1] .. " answers, with a tool", function()
    vim.cmd("Foreword chat new")
    require("foreword.choice").set("model", case[1])
    provider.orders(
      { say = { "I look.", { id = "c1", name = "read", arguments = { path = "main.go" } } } },
      { say = { "Hello from ", "there." } }
    )
    say("hello")
    local sent = last()
    t.same(newest().state, "done", vim.inspect(newest().problem))
    t.same(sent.path, case[2])
    local alone = case[1]:match("/(.*)$")
    t.same(require("foreword.choice").apply({}).model, alone)
    if case[3] then
      t.same(sent.headers[case[3]], case[4])
    end
    t.contains(sent.text, "package main")
    t.contains(shown(), "Hello from there.")
  end)
end

t.test("what goes wrong at an endpoint is one sentence, and the conversation goes on", function()
  require("foreword.choice").set("model", "local/gpt-4o")
  for _, case in ipairs({
    { { wrong = "cut", with = { "begun" } }, "The connection ended before" },
    { { wrong = "garbage" }, "something that is no answer" },
    { { wrong = "page" }, "Sign in to Wi-Fi" },
    { { wrong = "endlessLine" }, "did not end" },
    {
      { wrong = "status", with = { 401, { error = { message = "bad key" } } } },
      "does not accept the key: 401, bad key",
    },
    {
      { wrong = "status", with = { 404, { error = { message = "no such model" } } } },
      "no such model",
    },
    { { wrong = "status", with = { 500, "<html><title>Oops</title>" } }, "in trouble: 500, Oops" },
    {
      { wrong = "status", with = { 400, { error = { message = "too \n many" } } } },
      "refuses the request: 400, too many",
    },
  }) do
    vim.cmd("Foreword chat new")
    provider.orders(case[1])
    say("hello")
    t.same(newest().state, "failed")
    t.contains(shown(), case[2])
    provider.orders({ say = { "well again" } })
    vim.cmd("Foreword chat retry")
    idle()
    t.contains(shown(), "well again")
  end
end)

t.test("a key is in no log, no file and no buffer", function()
  local log = vim.lsp.log and vim.lsp.log.get_filename() or vim.lsp.get_log_path()
  local texts = { vim.fn.filereadable(log) == 1 and t.read(log) or "", table.concat(t.told, "\n") }
  for name in vim.fs.dir(require("foreword.chat.store").folder()) do
    table.insert(texts, t.read(require("foreword.chat.store").folder() .. "/" .. name))
  end
  for _, bufnr in ipairs(vim.api.nvim_list_bufs()) do
    table.insert(texts, t.text(bufnr))
  end
  assert(#texts > 5)
  for _, text in ipairs(texts) do
    t.lacks(text, "sekret-7731")
    t.lacks(text, "key-of-a-")
  end
end)

t.test("@ words are sent along", function()
  vim.cmd("Foreword chat new")
  vim.fn.setqflist({ { filename = root .. "/main.go", lnum = 3, text = "look here" } })
  local references = require("foreword.chat.attach").references(
    'see @file:main.go, @file:"ünï code/naïve 文.lua" and @quickfix. mail me@file:x @nothing'
  )
  t.same(
    vim.tbl_map(function(one)
      return one.label
    end, references),
    { "@file:main.go", "@file:ünï code/naïve 文.lua", "@quickfix" }
  )
  provider.orders({ say = { "seen" } })
  vim.api.nvim_buf_set_lines(file, 0, 0, false, { "// not saved yet" })
  say("see @file:main.go and @quickfix and @file:none.x")
  t.contains(last().text, "// not saved yet")
  t.contains(last().text, "main.go:4: look here")
  t.same(#t.told_of("@file:none.x is not sent"), 1)
end)

t.test("@ completes", function()
  local complete = require("foreword.chat.complete")
  complete.items("@")
  local words = t.wait("the files of the project", function()
    local list = vim.tbl_map(function(item)
      return item.word
    end, complete.items("@file:"))
    return vim.tbl_contains(list, "@file:other/AGENTS.md") and list
  end)
  assert(vim.tbl_contains(words, '@file:"old (1)/x.c"'), vim.inspect(words))
  t.same(complete.start("look at @fi"), 8)
  t.same(complete.start('look at @file:"old (1'), 8)
  t.same(complete.start("mail me@x"), nil)
  local all = table.concat(
    vim.tbl_map(function(item)
      return item.word
    end, complete.items("@")),
    " "
  )
  for _, word in ipairs({
    "@selection",
    "@diagnostics",
    "@diff",
    "@quickfix",
    "@symbols",
    "@buffer",
    "@file:",
  }) do
    t.contains(all, word)
  end
end)

t.test("a block is yanked, and applied as a diff", function()
  vim.cmd("Foreword chat new")
  provider.orders({
    say = { "In `other.txt`:\n\n```text other.txt\nline 2\nline two and a half\nline 3\n```\n" },
  })
  t.write(root .. "/other.txt", "line 1\nline 2\nline 3\nline 4\n")
  say("change it")
  local window = require("foreword.chat.panel").windows()
  vim.api.nvim_set_current_win(window)
  vim.fn.search("two and a half", "w")
  vim.cmd("Foreword chat yank")
  t.same(vim.fn.getreg('"'), "line 2\nline two and a half\nline 3\n")
  vim.cmd("Foreword chat apply")
  t.same(vim.wo.diff, true)
  t.keys("gA")
  local bufnr = vim.fn.bufnr(root .. "/other.txt")
  t.wait("it is applied", function()
    return #t.told_of("1 taken, 0 refused") == 1
  end)
  t.same(t.text(bufnr), "line 1\nline 2\nline two and a half\nline 3\nline 4")
end)

t.test(
  "a conversation is forked, renamed, exported, restored and deleted; a damaged file costs itself",
  function()
    local saved = require("foreword.chat.store")
    local first = chat.conversation.id
    vim.cmd("Foreword chat rename A better title")
    t.contains(shown(), "# A better title")
    vim.cmd("Foreword chat fork")
    t.wait("the fork", function()
      return chat.conversation.id ~= first
    end)
    provider.orders({ say = { "in the fork" } })
    say("only in the fork")
    t.contains(last().text, "change it")
    t.same(#saved.load(first).entries, 2)
    vim.cmd("Foreword chat export " .. t.top .. "/out.md")
    t.contains(t.read(t.top .. "/out.md"), "only in the fork")
    t.write(saved.folder() .. "/damaged.json", '{"version": 1, "id": "damaged", "entr')
    local before = #saved.list()
    local picked
    local select = vim.ui.select
    vim.ui.select = function(items, opts, done)
      picked = vim.tbl_map(opts.format_item, items)
      for _, item in ipairs(items) do
        if item.conversation and item.conversation.id == first then
          return done(item)
        end
      end
    end
    vim.cmd("Foreword chat sessions")
    vim.ui.select = select
    t.same(chat.conversation.id, first)
    t.lacks(shown(), "only in the fork")
    t.same(#picked, before)
    t.contains(table.concat(picked, "\n"), "damaged")
    t.contains(t.read(saved.folder() .. "/damaged.json"), '"entr')
    vim.cmd("Foreword! chat delete")
    t.same(#saved.list(), before - 1)
    t.same(#chat.conversation.entries, 0)
  end
)

t.test("without an endpoint the prompt is shown and copied", function()
  vim.cmd("Foreword chat new")
  require("foreword.choice").set("model", "none")
  local _, before = last()
  say("what would be sent?")
  t.contains(shown(), "Use British spelling")
  t.contains(shown(), "what would be sent?")
  vim.cmd("Foreword chat copy")
  t.contains(vim.fn.getreg('"'), "Use British spelling")
  t.same(select(2, last()), before, "requests")
  require("foreword.choice").set("model", "local/gpt-4o")
end)

t.test("without curl one message, and the text stays", function()
  vim.cmd("Foreword chat new")
  local path = vim.env.PATH
  vim.env.PATH = "/nowhere"
  say("no curl here")
  vim.env.PATH = path
  t.contains(shown(), "curl is needed")
  t.contains(shown(), "no curl here")
  provider.orders({ say = { "now" } })
  vim.cmd("Foreword chat retry")
  idle()
  t.contains(shown(), "now")
end)

t.test("deleted buffers come back with what was in them", function()
  vim.api.nvim_buf_delete(transcript.bufnr(), { force = true })
  require("foreword.chat.panel").type("a draft")
  vim.api.nvim_buf_delete(require("foreword.chat.panel").prompt(), { force = true })
  vim.cmd("Foreword chat")
  t.contains(shown(), "no curl here")
  t.same(require("foreword.chat.panel").typed(), "a draft")
  require("foreword.chat.panel").type("")
end)

t.test("a server that is killed while an answer comes costs no word of it", function()
  provider.orders({ hold = "Before it ", ["then"] = { "and after it." } })
  vim.cmd("Foreword chat send kill it")
  t.wait("the first part", function()
    return shown():find("Before it", 1, true)
  end)
  local client = vim.lsp.get_clients({ name = "foreword" })[1]
  local pid = vim.fn.systemlist({ "pgrep", "-P", tostring(vim.fn.getpid()), "-f", " serve" })[1]
  vim.uv.kill(tonumber(pid), "sigkill")
  t.wait("it is gone", function()
    return client.rpc.is_closing()
  end)
  provider.orders({ release = true })
  idle()
  t.contains(shown(), "Before it and after it.")
  vim.cmd("Foreword restart")
  t.wait("it runs again", function()
    return t.told_of("restarted")[1]
  end)
  provider.orders({ say = { "all is well" } })
  say("still there?")
  t.contains(shown(), "all is well")
  t.contains(last().text, "and after it.")
end)

t.test("every key of the panel is a word of the command, and every word is in the help", function()
  local words = require("foreword.chat").words()
  for _, key in ipairs(require("foreword.chat.panel").keys) do
    assert(vim.tbl_contains(words, key.word), key.word)
  end
  local help = t.read(t.plugin .. "/doc/foreword.txt")
  for _, word in ipairs(words) do
    t.contains(help, ("*:Foreword-chat-%s*"):format(word))
  end
  t.same(vim.fn.getcompletion("Foreword chat ", "cmdline"), words)
end)

provider.stop()
t.done()

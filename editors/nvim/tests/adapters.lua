-- foreword in other panels and completions. Each is a small double with the hooks that it documents. Where
-- FOREWORD_CODECOMPANION and FOREWORD_PLENARY name checkouts of codecompanion.nvim (19 or later) and plenary.nvim, a
-- chat of the real CodeCompanion is run as well.
package.path = vim.fs.dirname(vim.fn.fnamemodify(arg[0], ":p")) .. "/lib/?.lua;" .. package.path
local t = require("harness")

local root = t.repository("shop")
vim.o.hidden = true
vim.g.foreword = { cmd = t.binary, debounce = 20, settings = { model = "gpt-4o" } }
t.load()
local bufnr = t.edit(root .. "/main.go")
t.attached(bufnr)
local limited = require("foreword.adapters.limited")
limited.limit = 60000 -- a slow machine must not fail a test; the limit itself has one of its own

--- Commands that the server was sent, with their parameters.
local sent = {} ---@type { command: string, params: table, problem: string?, result: table? }[]
local request = require("foreword.request")
local command = request.command
request.command = function(uri, name, params, done)
  local entry = { command = name, params = params }
  table.insert(sent, entry)
  return command(uri, name, params, function(problem, result)
    entry.problem, entry.result = problem, result
    done(problem, result)
  end)
end

---@param name string
---@return table[]
local function sent_of(name)
  return vim.tbl_filter(function(entry)
    return entry.command == name
  end, sent)
end

-- The double of CodeCompanion: what chat/init.lua of version 19 does with callbacks, messages and system prompts.
local Chat = {}
Chat.__index = Chat

local function new_chat()
  return setmetatable({
    id = math.random(1000000),
    bufnr = vim.api.nvim_create_buf(false, true),
    adapter = { type = "http", name = "openai", schema = { model = { default = "gpt-4o" } } },
    buffer_context = { bufnr = bufnr },
    callbacks = {},
    messages = {
      {
        role = "system",
        content = "You are theirs.",
        _meta = { tag = "system_prompt_from_config" },
      },
    },
    ui = {},
    set = 0,
  }, Chat)
end

function Chat:add_callback(event, callback)
  self.callbacks[event] = self.callbacks[event] or {}
  table.insert(self.callbacks[event], callback)
  return self
end

function Chat:dispatch(event, ...)
  for _, callback in ipairs(self.callbacks[event] or {}) do
    local ok, problem = pcall(callback, self, ...)
    assert(ok, problem)
  end
end

function Chat:set_system_prompt(text, opts)
  self.set = self.set + 1
  local tag = opts._meta.tag
  self.messages = vim.tbl_filter(function(message)
    return message._meta.tag ~= tag
  end, self.messages)
  local index = 1
  for i = #self.messages, 1, -1 do
    if self.messages[i].role == "system" then
      index = i + 1
      break
    end
  end
  if text ~= "" then
    table.insert(
      self.messages,
      index,
      { role = "system", content = text, opts = { visible = false }, _meta = opts._meta }
    )
  end
end

--- What a user turn does: callbacks, the message, the checkpoint; gives what would be sent.
function Chat:submit(text)
  self:dispatch("on_before_submit", { adapter = self.adapter })
  table.insert(self.messages, { role = "user", content = text, _meta = { id = #self.messages } })
  return self:checkpoint()
end

function Chat:checkpoint()
  self:dispatch(
    "on_checkpoint",
    { adapter = self.adapter, estimated_tokens = 1, messages = self.messages }
  )
  return vim.deepcopy(self.messages)
end

function Chat:answer(text, tokens)
  table.insert(self.messages, { role = "llm", content = text, _meta = { id = #self.messages } })
  self.ui.tokens = tokens
  self:dispatch("on_completed", { status = "success" })
end

local chats = {}
package.loaded["codecompanion"] = {
  buf_get_chat = function(buffer)
    return chats[buffer]
  end,
}
package.loaded["codecompanion.config"] = {
  interactions = { shared = { editor_context = {} }, chat = { editor_context = {} } },
}
local extension = require("codecompanion._extensions.foreword")
extension.setup({})

---@return table
local function created()
  local chat = new_chat()
  chats[chat.bufnr] = chat
  vim.api.nvim_exec_autocmds("User", {
    pattern = "CodeCompanionChatCreated",
    data = { bufnr = chat.bufnr, id = chat.id },
  })
  return chat
end

local function texts(messages, role)
  local list = {}
  for _, message in ipairs(messages) do
    if not role or message.role == role then
      table.insert(list, message.content or "")
    end
  end
  return table.concat(list, "\n----\n")
end

t.test(
  "CodeCompanion: the system prompt is set once, and again only when its hash changed",
  function()
    local chat = created()
    local first = chat:submit("hello")
    t.contains(texts(first, "system"), "British spelling")
    t.contains(texts(first, "system"), "You are theirs.")
    t.same(first[#first].content, "hello")
    local times = chat.set
    chat:answer("hi")
    local second = chat:submit("again")
    t.same(chat.set, times)
    t.same(texts(second, "system"), texts(first, "system"))
    local rules = t.edit(root .. "/AGENTS.md")
    t.attached(rules)
    vim.api.nvim_buf_set_lines(rules, 2, 3, false, { "Use Scottish spelling in comments." })
    vim.api.nvim_set_current_buf(bufnr)
    local third = chat:submit("once more")
    t.contains(texts(third, "system"), "Scottish spelling")
    t.lacks(texts(third, "system"), "British spelling")
    assert(chat.set > times)
  end
)

t.test("CodeCompanion: a file that a tool read brings the instructions beside it, once", function()
  local chat = created()
  chat:submit("read it")
  local path = root .. "/ünï code/naïve 文.lua"
  for _, id in ipairs({ "c1", "c2" }) do
    table.insert(chat.messages, {
      role = "llm",
      tools = {
        calls = {
          {
            id = id,
            type = "function",
            ["function"] = { name = "read_file", arguments = vim.json.encode({ filepath = path }) },
          },
        },
      },
      _meta = { id = id },
    })
    table.insert(
      chat.messages,
      { role = "tool", tools = { call_id = id }, content = "return 1", _meta = { id = "r" .. id } }
    )
    chat:checkpoint()
  end
  t.contains(chat.messages[#chat.messages - 2].content, "Prefer tables over chains of if.")
  t.same(chat.messages[#chat.messages].content, "return 1")
  local touches = sent_of("foreword.context.touch")
  t.same(touches[#touches].params.kind, "read")
  local before = #touches
  chat:checkpoint()
  t.same(#sent_of("foreword.context.touch"), before, "a result is told once")
end)

t.test("CodeCompanion: a long history is shortened in place, and said so", function()
  extension.setup({ window = 6000 })
  local chat = created()
  chat:submit("begin")
  local same = chat.messages
  for i = 1, 30 do
    table.insert(
      chat.messages,
      { role = "user", content = ("Question %d. "):format(i) .. ("word "):rep(300), _meta = {} }
    )
    table.insert(
      chat.messages,
      { role = "llm", content = ("Answer %d. "):format(i) .. ("word "):rep(300), _meta = {} }
    )
  end
  t.told = {}
  local size = #vim.json.encode(chat.messages)
  local out = chat:submit("and now?")
  assert(rawequal(chat.messages, same), "the table was replaced")
  assert(#vim.json.encode(out) < size, "nothing was shortened")
  t.same(out[#out].content, "and now?")
  t.contains(texts(out, "system"), "You are theirs.")
  local told = t.wait("the message", function()
    return t.told_of("the conversation was shortened from")[1]
  end)
  extension.setup({})
  return told
end)

t.test("CodeCompanion: usage goes back to the server", function()
  local chat = created()
  sent = {}
  chat:submit("count me")
  t.wait("the turn", function()
    local prepared = sent_of("foreword.turn.prepare")[1]
    return prepared and prepared.result
  end)
  chat:answer("counted", 1234)
  local finish = t.wait("the report", function()
    local entry = sent_of("foreword.turn.finish")[1]
    return entry and (entry.result or entry.problem) and entry
  end)
  t.same(finish.problem, nil)
  t.same(finish.result.usage.input, 1234)
  t.same(sent_of("foreword.turn.prepare")[1].params.messages[1].content, "count me")
end)

t.test("CodeCompanion: #{agents} is in both places where # is looked up", function()
  local config = package.loaded["codecompanion.config"]
  for _, place in pairs(config.interactions) do
    local variable = place.editor_context.agents
    t.contains(variable.callback({ Chat = created(), config = variable }), "spelling")
  end
end)

t.test("CodeCompanion: an agent of the protocol ACP is left alone", function()
  local chat = created()
  chat.adapter = { type = "acp", name = "claude_code" }
  sent = {}
  local out = chat:submit("hello")
  t.same(#out, 2)
  t.same(sent, {})
end)

t.test("CodeCompanion: switches turn each part off", function()
  extension.setup({ system = false, proximity = false, trim = false, usage = false })
  local chat = created()
  sent = {}
  t.same(#chat:submit("hello"), 2)
  chat:answer("hi", 5)
  chat:dispatch("on_closed")
  t.same(sent, {})
  extension.setup({})
end)

t.test("CopilotChat: prepare_input gets foreword's prompt and a history that fits", function()
  local adapter = require("foreword.adapters.copilotchat")
  local got
  local opts = adapter.opts({
    model = "gpt-4o",
    providers = {
      mine = {
        prepare_input = function(inputs, options)
          got = { inputs, options }
          return { body = true }, { header = "x" }
        end,
      },
    },
  })
  local inputs = {
    { role = "system", content = "Theirs." },
    { role = "user", content = "Hello." },
    {
      role = "assistant",
      content = "",
      tool_calls = { { id = "t1", name = "file", arguments = '{"path":"a"}' } },
    },
    { role = "tool", content = "text", tool_call_id = "t1" },
  }
  local copy = vim.deepcopy(inputs)
  local body, headers = opts.providers.mine.prepare_input(inputs, { model = { id = "gpt-4o" } })
  t.same({ body, headers }, { { body = true }, { header = "x" } })
  t.same(inputs, copy, "what was given")
  t.contains(got[1][1].content, "spelling")
  t.same(got[1][2].content, "Theirs.")
  t.same(got[1][#got[1]], copy[4])
  t.same(opts.instruction_files, {})
  local resource = opts.functions.agents.resolve({}, { bufnr = bufnr })
  t.contains(resource[1].data, "spelling")
  local long = { { role = "system", content = "Theirs." } }
  for i = 1, 400 do
    table.insert(long, { role = "user", content = i .. ("word "):rep(600) })
    table.insert(long, { role = "assistant", content = i .. ("word "):rep(600) })
  end
  table.insert(long, { role = "user", content = "the end" })
  opts.providers.mine.prepare_input(long, { model = { id = "gpt-4o" } })
  assert(#vim.json.encode(got[1]) < #vim.json.encode(long), "nothing was shortened")
  t.same(got[1][#got[1]].content, "the end")
end)

t.test(
  "CopilotChat: in a callback of the event loop nothing waits, and what was known is used",
  function()
    local adapter = require("foreword.adapters.copilotchat")
    local function in_loop()
      local done, ok, result
      local timer = assert(vim.uv.new_timer())
      timer:start(0, 0, function()
        timer:close()
        ok, result = pcall(adapter.prepare, { { role = "user", content = "Hello." } }, "gpt-4o")
        done = true
      end)
      t.wait("the callback", function()
        return done
      end)
      assert(ok, result)
      return result
    end
    t.contains(in_loop()[1].content, "spelling")
    limited.forget("copilotchat/system")
    t.same(in_loop(), { { role = "user", content = "Hello." } })
    t.wait("the prompt, asked for in the background", function()
      return #in_loop() > 1
    end)
  end
)

t.test("CopilotChat: a coroutine of plenary goes back to the main loop first", function()
  package.loaded["plenary.async.util"] = {
    scheduler = function()
      local thread = coroutine.running()
      vim.schedule(function()
        assert(coroutine.resume(thread))
      end)
      coroutine.yield()
    end,
  }
  local fast, got
  local prepare = require("foreword.adapters.copilotchat").prepare_input(function(inputs)
    fast, got = vim.in_fast_event(), inputs
  end)
  limited.forget("copilotchat/system")
  local timer = assert(vim.uv.new_timer())
  timer:start(0, 0, function()
    timer:close()
    coroutine.wrap(prepare)(
      { { role = "user", content = "Hello." } },
      { model = { id = "gpt-4o" } }
    )
  end)
  t.wait("the request", function()
    return got
  end)
  t.same(fast, false)
  t.contains(got[1].content, "spelling")
  package.loaded["plenary.async.util"] = nil
end)

t.test("avante: the prompt is a function, and the model has a tool for instructions", function()
  local opts = require("foreword.adapters.avante").opts({
    provider = "x",
    custom_tools = function()
      return { { name = "theirs" } }
    end,
  })
  t.same(opts.provider, "x")
  t.contains(opts.system_prompt(), "spelling")
  local tools = opts.custom_tools()
  t.same({ tools[1].name, tools[2].name }, { "project_instructions", "theirs" })
  t.contains(tools[1].func({ path = root .. "/ünï code/x.lua" }), "Prefer tables")
  local result, problem = tools[1].func({})
  t.same(result, nil)
  t.contains(problem, "path is missing")
end)

t.test("sidekick: {instructions} is text, or false where nothing applies", function()
  local opts = require("foreword.adapters.sidekick").opts({ cli = { prompts = { mine = "x" } } })
  t.same(opts.cli.prompts, { instructions = "{instructions}", mine = "x" })
  t.contains(
    opts.cli.context.instructions({ buf = bufnr, cwd = root, row = 1, col = 1 }),
    "spelling"
  )
  t.write(t.top .. "/bare/x.txt", "x\n")
  local bare = t.edit(t.top .. "/bare/x.txt")
  t.same(opts.cli.context.instructions({ buf = bare }), false)
  vim.api.nvim_set_current_buf(bufnr)
end)

t.test(
  "a server that does not answer costs 300 ms, then the last answer is used, with one warning",
  function()
    limited.limit = 300
    local uri = vim.uri_from_bufnr(bufnr)
    local prompt = require("foreword.adapters.prompt")
    local known = prompt.instructions("slow", uri)
    t.contains(known, "spelling")
    local real = request.command
    request.command = function() end
    t.told = {}
    local start = vim.uv.hrtime()
    t.same(prompt.instructions("slow", uri), known)
    local took = (vim.uv.hrtime() - start) / 1e6
    assert(took >= 290, took)
    t.same(prompt.instructions("slow", uri), known)
    t.same(prompt.instructions("other", uri), "")
    local function warnings()
      return t.told_of("did not answer within 300 ms")
    end
    t.wait("the warnings", function()
      return #warnings() == 2
    end)
    t.contains(warnings()[1], "what was known before is used")
    t.contains(warnings()[2], "nothing is added")
    request.command = real
    t.same(prompt.instructions("slow", uri), known)
    return ("%.0f ms"):format(took)
  end
)

t.test("blink.cmp and nvim-cmp get the panel's items, which replace the whole word", function()
  local blink = require("foreword.completion.blink").new()
  local cmp = require("foreword.completion.cmp").new()
  t.same({ blink:enabled(), cmp:is_available() }, { false, false })
  vim.cmd.cd(vim.fn.fnameescape(root))
  local scratch = vim.api.nvim_create_buf(false, true)
  vim.bo[scratch].omnifunc = "v:lua.require'foreword.chat.complete'.omnifunc"
  vim.api.nvim_set_current_buf(scratch)
  t.same({ blink:enabled(), cmp:is_available() }, { true, true })
  local before = "see 文 @file:ma"
  local got
  blink:get_completions(
    { bufnr = scratch, line = before .. " later", cursor = { 3, #before } },
    function(response)
      got = response
    end
  )
  local item = vim.tbl_filter(function(candidate) -- at hand
    return candidate.label == "@file:main.go"
  end, got.items)[1]
  t.same(item.textEdit, {
    newText = "@file:main.go",
    range = { start = { line = 2, character = 6 }, ["end"] = { line = 2, character = 14 } },
  })
  t.same({ item.kind, type(item.detail) }, { 17, "string" })
  cmp:complete({
    context = { bufnr = scratch, cursor = { row = 3 }, cursor_before_line = before },
  }, function(response)
    t.same(response.items[1], got.items[1])
  end)
  assert(vim.regex("^" .. cmp:get_keyword_pattern() .. "$"):match_str("@file:src/naïve"))
  for _, no_word in ipairs({ "", "no word", "mail@example.com", "@done " }) do
    cmp:complete({
      context = { bufnr = scratch, cursor = { row = 1 }, cursor_before_line = no_word },
    }, function(response)
      t.same(response.items, {}, no_word)
    end)
  end
  vim.api.nvim_set_current_buf(bufnr)
end)

local codecompanion, plenary = vim.env.FOREWORD_CODECOMPANION, vim.env.FOREWORD_PLENARY
if codecompanion and plenary then
  t.test("the real CodeCompanion sends foreword's prompt, once", function()
    limited.limit = 60000
    package.loaded["codecompanion"], package.loaded["codecompanion.config"] = nil, nil
    vim.opt.runtimepath:append(plenary)
    vim.opt.runtimepath:append(codecompanion)
    vim.cmd.runtime("plugin/plenary.vim")
    vim.cmd.runtime("plugin/codecompanion.lua")
    local provider = require("provider").start(t.top .. "/codecompanion.jsonl")
    require("codecompanion").setup({
      adapters = {
        http = {
          recording = function()
            return require("codecompanion.adapters").extend("openai_compatible", {
              name = "recording",
              env = {
                url = (provider.url:gsub("/v1/?$", "")),
                api_key = "none",
                chat_url = "/v1/chat/completions",
              },
              schema = { model = { default = "gpt-4o" } },
            })
          end,
        },
      },
      interactions = { chat = { adapter = "recording" }, inline = { adapter = "recording" } },
      extensions = { foreword = { enabled = true, opts = {} } },
    })
    vim.api.nvim_set_current_buf(bufnr)
    local chat = require("codecompanion").chat()
    chat = chat or require("codecompanion").last_chat()
    for number, text in ipairs({ "first question", "second question" }) do
      provider.orders({ say = { "An answer." } })
      vim.api.nvim_buf_set_lines(chat.bufnr, -2, -1, false, { text })
      chat:submit()
      t.wait("request " .. number, function()
        return #provider.received() >= number and not chat.current_request
      end)
    end
    local systems = {}
    for number, one in ipairs(provider.received()) do
      systems[number] = ""
      for _, message in ipairs(one.body.messages) do
        if message.role == "system" then
          systems[number] = systems[number] .. message.content
        end
      end
      t.contains(systems[number], "spelling in comments")
    end
    t.same(systems[2], systems[1])
    provider.stop()
  end)
end

t.test("nothing was said that is an error of Neovim", function()
  t.quiet()
end)

t.done()

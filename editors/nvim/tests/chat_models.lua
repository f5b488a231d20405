--- The readers of streams: at every cut of the bytes they say the same, and what endpoints do wrong has a name.
local here = vim.fs.dirname(vim.fn.fnamemodify(debug.getinfo(1, "S").source:sub(2), ":p"))
local t = dofile(here .. "/lib/harness.lua")
t.load()

local answers = require("foreword.models.answer")

---@param pieces string[]
---@param kind string
---@return foreword.Answer
local function read(kind, pieces)
  local reader = require("foreword.models." .. kind)()
  local count = 0
  local building = answers.new("m", function()
    count = count + 1
    return "made-" .. count
  end)
  for _, piece in ipairs(pieces) do
    for _, delta in ipairs(reader.push(piece)) do
      building.add(delta)
    end
  end
  for _, delta in ipairs(reader.finish()) do
    building.add(delta)
  end
  return building.answer()
end

--- What pcall gives of a stream that is wrong.
---@return foreword.Problem
local function problem(kind, ...)
  local ok, caught = pcall(read, kind, { ... })
  assert(not ok, "a problem was expected")
  return require("foreword.models.problem").from(caught)
end

local function sse(list, ending)
  local out = {}
  for _, event in ipairs(list) do
    local data = type(event) == "string" and event or vim.json.encode(event)
    table.insert(out, "data: " .. data .. ending .. ending)
  end
  return table.concat(out)
end

local streams = {
  openai = {
    { choices = { { delta = { reasoning_content = "hm" } } } },
    { choices = { { delta = { content = "Grüße 文 " } } } },
    { choices = { { delta = { content = "🙂" } } } },
    {
      choices = {
        {
          delta = {
            tool_calls = {
              { index = 0, id = "a", ["function"] = { name = "read", arguments = '{"path":' } },
            },
          },
        },
      },
    },
    {
      choices = {
        { delta = { tool_calls = { { index = 0, ["function"] = { arguments = '"ä"}' } } } } },
      },
    },
    { choices = { { delta = vim.empty_dict(), finish_reason = "tool_calls" } } },
    {
      choices = {},
      usage = {
        prompt_tokens = 10,
        completion_tokens = 2,
        prompt_tokens_details = { cached_tokens = 8 },
      },
    },
    "[DONE]",
  },
  anthropic = {
    {
      type = "message_start",
      message = { usage = { input_tokens = 2, cache_read_input_tokens = 8, output_tokens = 1 } },
    },
    { type = "ping" },
    {
      type = "content_block_start",
      index = 0,
      content_block = { type = "thinking", thinking = "" },
    },
    {
      type = "content_block_delta",
      index = 0,
      delta = { type = "thinking_delta", thinking = "hm" },
    },
    {
      type = "content_block_delta",
      index = 0,
      delta = { type = "signature_delta", signature = "sig" },
    },
    { type = "content_block_start", index = 1, content_block = { type = "text", text = "" } },
    {
      type = "content_block_delta",
      index = 1,
      delta = { type = "text_delta", text = "Grüße 文 🙂" },
    },
    {
      type = "content_block_start",
      index = 2,
      content_block = { type = "tool_use", id = "a", name = "read", input = vim.empty_dict() },
    },
    {
      type = "content_block_delta",
      index = 2,
      delta = { type = "input_json_delta", partial_json = '{"path":"ä"}' },
    },
    { type = "message_delta", delta = { stop_reason = "tool_use" }, usage = { output_tokens = 2 } },
    { type = "message_stop" },
  },
  gemini = {
    { candidates = { { content = { parts = { { text = "hm", thought = true } } } } } },
    { candidates = { { content = { parts = { { text = "Grüße 文 🙂" } } } } } },
    {
      candidates = {
        {
          content = {
            parts = {
              {
                functionCall = { name = "read", args = { path = "ä" } },
                thoughtSignature = "sig",
              },
            },
          },
          finishReason = "STOP",
        },
      },
      usageMetadata = {
        promptTokenCount = 10,
        candidatesTokenCount = 2,
        cachedContentTokenCount = 8,
      },
    },
  },
  ollama = {
    { message = { thinking = "hm" } },
    { message = { content = "Grüße 文 🙂" } },
    {
      message = {
        tool_calls = { { ["function"] = { name = "read", arguments = { path = "ä" } } } },
      },
    },
    { done = true, done_reason = "stop", prompt_eval_count = 10, eval_count = 2 },
  },
}

for kind, events in pairs(streams) do
  for name, ending in pairs({ lf = "\n", crlf = "\r\n", cr = "\r" }) do
    t.test(("%s with %s, cut at every byte"):format(kind, name), function()
      local text
      if kind == "ollama" then
        text = ""
        for _, event in ipairs(events) do
          text = text .. vim.json.encode(event) .. ending
        end
      else
        text = "\239\187\191: a comment" .. ending .. ending .. sse(events, ending)
      end
      local whole = read(kind, { text })
      local said = {}
      for _, part in ipairs(whole.parts) do
        said[part.type] = part
      end
      t.same(said.text.text, "Grüße 文 🙂")
      t.same(said.thinking.text, "hm")
      t.same(said["tool-use"].arguments, { path = "ä" })
      t.same(said["tool-use"].name, "read")
      t.same(whole.usage.output, 2)
      t.same(said.thinking.signature, kind == "anthropic" and "sig" or nil)
      for i = 1, #text - 1 do
        t.same(read(kind, { text:sub(1, i), text:sub(i + 1) }), whole, "cut at " .. i)
      end
      local bytes = {}
      for i = 1, #text do
        bytes[i] = text:sub(i, i)
      end
      t.same(read(kind, bytes), whole, "byte by byte")
      -- Whatever is missing at the end, there is an answer or a problem with a name, never a fault of ours.
      for i = 0, #text - 1 do
        local ok, caught = pcall(read, kind, { text:sub(1, i) })
        assert(
          ok or (type(caught) == "table" and caught.kind),
          ("cut off at %d: %s"):format(i, vim.inspect(caught))
        )
      end
    end)
  end
end

t.test("Anthropic's counts are reported in its own words", function()
  local usage = read("anthropic", { sse(streams.anthropic, "\n") }).usage
  t.same(usage, { input = 2, output = 2, cacheRead = 8, cacheWrite = 0 })
end)

t.test("an event of several lines is one, wherever the bytes are cut", function()
  for _, ending in ipairs({ "\n", "\r\n", "\r" }) do
    local text = table.concat({
      'data: {"choices":[{"delta":',
      'data: {"content":"ab"},"finish_reason":"stop"}]}',
      "",
      "",
    }, ending)
    for i = 0, #text do
      local answer = read("openai", { text:sub(1, i), text:sub(i + 1) })
      t.same(answer.parts[1].text, "ab", ("cut at %d of %q"):format(i, ending))
    end
  end
end)

t.test("calls that come side by side stay apart", function()
  local function call(index, piece)
    return {
      choices = {
        { delta = { tool_calls = { vim.tbl_extend("force", { index = index }, piece) } } },
      },
    }
  end
  local answer = read("openai", {
    sse({
      call(0, { id = "a", ["function"] = { name = "read", arguments = '{"path"' } }),
      call(1, { id = "b", ["function"] = { name = "list", arguments = '{"dep' } }),
      call(0, { ["function"] = { arguments = ':"x"}' } }),
      call(1, { ["function"] = { arguments = 'th":1}' } }),
      { choices = { { delta = vim.empty_dict(), finish_reason = "tool_calls" } } },
    }, "\n"),
  })
  t.same(#answer.parts, 2)
  t.same(answer.parts[1].arguments, { path = "x" })
  t.same(answer.parts[2].arguments, { depth = 1 })
end)

t.test("an answer that was not streamed is one all the same", function()
  local whole = '{"choices":[{"message":{"content":"hello"},"finish_reason":"stop"}]}'
  t.same(read("openai", { whole }).parts[1].text, "hello")
end)

t.test("what is wrong has a name", function()
  t.same(problem("openai", 'data: {"error":{"message":"out of order"}}\n\n').kind, "server")
  t.same(problem("openai", "data: {oops\n\n").kind, "garbage")
  t.same(problem("openai", "data: [1,2]\n\n").kind, "garbage")
  t.same(problem("openai", "<!DOCTYPE html><title>Sign in</title>").detail, "Sign in")
  t.same(problem("openai", "").kind, "cut")
  t.same(problem("openai", 'data: {"choices":[{"delta":{"content":"a"}}]}\n\n').kind, "cut")
  t.same(problem("openai", ("x"):rep(5 * 1024 * 1024)).kind, "endless")
  t.same(
    problem(
      "anthropic",
      'data: {"type":"error","error":{"type":"overloaded_error","message":"busy"}}\n\n'
    ).kind,
    "rate"
  )
  t.same(problem("gemini", 'data: {"promptFeedback":{"blockReason":"SAFETY"}}\n\n').kind, "blocked")
  t.same(problem("gemini", 'data: {"error":{"code":429,"message":"slow down"}}\n\n').kind, "rate")
  t.same(problem("ollama", '{"error":"model not found"}\n').detail, "model not found")
  -- Values of other kinds than those that are documented.
  for _, odd in ipairs({
    '{"choices":7}',
    '{"choices":[{"delta":{"content":3,"tool_calls":[null,4]}}]}',
    '{"choices":null,"usage":"x"}',
  }) do
    t.same(problem("openai", "data: " .. odd .. "\n\n").kind, "cut", odd)
  end
end)

t.test("arguments that are no object stay as the model wrote them", function()
  local function call(text)
    local building = answers.new("m", function()
      return "x"
    end)
    building.add({ kind = "call", index = 0, name = "t", arguments = text })
    return building.answer().parts[1].arguments
  end
  t.same(call('{"a": nu'), '{"a": nu')
  t.same(call("[1]"), "[1]")
  t.same(vim.json.encode(call("")), "{}")
  t.same(vim.json.encode(call("{}")), "{}")
  t.same(call('{"a": null}'), { a = vim.NIL })
end)

t.test("an answer without an end is cut", function()
  local building = answers.new("m", tostring)
  local ok, caught = pcall(function()
    for _ = 1, 40 do
      building.add({ kind = "text", text = ("x"):rep(100000) })
    end
  end)
  t.same({ ok, caught.kind }, { false, "endless" })
end)

t.test("a key in the settings is refused without being shown", function()
  require("foreword").setup({
    chat = {
      endpoints = {
        { name = "bad", url = "https://x.example/v1", key = "sk-live-123" },
        { name = "twice", url = "https://x.example/v1" },
        { name = "twice", url = "https://x.example/v1" },
        { name = "scheme", url = "ftp://x.example" },
        { name = "type", url = "https://x.example", type = "telepathy" },
        "nothing",
      },
    },
  })
  local good, bad = require("foreword.models.endpoint").endpoints()
  t.same(#good, 1)
  t.same(#bad, 5)
  t.lacks(table.concat(bad, "\n"), "sk-live")
end)

t.done()

-- Sections that other plugins add to prompts.
package.path = vim.fs.dirname(vim.fn.fnamemodify(arg[0], ":p")) .. "/lib/?.lua;" .. package.path
local t = require("harness")

local root = t.repository("shop")
vim.g.foreword = { cmd = t.binary, debounce = 20 }
t.load()
local bufnr = t.edit(root .. "/main.go")
t.attached(bufnr)

---@return foreword.BuildPromptResult
local function prompt()
  local problem, result
  require("foreword").request("foreword.prompt.build", {
    uri = vim.uri_from_bufnr(bufnr),
    mode = "plan",
  }, function(...)
    problem, result = ...
  end)
  t.wait("the prompt", function()
    return problem or result
  end)
  return assert(result, problem)
end

---@param key string
---@return foreword.Section?
local function section(result, key)
  for _, s in ipairs(result.sections) do
    if s.key == key then
      return s
    end
  end
end

local register = require("foreword").register_source

t.test("without a source a prompt is as it is, without a warning", function()
  local result = prompt()
  t.same(result.warnings, {})
  t.same(result.hooks, {})
end)

t.test("a source adds and edits, sees the prompt, and can be taken back", function()
  local seen
  local remove = register({
    name = "notes",
    provide = function(p)
      seen = p
      return {
        add = { { key = "today", title = "Notes", text = "Mind the gap." } },
        edit = {
          { key = "core/date", text = "No day." },
          { key = "core/identity", text = "mine" },
        },
      }
    end,
  })
  local result = prompt()
  local added = assert(section(result, "hook/editor/notes/today"))
  t.same(added.text, "Mind the gap.")
  t.same(added.layer, "dynamic")
  t.same(section(result, "core/date").text, "No day.")
  t.lacks(section(result, "core/identity").text, "mine")
  t.same(seen.uri, vim.uri_from_bufnr(bufnr))
  t.same(seen.mode, "plan")
  assert(#seen.sections > 3)
  remove()
  remove()
  t.same(section(prompt(), "hook/editor/notes/today"), nil)
end)

t.test("a source of the same name takes the place of the one before", function()
  local text = "one"
  local function source()
    local now = text
    return {
      name = "same",
      provide = function()
        return { add = { { key = "k", text = now } } }
      end,
    }
  end
  local first = register(source())
  text = "two"
  local second = register(source())
  first()
  t.same(section(prompt(), "hook/editor/same/k").text, "two")
  second()
end)

t.test("a source that fails costs itself", function()
  local removals = {
    register({
      name = "broken",
      provide = function()
        error("no luck")
      end,
    }),
    register({
      name = "odd",
      provide = function()
        return 3
      end,
    }),
    register({ name = "silent", provide = function() end }),
    register({
      name = "whole",
      provide = function()
        return { add = { { key = "k", text = "here" } }, warnings = { "mind" } }
      end,
    }),
  }
  local result = prompt()
  t.same(section(result, "hook/editor/whole/k").text, "here")
  local told = {}
  for _, w in ipairs(result.warnings) do
    table.insert(told, w.message)
  end
  told = table.concat(told, "\n")
  t.contains(told, "the source broken")
  t.contains(told, "no luck")
  t.contains(told, "it answers with a number")
  t.contains(told, "mind")
  for _, remove in ipairs(removals) do
    remove()
  end
end)

t.test("what is no source is refused", function()
  t.same(pcall(register, { name = "a b", provide = function() end }), false)
  t.same(pcall(register, { name = "a" }), false)
  t.same(pcall(register, nil), false)
end)

t.done()

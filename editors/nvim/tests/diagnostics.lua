-- The problems that Neovim shows are told to the model.
package.path = vim.fs.dirname(vim.fn.fnamemodify(arg[0], ":p")) .. "/lib/?.lua;" .. package.path
local t = require("harness")

local root = t.repository("shop")
vim.g.foreword = { cmd = t.binary, debounce = 20 }
t.load()
local bufnr = t.edit(root .. "/main.go")
t.attached(bufnr)
local linter = vim.api.nvim_create_namespace("linter")

--- What the model is told of problems, empty for nothing.
---@return string
local function told()
  local problem, result
  require("foreword").request(
    "foreword.prompt.build",
    { uri = vim.uri_from_fname(root .. "/main.go") },
    function(...)
      problem, result = ...
    end
  )
  t.wait("the prompt", function()
    return problem or result
  end)
  for _, section in ipairs(assert(result, problem).sections) do
    if section.key == "core/diagnostics" then
      return section.text
    end
  end
  return ""
end

---@param what string
---@param want string? part of the text; nil for none at all
local function expect(what, want)
  return t.wait(what, function()
    local text = told()
    if want then
      return text:find(want, 1, true) and text
    end
    return text == "" and "nothing"
  end)
end

t.test("without a problem nothing is told", function()
  t.same(told(), "")
end)

t.test("what a linter reports is told, with its line, source and rule", function()
  vim.diagnostic.set(linter, bufnr, {
    {
      lnum = 3,
      col = 1,
      end_lnum = 3,
      end_col = 8,
      severity = vim.diagnostic.severity.WARN,
      message = "avoid\nprintln",
      source = "vet",
      code = 7,
    },
    { lnum = 0, col = 0, severity = vim.diagnostic.severity.HINT, message = "a hint" },
  })
  local text = expect("the problem", "main.go:4: warning: avoid println [vet 7]")
  t.lacks(text, "a hint")
  t.lacks(text, "edited since")
end)

t.test("a buffer that was edited since says so, until the linter has looked again", function()
  vim.api.nvim_buf_set_lines(bufnr, 0, 0, false, { "// of the shop" })
  expect("the note", "(the text was edited since)")
  vim.diagnostic.set(linter, bufnr, {
    {
      lnum = 4,
      col = 1,
      severity = vim.diagnostic.severity.ERROR,
      message = "avoid println",
    },
  })
  t.lacks(expect("the new line", "main.go:5: error: avoid println"), "edited since")
end)

t.test("a new process is told what is shown already", function()
  vim.cmd("Foreword restart")
  t.wait("the message", function()
    return t.told_of("restarted")[1]
  end)
  t.attached(bufnr)
  expect("the problem", "main.go:5: error: avoid println")
end)

t.test("a mended file has no problems", function()
  vim.diagnostic.reset(linter, bufnr)
  expect("nothing")
end)

t.test("a file that is closed has none, and has them again when it is opened", function()
  local other = t.edit(root .. "/other.go")
  t.attached(other)
  local problem = {
    { lnum = 0, col = 0, severity = vim.diagnostic.severity.ERROR, message = "is empty" },
  }
  vim.diagnostic.set(linter, other, problem)
  expect("the problem", "other.go:1: error: is empty")
  vim.cmd.bdelete({ other, bang = true })
  expect("nothing")
  t.attached(t.edit(root .. "/other.go"))
  vim.diagnostic.set(linter, vim.fn.bufnr(root .. "/other.go"), problem)
  expect("the problem", "other.go:1: error: is empty")
end)

t.test("Neovim showed no error", t.quiet)
t.done()

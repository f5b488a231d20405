-- The server without the plugin: lsp/foreword.lua copied alone, as for a user who wants no commands. Documents come by
-- window/showDocument then.
package.path = vim.fs.dirname(vim.fn.fnamemodify(arg[0], ":p")) .. "/lib/?.lua;" .. package.path
local t = require("harness")

local root = t.repository("plain")
local config = t.top .. "/copied"
t.write(config .. "/lsp/foreword.lua", t.read(t.plugin .. "/lsp/foreword.lua"))
vim.opt.runtimepath:prepend(config)
vim.cmd("filetype plugin on")

if vim.lsp.enable then
  vim.lsp.config("foreword", { cmd = { t.binary, "serve" } })
  vim.lsp.enable("foreword")
else -- 0.10 has no vim.lsp.enable; the same table goes to vim.lsp.start
  local plain = dofile(config .. "/lsp/foreword.lua")
  vim.api.nvim_create_autocmd("FileType", {
    callback = function(event)
      vim.lsp.start({
        name = "foreword",
        cmd = { t.binary, "serve" },
        root_dir = vim.fs.root(event.buf, plain.root_markers),
      })
    end,
  })
end

t.test("the plugin is not there", function()
  t.same(pcall(require, "foreword"), false)
  t.same(vim.fn.exists(":Foreword"), 0)
end)

t.test("a file is attached", function()
  t.attached(t.edit(root .. "/main.go"))
end)

t.test("hover works", function()
  vim.api.nvim_win_set_cursor(0, { 1, 0 })
  vim.lsp.buf.hover()
  local text = t.wait("the float", function()
    local text = t.floats()
    return text:find("AGENTS.md", 1, true) and text
  end)
  vim.api.nvim_exec_autocmds("CursorMoved", {})
  return text
end)

for title, part in pairs({
  ["Preview the prompt"] = "British spelling",
  ["Explain instructions"] = "CLAUDE.md",
}) do
  t.test(("code action %q is shown by the server"):format(title), function()
    t.edit(root .. "/main.go")
    vim.lsp.buf.code_action({
      filter = function(action)
        return action.title:find(title, 1, true) ~= nil
      end,
      apply = true,
    })
    t.wait("the document", function()
      return vim.api.nvim_buf_get_name(0) ~= root .. "/main.go" and t.text():find(part, 1, true)
    end)
    return vim.api.nvim_buf_get_name(0)
  end)
end

t.test("nothing was told as an error on the way", function()
  t.same(t.told_of("ERROR"), {})
  t.quiet()
end)

t.done()

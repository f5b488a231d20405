-- A session with the real server: attach, hover, code action, preview that follows unsaved edits, explain, tokens.
package.path = vim.fs.dirname(vim.fn.fnamemodify(arg[0], ":p")) .. "/lib/?.lua;" .. package.path
local t = require("harness")

local root = t.repository("house")
vim.g.foreword = { cmd = t.binary, debounce = 20, settings = { model = "gpt-4o" } }
t.load()

local main = t.edit(root .. "/main.go")
local client

--- The preview's buffer, once its text meets a condition.
local function preview_of(path, condition)
  local bufnr = t.document("foreword-preview://" .. path)
  t.wait("the preview of " .. path, function()
    return not condition or condition(t.text(bufnr))
  end)
  return bufnr
end

--- Leaves one window, with a file in it.
local function back_to(bufnr)
  vim.cmd.only({ bang = true })
  vim.api.nvim_set_current_buf(bufnr)
end

t.test("a file is attached without setup()", function()
  client = t.attached(main)
  t.same(vim.uri_to_fname(client.workspace_folders[1].uri), root)
  return client.server_info
    and (client.server_info.name .. " " .. (client.server_info.version or ""))
end)

t.test("hover on line 1 lists the instructions that apply, in a float", function()
  vim.api.nvim_win_set_cursor(0, { 1, 0 })
  vim.lsp.buf.hover()
  local text = t.wait("the float", function()
    local text = t.floats()
    return text:find("AGENTS.md", 1, true) and text
  end)
  vim.api.nvim_exec_autocmds("CursorMoved", {})
  t.lacks(text, "sibling")
  return text
end)

t.test(
  ":Foreword preview shows the exact text of the instructions in a read-only buffer",
  function()
    vim.cmd("Foreword preview")
    local bufnr = preview_of(root .. "/main.go")
    t.wait("its window", function()
      return vim.api.nvim_get_current_buf() == bufnr
    end)
    local text = t.text(bufnr)
    t.contains(text, "Use British spelling in comments.")
    t.lacks(text, "A sibling's rule")
    t.lacks(text, "Prefer tables")
    t.same(vim.bo[bufnr].modifiable, false)
    t.same(vim.bo[bufnr].buftype, "nofile")
    t.same(vim.bo[bufnr].filetype, "markdown")
    t.same(#vim.api.nvim_list_wins(), 2, "windows")
    assert(text:lower():find("%d+ tokens"), "the tokens are not in real text:\n" .. text)
    t.same(#vim.lsp.get_clients({ bufnr = bufnr }), 0, "clients of the preview")
  end
)

t.test("the preview folds by section", function()
  vim.cmd("normal! zM")
  local closed = {}
  for row = 1, vim.api.nvim_buf_line_count(0) do
    if vim.fn.foldclosed(row) == row then
      table.insert(closed, vim.fn.foldtextresult(row))
    end
  end
  assert(#closed >= 4, "only " .. #closed .. " folds:\n" .. t.text())
  t.contains(closed[1], "lines folded")
  vim.cmd("normal! zR")
  return ("%d sections, first: %s"):format(#closed, closed[1])
end)

t.test("gd in the preview goes to the instruction file", function()
  vim.fn.search("British spelling")
  t.keys("gd")
  t.same(vim.api.nvim_buf_get_name(0), root .. "/AGENTS.md")
  t.same(vim.api.nvim_get_current_line(), "Use British spelling in comments.")
  t.same(#vim.api.nvim_list_wins(), 2, "windows")
end)

t.test("gd finds the line of a nested file, in a path with parentheses", function()
  vim.cmd("Foreword preview " .. vim.fn.fnameescape(root .. "/old (1)/x.c"))
  local bufnr = preview_of(root .. "/old (1)/x.c")
  t.wait("its window", function()
    return vim.api.nvim_get_current_buf() == bufnr
  end)
  vim.fn.search("Change nothing here")
  t.keys("gd")
  t.same(vim.api.nvim_buf_get_name(0), root .. "/old (1)/AGENTS.md")
  t.same(vim.api.nvim_win_get_cursor(0)[1], 3)
  vim.cmd.bwipeout(bufnr)
  vim.cmd.only()
  vim.cmd.sbuffer(preview_of(root .. "/main.go"))
  vim.cmd.wincmd("p")
  t.edit(root .. "/AGENTS.md")
end)

t.test("the preview follows an edit of AGENTS.md that is not saved", function()
  local rules = vim.api.nvim_get_current_buf()
  t.attached(rules)
  vim.api.nvim_buf_set_lines(rules, -1, -1, false, { "Never write the word synergy." })
  vim.api.nvim_exec_autocmds("TextChanged", { buffer = rules })
  preview_of(root .. "/main.go", function(text)
    return text:find("Never write the word synergy.", 1, true)
  end)
  t.same(vim.bo[rules].modified, true)
  t.lacks(t.read(root .. "/AGENTS.md"), "synergy")
end)

t.test("typing in insert mode is followed too, and the cursor of the preview stays", function()
  local handlers = client.handlers -- without help from the server, which tells of changes as well
  client.handlers =
    vim.tbl_extend("force", handlers, { ["foreword/promptChanged"] = function() end })
  local bufnr = preview_of(root .. "/main.go")
  local window = vim.fn.bufwinid(bufnr)
  local row = vim.api.nvim_win_call(window, function()
    return vim.fn.search("Never write the word synergy", "w")
  end)
  vim.api.nvim_win_set_cursor(window, { row, 0 })
  vim.cmd("normal! GoAlways say why.")
  vim.api.nvim_exec_autocmds("TextChangedI", { buffer = 0 })
  preview_of(root .. "/main.go", function(text)
    return text:find("Always say why.", 1, true)
  end)
  client.handlers = handlers
  local line = vim.api.nvim_win_get_cursor(window)[1]
  t.contains(vim.api.nvim_buf_get_lines(bufnr, line - 1, line, false)[1], "synergy")
end)

t.test("the preview follows a file that another program writes", function()
  local path = root .. "/ünï code/AGENTS.md"
  local before = t.read(path)
  local rules = vim.api.nvim_get_current_buf()
  t.attached(t.edit(root .. "/ünï code/naïve 文.lua"))
  vim.cmd("Foreword preview")
  local bufnr = preview_of(root .. "/ünï code/naïve 文.lua")
  t.wait("its window", function()
    return vim.api.nvim_get_current_buf() == bufnr
  end)
  t.write(path, "Written by another program.\n")
  preview_of(root .. "/ünï code/naïve 文.lua", function(text)
    return text:find("Written by another program.", 1, true)
  end)
  t.write(path, before)
  preview_of(root .. "/ünï code/naïve 文.lua", function(text)
    return text:find("Prefer tables", 1, true)
  end)
  t.keys("q")
  vim.cmd.bwipeout(bufnr)
  vim.cmd.buffer(rules)
end)

t.test("undoing everything brings the first text back", function()
  vim.cmd("normal! u")
  vim.cmd("normal! u")
  vim.cmd("edit!")
  vim.api.nvim_exec_autocmds("TextChanged", { buffer = 0 })
  preview_of(root .. "/main.go", function(text)
    return not text:find("synergy", 1, true) and text:find("British spelling", 1, true)
  end)
end)

t.test("a preview that no window shows is fresh when it is shown again", function()
  local bufnr = preview_of(root .. "/main.go")
  vim.cmd.only()
  vim.api.nvim_buf_set_lines(0, -1, -1, false, { "Added while hidden." })
  vim.api.nvim_exec_autocmds("TextChanged", { buffer = 0 })
  vim.wait(300)
  t.lacks(t.text(bufnr), "Added while hidden.")
  vim.cmd.sbuffer(bufnr)
  t.wait("the fresh text", function()
    return t.text(bufnr):find("Added while hidden.", 1, true)
  end)
  vim.cmd.close()
  vim.cmd("edit!")
end)

t.test(
  "the preview of a nested file has both files, outermost first, in a path with spaces and other letters",
  function()
    back_to(t.edit(root .. "/ünï code/naïve 文.lua"))
    t.attached(vim.api.nvim_get_current_buf())
    vim.cmd("tab Foreword preview")
    local bufnr = preview_of(root .. "/ünï code/naïve 文.lua", function(text)
      return text:find("Prefer tables", 1, true)
    end)
    t.wait("its tab page", function()
      return vim.api.nvim_get_current_buf() == bufnr and #vim.api.nvim_list_tabpages() == 2
    end)
    local text = t.text(bufnr)
    assert(
      text:find("British spelling", 1, true)
        < text:find("Prefer tables over chains of if.", 1, true)
    )
    t.keys("q")
    t.same(#vim.api.nvim_list_tabpages(), 1)
  end
)

t.test(":edit with the name of a preview opens it", function()
  back_to(main)
  local bufnr = preview_of(root .. "/main.go")
  vim.cmd.bwipeout(bufnr)
  vim.cmd.edit("foreword-preview://" .. vim.fn.fnameescape(root .. "/main.go.prompt.md"))
  t.wait("the text", function()
    return t.text():find("British spelling", 1, true)
  end)
  t.same(vim.bo.modifiable, false)
end)

t.test("a code action leads to the preview", function()
  back_to(main)
  vim.api.nvim_win_set_cursor(0, { 1, 0 })
  vim.lsp.buf.code_action({
    filter = function(action)
      return action.title:find("Preview the prompt", 1, true) ~= nil
    end,
    apply = true,
  })
  t.wait("its window", function()
    return vim.startswith(vim.api.nvim_buf_get_name(0), "foreword-preview:")
  end)
  t.contains(t.text(), "British spelling")
end)

t.test("the menu of code actions leads to the explanation", function()
  back_to(main)
  local titles
  local select = vim.ui.select
  vim.ui.select = function(items, _, choose)
    titles = vim.tbl_map(function(item)
      return item.action.title
    end, items)
    for index, item in ipairs(items) do
      if item.action.title:find("Explain instructions", 1, true) then
        return choose(item, index)
      end
    end
  end
  vim.lsp.buf.code_action()
  t.wait("its window", function()
    return vim.startswith(vim.api.nvim_buf_get_name(0), "foreword-explain:")
  end)
  vim.ui.select = select
  t.contains(t.text(), "AGENTS.md")
  t.contains(t.text(), "CLAUDE.md")
  return table.concat(titles, "; ")
end)

t.test(":Foreword explain says why CLAUDE.md is left out", function()
  back_to(main)
  vim.cmd("Foreword explain")
  t.wait("its window", function()
    return vim.startswith(vim.api.nvim_buf_get_name(0), "foreword-explain:")
  end)
  local line = t.text():match("[^\n]*CLAUDE%.md[^\n]*")
  return assert(line, t.text())
end)

t.test(":Foreword! explain fills the location list, sent files first", function()
  back_to(main)
  vim.cmd("Foreword! explain")
  t.wait("the list", function()
    return vim.bo.filetype == "qf"
  end)
  local list = vim.fn.getloclist(0, { title = 0, items = 0 })
  t.contains(list.title, "main.go")
  t.same(vim.api.nvim_buf_get_name(list.items[1].bufnr), root .. "/AGENTS.md")
  t.contains(list.items[1].text, "1. sent")
  t.contains(t.text(), "CLAUDE.md")
  vim.cmd.lclose()
  return list.items[#list.items].text
end)

t.test(":Foreword explain quickfix fills the quickfix list, of a file that is named", function()
  back_to(main)
  vim.cmd("Foreword explain quickfix " .. vim.fn.fnameescape(root .. "/ünï code/naïve 文.lua"))
  t.wait("the list", function()
    return vim.bo.filetype == "qf"
  end)
  local items = vim.fn.getqflist()
  t.same(vim.api.nvim_buf_get_name(items[2].bufnr), root .. "/ünï code/AGENTS.md")
  vim.cmd.cclose()
end)

t.test(":Foreword tokens counts the buffer as it is, and a range", function()
  back_to(main)
  vim.api.nvim_buf_set_lines(main, 0, 0, false, { "// hello world" })
  vim.cmd("Foreword tokens")
  local all = t.wait("the count", function()
    return t.told_of("tokens in main.go")[1]
  end)
  vim.cmd("1Foreword tokens")
  local one = t.wait("the count of the line", function()
    return t.told_of("tokens in line 1 of main.go")[1]
  end)
  vim.cmd("1,2Foreword tokens gpt-4")
  local two = t.wait("the count of two lines", function()
    return t.told_of("tokens in lines 1 to 2 of main.go")[1]
  end)
  vim.cmd("edit!")
  -- "// hello world\n" is 4 tokens in o200k_base: "//", " hello", " world", "\n".
  t.contains(one, "foreword: 4 tokens")
  t.contains(one, "15 bytes; exact, o200k_base")
  t.contains(two, "cl100k_base")
  return all .. " / " .. two
end)

t.test("an empty buffer has no tokens", function()
  vim.cmd.enew()
  vim.cmd("Foreword tokens")
  local told = t.wait("the count", function()
    return t.told_of("in this buffer")[1]
  end)
  back_to(main)
  return t.contains(told, "0 tokens in this buffer (0 bytes;")
end)

t.test("a file that is not there is refused", function()
  vim.cmd("Foreword preview nowhere/x.go")
  local told = t.contains(table.remove(t.told), "there is no file")
  t.same(#vim.api.nvim_list_wins(), 1, "windows")
  return told
end)

t.test("tokens() counts for other code", function()
  local answer
  require("foreword").tokens({
    first = 1,
    last = 1,
    done = function(problem, result)
      answer = problem or result
    end,
  })
  t.wait("the answer", function()
    return answer
  end)
  return answer.tokens .. " " .. answer.counter
end)

t.test("the status line counts the files and never waits", function()
  back_to(main)
  t.wait("the component", function()
    return require("foreword").statusline():find("1 file, %d+ tokens")
  end)
  return require("foreword").statusline()
end)

t.test("the status line follows an unsaved edit of AGENTS.md", function()
  local before = require("foreword").statusline(main)
  t.edit(root .. "/AGENTS.md")
  vim.api.nvim_buf_set_lines(0, -1, -1, false, { ("More words than before. "):rep(50) })
  vim.api.nvim_exec_autocmds("TextChanged", { buffer = 0 })
  local after = t.wait("another count", function()
    local line = require("foreword").statusline(main)
    return line ~= before and line:find("1 file, ") and line
  end)
  vim.cmd("edit!")
  return before .. " -> " .. after
end)

t.test("hover in an instruction file says what it reaches", function()
  back_to(t.edit(root .. "/AGENTS.md"))
  t.attached(vim.api.nvim_get_current_buf()) -- again, after the :edit! above
  vim.api.nvim_win_set_cursor(0, { 1, 0 })
  vim.lsp.buf.hover()
  local text = t.wait("the float", function()
    local text = t.floats()
    return text ~= "" and text
  end)
  vim.api.nvim_exec_autocmds("CursorMoved", {})
  return text
end)

t.test(
  "an instruction file shows its code lens, and running it opens the explanation or the preview",
  function()
    local filter = vim.lsp.codelens.enable and { bufnr = 0 } or vim.api.nvim_get_current_buf()
    local lenses = t.wait("the lens", function()
      local found = {}
      for _, entry in ipairs(vim.lsp.codelens.get(filter) or {}) do
        local lens = entry.lens or entry
        table.insert(found, lens.command and lens.command.title)
      end
      return #found > 0 and found
    end)
    vim.lsp.codelens.run()
    t.wait("a document", function()
      return vim.startswith(vim.api.nvim_buf_get_name(0), "foreword-")
    end)
    return table.concat(lenses, "; ")
  end
)

t.test(":Foreword status shows folders and settings with their origin", function()
  back_to(main)
  vim.cmd("Foreword status")
  t.wait("its window", function()
    return vim.startswith(vim.api.nvim_buf_get_name(0), "foreword-status:")
  end)
  t.contains(t.text(), root)
  t.contains(t.text(), "restricted")
  return t.contains(t.text(), 'model = "gpt-4o"')
end)

t.test(":Foreword log has what the server said", function()
  vim.cmd("Foreword log")
  t.wait("its window", function()
    return vim.startswith(vim.api.nvim_buf_get_name(0), "foreword-log:")
  end)
  return t.contains(t.text(), "Messages of the server")
end)

t.test("request() runs any command", function()
  local problem, prompt
  require("foreword").request(
    "foreword.prompt.build",
    { uri = vim.uri_from_fname(root .. "/main.go") },
    function(...)
      problem, prompt = ...
    end
  )
  t.wait("the answer", function()
    return problem or prompt
  end)
  local key
  for _, section in ipairs(assert(prompt, problem).sections) do
    if section.text:find("British spelling", 1, true) then
      key = section.key
    end
  end
  return key
end)

t.test("nothing was told as an error on the way", function()
  t.same(t.told_of("ERROR"), {})
  t.quiet()
  t.same(t.told_of("WARN"), {})
end)

if t.newest then
  t.test("nothing deprecated was called", function()
    vim.cmd("checkhealth vim.deprecated")
    return t.contains(t.text(), "No deprecated functions detected")
  end)
end

t.done()

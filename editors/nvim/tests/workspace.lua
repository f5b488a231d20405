-- Which buffers get the server and under which folder; trust; restart; a server that ends by itself.
package.path = vim.fs.dirname(vim.fn.fnamemodify(arg[0], ":p")) .. "/lib/?.lua;" .. package.path
local t = require("harness")

local first, second = t.repository("first"), t.repository("second one")
t.write(second .. "/AGENTS.md", "Rules of the second house.\n")
vim.g.foreword = { cmd = t.binary, debounce = 20 }
t.load()

--- What the model is told for a file.
---@param path string
---@return foreword.BuildPromptResult
local function prompt(path)
  local problem, result
  require("foreword").request(
    "foreword.prompt.build",
    { uri = vim.uri_from_fname(path) },
    function(...)
      problem, result = ...
    end
  )
  t.wait("the prompt", function()
    return problem or result
  end)
  return assert(result, problem)
end

---@param path string
---@return string
local function told_to_model(path)
  return table.concat(
    vim.tbl_map(function(section)
      return section.text
    end, prompt(path).sections),
    "\n"
  )
end

t.test("a file without a type is attached", function()
  local bufnr = t.edit(first .. "/NOTES")
  t.same(vim.bo[bufnr].filetype, "")
  t.attached(bufnr)
end)

t.test("files of every type are attached, new ones too", function()
  for _, name in ipairs({ "main.go", "AGENTS.md", "new.py", "new", "ünï code/naïve 文.lua" }) do
    t.attached(t.edit(first .. "/" .. name))
  end
end)

t.test("buffers that are no files are not attached", function()
  vim.cmd.enew()
  local unnamed = vim.api.nvim_get_current_buf()
  vim.cmd.help()
  local help = vim.api.nvim_get_current_buf()
  local scratch = vim.api.nvim_create_buf(false, true)
  vim.bo[scratch].filetype = "lua"
  local address = vim.api.nvim_create_buf(true, false)
  vim.api.nvim_buf_set_name(address, "oil:///tmp/")
  vim.bo[address].filetype = "oil"
  vim.wait(200)
  for _, bufnr in ipairs({ unnamed, help, scratch, address }) do
    t.same(
      vim.lsp.get_clients({ bufnr = bufnr, name = "foreword" }),
      {},
      vim.api.nvim_buf_get_name(bufnr)
    )
  end
  vim.cmd.helpclose()
end)

t.test("a buffer that gets a name is attached under it", function()
  vim.cmd.enew()
  vim.cmd.file(vim.fn.fnameescape(first .. "/named later.txt"))
  t.attached(vim.api.nvim_get_current_buf())
  vim.cmd.bwipeout({ bang = true })
end)

t.test("a second repository is a second folder of the same process", function()
  local bufnr = t.edit(second .. "/main.go")
  local client = t.attached(bufnr)
  t.same(#vim.lsp.get_clients({ name = "foreword" }), 1, "processes")
  local folders = vim.tbl_map(function(folder)
    return vim.uri_to_fname(folder.uri)
  end, client.workspace_folders)
  t.same(folders, { first, second })
  local text = told_to_model(second .. "/main.go")
  t.contains(text, "Rules of the second house.")
  t.lacks(text, "British spelling")
  t.contains(told_to_model(first .. "/main.go"), "British spelling")
end)

t.test("a file that no buffer has can be previewed", function()
  local third = t.repository("third")
  vim.cmd("Foreword preview " .. vim.fn.fnameescape(third .. "/main.go"))
  local bufnr = t.document("foreword-preview://" .. third)
  t.contains(t.text(bufnr), "British spelling")
  vim.cmd.only()
end)

t.test(
  "a file without a repository belongs to its directory, and nothing above it is read",
  function()
    t.write(t.top .. "/loose/AGENTS.md", "Loose rules.\n")
    t.write(t.top .. "/loose/inner/AGENTS.md", "Inner rules.\n")
    t.write(t.top .. "/loose/inner/x.txt", "x\n")
    t.attached(t.edit(t.top .. "/loose/inner/x.txt"))
    local text = told_to_model(t.top .. "/loose/inner/x.txt")
    t.contains(text, "Inner rules.")
    t.lacks(text, "Loose rules.")
  end
)

t.test(
  "the root of a file is its repository, the working directory, or its directory, but never the home",
  function()
    local root = require("foreword.client").root
    t.same(root(first .. "/ünï code/naïve 文.lua"), first)
    t.same(root(t.top .. "/loose/inner/x.txt"), t.top .. "/loose/inner")
    vim.cmd.cd(vim.fn.fnameescape(t.top .. "/loose"))
    t.same(root(t.top .. "/loose/inner/x.txt"), t.top .. "/loose")
    vim.cmd.cd(vim.fn.fnameescape(t.home))
    t.same(root(t.home .. "/.bashrc"), nil)
    t.same(root(t.home .. "/notes/a.txt"), t.home .. "/notes")
    t.git(t.home, "init", "-q")
    t.same(root(t.home .. "/notes/a.txt"), t.home .. "/notes")
  end
)

--- Whether the server holds a folder for trusted.
local function trusted(folder)
  local problem, result
  require("foreword").request("foreword.status", {}, function(...)
    problem, result = ...
  end)
  t.wait("the status", function()
    return problem or result
  end)
  for _, known in ipairs(assert(result, problem).folders) do
    if vim.uri_to_fname(known.uri) == folder then
      return known.trusted
    end
  end
  error(folder .. " is no folder: " .. vim.inspect(result.folders))
end

local confirm = vim.fn.confirm

t.test(":Foreword trust asks first, and without a yes changes nothing", function()
  t.edit(first .. "/main.go")
  t.same(trusted(first), false)
  local asked
  vim.fn.confirm = function(text)
    asked = text
    return 2
  end
  vim.cmd("Foreword trust")
  vim.fn.confirm = confirm
  vim.wait(200)
  t.contains(asked, first)
  t.same(trusted(first), false)
  t.same(vim.fn.filereadable(t.home .. "/.config/foreword/trusted.json"), 0)
end)

t.test(":Foreword trust trusts the project of the file, and no other", function()
  vim.fn.confirm = function()
    return 1
  end
  vim.cmd("Foreword trust")
  vim.fn.confirm = confirm
  local told = t.wait("the message", function()
    return t.told_of("is trusted now")[1]
  end)
  t.wait("trust", function()
    return trusted(first)
  end)
  t.same(trusted(second), false)
  t.contains(t.read(t.home .. "/.config/foreword/trusted.json"), first)
  vim.cmd("Foreword trust list")
  t.wait("the list", function()
    return t.told_of("trusted folders")[1]
  end)
  return told
end)

t.test(":Foreword restart gives every file to a new process, which still trusts", function()
  local before = require("foreword.client").get().id
  vim.cmd("Foreword restart")
  t.wait("the message", function()
    return t.told_of("restarted")[1]
  end)
  local after = t.attached(vim.api.nvim_get_current_buf())
  assert(after.id ~= before, "the same client")
  t.same(#vim.lsp.get_clients({ name = "foreword" }), 1, "processes")
  for _, path in ipairs({ first .. "/NOTES", second .. "/main.go" }) do
    t.attached(vim.fn.bufadd(path))
  end
  t.same(trusted(first), true)
  t.contains(told_to_model(second .. "/main.go"), "Rules of the second house.")
end)

t.test(":Foreword restart reads the settings again", function()
  vim.g.foreword = { cmd = t.binary, debounce = 20, settings = { tree = { tokens = 321 } } }
  t.told = {}
  vim.cmd("Foreword restart")
  t.wait("the message", function()
    return t.told_of("restarted")[1]
  end)
  local problem, result
  require("foreword").request("foreword.status", {}, function(...)
    problem, result = ...
  end)
  t.wait("the status", function()
    return problem or result
  end)
  for _, setting in ipairs(assert(result, problem).settings) do
    if setting.key == "tree.tokens" then
      t.same({ setting.value, setting.origin }, { 321, "editor" })
      return setting.origin
    end
  end
  error(vim.inspect(result.settings))
end)

t.test(":Foreword trust revoke takes it back", function()
  vim.cmd("Foreword trust revoke")
  t.wait("the message", function()
    return t.told_of("is no longer trusted")[1]
  end)
  t.wait("distrust", function()
    return not trusted(first)
  end)
end)

t.test(
  "a server that ends by itself is told once, is not started again and again, and :Foreword restart starts it",
  function()
    vim.cmd("Foreword preview")
    t.document("foreword-preview://" .. first .. "/main.go")
    vim.cmd.wincmd("p")
    local before = #t.told
    -- The one that was restarted may still be on its way out.
    local pid = t.wait("one process", function()
      local list = vim.fn.system({ "pgrep", "-P", tostring(vim.fn.getpid()) })
      local pids = vim.split(list, "\n", { trimempty = true })
      return #pids == 1 and tonumber(pids[1])
    end)
    vim.uv.kill(pid, "sigkill")
    t.wait("the end", function()
      return require("foreword.client").failure()
    end)
    for _, name in ipairs({ "b1.txt", "b2.txt", "b3.txt" }) do
      t.edit(first .. "/" .. name)
      vim.wait(50)
    end
    require("foreword.view").refresh_all() -- as an edit does while the document is shown
    vim.wait(100)
    assert(#t.told - before <= 1, table.concat(t.told, "\n", before + 1))
    t.same(vim.lsp.get_clients({ name = "foreword" }), {})
    t.same(require("foreword").statusline(), "")
    vim.cmd("Foreword tokens")
    local told = t.wait("what to do", function()
      return t.told_of("Foreword restart starts it again")[1]
    end)
    vim.cmd("Foreword restart")
    t.attached(vim.api.nvim_get_current_buf())
    return told
  end
)

t.test("with autostart = false the first command starts it", function()
  local restarted = false
  require("foreword.client").restart(function()
    restarted = true
  end)
  t.wait("the restart", function()
    return restarted
  end)
  require("foreword").setup({
    autostart = function(bufnr)
      return not vim.api.nvim_buf_get_name(bufnr):find("private", 1, true)
    end,
  })
  local bufnr = t.edit(first .. "/private.txt")
  vim.wait(300)
  t.same(vim.lsp.get_clients({ bufnr = bufnr }), {})
  vim.cmd("Foreword tokens")
  t.wait("the count", function()
    return t.told_of("tokens in private.txt")[1]
  end)
  t.attached(bufnr)
end)

t.test("the server is told which file is looked at, once for each", function()
  local sent = {}
  local client = require("foreword.client")
  local notify = client.notify
  client.notify = function(server, method, params)
    table.insert(sent, { method, params })
    return notify(server, method, params)
  end
  t.edit(second .. "/main.go")
  t.wait("didFocus", function()
    return #sent > 0
  end)
  vim.api.nvim_exec_autocmds("FocusGained", {})
  vim.wait(100)
  client.notify = notify
  t.same(sent, {
    {
      "foreword/didFocus",
      {
        uri = vim.uri_from_fname(second .. "/main.go"),
        visible = { vim.uri_from_fname(second .. "/main.go") },
      },
    },
  })
end)

t.test(":checkhealth tells program, version, root, trust and the files on the way", function()
  t.edit(first .. "/ünï code/naïve 文.lua")
  t.attached(vim.api.nvim_get_current_buf())
  vim.wait(100)
  vim.cmd("checkhealth foreword")
  local report = t.text()
  vim.cmd.bwipeout()
  t.lacks(report, "ERROR")
  t.contains(report, t.binary)
  t.contains(report, "running: version")
  t.contains(report, "root: " .. first)
  t.contains(report, first .. ": restricted")
  t.contains(report, "attached to " .. first .. "/ünï code/naïve 文.lua")
  t.contains(report, "AGENTS.md: sent")
  return report
end)

t.test("a directory called AGENTS.md and a binary one are told, and nothing fails", function()
  local odd = t.repository("odd")
  vim.fn.delete(odd .. "/AGENTS.md")
  vim.fn.mkdir(odd .. "/AGENTS.md")
  t.write(odd .. "/other/AGENTS.md", "\0\1\2binary")
  t.write(odd .. "/other/x.txt", "x")
  t.attached(t.edit(odd .. "/other/x.txt"))
  vim.cmd("Foreword explain")
  local bufnr = t.document("foreword-explain://" .. odd)
  return t.contains(t.text(bufnr), "unreadable")
end)

t.test("buffers that are wiped out, at once or later, leave no error behind", function()
  for _, patience in ipairs({ 0, 300 }) do
    local bufnr = t.edit(second .. "/AGENTS.md")
    t.attached(bufnr)
    vim.wait(patience)
    vim.cmd.bwipeout({ bang = true })
  end
  t.edit(second .. "/main.go")
  vim.wait(300)
  t.quiet()
end)

t.done()

--- What a message brings along: the words that begin with @ in it.
local M = {}

local longest = 64 * 1024 -- bytes of one text; who wants more names the file

---@param title string
---@param language string
---@param lines string[]
---@return string
local function fenced(title, language, lines)
  local text = table.concat(lines, "\n")
  if #text > longest then
    text = vim.fn.strcharpart(text:sub(1, longest), 0, longest) .. "\n(cut here)"
  end
  local longest_run = 2
  for run in text:gmatch("`+") do
    longest_run = math.max(longest_run, #run)
  end
  local mark = ("`"):rep(longest_run + 1)
  return ("%s\n\n%s%s\n%s\n%s"):format(title, mark, language, text, mark)
end

---@param bufnr integer
---@return string
local function short(bufnr)
  return vim.fn.fnamemodify(vim.api.nvim_buf_get_name(bufnr), ":~:.")
end

---@param uri string?
---@return integer?
local function buffer_of(uri)
  local bufnr = uri and vim.fn.bufnr(vim.uri_to_fname(uri)) or -1
  return bufnr ~= -1 and vim.api.nvim_buf_is_loaded(bufnr) and bufnr or nil
end

local selection = nil ---@type { bufnr: integer, first: integer, last: integer }?

--- The lines that were selected last in the file of the conversation.
---@param uri string?
---@return integer? bufnr
---@return integer? first
---@return integer? last
local function selected(uri)
  if selection and vim.api.nvim_buf_is_loaded(selection.bufnr) then
    return selection.bufnr, selection.first, selection.last
  end
  local bufnr = buffer_of(uri)
  if bufnr then
    local first = vim.api.nvim_buf_get_mark(bufnr, "<")[1]
    local last = vim.api.nvim_buf_get_mark(bufnr, ">")[1]
    if first > 0 then
      return bufnr, first, math.min(last, vim.api.nvim_buf_line_count(bufnr))
    end
  end
end

---@alias foreword.Resolved fun(attachment: foreword.Attachment?, problem: string?)
---@alias foreword.Resolve fun(uri: string?, argument: string, done: foreword.Resolved)

---@type table<string, foreword.Resolve>
local kinds = {}

function kinds.file(uri, argument, done)
  local root = uri and require("foreword.client").root(vim.uri_to_fname(uri))
  for _, base in ipairs({ vim.fn.getcwd(), root }) do
    local path = vim.fs.normalize(argument)
    path = path:sub(1, 1) == "/" and path or base .. "/" .. path
    if vim.uv.fs_stat(path) or vim.fn.bufloaded(path) == 1 then
      return done({ uri = vim.uri_from_fname(vim.fs.normalize(vim.fn.resolve(path))) })
    end
  end
  done(nil, "there is no file " .. argument)
end

kinds.buffer = function(uri, argument, done)
  if argument ~= "" then
    return kinds.file(uri, argument, done)
  elseif not uri then
    return done(nil, "there is no file that the conversation is about")
  end
  done({ uri = uri })
end

function kinds.buffers(_, _, done)
  local client = require("foreword.client")
  local listed = vim.tbl_filter(function(bufnr)
    return vim.bo[bufnr].buflisted and vim.api.nvim_buf_is_loaded(bufnr) and client.is_file(bufnr)
  end, vim.api.nvim_list_bufs())
  if #listed == 0 then
    return done(nil, "no file is open")
  end
  local lines = vim.tbl_map(function(bufnr)
    return short(bufnr) .. (vim.bo[bufnr].modified and " (not saved)" or "")
  end, listed)
  done({ text = fenced("The open files:", "text", lines) })
end

function kinds.selection(uri, _, done)
  local bufnr, first, last = selected(uri)
  if not bufnr then
    return done(nil, "nothing was selected")
  end
  local lines = vim.api.nvim_buf_get_lines(bufnr, first - 1, last, false)
  local title = ("Lines %d to %d of %s:"):format(first, last, short(bufnr))
  done({ text = fenced(title, vim.bo[bufnr].filetype, lines) })
end

function kinds.diagnostics(uri, _, done)
  local bufnr = buffer_of(uri)
  local lines = {}
  local found = bufnr and vim.diagnostic.get(bufnr) or {}
  table.sort(found, function(a, b)
    return a.lnum < b.lnum
  end)
  for _, one in ipairs(found) do
    local severity = (vim.diagnostic.severity[one.severity] or "?"):lower()
    local message = one.message:gsub("%s+", " ")
    table.insert(
      lines,
      ("%s:%d:%d: %s: %s"):format(short(bufnr), one.lnum + 1, one.col + 1, severity, message)
    )
  end
  if #lines == 0 then
    return done(nil, "there are no diagnostics for this file")
  end
  done({ text = fenced("Problems that the editor shows:", "text", lines) })
end

function kinds.quickfix(_, _, done)
  local lines = {}
  for _, item in ipairs(vim.fn.getqflist()) do
    local where = item.bufnr > 0 and ("%s:%d: "):format(short(item.bufnr), item.lnum) or ""
    table.insert(lines, where .. item.text)
  end
  if #lines == 0 then
    return done(nil, "the quickfix list is empty")
  end
  done({ text = fenced("The quickfix list:", "text", lines) })
end

function kinds.diff(uri, _, done)
  require("foreword.chat.server").send(
    uri,
    "foreword.tools.call",
    { name = "diff", arguments = vim.empty_dict(), uri = uri },
    function(problem, result)
      if not result or result.isError then
        return done(nil, problem and problem.message or result.text)
      end
      local lines = vim.split(result.text, "\n", { plain = true })
      done({ text = fenced("What is changed and not committed:", "diff", lines) })
    end
  )
end

function kinds.symbols(uri, argument, done)
  require("foreword.chat.symbols").get(uri, function(symbols)
    if #symbols == 0 then
      return done(nil, "no language server tells the symbols of this file")
    end
    local bufnr = assert(buffer_of(uri))
    if argument ~= "" then
      for _, symbol in ipairs(symbols) do
        if symbol.name == argument then
          local lines = vim.api.nvim_buf_get_lines(bufnr, symbol.first - 1, symbol.last, false)
          local title = ("%s, lines %d to %d of %s:"):format(
            symbol.name,
            symbol.first,
            symbol.last,
            short(bufnr)
          )
          return done({ text = fenced(title, vim.bo[bufnr].filetype, lines) })
        end
      end
      return done(nil, "there is no symbol " .. argument)
    end
    local lines = vim.tbl_map(function(symbol)
      return ("%s:%d: %s %s"):format(short(bufnr), symbol.first, symbol.kind, symbol.name)
    end, symbols)
    done({ text = fenced("The symbols of the file:", "text", lines) })
  end)
end

kinds.symbol = kinds.symbols

--- The kinds that may stand behind an @.
---@return string[]
function M.kinds()
  local names = vim.tbl_keys(kinds)
  table.sort(names)
  return names
end

--- The words of a text that begin with @ and mean something: @file:PATH, @file:"A PATH", @selection.
---@param text string
---@return { label: string, kind: string, argument: string }[]
function M.references(text)
  local found, seen = {}, {}
  local at = 1
  while true do
    local first, last, kind = text:find("@(%a+)", at)
    if not first then
      return found
    end
    at = last + 1
    local before = first > 1 and text:sub(first - 1, first - 1) or " "
    if kinds[kind] and not before:match("[%w@]") then
      local argument = ""
      local _, stop, quoted = text:find('^:"([^"\n]*)"', at)
      if not stop then
        _, stop, quoted = text:find("^:(%S+)", at)
        quoted = quoted and quoted:gsub("[,;.!?)]+$", "")
      end
      if stop then
        argument, at = quoted, stop + 1
      end
      local label = "@" .. kind .. (argument ~= "" and ":" .. argument or "")
      if not seen[label] then
        seen[label] = true
        table.insert(found, { label = label, kind = kind, argument = argument })
      end
    end
  end
end

--- Resolves what a text names. What cannot be had is told, and the rest goes on.
---@param text string
---@param uri string? of the file that the conversation is about
---@param done fun(attachments: foreword.Attachment[])
function M.resolve(text, uri, done)
  local references = M.references(text)
  local attachments = {}
  local function step(i)
    local reference = references[i]
    if not reference then
      return done(attachments)
    end
    kinds[reference.kind](uri, reference.argument, function(attachment, problem)
      if attachment then
        attachment.label = reference.label
        table.insert(attachments, attachment)
      else
        require("foreword.request").tell(
          ("%s is not sent: %s"):format(reference.label, problem),
          vim.log.levels.WARN
        )
      end
      step(i + 1)
    end)
  end
  step(1)
end

--- Names a file, or lines of it, in the prompt, and opens the panel.
---@param bufnr integer
---@param lines? [integer, integer]
function M.add(bufnr, lines)
  local is_file, why_not = require("foreword.client").is_file(bufnr)
  if not is_file then
    return require("foreword.request").tell(why_not)
  end
  local word = "@file:" .. short(bufnr)
  if word:find("%s") then
    word = ('@file:"%s"'):format(short(bufnr))
  end
  if lines then
    selection = { bufnr = bufnr, first = lines[1], last = lines[2] }
    word = "@selection"
  end
  local panel = require("foreword.chat.panel")
  panel.open()
  local typed = panel.typed()
  panel.type(typed .. ((typed == "" or typed:match("%s$")) and "" or " ") .. word .. " ")
end

return M

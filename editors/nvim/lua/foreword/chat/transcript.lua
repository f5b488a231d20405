--- The buffer that holds what was said. Only what differs is written, so that no cursor or mark of the user moves.
local render = require("foreword.chat.render")

local M = {}

local name = "foreword-chat:///transcript"
local namespace = vim.api.nvim_create_namespace("foreword.chat")

---@class foreword.Block
---@field id string of the entry; "" is the head
---@field first integer its first line, from 0
---@field count integer
---@field folds [integer, integer][]

local buffer = nil ---@type integer?
local blocks = {} ---@type foreword.Block[]
local levels = nil ---@type table<integer, string>? by line; made anew when it is asked for

local pending = {} ---@type string[] text of the answer that is not written yet
local streaming = nil ---@type { id: string, kind: string }?
local timer = nil ---@type uv.uv_timer_t?

---@return integer?
function M.bufnr()
  return buffer and vim.api.nvim_buf_is_valid(buffer) and buffer or nil
end

--- Writes into the buffer, and keeps at the end the windows that were there.
---@param change fun(bufnr: integer)
local function write(change)
  local bufnr = M.bufnr()
  if not bufnr or not vim.api.nvim_buf_is_loaded(bufnr) then
    return
  end
  local last = vim.api.nvim_buf_line_count(bufnr)
  local following = vim.tbl_filter(function(window)
    return vim.api.nvim_win_get_cursor(window)[1] >= last
  end, vim.fn.win_findbuf(bufnr))
  vim.bo[bufnr].modifiable = true
  change(bufnr)
  vim.bo[bufnr].modifiable = false
  vim.bo[bufnr].modified = false
  levels = nil
  local now = vim.api.nvim_buf_line_count(bufnr)
  for _, window in ipairs(now ~= last and following or {}) do
    vim.api.nvim_win_set_cursor(window, { now, 0 })
  end
end

--- Replaces lines by others, of those only what differs.
---@param bufnr integer
---@param first integer from 0
---@param count integer
---@param lines string[]
local function replace(bufnr, first, count, lines)
  local old = vim.api.nvim_buf_get_lines(bufnr, first, first + count, false)
  local same = 0
  while same < #old and same < #lines and old[same + 1] == lines[same + 1] do
    same = same + 1
  end
  local tail = 0
  while tail < #old - same and tail < #lines - same and old[#old - tail] == lines[#lines - tail] do
    tail = tail + 1
  end
  if same == #old and same == #lines then
    return
  end
  vim.api.nvim_buf_set_lines(
    bufnr,
    first + same,
    first + count - tail,
    false,
    vim.list_slice(lines, same + 1, #lines - tail)
  )
end

---@param bufnr integer
---@param index integer of the block
---@param id string
---@param rendered foreword.Rendered
local function put(bufnr, index, id, rendered)
  local before = blocks[index - 1]
  local block = blocks[index]
  local first = before and before.first + before.count or 0
  local count = block and block.count or 0
  if not block and index == 1 then
    count = vim.api.nvim_buf_line_count(bufnr) -- the empty line of a new buffer
  end
  local moved = #rendered.lines - count
  -- Before the lines, since Neovim asks for the folds while they are written.
  blocks[index] = { id = id, first = first, count = #rendered.lines, folds = rendered.folds }
  if block and moved ~= 0 then
    for i = index + 1, #blocks do
      blocks[i].first = blocks[i].first + moved
    end
  end
  levels = nil
  replace(bufnr, first, count, rendered.lines)
  vim.api.nvim_buf_clear_namespace(bufnr, namespace, first, first + #rendered.lines)
  local heading = index == 1 and first or first + 1
  local group = ({ ["#"] = "ForewordChatTitle" })[rendered.lines[heading - first + 1]:match("^#+")]
    or "ForewordChatHeading"
  vim.api.nvim_buf_set_extmark(bufnr, namespace, heading, 0, {
    line_hl_group = group,
    virt_text = rendered.virtual and { { rendered.virtual, "ForewordChatCost" } } or nil,
    virt_text_pos = rendered.virtual and "right_align" or nil,
  })
end

---@return foreword.Conversation
local function conversation()
  return require("foreword.chat.chat").conversation
end

---@param bufnr integer
local function head(bufnr)
  put(bufnr, 1, "", render.head(conversation(), require("foreword.chat.bar").text()))
end

--- Has the windows look at the folds again: while somebody types, Neovim leaves those of other windows as they were.
function M.refold()
  for _, window in ipairs(M.bufnr() and vim.fn.win_findbuf(M.bufnr()) or {}) do
    if vim.wo[window].foldmethod == "expr" then
      vim.wo[window][0].foldmethod = "expr"
    end
  end
end

--- Moves every window of the transcript to its end.
function M.to_end()
  local bufnr = M.bufnr()
  for _, window in ipairs(bufnr and vim.fn.win_findbuf(bufnr) or {}) do
    vim.api.nvim_win_set_cursor(window, { vim.api.nvim_buf_line_count(bufnr), 0 })
  end
end

--- Writes the entries from an index on, and takes away those that are no more.
---@param from integer
function M.entries(from)
  pending, streaming = {}, nil
  write(function(bufnr)
    local entries = conversation().entries
    local begin = math.max(2, from + 1)
    if from == 0 or #blocks == 0 then
      begin = 2
    end
    head(bufnr)
    begin = math.min(begin, #blocks + 1)
    for i = begin, #entries + 1 do
      put(bufnr, i, entries[i - 1].id, render.entry(entries[i - 1]))
    end
    local last = blocks[#entries + 1]
    vim.api.nvim_buf_set_lines(bufnr, last.first + last.count, -1, false, {})
    for i = #blocks, #entries + 2, -1 do
      blocks[i] = nil
    end
  end)
  M.refold()
  if from == 0 then -- another conversation: it goes on at its end
    M.to_end()
  end
end

--- The first lines follow what the winbar shows.
function M.status()
  if #blocks > 0 then
    write(head)
  end
end

local function flush()
  local text = table.concat(pending)
  pending = {}
  local block = blocks[#blocks]
  if text == "" or not block or not streaming or block.id ~= streaming.id then
    return
  end
  write(function(bufnr)
    local row = block.first + block.count - 1
    local line = vim.api.nvim_buf_get_lines(bufnr, row, row + 1, false)[1] or ""
    local lines = vim.split((text:gsub("\r\n", "\n")), "\n", { plain = true })
    vim.api.nvim_buf_set_text(bufnr, row, #line, row, #line, lines)
    block.count = block.count + #lines - 1
  end)
end

local pause = 30 -- milliseconds between two writes: more often nobody reads, and it takes time from the keys

--- A piece of the answer that is being given.
---@param entry foreword.Entry
---@param delta foreword.Delta
function M.grown(entry, delta)
  if (delta.kind ~= "text" and delta.kind ~= "thinking") or not delta.text then
    return
  end
  if not streaming or streaming.id ~= entry.id or streaming.kind ~= delta.kind then
    -- What was begun is written as a whole, with all that came until now.
    pending = {}
    local at = require("foreword.chat.conversation").index(conversation(), entry.id)
    if at then
      M.entries(at)
      streaming = { id = entry.id, kind = delta.kind }
    end
    return
  end
  table.insert(pending, delta.text)
  timer = timer or assert(vim.uv.new_timer())
  if not timer:is_active() then
    timer:start(pause, 0, vim.schedule_wrap(flush))
  end
end

--- The entry that a line belongs to.
---@param line integer from 1
---@return foreword.Entry?
---@return integer? first line of it, from 1
function M.entry_at(line)
  for i = #blocks, 1, -1 do
    if line > blocks[i].first then
      return conversation().entries[i - 1], blocks[i].first + 1
    end
  end
end

--- The last line of an entry, from 1.
---@param id string
---@return integer
function M.last_line(id)
  for _, block in ipairs(blocks) do
    if block.id == id then
      return block.first + block.count
    end
  end
  return 0
end

--- The line of the next heading, or of the one before.
---@param line integer from 1
---@param by 1|-1
---@return integer?
function M.heading(line, by)
  local from, to = by == 1 and 1 or #blocks, by == 1 and #blocks or 1
  for i = from, to, by do
    local heading = blocks[i].first + (i == 1 and 1 or 2)
    if (by == 1 and heading > line) or (by == -1 and heading < line) then
      return heading
    end
  end
end

--- For 'foldexpr'.
---@return string
function M.foldexpr()
  if not levels then
    levels = {}
    for _, block in ipairs(blocks) do
      for _, fold in ipairs(block.folds) do
        for line = fold[1], fold[2] do
          levels[block.first + line] = line == fold[1] and ">1" or "1"
        end
      end
    end
  end
  return levels[vim.v.lnum] or "0"
end

--- The buffer, made when there is none.
---@return integer bufnr
function M.open()
  local bufnr = M.bufnr()
  if bufnr then
    if not vim.api.nvim_buf_is_loaded(bufnr) then -- :bdelete
      vim.fn.bufload(bufnr)
      blocks = {}
      M.entries(0)
    end
    return bufnr
  end
  bufnr = vim.api.nvim_create_buf(false, true)
  buffer, blocks = bufnr, {}
  vim.api.nvim_buf_set_name(bufnr, name)
  local options = vim.bo[bufnr]
  options.buftype, options.bufhidden, options.swapfile = "nofile", "hide", false
  options.undolevels = -1
  options.synmaxcol = 1000 -- a line of a megabyte must not stop the screen
  options.modifiable = false
  options.filetype = "markdown"
  M.entries(0)
  return bufnr
end

return M

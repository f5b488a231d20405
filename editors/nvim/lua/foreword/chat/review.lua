--- A change before it is made: the proposal beside the file, as Neovim's own diff, taken or refused by hunk.
local M = {}

local differ = vim.text and vim.text.diff or vim.diff

---@class foreword.Review
---@field file integer buffer of the file
---@field proposal integer buffer of what it would become
---@field tab integer
---@field taken integer hunks that were taken
---@field refused integer
---@field done fun(taken: integer, refused: integer)

local reviews = {} ---@type table<integer, foreword.Review> by both buffers

---@param bufnr integer
---@return string[]
local function lines_of(bufnr)
  return vim.api.nvim_buf_get_lines(bufnr, 0, -1, false)
end

--- The hunks: first line and count in the file, first line and count in the proposal.
---@param review foreword.Review
---@return integer[][]
local function hunks(review)
  local function text(bufnr)
    return table.concat(lines_of(bufnr), "\n") .. "\n"
  end
  return differ(text(review.file), text(review.proposal), { result_type = "indices" })
end

--- Lines of one buffer become those of the other.
---@param from integer
---@param first integer
---@param count integer
---@param to integer
---@param to_first integer
---@param to_count integer
local function copy(from, first, count, to, to_first, to_count)
  local lines = vim.list_slice(lines_of(from), first, first + count - 1)
  local at = to_count == 0 and to_first or to_first - 1
  if #lines == 0 and to_count == vim.api.nvim_buf_line_count(to) then
    lines = { "" }
  end
  vim.api.nvim_buf_set_lines(to, at, at + to_count, false, lines)
end

---@param review foreword.Review
local function finish(review)
  if reviews[review.file] ~= review then
    return
  end
  reviews[review.file], reviews[review.proposal] = nil, nil
  for _, key in ipairs({ "ga", "gr", "gA", "gR", "q" }) do
    pcall(vim.keymap.del, "n", key, { buffer = review.file })
  end
  vim.schedule(function()
    if vim.api.nvim_tabpage_is_valid(review.tab) and #vim.api.nvim_list_tabpages() > 1 then
      vim.cmd.tabclose(vim.api.nvim_tabpage_get_number(review.tab))
    end
    if vim.api.nvim_buf_is_valid(review.proposal) then
      vim.api.nvim_buf_delete(review.proposal, { force = true })
    end
    review.done(review.taken, review.refused)
  end)
end

---@param review foreword.Review
---@param hunk integer[]
---@param take boolean
local function decide(review, hunk, take)
  local first, count, new_first, new_count = unpack(hunk)
  if take then
    copy(review.proposal, new_first, new_count, review.file, first, count)
    review.taken = review.taken + 1
  else
    copy(review.file, first, count, review.proposal, new_first, new_count)
    review.refused = review.refused + 1
  end
end

--- Takes or refuses the hunk under the cursor, or all that are left.
---@param take boolean
---@param all boolean
---@return string? problem
function M.decide(take, all)
  local bufnr = vim.api.nvim_get_current_buf()
  local review = reviews[bufnr]
  if not review then
    return "no change is reviewed in this window"
  elseif take and not vim.bo[review.file].modifiable then
    return "the file cannot be changed: its buffer is not modifiable"
  end
  local left = hunks(review)
  if all then
    for i = #left, 1, -1 do -- from the end, so that the numbers before it hold
      decide(review, left[i], take)
    end
    left = {}
  else
    local line = vim.api.nvim_win_get_cursor(0)[1]
    local side = bufnr == review.file and 1 or 3
    local nearest, least = nil, math.huge
    for _, hunk in ipairs(left) do
      local first = hunk[side]
      local last = first + math.max(hunk[side + 1] - 1, 0)
      local distance = math.max(first - line, line - last, 0)
      if distance < least then
        nearest, least = hunk, distance
      end
    end
    if nearest then
      decide(review, nearest, take)
    end
    left = hunks(review)
  end
  if #left == 0 then
    return finish(review)
  end
  vim.cmd.diffupdate()
  local to = left[1][bufnr == review.file and 1 or 3]
  vim.api.nvim_win_set_cursor(0, { math.max(1, to), 0 })
end

---@param review foreword.Review
---@param bufnr integer
local function map(review, bufnr)
  local function set(key, take, all, what)
    vim.keymap.set("n", key, function()
      local problem = M.decide(take, all)
      if problem then
        require("foreword.request").tell(problem, vim.log.levels.WARN)
      end
    end, { buffer = bufnr, nowait = true, desc = "foreword: " .. what })
  end
  set("ga", true, false, "take this hunk")
  set("gr", false, false, "refuse this hunk")
  set("gA", true, true, "take all that is left")
  set("gR", false, true, "refuse all that is left")
  vim.keymap.set("n", "q", function()
    finish(review)
  end, { buffer = bufnr, nowait = true, desc = "foreword: leave the rest as it is" })
end

--- Shows a change in a tab page of its own. done is called once, with how many hunks were taken and refused; what
--- is left when the windows are closed is refused.
---@param file integer buffer
---@param lines string[] what it would become
---@param done fun(taken: integer, refused: integer)
---@return fun() close ends it
function M.open(file, lines, done)
  local proposal = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_buf_set_lines(proposal, 0, -1, false, lines)
  vim.bo[proposal].bufhidden = "hide"
  vim.bo[proposal].filetype = vim.bo[file].filetype
  vim.api.nvim_buf_set_name(
    proposal,
    ("foreword-proposal:///%d/%s"):format(
      proposal,
      vim.fs.basename(vim.api.nvim_buf_get_name(file))
    )
  )
  local review = { file = file, proposal = proposal, taken = 0, refused = 0, done = done }
  vim.cmd("tab sbuffer " .. file)
  review.tab = vim.api.nvim_get_current_tabpage()
  vim.cmd.diffthis()
  vim.cmd("rightbelow vertical sbuffer " .. proposal)
  vim.cmd.diffthis()
  for _, window in ipairs(vim.api.nvim_tabpage_list_wins(review.tab)) do
    local is_proposal = vim.api.nvim_win_get_buf(window) == proposal
    vim.wo[window][0].winbar = is_proposal
        and "proposed: ga takes a hunk, gr refuses it; gA, gR all; q leaves the rest"
      or "the file as it is"
  end
  reviews[file], reviews[proposal] = review, review
  map(review, file)
  map(review, proposal)
  local function closed()
    if reviews[file] ~= review then
      return true
    end
    local seen = vim.fn.win_findbuf(proposal)
    if #seen == 0 then
      finish(review)
      return true
    end
  end
  vim.api.nvim_create_autocmd({ "WinClosed", "TabClosed", "BufWipeout" }, {
    group = vim.api.nvim_create_augroup("foreword.review." .. proposal, { clear = true }),
    callback = function()
      vim.schedule(closed)
    end,
  })
  local first = hunks(review)[1]
  if first then
    vim.api.nvim_win_set_cursor(0, { math.max(1, first[3]), 0 })
  end
  return function()
    finish(review)
  end
end

return M

--- What is said in the transcript of a turn beside the answer, in sentences.
local M = {}

--- 12345 as 12,345.
---@param number number?
---@return string
function M.number(number)
  local text = ("%d"):format(number or 0):reverse():gsub("(%d%d%d)", "%1,"):reverse():gsub("^,", "")
  return text
end

---@param count integer
---@param one string
---@param many string
---@return string
local function plural(count, one, many)
  return ("%d %s"):format(count, count == 1 and one or many)
end

---@param uri string
---@return string
local function short(uri)
  local ok, path = pcall(vim.uri_to_fname, uri)
  return ok and vim.fn.fnamemodify(path, ":~:.") or uri
end

local gone =
  { truncated = "shortened", cleared = "cleared", pruned = "left out", dropped = "left out" }

---@param report foreword.HistoryReport
---@return string?
local function trimmed(report)
  local counts, total = {}, 0
  for _, action in ipairs(report.actions or {}) do
    local word = gone[action.kind]
    if word then
      counts[word] = (counts[word] or 0) + 1
      total = total + 1
    end
  end
  if total == 0 then
    return nil
  end
  local parts = {}
  for _, word in ipairs({ "left out", "shortened", "cleared" }) do
    if counts[word] then
      table.insert(parts, ("%d %s"):format(counts[word], word))
    end
  end
  return ("To fit the window the conversation was trimmed: %s; %s of %s tokens are sent."):format(
    table.concat(parts, ", "),
    M.number(report.after),
    M.number(report.before)
  )
end

--- What was done in a turn that the user should know.
---@param prepared foreword.PrepareTurnResult
---@param fresh table<string, boolean> ids of the messages that this turn brings
---@return string[]
function M.of(prepared, fresh)
  local notes = {}
  if prepared.epoch.status == "replaced" then
    table.insert(
      notes,
      ("The whole prompt was said anew: %s."):format(
        ((prepared.epoch.because or ""):gsub("%.$", ""))
      )
    )
  end
  if #prepared.updates > 0 then
    local keys = vim.tbl_map(function(update)
      return update.key
    end, prepared.updates)
    table.insert(
      notes,
      ("%s told to the model: %s."):format(
        plural(#keys, "change was", "changes were"),
        table.concat(keys, ", ")
      )
    )
  end
  local files = {}
  for _, injection in ipairs(prepared.injections) do
    if fresh[injection.message or ""] then
      table.insert(files, short(injection.uri))
    end
  end
  if #files > 0 then
    table.insert(notes, M.injected(files))
  end
  table.insert(notes, trimmed(prepared.history.report))
  for _, warning in ipairs(prepared.warnings) do
    table.insert(notes, "Warning: " .. warning.message)
  end
  for _, downgrade in ipairs(prepared.downgrades) do
    table.insert(notes, "Weaker than meant: " .. downgrade)
  end
  return notes
end

---@param files string[]
---@return string
function M.injected(files)
  return ("%s added: %s."):format(
    plural(#files, "instruction file was", "instruction files were"),
    table.concat(files, ", ")
  )
end

--- The names of the files of injections.
---@param injections foreword.Injection[]
---@return string[]
function M.files(injections)
  return vim.tbl_map(function(injection)
    return short(injection.uri)
  end, injections)
end

--- What a turn cost, in one line.
---@param entry foreword.Entry
---@return string?
function M.cost(entry)
  local usage = entry.usage
  if not usage then
    return nil
  end
  local parts = { M.number(usage.input) .. " tokens in", M.number(usage.output) .. " out" }
  if usage.cacheRead then
    local expected = entry.sent and entry.sent.cache.tokens or 0
    table.insert(
      parts,
      ("%s from the cache%s"):format(
        M.number(usage.cacheRead),
        expected > 0 and (" (%s expected)"):format(M.number(expected)) or ""
      )
    )
  end
  return table.concat(parts, ", ")
end

return M

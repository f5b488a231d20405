--- What goes wrong between the chat and a model.
local M = {}

---@alias foreword.ProblemKind
---| "no-curl" # There is no program curl.
---| "refused" # Nobody listens at the address.
---| "unknown-host" # The name of the host is not known.
---| "certificate" # The certificate is not trusted.
---| "cut" # The connection ended before the answer did.
---| "garbage" # What came is not what the endpoint's type says.
---| "page" # A page for people came, not an answer.
---| "endless" # One line, or the whole answer, is longer than any model says.
---| "key" # The key is missing or wrong.
---| "not-found" # The model or the address is not known there.
---| "rate" # Too many requests.
---| "server" # The endpoint itself is in trouble.
---| "request" # The endpoint refuses the request.
---| "blocked" # The provider will not answer this.
---| "empty" # Nothing was said.
---| "prepare" # The server of foreword could not prepare the request.

---@class foreword.Problem
---@field kind foreword.ProblemKind
---@field detail string what the endpoint or the system said, one line
---@field status? integer of HTTP
---@field retry_after? integer seconds for which the endpoint wants to be left alone

--- Makes one line of what an endpoint said, short enough to be shown.
---@param text string
---@return string
function M.detail(text)
  local line = vim.trim((text:gsub("%s+", " ")))
  return vim.fn.strcharlen(line) > 300 and vim.fn.strcharpart(line, 0, 300) .. "…" or line
end

---@param kind foreword.ProblemKind
---@param detail? string
---@param status? integer
---@param retry_after? integer
---@return foreword.Problem
function M.new(kind, detail, status, retry_after)
  return {
    kind = kind,
    detail = M.detail(detail or ""),
    status = status,
    retry_after = retry_after,
  }
end

--- A problem out of what pcall gave: one of ours as it is, a fault of the program as garbage with its text.
---@param caught any
---@return foreword.Problem
function M.from(caught)
  if type(caught) == "table" and caught.kind then
    return caught
  end
  return M.new("garbage", tostring(caught))
end

--- The title of a page for people, else its text.
---@param page string
---@return string
function M.title(page)
  return vim.trim(page:match("<[tT][iI][tT][lL][eE][^>]*>([^<]*)") or page:gsub("<[^>]*>", " "))
end

local sentences = {
  ["no-curl"] = "curl is needed to reach a model and was not found. Install it; the conversation is kept.",
  refused = "Nobody answers at the address of the model: %s. Is it running?",
  ["unknown-host"] = "The address of the model leads nowhere: %s.",
  certificate = "The certificate of the endpoint is not trusted: %s.",
  cut = "The connection ended before the answer did. What came of it is kept.",
  garbage = "The endpoint sent something that is no answer: %s.",
  page = "The endpoint sent a web page, not an answer: %s. Is the address right?",
  endless = "The answer did not end and was cut after %s.",
  key = "The endpoint does not accept the key: %s.",
  ["not-found"] = "The endpoint does not know the model, or the address is wrong: %s.",
  rate = "The endpoint wants fewer requests: %s.",
  server = "The endpoint is in trouble: %s.",
  request = "The endpoint refuses the request: %s.",
  blocked = "The provider does not answer this: %s.",
  empty = "The model said nothing.",
  prepare = "The prompt could not be prepared: %s.",
}

--- The sentence for people, with what can be done.
---@param problem foreword.Problem
---@return string
function M.sentence(problem)
  local detail = problem.detail:gsub("%.$", "")
  if detail == "" then
    detail = problem.status and ("status " .. problem.status) or "it said nothing more"
  elseif problem.status then
    detail = ("%d, %s"):format(problem.status, detail)
  end
  local sentence = sentences[problem.kind]:gsub("%%s", function()
    return detail
  end)
  return sentence
end

return M

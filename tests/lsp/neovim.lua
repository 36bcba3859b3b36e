-- Opens a model, and writes down what Neovim shows of it and what it has done to its text.
local client = {}
local function wait(what) assert(vim.wait(60000, what, 20), 'nothing came') end
vim.cmd('edit ' .. vim.env.MODEL)
wait(function() return #vim.diagnostic.get(0) > 0 end)
local document = { uri = vim.uri_from_bufnr(0) }
local place = { line = tonumber(vim.env.LINE), character = 8 }
local function ask(method, params)
  local answers = assert(vim.lsp.buf_request_sync(0, method, params, 60000), 'no answer')
  for _, answer in pairs(answers) do return answer.result end
end
local seen = { codes = {}, encoding = 'utf-16' }
for _, each in ipairs(vim.diagnostic.get(0)) do table.insert(seen.codes, { each.code, each.lnum, each.col }) end
seen.hover = ask('textDocument/hover', { textDocument = document, position = place }).contents.value
local actions = ask('textDocument/codeAction', {
  textDocument = document, range = { start = place, ['end'] = place }, context = { diagnostics = {} },
})
for _, action in ipairs(actions) do
  if action.title == vim.env.TITLE then
    local resolved = ask('codeAction/resolve', action)
    vim.lsp.util.apply_workspace_edit(resolved.edit, 'utf-16')
  end
end
seen.text = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n') .. '\n'
local count = #seen.codes
wait(function() return #vim.diagnostic.get(0) < count end)
seen.left = #vim.diagnostic.get(0)
-- The lens over the next link that asks.
local lens = ask('textDocument/codeLens', { textDocument = document })[1]
ask('workspace/executeCommand', lens.command)
wait(function() return #vim.diagnostic.get(0) < seen.left end)
seen.last = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n') .. '\n'
local file = io.open(vim.env.SEEN, 'w')
file:write(vim.json.encode(seen))
file:close()
vim.cmd('qa!')

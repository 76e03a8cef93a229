-- Sends the request described by the environment, each time with a random key.
local method, path, body = os.getenv("WRK_METHOD"), os.getenv("WRK_PATH"), os.getenv("WRK_BODY")
local headers, keys = {}, {}
for name, value in os.getenv("WRK_HEADERS"):gmatch("([^\n:]+): ([^\n]+)") do headers[name] = value end
if os.getenv("WRK_KEYS") ~= "" then
  for line in io.lines(os.getenv("WRK_KEYS")) do keys[#keys + 1] = "Bearer " .. line end
end
local random = path:find("{random}", 1, true)
if body == "" then body = nil end
math.randomseed(os.time())

request = function()
  if #keys > 0 then headers["Authorization"] = keys[math.random(#keys)] end
  return wrk.format(method, random and path:gsub("{random}", math.random(0, 999999)) or path, headers, body)
end

/** The word that replaces the HTTP method in the log and the statistics, as in `MCP prompts/get`. */
export const mcpMethod = 'MCP';
export const mcpPath = '/mcp';

/** The methods of the protocol that are served. */
export const mcpMethods = [
  'initialize',
  'ping',
  'server/discover',
  'prompts/list',
  'prompts/get',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'tools/list',
  'tools/call',
  'completion/complete',
  'subscriptions/listen',
];

/**
 * Returns the name under which a message is counted. Unknown methods share one name, because callers could send an unlimited number of
 * them.
 */
export function methodNameOf(message: unknown): string {
  const method = methodOf(message);
  if (method === undefined) return 'other';
  if (method.startsWith('notifications/')) return 'notifications';
  return mcpMethods.includes(method) ? method : 'other';
}

function methodOf(message: unknown): string | undefined {
  const { method }: { method?: unknown } = typeof message === 'object' && message !== null ? message : {};
  return typeof method === 'string' ? method : undefined;
}

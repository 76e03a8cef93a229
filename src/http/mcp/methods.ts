/** How calls are named in the log and the statistics: `MCP prompts/get`. */
export const mcpMethod = 'MCP';
export const mcpPath = '/mcp';

/** The methods of the protocol that are served, and whether a call may take long. */
const methods = new Map<string, { takesTurn: boolean }>([
  ['initialize', { takesTurn: false }],
  ['ping', { takesTurn: false }],
  ['server/discover', { takesTurn: false }],
  ['prompts/list', { takesTurn: true }],
  // Renders have a queue of their own.
  ['prompts/get', { takesTurn: false }],
  ['resources/list', { takesTurn: true }],
  ['resources/templates/list', { takesTurn: false }],
  ['resources/read', { takesTurn: true }],
  ['tools/list', { takesTurn: false }],
  ['tools/call', { takesTurn: true }],
  ['completion/complete', { takesTurn: true }],
  ['subscriptions/listen', { takesTurn: false }],
]);

/** The name under which a message is counted: one of a known few, because a caller could send any. */
export function methodNameOf(message: unknown): string {
  const method = methodOf(message);
  if (method === undefined) return 'other';
  if (method.startsWith('notifications/')) return 'notifications';
  return methods.has(method) ? method : 'other';
}

export function mayTakeLong(message: unknown): boolean {
  return methods.get(methodOf(message) ?? '')?.takesTurn ?? false;
}

function methodOf(message: unknown): string | undefined {
  const { method }: { method?: unknown } = typeof message === 'object' && message !== null ? message : {};
  return typeof method === 'string' ? method : undefined;
}

import { mcpMethods } from '../../../src/http/mcp/mcp-methods.ts';

/** A message to `/mcp` that no well-behaved client sends, with headers that may or may not match it. */
export interface HostileMessage {
  headers: Record<string, string>;
  body: string;
}

/** Yields messages from a member of one workspace that contain names and ids of another one. No response may contain such a name or id. */
export function* hostileMessages(count: number, seed = 1): Generator<HostileMessage> {
  const random = createRandom(seed);
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
  const maybe = <T>(share: number, make: () => T): T | undefined => (random() < share ? make() : undefined);

  const methods = [
    // A subscription does not end.
    ...mcpMethods.filter((method) => method !== 'subscriptions/listen'),
    'resources/subscribe',
    'logging/setLevel',
    'sampling/createMessage',
    'notifications/initialized',
    'notifications/cancelled',
    'tasks/list',
    '__proto__',
    'toString',
    '',
    'x'.repeat(5000),
    'prompts/\u0000get',
  ];
  const revisions = ['2026-07-28', '2025-11-25', '2025-06-18', '2024-11-05', '1999-01-01', '', 'x'.repeat(200), '2026-07-28, 2025-11-25'];
  const texts = [
    'secret',
    '',
    '\u0000',
    '\ud800',
    '../..',
    'a'.repeat(20_000),
    '{{ x }}',
    '=?base64?c2VjcmV0?=',
    "' or 1=1 --",
    '%',
    'ü👋',
  ];
  const scalars = [null, true, 0, -1, 1.5, 1e308, ...texts];
  const names = ['name', 'uri', 'cursor', 'arguments', 'ref', 'argument', 'label', 'version', 'from', 'to', 'template', 'search', '_meta'];

  const value = (depth: number): unknown => {
    const kind = random();
    if (depth <= 0 || kind < 0.6) return pick(scalars);
    if (kind < 0.8) return Array.from({ length: Math.floor(random() * 4) }, () => value(depth - 1));
    return Object.fromEntries(Array.from({ length: Math.floor(random() * 5) }, () => [pick([...names, ...texts]), value(depth - 1)]));
  };
  const meta = (): unknown =>
    pick([
      {
        'io.modelcontextprotocol/protocolVersion': pick(revisions),
        'io.modelcontextprotocol/clientCapabilities': pick([{}, null, [], { x: 1 }]),
      },
      { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' },
      { 'io.modelcontextprotocol/protocolVersion': value(2), 'io.modelcontextprotocol/clientCapabilities': {} },
      { progressToken: value(1) },
      value(2),
    ]);
  const params = (method: string): unknown => {
    const name = pick(['secret', 'own', ...texts]);
    const plausible: Record<string, unknown> = {
      'prompts/get': { name, arguments: pick([{ x: pick(texts) }, { x: value(1) }, value(2)]) },
      'tools/call': {
        name: pick([
          'list_prompts',
          'get_prompt',
          'render_prompt',
          'save_version',
          'move_label',
          'compare_versions',
          'get_results',
          ...texts,
        ]),
        arguments: pick([
          { name, label: 'production' },
          { name, variables: value(3) },
          { name, template: pick(texts), create: true },
          value(3),
        ]),
      },
      'resources/read': { uri: `promptharbor://prompts/${pick(['secret', 'secret@1', 'secret@latest', '%E0%A4', ...texts])}` },
      'completion/complete': { ref: { type: pick(['ref/prompt', 'ref/resource', 'x']), name, uri: name }, argument: { name, value: name } },
      initialize: { protocolVersion: pick(revisions), capabilities: value(1), clientInfo: value(1) },
    };
    const chosen = random() < 0.7 ? (plausible[method] ?? { cursor: pick(texts) }) : value(3);
    if (typeof chosen !== 'object' || chosen === null || Array.isArray(chosen)) return chosen;
    const extra = maybe(0.6, meta);
    return extra === undefined ? chosen : { ...chosen, _meta: extra };
  };
  const message = (): { method: unknown; params: unknown } & Record<string, unknown> => {
    const method = pick(methods);
    return {
      jsonrpc: maybe(0.05, () => pick(['1.0', 2, null])) ?? '2.0',
      id: maybe(0.1, () => pick(['a'.repeat(1000), null, 1.5, {}, -1])) ?? 1,
      method: random() < 0.95 ? method : value(1),
      params: params(method),
    };
  };
  const damage = (json: string): string => maybe(0.1, () => pick(damages)(json)) ?? json;
  const damages = [
    (json: string) => json.slice(0, Math.floor(random() * json.length)),
    (json: string) => `[${json},${json}]`,
    (json: string) => `[${Array.from({ length: 50 }, () => json.slice(0, 2000)).join(',')}]`,
    (json: string) => json.replace('"params":', '"__proto__":'),
    () => '['.repeat(600),
    () => '',
  ];
  /** Returns headers that usually match one of the two generations of the protocol, so that the service reads the message. */
  const headersFor = (sent: { method: unknown; params?: unknown }): Record<string, string> => {
    const { name, uri, _meta }: { name?: unknown; uri?: unknown; _meta?: unknown } =
      typeof sent.params === 'object' && sent.params !== null ? sent.params : {};
    const claimsModern = JSON.stringify(_meta ?? null).includes('protocolVersion');
    const fitting: Record<string, string> =
      random() < 0.9 === claimsModern
        ? { 'mcp-protocol-version': '2026-07-28', 'mcp-method': toHeader(sent.method), 'mcp-name': toHeader(name ?? uri) }
        : { accept: 'application/json, text/event-stream' };
    const odd = {
      accept: pick(['*/*', 'application/json', 'x']),
      'mcp-protocol-version': pick(revisions),
      'mcp-method': pick(['prompts/get', 'x', '']),
      'mcp-name': toHeader(pick(['secret', 'own', ...texts])),
      'mcp-session-id': toHeader(pick(texts)),
    };
    return { ...fitting, ...Object.fromEntries(Object.entries(odd).filter(() => random() < 0.1)) };
  };

  for (let index = 0; index < count; index += 1) {
    const sent = message();
    const type = maybe(0.02, () => pick(['text/plain', 'application/json; charset=x', ''])) ?? 'application/json';
    yield { headers: { 'content-type': type, ...headersFor(sent) }, body: damage(JSON.stringify(sent)) };
  }
}

/** Removes what cannot be sent as a header. */
function toHeader(value: unknown): string {
  return String(typeof value === 'string' ? value : 'x')
    .replaceAll(/[^\x20-\x7e]/g, '')
    .slice(0, 2000)
    .trim();
}

/** Returns the same numbers for the same seed, so that a failure can be repeated. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

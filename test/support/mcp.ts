import type { TestContext } from 'node:test';
import { Client, ProtocolError, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

export const eras = ['modern', 'legacy'] as const;
export type Era = (typeof eras)[number];

interface McpOptions {
  era?: Era;
  key: string;
  label?: string;
  headers?: Record<string, string>;
}

/** Connects the official client to a service, and closes it after the test. */
export async function connectMcp(t: TestContext, service: { url: string }, options: McpOptions): Promise<Client> {
  const { era = 'modern', key, label, headers } = options;
  const client = new Client({ name: 'test', version: '1.0.0' }, { ...(era === 'modern' && { versionNegotiation: { mode: 'auto' } }) });
  const url = new URL(`/mcp${label === undefined ? '' : `?label=${label}`}`, service.url);
  const transport = new StreamableHTTPClientTransport(url, { requestInit: { headers: { authorization: `Bearer ${key}`, ...headers } } });
  await client.connect(transport);
  t.after(() => client.close());
  return client;
}

/** Returns the protocol error with which a call is refused. */
export async function protocolErrorOf(call: Promise<unknown>): Promise<ProtocolError> {
  try {
    await call;
  } catch (err) {
    if (err instanceof ProtocolError) return err;
    throw err;
  }
  throw new Error('The call was not refused');
}

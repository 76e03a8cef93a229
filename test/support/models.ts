import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { after, before, describe } from 'node:test';
import { LLMock } from '@copilotkit/aimock';
import type { ModelConnection } from '../../src/contract/models.ts';
import type { ApiResponse } from './client.ts';
import { engines } from './engines.ts';
import type { Client } from './prompts.ts';
import { type Service, type ServiceOptions, startService } from './service.ts';

export const providerKey = 'sk-provider-key-that-must-not-leak-7f3a';
export const asJson = { headers: { accept: 'application/json' } };

/** Starts a service that may connect to servers on this machine. */
export function startModelService(options: ServiceOptions = {}): Promise<Service> {
  return startService({ ...options, env: { OUTBOUND_ALLOW: '127.0.0.1', ...options.env } });
}

/** Runs a suite once on each engine, with a service and a mock model server. */
export function describeWithModels(
  title: string,
  define: (parts: { service: () => Service; mock: LLMock }) => void,
  options: ServiceOptions = {},
): void {
  for (const engine of engines) {
    describe(`${title} (${engine.name})`, () => {
      const mock = new LLMock({ port: 0 });
      let service: Service | undefined;
      before(async () => {
        await mock.start();
        service = await startModelService({ ...options, engine });
      });
      after(async () => {
        await service?.close();
        await mock.stop();
      });
      define({
        mock,
        service: () => {
          assert.ok(service, 'The service starts before the first test, not while tests are declared');
          return service;
        },
      });
    });
  }
}

export async function connect(client: Client, baseUrl: string, fields: object = {}): Promise<ModelConnection> {
  connections += 1;
  const body = { name: `Connection ${connections}`, baseUrl, models: ['some-model'], apiKey: providerKey, ...fields };
  const response = await client.call('POST', '/api/models', body);
  assert.equal(response.status, 201, response.text);
  return response.body as ModelConnection;
}

let connections = 0;

/** Reads the events of a stream that has ended. */
export function readEvents({ text, status }: ApiResponse): { event: string; data: Record<string, unknown> }[] {
  assert.equal(status, 200, text);
  return parseEvents(text);
}

export function parseEvents(text: string): { event: string; data: Record<string, unknown> }[] {
  return text.split('\n\n').flatMap((block) => {
    const lines = new Map(block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]));
    const [event, data] = [lines.get('event'), lines.get('data')];
    return event !== undefined && data !== undefined ? [{ event, data: JSON.parse(data) as Record<string, unknown> }] : [];
  });
}

export interface RawServer {
  /** The base address. */
  url: string;
  close(): Promise<void>;
}

/** Starts a server that can respond in ways that no well-behaved server does. */
export async function startRawServer(respond: (req: IncomingMessage, res: ServerResponse, body: string) => void): Promise<RawServer> {
  const server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => respond(req, res, Buffer.concat(chunks).toString()));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  assert.ok(typeof address === 'object' && address !== null);
  return {
    url: `http://127.0.0.1:${address.port}/v1`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

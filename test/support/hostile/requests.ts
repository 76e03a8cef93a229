import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { type ApiResponse, call } from '../client.ts';
import type { HostileCase } from './hostile-case.ts';
import { hostileTemplates } from './templates.ts';
import { flood, times } from './times.ts';

const bothTypes = 'application/json, text/event-stream';

/** Cases that send many requests at once. The requests use only the service's time and memory, not the database. */
export const requests: Record<string, HostileCase> = {
  'slow previews': {
    attack: ({ call: send }) => {
      const { template } = hostileTemplates['nested loops'] ?? { template: '' };
      return Promise.all(flood(100, () => send('POST', '/api/render', { template })));
    },
  },
  'templates that take long to parse': {
    attack: ({ call: send }) => Promise.all(flood(30, () => send('POST', '/api/render', { template: '{{ 1 }}'.repeat(37_000) }))),
  },
  'large bodies': {
    attack: ({ call: send }) => {
      const variables = { a: times(9000, (index) => ({ index, text: 'y'.repeat(80) })) };
      return Promise.all(flood(30, () => send('POST', '/api/render', { template: '{{ a[0].text }}', variables })));
    },
  },
  'deeply nested bodies': {
    attack: ({ call: send }) => {
      const nested = JSON.parse('['.repeat(4000) + ']'.repeat(4000)) as unknown;
      return Promise.all(flood(20, () => send('POST', '/api/render', { template: '{{ a }}', variables: { a: nested } })));
    },
  },
  'a model server that sends events without end': {
    async attack({ call: send }): Promise<ApiResponse[]> {
      const server = createServer((_req, res) => res.setHeader('content-type', 'text/event-stream').end('data: {}\n\n'.repeat(20_000)));
      await once(server.listen(0, '127.0.0.1'), 'listening');
      const { port } = server.address() as AddressInfo;
      const { body } = await send('POST', '/api/models', { name: `model ${port}`, baseUrl: `http://127.0.0.1:${port}`, models: ['m'] });
      const run = { connection: (body as { id?: string }).id, model: 'm', template: 'x' };
      const responses = await Promise.all(flood(12, () => send('POST', '/api/run', run, { headers: { accept: 'application/json' } })));
      server.close().closeAllConnections();
      return responses;
    },
  },
  'messages of assistants': {
    attack: ({ call: send }) =>
      Promise.all(
        flood(100, (id) => send('POST', '/mcp', { jsonrpc: '2.0', id, method: 'tools/list' }, { headers: { accept: bothTypes } })),
      ),
  },
  'pages of the reference': {
    attack: ({ url }) => Promise.all(flood(60, (index) => call({ url }, 'GET', index % 2 === 0 ? '/docs' : '/api/openapi.json'))),
  },
  'large bodies that never end': {
    async attack({ url, token, call: send }): Promise<ApiResponse[]> {
      const { hostname, port } = new URL(url);
      const head = `POST /api/prompts HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n`;
      const sockets = times(100, () => connect(Number(port), hostname).on('error', () => undefined));
      for (const socket of sockets) socket.write(`${head}Content-Length: 1000000\r\n\r\n${' '.repeat(999_000)}`);
      const response = await send('GET', '/api/prompts');
      for (const socket of sockets) socket.destroy();
      return [response];
    },
  },
  'pipelined requests whose responses are never read': {
    async attack({ url, call: send }): Promise<ApiResponse[]> {
      const { hostname, port } = new URL(url);
      const requests = ['GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n', 'GET /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\nx'];
      const sockets = times(4, () => connect(Number(port), hostname).on('error', () => undefined));
      for (const [index, socket] of sockets.entries()) socket.pause().write(requests[index % 2]?.repeat(20_000) ?? '');
      const response = await send('GET', '/api/prompts');
      for (const socket of sockets) socket.destroy();
      return [response];
    },
  },
  'connections that send nothing': {
    async attack({ url, call: send }): Promise<ApiResponse[]> {
      const { hostname, port } = new URL(url);
      const sockets = times(300, () => connect(Number(port), hostname).on('error', () => undefined));
      const response = await send('GET', '/api/prompts');
      for (const socket of sockets) socket.destroy();
      return [response];
    },
  },
};

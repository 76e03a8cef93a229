import { connect } from 'node:net';
import { type ApiResponse, call } from '../client.ts';
import type { HostileCase } from './cases.ts';
import { hostileTemplates } from './templates.ts';

const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, index) => make(index));

/** Many requests at once. */
export const floods: Record<string, HostileCase> = {
  'registrations of an email that is taken': {
    attack: ({ url, email }) =>
      Promise.all(times(80, () => call({ url }, 'POST', '/api/auth/register', { body: { email, password: 'another long password' } }))),
  },
  'registrations of new accounts': {
    attack: ({ url, userId }) =>
      Promise.all(
        times(12, (index) =>
          call({ url }, 'POST', '/api/auth/register', { body: { email: `${userId}${index}@example.com`, password: 'a long enough one' } }),
        ),
      ),
  },
  'wrong passwords': {
    attack: ({ url, email }) =>
      Promise.all(times(80, (index) => call({ url }, 'POST', '/api/auth/token', { body: { email, password: `wrong ${index} password` } }))),
  },
  'passwords of unknown accounts': {
    attack: ({ url, userId }) =>
      Promise.all(
        times(80, (index) =>
          call({ url }, 'POST', '/api/auth/token', { body: { email: `no${index}${userId}@example.com`, password: 'a wrong password' } }),
        ),
      ),
  },
  'requests for reset links': {
    attack: ({ url, email }) =>
      Promise.all(times(60, () => call({ url }, 'POST', '/api/session/forgot-password', { body: { email }, headers: { origin: url } }))),
  },
  'slow previews': {
    attack: ({ call: send }) => {
      const { template } = hostileTemplates['nested loops'] ?? { template: '' };
      return Promise.all(times(100, () => send('POST', '/api/render', { template })));
    },
  },
  'templates that take long to parse': {
    attack: ({ call: send }) => Promise.all(times(30, () => send('POST', '/api/render', { template: '{{ 1 }}'.repeat(37_000) }))),
  },
  'large responses': {
    async prepare({ call: send }) {
      for (const index of times(8, (each) => each)) {
        await send('POST', '/api/prompts', { name: `large/${index}`, template: 'x'.repeat(256 * 1024) });
      }
    },
    attack: ({ call: send }) => Promise.all(times(60, () => send('GET', '/api/prompts?include=content'))),
  },
  'renders of large prompts': {
    async prepare({ call: send }) {
      await send('POST', '/api/prompts', { name: 'large', template: `{{ a }}${'x'.repeat(4000)}`.repeat(60) });
    },
    attack: ({ call: send }) =>
      Promise.all(times(60, () => send('POST', '/api/prompts/large/render', { variables: { a: 'y'.repeat(10_000) } }))),
  },
  'large bodies': {
    attack: ({ call: send }) => {
      const variables = { a: times(9000, (index) => ({ index, text: 'y'.repeat(80) })) };
      return Promise.all(times(30, () => send('POST', '/api/render', { template: '{{ a[0].text }}', variables })));
    },
  },
  'deeply nested bodies': {
    attack: ({ call: send }) => {
      const nested = JSON.parse('['.repeat(4000) + ']'.repeat(4000)) as unknown;
      return Promise.all(times(20, () => send('POST', '/api/render', { template: '{{ a }}', variables: { a: nested } })));
    },
  },
  'saves of one prompt': {
    async prepare({ call: send }) {
      await send('POST', '/api/prompts', { name: 'busy', template: 'x' });
    },
    attack: ({ call: send }) => Promise.all(times(60, (index) => send('POST', '/api/prompts/busy/versions', { template: `${index}` }))),
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

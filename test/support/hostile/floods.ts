import { call } from '../client.ts';
import type { HostileCase } from './hostile-case.ts';
import { flood, times } from './times.ts';

/** Cases that send many requests at once. */
export const floods: Record<string, HostileCase> = {
  'registrations of an email that is taken': {
    attack: ({ url, email }) =>
      Promise.all(times(80, () => call({ url }, 'POST', '/api/auth/register', { body: { email, password: 'another long password' } }))),
  },
  'registrations of new accounts': {
    attack: ({ url, userId }) =>
      Promise.all(
        flood(12, (index) =>
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
  'large responses': {
    async prepare({ call: send }) {
      for (const index of times(8, (each) => each)) {
        await send('POST', '/api/prompts', { name: `large/${index}`, template: 'x'.repeat(256 * 1024) });
      }
    },
    attack: ({ call: send }) => Promise.all(flood(30, () => send('GET', '/api/prompts?include=content'))),
  },
  'renders of large prompts': {
    async prepare({ call: send }) {
      await send('POST', '/api/prompts', { name: 'large', template: `{{ a }}${'x'.repeat(4000)}`.repeat(60) });
    },
    attack: ({ call: send }) =>
      Promise.all(flood(30, () => send('POST', '/api/prompts/large/render', { variables: { a: 'y'.repeat(10_000) } }))),
  },
  'saves of one prompt': {
    async prepare({ call: send }) {
      await send('POST', '/api/prompts', { name: 'busy', template: 'x' });
    },
    attack: ({ call: send }) => Promise.all(flood(60, (index) => send('POST', '/api/prompts/busy/versions', { template: `${index}` }))),
  },
  'checks of many large cases': {
    async prepare({ call: send }) {
      await send('POST', '/api/prompts', { name: 'checked', template: 'x' });
      const checks = [{ kind: 'contains', value: 'x', on: 'prompt' }];
      const variables = { numbers: times(3900, (index) => index % 10) };
      for (const part of times(10, (index) => index)) {
        const data = times(10, (index) => ({ name: `${part} ${index}`, variables, checks }));
        await send('POST', '/api/prompts/checked/cases/import', { data });
      }
    },
    attack: ({ call: send }) =>
      Promise.all(flood(12, () => send('POST', '/api/prompts/checked/checks', {}, { headers: { accept: 'application/json' } }))),
  },
  'results of many checks': {
    async prepare({ call: send }) {
      await send('POST', '/api/prompts', { name: 'checked', template: 'x' });
      const checks = Array(20).fill({ kind: 'maxCharacters', value: 1, on: 'prompt' });
      for (const part of times(5, (index) => index)) {
        const data = times(100, (index) => ({ name: `${part} ${index}`, checks }));
        await send('POST', '/api/prompts/checked/cases/import', { data });
      }
      await send('POST', '/api/prompts/checked/checks', {}, { headers: { accept: 'application/json' } });
    },
    async attack({ call: send }) {
      const list = await send('GET', '/api/prompts/checked/checks');
      const [{ id } = { id: '' }] = (list.body as { data: { id: string }[] }).data;
      return [list, ...(await Promise.all(flood(20, () => send('GET', `/api/prompts/checked/checks/${id}`))))];
    },
  },
};

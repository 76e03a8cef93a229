import type { HostileCase } from './hostile-case.ts';
import { flood, times } from './times.ts';

/** Cases that change many things at once. */
export const changes: Record<string, HostileCase> = {
  'batches of fifty prompts': {
    attack: ({ call: send }) => Promise.all(flood(12, () => send('POST', '/api/prompts/batch', { items: batchOf(50) }))),
  },
  'batches of what is there already': {
    async prepare({ call: send }) {
      await send('POST', '/api/prompts/batch', { items: sameBatch });
    },
    attack: ({ call: send }) => Promise.all(flood(4, () => send('POST', '/api/prompts/batch', { items: sameBatch, skipUnchanged: true }))),
  },
  'changes that many webhooks hear of': {
    async prepare({ call: send }) {
      await Promise.all(times(20, (index) => send('POST', '/api/webhooks', { url: `https://webhooks.invalid/${index}` })));
    },
    attack: ({ call: send }) => Promise.all(flood(8, () => send('POST', '/api/prompts/batch', { items: batchOf(50) }))),
  },
  'imports of many prompts': {
    attack: ({ call: send }) => {
      const run = Math.random();
      const prompts = (part: number) => times(60, (index) => linesOf({ name: `imported/${run}/${part}/${index}`, versions: 2, events: 4 }));
      return Promise.all(times(2, (part) => send('POST', '/api/import', undefined, importOf(prompts(part)))));
    },
  },
  'imports of a long history': {
    attack: ({ call: send }) =>
      send('POST', '/api/import', undefined, importOf([linesOf({ name: `long/${Math.random()}`, versions: 1000, events: 2000 })])).then(
        (response) => [response],
      ),
  },
  'texts with very many combining marks': {
    attack: ({ call: send }) =>
      Promise.all([
        send('POST', '/api/prompts', { name: 'marks', template: marksOf(260_000) }),
        send('POST', '/api/prompts', { name: 'marks/config', template: 'x', config: { text: marksOf(30_000) } }),
        send('POST', '/api/prompts', { name: 'marks/include', template: `{% render '${marksOf(200_000)}' %}` }),
        send('POST', '/api/prompts', { name: marksOf(260_000), template: 'x' }),
        send('POST', '/api/render', { template: 'x', name: marksOf(260_000) }),
        send('GET', `/api/prompts/${encodeURIComponent(marksOf(2000))}`),
      ]),
  },
  'imports of many cases': {
    async prepare({ call: send }) {
      await send('POST', '/api/prompts', { name: 'cases', template: 'x' });
    },
    attack: ({ call: send }) => {
      const data = times(100, (index) => ({ name: `${index}`, variables: { text: 'x'.repeat(5000) } }));
      return Promise.all(flood(4, () => send('POST', '/api/prompts/cases/cases/import', { data })));
    },
  },
};

const sameBatch = times(50, (index) => ({ name: `same/${index}`, template: 'x'.repeat(9000) }));

/** Returns marks that go above a letter and then marks that go below it. Normalization has to move the second half before the first. */
function marksOf(count: number): string {
  return '\u0301'.repeat(count / 2) + '\u0316'.repeat(count / 2);
}

function batchOf(count: number) {
  return times(count, (index) => ({ name: `batch/${index}`, template: `${Math.random()}`, labels: ['production', 'staging'] }));
}

/** Returns the lines of a prompt in an export. */
function linesOf({ name, versions, events }: { name: string; versions: number; events: number }) {
  const [at, by] = ['2026-01-01T00:00:00.000Z', { name: 'Ada', via: 'api' }];
  const idOf = (index: number) => `e_0_${index.toString().padStart(6, '0')}`;
  return [
    {
      kind: 'prompt',
      name,
      type: 'text',
      description: '',
      tags: [],
      labels: { production: 1 },
      lastVersion: versions,
      lastEvent: idOf(events - 1),
      createdAt: at,
      updatedAt: at,
    },
    ...times(versions, (index) => ({
      kind: 'version',
      version: index + 1,
      syntax: 'liquid',
      template: `${index}`,
      config: {},
      message: '',
      createdAt: at,
      by,
    })),
    ...times(events, (index) => ({ kind: 'event', id: idOf(index), type: 'described', at, by, detail: {} })),
  ];
}

function importOf(prompts: object[][]) {
  const lines = [{ format: 'promptharbor', version: 1 }, ...prompts.flat()];
  return { text: lines.map((line) => JSON.stringify(line)).join('\n'), headers: { 'content-type': 'application/x-ndjson' } };
}

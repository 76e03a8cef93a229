import type { Collection } from './collection.ts';
import { request, type Target } from './writer.ts';

interface Named {
  id: string;
  name: string;
  description: string;
}

const roles = ['viewer', 'editor', 'deployer', 'admin'];
const limit = 8;
const nthValue = (count: number) => `value ${count}`;

/** Creates a collection for each kind of item that can be created, changed and removed. `prompt` must have versions 1 to 4. */
export function createCollections(key: string, prompt: string): Collection[] {
  const send = async <T>(target: Target, method: string, path: string, body?: unknown) =>
    (await request(target, method, path, { key, ...(body !== undefined && { body }) })).body as T;
  const listBy = async <T>(target: Target, path: string, entry: (item: T) => [string, string]) =>
    new Map((await send<{ data: T[] }>(target, 'GET', path)).data.map(entry));
  const remove = (path: string) => (target: Target, id: string) => send<void>(target, 'DELETE', `${path}/${id}`);
  const patch = (path: string, toBody: (value: string) => object) => (target: Target, id: string, value: string) =>
    send<void>(target, 'PATCH', `${path}/${id}`, toBody(value));
  const post = (path: string, toBody: (value: string) => object) => async (target: Target, value: string) =>
    (await send<{ id: string }>(target, 'POST', path, toBody(value))).id;
  let names = 0;

  const labels = `/api/prompts/${prompt}/labels`;
  const putLabel = (target: Target, label: string, value: string) =>
    send<void>(target, 'PUT', `${labels}/${label}`, { version: Number(value) });
  const cases = `/api/prompts/${prompt}/cases`;
  const nowhere = 'https://nowhere.invalid/hooks';

  return [
    {
      kind: 'prompts',
      limit,
      valueOf: nthValue,
      async create(target, description) {
        names += 1;
        const name = `changing-${names}`;
        await send(target, 'POST', '/api/prompts', { name, description, template: 'x' });
        return name;
      },
      change: patch('/api/prompts', (description) => ({ description })),
      remove: remove('/api/prompts'),
      list: (target) => listBy<Named>(target, '/api/prompts?limit=100&search=changing-', ({ name, description }) => [name, description]),
    },
    {
      kind: 'labels',
      limit,
      valueOf: (count) => String(1 + (count % 4)),
      async create(target, value) {
        names += 1;
        const label = `label-${names}`;
        await putLabel(target, label, value);
        return label;
      },
      change: putLabel,
      remove: remove(labels),
      async list(target) {
        const { data } = await send<{ data: { labels: Record<string, number> }[] }>(target, 'GET', `/api/prompts?name=${prompt}`);
        const entries = Object.entries(data[0]?.labels ?? {});
        return new Map(entries.filter(([label]) => label.startsWith('label-')).map(([label, version]) => [label, String(version)]));
      },
    },
    {
      kind: 'members',
      limit,
      valueOf: (count) => roles[count % roles.length] ?? '',
      create: async (target, role) =>
        (await send<{ userId: string }>(target, 'POST', '/api/members/service-accounts', { name: 'A program', role })).userId,
      change: patch('/api/members', (role) => ({ role })),
      remove: remove('/api/members'),
      async list(target) {
        const all = await listBy<{ userId: string; role: string }>(target, '/api/members?limit=100', ({ userId, role }) => [userId, role]);
        return new Map([...all].filter(([, role]) => role !== 'owner'));
      },
    },
    {
      kind: 'webhooks',
      limit,
      valueOf: nthValue,
      create: post('/api/webhooks', (description) => ({ url: nowhere, description, enabled: false })),
      change: patch('/api/webhooks', (description) => ({ description })),
      remove: remove('/api/webhooks'),
      list: (target) => listBy<Named>(target, '/api/webhooks?limit=100', ({ id, description }) => [id, description]),
    },
    {
      kind: 'cases',
      limit,
      valueOf: nthValue,
      create: post(cases, (name) => ({ name })),
      change: patch(cases, (name) => ({ name })),
      remove: remove(cases),
      list: (target) => listBy<Named>(target, `${cases}?limit=100`, ({ id, name }) => [id, name]),
    },
    {
      kind: 'model connections',
      limit,
      valueOf: nthValue,
      create: post('/api/models', (name) => ({ name, baseUrl: nowhere, models: ['a'] })),
      change: patch('/api/models', (name) => ({ name })),
      remove: remove('/api/models'),
      list: (target) => listBy<Named>(target, '/api/models?limit=100', ({ id, name }) => [id, name]),
    },
  ];
}

import assert from 'node:assert/strict';
import type { ApiResponse } from '../../test/support/client.ts';
import type { Attacker, HostileCase } from '../../test/support/hostile/hostile-case.ts';
import { times } from '../../test/support/hostile/times.ts';
import { toLines } from '../../test/support/transfer.ts';
import { type FullWorkspace, firstRevision } from './full-workspaces.ts';

interface FullCase {
  workspace: FullWorkspace;
  attack: HostileCase['attack'];
}

const atOnce = 8;

/** The attacks that are possible with a full workspace. */
export const fullCases: Record<string, FullCase> = {
  'pages of prompts': reads('prompts', [
    '/api/prompts?limit=100',
    '/api/prompts?limit=100&sort=-updatedAt&tag=tag5&label=l5',
    '/api/prompts?limit=100&include=content&label=l5',
    '/api/prompts?limit=100&include=usage',
  ]),
  'filters that few prompts pass': reads('prompts', [
    '/api/prompts?tag=rare',
    '/api/prompts?label=rare&sort=-updatedAt',
    '/api/prompts?tag=tag5&label=none',
    '/api/prompts?folder=f9&sort=-updatedAt&tag=none',
  ]),
  'searches that find nothing': reads('prompts', ['/api/prompts?search=zzz', '/api/prompts?search=zzz&tag=tag5&label=l5&sort=-updatedAt']),
  'pages by number with filters': reads('prompts', [
    '/api/public/v2/prompts?page=199&limit=100',
    '/api/public/v2/prompts?page=190&limit=100&tag=tag5&label=l5',
    '/api/public/v2/prompts?page=199&limit=100&fromUpdatedAt=2020-01-01T00:00:00Z',
  ]),
  'catalogs for assistants': {
    workspace: 'prompts',
    attack: (attacker) =>
      all((index) =>
        index % 2 === 0
          ? askAsAssistant(attacker, 'resources/list')
          : askAsAssistant(attacker, 'prompts/list', ['l5', 'none'][(index % 4) >> 1]),
      ),
  },
  'changes of a prompt that all others include': {
    workspace: 'prompts',
    attack: ({ call }) =>
      all((index) =>
        index % 2 === 0
          ? call('POST', '/api/prompts/hub/versions', { template: `Hub {{ x }} ${Math.random()}` })
          : call('PUT', '/api/prompts/hub/labels/production', { version: 1 + (index % 3) }),
      ),
  },
  'versions, of which most are deleted': reads('versions', [
    '/api/prompts/big/versions?limit=100',
    '/api/prompts/big/history?limit=100',
    '/api/prompts?include=content',
    '/api/public/v2/prompts',
  ]),
  'exports of very many versions': {
    workspace: 'versions',
    attack: (attacker) => all(() => readStart(attacker, '/api/export', 1_000_000)),
  },
  'imports into a long history': {
    workspace: 'versions',
    attack: ({ call }) =>
      all(() => call('POST', '/api/import', undefined, { text: oneEntry(), headers: { 'content-type': 'application/x-ndjson' } })),
  },
  'streams that look for events of one prompt': {
    workspace: 'versions',
    attack: (attacker) => all(() => followFor(attacker, `/api/events?after=${firstRevision}&prompt=big`, 500)),
  },
  'a full bin': {
    workspace: 'bin',
    attack: ({ call }) =>
      all((index) =>
        index % 4 === 3
          ? call('POST', '/api/prompts/nothing/restore')
          : call('GET', `/api/prompts?deleted=true&${['limit=100', 'tag=none', 'search=zzz'][index % 4]}`),
      ),
  },
  'statistics of half a million counters': reads('calls', ['/api/stats', '/api/stats?prompt=hub', '/api/prompts?include=usage&limit=100']),
  'changes of a prompt that others include in many ways': {
    workspace: 'includes',
    attack: ({ call }) =>
      all((index) =>
        index % 2 === 0
          ? call('PUT', `/api/prompts/hub/labels/l${index}`, { version: 1 + (index % 3) })
          : call('POST', '/api/prompts/hub/versions', { template: `Hub {{ x }} ${Math.random()}` }),
      ),
  },
  'changes of a prompt that others include through others, and of settings': {
    workspace: 'levels',
    attack: ({ call }) =>
      all((index) =>
        index % 2 === 0
          ? call('PUT', '/api/prompts/hub/labels/production', { version: 1 + (index % 3) })
          : call('PATCH', '/api/workspace', { protectedLabels: [`x${index}`] }),
      ),
  },
  'what includes a prompt through others': {
    workspace: 'levels',
    attack: ({ call }) => all(() => call('GET', '/api/prompts/hub/dependents?limit=100')),
  },
  'what includes a prompt in many ways': {
    workspace: 'includes',
    attack: ({ call }) =>
      all((index) =>
        index % 2 === 0
          ? call('GET', '/api/prompts/hub/dependents?limit=100')
          : call('DELETE', `/api/prompts/hub/versions/${1 + (index % 3)}`),
      ),
  },
};

function all(send: (index: number) => Promise<ApiResponse>): Promise<ApiResponse[]> {
  return Promise.all(times(atOnce, send));
}

/** Reads several paths. Each request differs from all others, because an equal request would be served from the cache. */
function reads(workspace: FullWorkspace, paths: string[]): FullCase {
  let requests = 0;
  const makeDifferent = (path = '') => {
    requests += 1;
    return path.replace('zzz', `zzz${requests}`).replace(/limit=100|$/, (limit) => limit && `limit=${100 - (requests % 50)}`);
  };
  return { workspace, attack: ({ call }) => all((index) => call('GET', makeDifferent(paths[index % paths.length]))) };
}

function askAsAssistant({ call }: Attacker, method: string, label = 'latest'): Promise<ApiResponse> {
  const headers = { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-06-18' };
  return call('POST', `/mcp?label=${label}`, { jsonrpc: '2.0', id: 1, method, params: {} }, { headers });
}

/** Reads the beginning of a long response. The service may end the response of a slow reader when others wait for its slot. */
async function readStart({ url, token }: Attacker, path: string, bytes: number): Promise<ApiResponse> {
  const { status, headers, body } = await fetch(url + path, { headers: { authorization: `Bearer ${token}` } });
  let left = bytes;
  try {
    for await (const chunk of body ?? []) {
      left -= chunk.length;
      if (left <= 0) break;
    }
  } catch (err) {
    if (!(err instanceof TypeError)) throw err;
  }
  return { status, headers, body: undefined, text: '' };
}

/** Reads a stream for a while. The stream starts at a revision that is still known. */
async function followFor({ url, token }: Attacker, path: string, ms: number): Promise<ApiResponse> {
  const { status, headers, body } = await fetch(url + path, { headers: { authorization: `Bearer ${token}` } });
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  const timer = setTimeout(() => reader?.cancel(), ms);
  for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) assert.doesNotMatch(read.value, /"reset"/);
  clearTimeout(timer);
  return { status, headers, body: undefined, text: '' };
}

/** Returns an export with one more history entry for the prompt with very many versions. */
function oneEntry(): string {
  const id = `e_${Date.now().toString(36)}_${Math.random().toString(16).slice(2, 12).padEnd(19, '0')}`;
  const at = new Date().toISOString();
  const prompt = { kind: 'prompt', name: 'big', type: 'text', description: '', tags: [], labels: {}, lastVersion: 199_000, lastEvent: id };
  const entry = { kind: 'event', id, type: 'described', at, by: { name: 'Test', via: 'api' }, detail: {} };
  return toLines({ ...prompt, createdAt: at, updatedAt: at }, entry);
}

import { isCampaign } from '../campaign.ts';
import type { HostileCase } from './hostile-case.ts';

const large = 'x'.repeat(256 * 1024);
const count = 20;

/** Cases that read lists which would be very large without a limit. */
export const lists: Record<string, HostileCase> = {
  'a page of large prompts': {
    async prepare({ call }) {
      for (let index = 0; index < count; index += 1) await call('POST', '/api/prompts', { name: `large/${index}`, template: large });
    },
    attack: async ({ call }) => [
      ...(await Promise.all([1, 2, 3].map((round) => call('GET', `/api/prompts?include=content&limit=${100 - round}`)))),
      ...(await Promise.all([call('GET', '/api/prompts?search=xxxxxxxxy'), call('GET', '/api/prompts?search=%25_%25_x')])),
    ],
  },
  'a page of large versions': {
    async prepare({ call }) {
      await call('POST', '/api/prompts', { name: 'large', template: large });
      for (let index = 1; index < count; index += 1)
        await call('POST', '/api/prompts/large/versions', { template: `${large.slice(6)}${index}` });
    },
    attack: ({ call }) => Promise.all([1, 2, 3].map((round) => call('GET', `/api/prompts/large/versions?limit=${100 - round}`))),
  },
  'lists in bodies that are far too long': {
    attack: ({ call }) => {
      const prompt = { name: 'x', template: 'x' };
      const bodies: unknown[] = [
        { ...prompt, tags: Array(400_000).fill(1) },
        { ...prompt, labels: Array(200_000).fill('A') },
        { name: 'x', messages: Array(300_000).fill(1) },
        { name: 'x', messages: Array(20_000).fill({ role: 'user', content: 'x' }) },
        { name: 'x', messages: [Object.fromEntries(Array.from({ length: 60_000 }, (_, index) => [`f${index}`, 1]))] },
        Object.fromEntries(Array.from({ length: 60_000 }, (_, index) => [`f${index}`, 1])),
      ];
      return Promise.all(bodies.map((body) => call('POST', '/api/prompts', body)));
    },
  },
  'a comparison of large versions that have nothing in common': {
    async prepare({ call }) {
      const lines = (sign: string) => Array.from({ length: 40_000 }, (_, index) => `${sign}${index % 977}`).join('\n');
      await call('POST', '/api/prompts', { name: 'lines', template: lines('a').slice(0, 200_000) });
      await call('POST', '/api/prompts/lines/versions', { template: lines('b').slice(0, 200_000) });
    },
    attack: ({ call }) => Promise.all([1, 2, 3].map(() => call('GET', '/api/prompts/lines/diff?from=1&to=2'))),
  },
  'exports of many versions': {
    async prepare({ call }) {
      for (let round = 0; round < (isCampaign ? 20 : 7); round += 1) {
        const items = Array.from({ length: 50 }, (_, index) => ({
          name: `p${index}`,
          template: `${round} ${'x'.repeat(100)}`,
          labels: ['a'],
        }));
        await call('POST', '/api/prompts/batch', { items });
      }
    },
    attack: ({ call }) => Promise.all([1, 2, 3].map(() => call('GET', '/api/export'))),
  },
  'exports of much content': {
    async prepare({ call }) {
      for (let index = 0; index < (isCampaign ? 40 : 20); index += 1)
        await call('POST', '/api/prompts/batch', { items: [{ name: 'p', template: `${index}${large.slice(4)}` }] });
    },
    attack: ({ call }) => Promise.all([1, 2].map(() => call('GET', '/api/export'))),
  },
};

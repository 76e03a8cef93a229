import type { Attacker, HostileCase } from './hostile-case.ts';

const layers = 5;
const width = 10;
const variablesEach = 480;

/** Cases with prompts whose includes take a long time to follow. */
export const graphs: Record<string, HostileCase> = {
  'prompts that all include each other': {
    async prepare({ call }) {
      const names = Array.from({ length: 40 }, (_, index) => `circle/${index}`);
      await saveAll(
        { call },
        names.map((name, index) => ({
          name,
          template: includeAll(names.filter((other) => other !== name)) + useVariables(`c${index}x`, 400),
        })),
      );
    },
    attack: readAndRender('circle/0'),
  },
  'layers of prompts with different variables': {
    async prepare({ call }) {
      const layer = (depth: number) => Array.from({ length: width }, (_, index) => `layer/${depth}/${index}`);
      for (let depth = layers; depth >= 0; depth -= 1) {
        const prompts = layer(depth).map((name, index) => ({
          name,
          template: (depth < layers ? includeAll(layer(depth + 1)) : '') + useVariables(`l${depth}x${index}x`, variablesEach),
        }));
        await saveAll({ call }, prompts);
      }
    },
    attack: readAndRender('layer/0/0'),
  },
  'includes that pass many variables': {
    async prepare({ call }) {
      const bound = Array.from({ length: 480 }, (_, index) => `b${index}: 1`).join(', ');
      const names = Array.from({ length: 20 }, (_, index) => `bound/${index}`);
      await saveAll(
        { call },
        names.map((name, index) => ({
          name,
          template: (names[index + 1] ? `{% render '${names[index + 1]}', ${bound} %}` : '') + useVariables('b', 480),
        })),
      );
    },
    attack: readAndRender('bound/0'),
  },
};

function readAndRender(name: string): HostileCase['attack'] {
  const path = `/api/prompts/${encodeURIComponent(name)}`;
  const folder = name.split('/')[0];
  return async ({ call }) => {
    const responses = [];
    for (let round = 0; round < 2; round += 1) {
      responses.push(
        ...(await Promise.all([
          // A write between the reads prevents responses from a cache.
          call('PATCH', path, { description: `${round}` }),
          call('GET', path),
          call('GET', `/api/prompts?include=content&limit=100&folder=${folder}`),
          call('POST', `${path}/render`, { variables: {} }),
          call('POST', `${path}/versions`, { template: `{% render '${name}' %}` }),
        ])),
      );
    }
    return responses;
  };
}

async function saveAll({ call }: Pick<Attacker, 'call'>, prompts: { name: string; template: string }[]): Promise<void> {
  for (const prompt of prompts) {
    const { status, text } = await call('POST', '/api/prompts', prompt);
    if (status !== 201) throw new Error(`${prompt.name}: ${status} ${text.slice(0, 300)}`);
  }
}

function includeAll(names: string[]): string {
  return names.map((name) => `{% render '${name}' %}`).join('');
}

function useVariables(prefix: string, count: number): string {
  return Array.from({ length: count }, (_, index) => `{{${prefix}${index}}}`).join('');
}

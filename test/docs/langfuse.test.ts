import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describeOnEveryEngine, newClient } from '../support/prompts.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const text = await readFile(`${root}docs/langfuse.md`, 'utf8');
const [, settings = ''] = /^```sh\n(.*?)^```$/ms.exec(text) ?? [];

const addresses = ['LANGFUSE_BASE_URL', 'LANGFUSE_BASEURL', 'LANGFUSE_HOST'];

/** For each SDK that is installed here, a program and the row of the table with the SDK's setting for the address. */
const programs = {
  '@langfuse/client` 5': `import { LangfuseClient } from '@langfuse/client';
    const prompt = await new LangfuseClient().prompt.get('support/reply');
    console.log(prompt.compile({ customer: 'Ada' }));`,
  'langfuse` 3': `import { Langfuse } from 'langfuse';
    const prompt = await new Langfuse().getPrompt('support/reply');
    console.log(prompt.compile({ customer: 'Ada' }));`,
};

describeOnEveryEngine('docs/langfuse.md', (service) => {
  for (const [sdk, program] of Object.entries(programs)) {
    it(`\`${sdk}: its settings connect it to this service, all together and each variable of the table alone`, async () => {
      const client = await newClient(service());
      await client.create({ name: 'support/reply', template: 'Hello {{ customer }}' });
      const filled = settings
        .replaceAll('https://prompts.example.com', service().url)
        .replace('u_…', client.userId)
        .replace('ph_…', client.token);
      const [, sources = ''] = new RegExp(`\\\`${sdk} \\| (.*) \\|`).exec(text) ?? [];
      const variables = [...sources.matchAll(/`(LANGFUSE_\w+)`/g)].map(([, name]) => name);
      assert.ok(variables.length > 0);
      for (const unset of [[], ...variables.map((name) => addresses.filter((other) => other !== name))]) {
        const script = [filled, ...unset.map((name) => `unset ${name}`), `"${process.execPath}" --input-type=module --eval "$PROGRAM"`];
        const env = { PATH: process.env.PATH, PROGRAM: program };
        const { stdout } = await promisify(execFile)('sh', ['-c', script.join('\n')], { cwd: root, env });
        assert.equal(stdout.trim(), 'Hello Ada', `without ${unset.join(', ') || 'nothing'}`);
      }
    });
  }
});

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { PromptHarbor } from '../../client/src/index.ts';
import { demoPrompts } from '../../scripts/demo/prompts.ts';
import { runProgram, serveProgram, withDataDir } from '../support/process.ts';

const run = promisify(execFile);
const pathOf = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const labels = ['production', 'staging', 'canary'];

/** An application that starts from its state file, renders every prompt of the demo, and prints the requests that it has sent. */
const program = `
import { PromptHarbor } from ${JSON.stringify(pathOf('client/src/index.ts'))};
import { readFileSync } from 'node:fs';
const requests = [];
const send = globalThis.fetch;
globalThis.fetch = (input, init) => {
  requests.push(init.method + ' ' + input);
  return send(input, init);
};
const variables = JSON.parse(readFileSync('variables.json', 'utf8'));
const rendered = [];
for (const label of ${JSON.stringify(labels)}) {
  const prompts = await new PromptHarbor().prompts.load({ label, stateFile: label + '.json' });
  await prompts.close();
  requests.length = 0;
  for (const name of prompts.names) {
    const start = performance.now();
    const sync = prompts.get(name).renderSync(variables[name]);
    const ms = performance.now() - start;
    rendered.push({ label, name, source: prompts.state.source, ms, sync, result: await prompts.get(name).render(variables[name]) });
  }
}
console.log(JSON.stringify({ requests, rendered }));
`;

interface Report {
  requests: string[];
  rendered: { label: string; name: string; source: string; ms: number; sync: unknown; result: unknown }[];
}

it('renders every prompt of the demo from its state file after the service was killed, without any request', (t) =>
  withDataDir(async (dataDir) => {
    const service = await serveProgram({ DATA_DIR: dataDir, LOG_LEVEL: 'silent' });
    await run(process.execPath, [pathOf('scripts/demo.ts'), service.url]);
    const { token } = await new PromptHarbor({ baseUrl: service.url }).auth.login({
      email: 'demo@example.com',
      password: 'demo harbor password',
    });
    const env = { HOME: dataDir, PROMPTHARBOR_URL: service.url, PROMPTHARBOR_API_KEY: token };
    for (const label of labels) {
      const pulled = await runProgram(['pull', '--state', join(dataDir, `${label}.json`), '--label', label], env);
      assert.equal(pulled.code, 0, pulled.stderr);
      assert.ok(!(await readFile(join(dataDir, `${label}.json`), 'utf8')).includes(token));
    }
    const ph = new PromptHarbor({ baseUrl: service.url, apiKey: token });
    const expected = new Map<string, unknown>();
    for (const { name, labels: deployed, variables } of demoPrompts) {
      for (const label of Object.keys(deployed)) expected.set(`${name} ${label}`, await ph.prompts.render(name, { label, variables }));
    }
    await service.kill();

    await writeFile(
      join(dataDir, 'variables.json'),
      JSON.stringify(Object.fromEntries(demoPrompts.map(({ name, variables }) => [name, variables]))),
    );
    await writeFile(join(dataDir, 'program.ts'), program);
    const { stdout } = await run(process.execPath, ['program.ts'], { cwd: dataDir, env: { ...process.env, ...env } });
    const { requests, rendered } = JSON.parse(stdout) as Report;
    assert.deepEqual(requests, []);
    assert.equal(rendered.length, expected.size);
    for (const { name, label, source, sync, result } of rendered) {
      assert.equal(source, 'file');
      assert.deepEqual(sync, expected.get(`${name} ${label}`), `${name} at ${label}`);
      assert.deepEqual(result, sync);
    }
    const slowest = rendered.reduce((a, b) => (a.ms > b.ms ? a : b));
    t.diagnostic(`${rendered.length} renders, the slowest ${slowest.ms.toFixed(1)} ms: ${slowest.name} at ${slowest.label}`);
  }));

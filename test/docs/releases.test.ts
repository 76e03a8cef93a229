import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { bucketOf, hashKey } from '../../src/contract/release-assignment.ts';
import type { ReleaseFields } from '../../src/contract/releases.ts';
import { type Client, type ListBody, newClient, pathOf, type VersionBody } from '../support/prompts.ts';
import { createProgramFolder } from '../support/sdk-programs.ts';
import { type Service, startService } from '../support/service.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const text = await readFile(join(root, 'docs/releases.md'), 'utf8');
const blocksOf = (language: string) =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(([, code = '']) => code);

describe('docs/releases.md', { skip: process.platform === 'win32' }, () => {
  let service: Service;
  let client: Client;
  let folder: string;
  before(async () => {
    service = await startService();
    client = await newClient(service);
    folder = await mkdtemp(join(tmpdir(), 'promptharbor-docs-'));
    await mkdir(join(folder, 'bin'));
    const command = join(folder, 'bin/promptharbor');
    await writeFile(command, `#!/bin/sh\nexec "${process.execPath}" "${root}bin/promptharbor.js" "$@"\n`);
    await chmod(command, 0o755);
  });
  after(async () => {
    await rm(folder, { recursive: true });
    await service.close();
  });

  /** Runs a block as it is printed, in a shell that knows the address and the key. */
  async function run(code: string): Promise<{ stdout: string; stderr: string }> {
    const env = {
      PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
      ...{ HOME: folder, PROMPTHARBOR_URL: service.url, PROMPTHARBOR_API_KEY: client.token },
    };
    return promisify(execFile)('sh', ['-ec', code.replaceAll('http://localhost:3000', service.url)], { env, cwd: folder });
  }
  const getRelease = () => client.get<ReleaseFields>(pathOf('support/triage', '/labels/production/release'));

  it('its commands work in order, as they are printed', async () => {
    const [create = '', save = '', start = '', read = '', render = '', show = '', ...more] = blocksOf('sh');
    for (const code of [create, save, start]) await run(code);
    const started = await getRelease();
    assert.deepEqual([started.control, started.arms, started.steps], [1, [{ version: 2, weight: 500 }], [2500, 5000, 10_000]]);
    const responses = (await run(read)).stdout.replaceAll('}{', '}\n{').split('\n');
    const reads = responses.map((json) => JSON.parse(json) as VersionBody & { release: { id: string; arm: string; reason: string } });
    assert.equal(reads[0]?.release.reason, 'SPLIT');
    assert.deepEqual([reads[1]?.version, reads[1]?.release], [2, { id: started.id, arm: 'v2', reason: 'RULE' }]);
    const [example = '{}'] = blocksOf('json');
    const printed = JSON.parse(example) as (typeof reads)[0];
    assert.deepEqual(
      { ...printed, release: { ...printed?.release, id: started.id } },
      {
        name: reads[1]?.name,
        version: reads[1]?.version,
        release: reads[1]?.release,
      },
    );
    assert.match(JSON.parse((await run(render)).stdout).text, /Where is my order\?$/);
    assert.equal((JSON.parse((await run(show)).stdout) as ReleaseFields).id, started.id);
    const [commands = '', rollback = '', statistics = '', evaluate = ''] = more;
    const { stdout, stderr } = await run(commands);
    assert.match(stdout, /the release on production is running/);
    assert.match(stderr, /Version 2 gets 25%/);
    assert.match(stderr, /A release chose version 2 \(v2\) by a rule\./);
    assert.match(stderr, /production is now version 2\./);
    assert.match((await run(rollback)).stderr, /was rolled back\. All callers get version 2\./);
    const numbers = JSON.parse(`[${(await run(statistics)).stdout.replace('}{', '},{')}]`) as {
      releases: { label: string; state: string }[];
    }[];
    const ended = ['production', 'rolled_back'];
    assert.deepEqual(
      numbers.map(({ releases }) => releases.map(({ label, state }) => [label, state])),
      [[ended], [ended]],
    );
    const flag = JSON.parse((await run(evaluate)).stdout) as { value: string; reason: string; variant: string };
    assert.deepEqual([flag.reason, flag.variant], ['STATIC', 'v2']);
    assert.equal(flag.value, (await client.get<VersionBody>(pathOf('support/triage'))).template);
    assert.equal(more.length, 4, 'every block is run');
    const { data } = await client.get<ListBody<{ type: string }>>(pathOf('support/triage', '/history?limit=100'));
    for (const type of ['started', 'widened', 'paused', 'resumed', 'finished', 'rolled_back'])
      assert.ok(
        data.some((entry) => entry.type === `release_${type}`),
        type,
      );
  });

  it('its program reads a flag with the official client of OpenFeature', async (t) => {
    const programs = createProgramFolder();
    t.after(programs.remove);
    await client.call('PUT', pathOf('support/triage', '/labels/production/release'), {
      ...{ control: 2, arms: [{ version: 1, weight: 0 }] },
      rules: [{ if: { plan: ['internal'] }, version: 1 }],
    });
    const [program = ''] = blocksOf('ts');
    const { stdout } = await programs.run(program, { PROMPTHARBOR_URL: service.url, PROMPTHARBOR_API_KEY: client.token });
    assert.equal(stdout, 'Sort this request from {{ customer }} by urgency: {{ request }} v1 TARGETING_MATCH\n');
  });

  it('publishes the hash with test values', () => {
    const rows = [...text.matchAll(/^\| `(.+)` \| `(.+)` \| (\d+) \| (\d+) \|$/gm)];
    assert.equal(rows.length, 4);
    for (const [, salt = '', key = '', hash, bucket] of rows) {
      assert.deepEqual([hashKey(salt, key), bucketOf(salt, key)], [Number(hash), Number(bucket)]);
    }
  });
});

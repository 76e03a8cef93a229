import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Proposal } from '../../src/contract/proposals.ts';
import { type Client, type ListBody, newClient, pathOf, type VersionBody } from '../support/prompts.ts';
import { type Service, startService } from '../support/service.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const text = await readFile(join(root, 'docs/proposals.md'), 'utf8');
const blocks = [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, code = '']) => code);

describe('docs/proposals.md', { skip: process.platform === 'win32' }, () => {
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
  async function run(code: string): Promise<string> {
    const env = {
      PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
      ...{ HOME: folder, PROMPTHARBOR_URL: service.url, PROMPTHARBOR_API_KEY: client.token },
    };
    const { stdout } = await promisify(execFile)('sh', ['-ec', code.replaceAll('http://localhost:3000', service.url)], {
      env,
      cwd: folder,
    });
    return stdout;
  }

  it('its commands work in order, as they are printed, and nothing goes live', async () => {
    const [create = '', rule = '', propose = '', schedule = '', candidate = '', list = '', comment = '', ci = '', ...more] = blocks;
    assert.deepEqual(more, [], 'every block is run');
    await run(create);
    const { labelRules } = JSON.parse(await run(rule)) as { labelRules: unknown };
    assert.deepEqual(labelRules, { production: { approvals: 1, authorMayApprove: false, keysMayApply: false, override: 'admin' } });
    await run(propose);
    const [opened] = (await client.get<ListBody<Proposal>>('/api/proposals')).data;
    assert.deepEqual([opened?.message, opened?.changes[0]?.version], ['Shorter answers', 2]);
    assert.equal((JSON.parse(await run(schedule)) as Proposal).applyAt, '2099-01-05T08:00:00.000Z');
    assert.match((JSON.parse(await run(candidate)) as { id: string }).id, /^cand_/);
    assert.equal((await run(list)).match(/^prop_/gm)?.length, 2);
    assert.equal((JSON.parse(await run(comment)) as { version: number }).version, 2);
    const { url, id } = JSON.parse(await run(ci)) as Proposal & { url: string };
    assert.ok(url.startsWith(`${service.url}/dashboard/proposals/${id}`));
    assert.equal((await client.get<VersionBody>(pathOf('support/triage'))).version, 1);
  });
});

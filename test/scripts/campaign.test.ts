import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parseSettings, UsageError } from '../../campaigns/lib/settings.ts';

const program = fileURLToPath(new URL('../../campaigns/main.ts', import.meta.url));
const start = (...args: string[]) => spawnSync(process.execPath, [program, ...args], { encoding: 'utf8' });

describe('npm run campaign', () => {
  it('without arguments, lists the campaigns instead of starting one, and reports unknown arguments', async () => {
    const { status, stdout } = start();
    assert.equal(status, 0);
    const names = [...stdout.matchAll(/^ {2}(\w+) {2}/gm)].map(([, name]) => name);
    assert.ok(names.includes('durability') && names.includes('failover'), stdout);
    assert.equal(start('failover', '--help').stdout, stdout);
    const document = await readFile(new URL('../../docs/campaigns.md', import.meta.url), 'utf8');
    for (const name of names) assert.ok(document.includes(`npm run campaign -- ${name}`), `docs/campaigns.md describes ${name}`);
    for (const args of [['nothing'], ['streams', '5'], ['durability', 'many'], ['durability', '0'], ['failover', '--fault=none']]) {
      const { status, stderr } = start(...args);
      assert.equal(status, 2, args.join(' '));
      assert.match(stderr, /^(There is no|streams takes no|The size has to be|--fault is one of)/);
    }
  });

  it('accepts a size and a seed, and returns the command that repeats the run', () => {
    const settings = parseSettings('upgrade', ['3', '--seed=7', '--from=v1'], { wholeSize: 10, options: ['from'] });
    assert.equal(settings.repeat, 'npm run campaign -- upgrade 3 --from=v1 --seed=7');
    assert.equal(settings.isDocumented, false);
    const again = parseSettings('upgrade', ['--seed=7'], { wholeSize: 10 });
    assert.equal(again.random.below(1e9), settings.random.below(1e9));
    assert.equal(parseSettings('upgrade', [], { wholeSize: 10 }).isDocumented, true);
    assert.throws(() => parseSettings('upgrade', ['1', '2'], { wholeSize: 10 }), UsageError);
    assert.throws(() => parseSettings('upgrade', ['--nothing=1'], { wholeSize: 10 }), UsageError);
  });
});

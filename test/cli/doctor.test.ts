import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { runProgram, withDataDir } from '../support/process.ts';

describe('promptharbor doctor', () => {
  it('exit 0 when all is well', () =>
    withDataDir(async (dataDir) => {
      const { code, stdout } = await runProgram(['doctor'], { DATA_DIR: dataDir });
      assert.equal(code, 0, stdout);
      assert.match(stdout, /^ok {6}settings: /);
      assert.doesNotMatch(stdout, /FAILED/);
    }));

  it('exit 1 with what is wrong: settings, data folder, secret', () =>
    withDataDir(async (dataDir) => {
      assert.equal((await runProgram(['doctor'], { DATA_DIR: dataDir })).code, 0);
      await writeFile(join(dataDir, 'file'), '');
      for (const [env, expected] of [
        [{ PORT: 'x', LOG_LEVEL: 'y' }, /^FAILED {2}settings: Invalid settings:\n {2}PORT: .*\n {2}LOG_LEVEL: /],
        [{ DATA_DIR: join(dataDir, 'file') }, /FAILED {2}database and secret: Cannot write to/],
        [
          { DATA_DIR: dataDir, SECRET_KEY: 'not the secret of this database, no' },
          /FAILED {2}database and secret: The secret does not fit/,
        ],
      ] as const) {
        const { code, stdout } = await runProgram(['doctor'], env);
        assert.equal(code, 1);
        assert.match(stdout, expected);
      }
    }));
});

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';

const root = new URL('../../../', import.meta.url);

/** Only these files may yield to the event loop. All other code relies on queues, slots, threads and small limits. */
const places = [
  'src/domain/access-watch.ts',
  'src/domain/outbound/paced-socket.ts',
  'src/domain/templates/main-thread-jobs.ts',
  'src/http/fast-path/fast-path.ts',
  'src/http/pipelining.ts',
];

describe('The event loop', () => {
  it('is of no concern to most code', () => {
    const files = globSync('src/**/*.ts', { cwd: root }).filter((file) => !file.startsWith('src/platform/scheduling/'));
    const found = files.filter((file) => /\b(setImmediate|scheduler\.yield)\b/.test(readFileSync(new URL(file, root), 'utf8')));
    assert.deepEqual(found.sort(), places);
  });
});

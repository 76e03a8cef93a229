import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { engines } from '../support/engines.ts';
import { type ServedProgram, serveProgram } from '../support/process.ts';
import { createRandom } from '../support/random.ts';
import { compare } from '../support/writers/collection.ts';
import { killUnderWrites } from '../support/writers/kill-round.ts';
import { startWriters } from '../support/writers/start-writers.ts';
import { createVersionLog } from '../support/writers/versions.ts';

// `npm run campaign -- durability` kills more often.
const kills = 1;

describe('kill -9 under writes of every kind', { concurrency: true }, () => {
  for (const engine of engines) {
    it(`loses nothing acknowledged, has one key, skips no number and repeats no revision (${engine.name})`, async (t) => {
      const random = createRandom();
      t.diagnostic(`PROMPTHARBOR_SEED=${random.seed}`);
      const database = await engine.createMigrated();
      const serve = () => serveProgram({ ...database.env, LOG_LEVEL: 'error' });
      let service: ServedProgram = await serve();
      t.after(async () => {
        await service.kill();
        await database.remove();
      });
      const writers = await startWriters(service, random);
      for (let kill = 0; kill < kills; kill += 1) {
        const round = await killUnderWrites(service, { writers, random, serve });
        service = round.service;
        assert.deepEqual(round.problems, []);
      }
    });
  }
});

describe('the check after a kill', () => {
  const known = new Map([
    ['a', '1'],
    ['b', '2'],
  ]);
  const check = (stored: Record<string, string>, pending?: { id?: string; value?: string }) =>
    compare({ known, stored: new Map(Object.entries(stored)), pending });

  it('accepts what was acknowledged, with or without the change in flight', () => {
    assert.deepEqual(check({ a: '1', b: '2' }, { id: 'a', value: '3' }), []);
    assert.deepEqual(check({ a: '3', b: '2' }, { id: 'a', value: '3' }), []);
    assert.deepEqual(check({ b: '2' }, { id: 'a' }), []);
    assert.deepEqual(check({ a: '1', b: '2', c: '3' }, { value: '3' }), []);
  });

  it('finds items that are lost, revived, changed or duplicated', () => {
    assert.equal(check({ a: '1' }).length, 1);
    assert.equal(check({ a: '1', b: '2', c: '3' }).length, 1);
    assert.equal(check({ a: '1', b: '1' }, { id: 'a', value: '1' }).length, 1);
    assert.equal(check({ a: '1', b: '2', c: '3', d: '3' }, { value: '3' }).length, 1);
  });

  it('finds versions that are lost, skipped, saved twice or overwritten', () => {
    const verify = (...stored: [number, string][]) => {
      const log = createVersionLog();
      for (const template of ['x', 'y', 'z']) log.attempted.add(template);
      log.acknowledge(2, 'x');
      return log.verify(stored.map(([version, template]) => ({ version, template })));
    };
    assert.deepEqual(verify([2, 'x'], [3, 'z'], [4, 'y']), []);
    assert.match(verify()[0] ?? '', /2 is lost/);
    assert.match(verify([2, 'x'], [4, 'y'])[0] ?? '', /4 follows 2/);
    assert.match(verify([2, 'x'], [3, 'x'])[0] ?? '', /saved twice/);
    assert.match(verify([2, 'y'])[0] ?? '', /2 is y and was x/);
  });
});

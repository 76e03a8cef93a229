import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { call, register } from '../test/support/client.ts';
import type { Random } from '../test/support/random.ts';
import { conclude, print } from './lib/report.ts';
import { parseSettings } from './lib/settings.ts';
import { assertChecksRun, assertWhole, save, saveUntilRefused } from './release/assertions.ts';
import { buildNextImage, type Executable, findFile, release, settings, useExecutable, usePackage } from './release/forms.ts';
import { createVolume, runInImage, serveImage, unpackImage } from './release/image.ts';
import { findDifferences } from './release/rebuild.ts';
import { type Replacements, replaceUnderLoad } from './release/replace-under-load.ts';

interface Plan {
  /** A folder for data, and for what is unpacked. */
  folder: string;
  executable: Executable;
  /** How often each form is replaced by the next. */
  replacements: number;
  random: Random;
}

/**
 * Uses the files in dist/release as an operator would, with neither Node nor npm on the path: replaces one form with another under load,
 * kills the service under writes, backs up and restores. Then builds the release again, elsewhere. Run `npm run dist` first.
 */
export async function run(args: string[]): Promise<void> {
  const campaign = parseSettings('release', args, { wholeSize: 2 });
  const startedAt = performance.now();
  print(`Seed ${campaign.random.seed}`);
  const executable = useExecutable(findFile(new RegExp(`-${process.platform}-${process.arch}(?:\\.exe)?$`)));
  const folder = mkdtempSync(join(tmpdir(), 'promptharbor-release-'));
  // The image runs as another user.
  chmodSync(folder, 0o755);
  const plan = { folder, executable, replacements: campaign.size, random: campaign.random };
  try {
    execFileSync('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: release });
    print('the checksums are right');
    const [, commit = ''] = /^\d+\.\d+\.\d+ \(executable, commit ([0-9a-f]{40})\)\n$/.exec(executable.run(folder, '--version')) ?? [];
    assert.notEqual(commit, '', 'The release was not built in a clone.');

    await runExecutable(plan);
    const replaced = new Map([['the npm package and the executable', await replaceForms(plan)]]);
    if (process.platform === 'linux') replaced.set('an image and the next one', await replaceImages(plan));
    const differences = await findDifferences(release, commit);
    print(`built again: ${differences.length === 0 ? 'identical' : 'different'}`);

    await conclude(campaign, {
      marker: 'release',
      summary: `${campaign.size} replacements of each kind`,
      startedAt,
      header: ['replaced under load', 'key resets', 'label moves', 'other writes', 'without a response', 'problems'],
      rows: [...replaced].map(([forms, { resets, moves, writes, unanswered, problems }]) => [
        ...[forms, resets, moves, writes, unanswered.length, problems.length],
      ]),
      problems: [
        ...[...replaced].flatMap(([forms, { problems }]) => problems.map((problem) => `${forms}: ${problem}`)),
        ...differences.map((line) => `differs in the second build: ${line}`),
      ],
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Serves, renders, runs checks, is killed under writes, backs up and restores. */
async function runExecutable({ folder, executable }: Plan): Promise<void> {
  const data = join(folder, 'executable');
  let service = await executable.serve(data);
  const { token: key } = await register(service);
  await save(service.url, key, 'before');
  await assertWhole(service.url, key, ['before']);
  await assertChecksRun(service.url, key);
  print('rendered in a child process, and ran a check with a model');

  const file = join(folder, 'backup.db');
  executable.run(data, 'backup', file);
  executable.run(data, 'doctor', file);
  const acknowledged = ['before'];
  const writing = saveUntilRefused(service.url, key, acknowledged);
  while (acknowledged.length < 50) await new Promise((next) => setImmediate(next));
  await service.kill();
  await writing;
  service = await executable.serve(data);
  await assertWhole(service.url, key, acknowledged);
  print(`killed under writes: all ${acknowledged.length} acknowledged prompts are there`);

  assert.deepEqual(await service.stop(), []);
  executable.run(data, 'restore', file, '--accept-old-keys');
  service = await executable.serve(data);
  await assertWhole(service.url, key, ['before']);
  assert.equal((await call(service, 'GET', `/api/prompts/${acknowledged.at(-1)}`, { key })).status, 404);
  assert.deepEqual(await service.stop(), []);
  print('backed up and restored');
}

async function replaceForms({ folder, executable, replacements, random }: Plan): Promise<Replacements> {
  const data = join(folder, 'forms');
  const servePackage = await usePackage(findFile(/^promptharbor-\d.*\.tgz$/), join(folder, 'package'));
  const forms = [() => servePackage(data), () => executable.serve(data)];
  const result = await replaceUnderLoad(alternate(forms, replacements), random);
  print('replaced the npm package by the executable and back, under load');
  return result;
}

async function replaceImages({ folder, replacements, random }: Plan): Promise<Replacements> {
  const image = unpackImage(findFile(/\.image\.tar$/), join(folder, 'image'));
  const next = await buildNextImage(join(folder, 'next'));
  const volume = createVolume(join(folder, 'volume'), image);
  assert.match(runInImage(image, volume, settings, '--version'), /\(image, commit [0-9a-f]{40}\)\n$/);
  const forms = [image, next].map((each) => () => serveImage(each, volume, settings));
  const result = await replaceUnderLoad(alternate(forms, replacements), random);
  assert.match(runInImage(next, volume, settings, 'doctor'), /^ok {6}database and secret: the schema is up to date/m);
  print('replaced an image by the next one and back, under load, without privileges and on a read-only root');
  return result;
}

/** Returns the forms in turn, one more of them than there are replacements. */
function alternate<T>(forms: T[], replacements: number): T[] {
  return Array.from({ length: replacements + 1 }, (_each, index) => forms[index % forms.length]).filter((form) => form !== undefined);
}

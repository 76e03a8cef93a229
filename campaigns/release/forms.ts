import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { buildExecutable } from '../../scripts/release/executable.ts';
import { createImage } from '../../scripts/release/image.ts';
import { linkProductionDependencies } from '../../test/support/packages/link-dependencies.ts';
import { UsageError } from '../lib/settings.ts';
import { type Image, unpackImage } from './image.ts';
import { awaitService, type Served } from './serve.ts';

export const release = resolve('dist/release');

/** Settings of a service in this campaign. The path contains neither Node nor npm. */
export const settings = {
  PATH: '/nonexistent',
  HOST: '127.0.0.1',
  PORT: '0',
  LOG_LEVEL: 'error',
  OUTBOUND_ALLOW: '127.0.0.1',
  WRITE_LIMIT_PER_MINUTE: 'off',
};

export interface Executable {
  serve(dataDir: string): Promise<Served>;
  /** Runs a command, and returns its output. */
  run(dataDir: string, ...args: string[]): string;
}

/** Returns the path of a file of the release. */
export function findFile(pattern: RegExp): string {
  const name = existsSync(release) ? readdirSync(release).find((file) => pattern.test(file)) : undefined;
  if (name === undefined) throw new UsageError('Run `npm run dist` first.');
  return join(release, name);
}

export function useExecutable(file: string): Executable {
  const envOf = (dataDir: string) => ({ ...settings, DATA_DIR: dataDir });
  return {
    serve: (dataDir) => awaitService(spawn(file, ['serve'], { env: envOf(dataDir), stdio: ['ignore', 'pipe', 'pipe'] })),
    run: (dataDir, ...args) => execFileSync(file, args, { env: envOf(dataDir), encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }),
  };
}

/** Unpacks the npm package, and returns a function that serves it. The package uses the dependencies of this clone. */
export async function usePackage(file: string, folder: string): Promise<(dataDir: string) => Promise<Served>> {
  mkdirSync(folder);
  execFileSync('tar', ['-xf', file, '-C', folder]);
  await linkProductionDependencies(join(folder, 'package'));
  const program = join(folder, 'package/bin/promptharbor.js');
  return (dataDir) =>
    awaitService(
      spawn(process.execPath, [program, 'serve'], { env: { ...settings, DATA_DIR: dataDir }, stdio: ['ignore', 'pipe', 'pipe'] }),
    );
}

/** Builds and unpacks the image of a later version that has the same code. */
export async function buildNextImage(folder: string): Promise<Image> {
  // The file is this clone's own package.json.
  const fields = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  const version = fields.version.replace(/\d+$/, (patch) => String(Number(patch) + 1));
  mkdirSync(folder);
  const [packageJson, executable, archive] = ['package.json', 'promptharbor', 'image.tar'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  writeFileSync(packageJson, JSON.stringify({ ...fields, version }));
  await buildExecutable({ work: join(folder, 'work'), output: executable, node: process.execPath, packageJson });
  writeFileSync(archive, createImage({ executable, version, commit: 'unknown' }));
  const image = unpackImage(archive, join(folder, 'image'));
  assert.ok(execFileSync(executable, ['--version'], { encoding: 'utf8' }).startsWith(version));
  return image;
}

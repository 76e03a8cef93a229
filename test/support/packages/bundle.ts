import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type InputOptions, rolldown } from 'rolldown';
import { externalPackages } from '../../../scripts/external-packages.ts';
import { children, threads } from '../../../src/platform/programs.ts';
import { bundledPackages, bundleNameOf, bundlesFolder } from './use-bundles.ts';

const root = join(import.meta.dirname, '../../..');

export async function bundlePackages(): Promise<void> {
  const input = Object.fromEntries(bundledPackages.map((name) => [bundleNameOf(name), name]));
  await bundle(bundlesFolder, { input, cwd: import.meta.dirname });
}

/** The programs of tests that run the service from its source. */
const testPrograms = { 'stepping-process': 'test/support/stepping-process.ts', 'webhook-instance': 'test/support/webhook-instance.ts' };

/**
 * Bundles the service's threads and child processes into a new folder, whose path is returned. The folder is inside the package, because
 * child processes may read only that.
 */
export async function bundlePrograms(): Promise<string> {
  const folder = await mkdtemp(join(bundlesFolder, '../bundled-programs-'));
  await bundle(folder, { input: { ...threads, ...children }, cwd: root, external: externalPackages });
  // The code of these bundles looks for the package's files where it would look from its source.
  const define = { 'import.meta.url': JSON.stringify(pathToFileURL(join(root, 'src/root.ts'))) };
  await bundle(folder, { input: testPrograms, cwd: root, external: externalPackages, transform: { define } }, false);
  return folder;
}

async function bundle(dir: string, options: InputOptions, cleanDir = true): Promise<void> {
  // The log is discarded, because it only reports circular imports inside packages.
  const build = await rolldown({ platform: 'node', onLog: () => undefined, ...options });
  await build.write({ dir, format: 'esm', cleanDir });
  await build.close();
}

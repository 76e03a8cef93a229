import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { type InputOptions, rolldown } from 'rolldown';
import { externalPackages } from '../../../scripts/external-packages.ts';
import { children, threads } from '../../../src/platform/programs.ts';
import { bundledPackages, bundleNameOf, bundlesFolder } from './use-bundles.ts';

const root = join(import.meta.dirname, '../../..');

export async function bundlePackages(): Promise<void> {
  const input = Object.fromEntries(bundledPackages.map((name) => [bundleNameOf(name), name]));
  await bundle(bundlesFolder, { input, cwd: import.meta.dirname });
}

/**
 * Bundles the service's threads and child processes into a new folder, whose path is returned. The folder is inside the package, because
 * child processes may read only that.
 */
export async function bundlePrograms(): Promise<string> {
  const folder = await mkdtemp(join(bundlesFolder, '../bundled-programs-'));
  await bundle(folder, { input: { ...threads, ...children }, cwd: root, external: externalPackages });
  return folder;
}

async function bundle(dir: string, options: InputOptions): Promise<void> {
  // The log is discarded, because it only reports circular imports inside packages.
  const build = await rolldown({ platform: 'node', onLog: () => undefined, ...options });
  await build.write({ dir, format: 'esm', cleanDir: true });
  await build.close();
}

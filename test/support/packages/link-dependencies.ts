import { readFileSync } from 'node:fs';
import { mkdir, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Links the production dependencies from this repository, because tests must not need a registry. */
export async function linkProductionDependencies(folder: string): Promise<void> {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean; optional?: boolean; link?: boolean }>;
  };
  for (const [path, { dev, optional, link }] of Object.entries(packages)) {
    // A nested package is linked together with its parent.
    if (dev || optional || link || !/^node_modules\/(?:@[^/]+\/)?[^/]+$/.test(path)) continue;
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await symlink(join(root, path), join(folder, path), 'junction');
  }
}

import { rolldown } from 'rolldown';
import { bundledPackages, bundleNameOf, bundlesFolder } from './use-bundles.ts';

export async function bundlePackages(): Promise<void> {
  const bundle = await rolldown({
    input: Object.fromEntries(bundledPackages.map((name) => [bundleNameOf(name), name])),
    cwd: import.meta.dirname,
    platform: 'node',
    // Ignores reports of circular imports inside a package.
    onLog: () => undefined,
  });
  await bundle.write({ dir: bundlesFolder, format: 'esm', cleanDir: true });
  await bundle.close();
}

import { existsSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

// This file is imported before a test file. This file replaces packages that consist of hundreds of small files with the bundles that were
// made at the start of the run. Without bundles, finding and linking the small files takes half a second of CPU time in each test process.

export const bundlesFolder = join(import.meta.dirname, '../../../node_modules/.cache/bundled-packages');
export const bundledPackages = ['typebox', 'typebox/compile', 'typebox/schema', 'typebox/system', 'kysely'];

export function bundleNameOf(name: string): string {
  return name.replace('/', '-');
}

const urls = new Map(
  bundledPackages
    .map((name) => [name, join(bundlesFolder, `${bundleNameOf(name)}.js`)] as const)
    // A package without a bundle is imported as usual.
    .filter(([, file]) => existsSync(file))
    .map(([name, file]) => [name, pathToFileURL(file).href]),
);

registerHooks({
  resolve(specifier, context, next) {
    const url = urls.get(specifier);
    return url === undefined ? next(specifier, context) : { url, format: 'module', shortCircuit: true };
  },
});

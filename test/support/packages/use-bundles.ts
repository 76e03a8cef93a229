import { existsSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

// Imported before a test file: packages of hundreds of small files are imported from the bundles that the run began with. Finding and
// linking the small files takes half a second of CPU, in each of the processes that the files of the suite run in.

export const bundlesFolder = join(import.meta.dirname, '../../../node_modules/.cache/bundled-packages');
export const bundledPackages = ['typebox', 'typebox/compile', 'typebox/schema', 'typebox/system', 'kysely'];

export function bundleNameOf(name: string): string {
  return name.replace('/', '-');
}

const urls = new Map(
  bundledPackages
    .map((name) => [name, join(bundlesFolder, `${bundleNameOf(name)}.js`)] as const)
    // Without a bundle, the package is imported as it is.
    .filter(([, file]) => existsSync(file))
    .map(([name, file]) => [name, pathToFileURL(file).href]),
);

registerHooks({
  resolve(specifier, context, next) {
    const url = urls.get(specifier);
    return url === undefined ? next(specifier, context) : { url, format: 'module', shortCircuit: true };
  },
});

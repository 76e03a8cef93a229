/** The package directory. Both this file and the bundle that contains it are one level below. */
export const root = new URL('../', import.meta.url);

/** False when the sources are run directly, as in tests. */
export const isBuilt = !import.meta.url.endsWith('.ts');

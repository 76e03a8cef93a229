/** The folder of the package. This file and the bundle that contains it are both one level below it. */
export const root = new URL('../', import.meta.url);

/** Whether this code runs from a bundle. False when the sources are run directly, as in tests. */
export const isBuilt = !import.meta.url.endsWith('.ts');

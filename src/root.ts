/** The folder of the package. This file lies one level below it, and so does the bundle that it becomes part of. */
export const root = new URL('../', import.meta.url);

/** Whether the sources themselves run, as in tests, or what was built from them. */
export const isBuilt = !import.meta.url.endsWith('.ts');

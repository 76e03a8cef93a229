/** The folder of the package. Both this file and the bundle that contains its code are one level below that folder. */
export const root = new URL('../', import.meta.url);

/** Whether this code runs from a bundle. False if the sources run directly, as in tests. */
export const isBuilt = !import.meta.url.endsWith('.ts');

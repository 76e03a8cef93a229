// Separate from labels.ts, so that the dashboard can import these without TypeBox.

/** Given to the first version of a new prompt, and served when a request names no label or version. */
export const productionLabel = 'production';

/** Always points at the newest version; it cannot be moved. */
export const latestLabel = 'latest';

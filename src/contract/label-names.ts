// Apart from labels.ts, so that the dashboard can use them without loading the schemas.

/** What a new prompt's first version gets, and what is served where no label is given. */
export const productionLabel = 'production';

/** Always the newest version. It cannot be moved. */
export const latestLabel = 'latest';

// Separate from views.ts, so that the dashboard can import these without TypeBox.

/** The orders of the dashboard's list. Calls and last uses are known only to lists that are loaded completely. */
export const listSorts = ['name', '-name', 'updatedAt', '-updatedAt', 'calls', '-calls', 'lastUsedAt', '-lastUsedAt'] as const;

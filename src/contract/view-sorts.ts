// This file is separate from views.ts, so that the dashboard can import it without TypeBox.

/** The sort orders of the dashboard's list of prompts. Sorting by calls and last uses is possible only if the whole list is loaded. */
export const listSorts = ['name', '-name', 'updatedAt', '-updatedAt', 'calls', '-calls', 'lastUsedAt', '-lastUsedAt'] as const;

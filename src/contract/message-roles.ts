// Separate from versions.ts, so that the dashboard can import these without TypeBox.

export const messageRoles = ['system', 'developer', 'user', 'assistant', 'tool'] as const;

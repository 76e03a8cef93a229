// This file is separate from versions.ts, so that the dashboard can import it without TypeBox.

export const messageRoles = ['system', 'developer', 'user', 'assistant', 'tool'] as const;

// Separate from cases.ts, so that the dashboard can import these without TypeBox.

export const checkKinds = [
  'contains',
  'notContains',
  'equals',
  'matches',
  'json',
  'jsonSchema',
  'maxCharacters',
  'maxTokens',
  'maxLatencyMs',
  'judge',
] as const;
export type CheckKind = (typeof checkKinds)[number];

/** What a check looks at: what the model wrote, or the prompt as it is rendered, which needs no model. */
export const checkSubjects = ['output', 'prompt'] as const;

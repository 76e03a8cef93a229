// Separate from cases.ts, so that the dashboard can import these without TypeBox.

/** The kinds of checks, and what the value of each is. */
export const checkValueTypes = {
  contains: 'text',
  notContains: 'text',
  equals: 'text',
  matches: 'pattern',
  json: 'none',
  jsonSchema: 'schema',
  maxCharacters: 'number',
  maxTokens: 'number',
  maxLatencyMs: 'number',
  judge: 'prompt',
} as const;
export type CheckKind = keyof typeof checkValueTypes;
// Its keys are the kinds.
export const checkKinds = Object.keys(checkValueTypes) as CheckKind[];

/** What a check looks at: what the model wrote, or the prompt as it is rendered, which needs no model. */
export const checkSubjects = ['output', 'prompt'] as const;

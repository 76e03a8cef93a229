// This file is separate from cases.ts, so that the dashboard can import it without TypeBox.

/** The kinds of checks, each with the type of its value. */
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
// The keys of the table are exactly the kinds.
export const checkKinds = Object.keys(checkValueTypes) as CheckKind[];

/** The texts that a check can evaluate: the output of the model or the rendered prompt. The rendered prompt needs no model. */
export const checkSubjects = ['output', 'prompt'] as const;

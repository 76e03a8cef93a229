// This file is separate from models.ts, so that the dashboard can import it without TypeBox.

/** The protocols of model servers. */
export const modelKinds = ['openai', 'anthropic', 'gemini'] as const;
export type ModelKind = (typeof modelKinds)[number];

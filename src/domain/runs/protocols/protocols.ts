import type { ModelKind } from '../../../contract/model-kinds.ts';
import { anthropic } from './anthropic.ts';
import { gemini } from './gemini.ts';
import { openai } from './openai.ts';
import type { Protocol } from './protocol.ts';

export const protocols: Record<ModelKind, Protocol> = { openai, anthropic, gemini };

import type { Content } from '../../../src/domain/prompts/render/rendered.ts';
import type { AppError } from '../../../src/errors.ts';
import type { Variable, Version } from '../types.ts';
import type { EngineResult, Include, TemplateEngine } from './engine.ts';

/** A prompt that another one can include. */
export interface IncludedPrompt {
  type: Version['type'];
  template: string;
  /** The template language. Default: Liquid. */
  syntax?: Version['syntax'];
}

export type FindIncluded = (include: Include) => IncludedPrompt | undefined;

/** Content that can be rendered many times, or the reason why it cannot be rendered. */
export type Prepared = { problem: AppError } | { render(variables: Record<string, unknown>): EngineResult | undefined };

/** The engine that renders everything as the service does. It is large, so it is imported when a prompt needs it. */
export interface CompleteEngine extends TemplateEngine {
  prepare(version: { name: string; content: Content; variableCount: number }, findIncluded: FindIncluded): Prepared;
  findVariables(content: Content): Variable[];
  /** Returns the prompts that content includes, if its template language is not Liquid. */
  findForeignIncludes(content: Content): Include[];
}

export function isComplete(engine: TemplateEngine): engine is CompleteEngine {
  return 'prepare' in engine;
}

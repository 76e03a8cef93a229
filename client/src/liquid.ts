import { complete } from './render/complete.ts';
import type { TemplateEngine } from './render/engine.ts';

export type { EngineResult, Include, RenderInput, TemplateEngine } from './render/engine.ts';

/**
 * The built-in engine, which renders all templates locally. The client imports it when a prompt needs it. With
 * `new PromptHarbor({ templates: liquid })`, it is part of your program from the start, for platforms without dynamic imports.
 */
export const liquid: TemplateEngine = complete;

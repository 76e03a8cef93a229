import { createCollector } from '../../src/domain/templates/analysis.ts';
import { liquid as engine } from '../../src/domain/templates/liquid.ts';
import { renderTexts } from '../../src/domain/templates/render-texts.ts';
import { createTextCache } from './render/cache.ts';
import type { TemplateEngine } from './render/engine.ts';

export type { EngineResult, Include, RenderInput, TemplateEngine } from './render/engine.ts';

const parse = createTextCache((text) => engine.parse(text));

/**
 * Renders all Liquid templates locally, with the same filters and limits as the service. Requires the package `liquidjs`. Pass it to
 * the client: `new PromptHarbor({ templates: liquid })`.
 */
export const liquid: TemplateEngine = {
  findIncludes(text) {
    const collector = createCollector();
    try {
      collector.add(parse(text));
    } catch {
      // LiquidJS accepted this template when it was saved, but no longer does. The service describes the error.
      return undefined;
    }
    return collector.result().partials.map(({ name, label }) => ({ name, label }));
  },

  render: (input) => renderTexts(input, parse),
};

import { PromptHarborError } from '../errors.ts';
import { type CompleteEngine, isComplete } from './complete-engine.ts';
import type { TemplateEngine } from './engine.ts';
import { plain } from './plain.ts';

export interface Engines {
  /** The engines that are loaded, the fastest first. */
  readonly loaded: readonly TemplateEngine[];
  /** Returns the complete engine if it is loaded. */
  findComplete(): CompleteEngine | undefined;
  /** Loads the complete engine. If that fails, prompts that need it are rendered by the service. */
  load(): Promise<void>;
}

/**
 * The first render takes as long as hundreds of later renders, because the platform then compiles the code of the engine. One render is
 * therefore a part of loading the engine.
 */
const warmUp = {
  sources: [{ path: '', text: '{% for x in (1..2) %}{% if x %}{{ x | default: 1 }}{% endif %}{% endfor %}' }],
  partials: {},
  variables: {},
};

export function createEngines(templates: TemplateEngine[], onError: (err: unknown) => void = () => {}): Engines {
  const loaded = [plain, ...templates];
  const findComplete = () => loaded.find(isComplete);
  return {
    loaded,
    findComplete,
    async load() {
      if (findComplete()) return;
      try {
        const { complete } = await import('./complete.ts');
        if (findComplete()) return;
        complete.render(warmUp);
        loaded.push(complete);
      } catch (err) {
        onError(
          new PromptHarborError(
            'The template engine cannot be loaded, so the service renders templates with conditions, loops or filters.',
            {
              cause: err,
            },
          ),
        );
      }
    },
  };
}

import { PromptHarborError } from '../errors.ts';
import { createCaller } from '../http/caller.ts';
import type { RequestOptions } from '../http/request.ts';
import type { Transport } from '../http/transport.ts';
import type { Engines } from '../render/engines.ts';
import { createRender } from '../render/render.ts';
import type { AnyPrompt, LoadedPrompt, Rendered } from '../typed-prompts.ts';
import type { Version } from '../types.ts';
import { fallbackVersion } from './fallback.ts';
import { findIncluded, type Snapshot } from './snapshot.ts';

type Values = Record<string, unknown>;

/** A prompt of a snapshot. The prompt renders with the content of that snapshot, even after later changes. */
export function createLoadedPrompt(
  transport: Transport,
  content: Version,
  { snapshot, label, engines }: { snapshot: Snapshot; label: string; engines: Engines },
): LoadedPrompt<AnyPrompt> {
  const { name, type, version, config, variables } = content;
  const { call } = createCaller(transport);
  const renderNow = createRender(content, {
    engines: engines.loaded,
    findIncluded: (include) => findIncluded(snapshot, include, label),
  });

  function renderSync(values: Values = {}): Rendered {
    const rendered = renderNow(values);
    if (rendered) return rendered;
    throw new PromptHarborError(
      `The template engine that "${name}" needs is not loaded. Call render, which loads it, instead of renderSync.`,
    );
  }

  return {
    name,
    type,
    version,
    config,
    variables,
    content,
    renderSync,
    async render(values: Values = {}, options?: RequestOptions): Promise<Rendered> {
      const rendered = renderNow(values);
      if (rendered) return rendered;
      await engines.load();
      const renderedThen = renderNow(values);
      if (renderedThen) return renderedThen;
      // The service does not know a fallback.
      if (version === fallbackVersion) return renderSync(values);
      return call('renderPrompt', { path: { name }, body: { variables: values, version } }, options);
    },
  };
}

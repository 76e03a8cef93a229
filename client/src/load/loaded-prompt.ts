import { PromptHarborError } from '../errors.ts';
import { createCaller } from '../http/caller.ts';
import type { RequestOptions } from '../http/request.ts';
import type { Transport } from '../http/transport.ts';
import type { Engines } from '../render/engines.ts';
import { createRender } from '../render/render.ts';
import { createAttributes, withAttributes } from '../results/attributes.ts';
import { type ObserveOptions, observe } from '../results/observe.ts';
import type { Reporter } from '../results/reporter.ts';
import type { AnyPrompt, LoadedPrompt, Rendered } from '../typed-prompts.ts';
import type { Version } from '../types.ts';
import { fallbackVersion } from './fallback.ts';
import { findIncluded, type Snapshot } from './snapshot.ts';

type Values = Record<string, unknown>;

/** A prompt of a snapshot. The prompt renders with the content of that snapshot, even after later changes. */
export function createLoadedPrompt(
  transport: Transport,
  content: Version,
  { snapshot, label, engines, reporter }: { snapshot: Snapshot; label: string; engines: Engines; reporter?: Reporter | undefined },
): LoadedPrompt<AnyPrompt> {
  const { name, type, version, config, variables } = content;
  const { call } = createCaller(transport);
  const renderPlain = createRender(content, {
    engines: engines.loaded,
    findIncluded: (include) => findIncluded(snapshot, include, label),
  });

  function renderNow(values: Values): Rendered | undefined {
    const rendered = renderPlain(values);
    return rendered && withAttributes(rendered, label);
  }

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
      return withAttributes(await call('renderPrompt', { path: { name }, body: { variables: values, version } }, options), label);
    },
    attributes: () => createAttributes({ name, version, label }),
    observe<Result>(work: () => Result, options: ObserveOptions = {}): Promise<Awaited<Result>> {
      // The service does not have the version of a fallback, so it could not count the call.
      const counted = version === fallbackVersion ? undefined : reporter;
      return observe(work, { reporter: counted, called: { prompt: name, version, label }, options });
    },
  };
}

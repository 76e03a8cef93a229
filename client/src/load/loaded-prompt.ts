import { PromptHarborError } from '../errors.ts';
import { createCaller } from '../http/caller.ts';
import type { RequestOptions } from '../http/request.ts';
import type { Transport } from '../http/transport.ts';
import type { Engines } from '../render/engines.ts';
import { createRender, type Render } from '../render/render.ts';
import { createFeedback } from '../resources/results.ts';
import { createAttributes, withAttributes } from '../results/attributes.ts';
import { toReleased } from '../results/call-report.ts';
import { type ObserveOptions, observe } from '../results/observe.ts';
import type { Reporter } from '../results/reporter.ts';
import type { AnyPrompt, LoadedPrompt, PromptFeedback, Rendered } from '../typed-prompts.ts';
import type { RenderedPrompt, Version } from '../types.ts';
import { fallbackVersion } from './fallback.ts';
import { findIncluded, type Snapshot } from './snapshot.ts';

type Values = Record<string, unknown>;

interface PromptParts {
  label: string;
  engines: Engines;
  render: Render;
  reporter?: Reporter | undefined;
  /** The key for which the version was chosen. */
  key?: string | undefined;
}

/** Returns a function that renders a version with the content of a snapshot, even after later changes. */
export function createSnapshotRender(
  content: Version,
  { snapshot, label, engines }: { snapshot: Snapshot; label: string; engines: Engines },
): Render {
  return createRender(content, { engines: engines.loaded, findIncluded: (include) => findIncluded(snapshot, include, label) });
}

/** Creates a prompt of a snapshot. If a release chose the version, `content` describes the choice. */
export function createLoadedPrompt(
  transport: Transport,
  content: Version,
  { label, engines, render, reporter, key }: PromptParts,
): LoadedPrompt<AnyPrompt> {
  const { name, type, version, config, variables, release } = content;
  const { call } = createCaller(transport);
  const released = toReleased(release, key);
  const described = { name, version, label, ...released };
  // The service does not have the version of a fallback, so it could not count a call with it.
  const counting = version === fallbackVersion ? undefined : reporter;

  function toRendered(rendered: RenderedPrompt): Rendered {
    return withAttributes(release ? { ...rendered, release } : rendered, described);
  }

  function renderNow(values: Values): Rendered | undefined {
    const rendered = render(values);
    return rendered && toRendered(rendered);
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
    release,
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
      // The service does not know a fallback, so a fallback is always rendered here.
      if (version === fallbackVersion) return renderSync(values);
      return toRendered(await call('renderPrompt', { path: { name }, body: { variables: values, version } }, options));
    },
    attributes: () => createAttributes(described),
    observe<Result>(work: () => Result, options: ObserveOptions = {}): Promise<Awaited<Result>> {
      const called = { prompt: name, version, label, ...released };
      return observe(work, { reporter: counting, called, options });
    },
    async feedback(feedback: PromptFeedback, options?: RequestOptions): Promise<void> {
      if (!counting) return;
      const { key } = released;
      await createFeedback({ call })({ ...feedback, prompt: name, version, label, ...(key !== undefined && { key }) }, options);
    },
  };
}

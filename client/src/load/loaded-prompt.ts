import { createCaller } from '../http/caller.ts';
import type { RequestOptions } from '../http/request.ts';
import type { Transport } from '../http/transport.ts';
import type { TemplateEngine } from '../render/engine.ts';
import { plain } from '../render/plain.ts';
import { renderLocally } from '../render/render.ts';
import type { AnyPrompt, LoadedPrompt, Rendered } from '../typed-prompts.ts';
import type { Version } from '../types.ts';
import { findIncluded, type Snapshot } from './snapshot.ts';

/** Returns the engines to try, fastest first. */
export function enginesOf({ settings: { templates } }: Pick<Transport, 'settings'>): TemplateEngine[] {
  return templates ? [plain, templates] : [plain];
}

/** A prompt of a snapshot. The prompt renders with the content of that snapshot, even after later changes. */
export function createLoadedPrompt(
  transport: Transport,
  content: Version,
  { snapshot, label, engines }: { snapshot: Snapshot; label: string; engines: TemplateEngine[] },
): LoadedPrompt<AnyPrompt> {
  const { name, type, version, config, variables } = content;
  const { call } = createCaller(transport);
  return {
    name,
    type,
    version,
    config,
    variables,
    content,
    async render(values: Record<string, unknown> = {}, options?: RequestOptions): Promise<Rendered> {
      const rendered = renderLocally(content, values, { engines, findIncluded: (include) => findIncluded(snapshot, include, label) });
      return rendered ?? call('renderPrompt', { path: { name }, body: { variables: values, version } }, options);
    },
  };
}

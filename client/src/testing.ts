import { PromptHarborError } from './errors.ts';
import { createTransport } from './http/transport.ts';
import { assertKey, type CallerOptions } from './load/choose-version.ts';
import type { LoadedPrompts } from './load/load.ts';
import { createLoadedPrompt, createSnapshotRender } from './load/loaded-prompt.ts';
import type { PromptsChange, PromptsState } from './load/options.ts';
import type { Snapshot } from './load/snapshot.ts';
import { resolveOptions } from './options.ts';
import { complete } from './render/complete.ts';
import type { CompleteEngine } from './render/complete-engine.ts';
import type { TemplateEngine } from './render/engine.ts';
import { createEngines } from './render/engines.ts';
import { findPlainVariables, toContent } from './render/render.ts';
import type { LoadedPromptOf } from './typed-prompts.ts';
import type { Version } from './types.ts';

/** A template, or the fields of a version that the test needs. */
export type FakePrompt = string | Partial<Pick<Version, 'template' | 'messages' | 'config' | 'variables' | 'version'>>;

export interface FakePrompts extends LoadedPrompts {
  /** Adds or changes a prompt, as if someone had moved a label. */
  set(name: string, prompt: FakePrompt): void;
  /** Removes a prompt. */
  delete(name: string): void;
}

const label = 'production';

/** Prompts for tests of your application. Works like the result of `ph.prompts.load`, without a service. */
export function fakePrompts(prompts: Record<string, FakePrompt>, options: { templates?: TemplateEngine } = {}): FakePrompts {
  const transport = createTransport(
    resolveOptions({ apiKey: 'fake', dangerouslyAllowBrowser: true, retries: 0, fetch: refuse, templates: options.templates }),
  );
  // Tests that pass an engine were written when only the variables of plain templates were checked, so they are checked in the same way
  // now.
  const findVariables = options.templates ? findPlainVariables : complete.findVariables;
  const toVersion = (name: string, prompt: FakePrompt, number: number) => createVersion(name, prompt, { number, findVariables });
  const versions = new Map(Object.entries(prompts).map(([name, prompt]) => [name, toVersion(name, prompt, 1)]));
  const snapshot: Snapshot = { prompts: versions, releases: new Map(), partials: new Map(), etag: undefined };
  const listeners = new Set<(change: PromptsChange) => void>();
  const engines = createEngines(options.templates ? [options.templates, complete] : [complete]);
  let isClosed = false;

  function find(name: string, { key }: CallerOptions = {}): LoadedPromptOf<unknown> | undefined {
    assertKey(key);
    const version = versions.get(name);
    // Returns a copy of the current state, as the real prompts do.
    if (!version) return undefined;
    const render = createSnapshotRender(version, { snapshot: { ...snapshot, prompts: new Map(versions) }, label, engines });
    return createLoadedPrompt(transport, version, { label, engines, render });
  }

  function announce(change: Partial<PromptsChange>): void {
    for (const listener of listeners) listener({ added: [], changed: [], removed: [], ...change });
  }

  return {
    get(name, caller) {
      const prompt = find(name, caller);
      if (!prompt) throw new PromptHarborError(`There is no prompt "${name}" with the label "${label}".`);
      // The test defines the prompt, so it also determines the type.
      return prompt as LoadedPromptOf<typeof name>;
    },
    find,
    get names() {
      return [...versions.keys()].sort();
    },
    get state(): PromptsState {
      return { status: isClosed ? 'closed' : 'live', source: 'service', checkedAt: new Date(), ageMs: 0, error: undefined };
    },
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async refresh() {},
    async close() {
      isClosed = true;
    },
    set(name, prompt) {
      const previous = versions.get(name);
      versions.set(name, toVersion(name, prompt, (previous?.version ?? 0) + 1));
      announce(previous ? { changed: [name] } : { added: [name] });
    },
    delete(name) {
      if (versions.delete(name)) announce({ removed: [name] });
    },
  };
}

function createVersion(
  name: string,
  prompt: FakePrompt,
  { number, findVariables }: { number: number; findVariables: CompleteEngine['findVariables'] },
): Version {
  const given = typeof prompt === 'string' ? { template: prompt } : prompt;
  const content = toContent(given.messages ?? given.template ?? '');
  return {
    ...content,
    name,
    version: number,
    labels: [label],
    variables: findVariables(content),
    config: {},
    message: '',
    createdAt: new Date(0).toISOString(),
    by: { userId: 'u_fake', name: 'Fake' },
    ...given,
  };
}

async function refuse(): Promise<never> {
  throw new PromptHarborError('fakePrompts makes no requests, so it cannot render this prompt.');
}

import { normalizeName } from '../../../src/contract/prompt-names.ts';
import { ApiError, ConnectionError, PromptHarborError } from '../errors.ts';
import { isFinal } from '../events.ts';
import type { Transport } from '../http/transport.ts';
import { parseNumber } from '../options.ts';
import { createEngines, type Engines } from '../render/engines.ts';
import type { Render } from '../render/render.ts';
import type { Reporter } from '../results/reporter.ts';
import type { FallbackOf, LoadedPromptOf, PromptName } from '../typed-prompts.ts';
import type { Version } from '../types.ts';
import { assertKey, type CallerOptions, chooseVersion } from './choose-version.ts';
import { comparePrompts } from './compare.ts';
import { createFallback } from './fallback.ts';
import { follow, isAccessError } from './follow.ts';
import { createLoadedPrompt, createSnapshotRender } from './loaded-prompt.ts';
import type { LoadOptions, PromptsChange, PromptsState } from './options.ts';
import { fetchSnapshot, prepareStored, type Selection, type Sender, type Snapshot } from './snapshot.ts';
import { type FileSource, readFallbackFile, readStateFile, type StoredState, writeFallbackFile } from './state-file.ts';
import { createSingleFlight, holdProcess } from './tasks.ts';

/** The prompts of an application, kept up to date. */
export interface LoadedPrompts {
  /**
   * Returns the current version of the prompt. Throws if there is no prompt with this name at the label. If the label has a release, `key`
   * and `context` choose the version. If the service has not been reached yet, and no file has the prompt, returns the `fallback`, as version 0.
   */
  get<Name extends PromptName>(name: Name, options?: CallerOptions & { fallback?: FallbackOf<Name> | undefined }): LoadedPromptOf<Name>;
  /** Returns a prompt whose name is not known to the compiler, or undefined if there is none. */
  find(name: string, options?: CallerOptions): LoadedPromptOf<unknown> | undefined;
  /** The names in alphabetical order. */
  readonly names: string[];
  readonly state: PromptsState;
  /** Calls the listener after each change. Returns a function that removes it. */
  onChange(listener: (change: PromptsChange) => void): () => void;
  /** Fetches changes now. Throws if that fails. */
  refresh(): Promise<void>;
  /** Ends the updates, and sends the waiting reports of observed calls. The prompts keep their current versions. */
  close(): Promise<void>;
}

const defaults = { label: 'production', pollIntervalMs: 15_000, startTimeoutMs: 5000 };
const maxNewKeys = 3;

/** Fetches all selected prompts and follows their changes. */
export async function loadPrompts(transport: Transport, reporter: Reporter, options: LoadOptions = {}): Promise<LoadedPrompts> {
  const { baseUrl, workspace } = transport.settings;
  const selection: Selection = { label: options.label ?? defaults.label, folder: options.folder };
  const source: FileSource = { ...selection, baseUrl, workspace };
  const pollIntervalMs = parseNumber('pollIntervalMs', options.pollIntervalMs ?? defaults.pollIntervalMs, 50);
  const onError = (err: unknown) => callSafely(() => options.onError?.(err));
  const { templates } = transport.settings;
  const engines = createEngines(templates ? [templates] : [], onError);
  const onAuthError = options.onAuthError ?? warn;

  const start = await findStart(transport, selection, { ...options, onAuthError, source, engines });
  let snapshot: Snapshot = start.snapshot;
  let { origin, checkedAt } = start;
  let isClosed = false;
  let saving: Promise<void> | undefined;
  /** The loaded prompts without a release. They are the same for all callers. */
  let loaded = new Map<string, LoadedPromptOf<unknown>>();
  /** The functions that render a version, by version and name. Callers of the same version share its parsed templates. */
  let renders = new Map<string, Render>();
  const listeners = new Set<(change: PromptsChange) => void>(options.onChange ? [options.onChange] : []);

  const save = createSingleFlight(async () => {
    if (options.fallbackFile === undefined) return;
    await writeFallbackFile(options.fallbackFile, source, snapshot).catch(onError);
  });

  function apply(next: Snapshot): void {
    const change = comparePrompts(snapshot, next, { label: selection.label, engines: engines.loaded });
    snapshot = next;
    loaded = new Map();
    renders = new Map();
    saving = save();
    if (change) for (const listener of listeners) callSafely(() => listener(change), onError);
  }

  async function refresh(headers: Record<string, string>, signal: AbortSignal): Promise<void> {
    const requests = { headers, signal, retries: 0 };
    const next = await fetchSnapshot(inBackground(transport), selection, { previous: snapshot, engines, options: requests });
    if (isClosed) return;
    origin = 'service';
    checkedAt = new Date();
    if (next) apply(next);
  }

  if (origin === 'service') saving = save();
  const follower = follow(transport, { refresh, onAuthError, onError, pollIntervalMs, startError: start.error });

  function find(given: string, caller: CallerOptions = {}): LoadedPromptOf<unknown> | undefined {
    assertKey(caller.key);
    const name = normalizeName(given);
    const labeled = snapshot.prompts.get(name);
    const known = loaded.get(name);
    if (!labeled) return undefined;
    const version = chooseVersion(labeled, snapshot.releases.get(name), caller);
    if (version.release) return load(version, caller.key);
    const prompt = known ?? load(version);
    loaded.set(name, prompt);
    return prompt;
  }

  function load(version: Version, key?: string): LoadedPromptOf<unknown> {
    const id = `${version.version} ${version.name}`;
    const render = renders.get(id) ?? createSnapshotRender(version, { snapshot, label: selection.label, engines });
    renders.set(id, render);
    return createLoadedPrompt(transport, version, { label: selection.label, engines, reporter, key, render });
  }

  /**
   * Returns the fallback, unless the service has responded. After a response, a prompt that the service does not have was deleted or has
   * lost the label.
   */
  function findFallback(name: string, fallback: FallbackOf<unknown> | undefined): LoadedPromptOf<unknown> | undefined {
    if (fallback === undefined || origin === 'service') return undefined;
    const { label } = selection;
    const version = createFallback(name, fallback, { label, engines });
    return createLoadedPrompt(transport, version, {
      label,
      engines,
      reporter,
      render: createSnapshotRender(version, { snapshot, label, engines }),
    });
  }

  async function close(): Promise<void> {
    isClosed = true;
    options.signal?.removeEventListener('abort', onAbort);
    follower.close();
    await Promise.all([saving, reporter.flush()]);
  }
  const onAbort = () => void close();
  options.signal?.addEventListener('abort', onAbort, { once: true });

  return {
    get(name, { fallback, ...caller } = {}) {
      const prompt = find(name, caller) ?? findFallback(name, fallback);
      if (!prompt) throw new PromptHarborError(`There is no prompt "${name}" with the label "${selection.label}".`);
      // `promptharbor types` has generated the declaration from the service's prompts, so the type is correct.
      return prompt as LoadedPromptOf<typeof name>;
    },
    find,
    get names() {
      return [...snapshot.prompts.keys()].sort();
    },
    get state(): PromptsState {
      const status = isClosed ? 'closed' : follower.status;
      const currentAt = status === 'live' && follower.isCurrent ? new Date() : checkedAt;
      return { status, source: origin, checkedAt: currentAt, ageMs: Math.max(0, Date.now() - currentAt.getTime()), error: follower.error };
    },
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    refresh: () => holdProcess(follower.refresh()),
    close,
  };
}

interface Start {
  snapshot: Snapshot;
  origin: PromptsState['source'];
  checkedAt: Date;
  error?: unknown;
}

/** Loads from the service, or from a file if the service does not respond. A key that is not accepted is always an error. */
async function findStart(
  transport: Transport,
  selection: Selection,
  options: LoadOptions & { onAuthError: NonNullable<LoadOptions['onAuthError']>; source: FileSource; engines: Engines },
): Promise<Start> {
  const { signal, onAuthError, engines, startEmpty = false } = options;
  const file = (await findStored(options)) ?? (startEmpty ? emptyState : undefined);
  const limits = file ? { retries: 0, timeoutMs: options.startTimeoutMs ?? defaults.startTimeoutMs } : {};
  for (let newKeys = 0; ; newKeys += 1) {
    try {
      const snapshot = await fetchSnapshot(transport, selection, {
        previous: undefined,
        engines,
        options: { signal, ...limits },
      });
      if (snapshot) return { snapshot, origin: 'service', checkedAt: new Date() };
    } catch (err) {
      if (isAccessError(err)) {
        const key = newKeys < maxNewKeys ? await onAuthError(err) : undefined;
        if (typeof key !== 'string') throw err;
        transport.setApiKey(key);
      } else if (file && !signal?.aborted && !isRefused(err)) {
        const origin = file === emptyState ? 'none' : 'file';
        // A fallback in code may need the engine, whatever the file contains.
        if (startEmpty) await engines.load();
        await prepareStored(engines, file.snapshot, selection.label);
        return { snapshot: file.snapshot, origin, checkedAt: file.savedAt, error: err };
      } else throw err;
    }
  }
}

/** The state before anything has been loaded. */
const emptyState: StoredState = {
  snapshot: { prompts: new Map(), releases: new Map(), partials: new Map(), etag: undefined },
  savedAt: new Date(0),
};

/** Returns the newer of the states in the two files. A state file is a part of the program, so it is an error if it cannot be used. */
async function findStored({ fallbackFile, stateFile, source }: LoadOptions & { source: FileSource }): Promise<StoredState | undefined> {
  const given = stateFile === undefined ? undefined : await readStateFile(stateFile, source);
  const written = fallbackFile === undefined ? undefined : await readFallbackFile(fallbackFile, source);
  return given && written ? (given.savedAt > written.savedAt ? given : written) : (given ?? written);
}

/**
 * Returns whether starting from a file would hide a mistake: the service responded, so this request is wrong, or the program has no key.
 */
function isRefused(err: unknown): boolean {
  if (err instanceof ApiError) return err.code !== undefined && isFinal(err);
  return !(err instanceof ConnectionError);
}

function inBackground({ send, sendConditional }: Transport): Sender {
  return {
    send: (request, options) => send({ ...request, isBackground: true }, options),
    sendConditional: (request, etag, options) => sendConditional({ ...request, isBackground: true }, etag, options),
  };
}

/** Calls a callback of the application. An error in it must not end the updates. */
function callSafely(task: () => void, onError?: (err: unknown) => void): void {
  try {
    task();
  } catch (err) {
    onError?.(err);
  }
}

function warn(err: ApiError): void {
  console.error(`PromptHarbor: prompts are no longer updated. ${err.message}`);
}

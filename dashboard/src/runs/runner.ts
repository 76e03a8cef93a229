import { ApiError } from '../../../client/src/errors.ts';
import type { ServerSentEvent } from '../../../client/src/http/sse.ts';
import { messageOf } from '../lib/api.ts';
import { queryClient } from '../lib/query-client.ts';
import { streams } from '../lib/streams.ts';
import type { RunError, RunSummary } from '../lib/types.ts';
import type { RunInput } from './run-input.ts';
import { createTextBuffer, type TextBuffer } from './text-buffer.ts';

/** The state of a run, without its text. */
export interface RunState {
  phase: 'idle' | 'running' | 'ended';
  startedAt: number;
  output: TextBuffer;
  reasoning: TextBuffer;
  hasOutput: boolean;
  hasReasoning: boolean;
  toolCalls: Record<string, unknown>[];
  /** The result. Undefined until the run ends, and if the run was stopped or refused. */
  summary: RunSummary | undefined;
  /** The reason why the run failed, in words. */
  problem: RunProblem | undefined;
  isStopped: boolean;
  durationMs: number;
}

export interface RunProblem {
  message: string;
  /** The details of the error, such as the missing variables. */
  details: string[];
  code: string | undefined;
}

/** Runs one prompt at a time, and notifies its listeners. */
export interface Runner {
  getState(): RunState;
  subscribe(listener: () => void): () => void;
  /** Starts a run, and stops the run in progress. */
  start(input: RunInput): void;
  /** Aborts the request to the service. The service then aborts its request to the model. */
  stop(): void;
}

export function createRunner(): Runner {
  let state = emptyState('idle');
  let current: AbortController | undefined;
  const listeners = new Set<() => void>();

  function change(part: Partial<RunState>): void {
    state = { ...state, ...part };
    for (const listener of listeners) listener();
  }

  function take(name: string | undefined, data: unknown): void {
    if (name === 'delta') takeDelta(data as { text?: string; reasoning?: string });
    else if (name === 'tool_call') change({ toolCalls: [...state.toolCalls, data as Record<string, unknown>] });
    else if (name === 'done') end({ summary: data as RunSummary });
    else if (name === 'error') {
      const { run, ...error } = data as RunError & { run?: RunSummary };
      end({ summary: run, problem: describeError(error) });
    }
  }

  function takeDelta({ text = '', reasoning = '' }: { text?: string; reasoning?: string }): void {
    state.output.append(text);
    state.reasoning.append(reasoning);
    if (text !== '' && !state.hasOutput) change({ hasOutput: true });
    if (reasoning !== '' && !state.hasReasoning) change({ hasReasoning: true });
  }

  function end(part: Partial<RunState>): void {
    change({ ...part, phase: 'ended', durationMs: part.summary?.durationMs ?? Date.now() - state.startedAt });
    void refreshRuns();
  }

  async function run(input: RunInput, { signal }: AbortController): Promise<void> {
    try {
      for await (const { event, data } of streamRun(input, signal)) {
        if (data !== undefined && !signal.aborted) take(event, JSON.parse(data));
      }
      if (!signal.aborted && state.phase === 'running') end({ problem: { message: cutText, details: [], code: undefined } });
    } catch (err) {
      if (!signal.aborted) end({ problem: describeRefusal(err) });
    }
  }

  return {
    getState: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    start(input) {
      current?.abort();
      current = new AbortController();
      change({ ...emptyState('running'), startedAt: Date.now() });
      void run(input, current);
    },
    stop() {
      if (state.phase !== 'running') return;
      current?.abort();
      end({ isStopped: true });
      // The server stores the run once it has noticed that the request was aborted.
      setTimeout(() => void refreshRuns(), noticedMs);
    },
  };
}

function streamRun(input: RunInput, signal: AbortSignal): AsyncGenerator<ServerSentEvent> {
  if ('promptName' in input) return streams.stream('runPrompt', { path: { name: input.promptName }, body: input.body }, { signal });
  return streams.stream('runDraft', input, { signal });
}

const noticedMs = 1000;
const cutText = 'The response ended before it was complete. Try again.';

function refreshRuns(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: ['runs'] });
}

function emptyState(phase: RunState['phase']): RunState {
  return {
    phase,
    startedAt: 0,
    output: createTextBuffer(),
    reasoning: createTextBuffer(),
    hasOutput: false,
    hasReasoning: false,
    toolCalls: [],
    summary: undefined,
    problem: undefined,
    isStopped: false,
    durationMs: 0,
  };
}

/** Describes an error of the model's server, or of the connection to it. */
export function describeError({ code, message, retryAfterSeconds }: RunError): RunProblem {
  const details = retryAfterSeconds === null ? [] : [`Try again in ${retryAfterSeconds} s.`];
  return { message, details, code };
}

/** Returns why the run did not start. */
function describeRefusal(err: unknown): RunProblem {
  if (!(err instanceof ApiError)) return { message: messageOf(err), details: [], code: undefined };
  // The budget is renewed at midnight. `messageOf` would add the number of seconds until then, which does not help a person.
  const message = err.code === 'budget_exceeded' ? err.message : messageOf(err);
  const details = err.code === 'invalid_input' ? [] : err.details.map(({ path, message: text }) => `${nameOf(path)}: ${text}`);
  return { message, details, code: err.code };
}

/** Returns the name of a field: `customer` for `/variables/customer`. */
function nameOf(path: string): string {
  return path
    .split('/')
    .slice(path.startsWith('/variables/') ? 2 : 1)
    .join('.');
}

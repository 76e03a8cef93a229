import { workspaceHeader } from '../../../src/contract/permissions.ts';
import { readRefusal } from './api.ts';

/** Something that happened in the workspace, as the server sends it. */
export interface LiveEvent {
  type: string;
  by?: { userId: string; name: string; via?: string };
  prompt?: { id: string; name: string };
  version?: number;
  label?: string;
  to?: unknown;
}

interface StreamOptions {
  workspaceId: string | undefined;
  onEvent: (event: LiveEvent) => void;
}

const maxDelayMs = 30_000;
/** The server sends a comment every 15 seconds. Without any for so long, the connection is dead. */
const silenceMs = 45_000;

/**
 * Follows the events of a workspace while the tab is visible: browsers allow few connections to one server, and hidden tabs would use
 * them up. Continues after a break where it was. Not an EventSource, because that cannot name the workspace. Returns a function that ends it.
 */
export function followEvents({ workspaceId, onEvent }: StreamOptions): () => void {
  const ended = new AbortController();
  let position: string | undefined;
  let attempts = 0;

  async function read(signal: AbortSignal, keepAlive: () => void): Promise<void> {
    const response = await fetch('/api/events', {
      headers: {
        ...(workspaceId !== undefined && { [workspaceHeader]: workspaceId }),
        ...(position !== undefined && { 'last-event-id': position }),
      },
      cache: 'no-store',
      signal,
    });
    // A page that sends nothing else learns here that the session or the membership has ended.
    if (!response.ok || !response.body) throw await readRefusal(response, workspaceId);
    let text = '';
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
      keepAlive();
      attempts = 0;
      text += chunk.value;
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) take(block);
    }
  }

  function take(block: string): void {
    const data = /^data: (.*)$/m.exec(block)?.[1];
    position = /^id: (.*)$/m.exec(block)?.[1] ?? position;
    // The server's events follow the contract.
    if (data !== undefined && !ended.signal.aborted) onEvent(JSON.parse(data) as LiveEvent);
  }

  async function follow(): Promise<void> {
    while (!ended.signal.aborted) {
      await visible(ended.signal);
      const cut = new AbortController();
      let silence = setTimeout(() => cut.abort(), silenceMs);
      const keepAlive = () => {
        clearTimeout(silence);
        silence = setTimeout(() => cut.abort(), silenceMs);
      };
      const onHidden = () => document.visibilityState === 'hidden' && cut.abort();
      document.addEventListener('visibilitychange', onHidden);
      await read(AbortSignal.any([ended.signal, cut.signal]), keepAlive).catch(() => undefined);
      document.removeEventListener('visibilitychange', onHidden);
      clearTimeout(silence);
      attempts += 1;
      await pause(Math.min(maxDelayMs, 500 * 2 ** attempts) * (0.5 + Math.random() / 2), ended.signal);
    }
  }

  void follow();
  return () => ended.abort();
}

function visible(signal: AbortSignal): Promise<void> {
  if (document.visibilityState === 'visible') return Promise.resolve();
  return new Promise((resolve) => {
    const stop = new AbortController();
    const finish = () => {
      stop.abort();
      resolve();
    };
    document.addEventListener('visibilitychange', finish, { signal: stop.signal });
    signal.addEventListener('abort', finish, { signal: stop.signal });
  });
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

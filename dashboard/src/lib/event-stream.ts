import { connect, type StreamEvent } from '../../../client/src/events.ts';
import { backoff, wait } from '../../../client/src/http/timing.ts';
import { sender } from './api.ts';

interface StreamOptions {
  workspaceId: string | undefined;
  signal: AbortSignal;
  onEvent: (event: StreamEvent) => void;
}

const reconnect = { firstMs: 1000, maxMs: 30_000 };

/**
 * Follows the events of a workspace while the tab is visible: browsers allow few connections to one server, and hidden tabs would use
 * them up. Continues after a break where it was. Not an EventSource, because that cannot name the workspace. Rejects when the signal ends it.
 */
export async function followEvents({ workspaceId, signal, onEvent }: StreamOptions): Promise<never> {
  let position: string | undefined;
  let attempts = 0;

  async function read(hidden: AbortSignal): Promise<void> {
    const options = { workspace: workspaceId, signal: AbortSignal.any([signal, hidden]), isBackground: true };
    // A page that sends nothing else learns here that the session or the membership has ended.
    for await (const event of connect(sender, { after: position }, options)) {
      attempts = 0;
      position = event.id;
      onEvent(event);
    }
  }

  while (true) {
    await visible(signal);
    const hidden = new AbortController();
    const onChange = () => document.visibilityState === 'hidden' && hidden.abort();
    document.addEventListener('visibilitychange', onChange);
    await read(hidden.signal).catch(() => undefined);
    document.removeEventListener('visibilitychange', onChange);
    await wait(backoff(attempts, reconnect), signal);
    attempts += 1;
  }
}

function visible(signal: AbortSignal): Promise<void> {
  if (document.visibilityState === 'visible') return Promise.resolve();
  return new Promise((resolve, reject) => {
    const stop = new AbortController();
    const finish = () => {
      stop.abort();
      if (signal.aborted) reject(signal.reason);
      else resolve();
    };
    document.addEventListener('visibilitychange', finish, { signal: stop.signal });
    signal.addEventListener('abort', finish, { signal: stop.signal });
  });
}

import { connect, isFinal, type StreamEvent } from '../../../client/src/events.ts';
import { backoff, wait } from '../../../client/src/http/timing.ts';
import { sender } from './api.ts';
import { whileLeasing } from './event-stream-lease.ts';

interface StreamOptions {
  userId: string;
  workspaceId: string | undefined;
  signal: AbortSignal;
  onEvent: (event: StreamEvent) => void;
  /** Called when the server has refused another tab's stream. The session or the membership may have ended. */
  onRefused: () => void;
}

const reconnect = { firstMs: 1000, maxMs: 30_000 };

/**
 * Follows the events of a workspace. Browsers allow few connections to one server, so only one visible tab has the stream and forwards the
 * events to the others. A tab that takes over continues from the last event. The stream is not an EventSource, because an EventSource
 * cannot send the workspace in a header. Rejects when the signal is aborted.
 */
export function followEvents({ userId, workspaceId, signal, onEvent, onRefused }: StreamOptions): Promise<never> {
  const name = `promptharbor:events:${userId}:${workspaceId ?? ''}`;
  let position: string | undefined;
  const receive = (event: StreamEvent) => {
    position = event.id;
    onEvent(event);
  };

  const channel = new BroadcastChannel(name);
  signal.addEventListener('abort', () => channel.close());
  // Only other tabs of the dashboard write to this channel.
  channel.onmessage = ({ data }: MessageEvent<StreamEvent | 'refused'>) => (data === 'refused' ? onRefused() : receive(data));

  async function read(leased: AbortSignal): Promise<never> {
    let attempts = 0;
    while (true) {
      try {
        // A page that sends no other requests learns here that the session or the membership has ended.
        for await (const event of connect(sender, { after: position }, { workspace: workspaceId, signal: leased, isBackground: true })) {
          attempts = 0;
          channel.postMessage(event);
          receive(event);
        }
      } catch (err) {
        if (isFinal(err) && !leased.aborted) channel.postMessage('refused');
      }
      await wait(backoff(attempts, reconnect), leased);
      attempts += 1;
    }
  }

  return whileLeasing(name, signal, read);
}

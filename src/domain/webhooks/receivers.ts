import { LRUCache } from 'lru-cache';
import type { Endpoint } from '../../store/webhooks/deliveries.ts';

interface Receiver {
  pausedUntil: number;
  /** Attempts in a row without a response in time. */
  silences: number;
}

/** Beyond this number, the least recently used receiver is forgotten. */
const maxReceivers = 10_000;
/** How much longer each pause is than the one before, and the longest one, as multiples of the first. */
const silenceGrowth = 4;
const maxSilence = 12;

/**
 * What this process knows about webhook receivers from the last attempts. It is kept in memory only. The first pause after a silence is
 * `silenceMs` long.
 */
export function createReceivers(silenceMs: number) {
  const receivers = new LRUCache<string, Receiver>({ max: maxReceivers });

  function put(endpoint: Endpoint, pauseMs: number, silences: number): void {
    receivers.set(keyOf(endpoint), { pausedUntil: Date.now() + pauseMs, silences });
  }

  return {
    noteResponse: (endpoint: Endpoint) => put(endpoint, 0, 0),
    /** Records that there was no response in time. Other deliveries would time out as well, so the receiver is paused, longer each time. */
    noteSilence(endpoint: Endpoint): void {
      const silences = receivers.get(keyOf(endpoint))?.silences ?? 0;
      put(endpoint, silenceMs * Math.min(silenceGrowth ** silences, maxSilence), silences + 1);
    },
    /** Pauses the receiver, because it asked to wait. */
    pause: (endpoint: Endpoint, pauseMs: number) => put(endpoint, pauseMs, 0),
    isPaused: (endpoint: Endpoint) => (receivers.get(keyOf(endpoint))?.pausedUntil ?? 0) > Date.now(),
    /** Whether the last attempt got a response. False for a receiver that was never tried, because it may be silent as well. */
    isResponsive: (endpoint: Endpoint) => receivers.get(keyOf(endpoint))?.silences === 0,
  };
}

function keyOf({ accountId, webhookId }: Endpoint): string {
  return `${accountId} ${webhookId}`;
}

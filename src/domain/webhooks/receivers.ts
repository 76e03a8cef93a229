import { LRUCache } from 'lru-cache';
import type { Endpoint } from '../../store/webhooks/deliveries.ts';

interface Receiver {
  pausedUntil: number;
  /** The number of consecutive attempts without a response in time. */
  silences: number;
}

/** The maximum number of receivers that are remembered. Beyond this number, the least recently used receiver is forgotten. */
const maxReceivers = 10_000;
/** Each pause is `silenceGrowth` times as long as the previous one. The longest pause is `maxSilence` times as long as the first. */
const silenceGrowth = 4;
const maxSilence = 12;

/**
 * Remembers the results of the most recent attempts for each webhook receiver, in memory only. The first pause after a missing response is
 * `silenceMs` long.
 */
export function createReceivers(silenceMs: number) {
  const receivers = new LRUCache<string, Receiver>({ max: maxReceivers });

  function put(endpoint: Endpoint, pauseMs: number, silences: number): void {
    receivers.set(keyOf(endpoint), { pausedUntil: Date.now() + pauseMs, silences });
  }

  return {
    noteResponse: (endpoint: Endpoint) => put(endpoint, 0, 0),
    /**
     * Records that there was no response in time. Other deliveries would time out as well, so the receiver is paused. Each further timeout
     * makes the pause longer.
     */
    noteSilence(endpoint: Endpoint): void {
      const silences = receivers.get(keyOf(endpoint))?.silences ?? 0;
      put(endpoint, silenceMs * Math.min(silenceGrowth ** silences, maxSilence), silences + 1);
    },
    /** Pauses a receiver that asked the service to wait. */
    pause: (endpoint: Endpoint, pauseMs: number) => put(endpoint, pauseMs, 0),
    isPaused: (endpoint: Endpoint) => (receivers.get(keyOf(endpoint))?.pausedUntil ?? 0) > Date.now(),
    /**
     * Returns whether the last attempt got a response. Returns false if there was no attempt yet, because it is not known whether the
     * receiver responds.
     */
    isResponsive: (endpoint: Endpoint) => receivers.get(keyOf(endpoint))?.silences === 0,
  };
}

function keyOf({ accountId, webhookId }: Endpoint): string {
  return `${accountId} ${webhookId}`;
}

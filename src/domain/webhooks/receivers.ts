import type { Endpoint } from '../../store/webhooks/deliveries.ts';

/** What this process knows about webhook receivers from the last attempts. It is kept in memory only. */
export interface Receivers {
  noteResponse(endpoint: Endpoint): void;
  /** Records that there was no response in time. Other deliveries would time out as well, so the receiver is paused, longer each time. */
  noteSilence(endpoint: Endpoint): void;
  /** Pauses the receiver, because it asked to wait. */
  pause(endpoint: Endpoint, pauseMs: number): void;
  isPaused(endpoint: Endpoint): boolean;
  /** Whether the last attempt got a response. False for a receiver that was never tried, because it may be silent as well. */
  isResponsive(endpoint: Endpoint): boolean;
}

interface Receiver {
  pausedUntil: number;
  /** Attempts in a row without a response in time. */
  silences: number;
}

/** Beyond this number, the least recently used receiver is forgotten. */
const maxReceivers = 50_000;
/** How much longer each pause is than the one before, and the longest one, as multiples of the first. */
const silenceGrowth = 4;
const maxSilence = 12;

/** The first pause after a silence is `silenceMs` long. */
export function createReceivers(silenceMs: number): Receivers {
  // Ordered by last use.
  const receivers = new Map<string, Receiver>();

  function put(endpoint: Endpoint, pauseMs: number, silences: number): void {
    const key = keyOf(endpoint);
    receivers.delete(key);
    receivers.set(key, { pausedUntil: Date.now() + pauseMs, silences });
    const [oldest] = receivers.keys();
    if (receivers.size > maxReceivers && oldest !== undefined) receivers.delete(oldest);
  }

  return {
    noteResponse: (endpoint) => put(endpoint, 0, 0),
    noteSilence(endpoint) {
      const silences = receivers.get(keyOf(endpoint))?.silences ?? 0;
      put(endpoint, silenceMs * Math.min(silenceGrowth ** silences, maxSilence), silences + 1);
    },
    pause: (endpoint, pauseMs) => put(endpoint, pauseMs, 0),
    isPaused: (endpoint) => (receivers.get(keyOf(endpoint))?.pausedUntil ?? 0) > Date.now(),
    isResponsive: (endpoint) => receivers.get(keyOf(endpoint))?.silences === 0,
  };
}

function keyOf({ accountId, webhookId }: Endpoint): string {
  return `${accountId} ${webhookId}`;
}

import type { Endpoint } from '../../store/webhooks/deliveries.ts';

/** What this process knows about the receivers of webhooks from their last attempt. It is forgotten when it stops. */
export interface Receivers {
  noteResponse(endpoint: Endpoint): void;
  /** There was no response in time: whatever else waits for this receiver would wait for the same, so it pauses, longer each time. */
  noteSilence(endpoint: Endpoint): void;
  /** The receiver has asked for a pause. */
  pause(endpoint: Endpoint, pauseMs: number): void;
  isPaused(endpoint: Endpoint): boolean;
  /** Whether the last attempt got a response. One that was never tried may be silent as well. */
  isResponsive(endpoint: Endpoint): boolean;
}

interface Receiver {
  pausedUntil: number;
  /** Attempts in a row without a response in time. */
  silences: number;
}

/** Beyond this number, the one that has not been used for the longest time is forgotten. */
const maxReceivers = 50_000;
/** How much longer each pause is than the one before, and the longest one, as multiples of the first. */
const silenceGrowth = 4;
const maxSilence = 12;

/** The first pause after a silence is `silenceMs` long. */
export function createReceivers(silenceMs: number): Receivers {
  // The order of the map is that of their last use.
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

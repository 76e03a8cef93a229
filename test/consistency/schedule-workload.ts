import { setTimeout as delay } from 'node:timers/promises';
import type { HistoryEntry } from '../../src/contract/history.ts';
import type { Proposal } from '../../src/contract/proposals.ts';
import { type ApiResponse, call, register } from '../support/client.ts';
import { openStream, type ReceivedEvent } from '../support/event-stream.ts';
import { findScheduleViolations, type ScheduledMove } from './schedule-history.ts';
import type { Target } from './workload.ts';

export interface ScheduleWorkload {
  /** Unexpected responses: neither a success nor a 503 or 429 with Retry-After. */
  surprises: string[];
  /** Reads all proposals, the histories and the events. Returns what is wrong, and how many moves have happened. */
  inspect(): Promise<Inspection>;
  /** Stops the clients, and waits until the service has applied all proposals. A proposal that is not applied by then is a violation. */
  stop(): Promise<void>;
}

export interface Inspection {
  violations: string[];
  applied: number;
}

interface OpenedMove extends ScheduledMove {
  id: string;
  prompt: string;
}

/** Each label of a prompt moves once. A prompt can have 20 labels. */
const labelsPerPrompt = 20;
const pauseMs = 300;
const maxAheadMs = 5000;
// Every instance looks for proposals once a minute.
const untilAppliedMs = 3 * 60_000;
// Clients give up after this time, which is longer than the service ever makes a caller wait, even when it is paused.
const giveUpMs = 20_000;

/**
 * Opens proposals with a time at random targets. The service applies them. People also apply half of them at that time, at two targets at
 * once, and repeat this until there is a response.
 */
export async function startScheduleWorkload(targets: readonly Target[]): Promise<ScheduleWorkload> {
  const [first] = targets;
  if (!first) throw new Error('No targets');
  const { token: key } = await register(first);
  const opened = new Map<string, OpenedMove>();
  const prompts: string[] = [];
  const surprises: string[] = [];
  const applying = new Set<Promise<void>>();
  const events = new Map<string, number>();
  let position = 0;
  let markers = 0;
  let running = true;
  let isSettled = false;

  /** Returns the response, or nothing if the database was unavailable. */
  async function send(method: string, path: string, body?: unknown, expected: string[] = []): Promise<ApiResponse | undefined> {
    try {
      const response = await call(pick(targets), method, path, { key, body, signal: AbortSignal.timeout(giveUpMs) });
      const { code } = (response.body ?? {}) as { code?: string };
      if (response.status < 300 || expected.includes(code ?? '')) return response;
      if (!isUnavailable(response)) surprises.push(`${method} ${path}: ${response.status} ${response.text}`);
    } catch (err) {
      if (err instanceof Error && err.name === 'TimeoutError') surprises.push(`${method} ${path}: no response within ${giveUpMs} ms`);
      // If an instance is killed, its clients see a broken connection.
    }
    return undefined;
  }

  /** Repeats a request until there is a response. The request may be repeated, because it changes nothing or has an effect only once. */
  async function insist(method: string, path: string, body?: unknown, expected?: string[]): Promise<ApiResponse> {
    for (;;) {
      const response = await send(method, path, body, expected);
      if (response) return response;
      await delay(pauseMs);
    }
  }

  async function open(): Promise<void> {
    for (let count = 0; running; count += 1) {
      const label = `label-${count % labelsPerPrompt}`;
      if (count % labelsPerPrompt === 0) await createPrompt();
      const prompt = prompts.at(-1) ?? '';
      const applyAt = new Date(Date.now() + Math.random() * maxAheadMs).toISOString();
      const response = await send('POST', '/api/proposals', { changes: [{ prompt, label, version: 1 }], applyAt });
      if (response) {
        const { id, revision, state } = response.body as Proposal;
        opened.set(id, { id, prompt, isConfirmed: true, state, entries: 0, events: 0 });
        if (count % 2 === 0) for (const _ of [1, 2]) keep(applyAtTime(id, { revision, applyAt }));
      }
      await delay(pauseMs);
    }
  }

  async function createPrompt(): Promise<void> {
    for (let isCreated = false; !isCreated && running; ) {
      const name = `prompt-${prompts.length}`;
      prompts.push(name);
      isCreated = (await send('POST', '/api/prompts', { name, template: 'one', labels: [] })) !== undefined;
    }
  }

  async function applyAtTime(id: string, { revision, applyAt }: { revision: string; applyAt: string }): Promise<void> {
    await delay(Math.max(0, Date.parse(applyAt) - Date.now()));
    await insist('POST', `/api/proposals/${id}/apply`, { revision }, ['proposal_ended']);
  }

  function keep(one: Promise<void>): void {
    applying.add(one);
    void one.finally(() => applying.delete(one));
  }

  /** Creates a prompt, and reads all events up to its creation. */
  async function readEvents(): Promise<void> {
    markers += 1;
    const name = `marker-${markers}`;
    await insist('POST', '/api/prompts', { name, template: 'one', labels: [] }, ['name_taken']);
    const isMarker = ({ data }: ReceivedEvent) => data.type === 'prompt.created' && data.prompt?.name === name;
    for (;;) {
      try {
        const stream = await openStream(pick(targets), { key, query: `?after=${position}` });
        const timeout = setTimeout(stream.close, giveUpMs);
        const received = await stream.until(isMarker).finally(() => clearTimeout(timeout));
        stream.close();
        if (received.some(({ data }) => data.type === 'reset')) surprises.push('The events were no longer kept');
        for (const { data } of received) {
          const id = data.proposal?.id;
          if (data.type === 'proposal.applied' && id !== undefined) events.set(id, (events.get(id) ?? 0) + 1);
        }
        position = received.at(-1)?.id ?? position;
        return;
      } catch {
        await delay(pauseMs);
      }
    }
  }

  async function readMoves(prompt: string): Promise<void> {
    const path = `/api/prompts/${prompt}`;
    const proposals = await insist('GET', `/api/proposals?prompt=${prompt}&limit=100`, undefined, ['prompt_not_found']);
    const { data: found = [] } = proposals.body as { data?: Proposal[] };
    const history = await insist('GET', `${path}/history?limit=100`, undefined, ['prompt_not_found']);
    const { data: entries = [] } = history.body as { data?: HistoryEntry[] };
    for (const { id } of found)
      if (!opened.has(id)) opened.set(id, { id, prompt, isConfirmed: false, state: undefined, entries: 0, events: 0 });
    const states = new Map(found.map(({ id, state }) => [id, state]));
    for (const move of opened.values()) {
      if (move.prompt !== prompt) continue;
      // The service deletes older ended proposals, so an applied proposal may be missing.
      if (move.state !== 'applied') move.state = states.get(move.id);
      move.entries = entries.filter(({ type, proposal }) => type === 'label_moved' && proposal?.id === move.id).length;
    }
  }

  async function inspect(): Promise<Inspection> {
    // A proposal that is opened during the reads is not inspected.
    const known = [...opened.values()];
    for (const prompt of [...prompts]) await readMoves(prompt);
    await readEvents();
    const moves = running ? known : [...opened.values()];
    for (const move of moves) move.events = events.get(move.id) ?? 0;
    return {
      violations: findScheduleViolations(moves, { isEnd: isSettled }),
      applied: moves.filter(({ state }) => state === 'applied').length,
    };
  }

  const opening = open();
  return {
    surprises,
    inspect,
    async stop() {
      running = false;
      await opening;
      await Promise.all(applying);
      const end = performance.now() + untilAppliedMs;
      while ((await inspect()).applied < opened.size && performance.now() < end) await delay(1000);
      isSettled = true;
    },
  };
}

/** Returns whether the database was unavailable. The status is 429 if all of the workspace's slots wait for the database. */
function isUnavailable({ status, headers }: ApiResponse): boolean {
  return (status === 503 || status === 429) && headers.get('retry-after') !== null;
}

function pick<T>(items: readonly T[]): T {
  const item = items[Math.floor(Math.random() * items.length)];
  if (item === undefined) throw new Error('Nothing to pick from');
  return item;
}

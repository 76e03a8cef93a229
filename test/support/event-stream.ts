import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import type { WorkspaceEvent } from '../../src/contract/events.ts';

export interface ReceivedEvent {
  id: number;
  data: Omit<WorkspaceEvent, 'type'> & { type: WorkspaceEvent['type'] | 'hello' | 'reset'; revision?: number };
}

/** A client's view of a stream of server-sent events. */
export interface TestStream {
  headers: Headers;
  /** Waits for the next event. Fails if the stream ends instead. */
  next(): Promise<ReceivedEvent>;
  /** Resolves with all events up to and including the first that matches. That event may already have been received. */
  until(isLast: (event: ReceivedEvent) => boolean): Promise<ReceivedEvent[]>;
  /** Resolves when the service has ended the stream. */
  ended: Promise<void>;
  close(): void;
}

interface StreamOptions {
  key?: string;
  cookie?: string;
  query?: string;
  lastEventId?: number | string;
  headers?: Record<string, string>;
}

/** Opens a stream and reads its `hello`. */
export async function openStream(service: { url: string }, options: StreamOptions): Promise<TestStream & { hello: ReceivedEvent }> {
  const controller = new AbortController();
  const response = await request(service, options, controller.signal);
  assert.equal(response.status, 200);
  const received: ReceivedEvent[] = [];
  const waiting: { resolve(event: ReceivedEvent): void; reject(err: Error): void }[] = [];
  const ended = read();

  async function read(): Promise<void> {
    let text = '';
    const decoder = new TextDecoder();
    try {
      assert.ok(response.body);
      for await (const chunk of response.body) {
        text += decoder.decode(chunk, { stream: true });
        const blocks = text.split('\n\n');
        text = blocks.pop() ?? '';
        for (const block of blocks) add(block);
      }
    } catch (err) {
      if (!controller.signal.aborted && !isCut(err)) throw err;
    } finally {
      for (const { reject } of waiting) reject(new Error('The stream has ended'));
    }
  }

  function add(block: string): void {
    const fields = new Map(block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]));
    const data = fields.get('data');
    if (data === undefined) return;
    const event = { id: Number(fields.get('id')), data: JSON.parse(data) as ReceivedEvent['data'] };
    const next = waiting.shift();
    if (next) next.resolve(event);
    else received.push(event);
  }

  function next(): Promise<ReceivedEvent> {
    const event = received.shift();
    if (event) return Promise.resolve(event);
    return new Promise((resolve, reject) => {
      waiting.push({ resolve, reject });
      ended.then(() => reject(new Error('The stream has ended')), reject);
    });
  }

  const hello = await next();
  assert.equal(hello.data.type, 'hello');
  return {
    headers: response.headers,
    hello,
    next,
    async until(isLast) {
      const events: ReceivedEvent[] = [];
      for (;;) {
        const event = await next();
        events.push(event);
        if (isLast(event)) return events;
      }
    },
    ended,
    close: () => controller.abort(),
  };
}

/** Sends the request again while the service sheds load, as it does on a busy machine. */
async function request(service: { url: string }, options: StreamOptions, signal: AbortSignal): Promise<Response> {
  for (let attempt = 0; ; attempt += 1) {
    const response = await fetch(`${service.url}/api/events${options.query ?? ''}`, {
      headers: {
        ...(options.key !== undefined && { authorization: `Bearer ${options.key}` }),
        ...(options.cookie !== undefined && { cookie: options.cookie }),
        ...(options.lastEventId !== undefined && { 'last-event-id': String(options.lastEventId) }),
        ...options.headers,
      },
      signal,
    });
    const isBusy = response.status === 503 && ((await response.clone().json()) as { code: string }).code === 'overloaded';
    if (!isBusy || attempt === 20) return response;
    await delay(500, undefined, { signal });
  }
}

/** Returns whether the error means that the service closed the connection instead of ending the response. */
function isCut(err: unknown): boolean {
  return err instanceof TypeError && err.message === 'terminated';
}

import type { WorkspaceEvent } from '../../contract/events.ts';
import { createTurnstile, yieldIfLong } from '../../event-loop.ts';
import type { EventRecord } from '../../store/events/events.ts';
import type { Store } from '../../store/store.ts';

/** An event as readers get it. */
export interface PublishedEvent {
  revision: number;
  event: WorkspaceEvent;
  /** The event as JSON, serialized once for all readers. */
  json: string;
}

/** Someone who reads the events of a workspace as they happen. */
export interface Reader {
  workspaceId: string;
  accountId: string;
  /** The workspace's revision when access was checked. */
  revision: number;
  /** Readers with the same credential have the same text here, and are checked together. */
  credential: string;
  /** The workspace's current revision, or undefined once the credential gives no access to it. */
  findRevision(): Promise<number | undefined>;
  onEvent(event: PublishedEvent): void;
  /** Resolves when the reader can take more. A replay may be long. */
  drained(): Promise<void>;
  /** Called first if what it has missed cannot be replayed anymore. */
  onReset(): void;
  /** Called when access has ended. */
  onEnd(): void;
}

/**
 * Passes the events of workspaces to their readers, each event once and in the order of revisions. Writes of this process are passed on
 * at once. Those of other instances are found by looking up each reader's credential once a second, which also ends readers whose key
 * was reset or whose membership has ended.
 */
export interface Feed {
  /**
   * Adds a reader and replays what it has missed since `after`. Resolves when it is up to date. Call `remove` when it goes away, also
   * if this rejects.
   */
  add(reader: Reader, after: number | undefined): Promise<void>;
  remove(reader: Reader): void;
  /** Checks the access of an account's readers now. Call it after every change that may end it. */
  recheck(accountId: string): void;
  readonly readers: number;
  close(): void;
}

interface Topic {
  readonly workspaceId: string;
  readonly readers: Map<Reader, ReaderState>;
  /** The last event that was passed on. */
  position: number;
  reading: Promise<void> | undefined;
  isBehind: boolean;
}

interface ReaderState {
  position: number;
  /** Whether it has caught up with the topic. */
  isLive: boolean;
}

const pageSize = 100;
const checkIntervalMs = 1000;

export function createFeed(store: Pick<Store, 'events' | 'onChange'>, onError: (err: unknown) => void): Feed {
  const topics = new Map<string, Topic>();
  const takeReplayTurn = createTurnstile();
  let isChecking = false;
  const timer = setInterval(async () => {
    if (isChecking || topics.size === 0) return;
    isChecking = true;
    await check([...listReaders()]);
    isChecking = false;
  }, checkIntervalMs).unref();
  const stopListening = store.onChange((workspaceId) => {
    const topic = topics.get(workspaceId);
    if (topic) readOn(topic);
  });

  function* listReaders(): Generator<Reader> {
    for (const { readers } of topics.values()) yield* readers.keys();
  }

  /** Passes on new events, and once more if there may be newer ones by then. */
  function readOn(topic: Topic): void {
    topic.isBehind = true;
    topic.reading ??= passOn(topic)
      .catch(onError)
      .finally(() => {
        topic.reading = undefined;
      });
  }

  async function passOn(topic: Topic): Promise<void> {
    while (topic.isBehind && topic.readers.size > 0) {
      topic.isBehind = false;
      const records = await store.events.list(topic.workspaceId, { after: topic.position, limit: pageSize });
      if (records.length > 0) await endWithoutAccess([...topic.readers.keys()]);
      for (const record of records) {
        topic.position = record.revision;
        await publish(topic, toPublished(record));
      }
      topic.isBehind ||= records.length === pageSize;
    }
  }

  async function publish(topic: Topic, event: PublishedEvent): Promise<void> {
    for (const [reader, state] of topic.readers) {
      await yieldIfLong();
      if (state.isLive) deliver(reader, state, event);
    }
  }

  /**
   * Called after events were read and before they are passed on: another instance may have ended a reader's access before they were
   * written. Rejects if that cannot be found out; the next check reads the events again.
   */
  async function endWithoutAccess(readers: Reader[]): Promise<void> {
    const revisions = new Map<string, Promise<number | undefined>>();
    for (const { credential, findRevision } of readers) {
      if (!revisions.has(credential)) revisions.set(credential, findRevision());
    }
    await Promise.all(revisions.values());
    for (const reader of readers) if ((await revisions.get(reader.credential)) === undefined) end(reader);
  }

  /** Ends readers without access, and finds what other instances have written. */
  async function check(readers: Reader[]): Promise<void> {
    const revisions = new Map<string, Promise<number | undefined | 'unknown'>>();
    for (const { credential, findRevision } of readers) {
      if (revisions.has(credential)) continue;
      // While the database is unavailable there are no events to pass on, and a later check decides.
      revisions.set(
        credential,
        findRevision().catch(() => 'unknown'),
      );
      await yieldIfLong();
    }
    for (const reader of readers) {
      const revision = await revisions.get(reader.credential);
      const topic = topics.get(reader.workspaceId);
      if (revision === undefined) end(reader);
      else if (topic && revision !== 'unknown' && revision > topic.position) readOn(topic);
    }
  }

  function end(reader: Reader): void {
    if (!topics.get(reader.workspaceId)?.readers.has(reader)) return;
    remove(reader);
    reader.onEnd();
  }

  function remove(reader: Reader): void {
    const topic = topics.get(reader.workspaceId);
    topic?.readers.delete(reader);
    if (topic?.readers.size === 0) topics.delete(reader.workspaceId);
  }

  return {
    async add(reader, after) {
      const { workspaceId, revision } = reader;
      const topic = topics.get(workspaceId) ?? { workspaceId, readers: new Map(), position: revision, reading: undefined, isBehind: false };
      topics.set(workspaceId, topic);
      const state: ReaderState = { position: revision, isLive: false };
      topic.readers.set(reader, state);
      const isKnown = after === undefined || after === revision || (await store.events.isComplete(workspaceId, after));
      if (!isKnown) reader.onReset();
      else if (after !== undefined) state.position = after;
      await replay(topic, reader, state);
    },
    remove,

    recheck(accountId) {
      const readers = [...listReaders()].filter((reader) => reader.accountId === accountId);
      if (readers.length > 0) void check(readers);
    },

    get readers() {
      let count = 0;
      for (const { readers } of topics.values()) count += readers.size;
      return count;
    },

    close() {
      clearInterval(timer);
      stopListening();
      for (const reader of [...listReaders()]) end(reader);
    },
  };

  /** Passes on what the reader has missed, until nothing has happened meanwhile. Those who have missed more than a page take turns. */
  async function replay(topic: Topic, reader: Reader, state: ReaderState): Promise<void> {
    let isComplete = state.position === reader.revision;
    while (topic.readers.has(reader) && !(isComplete && state.position >= topic.position)) {
      const { position } = topic;
      const records = await store.events.list(topic.workspaceId, { after: state.position, limit: pageSize });
      if (records.length > 0) await endWithoutAccess([reader]);
      if (!topic.readers.has(reader)) return;
      for (const record of records) {
        await yieldIfLong();
        deliver(reader, state, toPublished(record));
      }
      isComplete = records.length < pageSize;
      // Not every revision has an event.
      if (isComplete) state.position = Math.max(state.position, position);
      else await takeReplayTurn(topic.workspaceId);
      await reader.drained();
    }
    state.isLive = true;
  }
}

function deliver(reader: Reader, state: ReaderState, event: PublishedEvent): void {
  if (event.revision <= state.position) return;
  state.position = event.revision;
  reader.onEvent(event);
}

function toPublished({ revision, type, at, by, prompt, detail }: EventRecord): PublishedEvent {
  // The domain wrote type, author and detail.
  const event = { type, at, ...(by && { by }), ...(prompt && { prompt }), ...(JSON.parse(detail) as object) } as WorkspaceEvent;
  return { revision, event, json: JSON.stringify(event) };
}

import type { WorkspaceEvent } from '../../contract/events.ts';
import type { EventRecord } from '../../store/events/events.ts';
import type { Store } from '../../store/store.ts';
import type { Access, AccessWatch, Watcher } from '../access-watch.ts';

export interface WithFeed {
  feed: ReturnType<typeof createFeed>;
}

/** An event in the form that readers receive. */
export interface PublishedEvent {
  revision: number;
  event: WorkspaceEvent;
  /** The event as JSON, serialized once for all readers. */
  json: string;
}

/** A client that reads the events of a workspace as they happen. */
export interface Reader extends Access {
  workspaceId: string;
  /** The workspace's revision when access was checked. */
  revision: number;
  onEvent(event: PublishedEvent): void;
  /** Resolves when the reader can accept more events. A long replay waits for this promise between two pages. */
  drained(): Promise<void>;
  /** Called before the first event if the events that the reader missed can no longer be replayed. */
  onReset(): void;
  /** Called when access has ended. */
  onEnd(): void;
}

interface Topic {
  readonly workspaceId: string;
  readonly readers: Map<Reader, ReaderState>;
  /** The revision of the last event that was passed on. */
  position: number;
  reading: Promise<void> | undefined;
  isBehind: boolean;
}

interface ReaderState {
  /** Ends the reader when its access ends. */
  watcher: Watcher;
  position: number;
  /** Whether the reader has caught up with the topic. */
  isLive: boolean;
}

/**
 * The number of events per page. It is small, because a page is sent to all readers at once, or stays in memory until a slow reader has
 * read it.
 */
const pageSize = 25;

/**
 * Passes the events of workspaces to their readers, each event once and in the order of revisions. Writes by this process are passed on
 * immediately. Writes by other instances are found by the access watch, which looks up each reader's workspace once a second. The access
 * watch also ends readers whose key was reset or whose membership has ended.
 */
export function createFeed(store: Pick<Store, 'events' | 'read' | 'onChange'>, access: AccessWatch, onError: (err: unknown) => void) {
  const topics = new Map<string, Topic>();
  const stopListening = store.onChange((workspaceId) => {
    const topic = topics.get(workspaceId);
    if (topic) readOn(topic);
  });

  function* listReaders(): Generator<Reader> {
    for (const { readers } of topics.values()) yield* readers.keys();
  }

  /** Passes on new events, and reads again if more events may have arrived in the meantime. */
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
      const records = await listEvents(topic, topic.position);
      // Another instance may have ended a reader's access before the events were written. If the lookup fails, the next check reads the
      // events again.
      if (records.length > 0) await access.verify([...topic.readers.values()].map(({ watcher }) => watcher));
      for (const record of records) {
        topic.position = record.revision;
        publish(topic, toPublished(record));
      }
      topic.isBehind ||= records.length === pageSize;
    }
  }

  /**
   * Reads a page in a separate thread. Meanwhile, connections send the events of the previous page, so that a burst of events does not make
   * a reader look slow.
   */
  function listEvents({ workspaceId }: Topic, after: number): Promise<EventRecord[]> {
    return store.read(workspaceId).events.list(workspaceId, { after, limit: pageSize });
  }

  function publish(topic: Topic, event: PublishedEvent): void {
    for (const [reader, state] of topic.readers) if (state.isLive) deliver(reader, state, event);
  }

  function remove(reader: Reader): void {
    const topic = topics.get(reader.workspaceId);
    const state = topic?.readers.get(reader);
    if (state) access.remove(state.watcher);
    topic?.readers.delete(reader);
    if (topic?.readers.size === 0) topics.delete(reader.workspaceId);
  }

  return {
    /**
     * Adds a reader and replays the events that it has missed since `after`. Resolves when the reader is up to date. Call `remove` when the
     * reader disconnects, even if this promise rejects.
     */
    async add(reader: Reader, after: number | undefined): Promise<void> {
      const { workspaceId, revision } = reader;
      const topic = topics.get(workspaceId) ?? { workspaceId, readers: new Map(), position: revision, reading: undefined, isBehind: false };
      topics.set(workspaceId, topic);
      const watcher: Watcher = {
        ...reader,
        onRevision(found) {
          if (found > topic.position) readOn(topic);
        },
        onEnd() {
          remove(reader);
          reader.onEnd();
        },
      };
      const state: ReaderState = { watcher, position: revision, isLive: false };
      topic.readers.set(reader, state);
      access.add(watcher);
      const isKnown = after === undefined || after === revision || (await store.events.isComplete(workspaceId, after));
      if (!isKnown) reader.onReset();
      else if (after !== undefined) state.position = after;
      await replay(topic, reader, state);
    },
    remove,

    close() {
      stopListening();
      for (const reader of [...listReaders()]) {
        remove(reader);
        reader.onEnd();
      }
    },
  };

  /** Passes on the events that the reader has missed. Continues until no new events arrive in the meantime. */
  async function replay(topic: Topic, reader: Reader, state: ReaderState): Promise<void> {
    let isComplete = state.position === reader.revision;
    while (topic.readers.has(reader) && !(isComplete && state.position >= topic.position)) {
      const { position } = topic;
      const records = await listEvents(topic, state.position);
      if (records.length > 0) await access.verify([state.watcher]);
      if (!topic.readers.has(reader)) return;
      for (const record of records) {
        deliver(reader, state, toPublished(record));
        await reader.drained();
      }
      isComplete = records.length < pageSize;
      // The last page may end before the topic's position, because not every revision has an event.
      if (isComplete) state.position = Math.max(state.position, position);
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
  // The type, author and detail were written by our own code.
  const event = { type, at, ...(by && { by }), ...(prompt && { prompt }), ...(JSON.parse(detail) as object) } as WorkspaceEvent;
  return { revision, event, json: JSON.stringify(event) };
}

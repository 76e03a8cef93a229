import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AppError } from '../errors.ts';

export interface WithAccessWatch {
  access: AccessWatch;
}

/** The access that a long response depends on: a credential for a workspace, or a model connection that still exists. */
export interface Access {
  /** The account or workspace whose changes may end the access. */
  ownerId: string;
  /** Identifies the lookup. Watchers with the same value share one lookup. */
  credential: string;
  /** Returns the workspace's current revision, or the reason why the access has ended. Rejects if the lookup fails. */
  findRevision(): Promise<number | AppError>;
}

export interface Watcher extends Access {
  /** Called after each regular check, with the current revision. */
  onRevision?(revision: number): void;
  /** Called once, when the access has ended. The watcher has already been removed. */
  onEnd(reason: AppError): void;
}

export type AccessWatch = ReturnType<typeof createAccessWatch>;

const checkIntervalMs = 1000;
/** The maximum number of lookups that start in one turn of the event loop. Requests can run between two turns. */
const lookupsAtOnce = 50;

/**
 * Ends long responses (event streams, runs, check runs, exports) when the caller loses access. If this process ends the access, they end
 * immediately. To find access that other instances have ended, each credential is looked up once a second.
 */
export function createAccessWatch() {
  const watchers = new Set<Watcher>();
  let isChecking = false;
  const timer = setInterval(async () => {
    if (isChecking || watchers.size === 0) return;
    isChecking = true;
    // An unavailable database does not end the access. A later check repeats the lookup.
    await report(watchers).catch(() => undefined);
    isChecking = false;
  }, checkIntervalMs).unref();

  /** Looks up the access of the chosen watchers. If a lookup fails, the promise rejects after all other lookups have finished. */
  async function look(chosen: Iterable<Watcher>, onFound: (watcher: Watcher, revision: number) => void): Promise<void> {
    const found = new Map<string, Promise<number | AppError>>();
    const waiting = [...chosen];
    for (const { credential, findRevision } of waiting) {
      if (found.has(credential)) continue;
      const revision = findRevision();
      // Later code in this function awaits this promise. Until then, Node must not report its rejection as unhandled.
      revision.catch(() => undefined);
      found.set(credential, revision);
      if (found.size % lookupsAtOnce === 0) await nextTurn();
    }
    let failure: unknown;
    for (const watcher of waiting) {
      try {
        const revision = await found.get(watcher.credential);
        if (typeof revision === 'number') onFound(watcher, revision);
        // The watcher may have been removed during the lookup.
        else if (revision && watchers.delete(watcher)) watcher.onEnd(revision);
      } catch (err) {
        failure = err;
      }
    }
    if (failure !== undefined) throw failure;
  }

  function report(chosen: Iterable<Watcher>): Promise<void> {
    return look(chosen, (watcher, revision) => watcher.onRevision?.(revision));
  }

  return {
    add: (watcher: Watcher) => void watchers.add(watcher),
    remove: (watcher: Watcher) => void watchers.delete(watcher),
    /** Looks up the given watchers now, and ends those without access. Rejects if a lookup fails. */
    verify: (chosen: Iterable<Watcher>) => look(chosen, () => undefined),

    /** Looks up an owner's watchers now. Call it after every change that may end an access. */
    recheck(ownerId: string): void {
      const affected = [...watchers].filter((watcher) => watcher.ownerId === ownerId);
      if (affected.length > 0) report(affected).catch(() => undefined);
    },

    get size(): number {
      return watchers.size;
    },
    close: () => clearInterval(timer),
  };
}

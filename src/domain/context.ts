import { availableParallelism } from 'node:os';
import type { AccountEvent } from '../contract/activity.ts';
import type { Store } from '../store/store.ts';
import type { Client } from './actor.ts';
import type { Background } from './background.ts';
import { type ConcurrencyLimit, createConcurrencyLimit } from './concurrency-limit.ts';
import { createFairQueue, type FairQueue } from './fair-queue.ts';
import type { Keyring } from './secrets/keyring.ts';
import type { UsageRecorder } from './statistics/usage-recorder.ts';
import { createTemplatePool, type TemplatePool } from './templates/pool.ts';

/** The dependencies of every use case. Created once at start. */
export interface Context {
  store: Store;
  keyring: Keyring;
  /** Each password hash takes a core and 46 MiB, so one core is left free for other requests. */
  hashing: ConcurrencyLimit;
  templates: TemplatePool;
  /** Adding up statistics of a large workspace takes long, so each workspace reads one at a time. */
  reports: FairQueue;
  registration: 'open' | 'closed';
  mailer: Mailer;
  background: Background;
  /** Counts calls and buffers account events, and writes both once a second. */
  recorder: UsageRecorder;
  audit(event: AuditEvent): void;
}

export interface Mailer {
  sendResetLink(message: { accountId: string; email: string; link: string }): Promise<void>;
}

/** Something that happened to an account, for the log and for its owner. Never contains a key, a password or a cookie. */
interface AuditEvent {
  /** The activity list never shows a deletion, because the account that could read it is gone. */
  type: AccountEvent['type'] | 'account_deleted';
  accountId?: string;
  client?: Client;
}

export function createContext(parts: Omit<Context, 'hashing' | 'templates' | 'reports'>): Context {
  return {
    ...parts,
    hashing: createConcurrencyLimit({ running: Math.max(1, availableParallelism() - 1), waiting: 64 }),
    templates: createTemplatePool(),
    reports: createFairQueue({ running: 4, runningPerTenant: 1, waitingPerTenant: 8, waiting: 64, waitTimeoutMs: 10_000 }),
  };
}

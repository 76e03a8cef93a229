import { availableParallelism } from 'node:os';
import type { AccountEvent } from '../contract/activity.ts';
import type { Store } from '../store/store.ts';
import type { Client } from './actor.ts';
import type { Background } from './background.ts';
import { type ConcurrencyLimit, createConcurrencyLimit } from './concurrency-limit.ts';
import type { Keyring } from './secrets/keyring.ts';
import type { UsageRecorder } from './statistics/usage-recorder.ts';
import { createTemplatePool, type TemplatePool } from './templates/pool.ts';

/** What every use case works with. Made once at start. */
export interface Context {
  store: Store;
  keyring: Keyring;
  /** Password hashing takes a core and 46 MiB a piece: as many at a time as there are cores but one, which is left to everybody else; at least one. */
  hashing: ConcurrencyLimit;
  templates: TemplatePool;
  registration: 'open' | 'closed';
  mailer: Mailer;
  background: Background;
  /** Counts calls and keeps events until they are written, once a second. */
  recorder: UsageRecorder;
  audit(event: AuditEvent): void;
}

/** Brings messages to people. */
export interface Mailer {
  sendResetLink(message: { accountId: string; email: string; link: string }): Promise<void>;
}

/** What happened to an account, for the log and for its owner. Never holds a key, a password or a cookie. */
export interface AuditEvent {
  /** The activity list never shows a deletion, because the account that could read it is gone. */
  type: AccountEvent['type'] | 'account_deleted';
  accountId?: string;
  client?: Client;
}

export function createContext(parts: Omit<Context, 'hashing' | 'templates'>): Context {
  return {
    ...parts,
    hashing: createConcurrencyLimit({ running: Math.max(1, availableParallelism() - 1), waiting: 64 }),
    templates: createTemplatePool(),
  };
}

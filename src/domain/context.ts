import { availableParallelism } from 'node:os';
import type { AccountEvent } from '../contract/activity.ts';
import type { Store } from '../store/store.ts';
import type { Client } from './actor.ts';
import type { Background } from './background.ts';
import { type ConcurrencyLimit, createConcurrencyLimit } from './concurrency-limit.ts';
import { createRenderables, type Renderables } from './prompts/renderables.ts';
import type { Keyring } from './secrets/keyring.ts';
import type { UsageRecorder } from './statistics/usage-recorder.ts';
import { createTemplates, type Templates } from './templates/templates.ts';

/** The dependencies of every use case. Created once at start. */
export interface Context {
  store: Store;
  keyring: Keyring;
  /** Each password hash takes a core and 46 MiB, so one core is left free for other requests. */
  hashing: ConcurrencyLimit;
  templates: Templates;
  renderables: Renderables;
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

export function createContext(parts: Omit<Context, 'hashing' | 'templates' | 'renderables'>): Context {
  return {
    ...parts,
    hashing: createConcurrencyLimit({ running: Math.max(1, availableParallelism() - 1), waiting: 64 }),
    templates: createTemplates(),
    renderables: createRenderables(),
  };
}

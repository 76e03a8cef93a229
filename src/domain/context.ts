import type { AccountEvent, AccountEventDetail } from '../contract/activity.ts';
import type { Store } from '../store/store.ts';
import { createHashing, type Hashing } from './accounts/hashing.ts';
import type { Client } from './actor.ts';
import type { Background } from './background.ts';
import type { Feed } from './events/feed.ts';
import { createFairQueue, type FairQueue } from './fair-queue.ts';
import { createRenderables, type Renderables } from './prompts/renderables.ts';
import type { Keyring } from './secrets/keyring.ts';
import type { UsageRecorder } from './statistics/usage-recorder.ts';
import { createTemplates, type Templates } from './templates/templates.ts';

/** The dependencies of every use case. Created once at start. */
export interface Context {
  store: Store;
  keyring: Keyring;
  hashing: Hashing;
  templates: Templates;
  renderables: Renderables;
  /** Adding up statistics of a large workspace takes long, so each workspace reads one at a time. */
  reports: FairQueue;
  registration: 'open' | 'closed';
  mailer: Mailer;
  background: Background;
  /** The events of workspaces, as they happen. */
  feed: Feed;
  /** Counts calls and buffers account events, and writes both once a second. */
  recorder: UsageRecorder;
  audit(event: AuditEvent): void;
}

export interface Mailer {
  /** Whether mail is sent. Without a mail server, a reset link is logged and an invitation must be passed on by hand. */
  readonly isConfigured: boolean;
  sendResetLink(message: { accountId: string; email: string; link: string }): Promise<void>;
  sendInvitation(message: InvitationMessage): Promise<void>;
}

export interface InvitationMessage {
  email: string;
  link: string;
  role: string;
  workspaceName: string;
  inviter: { name: string; email: string };
}

/** Something that happened to an account, for the log and for its owner. Never contains a key, a password or a cookie. */
interface AuditEvent {
  /** The activity list never shows a deletion, because the account that could read it is gone; the store keeps its id and time. */
  type: AccountEvent['type'] | 'account_deleted';
  accountId?: string;
  client?: Client;
  /** Who did it, if it concerns a workspace. */
  by?: NonNullable<AccountEvent['by']>;
  detail?: AccountEventDetail;
}

export function createContext(parts: Omit<Context, 'hashing' | 'templates' | 'renderables' | 'reports'>): Context {
  return {
    ...parts,
    hashing: createHashing(),
    templates: createTemplates(),
    renderables: createRenderables(),
    reports: createFairQueue({ running: 4, runningPerTenant: 1, waitingPerTenant: 8, waiting: 64, waitTimeoutMs: 10_000 }),
  };
}

import type { AccountEvent, AccountEventDetail } from '../contract/activity.ts';
import { isDatabaseUnavailable } from '../errors.ts';
import type { Background } from '../platform/scheduling/background.ts';
import { createFairQueue, type FairQueue } from '../platform/scheduling/fair-queue.ts';
import { createTurns, type Turns } from '../platform/scheduling/patient-turns.ts';
import type { Store } from '../store/store.ts';
import type { AccessWatch } from './access-watch.ts';
import { createHashing, type Hashing } from './accounts/hashing.ts';
import type { Client } from './actor.ts';
import type { Backups } from './backups/backups.ts';
import type { Feed } from './events/feed.ts';
import type { MailQueue } from './mail/mail-queue.ts';
import { createModelRuns, type ModelRuns } from './models/model-runs.ts';
import type { Outbound } from './outbound/outbound.ts';
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
  /** A test of a webhook waits for a server that may be slow, so each workspace makes one at a time. */
  webhookTests: Turns;
  /** The same for tests of model connections. */
  modelTests: FairQueue;
  modelRuns: ModelRuns;
  /** Checks run for long, so each workspace runs a few at a time. */
  checkRuns: FairQueue;
  /** Changes of prompts: those of a workspace wait for each other anyway, and here without a lock that others need. */
  changes: FairQueue;
  /** Changes of many things at once, which take long. */
  largeChanges: FairQueue;
  webhookMetrics: WebhookMetrics;
  registration: 'open' | 'closed';
  mailer: Mailer;
  /** All mail goes through this queue. */
  mails: MailQueue;
  /** Requests to servers that users name. */
  outbound: Outbound;
  background: Background;
  /** Undefined with PostgreSQL, which has its own tools. */
  backups: Backups | undefined;
  /** Ends long responses when the caller loses access. */
  access: AccessWatch;
  /** The events of workspaces, as they happen. */
  feed: Feed;
  /** Counts calls and buffers account events, and writes both once a second. */
  recorder: UsageRecorder;
  audit(event: AuditEvent): void;
}

/** Sends one mail, or rejects with a MailError. */
export interface Mailer {
  /** Whether mail is sent. Without a mail server, a reset link is logged and an invitation must be passed on by hand. */
  readonly isConfigured: boolean;
  /** With `isFirstProof`, using the link revokes all earlier access. */
  sendResetLink(message: LinkMessage & { isFirstProof: boolean }): Promise<void>;
  sendVerificationLink(message: LinkMessage): Promise<void>;
  sendInvitation(message: InvitationMessage): Promise<void>;
  sendWebhookDisabled(message: WebhookDisabledMessage): Promise<void>;
}

interface LinkMessage {
  accountId: string;
  email: string;
  link: string;
}

export interface InvitationMessage {
  email: string;
  link: string;
  role: string;
  workspaceName: string;
  inviter: { name: string; email: string };
}

export interface WebhookDisabledMessage {
  accountId: string;
  email: string;
  workspaceName: string;
  webhookId: string;
  url: string;
  reason: string;
}

export interface WebhookMetrics {
  /** Attempts since the start. */
  delivered: number;
  failed: number;
  /** Deliveries of all workspaces that wait, counted up to a limit. */
  waiting: number;
  /** When the delivery was due that has waited longest, or undefined if none is due. */
  oldestDueAt: string | undefined;
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

export function createContext(
  parts: Omit<
    Context,
    | 'hashing'
    | 'templates'
    | 'renderables'
    | 'reports'
    | 'webhookTests'
    | 'modelTests'
    | 'modelRuns'
    | 'checkRuns'
    | 'changes'
    | 'largeChanges'
    | 'webhookMetrics'
  >,
): Context {
  return {
    ...parts,
    hashing: createHashing(),
    templates: createTemplates(),
    renderables: createRenderables(),
    reports: createFairQueue({ running: 4, runningPerTenant: 1, waitingPerTenant: 8, waiting: 64, waitTimeoutMs: 10_000 }),
    // A test holds a connection and little else, so there may be many.
    webhookTests: createTurns({
      running: 256,
      runningPerTenant: 1,
      waitingPerTenant: 4,
      waiting: 4096,
      waitTimeoutMs: 20_000,
      leaseMs: 2000,
    }),
    modelTests: createFairQueue({ running: 256, runningPerTenant: 1, waitingPerTenant: 4, waiting: 4096, waitTimeoutMs: 30_000 }),
    modelRuns: createModelRuns(),
    changes: createFairQueue({
      running: 1000,
      runningPerTenant: 1,
      waitingPerTenant: 200,
      waiting: 10_000,
      waitTimeoutMs: 10_000,
      isShared: isDatabaseUnavailable,
    }),
    largeChanges: createFairQueue({
      running: 2,
      runningPerTenant: 1,
      waitingPerTenant: 16,
      waiting: 256,
      waitTimeoutMs: 30_000,
      isShared: isDatabaseUnavailable,
    }),
    checkRuns: createFairQueue({
      running: 512,
      runningPerTenant: 2,
      shareOfFree: 1 / 8,
      waitingPerTenant: 8,
      waiting: 1024,
      waitTimeoutMs: 60_000,
    }),
    webhookMetrics: { delivered: 0, failed: 0, waiting: 0, oldestDueAt: undefined },
  };
}

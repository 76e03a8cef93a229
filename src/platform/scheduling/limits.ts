import { availableParallelism } from 'node:os';
import type { FairQueueLimits } from './fair-queue.ts';
import type { SlotLimits } from './fair-slots.ts';
import type { PreemptiveQueueLimits } from './preemptive-queue.ts';

// The limits of all queues, slots and budgets of bytes. A tenant is a workspace, unless the row says otherwise. A test checks that no
// tenant can have all of anything.

const mib = 1024 * 1024;
const cores = availableParallelism();
const templateProcesses = Math.max(2, Math.min(4, cores));

/** Who runs next, and how many at once. */
export const queueLimits = {
  /** Requests that may take long. */
  requests: { running: 1000, runningPerTenant: 2, waitingPerTenant: 100, waiting: 10_000, waitTimeoutMs: 10_000, failsTogether: true },
  /** Changes by callers without an account, such as sign-ins. They start one by one. A tenant is a network. */
  anonymousRequests: { running: 1, runningPerTenant: 1, waitingPerTenant: 10_000, waiting: 10_000, waitTimeoutMs: 10_000 },
  /** Transactions that change prompts. Those of one workspace would wait for each other in the database, with a connection. */
  changes: { running: 1000, runningPerTenant: 1, waitingPerTenant: 200, waiting: 10_000, waitTimeoutMs: 10_000, failsTogether: true },
  /** Batches and imports, which take long in the database. */
  largeChanges: { running: 2, runningPerTenant: 1, waitingPerTenant: 16, waiting: 256, waitTimeoutMs: 30_000, failsTogether: true },
  /** Queries in reader threads: one runs in each thread. A core is left to requests. */
  scans: {
    running: Math.max(1, Math.min(4, cores - 1)),
    runningPerTenant: 1,
    waitingPerTenant: 1000,
    waiting: 10_000,
    waitTimeoutMs: 10_000,
  },
  /** Reports about usage. */
  reports: { running: 4, runningPerTenant: 1, waitingPerTenant: 8, waiting: 64, waitTimeoutMs: 10_000 },
  /** Loading a prompt with all that it includes, to render it. */
  renderLoads: { running: 1000, runningPerTenant: 2, waitingPerTenant: 100, waiting: 10_000, waitTimeoutMs: 10_000, failsTogether: true },
  /** Templates, comparisons and checks in child processes. */
  templateJobs: {
    running: templateProcesses,
    runningPerTenant: templateProcesses - 1,
    waitingPerTenant: 100,
    waiting: 1000,
    waitTimeoutMs: 10_000,
  },
  // A hash takes a core and 46 MiB, so one core is left to requests.
  ...hashingLimits(Math.max(1, cores - 1)),
  /** Requests to models, each a connection for minutes. A person can still run something beside two checks. */
  modelRuns: { running: 1024, runningPerTenant: 24, shareOfFree: 1 / 8, waitingPerTenant: 64, waiting: 4096, waitTimeoutMs: 60_000 },
  /** Checks of all cases of a prompt. */
  checkRuns: { running: 512, runningPerTenant: 2, shareOfFree: 1 / 8, waitingPerTenant: 8, waiting: 1024, waitTimeoutMs: 60_000 },
  /** Tests of model connections. A test holds a connection and little else. */
  modelTests: { running: 256, runningPerTenant: 1, waitingPerTenant: 4, waiting: 4096, waitTimeoutMs: 30_000 },
  /** Requests to Langfuse servers, one after another of an import. */
  langfuseReads: { running: 256, runningPerTenant: 2, waitingPerTenant: 8, waiting: 4096, waitTimeoutMs: 60_000 },
  /** Lookups of names that users enter, each of which may take seconds. */
  nameLookups: { running: 256, runningPerTenant: 2, waitingPerTenant: 20, waiting: 5000, waitTimeoutMs: 10_000 },
  /** What has arrived from other servers, such as the end of a run, which is stored. At most one message of a run waits. */
  messagesOfServers: { running: 4, runningPerTenant: 1, waitingPerTenant: 1000, waiting: 10_000, waitTimeoutMs: 60_000 },
  /** Links by mail that somebody is waiting for. A tenant is the workspace or network that causes them. */
  mailedLinks: { running: 6, runningPerTenant: 2, waitingPerTenant: 100, waiting: 5000, waitTimeoutMs: 600_000 },
  /** Invitations and notifications by mail. */
  otherMail: { running: 3, runningPerTenant: 1, waitingPerTenant: 100, waiting: 5000, waitTimeoutMs: 600_000 },
} satisfies Record<string, FairQueueLimits>;

/** The limits of password hashes, of which so many run at once. */
export function hashingLimits(running: number) {
  const limits = { running, runningPerTenant: Math.max(1, running - 1), waitingPerTenant: 64, waiting: 256, waitTimeoutMs: 30_000 };
  return {
    /** All hashes. A tenant is an account, all registrations together, or all sign-ins from new addresses together. */
    hashes: limits,
    /** Registrations before they wait for a hash. A tenant is an address. */
    registrations: limits,
    /** Sign-ins from addresses that are new to the account, before they wait for a hash: one of an address at a time. */
    signInsFromNewAddresses: { ...limits, runningPerTenant: 1 },
    /** The same of people who have signed in before: one attempt of each person at a time. */
    signInsOfKnownPeople: { ...limits, running: 1000, runningPerTenant: 1 },
  };
}

/** The same for tasks that have to end soon while others wait. */
export const preemptiveQueueLimits = {
  /** Webhooks that are sent to. A task mostly waits, and holds little more than its connections. */
  webhooks: {
    running: 512,
    runningPerTenant: 4,
    shareOfFree: 1 / 16,
    waitingPerTenant: 100,
    waiting: 20_000,
    waitTimeoutMs: 60_000,
    preemptAfterMs: 1000,
  },
  /** Tests of webhooks. */
  webhookTests: { running: 256, runningPerTenant: 1, waitingPerTenant: 4, waiting: 4096, waitTimeoutMs: 20_000, preemptAfterMs: 2000 },
} satisfies Record<string, PreemptiveQueueLimits>;

/** What is held for long. An owner is a workspace or an account. */
export const slotLimits = {
  /** Half of the connections that the service accepts by default. */
  eventStreams: { perOwner: 1000, total: 5000, stalledMs: 60_000, what: 'open streams' },
  /** Each holds a snapshot of the database. */
  exports: { perOwner: 4, total: 8, stalledMs: 250, what: 'exports' },
  /** The total is in bytes: an import weighs what it may hold in memory, at most 4 MiB. */
  imports: { perOwner: 8, total: 128 * mib, stalledMs: 1000, what: 'imports' },
} satisfies Record<string, SlotLimits>;

/** Bytes in memory. */
export const byteLimits = {
  /** Bodies of requests. A tenant is a workspace, or a network. */
  bodies: { perTenant: 8 * mib, total: 128 * mib },
  /** What has arrived from models and is not yet sent or stored. */
  modelRuns: { perTenant: 8 * mib, total: 32 * mib },
  /** What has arrived from other servers, in the thread that talks to them. */
  otherServers: { perTenant: 4 * mib, total: 16 * mib },
  /** Events that slow clients have not read. A tenant is a stream, which ends if it is further behind. */
  eventStreams: { perTenant: mib / 4, total: 16 * mib },
};

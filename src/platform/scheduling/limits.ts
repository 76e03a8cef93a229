import { availableParallelism } from 'node:os';
import type { FairQueueLimits } from './fair-queue.ts';
import type { SlotLimits } from './fair-slots.ts';
import type { PreemptiveQueueLimits } from './preemptive-queue.ts';

// The limits of all queues, slots and byte budgets. A tenant is a workspace unless the comment says otherwise. A test checks that no tenant
// can take all of any resource.

const mib = 1024 * 1024;
const cores = availableParallelism();
const templateProcesses = Math.max(2, Math.min(4, cores));

/** The limits of fair queues. */
export const queueLimits = {
  /** Requests that may take a long time. */
  requests: { running: 1000, runningPerTenant: 2, waitingPerTenant: 100, waiting: 10_000, waitTimeoutMs: 10_000, failsTogether: true },
  /** Parsing large bodies, which occupies the main thread for about ten milliseconds. */
  largeBodies: { running: 1000, runningPerTenant: 1, waitingPerTenant: 100, waiting: 10_000, waitTimeoutMs: 10_000, releaseAfterMs: 1 },
  /** Changes by callers without an account, such as sign-ins. They are processed one at a time. A tenant is a network. */
  anonymousRequests: { running: 1, runningPerTenant: 1, waitingPerTenant: 10_000, waiting: 10_000, waitTimeoutMs: 10_000 },
  /**
   * Transactions that change prompts. Only one change per workspace runs at a time. A second one would only wait in the database and occupy
   * a connection.
   */
  changes: { running: 1000, runningPerTenant: 1, waitingPerTenant: 200, waiting: 10_000, waitTimeoutMs: 10_000, failsTogether: true },
  /** Batch requests and imports, which take a long time in the database. */
  largeChanges: { running: 2, runningPerTenant: 1, waitingPerTenant: 16, waiting: 256, waitTimeoutMs: 30_000, failsTogether: true },
  /** Queries in reader threads. Each thread runs one query at a time, and one core is left for requests. */
  scans: {
    running: Math.max(1, Math.min(4, cores - 1)),
    runningPerTenant: 1,
    waitingPerTenant: 1000,
    waiting: 10_000,
    waitTimeoutMs: 10_000,
  },
  /** Queries for usage statistics. */
  reports: { running: 4, runningPerTenant: 1, waitingPerTenant: 8, waiting: 64, waitTimeoutMs: 10_000 },
  /** Reports of model calls. One thread reads one report at a time, and receives the next one in the meantime. */
  intake: { running: 2, runningPerTenant: 1, waitingPerTenant: 64, waiting: 1000, waitTimeoutMs: 10_000 },
  /** Loading a prompt and everything that it includes, before it is rendered. */
  renderLoads: { running: 1000, runningPerTenant: 1, waitingPerTenant: 100, waiting: 10_000, waitTimeoutMs: 10_000, failsTogether: true },
  /** Templates, comparisons and checks that run in child processes. */
  templateJobs: {
    running: templateProcesses,
    runningPerTenant: templateProcesses - 1,
    waitingPerTenant: 100,
    waiting: 1000,
    waitTimeoutMs: 10_000,
  },
  // Each hash occupies a core and 46 MiB of memory, so one core is left for requests.
  ...hashingLimits(Math.max(1, cores - 1)),
  /** Requests to models, each of which may hold a connection for minutes. A workspace can run two check runs and still run prompts. */
  modelRuns: { running: 1024, runningPerTenant: 24, shareOfFree: 1 / 8, waitingPerTenant: 64, waiting: 4096, waitTimeoutMs: 60_000 },
  /** Check runs. */
  checkRuns: { running: 512, runningPerTenant: 2, shareOfFree: 1 / 8, waitingPerTenant: 8, waiting: 1024, waitTimeoutMs: 60_000 },
  /** Tests of model connections. A test uses little more than a connection. */
  modelTests: { running: 256, runningPerTenant: 1, waitingPerTenant: 4, waiting: 4096, waitTimeoutMs: 30_000 },
  /** Requests to Langfuse servers. An import sends its requests one at a time. */
  langfuseReads: { running: 256, runningPerTenant: 2, waitingPerTenant: 8, waiting: 4096, waitTimeoutMs: 60_000 },
  /** Lookups of host names that users have entered, each of which may take seconds. */
  nameLookups: { running: 256, runningPerTenant: 2, waitingPerTenant: 20, waiting: 5000, waitTimeoutMs: 10_000 },
  /**
   * The processing of messages from other servers. For example, the result of a run is stored when the run ends. At most one message per
   * run waits.
   */
  messagesOfServers: { running: 4, runningPerTenant: 1, waitingPerTenant: 1000, waiting: 10_000, waitTimeoutMs: 60_000 },
  /** Emails with links that someone is waiting for. A tenant is the workspace or network that causes them. */
  mailedLinks: { running: 6, runningPerTenant: 2, waitingPerTenant: 100, waiting: 5000, waitTimeoutMs: 600_000 },
  /** Invitations and notifications by email. */
  otherMail: { running: 3, runningPerTenant: 1, waitingPerTenant: 100, waiting: 5000, waitTimeoutMs: 600_000 },
} satisfies Record<string, FairQueueLimits>;

/** Returns the limits of password hashes, for a given number of hashes that may run at the same time. */
export function hashingLimits(running: number) {
  const limits = { running, runningPerTenant: Math.max(1, running - 1), waitingPerTenant: 64, waiting: 256, waitTimeoutMs: 30_000 };
  return {
    /** Password hashes of every kind. A tenant is an account, all registrations together, or all sign-ins from new addresses together. */
    hashes: limits,
    /** Registrations, before they enter the queue of hashes. A tenant is an address. */
    registrations: limits,
    /**
     * Sign-ins from addresses that are new to the account, before they enter the queue of hashes. A tenant is an address. Only one sign-in
     * per address runs at a time.
     */
    signInsFromNewAddresses: { ...limits, runningPerTenant: 1 },
    /** Sign-ins of people who have signed in before. Only one attempt per person runs at a time. */
    signInsOfKnownPeople: { ...limits, running: 1000, runningPerTenant: 1 },
  };
}

/** The limits of preemptive queues. */
export const preemptiveQueueLimits = {
  /** Deliveries to webhooks. A task spends most of its time waiting, and uses little more than its connections. */
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

/** The limits of resources that are held for a long time. An owner is a workspace or an account. */
export const slotLimits = {
  /** Event streams. These streams may use half of the connections that the service accepts by default. */
  eventStreams: { perOwner: 1000, total: 5000, stalledMs: 60_000, what: 'open streams' },
  /** Exports. Each export holds a snapshot of the database. */
  exports: { perOwner: 4, total: 8, stalledMs: 250, what: 'exports' },
  /** Imports. The total is in bytes: the weight of an import is the memory that it may hold, at most 4 MiB. */
  imports: { perOwner: 8, total: 128 * mib, stalledMs: 1000, what: 'imports' },
} satisfies Record<string, SlotLimits>;

/** The memory limits, in bytes. */
export const byteLimits = {
  /** Request bodies. A tenant is a workspace or a network. */
  bodies: { perTenant: 8 * mib, total: 128 * mib },
  /** Data that has arrived from models and is not yet sent or stored. */
  modelRuns: { perTenant: 8 * mib, total: 32 * mib },
  /** Data that has arrived from other servers, in the thread that sends requests to them. */
  otherServers: { perTenant: 4 * mib, total: 16 * mib },
  /** Events that slow clients have not read yet. A tenant is a stream. A stream ends if its client falls further behind. */
  eventStreams: { perTenant: mib / 4, total: 16 * mib },
};

/** The maximum numbers of items that are held in memory. */
export const itemLimits = {
  /** Reported calls and scores that are not recorded yet, each of which takes about a kilobyte. */
  results: { perTenant: 25_000, total: 100_000 },
};

import type { WithBackground } from '../platform/scheduling/background.ts';
import { createFairQueue } from '../platform/scheduling/fair-queue.ts';
import { preemptiveQueueLimits, queueLimits } from '../platform/scheduling/limits.ts';
import { createPreemptiveQueue } from '../platform/scheduling/preemptive-queue.ts';
import type { WithStore } from '../store/store.ts';
import type { WithAccessWatch } from './access-watch.ts';
import type { WithRegistration } from './accounts/accounts.ts';
import type { WithAudit } from './accounts/audit.ts';
import { createHashing, type WithHashing } from './accounts/hashing.ts';
import type { WithBackups } from './backups/backups.ts';
import type { WithCheckRuns } from './checks/checks.ts';
import type { WithModelTests } from './connections/connection-test.ts';
import type { WithFeed } from './events/feed.ts';
import type { WithLinks } from './links.ts';
import type { WithMail } from './mail/mail.ts';
import type { WithProviders } from './oidc/providers.ts';
import type { WithOutbound } from './outbound/outbound.ts';
import type { WithChanges, WithLargeChanges } from './prompts/change-prompts.ts';
import { createRenderables, type WithRenderables } from './prompts/render/renderables.ts';
import type { WithIntake } from './results/intake/intake.ts';
import type { WithResults } from './results/result-recorder.ts';
import { createModelRuns, type WithModelRuns } from './runs/model-runs.ts';
import type { WithKeyring } from './secrets/keyring.ts';
import type { WithReports } from './statistics/statistics.ts';
import type { WithRecorder } from './statistics/usage-recorder.ts';
import { createTemplates, type WithTemplates } from './templates/templates.ts';
import type { WithLangfuseReads } from './transfer/langfuse-reads.ts';
import type { WithWebhookMetrics } from './webhooks/sender.ts';
import type { WithWebhookTests } from './webhooks/webhooks.ts';
import type { WithActivityRetention } from './workspaces/workspace-activity.ts';

/** The dependencies of all use cases, created once at the start. Each use case declares only the dependencies that it uses. */
export interface Context
  extends WithStore,
    WithKeyring,
    WithHashing,
    WithTemplates,
    WithRenderables,
    WithReports,
    WithWebhookTests,
    WithModelTests,
    WithModelRuns,
    WithCheckRuns,
    WithChanges,
    WithLargeChanges,
    WithWebhookMetrics,
    WithRegistration,
    WithMail,
    WithProviders,
    WithOutbound,
    WithIntake,
    WithLangfuseReads,
    WithBackground,
    WithBackups,
    WithAccessWatch,
    WithFeed,
    WithLinks,
    WithRecorder,
    WithResults,
    WithActivityRetention,
    WithAudit {}

export function createContext(parts: Omit<Context, keyof ReturnType<typeof createOwnParts>>): Context {
  return { ...parts, ...createOwnParts() };
}

/** Creates the dependencies that do not depend on other dependencies. */
function createOwnParts() {
  return {
    hashing: createHashing(),
    templates: createTemplates(),
    renderables: createRenderables(),
    reports: createFairQueue(queueLimits.reports),
    webhookTests: createPreemptiveQueue(preemptiveQueueLimits.webhookTests),
    modelTests: createFairQueue(queueLimits.modelTests),
    langfuseReads: createFairQueue(queueLimits.langfuseReads),
    modelRuns: createModelRuns(),
    changes: createFairQueue(queueLimits.changes),
    largeChanges: createFairQueue(queueLimits.largeChanges),
    checkRuns: createFairQueue(queueLimits.checkRuns),
    webhookMetrics: { delivered: 0, failed: 0, waiting: 0, oldestDueAt: undefined },
  };
}

import type { Kysely, Transaction } from 'kysely';
import { deleteAccount } from './accounts/delete-account.ts';
import { endEarlierAccess, type FirstProof } from './accounts/earlier-access.ts';
import { insertSession, type NewSessionRecord } from './accounts/new-sessions.ts';
import { createNotificationStore } from './accounts/notifications.ts';
import { countChanges } from './accounts/revision.ts';
import { createEventStore, type EventWriter } from './events/events.ts';
import { createConnectionStore } from './models/connections.ts';
import { createRunStore } from './models/runs.ts';
import { createExportStore } from './prompts/export.ts';
import { bindPersonalStores } from './prompts/personal.ts';
import { bindPromptStores } from './prompts/prompt-transaction.ts';
import type { Quotas } from './prompts/quota-usage.ts';
import { createResultAlertStore } from './prompts/result-alerts.ts';
import type { Database } from './tables.ts';
import { createDeliveryStore } from './webhooks/deliveries.ts';
import { createWebhookStore } from './webhooks/webhooks.ts';
import { createInvitationStore } from './workspaces/invitations.ts';
import { createMembershipStore } from './workspaces/memberships.ts';
import { assertMemberQuota, assertWebhookQuota } from './workspaces/quotas.ts';
import { createServiceAccountStore } from './workspaces/service-accounts.ts';
import { createWorkspaceActivityStore } from './workspaces/workspace-activity.ts';
import { createWorkspaceSettingsStore } from './workspaces/workspace-settings.ts';

/** The stores that `read` and `readSnapshot` bind. */
export type ReadingStores = ReturnType<typeof bindReadingStores>;

export function bindReadingStores(db: Kysely<Database>) {
  return {
    ...bindPromptStores(db),
    exports: createExportStore(db),
    events: createEventStore(db),
    webhooks: createWebhookStore(db),
    deliveries: createDeliveryStore(db),
    runs: createRunStore(db),
    memberships: createMembershipStore(db),
    workspaceSettings: createWorkspaceSettingsStore(db),
    workspaceActivity: createWorkspaceActivityStore(db),
    resultAlerts: createResultAlertStore(db),
    ...bindPersonalStores(db),
    countChanges: (workspaceId: string) => countChanges(db, workspaceId),
  };
}

/** The stores that `changeWorkspace` binds to its transaction. */
export type WorkspaceStores = ReturnType<typeof bindChangingStores> & { events: EventWriter };

export function bindChangingStores(db: Transaction<Database>, workspaceId: string, quotas: Quotas) {
  return {
    ...bindWorkspaceStores(db),
    quotas,
    /** Throws `quota_exceeded` if one more member or invitation would exceed the quota. */
    assertMemberQuota: () => assertMemberQuota(db, workspaceId, quotas.members),
    /** Throws `quota_exceeded` if one more webhook would exceed the quota. */
    assertWebhookQuota: () => assertWebhookQuota(db, workspaceId, quotas.webhooks),
    /**
     * If the account whose credential makes the change has just proved its address for the first time, revokes all earlier access to the
     * account.
     */
    endEarlierAccess: (proof: FirstProof) => endEarlierAccess(db, proof),
    /** Starts a session for the account whose credential makes the change. */
    startSession: (session: NewSessionRecord) => insertSession(db, session),
    /** Deletes the workspace with everything in it. Returns the ids of the deleted accounts, whose remaining rows have to be removed. */
    deleteWorkspace: () => deleteAccount(db, workspaceId),
  };
}

export function bindWorkspaceStores(db: Kysely<Database>) {
  return {
    memberships: createMembershipStore(db),
    invitations: createInvitationStore(db),
    serviceAccounts: createServiceAccountStore(db),
    workspaceSettings: createWorkspaceSettingsStore(db),
    webhooks: createWebhookStore(db),
    deliveries: createDeliveryStore(db),
    connections: createConnectionStore(db),
    notifications: createNotificationStore(db),
    resultAlerts: createResultAlertStore(db),
  };
}

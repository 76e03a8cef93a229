import { maxBodyBytes } from '../../contract/limits.ts';
import { langfuseReportRoutes } from '../langfuse/reports.ts';
import { langfuseRoutes } from '../langfuse/routes.ts';
import { ofrepRoutes } from '../ofrep/routes.ts';
import { otlpRoutes } from '../otlp/routes.ts';
import { accountRoutes } from './accounts.ts';
import { activityRoutes } from './activity.ts';
import { batchRoutes } from './batch.ts';
import { candidateRoutes } from './candidates.ts';
import { caseRoutes } from './cases.ts';
import { checkRoutes } from './checks.ts';
import { cliSignInRoutes } from './cli-sign-ins.ts';
import { commentRoutes } from './comments.ts';
import { copyRoutes } from './copies.ts';
import { dashboardRoutes } from './dashboard.ts';
import { dependentRoutes } from './dependents.ts';
import { docsRoutes } from './docs.ts';
import { emailChangeRoutes } from './email-change.ts';
import { emailVerificationRoutes } from './email-verification.ts';
import { eventRoutes } from './events.ts';
import { favoriteRoutes } from './favorites.ts';
import { healthRoutes } from './health.ts';
import { historyRoutes } from './history.ts';
import { invitationRoutes } from './invitations.ts';
import { keyRoutes } from './keys.ts';
import { labelRoutes } from './labels.ts';
import { langfuseImportRoutes } from './langfuse-import.ts';
import { mcpRoutes } from './mcp.ts';
import { memberRoutes } from './members.ts';
import { metricsRoutes } from './metrics.ts';
import { modelRoutes } from './models.ts';
import { notificationRoutes } from './notifications.ts';
import { oidcRoutes } from './oidc.ts';
import { overviewRoutes } from './overview.ts';
import { passkeyRoutes } from './passkeys.ts';
import { passwordResetRoutes } from './password-resets.ts';
import { promptRoutes } from './prompts.ts';
import { proposalRoutes } from './proposals.ts';
import { releaseRoutes } from './releases.ts';
import { renderRoutes } from './render.ts';
import { resultRoutes } from './results.ts';
import type { RouteParts, Routes } from './route.ts';
import { runRoutes } from './runs.ts';
import { sessionRoutes } from './sessions.ts';
import { statisticsRoutes } from './statistics.ts';
import { transferRoutes } from './transfer.ts';
import { twoFactorRoutes } from './two-factor.ts';
import { versionRoutes } from './versions.ts';
import { viewRoutes } from './views.ts';
import { webhookRoutes } from './webhooks.ts';
import { workspaceActivityRoutes } from './workspace-activity.ts';
import { workspaceSettingsRoutes } from './workspace-settings.ts';
import { workspaceListRoutes } from './workspaces.ts';

const smallBody = 16 * 1024;

interface Group {
  bodyLimit: number;
  /** Whether requests wait in their workspace's queue. A route can override this. */
  queued?: 'all';
  routes: Routes[];
}

/** All routes, in the order of the API reference and grouped by the maximum size of their bodies. */
const groups: Group[] = [
  {
    bodyLimit: smallBody,
    routes: [
      keyRoutes,
      accountRoutes,
      twoFactorRoutes,
      passkeyRoutes,
      cliSignInRoutes,
      sessionRoutes,
      oidcRoutes,
      passwordResetRoutes,
      emailVerificationRoutes,
      emailChangeRoutes,
    ],
  },
  {
    bodyLimit: maxBodyBytes,
    queued: 'all',
    routes: [
      promptRoutes,
      copyRoutes,
      batchRoutes,
      dependentRoutes,
      overviewRoutes,
      favoriteRoutes,
      viewRoutes,
      versionRoutes,
      candidateRoutes,
      proposalRoutes,
      commentRoutes,
      labelRoutes,
      releaseRoutes,
      historyRoutes,
      renderRoutes,
      ofrepRoutes,
      langfuseRoutes,
      transferRoutes,
      mcpRoutes,
      caseRoutes,
      runRoutes,
      checkRoutes,
      resultRoutes,
    ],
  },
  {
    bodyLimit: smallBody,
    routes: [workspaceListRoutes, workspaceSettingsRoutes, workspaceActivityRoutes, memberRoutes, invitationRoutes, eventRoutes],
  },
  { bodyLimit: smallBody, routes: [otlpRoutes, langfuseReportRoutes] },
  { bodyLimit: smallBody, queued: 'all', routes: [webhookRoutes] },
  {
    bodyLimit: smallBody,
    routes: [
      langfuseImportRoutes,
      modelRoutes,
      statisticsRoutes,
      activityRoutes,
      notificationRoutes,
      healthRoutes,
      metricsRoutes,
      docsRoutes,
      dashboardRoutes,
    ],
  },
];

export function addRoutes(parts: RouteParts): void {
  let group: Group | undefined;
  parts.app.addHook('onRoute', (route) => {
    route.bodyLimit ??= group?.bodyLimit ?? smallBody;
    if (group?.queued) route.config = { queued: group.queued, ...route.config };
  });
  for (group of groups) for (const routes of group.routes) routes(parts);
}

import type { RouteOptions } from 'fastify';
import { maxBodyBytes } from '../../contract/limits.ts';
import { findPermission, type Permission } from '../../contract/permissions.ts';
import type { App } from '../fastify.ts';
import { langfuseRoutes } from '../langfuse/routes.ts';
import { rejectOtherMethods } from '../steps/methods.ts';
import { accountRoutes } from './accounts.ts';
import { activityRoutes } from './activity.ts';
import { batchRoutes } from './batch.ts';
import { caseRoutes } from './cases.ts';
import { checkRoutes } from './checks.ts';
import { dashboardRoutes } from './dashboard.ts';
import { dependentRoutes } from './dependents.ts';
import { docsRoutes } from './docs.ts';
import { emailVerificationRoutes } from './email-verification.ts';
import { eventRoutes } from './events.ts';
import { healthRoutes } from './health.ts';
import { historyRoutes } from './history.ts';
import { invitationRoutes } from './invitations.ts';
import { keyRoutes } from './keys.ts';
import { labelRoutes } from './labels.ts';
import { mcpRoutes } from './mcp.ts';
import { memberRoutes } from './members.ts';
import { metricsRoutes } from './metrics.ts';
import { modelRoutes } from './models.ts';
import { overviewRoutes } from './overview.ts';
import { passwordResetRoutes } from './password-resets.ts';
import { promptRoutes } from './prompts.ts';
import { renderRoutes } from './render.ts';
import type { RouteParts, Routes } from './route.ts';
import { runRoutes } from './runs.ts';
import { sessionRoutes } from './sessions.ts';
import { statisticsRoutes } from './statistics.ts';
import { transferRoutes } from './transfer.ts';
import { twoFactorRoutes } from './two-factor.ts';
import { versionRoutes } from './versions.ts';
import { webhookRoutes } from './webhooks.ts';
import { workspaceSettingsRoutes } from './workspace-settings.ts';
import { workspaceListRoutes } from './workspaces.ts';

const smallBody = 16 * 1024;

interface Group {
  bodyLimit: number;
  /** Whether requests wait in the queue of their workspace, unless a route says otherwise. */
  queued?: 'all';
  routes: Routes[];
}

/** All routes in the order of the API reference, grouped by the maximum size of their bodies. */
const groups: Group[] = [
  {
    bodyLimit: smallBody,
    routes: [keyRoutes, accountRoutes, twoFactorRoutes, sessionRoutes, passwordResetRoutes, emailVerificationRoutes],
  },
  {
    bodyLimit: maxBodyBytes,
    queued: 'all',
    routes: [
      promptRoutes,
      batchRoutes,
      dependentRoutes,
      overviewRoutes,
      versionRoutes,
      labelRoutes,
      historyRoutes,
      renderRoutes,
      langfuseRoutes,
    ],
  },
  { bodyLimit: maxBodyBytes, queued: 'all', routes: [transferRoutes, mcpRoutes, caseRoutes, runRoutes, checkRoutes] },
  { bodyLimit: smallBody, routes: [workspaceListRoutes, workspaceSettingsRoutes, memberRoutes, invitationRoutes] },
  { bodyLimit: smallBody, routes: [eventRoutes] },
  { bodyLimit: smallBody, queued: 'all', routes: [webhookRoutes] },
  {
    bodyLimit: smallBody,
    routes: [modelRoutes, statisticsRoutes, activityRoutes, healthRoutes, metricsRoutes, docsRoutes, dashboardRoutes],
  },
];

export function addRoutes(app: App, parts: RouteParts): void {
  rejectOtherMethods(app, () => {
    let group: Group | undefined;
    app.addHook('onRoute', (route) => {
      route.bodyLimit ??= group?.bodyLimit ?? smallBody;
      if (group?.queued) route.config = { queued: group.queued, ...route.config };
      if (hasStep(route, parts.authentication)) route.config = { ...route.config, permission: permissionOf(route) };
    });
    for (group of groups) for (const routes of group.routes) routes(app, parts);
  });
}

function hasStep({ onRequest }: RouteOptions, step: unknown): boolean {
  return [onRequest].flat().some((given) => given === step);
}

/** No route with authentication is served before it is decided who may use it. */
function permissionOf({ method, url, schema }: RouteOptions): Permission {
  // Fastify's type does not know what our schemas say besides the shapes.
  const permission = findPermission((schema as { operationId?: string } | undefined)?.operationId);
  if (!permission) throw new Error(`${method} ${url} is missing in contract/permissions.ts`);
  return permission;
}

import { WorkspaceActivity, WorkspaceActivityQuery } from '../../contract/workspace-activity.ts';
import { exportActivity } from '../../domain/workspaces/export-activity.ts';
import { listWorkspaceActivity } from '../../domain/workspaces/workspace-activity.ts';
import { actorOf } from '../middleware/authentication.ts';
import { formatOf, mediaTypes } from '../responses/requested-format.ts';
import type { Routes } from './route.ts';

export const workspaceActivityRoutes: Routes = ({ ctx, createRoute, sendExport }) => {
  const route = createRoute({ tag: 'Workspaces' });

  route('GET', '/api/activity', {
    operationId: 'listWorkspaceActivity',
    summary: 'List what happened in the workspace',
    description:
      'Lists changes to prompts, labels, members, keys, settings, webhooks and model connections, newest first, and who made them. ' +
      'Entries about models require the role `editor`. Entries about webhooks and invitations, and about copies of prompts to other ' +
      'workspaces, require the role `admin`. Entries about a prompt are deleted together with the prompt, 30 days after it was moved to ' +
      'the bin. If few entries match the filters, a page may be empty although more entries follow. Continue until `nextCursor` is null. ' +
      'A new entry appears within about a second.',
    querystring: WorkspaceActivityQuery,
    response: { 200: WorkspaceActivity },
    errors: [429],
    handler: async (req, reply) => {
      const { limit, cursor, format: _format, ...query } = req.query;
      const format = formatOf(req, ['csv', 'jsonl']);
      if (format === 'json') return listWorkspaceActivity(ctx, actorOf(req), { ...query, limit, cursor });
      return sendExport(req, reply, {
        name: `activity.${format}`,
        mediaType: format === 'csv' ? `${mediaTypes.csv}; charset=utf-8` : mediaTypes.jsonl,
        // If the member is demoted during the export, the new role may not see all entries.
        role: actorOf(req).role,
        generate: (assertAllowed) => exportActivity(ctx, actorOf(req), { format, query, assertAllowed }),
      });
    },
  });
};

import { activityTypes, discussionTypes, historyTypes, workspaceTypes } from '../../contract/activity-types.ts';
import { defaultPageLimit, type Page } from '../../contract/lists.ts';
import { includesRole } from '../../contract/roles.ts';
import type { ActivityEntry, WorkspaceActivityQuery } from '../../contract/workspace-activity.ts';
import { invalidField } from '../../errors.ts';
import type { ReadingStores } from '../../store/bound-stores.ts';
import type { WithStore } from '../../store/store.ts';
import type { ActivityFilter, ActivitySource } from '../../store/workspaces/workspace-activity.ts';
import type { Actor } from '../actor.ts';
import { decodeCursor, encodeCursor } from '../cursors.ts';
import { toStoredName } from '../prompts/prompt-records.ts';
import { binStart } from '../prompts/prompts.ts';
import { parseTime } from '../statistics/time-range.ts';
import { type ActivityRequest, readActivity } from './read-activity.ts';

export interface WithActivityRetention {
  /** The number of days for which the activity is kept. Undefined if the setting is not used. */
  activityRetentionDays: number | undefined;
}

const dayMs = 24 * 60 * 60 * 1000;

/** Lists a page of what happened in the actor's workspace, newest first. A page may have fewer entries than its limit, or none. */
export async function listWorkspaceActivity(
  ctx: WithStore & WithActivityRetention,
  actor: Actor,
  { limit = defaultPageLimit, cursor, ...query }: WorkspaceActivityQuery,
): Promise<Page<ActivityEntry>> {
  const [before] = cursor === undefined ? [] : decodeCursor('workspace-activity', 1, cursor);
  const stores = ctx.store.read(actor.workspaceId);
  const { entries, next } = await readActivity(stores, await toRequest(ctx, actor, query), { before, limit });
  return { data: entries, nextCursor: next === undefined ? null : encodeCursor('workspace-activity', [next]) };
}

/** Converts a query to a filter, and to the sources of the rows that the actor's role may see. */
export async function toRequest(
  ctx: WithStore & WithActivityRetention,
  actor: Actor,
  { by, type, prompt, ...query }: Omit<WorkspaceActivityQuery, 'limit' | 'cursor' | 'format'>,
): Promise<ActivityRequest> {
  const from = parseTime('/from', query.from);
  const to = parseTime('/to', query.to);
  if (from && to && from > to) throw invalidField('/from', 'Must not be after `to`');
  return {
    workspaceId: actor.workspaceId,
    sources: prompt === undefined ? listSources(actor, type) : await listSourcesOf(ctx.store, actor, { prompt, type }),
    filter: toFilter({ by, from: laterOf(from, retentionStart(ctx)), to }),
  };
}

/** Label moves are stored for longer than the retention period, but the activity no longer shows them when the period has passed. */
function retentionStart({ activityRetentionDays: days }: WithActivityRetention): Date | undefined {
  return days === undefined ? undefined : new Date(Date.now() - days * dayMs);
}

function laterOf(one: Date | undefined, other: Date | undefined): Date | undefined {
  return one && other ? new Date(Math.max(one.getTime(), other.getTime())) : (one ?? other);
}

function toFilter({ by, from, to }: { by: string | undefined; from: Date | undefined; to: Date | undefined }): ActivityFilter {
  return { by, from: from?.toISOString(), to: to?.toISOString() };
}

/** Lists the rows of all prompts and of the workspace. */
function listSources(actor: Actor, type: string | undefined): ActivitySource[] {
  const accountId = actor.workspaceId;
  const isGates = type === 'gates';
  return [
    {
      table: 'account_events' as const,
      accountId,
      types: isGates ? ['workspace_changed'] : chooseTypes([...Object.keys(workspaceTypes), ...Object.keys(discussionTypes)], actor, type),
      mark: isGates ? gateMark : undefined,
    },
    {
      table: 'prompt_events' as const,
      accountId,
      types: isGates ? overridingTypes : chooseTypes(Object.keys(historyTypes), actor, type),
      mark: isGates ? overrideMark : undefined,
    },
  ].filter(({ types }) => types.length > 0);
}

/** Lists the rows of the prompt with this name, and of the last prompt with this name in the bin. */
async function listSourcesOf(
  { prompts }: Pick<ReadingStores, 'prompts'>,
  actor: Actor,
  { prompt, type }: { prompt: string; type: string | undefined },
): Promise<ActivitySource[]> {
  const { workspaceId: accountId } = actor;
  const name = toStoredName(prompt);
  if (name === undefined) return [];
  const found = [await prompts.find(accountId, name), await prompts.findDeleted(accountId, name, binStart(new Date()))];
  const [events, history] = splitSources(listSources(actor, type));
  return [
    ...found.flatMap((record) => (record ? history.map((source) => ({ ...source, promptId: record.id })) : [])),
    ...events.flatMap((source) => {
      const types = source.types.filter((type) => namingTypes.includes(type));
      return types.length === 0 ? [] : [{ ...source, types, mark: `"prompt":${JSON.stringify(name)}` }];
    }),
  ];
}

function splitSources(sources: ActivitySource[]): [events: ActivitySource[], history: ActivitySource[]] {
  return [sources.filter(({ table }) => table === 'account_events'), sources.filter(({ table }) => table === 'prompt_events')];
}

/** The entries of the workspace whose details name a prompt. */
const namingTypes = ['prompt_copied', ...Object.keys(discussionTypes)];
// The details are JSON that was written by JSON.stringify. These marks can match only the names of fields, because quotation marks inside a
// JSON string are escaped.
const gateMark = '"gatedLabels":';
const overrideMark = '"override":';
const overridingTypes = ['label_moved', 'restored'];

/** Returns the types of entries that the filter includes and that the role may see. */
function chooseTypes(types: string[], { role }: Actor, filter: string | undefined): string[] {
  return types.filter((type) => {
    const { kind, role: required } = activityTypes[type as keyof typeof activityTypes];
    return includesRole(role, required) && (filter === undefined || filter === type || filter === kind);
  });
}

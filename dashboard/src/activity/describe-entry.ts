import type { ActivityType } from '../../../src/contract/activity-types.ts';
import { formatNumber, plural } from '../lib/format.ts';
import { describeOverridden } from '../lib/overridden.ts';
import type { ActivityEntry, DailyBudget, ProposalRule } from '../lib/types.ts';
import { describeRule } from '../proposals/rules.ts';
import { describeDetail, type ReleaseVerb, releaseVerbs } from '../releases/events.ts';
import { findLabelChanges, findRuleChanges } from '../settings/workspace-changes.ts';

/**
 * The rest of a sentence that begins with a person's name and says what they did. The name of the prompt goes between `before` and `after`,
 * and `after` begins with the space or punctuation that follows the name.
 */
export interface Sentence {
  before: string;
  after: string;
}

type Detail = ActivityEntry['detail'];

/** Describes an entry. For example, "moved production from v2 to v3 of" is followed by the name of the prompt. */
export function describeEntry({ type, by, detail }: ActivityEntry): Sentence {
  // The service sends only types of the contract.
  const text = sentences[type as ActivityType](detail, by);
  const [before, after = ''] = typeof text === 'string' ? [text] : text;
  return { before, after };
}

/** Returns the name of the person or service that caused the entry. */
export function describePerson({ type, by }: ActivityEntry): string {
  if (by) return by.name;
  return type === 'webhook_disabled' || type.startsWith('proposal_') ? 'The service' : 'The service or its operator';
}

type Text = string | [before: string, after: string];

const sentences: Record<ActivityType, (detail: Detail, by: ActivityEntry['by']) => Text> = {
  created: () => 'created',
  version_saved: ({ version, message }) => [`saved v${version} of`, message ? `: “${message}”` : ''],
  version_deleted: ({ version }) => `deleted v${version} of`,
  label_moved: ({ label, from, to, ...why }) => [
    from === undefined || from === null ? `set ${label} to v${to} of` : `moved ${label} from v${from} to v${to} of`,
    describeOverride(why),
  ],
  label_removed: ({ label, from }) => `removed ${label} from v${from} of`,
  release_started: (detail) => describeRelease('started', detail),
  release_widened: (detail) => describeRelease('widened', detail),
  release_paused: (detail) => describeRelease('paused', detail),
  release_resumed: (detail) => describeRelease('resumed', detail),
  release_rolled_back: (detail) => describeRelease('rolled_back', detail),
  release_finished: (detail) => describeRelease('finished', detail),
  renamed: ({ from, to }) => ['renamed', ` from “${from}” to “${to}”`],
  described: () => 'changed the description or tags of',
  deleted: () => ['moved', ' to the bin'],
  restored: (detail) => ['restored', ` from the bin${describeOverride(detail)}`],
  cases_changed: ({ cases }) => {
    if (!cases) return 'changed test cases of';
    const subject = cases.count > 1 ? plural(cases.count, 'test case') : `the test case “${cases.name}”`;
    return `${cases.action} ${subject} of`;
  },
  copied: ({ from, workspace }) => ['created', ` as a copy of “${from}” in ${workspace?.name}`],
  moved_in: ({ from, workspace }) => ['moved', ` here from ${workspace?.name}, where it was “${from}”`],
  moved_out: ({ to, workspace }) => ['moved', ` to ${workspace?.name}, where it is “${to}”`],
  member_invited: ({ email, role }) => `invited ${email} as ${role}`,
  invitation_removed: ({ email }) => `withdrew the invitation for ${email}`,
  member_joined: ({ role, previousRole }) =>
    previousRole ? `accepted an invitation as ${role}; the previous role was ${previousRole}` : `joined as ${role}`,
  member_role_changed: ({ name, role, previousRole }) => `changed the role of ${name} from ${previousRole} to ${role}`,
  member_removed: ({ name, role }) => `removed ${name}${role ? `, who was ${role}` : ''}`,
  member_left: ({ role }) => `left the workspace${role ? ` as ${role}` : ''}`,
  workspace_transferred: ({ name }) => `made ${name} the owner of the workspace`,
  service_account_created: ({ name, role }) => `created the service account ${name} as ${role}`,
  service_account_key_reset: ({ name, userId }, by) => (by?.userId === userId ? 'reset its own API key' : `reset the API key of ${name}`),
  key_reset: (_detail, by) => (by ? 'reset their API key' : 'reset the API key of the owner'),
  workspace_created: () => 'created the workspace',
  workspace_changed: describeSettings,
  webhook_created: ({ webhook }) => `created a webhook to ${webhook?.host}`,
  webhook_changed: ({ webhook, changed = [] }) => {
    if (changed.length !== 1 || webhook?.enabled === undefined) return `changed the webhook to ${webhook?.host}`;
    return `${webhook.enabled ? 'enabled' : 'disabled'} the webhook to ${webhook.host}`;
  },
  webhook_secret_rotated: ({ webhook }) => `rotated the secret of the webhook to ${webhook?.host}`,
  webhook_disabled: ({ webhook }, by) => `disabled the webhook to ${webhook?.host}${by ? '' : ', because its deliveries failed'}`,
  webhook_deleted: ({ webhook }) => `deleted the webhook to ${webhook?.host}`,
  model_created: ({ model }) => `created the model connection ${model?.name} to ${model?.host}`,
  model_changed: ({ model }) => `changed the model connection ${model?.name}`,
  model_deleted: ({ model }) => `deleted the model connection ${model?.name}`,
  prompts_imported: ({ prompts }) => {
    const { created = 0, completed = 0, replaced = 0 } = prompts ?? {};
    const parts = [`${created} created`, completed > 0 && `${completed} completed`, replaced > 0 && `${replaced} replaced`];
    return `imported prompts: ${parts.filter(Boolean).join(', ')}`;
  },
  proposal_opened: ({ proposal }) => `proposed to move ${listMoves(proposal)}`,
  proposal_approved: (detail) => describeProposal('approved', detail),
  proposal_declined: (detail) => describeProposal('declined', detail),
  proposal_applied: (detail) => describeProposal('applied', detail),
  proposal_failed: (detail) => describeProposal('could not apply', detail),
  proposal_withdrawn: (detail) => describeProposal('withdrew', detail),
  proposal_expired: ({ proposal }) => `ended the proposal to move ${listMoves(proposal)} after 90 days without activity`,
  comment_added: ({ comment }) => `commented on ${describeCommented(comment)}`,
  comment_replied: ({ comment }) => `replied to a comment on ${describeCommented(comment)}`,
  comment_resolved: ({ comment }) => `resolved a thread on ${describeCommented(comment)}`,
  comment_reopened: ({ comment }) => `reopened a thread on ${describeCommented(comment)}`,
  comment_deleted: ({ comment }) => `deleted a comment on ${describeCommented(comment)}`,
  prompt_copied: ({ prompt, workspace }) => `copied “${prompt}” to ${workspace?.name}`,
};

function describeRelease(verb: ReleaseVerb, { label, release, ...why }: Detail): Text {
  const before = `${releaseVerbs[verb]} ${verb === 'started' ? 'a' : 'the'} release on ${label} of`;
  return [before, `${describeDetail(verb, release)}${describeOverride(why)}`];
}

function describeProposal(verb: string, { proposal }: Detail): string {
  const why = proposal?.problem ?? proposal?.text ?? '';
  return `${verb} the proposal to move ${listMoves(proposal)}${why === '' ? '' : `: “${why}”`}`;
}

const maxListedMoves = 3;

function listMoves(proposal: Detail['proposal']): string {
  const changes = proposal?.changes ?? [];
  const others = changes.length - maxListedMoves;
  const listed = changes
    .slice(0, maxListedMoves)
    .map(({ prompt, label, version }) => `${label} of ${prompt || 'a deleted prompt'}${version === undefined ? '' : ` to v${version}`}`);
  return list.format(others > 0 ? [...listed, `${others} more`] : listed);
}

/** Says what a comment is about. */
function describeCommented({ version, candidate, part, line, prompt = 'a deleted prompt' }: NonNullable<Detail['comment']> = {}): string {
  const place = line === undefined ? '' : `line ${line} of ${part === 'text' ? '' : `the ${part} of `}`;
  if (version !== undefined) return `${place}v${version} of ${prompt}`;
  return candidate === undefined ? `a proposal for ${prompt}` : `${place}a candidate of ${prompt}`;
}

function describeOverride({ override, overridden }: Pick<Detail, 'override' | 'overridden'>): string {
  return override === undefined ? '' : ` ${describeOverridden(overridden)}: “${override}”`;
}

function describeSettings({ name, protectedLabels, gatedLabels, labelRules, dailyBudget, previous }: Detail): string {
  const gates = findLabelChanges(gatedLabels, previous?.gatedLabels);
  const protection = findLabelChanges(protectedLabels, previous?.protectedLabels);
  const rules = findRuleChanges(labelRules, previous?.labelRules);
  const texts = [
    name !== undefined && `renamed the workspace to ${name}`,
    gates.added.length > 0 && `turned on ${nameGates(gates.added)}`,
    gates.removed.length > 0 && `turned off ${nameGates(gates.removed)}`,
    protection.added.length > 0 && `protected ${list.format(protection.added)}`,
    protection.removed.length > 0 && `stopped protecting ${list.format(protection.removed)}`,
    rules.added.length > 0 && `required proposals for ${list.format(rules.added)}`,
    rules.changed.length > 0 && `changed the proposal rules for ${list.format(rules.changed)}`,
    rules.removed.length > 0 && `stopped requiring proposals for ${list.format(rules.removed)}`,
    dailyBudget !== undefined && 'changed the daily budget',
  ].filter((text) => text !== false);
  return texts.length === 0 ? 'changed the workspace settings' : list.format(texts);
}

const list = new Intl.ListFormat('en');

function nameGates(labels: string[]): string {
  return `the ${labels.length === 1 ? 'gate' : 'gates'} of ${list.format(labels)}`;
}

/** Lists the values that changed, each with the previous value. */
export function listChanges({ type, detail }: ActivityEntry): { name: string; before: string | undefined; after: string }[] {
  const { previous = {}, webhook, model, changed = [] } = detail;
  if (type === 'workspace_changed') {
    const { name, protectedLabels, gatedLabels, labelRules, dailyBudget } = detail;
    return [
      name !== undefined && { name: 'Name', before: previous.name, after: name },
      gatedLabels && { name: 'Labels that require passing checks', before: toList(previous.gatedLabels), after: join(gatedLabels) },
      protectedLabels && { name: 'Protected labels', before: toList(previous.protectedLabels), after: join(protectedLabels) },
      labelRules && {
        name: 'Labels that require proposals',
        before: previous.labelRules && describeRules(previous.labelRules),
        after: describeRules(labelRules),
      },
      dailyBudget && {
        name: 'Daily budget',
        before: previous.dailyBudget && describeBudget(previous.dailyBudget),
        after: describeBudget(dailyBudget),
      },
    ].filter((change) => change !== false && change !== undefined);
  }
  const before = previous.webhook ?? {};
  const values = [
    before.host !== undefined && { name: 'Host', before: before.host, after: webhook?.host ?? '' },
    before.events !== undefined && { name: 'Events', before: joinEvents(before.events), after: joinEvents(webhook?.events) },
    before.format !== undefined && { name: 'Format', before: before.format, after: webhook?.format ?? '' },
    before.enabled !== undefined && { name: 'Enabled', before: toYesOrNo(before.enabled), after: toYesOrNo(webhook?.enabled) },
    previous.model?.name !== undefined && { name: 'Name', before: previous.model.name, after: model?.name ?? '' },
    previous.model?.host !== undefined && { name: 'Host', before: previous.model.host, after: model?.host ?? '' },
  ].filter((change) => change !== false);
  const others = changed.flatMap((field) => otherFields[field] ?? []);
  return others.length === 0 ? values : [...values, { name: 'Changed', before: undefined, after: others.join(', ') }];
}

/** The names of fields whose values are not recorded. */
const otherFields: Record<string, string> = {
  url: 'URL',
  description: 'description',
  baseUrl: 'base URL',
  kind: 'protocol',
  models: 'models',
  prices: 'prices',
  apiKey: 'key',
};

function describeBudget({ cost, tokens }: DailyBudget): string {
  const limits = [cost !== null && `$${formatNumber(cost)}`, tokens !== null && `${formatNumber(tokens)} tokens`].filter(Boolean);
  return limits.join(', ') || 'no limit';
}

function describeRules(rules: Record<string, ProposalRule>): string {
  return (
    Object.entries(rules)
      .map(([label, rule]) => `${label}: ${describeRule(rule)}`)
      .join(' ') || 'none'
  );
}

function join(names: string[]): string {
  return names.join(', ') || 'none';
}

function toList(names: string[] | undefined): string | undefined {
  return names && join(names);
}

function joinEvents(events: string | string[] | undefined): string {
  return Array.isArray(events) ? events.join(', ') : (events ?? 'all');
}

function toYesOrNo(value: boolean | undefined): string {
  return value ? 'yes' : 'no';
}

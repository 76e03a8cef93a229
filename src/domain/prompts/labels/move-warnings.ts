import { showContent } from '../../../contract/message-content.ts';
import type { Warning } from '../../../contract/warnings.ts';
import { AppError } from '../../../errors.ts';
import type { PromptStores } from '../../../store/prompts/prompt-transaction.ts';
import type { WithStore } from '../../../store/store.ts';
import type { Actor } from '../../actor.ts';
import type { WithRecorder } from '../../statistics/usage-recorder.ts';
import { describeInclude, findInclude } from '../includes/find-includes.ts';
import { describeProblem, type IncludeProblem } from '../includes/include-problems.ts';
import type { Content } from '../render/rendered.ts';
import { findMissingVariables, type LabelMove } from './missing-variables.ts';

/**
 * Finds what would fail if labels pointed at a version: includes that cannot be rendered, empty messages, and required variables that the
 * callers of a label do not send. Every way to move a label returns these warnings. The move is refused only if the caller is strict.
 */
export async function findMoveWarnings(ctx: WithStore & WithRecorder, actor: Actor, move: LabelMove): Promise<Warning[]> {
  if (move.labels.length === 0) return [];
  const { content, includes } = move;
  return [...includes.problems.map(toWarning), ...listEmptyMessages(content), ...(await findMissingVariables(ctx, actor, move))];
}

/** Throws `has_warnings` if there are warnings and the caller is strict. */
export function assertNoWarnings(warnings: Warning[]): void {
  const [first, ...others] = warnings;
  if (!first) return;
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
  throw new AppError('has_warnings', { text: `Nothing was changed: ${first.message}${more}`, warnings });
}

const undeterminedText =
  'The service cannot determine whether other prompts can still be rendered, because too many prompts have included this one';

/**
 * Finds the prompts that can no longer be rendered once a label or a whole prompt is removed. Runs inside the transaction of the removal.
 */
export async function findRemovalWarnings(
  stores: Pick<PromptStores, 'references'>,
  { workspaceId }: Actor,
  choice: { prompt: { id: string; name: string }; labels?: string[] },
): Promise<Warning[]> {
  const include = await findInclude(stores, workspaceId, choice);
  if (include === undefined) return [];
  if (include === 'unknown') return [{ code: 'included_label', message: undeterminedText }];
  const message = `${describeInclude(include)} and can no longer be rendered without it`;
  return [{ code: 'included_label', message, prompt: include.name, label: include.label }];
}

/** Converts a problem of an include to a warning. */
export function toWarning(problem: IncludeProblem): Warning {
  return { code: warningCodes[problem.kind], message: describeProblem(problem) };
}

const warningCodes = {
  missing: 'unknown_partial',
  circular: 'circular_partial',
  too_deep: 'deep_partial',
  too_many: 'many_partials',
  too_long: 'long_partials',
  too_many_variables: 'many_variables',
  not_text: 'chat_partial',
  other_syntax: 'other_syntax_partial',
} as const satisfies Record<IncludeProblem['kind'], string>;

function listEmptyMessages(content: Content): Warning[] {
  const code = 'empty_message';
  if (content.type === 'text') return content.template.trim() === '' ? [{ code, message: 'The template is empty' }] : [];
  return content.messages.flatMap((message, index) =>
    'content' in message && showContent(message.content).trim() === ''
      ? [{ code, message: `Message ${index + 1} (${message.role}) is empty` }]
      : [],
  );
}

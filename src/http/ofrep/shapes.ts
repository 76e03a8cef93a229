import type { EvaluatedFlag, EvaluatedFlags, flagReasons } from '../../contract/ofrep.ts';
import type { ReleaseReason } from '../../contract/release-assignment.ts';
import type { Evaluation, EvaluationResult } from '../../domain/releases/evaluations.ts';
import { toFlagError } from './errors.ts';

const reasons: Record<ReleaseReason, (typeof flagReasons)[number]> = { SPLIT: 'SPLIT', RULE: 'TARGETING_MATCH', NO_KEY: 'DEFAULT' };

export function toFlag(key: string, { name, label, version, content, config, release }: Evaluation): EvaluatedFlag {
  return {
    key,
    value: toValue(content, config),
    reason: release ? reasons[release.reason] : 'STATIC',
    variant: release?.arm ?? `v${version}`,
    // OpenFeature's metadata is flat, so only the id of the release is included.
    metadata: { prompt: name, label, version, ...(release && { release: release.id }) },
  };
}

export function toFlags(results: EvaluationResult[]): EvaluatedFlags {
  return {
    flags: results.map((result) => ('error' in result ? { key: result.name, ...toFlagError(result.error) } : toFlag(result.name, result))),
  };
}

/** Returns the value of a flag. Its type never changes between the versions of a prompt, because a prompt is either text or chat. */
function toValue(content: Evaluation['content'], config: unknown): string | object {
  if (content.type === 'text') return content.template;
  const { messages, tools, output } = content;
  return { messages, config, ...(tools && { tools }), ...(output && { output }) };
}

import { createHourlyLimit } from '../statistics/hourly-limit.ts';

/**
 * The maximum number of names per hour on one instance. Calls beyond a limit are counted without the name, or with the error `other`.
 * Categories beyond the limit are counted as `other`, and scores are dropped.
 */
const limits = {
  /** Models, per workspace. */
  models: 100,
  /** Types of errors, per prompt. */
  errors: 20,
  /** Labels, per prompt. */
  labels: 20,
  /** Names of scores, per prompt. */
  scores: 50,
  /** Categories of a score, per name. */
  categories: 50,
  /** Combinations of prompt, version, label and model, per workspace. */
  combinations: 5000,
  /** Such combinations in an earlier hour. Calls beyond this limit are counted in the hour of their arrival. */
  earlierHours: 5000,
  /** Labels, types of errors, and names and categories of scores of all prompts together, per workspace. */
  names: 10_000,
  /** Names of scores that browsers send, per prompt. */
  browserScores: 10,
  /** Categories that browsers send, per name of a score. */
  browserCategories: 10,
  /** Feedback of browsers that has an id to remember, per workspace. */
  browserIds: 10_000,
  /** Comments of browsers, per workspace. */
  browserComments: 500,
};

export type NameKind = keyof typeof limits;

/** Programs choose names, so the number of names with separate counters is limited. */
export function createNameLimits() {
  const admitted = Object.fromEntries(Object.entries(limits).map(([kind, max]) => [kind, createHourlyLimit(max)])) as Record<
    NameKind,
    ReturnType<typeof createHourlyLimit>
  >;
  return (kind: NameKind, hour: number, owner: string, key: string): boolean => admitted[kind]({ hour, owner, key });
}

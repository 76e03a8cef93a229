import { createHourlyLimit } from '../statistics/hourly-limit.ts';

/**
 * The limits on names, per hour and instance. Calls beyond a limit are counted without the name, or with the error `other`. Categories
 * beyond the limit are counted as `other`, and scores are dropped.
 */
const limits = {
  /** The maximum number of models per workspace. */
  models: 100,
  /** The maximum number of types of errors per prompt. */
  errors: 20,
  /** The maximum number of labels per prompt. */
  labels: 20,
  /** The maximum number of names of scores per prompt. */
  scores: 50,
  /** The maximum number of categories per name of a score. */
  categories: 50,
  /** The maximum number of combinations of prompt, version, label and model per workspace. */
  combinations: 5000,
  /** The maximum number of such combinations in an earlier hour. Calls beyond this limit are counted in the hour of their arrival. */
  earlierHours: 5000,
  /** The maximum number of labels, types of errors, and names and categories of scores of all prompts together, per workspace. */
  names: 10_000,
  /** The maximum number of names of scores that browsers send, per prompt. */
  browserScores: 10,
  /** The maximum number of categories that browsers send, per name of a score. */
  browserCategories: 10,
  /** The maximum number of ids that are remembered for feedback from browsers, per workspace. */
  browserIds: 10_000,
  /** The maximum number of comments that browsers send, per workspace. */
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

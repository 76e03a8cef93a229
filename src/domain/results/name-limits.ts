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
  /** Values of a score that are categories. */
  categories: 50,
  /** Combinations of prompt, version, label and model, per workspace. */
  combinations: 5000,
};

export type NameKind = keyof typeof limits;

/** Programs choose names, so the number of names that have counters of their own is limited. */
export function createNameLimits() {
  const admitted = Object.fromEntries(Object.entries(limits).map(([kind, max]) => [kind, createHourlyLimit(max)])) as Record<
    NameKind,
    ReturnType<typeof createHourlyLimit>
  >;
  return (kind: NameKind, hour: number, owner: string, key: string): boolean => admitted[kind]({ hour, owner, key });
}

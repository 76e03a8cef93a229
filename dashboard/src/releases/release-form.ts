import { defaultStepMinutes, defaultUnits, maxReleaseGuards, maxReleaseSteps, maxRuleValues } from '../../../src/contract/limits.ts';
import { fullWeight } from '../../../src/contract/release-assignment.ts';
import type { NewRelease } from '../lib/types.ts';
import { formatWeight } from './release.ts';

/** A rule in the form: an attribute, its values separated by commas, and whether the rule chooses the arm or the control. */
export interface RuleForm {
  id: number;
  attribute: string;
  values: string;
  to: 'arm' | 'control';
}

/** A guard in the form. The margin has the unit that the form shows. */
export interface GuardForm {
  isOn: boolean;
  margin: string;
  better: 'higher' | 'lower';
}

export interface ReleaseForm {
  weight: number;
  isStepped: boolean;
  /** The steps as percentages, separated by commas. Undefined until the user changes them. */
  steps: string | undefined;
  /** The guards by metric. */
  guards: Record<string, GuardForm>;
  onRegression: 'rollback' | 'pause';
  minUnits: string;
  everyMinutes: string;
  /** The metric that the release should improve. Empty if there is none. */
  metric: string;
  rules: RuleForm[];
}

export const minWeight = 10;
const firstWeight = 100;
const usualSteps = [500, 2500, 5000];

export const initialForm: ReleaseForm = {
  weight: firstWeight,
  isStepped: true,
  steps: undefined,
  guards: { errorRate: { isOn: true, margin: '2', better: 'lower' } },
  onRegression: 'rollback',
  minUnits: String(defaultUnits),
  everyMinutes: String(defaultStepMinutes),
  metric: '',
  rules: [],
};

/** Returns the steps as text. Until the user changes the steps, they are the usual steps above the first share. */
export function stepsOf({ steps, weight }: ReleaseForm): string {
  return steps ?? usualSteps.flatMap((step) => (step > weight ? formatWeight(step).replace('%', '') : [])).join(', ');
}

/** Parses "5" or "0.5" percent as a weight. Returns undefined if the weight is not between 0.1% and 100%. */
export function parseWeight(text: string): number | undefined {
  const weight = Math.round(Number(text.trim().replace(/%$/, '').replace(',', '.')) * 100);
  return text.trim() !== '' && weight >= minWeight && weight <= fullWeight ? weight : undefined;
}

/** The first problem of each field, by field name. */
export type Problems = Partial<Record<'weight' | 'steps' | 'guards' | 'minUnits' | 'everyMinutes' | 'rules', string>>;

export function findProblems(form: ReleaseForm): Problems {
  const chosen = Object.entries(form.guards).filter(([, { isOn }]) => isOn);
  const problems: [keyof Problems, string | undefined][] = [
    ['weight', form.weight >= minWeight && form.weight <= fullWeight ? undefined : 'Enter a share between 0.1% and 100%.'],
    ['steps', form.isStepped ? findStepProblem(form) : undefined],
    ['guards', chosen.some(([, { margin }]) => !isPositive(margin)) ? 'Enter how much worse the version may be: 0 or more.' : undefined],
    ['minUnits', isWhole(form.minUnits, 2, 1_000_000) ? undefined : 'Enter a whole number from 2 to 1,000,000.'],
    ['everyMinutes', isWhole(form.everyMinutes, 1, 10_080) ? undefined : 'Enter 1 to 10,080 minutes (one week).'],
    ['rules', filledRules(form).some(isIncomplete) ? `Each rule needs an attribute and 1 to ${maxRuleValues} values.` : undefined],
  ];
  if (chosen.length > maxReleaseGuards) problems.push(['guards', `Choose at most ${maxReleaseGuards} metrics.`]);
  return Object.fromEntries(problems.filter(([, problem]) => problem !== undefined));
}

/** Returns the request that starts the release. Call this function only if the form has no problems. */
export function toRelease(form: ReleaseForm, { control, version }: { control: number; version: number }): NewRelease {
  const guards = Object.entries(form.guards).flatMap(([metric, { isOn, margin, better }]) =>
    isOn ? [{ metric, margin: toMargin(metric, margin), ...(isScore(metric) && { better }) }] : [],
  );
  return {
    control,
    arms: [{ version, weight: form.weight }],
    guards,
    onRegression: form.onRegression,
    minUnits: Number(form.minUnits),
    everyMinutes: Number(form.everyMinutes),
    ...(form.isStepped && { steps: splitList(stepsOf(form)).map((step) => parseWeight(step) ?? 0) }),
    ...(form.metric !== '' && { metric: form.metric }),
    ...(filledRules(form).length > 0 && {
      rules: filledRules(form).map(({ attribute, values, to }) => ({
        if: { [attribute.trim()]: splitList(values) },
        version: to === 'arm' ? version : control,
      })),
    }),
  };
}

const isScore = (metric: string) => metric.startsWith('score:');

/** Parses a margin. Shares and ratios are entered in percent. */
function toMargin(metric: string, text: string): number {
  return isScore(metric) ? Number(text) : Number((Number(text) / 100).toPrecision(12));
}

function findStepProblem(form: ReleaseForm): string | undefined {
  const weights = splitList(stepsOf(form)).map(parseWeight);
  if (weights.length === 0) return 'Enter at least one step, such as 50.';
  if (weights.length > maxReleaseSteps) return `Enter at most ${maxReleaseSteps} steps.`;
  if (weights.some((weight) => weight === undefined)) return 'Enter percentages from 0.1 to 100, separated by commas.';
  const all = [form.weight, ...weights.map((weight) => weight ?? 0)];
  const isGrowing = all.every((weight, index) => index === 0 || weight > (all[index - 1] ?? 0));
  return isGrowing ? undefined : `Each step must be larger than the one before. The first share is ${formatWeight(form.weight)}.`;
}

function splitList(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** Returns the rules in which something was entered. */
function filledRules({ rules }: ReleaseForm): RuleForm[] {
  return rules.filter(({ attribute, values }) => attribute.trim() !== '' || values.trim() !== '');
}

function isIncomplete({ attribute, values }: RuleForm): boolean {
  const count = splitList(values).length;
  return attribute.trim() === '' || count === 0 || count > maxRuleValues;
}

function isPositive(text: string): boolean {
  return text.trim() !== '' && Number(text) >= 0 && Number.isFinite(Number(text));
}

function isWhole(text: string, min: number, max: number): boolean {
  const value = Number(text);
  return text.trim() !== '' && Number.isInteger(value) && value >= min && value <= max;
}

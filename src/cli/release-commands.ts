import type { Command, Option } from './command.ts';
import { commonOptions as common } from './connection-options.ts';

const labelOfPrompt = '<name> [label]';
const arm: Option = {
  text: 'a version and the share of keys of callers (such as user ids) that get it, in percent with up to two decimals; repeatable',
  value: 'version=share',
  multiple: true,
};
const override: Option = {
  text: 'continue even if a version has not passed its checks, and record this reason (admins only)',
  value: 'reason',
};

/** Commands for releases, which divide the callers of a label between versions. The label is `production` if it is omitted. */
export const releaseCommands: Command[] = [
  {
    name: 'release start',
    summary: "Give another version to a share of a label's callers",
    arguments: labelOfPrompt,
    options: {
      arm,
      control: { text: 'the version for everyone else (default: the version at the label)', value: 'version' },
      rule: {
        text: 'callers who always get a version, such as 4:plan=internal,beta; repeatable',
        value: 'version:name=values',
        multiple: true,
      },
      step: {
        text: 'a larger share that the service gives to the arm automatically; requires exactly one arm; repeatable',
        value: 'share',
        multiple: true,
      },
      guard: {
        text: 'what must not become worse: errorRate, latency, cost or score:<name>, with a margin such as latency=0.1; repeatable',
        value: 'metric',
        multiple: true,
      },
      metric: { text: 'what the release should improve; does not affect the release', value: 'metric' },
      'min-units': { text: 'how many keys with results each version needs before the next step (default: 100)', value: 'number' },
      every: { text: 'the shortest time between two steps (default: 60)', value: 'minutes' },
      'on-regression': { text: 'rollback (default) or pause', value: 'action' },
      file: {
        text: 'a JSON file with the body of the API request, or - for standard input; other options replace its fields',
        value: 'file',
      },
      override,
      strict: { text: 'if something would fail for callers of the release, change nothing and exit with 1' },
      ...common,
    },
    examples: [
      'release start support/reply --arm 4=5%',
      'release start support/reply --arm 4=1% --step 10% --step 50% --step 100% --guard errorRate --guard latency=0.2',
      'release start support/reply staging --arm 4=0% --rule 4:plan=internal  # only for callers with this attribute',
    ],
    load: async () => (await import('./prompts/release.ts')).start,
  },
  {
    name: 'release show',
    summary: 'Show the last release on a label, with its results',
    arguments: labelOfPrompt,
    options: common,
    examples: ['release show support/reply', 'release show support/reply staging --json'],
    load: async () => (await import('./prompts/release.ts')).show,
  },
  {
    name: 'release widen',
    summary: 'Give arms of a release larger shares; no caller goes back to the control',
    arguments: labelOfPrompt,
    options: { arm: { ...arm, required: true }, ...common },
    examples: ['release widen support/reply --arm 4=25%'],
    load: async () => (await import('./prompts/release.ts')).widen,
  },
  {
    name: 'release pause',
    summary: 'Pause a release: callers keep their versions, and the service takes no further steps',
    arguments: labelOfPrompt,
    options: common,
    load: async () => (await import('./prompts/release.ts')).pause,
  },
  {
    name: 'release resume',
    summary: 'Continue a paused release',
    arguments: labelOfPrompt,
    options: common,
    load: async () => (await import('./prompts/release.ts')).resume,
  },
  {
    name: 'release rollback',
    summary: 'End a release, and give all callers the control again',
    arguments: labelOfPrompt,
    options: common,
    examples: ['release rollback support/reply'],
    load: async () => (await import('./prompts/release.ts')).rollBack,
  },
  {
    name: 'release finish',
    summary: 'End a release by moving the label to one of its versions',
    arguments: labelOfPrompt,
    options: { version: { text: 'the version for all callers', value: 'number', required: true }, override, ...common },
    examples: ['release finish support/reply --version 4'],
    load: async () => (await import('./prompts/release.ts')).finish,
  },
];

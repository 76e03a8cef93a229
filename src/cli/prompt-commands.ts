import type { Command, Option } from './command.ts';
import { callerOptions as caller, commonOptions as common } from './connection-options.ts';

const choice: Record<string, Option> = {
  label: { text: 'the version at this label (default: production)', value: 'label', short: 'l' },
  version: { text: 'the version with this number', value: 'number' },
};
const override: Option = {
  text: 'move the label even if the version has not passed its checks, and record this reason (admins only)',
  value: 'reason',
};
const strict: Option = { text: 'if something would fail at the label, change nothing and exit with 1' };
const resolution: Record<string, Option> = {
  ours: { text: 'in a conflict, keep the local file of this prompt; repeatable, "*" for all', value: 'name', multiple: true },
  theirs: { text: 'in a conflict, use the version on the service; repeatable, "*" for all', value: 'name', multiple: true },
};
const trial: Record<string, Option> = {
  'dry-run': { text: 'only show what would be done' },
  check: { text: 'show what would be done, and exit with 1 if there is anything to do' },
};

/** Commands for prompts. These commands send requests to a service over HTTP. */
export const promptCommands: Command[] = [
  {
    name: 'list',
    summary: 'List prompts with their newest versions and labels',
    options: {
      search: { text: 'only prompts that contain this text; also shows the matching lines', value: 'text' },
      folder: { text: 'only prompts in this folder', value: 'folder' },
      tag: { text: 'only prompts with this tag', value: 'tag' },
      label: { text: 'only prompts with this label', value: 'label', short: 'l' },
      'not-deployed': { text: 'only prompts without a label' },
      author: { text: 'only prompts whose newest version was saved by the account with this id', value: 'user id' },
      'changed-since': { text: 'only prompts that were changed since this time', value: 'time' },
      ...common,
    },
    examples: ['list --not-deployed', 'list --folder support', "list --search 'never promise'", 'list --json'],
    load: async () => (await import('./prompts/list.ts')).list,
  },
  {
    name: 'get',
    summary: 'Print a prompt in the format of a prompt file',
    arguments: '<name>',
    options: { ...choice, ...caller, ...common },
    examples: ['get support/reply', 'get support/reply --label staging --json', 'get support/reply --key user-42 --ctx plan=internal'],
    load: async () => (await import('./prompts/get.ts')).get,
  },
  {
    name: 'render',
    summary: 'Print a prompt with its variables filled in',
    arguments: '<name>',
    options: {
      var: { text: 'a variable; the value can be JSON', value: 'name=value', short: 'v', multiple: true },
      vars: { text: 'a JSON file with variables, or - for standard input', value: 'file' },
      ...{ ...choice, ...caller, ...common },
    },
    examples: ['render support/reply -v customer=Ada', 'render support/reply --vars variables.json --label staging'],
    load: async () => (await import('./prompts/render.ts')).render,
  },
  {
    name: 'copy',
    summary: 'Copy or move a prompt to another workspace, with its versions, labels, test cases and history',
    arguments: '<name>',
    options: {
      to: { text: 'id or name of the workspace to copy to', value: 'workspace', required: true },
      name: { text: 'name of the copy (default: the same name)', value: 'name' },
      move: { text: 'also move the original to the bin, in the same transaction' },
      strict: { text: 'if something would fail or a label cannot be copied, change nothing and exit with 1' },
      ...common,
    },
    examples: ['copy support/triage --to "Support team"', 'copy support/triage --to w_mi4w7x2c_000a1d4b8365f0c9a7e --name triage --move'],
    load: async () => (await import('./prompts/copy.ts')).copy,
  },
  {
    name: 'pull',
    summary: 'Write new and changed prompts from the service to files',
    arguments: '[name, folder or file…]',
    options: {
      ...trial,
      prune: { text: 'delete files of prompts that were deleted on the service' },
      ...resolution,
      state: { text: 'write only this file, which lets applications start while the service is unavailable', value: 'file' },
      label: { text: 'with --state: the versions at this label (default: production)', value: 'label', short: 'l' },
      folder: { text: 'with --state: only prompts in this folder', value: 'folder' },
      ...common,
    },
    examples: [
      'pull',
      "pull support --theirs support/reply  # only the folder support, with the service's version of support/reply",
      'pull --check  # exit with 1 if the service has changes',
      'pull --state prompts.state.json  # for the container image of an application',
    ],
    load: async () => (await import('./prompts/pull.ts')).pull,
  },
  {
    name: 'push',
    summary: 'Save new and changed files as prompts and versions on the service',
    arguments: '[name, folder or file…]',
    options: {
      message: {
        text: 'version message (default: the message of the last Git commit, if the files are committed)',
        value: 'text',
        short: 'm',
      },
      label: { text: 'move this label to the versions in the files; repeatable', value: 'label', short: 'l', multiple: true },
      strict,
      ...trial,
      prune: { text: 'delete prompts whose files were deleted' },
      ...resolution,
      ...common,
    },
    examples: [
      'push -m "Shorter replies"  # saves new versions, moves no label',
      'push --label staging  # saves new versions and deploys them to staging',
      'push --ours support/reply  # overwrites the change on the service',
    ],
    load: async () => (await import('./prompts/push.ts')).push,
  },
  {
    name: 'status',
    summary: 'Show which prompts differ between the files and the service',
    arguments: '[name, folder or file…]',
    options: { check: { text: 'exit with 1 if anything differs' }, ...common },
    load: async () => (await import('./prompts/status.ts')).status,
  },
  {
    name: 'diff',
    summary: 'Show differences line by line, from the service to the files, or between versions. Exits with 1 if there are any',
    arguments: '[name, folder or file…]',
    options: {
      from: { text: 'compare two versions on the service, from this version, label or candidate (default: production)', value: 'version' },
      to: { text: 'compare two versions on the service, to this version, label or candidate (default: latest)', value: 'version' },
      ...common,
    },
    examples: ['diff support/reply', 'diff support/reply --from production --to cand_mi4w7x2c_000a1d4b8365f0c9a7e'],
    load: async () => (await import('./prompts/diff.ts')).diff,
  },
  {
    name: 'watch',
    summary: 'Pull now and after every change on the service, until Ctrl+C',
    arguments: '[name, folder or file…]',
    options: { prune: { text: 'delete files of prompts that were deleted on the service' }, ...common },
    load: async () => (await import('./prompts/watch.ts')).watch,
  },
  {
    name: 'lint',
    summary:
      'Check files for syntax errors, invalid schemas, unknown includes and variables, and changes that would break callers. Exits with 1 if it finds any',
    arguments: '[name, folder or file…]',
    options: {
      label: { text: 'compare with the versions at this label (default: production)', value: 'label', short: 'l' },
      offline: { text: 'check only the files, without the service' },
      'allow-new-variables': { text: 'allow required variables that the deployed version does not have' },
      format: { text: 'text (default), json, or github for annotations in GitHub Actions', value: 'format' },
      ...common,
    },
    examples: [
      'lint',
      'lint --offline  # needs neither a service nor a key',
      'lint prompts/support/reply.prompt.yaml  # checks one file, for example in a Git hook',
      'lint --format github  # in GitHub Actions',
    ],
    load: async () => (await import('./prompts/lint.ts')).lint,
  },
  {
    name: 'types',
    summary: 'Write the prompts and their variables as types for TypeScript or Python',
    options: {
      python: { text: 'write a Python module, not a TypeScript declaration file' },
      output: { text: 'the file to write (default: promptharbor.d.ts or prompt_types.py)', value: 'file', short: 'o' },
      label: { text: 'use the versions at this label (default: production)', value: 'label', short: 'l' },
      folder: { text: 'only prompts in this folder', value: 'folder' },
      check: { text: 'write nothing, and exit with 1 if the file is out of date' },
      ...common,
    },
    examples: ['types -o src/prompts.d.ts', 'types -o src/prompts.d.ts --check  # in CI', 'types --python -o app/prompt_types.py'],
    load: async () => (await import('./prompts/types.ts')).types,
  },
  {
    name: 'check',
    summary: 'Run the test cases of prompts and show which failed. Exits with 1 if a test case fails',
    arguments: '[name or folder…]',
    options: {
      all: { text: 'check all prompts that have test cases' },
      ...choice,
      candidate: { text: 'the candidate with this id', value: 'id' },
      connection: { text: 'name of the model connection; not needed if all checks apply to the rendered prompt', value: 'name' },
      model: { text: 'the model (default: the model of the prompt or the connection)', value: 'model' },
      parallel: { text: 'test cases to run at the same time, 1 to 8 (default: 4)', value: 'number' },
      junit: { text: 'also write the results to this file in JUnit format', value: 'file' },
      ...common,
    },
    examples: [
      'check support/reply --label latest --connection OpenAI  # before you deploy it',
      'check support/reply --version 4 --connection OpenAI --model gpt-5-mini',
      'check --all --label staging --connection OpenAI --junit checks.xml  # in CI',
    ],
    load: async () => (await import('./prompts/check.ts')).check,
  },
  {
    name: 'deploy',
    summary: 'Move a label to a version',
    arguments: '<name> <version>',
    options: { label: { text: 'the label to move (default: production)', value: 'label', short: 'l' }, override, strict, ...common },
    examples: [
      'deploy support/reply 4',
      'deploy support/reply 4 --strict  # in CI',
      'deploy support/reply latest --label staging  # the version can also be a label',
    ],
    load: async () => (await import('./prompts/deploy.ts')).deploy,
  },
  {
    name: 'rollback',
    summary: 'Move a label back to the version it pointed at before',
    arguments: '<name>',
    options: {
      label: { text: 'the label to move back (default: production)', value: 'label', short: 'l' },
      to: { text: 'the version to move the label to (default: the version before the last move)', value: 'version' },
      override,
      ...common,
    },
    examples: ['rollback support/reply'],
    load: async () => (await import('./prompts/deploy.ts')).rollback,
  },
  {
    name: 'results',
    summary: "Show what applications reported about their model calls: a prompt's versions, or the workspace's prompts by cost",
    arguments: '[name]',
    options: {
      last: { text: 'only calls in this period up to now, such as 12h or 7d (default: 24h)', value: 'period' },
      from: { text: 'only calls at or after this time (ISO 8601)', value: 'time' },
      to: { text: 'only calls before this time (ISO 8601)', value: 'time' },
      by: { text: 'version (default), model, score or time; without a name: prompt (default), model or time', value: 'table' },
      label: { text: 'with a name: only calls that were reported with this label', value: 'label', short: 'l' },
      model: { text: 'with a name: only calls to this model', value: 'model' },
      csv: { text: 'print the table as CSV' },
      ...common,
    },
    examples: [
      'results support/triage',
      'results support/triage --last 7d --by model',
      'results --last 30d --csv > results.csv  # all prompts of the workspace, by cost',
    ],
    load: async () => (await import('./prompts/results.ts')).results,
  },
];

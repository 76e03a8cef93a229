import type { Command, Option } from './command.ts';
import { commonOptions as common, connectionOptions } from './connection-options.ts';

const choice: Record<string, Option> = {
  label: { text: 'the version at this label (default: production)', value: 'label', short: 'l' },
  version: { text: 'the version with this number', value: 'number' },
};
const override: Option = { text: 'move a gated label without passing checks and record this reason (admins only)', value: 'reason' };
const strict: Option = { text: 'if something would fail at the label, change nothing and exit with 1' };
const resolution: Record<string, Option> = {
  ours: { text: 'in a conflict, keep the local file of this prompt; repeatable, "*" for all', value: 'name', multiple: true },
  theirs: { text: 'in a conflict, use the version on the service; repeatable, "*" for all', value: 'name', multiple: true },
};
const trial: Record<string, Option> = {
  'dry-run': { text: 'only show what would be done' },
  check: { text: 'show what would be done, and exit with 1 if there is anything to do' },
};

/** Commands that send requests to a service over HTTP. */
export const promptCommands: Command[] = [
  {
    name: 'init',
    summary: 'Make this folder a project by creating promptharbor.json and a folder for prompts',
    options: {
      yes: { text: 'use the defaults without asking', short: 'y' },
      url: { text: 'address of the service', value: 'url' },
      workspace: { text: 'workspace that the prompts belong to', value: 'id' },
      folder: { text: 'folder for the prompts (default: prompts)', value: 'folder' },
    },
    examples: ['init  # asks for the address and the folder', 'init --yes --url https://prompts.example.com'],
    load: async () => (await import('./prompts/init.ts')).init,
  },
  {
    name: 'login',
    summary: 'Sign in with email and password, and store the key for later commands',
    options: {
      url: connectionOptions.url,
      email: { text: 'your email address (asked for if omitted)', value: 'email' },
      print: { text: 'print the key instead of storing it' },
    },
    examples: [
      'login --url https://prompts.example.com',
      'login --email ada@example.com < password.txt  # reads the password, and a code if needed, from standard input',
      'login --print  # to set PROMPTHARBOR_API_KEY for a program',
    ],
    load: async () => (await import('./prompts/login.ts')).login,
  },
  {
    name: 'logout',
    summary: 'Delete the key that login stored',
    options: { url: connectionOptions.url },
    load: async () => (await import('./prompts/login.ts')).logout,
  },
  {
    name: 'whoami',
    summary: 'Show the account, workspace and role that commands use',
    options: common,
    load: async () => (await import('./prompts/whoami.ts')).whoami,
  },
  {
    name: 'workspaces',
    summary: 'List the workspaces that you can act in, or create one for a team',
    options: { create: { text: 'create a team workspace with this name', value: 'name' }, ...common },
    examples: ['workspaces', 'workspaces --create "Support team"  # prints its id for --workspace'],
    load: async () => (await import('./prompts/workspaces.ts')).workspaces,
  },
  {
    name: 'activity',
    summary: 'List what happened in the workspace, and who did it',
    options: {
      by: { text: 'only what this person or service account did', value: 'userId' },
      type: { text: 'only entries of this kind (such as labels, settings or gates) or type', value: 'type' },
      prompt: { text: 'only entries about this prompt', value: 'name' },
      from: { text: 'only entries at or after this time (ISO 8601)', value: 'time' },
      to: { text: 'only entries before this time (ISO 8601)', value: 'time' },
      limit: { text: 'the number of entries, newest first (default: 50)', value: 'number' },
      ...common,
    },
    examples: ['activity --type gates  # shows who turned off a gate', 'activity --prompt support/triage --from 2026-03-01 --json'],
    load: async () => (await import('./prompts/activity.ts')).activity,
  },
  {
    name: 'list',
    summary: 'List prompts with their newest versions and labels',
    options: {
      search: { text: 'only prompts that contain this text; also shows the matching lines', value: 'text' },
      folder: { text: 'only prompts in this folder', value: 'folder' },
      tag: { text: 'only prompts with this tag', value: 'tag' },
      label: { text: 'only prompts with this label', value: 'label', short: 'l' },
      'not-deployed': { text: 'only prompts without a label' },
      author: { text: 'only prompts whose newest version was saved by this account (its id)', value: 'user id' },
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
    options: { ...choice, ...common },
    examples: ['get support/reply', 'get support/reply --label staging --json'],
    load: async () => (await import('./prompts/get.ts')).get,
  },
  {
    name: 'render',
    summary: 'Print a prompt with its variables filled in',
    arguments: '<name>',
    options: {
      var: { text: 'a variable; the value can be JSON', value: 'name=value', short: 'v', multiple: true },
      vars: { text: 'a JSON file with variables, or - for standard input', value: 'file' },
      ...choice,
      ...common,
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
      state: { text: 'write only this file, with which applications can start while the service is unavailable', value: 'file' },
      label: { text: 'with --state: the versions at this label (default: production)', value: 'label', short: 'l' },
      folder: { text: 'with --state: only prompts in this folder', value: 'folder' },
      ...common,
    },
    examples: [
      'pull',
      "pull support --theirs support/reply  # only the folder support, with the service's version of support/reply",
      'pull --check  # exit with 1 if the service has changes',
      'pull --state prompts.state.json  # for the image of an application',
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
    summary: 'Show differences line by line, from the service to the files. Exits with 1 if there are any',
    arguments: '[name, folder or file…]',
    options: common,
    examples: ['diff support/reply'],
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
      'Check files for syntax errors, unknown includes and variables, and changes that would break callers. Exits with 1 if it finds any',
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
    summary: 'Write a TypeScript declaration file with the prompts and their variables',
    options: {
      output: { text: 'the file to write (default: promptharbor.d.ts)', value: 'file', short: 'o' },
      label: { text: 'use the versions at this label (default: production)', value: 'label', short: 'l' },
      folder: { text: 'only prompts in this folder', value: 'folder' },
      check: { text: 'write nothing, and exit with 1 if the file is out of date' },
      ...common,
    },
    examples: ['types -o src/prompts.d.ts', 'types -o src/prompts.d.ts --check  # in CI'],
    load: async () => (await import('./prompts/types.ts')).types,
  },
  {
    name: 'check',
    summary: 'Run the test cases of prompts and show which failed. Exits with 1 if a test case fails',
    arguments: '[name or folder…]',
    options: {
      all: { text: 'check all prompts that have test cases' },
      ...choice,
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
];

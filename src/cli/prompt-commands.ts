import type { Command, Option } from './command.ts';
import { commonOptions as common, connectionOptions } from './connection-options.ts';

const choice: Record<string, Option> = {
  label: { text: 'the version at this label (default: production)', value: 'label', short: 'l' },
  version: { text: 'the version with this number', value: 'number' },
};
const override: Option = { text: 'as an admin, move a gated label without passing checks, for this reason', value: 'reason' };
const strict: Option = { text: 'change nothing if something would fail at the label; exit 1' };
const resolution: Record<string, Option> = {
  ours: { text: 'in a conflict, keep the file of this prompt; may be repeated, "*" is all', value: 'name', multiple: true },
  theirs: { text: 'in a conflict, take the version of the service; may be repeated, "*" is all', value: 'name', multiple: true },
};
const trial: Record<string, Option> = {
  'dry-run': { text: 'only say what would be done' },
  check: { text: 'the same, with exit code 1 if there is anything to do' },
};

/** Commands that talk to a service over HTTP. */
export const promptCommands: Command[] = [
  {
    name: 'init',
    summary: 'Make this folder a project: write promptharbor.json and the folder of the prompts',
    options: {
      yes: { text: 'take the defaults and ask nothing', short: 'y' },
      url: { text: 'address of the service', value: 'url' },
      workspace: { text: 'workspace that the prompts belong to', value: 'id' },
      folder: { text: 'folder of the prompts (default: prompts)', value: 'folder' },
    },
    examples: ['init  # asks for the address and the folder', 'init --yes --url https://prompts.example.com'],
    load: async () => (await import('./prompts/init.ts')).init,
  },
  {
    name: 'login',
    summary: 'Sign in with email and password, and keep the key for later commands',
    options: {
      url: connectionOptions.url,
      email: { text: 'your email address (default: asked for)', value: 'email' },
      print: { text: 'print the key and keep nothing' },
    },
    examples: [
      'login --url https://prompts.example.com',
      'login --email ada@example.com < password.txt  # the password, and a code if needed, from standard input',
      'login --print  # for PROMPTHARBOR_API_KEY of a program',
    ],
    load: async () => (await import('./prompts/login.ts')).login,
  },
  {
    name: 'logout',
    summary: 'Forget the key that login has kept',
    options: { url: connectionOptions.url },
    load: async () => (await import('./prompts/login.ts')).logout,
  },
  {
    name: 'whoami',
    summary: 'Show the account, the workspace and the role that commands act with',
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
    name: 'list',
    summary: 'List prompts with their newest versions and labels',
    options: {
      search: { text: 'part of the name or description', value: 'text' },
      folder: { text: 'only in this folder', value: 'folder' },
      tag: { text: 'only with this tag', value: 'tag' },
      label: { text: 'only with this label', value: 'label', short: 'l' },
      ...common,
    },
    examples: ['list --folder support', 'list --json'],
    load: async () => (await import('./prompts/list.ts')).list,
  },
  {
    name: 'get',
    summary: 'Print a prompt as it would be in a file',
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
      var: { text: 'a variable; the value may be JSON', value: 'name=value', short: 'v', multiple: true },
      vars: { text: 'a JSON file with variables; - is standard input', value: 'file' },
      ...choice,
      ...common,
    },
    examples: ['render support/reply -v customer=Ada', 'render support/reply --vars variables.json --label staging'],
    load: async () => (await import('./prompts/render.ts')).render,
  },
  {
    name: 'pull',
    summary: 'Write new and changed prompts of the service into files',
    arguments: '[name, folder or file…]',
    options: { ...trial, prune: { text: 'delete files of prompts that are deleted there' }, ...resolution, ...common },
    examples: [
      'pull',
      'pull support --theirs support/reply  # only below support, and take their support/reply',
      'pull --check  # exit 1 if the service has something new',
    ],
    load: async () => (await import('./prompts/pull.ts')).pull,
  },
  {
    name: 'push',
    summary: 'Save new and changed files as prompts and versions',
    arguments: '[name, folder or file…]',
    options: {
      message: { text: 'what has changed (default: the last git commit, if the files are committed)', value: 'text', short: 'm' },
      label: { text: 'point this label at what the files say; may be repeated', value: 'label', short: 'l', multiple: true },
      strict,
      ...trial,
      prune: { text: 'delete prompts whose files are deleted here' },
      ...resolution,
      ...common,
    },
    examples: [
      'push -m "Shorter replies"  # new versions, no label moves',
      'push --label staging  # and deploys them',
      'push --ours support/reply  # over their change',
    ],
    load: async () => (await import('./prompts/push.ts')).push,
  },
  {
    name: 'status',
    summary: 'Show what differs between files and service',
    arguments: '[name, folder or file…]',
    options: { check: { text: 'exit 1 if anything differs' }, ...common },
    load: async () => (await import('./prompts/status.ts')).status,
  },
  {
    name: 'diff',
    summary: 'Show differences line by line, from service to file; exit 1 if there are any',
    arguments: '[name, folder or file…]',
    options: common,
    examples: ['diff support/reply'],
    load: async () => (await import('./prompts/diff.ts')).diff,
  },
  {
    name: 'watch',
    summary: 'Pull now, and again whenever the service has something new, until Ctrl+C',
    arguments: '[name, folder or file…]',
    options: { prune: { text: 'delete files of prompts that are deleted there' }, ...common },
    load: async () => (await import('./prompts/watch.ts')).watch,
  },
  {
    name: 'lint',
    summary: 'Check files: syntax, unknown includes and variables, and what programs would notice; exit 1 with findings',
    arguments: '[name, folder or file…]',
    options: {
      label: { text: 'compare with what is deployed at this label (default: production)', value: 'label', short: 'l' },
      offline: { text: 'look at the files alone' },
      'allow-new-variables': { text: 'accept required variables that the deployed version does not have' },
      format: { text: 'text (default), json, or github for annotations in GitHub Actions', value: 'format' },
      ...common,
    },
    examples: [
      'lint',
      'lint --offline  # needs neither service nor key',
      'lint prompts/support/reply.prompt.yaml  # a file, as hooks of version control pass it',
      'lint --format github  # in GitHub Actions',
    ],
    load: async () => (await import('./prompts/lint.ts')).lint,
  },
  {
    name: 'types',
    summary: 'Write a declaration file, so that programs know prompts and variables',
    options: {
      output: { text: 'the file to write (default: promptharbor.d.ts)', value: 'file', short: 'o' },
      label: { text: 'the versions at this label (default: production)', value: 'label', short: 'l' },
      folder: { text: 'only prompts in this folder', value: 'folder' },
      check: { text: 'write nothing; exit 1 if the file is stale' },
      ...common,
    },
    examples: ['types -o src/prompts.d.ts', 'types -o src/prompts.d.ts --check  # in CI'],
    load: async () => (await import('./prompts/types.ts')).types,
  },
  {
    name: 'check',
    summary: 'Run the cases of prompts on a version, and show what failed; exit 1 if any did',
    arguments: '[name or folder…]',
    options: {
      all: { text: 'all prompts that have cases' },
      ...choice,
      connection: { text: 'name of the model connection; not needed if all checks are on the prompt', value: 'name' },
      model: { text: 'the model (default: that of the prompt or of the connection)', value: 'model' },
      parallel: { text: 'cases at the same time, 1 to 8 (default: 4)', value: 'number' },
      junit: { text: 'also write the results to this file, in the form of JUnit', value: 'file' },
      ...common,
    },
    examples: [
      'check support/reply --label latest --connection OpenAI  # before it is deployed',
      'check support/reply --version 4 --connection OpenAI --model gpt-5-mini',
      'check --all --label staging --connection OpenAI --junit checks.xml  # in CI',
    ],
    load: async () => (await import('./prompts/check.ts')).check,
  },
  {
    name: 'deploy',
    summary: 'Point a label at a version',
    arguments: '<name> <version>',
    options: { label: { text: 'the label to move (default: production)', value: 'label', short: 'l' }, override, strict, ...common },
    examples: [
      'deploy support/reply 4',
      'deploy support/reply 4 --strict  # in CI',
      'deploy support/reply latest --label staging  # the version may also be a label',
    ],
    load: async () => (await import('./prompts/deploy.ts')).deploy,
  },
  {
    name: 'rollback',
    summary: 'Point a label at the version it pointed at before',
    arguments: '<name>',
    options: {
      label: { text: 'the label to move back (default: production)', value: 'label', short: 'l' },
      to: { text: 'the version to move it to (default: the one before the last move)', value: 'version' },
      override,
      ...common,
    },
    examples: ['rollback support/reply'],
    load: async () => (await import('./prompts/deploy.ts')).rollback,
  },
];

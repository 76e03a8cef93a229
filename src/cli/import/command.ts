import type { Command, Option } from '../command.ts';
import { connectionOptions, jsonOption } from '../connection-options.ts';

const common: Record<string, Option> = {
  'dry-run': { text: 'only say what would be done' },
  ...connectionOptions,
  ...jsonOption,
};

/** Commands that import prompts with all their versions. */
export const importCommands: Command[] = [
  {
    name: 'import json',
    kind: 'client',
    summary: 'Import what "export" has written: all versions, labels, cases and history; exit 1 with conflicts',
    arguments: '<file>',
    options: common,
    examples: [
      ['import json prompts.jsonl --dry-run', ''],
      ['import json -', 'from standard input'],
    ],
    load: async () => (await import('./json.ts')).importJson,
  },
  {
    name: 'import langfuse',
    kind: 'client',
    summary: 'Import all prompts of a Langfuse project with their versions, labels, tags, configs and dates; exit 1 with conflicts',
    arguments: '[url]',
    options: {
      'public-key': { text: 'the public key of the project (default: LANGFUSE_PUBLIC_KEY)', value: 'key' },
      'secret-key': { text: 'the secret key (default: LANGFUSE_SECRET_KEY, which other users of this machine cannot see)', value: 'key' },
      ...common,
    },
    examples: [
      ['import langfuse https://cloud.langfuse.com --dry-run', 'with LANGFUSE_PUBLIC_KEY and LANGFUSE_SECRET_KEY'],
      ['import langfuse', 'the address of LANGFUSE_BASE_URL'],
    ],
    load: async () => (await import('./langfuse.ts')).importLangfuse,
  },
];

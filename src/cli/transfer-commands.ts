import type { Command, Option } from './command.ts';
import { commonOptions as common } from './connection-options.ts';
import type { ImportedFormat } from './import/files.ts';

const dryRun: Record<string, Option> = { 'dry-run': { text: 'only say what would be done' } };

/** Commands that export prompts, and import them from here or from other programs. */
export const transferCommands: Command[] = [
  {
    name: 'export',
    summary: 'Take all prompts of a workspace away: everything as lines of JSON, or as files, for Langfuse or as dotprompt',
    options: {
      format: { text: 'json (default; all of it), files, langfuse or dotprompt', value: 'format' },
      output: { text: 'the file (default: standard output) or, for files and dotprompt, the folder', value: 'path', short: 'o' },
      ...common,
    },
    examples: [
      'export -o prompts.jsonl  # "import json" restores it, here or elsewhere',
      'export --format dotprompt -o prompts  # the newest versions; exit 1 if some cannot be dotprompt',
      'export --format langfuse -o prompts.jsonl  # a line for each version',
    ],
    load: async () => (await import('./export/export.ts')).exportPrompts,
  },
  {
    name: 'import json',
    summary: 'Import what "export" has written: all versions, labels, cases and history; exit 1 with conflicts',
    arguments: '<file>',
    options: { replace: { text: 'move prompts that conflict to the bin, and import those of the file' }, ...dryRun, ...common },
    examples: ['import json prompts.jsonl --dry-run', 'import json -  # from standard input'],
    load: async () => (await import('./import/json.ts')).importJson,
  },
  {
    name: 'import langfuse',
    summary: 'Import all prompts of a Langfuse project with their versions, labels, tags, configs and dates; exit 1 with conflicts',
    arguments: '[url]',
    options: {
      'public-key': { text: 'the public key of the project (default: LANGFUSE_PUBLIC_KEY)', value: 'key' },
      'secret-key': { text: 'the secret key (default: LANGFUSE_SECRET_KEY, which other users of this machine cannot see)', value: 'key' },
      ...dryRun,
      ...common,
    },
    examples: [
      'import langfuse https://cloud.langfuse.com --dry-run  # with LANGFUSE_PUBLIC_KEY and LANGFUSE_SECRET_KEY',
      'import langfuse  # the address of LANGFUSE_BASE_URL',
    ],
    load: async () => (await import('./import/langfuse.ts')).importLangfuse,
  },
  fileImport('dotprompt', 'Import .prompt files of Genkit’s dotprompt', 'prompts --dry-run  # shows what would happen, line by line'),
  fileImport('prompty', 'Import .prompty files', 'prompts --folder assistant --label staging'),
  fileImport(
    'promptfoo',
    'Import the prompts and tests of a promptfoo config',
    'promptfooconfig.yaml  # with the files that it names below its folder',
  ),
];

/** Returns a command that imports files of another program. */
function fileImport(format: ImportedFormat, summary: string, example: string): Command {
  return {
    name: `import ${format}`,
    summary: `${summary}; exit 1 if some cannot be imported`,
    arguments: '<file or folder> [more…]',
    options: {
      folder: { text: 'put all prompts below this folder', value: 'folder' },
      label: {
        text: 'point this label at what the files say; may be repeated (default: none)',
        value: 'label',
        short: 'l',
        multiple: true,
      },
      skip: { text: 'leave this prompt out; may be repeated', value: 'name', multiple: true },
      'as-text': { text: 'keep tags that Liquid does not have as text, rather than refuse the prompt' },
      ...dryRun,
      ...common,
    },
    examples: [`import ${format} ${example}`],
    load: async () => {
      const { importFiles } = await import('./import/files.ts');
      return (input) => importFiles(format, input);
    },
  };
}

import type { Command, Option } from './command.ts';
import { commonOptions as common } from './connection-options.ts';
import type { ImportedFormat } from './import/files.ts';

const dryRun: Record<string, Option> = { 'dry-run': { text: 'only show what would be done' } };

/** Commands that export prompts, and that import prompts from PromptHarbor or from other programs. */
export const transferCommands: Command[] = [
  {
    name: 'export',
    summary: 'Export all prompts of a workspace as JSON lines (complete), prompt files, Langfuse prompts or dotprompt files',
    options: {
      format: { text: 'json (default, complete), files, langfuse or dotprompt', value: 'format' },
      output: { text: 'the output file (default: standard output), or the folder for files and dotprompt', value: 'path', short: 'o' },
      ...common,
    },
    examples: [
      'export -o prompts.jsonl  # "import json" restores it, here or elsewhere',
      'export --format dotprompt -o prompts  # the newest versions; exits with 1 if a prompt cannot be written as dotprompt',
      'export --format langfuse -o prompts.jsonl  # one line per version',
    ],
    load: async () => (await import('./export/export.ts')).exportPrompts,
  },
  {
    name: 'import json',
    summary: 'Import an export with all versions, labels, test cases and history. Exits with 1 if there are conflicts',
    arguments: '<file>',
    options: { replace: { text: 'move conflicting prompts to the bin and import the prompts in the file instead' }, ...dryRun, ...common },
    examples: ['import json prompts.jsonl --dry-run', 'import json -  # from standard input'],
    load: async () => (await import('./import/json.ts')).importJson,
  },
  {
    name: 'import langfuse',
    summary:
      'Import all prompts of a Langfuse project with their versions, labels, tags, configs and dates. Exits with 1 if there are conflicts',
    arguments: '[url]',
    options: {
      'public-key': { text: 'the public key of the project (default: LANGFUSE_PUBLIC_KEY)', value: 'key' },
      'secret-key': {
        text: 'the secret key (default: LANGFUSE_SECRET_KEY); other users of this machine can see this option, but not the variable',
        value: 'key',
      },
      ...dryRun,
      ...common,
    },
    examples: [
      'import langfuse https://cloud.langfuse.com --dry-run  # with LANGFUSE_PUBLIC_KEY and LANGFUSE_SECRET_KEY',
      'import langfuse  # uses the address in LANGFUSE_BASE_URL',
    ],
    load: async () => (await import('./import/langfuse.ts')).importLangfuse,
  },
  fileImport('dotprompt', 'Import dotprompt files (.prompt, from Genkit)', 'prompts --dry-run  # shows what would be done'),
  fileImport('prompty', 'Import .prompty files', 'prompts --folder assistant --label staging'),
  fileImport(
    'promptfoo',
    'Import the prompts and tests of a promptfoo config',
    'promptfooconfig.yaml  # also reads files to which it refers, in its folder and subfolders',
  ),
];

/** Returns a command that imports files of another program. */
function fileImport(format: ImportedFormat, summary: string, example: string): Command {
  return {
    name: `import ${format}`,
    summary: `${summary}. Exits with 1 if a prompt cannot be imported`,
    arguments: '<file or folder> [more…]',
    options: {
      folder: { text: 'put all prompts in this folder', value: 'folder' },
      label: {
        text: 'move this label to the imported versions; repeatable (default: none)',
        value: 'label',
        short: 'l',
        multiple: true,
      },
      skip: { text: 'skip this prompt; repeatable', value: 'name', multiple: true },
      'as-text': { text: 'if Liquid does not support a tag, keep it as text instead of refusing the prompt' },
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

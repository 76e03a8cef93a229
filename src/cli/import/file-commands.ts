import type { Command, Option } from '../command.ts';
import { connectionOptions, jsonOption } from '../connection-options.ts';

const options: Record<string, Option> = {
  folder: { text: 'put all prompts below this folder', value: 'folder' },
  label: { text: 'point this label at what the files say; may be repeated (default: none)', value: 'label', short: 'l', multiple: true },
  'dry-run': { text: 'only say what would be done' },
  ...connectionOptions,
  ...jsonOption,
};
const paths = '<file or folder> [more…]';

/** Commands that import files of other programs. */
export const fileImportCommands: Command[] = [
  {
    name: 'import dotprompt',
    kind: 'client',
    summary: 'Import .prompt files of Genkit’s dotprompt; exit 1 if some cannot be imported',
    arguments: paths,
    options,
    examples: [['import dotprompt prompts --dry-run', 'shows what would happen, line by line']],
    load: async () => (await import('./files.ts')).createFileImport('dotprompt'),
  },
  {
    name: 'import prompty',
    kind: 'client',
    summary: 'Import .prompty files; exit 1 if some cannot be imported',
    arguments: paths,
    options,
    examples: [['import prompty prompts --folder assistant --label staging', '']],
    load: async () => (await import('./files.ts')).createFileImport('prompty'),
  },
  {
    name: 'import promptfoo',
    kind: 'client',
    summary: 'Import the prompts and tests of a promptfoo config; exit 1 if some cannot be imported',
    arguments: paths,
    options,
    examples: [['import promptfoo promptfooconfig.yaml', 'with the files that it names below its folder']],
    load: async () => (await import('./files.ts')).createFileImport('promptfoo'),
  },
];

import type { Command } from '../command.ts';
import { connectionOptions, jsonOption } from '../connection-options.ts';

export const exportCommand: Command = {
  name: 'export',
  kind: 'client',
  summary: 'Take all prompts of a workspace away: everything as lines of JSON, or as files, for Langfuse or as dotprompt',
  options: {
    format: { text: 'json (default; all of it), files, langfuse or dotprompt', value: 'format' },
    output: { text: 'the file (default: standard output) or, for files and dotprompt, the folder', value: 'path', short: 'o' },
    ...connectionOptions,
    ...jsonOption,
  },
  examples: [
    ['export -o prompts.jsonl', '"import json" restores it, here or elsewhere'],
    ['export --format dotprompt -o prompts', 'the newest versions; exit 1 if some cannot be dotprompt'],
    ['export --format langfuse -o prompts.jsonl', 'a line for each version'],
  ],
  load: async () => (await import('./export.ts')).exportPrompts,
};

import { hasOption, type Input } from '../command.ts';
import { connect } from '../connection.ts';
import { contentOf } from '../files/content.ts';
import { printJson, write } from '../terminal.ts';
import { callerOf, choiceOf } from './choice.ts';
import { noteRelease } from './release-report.ts';

export async function get(input: Input): Promise<void> {
  const [name = ''] = input.args;
  const choice = choiceOf(input);
  const { context = {}, ...caller } = callerOf(input);
  const attributes = Object.fromEntries(Object.entries(context).map(([attribute, value]) => [`ctx.${attribute}`, value]));
  const ph = await connect(input);
  const version = await ph.prompts.get(name, { ...choice, ...caller, ...attributes });
  noteRelease(version);
  if (hasOption(input, 'json')) return printJson(version);
  const { formatPromptFile } = await import('../files/prompt-file.ts');
  write(process.stdout, formatPromptFile(version.name, contentOf({ description: '', tags: [], version })));
}

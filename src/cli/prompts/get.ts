import { hasOption, type Input } from '../command.ts';
import { connect } from '../connection.ts';
import { contentOf } from '../files/content.ts';
import { printJson, write } from '../terminal.ts';
import { choiceOf } from './choice.ts';

export async function get(input: Input): Promise<void> {
  const [name = ''] = input.args;
  const choice = choiceOf(input);
  const ph = await connect(input);
  const version = await ph.prompts.get(name, choice);
  if (hasOption(input, 'json')) return printJson(version);
  const { formatPromptFile } = await import('../files/prompt-file.ts');
  write(process.stdout, formatPromptFile(version.name, contentOf({ description: '', tags: [], version })));
}

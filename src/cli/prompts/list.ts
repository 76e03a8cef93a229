import type { ListPromptsQuery } from '../../../client/src/types.ts';
import { maxPageLimit } from '../../contract/limits.ts';
import type { ListedPrompt } from '../../contract/prompts.ts';
import { hasOption, type Input, textOf } from '../command.ts';
import { connect } from '../connection.ts';
import { findProject } from '../files/project.ts';
import { formatTable, note, print, printJson } from '../terminal.ts';

export async function list(input: Input): Promise<void> {
  const ph = await connect(input, findProject());
  const filters = ['search', 'folder', 'tag', 'label'].flatMap((name) => {
    const value = textOf(input, name);
    return value === undefined ? [] : [[name, value] as const];
  });
  const query: ListPromptsQuery = { ...Object.fromEntries(filters), limit: maxPageLimit };
  const prompts: ListedPrompt[] = [];
  for await (const prompt of ph.prompts.list(query)) prompts.push(prompt);
  if (hasOption(input, 'json')) return printJson(prompts);
  if (prompts.length === 0) return note('There are no such prompts.');
  print(
    formatTable([
      ['NAME', 'TYPE', 'VERSION', 'LABELS', 'DESCRIPTION'],
      ...prompts.map(({ name, type, latestVersion, labels, description }) => [
        name,
        type,
        String(latestVersion),
        Object.entries(labels)
          .map(([label, version]) => `${label}@${version}`)
          .join(' '),
        shorten(description),
      ]),
    ]),
  );
}

function shorten(text: string): string {
  const [line = ''] = text.split('\n');
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
}

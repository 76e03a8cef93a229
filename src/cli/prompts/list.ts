import type { PromptHarbor } from '../../../client/src/client.ts';
import type { ListPromptsQuery } from '../../../client/src/types.ts';
import { maxPageLimit } from '../../contract/limits.ts';
import { hasOption, type Input, pickTexts } from '../command.ts';
import { connect } from '../connection.ts';
import { formatTable, note, paint, print, printJson, shorten, toLine } from '../terminal.ts';

type ListedPrompt = Awaited<ReturnType<PromptHarbor['prompts']['list']>>['data'][number];

export async function list(input: Input): Promise<void> {
  const ph = await connect(input);
  const { 'changed-since': changedSince, ...texts } = pickTexts(input, ['search', 'folder', 'tag', 'label', 'author', 'changed-since']);
  const filters: ListPromptsQuery = {
    ...texts,
    ...(changedSince !== undefined && { changedSince }),
    ...(hasOption(input, 'not-deployed') && { deployed: 'false' }),
  };
  const prompts = await Array.fromAsync(ph.prompts.list({ ...filters, limit: maxPageLimit }));
  if (hasOption(input, 'json')) return printJson(prompts);
  if (prompts.length === 0) return note('No prompts found.');
  if (filters.search) {
    for (const prompt of prompts) printMatches(prompt);
    return;
  }
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
        shorten(description.split('\n')[0] ?? '', 60),
      ]),
    ]),
  );
}

/** Prints the lines of a prompt that a search found, in the style of `grep`. The name is always printed. */
function printMatches({ name, matches = [] }: ListedPrompt): void {
  print(paint('bold', toLine(name)));
  for (const { version, path, line, text, start, end } of matches) {
    if (path === '/name') continue;
    const place = `${version === undefined ? '' : `v${version} `}${path}:${line}`;
    const [before, match, after] = [text.slice(0, start), text.slice(start, end), text.slice(end)].map(toLine);
    print(`  ${paint('dim', toLine(place))}  ${before}${paint('yellow', match ?? '')}${after}`);
  }
}

import { maxPageLimit } from '../../contract/limits.ts';
import { hasOption, type Input, pickTexts } from '../command.ts';
import { connect } from '../connection.ts';
import { formatTable, note, print, printJson, shorten } from '../terminal.ts';

export async function list(input: Input): Promise<void> {
  const ph = await connect(input);
  const prompts = await Array.fromAsync(
    ph.prompts.list({ ...pickTexts(input, ['search', 'folder', 'tag', 'label']), limit: maxPageLimit }),
  );
  if (hasOption(input, 'json')) return printJson(prompts);
  if (prompts.length === 0) return note('No prompts found.');
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

import { latestLabel } from '../../../contract/label-names.ts';
import type { IncludedVersion } from '../../../store/prompts/versions.ts';
import { type Analysis, includeKey } from '../../templates/template-types.ts';
import type { Content } from '../render/rendered.ts';
import { serializeContent } from '../versions/version-content.ts';
import type { VersionReader } from './load-includes.ts';

interface Draft {
  name: string;
  content: Content;
  analysis: Pick<Analysis, 'variables' | 'partials'>;
  labels: string[];
}

/**
 * Returns a reader that sees included prompts as if the drafts were already saved. All other prompts are read from the store, each only
 * once.
 */
export function withDrafts({ versions }: VersionReader, drafts: Draft[]): VersionReader {
  const known = new Map<string, IncludedVersion | undefined>();
  for (const { name, content, analysis, labels } of drafts) {
    const { type, syntax } = content;
    const stored = {
      content: serializeContent(content),
      variables: JSON.stringify(analysis.variables),
      partials: JSON.stringify(analysis.partials),
    };
    for (const label of [...labels, latestLabel]) {
      known.set(includeKey({ name, label }), { name, label, type, syntax, promptId: '', version: 0, ...stored });
    }
  }
  return {
    versions: {
      ...versions,
      async listIncludedVersions(accountId, query) {
        const { label } = query;
        const names = query.names.filter((name) => !known.has(includeKey({ name, label })));
        if (names.length > 0) {
          const found = new Map(
            (await versions.listIncludedVersions(accountId, { ...query, names })).map((partial) => [partial.name, partial]),
          );
          for (const name of names) known.set(includeKey({ name, label }), found.get(name));
        }
        return query.names.flatMap((name) => known.get(includeKey({ name, label })) ?? []);
      },
    },
  };
}

import { latestLabel } from '../../../contract/label-names.ts';
import type { LabeledPartial } from '../../../store/prompts/versions.ts';
import { type Analysis, partialKey } from '../../templates/template-types.ts';
import type { Content } from '../render/rendered.ts';
import { serializeContent } from '../versions/version-content.ts';
import type { VersionReader } from './partials.ts';

interface Draft {
  name: string;
  content: Content;
  analysis: Analysis;
  labels: string[];
}

/** Reads included prompts as they are once some drafts are saved, and each of the others only once. */
export function withDrafts({ versions }: VersionReader, drafts: Draft[]): VersionReader {
  const known = new Map<string, LabeledPartial | undefined>();
  for (const { name, content, analysis, labels } of drafts) {
    const { type, syntax } = content;
    const stored = {
      content: serializeContent(content),
      variables: JSON.stringify(analysis.variables),
      partials: JSON.stringify(analysis.partials),
    };
    for (const label of [...labels, latestLabel]) {
      known.set(partialKey({ name, label }), { name, label, type, syntax, promptId: '', version: 0, ...stored });
    }
  }
  return {
    versions: {
      ...versions,
      async listPartials(accountId, query) {
        const { label } = query;
        const names = query.names.filter((name) => !known.has(partialKey({ name, label })));
        if (names.length > 0) {
          const found = new Map((await versions.listPartials(accountId, { ...query, names })).map((partial) => [partial.name, partial]));
          for (const name of names) known.set(partialKey({ name, label }), found.get(name));
        }
        return query.names.flatMap((name) => known.get(partialKey({ name, label })) ?? []);
      },
    },
  };
}

import type { SearchEntry } from '../../dashboard/src/docs/search-entry.ts';
import { type OpenApiDocument, type Operation, operationsByTag } from './document.ts';
import type { Guide } from './guides.ts';

export function createSearchIndex(document: OpenApiDocument, guides: Guide[]): SearchEntry[] {
  const operations = [...operationsByTag(document).values()].flat();
  return [...operations.map(describeOperation), ...guides.filter(({ url }) => url !== '/docs/guides').flatMap(describeGuide)];
}

function describeOperation({ anchor, method, path, summary, description }: Operation): SearchEntry {
  return { url: `/docs#${anchor}`, title: plain(summary ?? path), place: `${method} ${path}`, text: plain(description ?? '') };
}

function describeGuide({ url, title, sections }: Guide): SearchEntry[] {
  return sections.map((section) => ({
    url: section.anchor === undefined ? url : `${url}#${section.anchor}`,
    title: section.title,
    place: section.anchor === undefined ? 'Guide' : title,
    text: section.text.trim(),
  }));
}

function plain(text: string): string {
  return text.replaceAll(/[`*]/g, '').replaceAll(/\s+/g, ' ');
}

import type { Score } from './format.ts';

interface Scored {
  scores: Score[];
}

/** A score in the form that the tables show. Values of different types cannot be compared, so each type of a score is listed separately. */
export interface ListedScore {
  key: string;
  name: string;
  kind: Score['kind'];
  /** The type, if there are several types with this name. */
  type?: string;
}

const types: Record<Score['kind'], string> = { boolean: 'true or false', number: 'number', category: 'category' };

/** Returns the scores of any version, the most frequent scores first. */
export function listScores(versions: Scored[]): ListedScore[] {
  const found = new Map<string, { name: string; kind: Score['kind']; count: number }>();
  for (const { name, kind, count } of versions.flatMap(({ scores }) => scores)) {
    const key = `${kind} ${name}`;
    found.set(key, { name, kind, count: count + (found.get(key)?.count ?? 0) });
  }
  const listed = [...found].sort(([, a], [, b]) => b.count - a.count || a.name.localeCompare(b.name));
  return listed.map(([key, { name, kind }]) => {
    const isShared = listed.some(([other, score]) => score.name === name && other !== key);
    return { key, name, kind, ...(isShared && { type: types[kind] }) };
  });
}

export function findScore({ scores }: Scored, { name, kind }: Pick<ListedScore, 'name' | 'kind'>): Score | undefined {
  return scores.find((score) => score.name === name && score.kind === kind);
}

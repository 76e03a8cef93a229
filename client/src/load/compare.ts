import type { Include, TemplateEngine } from '../render/engine.ts';
import { findIncludes } from '../render/render.ts';
import type { PromptsChange } from './options.ts';
import { findIncluded, type Snapshot } from './snapshot.ts';

/**
 * Returns the names of the prompts that were added, changed or removed. A prompt also counts as changed if an included prompt has changed.
 * Returns undefined if nothing changed.
 */
export function comparePrompts(
  before: Snapshot,
  after: Snapshot,
  { label, engines }: { label: string; engines: readonly TemplateEngine[] },
): PromptsChange | undefined {
  const added: string[] = [];
  const changed: string[] = [];
  const removed = [...before.prompts.keys()].filter((name) => !after.prompts.has(name));
  for (const name of after.prompts.keys()) {
    if (!before.prompts.has(name)) added.push(name);
    else if (describe(name, before) !== describe(name, after)) changed.push(name);
  }
  return added.length + changed.length + removed.length > 0 ? { added, changed, removed } : undefined;

  /** Returns the version, the release, and the content of all prompts that their versions include. */
  function describe(name: string, snapshot: Snapshot): string {
    const release = snapshot.releases.get(name);
    const versions = [snapshot.prompts.get(name) ?? [], release?.versions ?? []].flat();
    const texts: string[] = [JSON.stringify([versions, release])];
    const visited = new Set<string>();
    const visit = (include: Include) => {
      const key = `${include.name}|${include.label}`;
      const partial = visited.has(key) ? undefined : findIncluded(snapshot, include, label);
      visited.add(key);
      if (!partial) return;
      texts.push(key, partial.template);
      for (const inner of findIncludes(partial, engines)) visit(inner);
    };
    for (const version of versions) for (const include of findIncludes(version, engines)) visit(include);
    return texts.join('\0');
  }
}

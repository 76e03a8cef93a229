import { pinOf } from '../../contract/label-names.ts';
import type { LiveReference } from '../../store/prompts/references.ts';
import type { Actor } from '../actor.ts';
import type { Context } from '../context.ts';
import { maxDepth } from './partials.ts';
import { type SearchBudget, walkIncludes } from './walk-includes.ts';

/** What one request looks at, and finds. The nearest are found first. */
const maxLooks = 10_000;
const maxFound = 500;

/** A prompt that includes another one only through a third: `via`, which it includes itself. */
export interface IndirectDependent {
  via: string;
  references: LiveReference[];
}

/** The prompts that include this one only through others, from versions that a label or `latest` points at, by id. */
export async function findIndirectDependents(ctx: Context, actor: Actor, name: string): Promise<Map<string, IndirectDependent>> {
  const found = new Map<string, IndirectDependent>();
  const visited = new Map<string, Set<string>>();
  const direct = new Set<string>();
  const budget: SearchBudget = { looksLeft: maxLooks };
  /** Names of prompts, with the labels and pins at which they lead to the one that was asked for. Undefined: at all. */
  let steps = new Map<string, Set<string> | undefined>([[name, undefined]]);
  for (let depth = 0; depth < maxDepth && steps.size > 0; depth += 1) {
    const next = new Map<string, Set<string>>();
    for (const [included, labels] of steps) {
      const search = { workspaceId: actor.workspaceId, name: included, labels: labels && [...labels] };
      for await (const references of walkIncludes(ctx.store.references, search, budget)) {
        for (const reference of references) {
          const { promptId: id, name: including, pointer, version } = reference;
          if (including === name) continue;
          if (depth === 0) direct.add(id);
          else if (!direct.has(id)) addReference(found, { id, via: included, reference });
          const pointers = getSet(visited, id);
          if (!pointers.has(pointer)) getSet(next, including).add(pointer).add(pinOf(version));
          pointers.add(pointer);
        }
      }
    }
    steps = next;
  }
  return found;
}

/** Of several ways to a prompt, the first one is kept. */
function addReference(
  found: Map<string, IndirectDependent>,
  { id, via, reference }: { id: string; via: string; reference: LiveReference },
): void {
  const known = found.get(id);
  if (known?.via === via) known.references.push(reference);
  else if (!known && found.size < maxFound) found.set(id, { via, references: [reference] });
}

function getSet(sets: Map<string, Set<string>>, key: string): Set<string> {
  const set = sets.get(key) ?? new Set();
  sets.set(key, set);
  return set;
}

import { useEffect, useState } from 'react';
import type { Prompt } from '../lib/types.ts';
import type { PromptFilters } from './filter-search.ts';
import { promptsOf } from './folder-tree.ts';
import type { PromptRows } from './prompt-rows.ts';

export interface Selection {
  prompts: Prompt[];
  has: (id: string) => boolean;
  /** Whether everything that can be selected without loading is selected. */
  isAll: boolean;
  /** Selects or deselects a row. With `extend`, all rows from the last toggled row to this one get the same state. */
  toggle: (index: number, extend?: boolean) => void;
  /** Selects all matching prompts, even in closed folders. If not all of them are loaded, selects the loaded prompts. */
  selectAll: () => void;
  select: (prompts: Prompt[]) => void;
  clear: () => void;
}

/**
 * Keeps the selected prompts of a list. Changing the filters clears the selection, so that users do not change prompts that they do not
 * see.
 */
export function useSelection({ rows, all }: Pick<PromptRows, 'rows' | 'all'>, filters: PromptFilters): Selection {
  const [selected, setSelected] = useState<ReadonlyMap<string, Prompt>>(new Map());
  const [anchor, setAnchor] = useState<number>();
  const clear = () => setSelected(new Map());
  const { sort: _sort, ...shown } = filters;
  const view = JSON.stringify(shown);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the filters change.
  useEffect(clear, [view]);
  const select = (prompts: Prompt[]) => setSelected(new Map(prompts.map((prompt) => [prompt.id, prompt])));
  const selectable = all ?? promptsOf(rows);

  return {
    prompts: [...selected.values()],
    has: (id) => selected.has(id),
    isAll: selected.size > 0 && selected.size >= selectable.length,
    toggle: (index, extend = false) => {
      const row = rows[index];
      if (row?.kind !== 'prompt') return;
      const next = new Map(selected);
      const isAdding = !next.has(row.prompt.id);
      const from = extend ? (anchor ?? index) : index;
      for (const prompt of promptsOf(rows.slice(Math.min(from, index), Math.max(from, index) + 1))) {
        if (isAdding) next.set(prompt.id, prompt);
        else next.delete(prompt.id);
      }
      setAnchor(index);
      setSelected(next);
    },
    selectAll: () => select(selectable),
    select,
    clear,
  };
}

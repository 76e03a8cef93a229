import { useEffect, useState } from 'react';
import type { Prompt } from '../lib/types.ts';
import type { PromptFilters } from './filter-search.ts';
import type { Row } from './filters.ts';

export interface Selection {
  prompts: Prompt[];
  has: (id: string) => boolean;
  /** Selects or deselects a row. With `extend`, all rows since the last one get the same state. */
  toggle: (index: number, extend?: boolean) => void;
  selectAll: () => void;
  clear: () => void;
}

/** The selected prompts of a list. Changing the filters clears the selection, so that users do not change prompts that they do not see. */
export function useSelection(rows: Row[], filters: PromptFilters): Selection {
  const [selected, setSelected] = useState<ReadonlyMap<string, Prompt>>(new Map());
  const [anchor, setAnchor] = useState<number>();
  const clear = () => setSelected(new Map());
  const view = JSON.stringify(filters);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the filters change.
  useEffect(clear, [view]);

  const promptsIn = (from: number, to: number) =>
    rows.slice(Math.min(from, to), Math.max(from, to) + 1).flatMap((row) => (row.kind === 'prompt' ? [row.prompt] : []));

  return {
    prompts: [...selected.values()],
    has: (id) => selected.has(id),
    toggle: (index, extend = false) => {
      const row = rows[index];
      if (row?.kind !== 'prompt') return;
      const next = new Map(selected);
      const isAdding = !next.has(row.prompt.id);
      for (const prompt of promptsIn(extend ? (anchor ?? index) : index, index)) {
        if (isAdding) next.set(prompt.id, prompt);
        else next.delete(prompt.id);
      }
      setAnchor(index);
      setSelected(next);
    },
    selectAll: () => setSelected(new Map(promptsIn(0, rows.length).map((prompt) => [prompt.id, prompt]))),
    clear,
  };
}

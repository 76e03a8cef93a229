import { useEffect, useRef, useState } from 'react';
import { maxPageLimit } from '../../../src/contract/limits.ts';
import { call, messageOf } from '../lib/api.ts';
import { formatNumber } from '../lib/format.ts';
import { readPages } from '../lib/read-pages.ts';
import type { Prompt } from '../lib/types.ts';
import { Button } from '../ui/Button.tsx';
import { toastFailure } from '../ui/toasts.ts';
import type { PromptFilters } from './filter-search.ts';
import { toQuery } from './filters.ts';

interface SelectAllMatchingProps {
  filters: PromptFilters;
  /** The number of prompts that match. */
  count: number;
  onSelect: (prompts: Prompt[]) => void;
}

/** Offers to select all prompts that match the filters, and loads the remaining ones. */
export function SelectAllMatching({ filters, count, onSelect }: SelectAllMatchingProps) {
  const [loaded, setLoaded] = useState<number>();
  const controller = useRef<AbortController>(undefined);
  useEffect(() => () => controller.current?.abort(), []);

  const load = async () => {
    controller.current = new AbortController();
    const { signal } = controller.current;
    setLoaded(0);
    const query = toQuery(filters, new Date());
    try {
      const { data } = await readPages(
        async (cursor) => {
          const page = await call('listPrompts', { query: { limit: maxPageLimit, ...query, cursor } });
          setLoaded((before = 0) => before + page.data.length);
          return page;
        },
        { signal },
      );
      if (!signal.aborted) onSelect(data);
    } catch (err) {
      if (!signal.aborted) toastFailure(messageOf(err));
    }
    setLoaded(undefined);
  };

  if (loaded === undefined) {
    return (
      <Button kind="ghost" size="sm" onClick={() => void load()}>
        Select all {formatNumber(count)} that match
      </Button>
    );
  }
  return (
    <span className="flex items-center gap-2 text-ink-2 text-xs tabular">
      <progress
        aria-label="Loading the prompts that match"
        className="h-1.5 w-24 accent-accent"
        value={Math.min(loaded, count)}
        max={count}
      />
      {formatNumber(loaded)} of {formatNumber(count)}
      <Button kind="ghost" size="sm" onClick={() => controller.current?.abort()}>
        Cancel
      </Button>
    </span>
  );
}

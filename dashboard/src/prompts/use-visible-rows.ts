import { type RefObject, useLayoutEffect, useMemo, useState } from 'react';

/** The number of rows that are rendered above and below the visible ones, so that scrolling shows no gaps. */
const overscan = 8;

interface VisibleRows {
  /** The first and the last row to render. */
  first: number;
  last: number;
  totalHeight: number;
  topOf: (index: number) => number;
  /** Scrolls the window until the row is visible. */
  scrollTo: (index: number) => void;
}

/** Returns which rows of a long list are visible. All heights are known, so nothing is measured. */
export function useVisibleRows(list: RefObject<HTMLElement | null>, heights: number[]): VisibleRows {
  const tops = useMemo(() => sumUp(heights), [heights]);
  const [range, setRange] = useState({ first: 0, last: 0 });
  const totalHeight = tops.at(-1) ?? 0;

  useLayoutEffect(() => {
    const update = () => {
      const top = -(list.current?.getBoundingClientRect().top ?? 0);
      const first = Math.max(0, indexAt(tops, top) - overscan);
      const last = Math.min(heights.length - 1, indexAt(tops, top + innerHeight) + overscan);
      setRange((before) => (before.first === first && before.last === last ? before : { first, last }));
    };
    update();
    addEventListener('scroll', update, { passive: true });
    addEventListener('resize', update);
    return () => {
      removeEventListener('scroll', update);
      removeEventListener('resize', update);
    };
  }, [list, tops, heights.length]);

  const topOf = (index: number) => tops[index] ?? 0;
  return {
    // The list may have become shorter since the range was computed.
    first: Math.min(range.first, Math.max(0, heights.length - 1)),
    last: Math.min(range.last, heights.length - 1),
    totalHeight,
    topOf,
    scrollTo(index) {
      const { top = 0 } = list.current?.getBoundingClientRect() ?? {};
      const [start, end] = [top + topOf(index), top + topOf(index + 1)];
      if (start < 0) scrollBy(0, start);
      else if (end > innerHeight) scrollBy(0, end - innerHeight);
    },
  };
}

/** Returns the offset of each row, followed by the end of the last row. */
function sumUp(heights: number[]): number[] {
  const tops = [0];
  for (const height of heights) tops.push((tops.at(-1) ?? 0) + height);
  return tops;
}

/** Finds the row at a position by binary search, because there may be thousands of rows. */
function indexAt(tops: number[], position: number): number {
  let [low, high] = [0, tops.length - 2];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((tops[middle] ?? 0) <= position) low = middle;
    else high = middle - 1;
  }
  return Math.max(0, low);
}

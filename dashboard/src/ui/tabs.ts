/** The styles of tabs that are links, each with its own URL, inside Radix's tab list. */
export const tabListClass = 'flex gap-1 overflow-x-auto border-line border-b';
export const tabClass =
  '-mb-px shrink-0 border-transparent border-b-2 px-3 pt-1.5 pb-2.5 font-medium text-ink-2 -outline-offset-2 hover:text-ink data-[state=active]:border-accent data-[state=active]:text-ink';

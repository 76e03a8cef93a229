/** The look of tabs. They are links, each with an address of its own, inside Radix's list for the keyboard. */
export const tabListClass = 'flex gap-1 overflow-x-auto border-line border-b';
export const tabClass =
  '-mb-px shrink-0 border-transparent border-b-2 px-3 pt-1.5 pb-2.5 font-medium text-ink-2 -outline-offset-2 hover:text-ink data-[state=active]:border-accent data-[state=active]:text-ink';

import type { ReactNode } from 'react';

/** Leads to a section of the reference, in a tab of its own, so that no work is left. */
export function HelpLink({ anchor, children }: { anchor: 'includes' | 'placeholders'; children: ReactNode }) {
  return (
    <a
      href={`/docs#${anchor}`}
      target="_blank"
      rel="noreferrer"
      className="rounded-sm font-medium text-accent-ink underline underline-offset-3"
    >
      {children}
    </a>
  );
}

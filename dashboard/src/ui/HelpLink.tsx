import type { ReactNode } from 'react';

/** A link to a section of the reference. The link opens in a new tab, so that the user does not leave unfinished work. */
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

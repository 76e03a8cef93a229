import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

/** Links to the page for a new prompt, with the name of an included prompt filled in. The draft of the including prompt is kept. */
export function CreatePromptLink({ name, children }: { name: string; children: ReactNode }) {
  return (
    <Link
      to="/dashboard/new"
      search={{ name }}
      aria-label={`Create ${name}`}
      className="rounded-sm font-medium text-accent-ink text-xs underline underline-offset-3"
    >
      {children}
    </Link>
  );
}

import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

/** Links to a new prompt that gets the name of an include. The draft of the including prompt is kept. */
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

import type { ReactNode } from 'react';
import { useTitle } from '../lib/use-title.ts';

interface PageProps {
  title: string;
  /** The title of the browser tab, if it differs from the heading. */
  documentTitle?: string;
  description?: ReactNode;
  actions?: ReactNode;
  children?: ReactNode;
}

/** A page of the dashboard: heading, actions and content. */
export function Page({ title, documentTitle, description, actions, children }: PageProps) {
  useTitle(documentTitle ?? title);
  return (
    <div className="mx-auto w-full max-w-6xl px-4 py-6 sm:px-8 sm:py-8">
      <header className="mb-6 flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
        <div className="min-w-0">
          <h1 className="font-semibold text-xl tracking-tight">{title}</h1>
          {description !== undefined && <div className="mt-0.5 text-ink-2">{description}</div>}
        </div>
        {actions !== undefined && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
      </header>
      {children}
    </div>
  );
}

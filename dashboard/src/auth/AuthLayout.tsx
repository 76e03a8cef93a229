import type { ReactNode } from 'react';
import { useTitle } from '../lib/use-title.ts';
import { Wordmark } from '../ui/Logo.tsx';

interface AuthLayoutProps {
  title: string;
  description?: ReactNode;
  footer?: ReactNode;
  children: ReactNode;
}

/** The layout of the pages for signed-out users: one narrow column. */
export function AuthLayout({ title, description, footer, children }: AuthLayoutProps) {
  useTitle(title);
  return (
    <main className="flex min-h-dvh flex-col items-center px-4 py-12 sm:pt-[14dvh]">
      <div className="w-full max-w-88">
        <div className="mb-8 flex justify-center">
          <Wordmark />
        </div>
        <div className="rounded-xl border border-line bg-surface p-6 shadow-card sm:p-7">
          <h1 className="font-semibold text-lg tracking-tight">{title}</h1>
          {description !== undefined && <div className="mt-1 text-ink-2">{description}</div>}
          <div className="mt-5">{children}</div>
        </div>
        {footer !== undefined && <div className="mt-5 text-center text-ink-2">{footer}</div>}
      </div>
    </main>
  );
}

export const textLinkClass = 'rounded-sm font-medium text-accent-ink underline-offset-3 hover:underline';

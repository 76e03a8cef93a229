import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

interface EmptyStateProps {
  icon: LucideIcon;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}

/** A message in place of missing content, which says what the user can do next. */
export function EmptyState({ icon: Icon, title, children, action }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center px-6 py-16 text-center">
      <div className="flex size-10 items-center justify-center rounded-lg border border-line bg-sunken text-ink-3">
        <Icon aria-hidden className="size-5" />
      </div>
      <h2 className="mt-4 font-semibold text-base">{title}</h2>
      {children !== undefined && <div className="mt-1 max-w-sm text-ink-2">{children}</div>}
      {action !== undefined && <div className="mt-5">{action}</div>}
    </div>
  );
}

import type { ReactNode } from 'react';
import { cx } from '../lib/cx.ts';

export function Card({ className, children }: { className?: string; children: ReactNode }) {
  return <section className={cx('rounded-lg border border-line bg-surface shadow-card', className)}>{children}</section>;
}

interface SectionProps {
  title: string;
  description?: ReactNode;
  actions?: ReactNode;
  footer?: ReactNode;
  children?: ReactNode;
}

/** A card with a title. */
export function Section({ title, description, actions, footer, children }: SectionProps) {
  return (
    <Card className="overflow-hidden">
      <div className="p-4 sm:p-6">
        <div className="flex flex-wrap items-start justify-between gap-3">
          <div className="max-w-xl">
            <h2 className="font-semibold text-base">{title}</h2>
            {description !== undefined && <div className="mt-1 text-ink-2">{description}</div>}
          </div>
          {actions}
        </div>
        {children !== undefined && <div className="mt-4 empty:hidden">{children}</div>}
      </div>
      {footer && <div className="border-line border-t bg-sunken px-4 py-3 sm:px-6">{footer}</div>}
    </Card>
  );
}

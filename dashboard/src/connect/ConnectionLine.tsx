import { Check } from 'lucide-react';
import type { ReactNode } from 'react';

/** Says whether a program has reached the service. Screen readers announce the line when it changes. */
export function ConnectionLine({ isConnected, children }: { isConnected: boolean; children: ReactNode }) {
  return (
    <p role="status" className={`flex items-center gap-2 ${isConnected ? 'font-medium text-accent-ink' : 'text-ink-2'}`}>
      {isConnected ? (
        <Check aria-hidden className="size-4 shrink-0" strokeWidth={3} />
      ) : (
        <span aria-hidden className="size-2 shrink-0 animate-pulse-soft rounded-full bg-ink-3" />
      )}
      <span>{children}</span>
    </p>
  );
}

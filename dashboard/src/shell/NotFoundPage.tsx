import { Link } from '@tanstack/react-router';
import { Compass } from 'lucide-react';
import { useTitle } from '../lib/use-title.ts';
import { buttonClass } from '../ui/Button.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';

export function NotFoundPage() {
  useTitle('Not found');
  return (
    <div className="py-16">
      <h1 className="sr-only">Not found</h1>
      <EmptyState
        icon={Compass}
        title="Page not found"
        action={
          <Link to="/dashboard" className={buttonClass('secondary')}>
            Go to the dashboard
          </Link>
        }
      >
        The address may be mistyped, or the page may have moved.
      </EmptyState>
    </div>
  );
}

/** Shown for addresses outside the dashboard, where no shell provides the main element. */
export function LostPage() {
  return (
    <main>
      <NotFoundPage />
    </main>
  );
}

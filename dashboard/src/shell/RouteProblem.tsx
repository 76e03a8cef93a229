import type { ErrorComponentProps } from '@tanstack/react-router';
import { reconnect } from '../lib/connection.ts';
import { useTitle } from '../lib/use-title.ts';
import { Problem } from '../ui/Problem.tsx';

/** Shown when a page cannot be loaded although the server responds. */
export function RouteProblem({ error }: ErrorComponentProps) {
  useTitle('Error');
  const reload = async () => {
    // If the page reloaded while the server is unreachable, the browser would show its own error page.
    await reconnect();
    location.reload();
  };
  return (
    <main className="py-16">
      <h1 className="sr-only">Error</h1>
      <Problem error={error} onRetry={reload} />
    </main>
  );
}

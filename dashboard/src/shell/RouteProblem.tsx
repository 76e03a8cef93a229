import type { ErrorComponentProps } from '@tanstack/react-router';
import { useTitle } from '../lib/use-title.ts';
import { Problem } from '../ui/Problem.tsx';

/** Shown when a page cannot be loaded: the server is unreachable, or a new version of the dashboard has been installed. */
export function RouteProblem({ error }: ErrorComponentProps) {
  useTitle('Error');
  return (
    <main className="py-16">
      <h1 className="sr-only">Error</h1>
      <Problem error={error} onRetry={() => location.reload()} />
    </main>
  );
}

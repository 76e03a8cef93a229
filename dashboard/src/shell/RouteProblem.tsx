import type { ErrorComponentProps } from '@tanstack/react-router';
import { useTitle } from '../lib/use-title.ts';
import { Problem } from '../ui/Problem.tsx';

/** A page could not be put together at all: the server is away, or a new version of the dashboard was installed meanwhile. */
export function RouteProblem({ error }: ErrorComponentProps) {
  useTitle('Problem');
  return (
    <main className="py-16">
      <h1 className="sr-only">Problem</h1>
      <Problem error={error} onRetry={() => location.reload()} />
    </main>
  );
}

import { CircleAlert } from 'lucide-react';
import { messageOf } from '../lib/api.ts';
import { Button } from './Button.tsx';
import { EmptyState } from './EmptyState.tsx';

/** An error while loading, with a button to retry. */
export function Problem({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <div role="alert">
      <EmptyState icon={CircleAlert} title="Loading failed" action={<Button onClick={onRetry}>Try again</Button>}>
        {messageOf(error)}
      </EmptyState>
    </div>
  );
}

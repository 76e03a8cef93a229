import { CircleAlert } from 'lucide-react';
import { messageOf } from '../lib/api.ts';
import { Button } from './Button.tsx';
import { EmptyState } from './EmptyState.tsx';

/** Something could not be loaded; it can be tried again. */
export function Problem({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <div role="alert">
      <EmptyState icon={CircleAlert} title="This could not be loaded" action={<Button onClick={onRetry}>Try again</Button>}>
        {messageOf(error)}
      </EmptyState>
    </div>
  );
}

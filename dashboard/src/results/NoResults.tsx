import { Link } from '@tanstack/react-router';
import { ChartNoAxesColumn } from 'lucide-react';
import { observeExample } from '../connect/result-setups.ts';
import { useExamplePrompt } from '../connect/use-example-prompt.ts';
import type { Prompt } from '../lib/types.ts';
import { Button, buttonClass } from '../ui/Button.tsx';
import { Card } from '../ui/Card.tsx';
import { CodeBlock } from '../ui/CodeBlock.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';

/** Explains what results are, and how an application reports its first call. */
export function NoResults({ prompt, onWiden }: { prompt: Prompt; onWiden?: (() => void) | undefined }) {
  const example = useExamplePrompt(prompt);
  return (
    <Card>
      <EmptyState
        icon={ChartNoAxesColumn}
        title="No results in this period"
        action={
          <div className="flex flex-wrap justify-center gap-2">
            {onWiden && <Button onClick={onWiden}>Show 30 days</Button>}
            <Link to="/dashboard/settings/connect" hash="results" className={buttonClass('primary')}>
              Send results
            </Link>
          </div>
        }
      >
        Your application can report each model call that it makes with this prompt: the version, how long the call took, its tokens, and
        whether it failed. Here you see which version is faster, cheaper and rated better. Inputs and outputs are never stored.
      </EmptyState>
      <div className="mx-auto -mt-6 max-w-2xl px-4 pb-10">
        <p className="mb-2 text-ink-2">With the client for JavaScript, for example:</p>
        <CodeBlock label="example" code={observeExample(example)} />
      </div>
    </Card>
  );
}

export function NoMatches({ onClear }: { onClear: () => void }) {
  return (
    <Card>
      <EmptyState icon={ChartNoAxesColumn} title="No calls match these filters" action={<Button onClick={onClear}>Clear filters</Button>}>
        A filter by label or model hides calls that were reported without one.
      </EmptyState>
    </Card>
  );
}

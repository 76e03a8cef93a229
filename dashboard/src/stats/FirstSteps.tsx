import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { productionLabel } from '../../../src/contract/label-names.ts';
import { promptPath } from '../lib/api.ts';
import { promptsQuery } from '../prompts/queries.ts';
import { fetchKey } from '../settings/account.ts';
import { Card } from '../ui/Card.tsx';
import { CodeBlock } from '../ui/CodeBlock.tsx';

const shownKey = 'ph_••••••••';

/** Shown until the first call with the key: what to do, with a command that works with this server. */
export function FirstSteps() {
  const prompts = useQuery(promptsQuery);
  const first = prompts.data?.prompts.find(({ labels }) => labels[productionLabel] !== undefined);
  const path = first ? promptPath(first.name) : '/api/prompts';
  const command = (key: string) => `curl ${location.origin}${path} \\\n  -H "Authorization: Bearer ${key}"`;
  return (
    <Card className="p-4 sm:p-6">
      <h2 className="font-semibold text-base">First steps</h2>
      <ol className="mt-4 space-y-5">
        <Step number={1} title="Write a prompt" isDone={first !== undefined}>
          <Link to="/dashboard/new" className="rounded-sm font-medium text-accent-ink underline underline-offset-3">
            Create a prompt
          </Link>{' '}
          or open one of{' '}
          <Link to="/dashboard/prompts" className="rounded-sm font-medium text-accent-ink underline underline-offset-3">
            your prompts
          </Link>
          .
        </Step>
        <Step number={2} title="Fetch it with your API key">
          <div className="mt-2">
            <CodeBlock label="command" code={command(shownKey)} copy={async () => command(await fetchKey())} />
          </div>
          <p className="mt-2 text-ink-3 text-xs">
            The copied command contains your real key. You can find the key under{' '}
            <Link to="/dashboard/settings/api-keys" className="rounded-sm underline underline-offset-3">
              Settings, API Keys
            </Link>
            .
          </p>
        </Step>
        <Step number={3} title="See the call here">
          It appears on this page within seconds.
        </Step>
      </ol>
    </Card>
  );
}

interface StepProps {
  number: number;
  title: string;
  isDone?: boolean;
  children: React.ReactNode;
}

function Step({ number, title, isDone = false, children }: StepProps) {
  return (
    <li className="flex gap-3">
      <span
        aria-hidden
        className={`flex size-5 shrink-0 items-center justify-center rounded-full font-semibold text-2xs ${isDone ? 'bg-accent text-on-accent' : 'bg-hover text-ink-2'}`}
      >
        {isDone ? '✓' : number}
      </span>
      <div className="min-w-0 flex-1">
        <h3 className="font-medium">{title}</h3>
        <div className="text-ink-2">{children}</div>
      </div>
    </li>
  );
}

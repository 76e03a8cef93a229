import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { sessionQuery } from '../lib/session.ts';
import { useWorkspace } from '../lib/workspace.ts';
import { fetchKey } from '../settings/account.ts';
import { newestPromptQuery } from '../stats/queries.ts';
import { Section } from '../ui/Card.tsx';
import { CodeBlock } from '../ui/CodeBlock.tsx';
import { Segmented } from '../ui/Segmented.tsx';
import { ResultsStatus } from './ResultsStatus.tsx';
import { resultSetups } from './result-setups.ts';
import { useExamplePrompt } from './use-example-prompt.ts';

const shownKey = 'ph_••••••••';
const options = resultSetups.map(({ id, name }) => ({ value: id, label: name }));
const linkClass = 'rounded-sm font-medium text-accent-ink underline underline-offset-3';

/** The code with which applications report their model calls. The status below it shows when the first call has been reported. */
export function SendResults() {
  const { isOwn } = useWorkspace();
  const { data: user } = useQuery(sessionQuery);
  const { data: newest } = useQuery({ ...newestPromptQuery, refetchInterval: false });
  const prompt = useExamplePrompt(newest);
  const [selected, setSelected] = useState(options[0]?.value ?? '');
  const setup = resultSetups.find(({ id }) => id === selected);
  const blocksWith = (key: string) => setup?.blocks({ origin: location.origin, key, userId: user?.userId ?? '', prompt }) ?? [];

  return (
    <div id="results" className="scroll-mt-16">
      <Section
        title="Send results"
        description="See what each version costs, how long it takes, how often it fails and how it is rated. Inputs and outputs are never stored."
        footer={<ResultsStatus />}
      >
        <Segmented label="Library" value={selected} options={options} onChange={setSelected} />
        <p className="mt-4 text-ink-2">{setup?.note}</p>
        {!isOwn && (
          <p className="mt-2 text-ink-2">
            In this workspace, use the key of a service account. You can create one under{' '}
            <Link to="/dashboard/settings/members" className={linkClass}>
              Members
            </Link>
            .
          </p>
        )}
        {blocksWith(shownKey).map(({ title, code }, index) => (
          <div key={title} className="mt-4">
            <h3 className="mb-1.5 font-medium text-ink-2 text-xs">{title}</h3>
            <CodeBlock
              label={`${setup?.name}, ${title.toLowerCase()}`}
              code={code}
              // The user's own key belongs only to the user's own workspace.
              {...(isOwn && code.includes(shownKey) && { codeWithKey: async () => blocksWith(await fetchKey())[index]?.code ?? '' })}
            />
          </div>
        ))}
        <p className="mt-3 text-ink-3 text-xs">
          Keep the key out of version control.{' '}
          <a href="/docs/guides/results" target="_blank" rel="noreferrer" className={linkClass}>
            Guide to results
          </a>
        </p>
      </Section>
    </div>
  );
}

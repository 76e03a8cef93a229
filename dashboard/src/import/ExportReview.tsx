import { Link } from '@tanstack/react-router';
import { ShieldAlert } from 'lucide-react';
import { useState } from 'react';
import type { ImportedPrompt } from '../../../client/src/types.ts';
import { formatNumber, plural } from '../lib/format.ts';
import { mayManage, useWorkspace } from '../lib/workspace.ts';
import { Button, buttonClass } from '../ui/Button.tsx';
import { Card, Section } from '../ui/Card.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { FormError } from '../ui/Field.tsx';
import { describeFailure } from './describe-failure.ts';
import { ExportRow } from './ExportRow.tsx';
import { type Choice, choiceOf, findNameProblems, suggestName } from './export-choices.ts';
import { Losses } from './Losses.tsx';
import { ShownRows } from './ShownRows.tsx';
import type { ExportSource } from './transfer.ts';
import { useExportImport, useTrial } from './use-export-import.ts';

interface ExportReviewProps {
  id: string;
  source: ExportSource;
  onReset: () => void;
}

/** Shows what will happen to each prompt of an export. The user resolves the conflicts one by one, and then starts the import. */
export function ExportReview(props: ExportReviewProps) {
  const workspace = useWorkspace();
  if (mayManage(workspace)) return <Review {...props} />;
  return (
    <Card>
      <EmptyState icon={ShieldAlert} title="Only admins can import this" action={<Button onClick={props.onReset}>Back</Button>}>
        {props.source.title} contains all versions, labels and history, which only admins can import. Your role is {workspace.role}.
      </EmptyState>
    </Card>
  );
}

/** Prompts that need attention come first. */
const order: ImportedPrompt['status'][] = ['conflict', 'replaced', 'completed', 'created', 'unchanged'];

function Review({ id, source, onReset }: ExportReviewProps) {
  const trial = useTrial(id, source);
  const [choices, setChoices] = useState<ReadonlyMap<string, Choice>>(new Map());
  const { run, cancel, results, state, error } = useExportImport(source);
  const isRunning = state === 'running';
  const prompts = trial.data ?? [];
  const problems = findNameProblems(prompts, choices);
  const chosen = prompts.filter((prompt) => choiceOf(prompt, choices).action !== 'skip');
  const replaceable = prompts.filter((prompt) => prompt.replaceable);
  const isOver = state === 'done' || state === 'canceled';
  const choose = (list: ImportedPrompt[], choice: Choice) =>
    setChoices(new Map([...choices, ...list.map(({ name }): [string, Choice] => [name, choice])]));

  return (
    <>
      <Section title={source.title} description={source.description}>
        <div className="space-y-4">
          <FormError>{trial.isError ? describeFailure(trial.error) : error}</FormError>
          <div className="flex flex-wrap items-center justify-between gap-3">
            <p className="text-ink-2" aria-live="polite">
              {trial.isPending && `Comparing with your prompts… ${trial.count > 0 ? formatNumber(trial.count) : ''}`}
              {trial.data && (isRunning || isOver ? describeResults(results, chosen.length, state) : describeTrial(prompts))}
            </p>
            <div className="flex flex-wrap gap-2">
              {isRunning ? <Button onClick={cancel}>Cancel</Button> : <Button onClick={onReset}>{isOver ? 'Import more' : 'Back'}</Button>}
              {isOver ? (
                <Link to="/dashboard/prompts" search={{}} className={buttonClass('primary')}>
                  Show prompts
                </Link>
              ) : (
                <Button
                  kind="primary"
                  busy={isRunning}
                  disabled={chosen.length === 0 || problems.size > 0}
                  onClick={() => void run(prompts, choices)}
                >
                  {error ? 'Try again' : chosen.length === 0 ? 'Import' : `Import ${plural(chosen.length, 'prompt')}`}
                </Button>
              )}
            </div>
          </div>
          {isRunning && (
            <progress aria-label="Imported prompts" className="h-1.5 w-full accent-accent" max={chosen.length} value={results.size} />
          )}
          {replaceable.length > 1 && !isRunning && !isOver && (
            <div className="flex flex-wrap items-center gap-2 text-ink-2">
              <span>{plural(replaceable.length, 'conflict')} with existing prompts:</span>
              <Button size="sm" onClick={() => choose(replaceable, { action: 'skip' })}>
                Skip all
              </Button>
              <Button size="sm" onClick={() => choose(replaceable, { action: 'replace' })}>
                Replace all
              </Button>
            </div>
          )}
        </div>
      </Section>
      <Losses losses={source.losses} />
      {prompts.length > 0 && (
        <Card className="overflow-hidden">
          <ShownRows
            items={prompts.toSorted((one, other) => order.indexOf(one.status) - order.indexOf(other.status))}
            renderRow={(prompt) => {
              const choice = choiceOf(prompt, choices);
              return (
                <ExportRow
                  key={prompt.name}
                  prompt={prompt}
                  choice={choice}
                  suggestedName={() => suggestName(prompt.name, prompts)}
                  problem={problems.get(prompt.name)}
                  result={results.get(choice.action === 'rename' ? choice.name : prompt.name)}
                  isLocked={isRunning || isOver}
                  onChoose={(next) => choose([prompt], next)}
                />
              );
            }}
          />
        </Card>
      )}
    </>
  );
}

function describeTrial(prompts: ImportedPrompt[]): string {
  const count = (status: ImportedPrompt['status']) => prompts.filter((prompt) => prompt.status === status).length;
  if (prompts.length === 0) return 'There are no prompts to import.';
  return [
    `${formatNumber(count('created'))} new`,
    count('completed') > 0 && `${formatNumber(count('completed'))} to update`,
    count('conflict') > 0 && plural(count('conflict'), 'conflict'),
    count('unchanged') > 0 && `${formatNumber(count('unchanged'))} unchanged`,
  ]
    .filter(Boolean)
    .join(', ');
}

function describeResults(results: ReadonlyMap<string, ImportedPrompt>, total: number, state: string): string {
  const refused = [...results.values()].filter(({ status }) => status === 'conflict').length;
  const imported = results.size - refused;
  if (state === 'running') return `${formatNumber(imported)} of ${plural(total, 'prompt')} imported`;
  const end = state === 'canceled' ? 'Canceled: ' : '';
  return `${end}${plural(imported, 'prompt')} imported${refused > 0 ? `, ${formatNumber(refused)} refused` : ''}`;
}

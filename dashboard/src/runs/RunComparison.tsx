import { useQueries } from '@tanstack/react-query';
import { Play, Plus, Square } from 'lucide-react';
import { useState } from 'react';
import type { Work } from '../editor/drafts/use-draft.ts';
import { valuesOf } from '../editor/preview/preview-values.ts';
import type { PreviewState } from '../editor/preview/use-preview.ts';
import { VariablesCard } from '../editor/preview/VariablesCard.tsx';
import { controlKey } from '../lib/control-key.ts';
import { cx } from '../lib/cx.ts';
import type { ModelConnection, Prompt, Variable } from '../lib/types.ts';
import { useShortcut } from '../lib/use-shortcut.ts';
import { versionQuery } from '../prompts/queries.ts';
import { Button } from '../ui/Button.tsx';
import { ComparisonColumn } from './ComparisonColumn.tsx';
import { addColumn, type Column, findColumnProblem, firstColumns, maxColumns, toColumnInput } from './columns.ts';
import { OutputDifferences } from './OutputDifferences.tsx';
import { findInputProblem } from './run-input.ts';
import type { RunSession } from './use-run-session.ts';
import { useRunStates } from './use-runner.ts';
import { WithConnections } from './WithConnections.tsx';

interface RunComparisonProps {
  prompt: Prompt;
  work: Work;
  preview: PreviewState;
  session: RunSession;
}

/** Runs the same input in two to four columns, to compare versions, models and parameters. */
export function RunComparison(props: RunComparisonProps) {
  return <WithConnections>{(connections) => <Comparison {...props} connections={connections} />}</WithConnections>;
}

function Comparison({ prompt, work, preview, session, connections }: RunComparisonProps & { connections: ModelConnection[] }) {
  const { draft } = work;
  const { columns, setColumns } = useColumns(session, () =>
    firstColumns({ prompt, draft, base: work.base.version, isDirty: work.isDirty, connections, chosen: session.choice }),
  );
  const isRunning = useRunStates(columns).some(({ phase }) => phase === 'running');
  const { values } = valuesOf(preview.entries);
  const usesDraft = columns.some(({ content }) => content === 'draft');
  const problem = findInputProblem({ ...(usesDraft && { draft }), entries: preview.entries });
  const canRun = problem === undefined && columns.every((column) => findColumnProblem(column) === undefined);

  const run = () => {
    if (!canRun) return;
    for (const column of columns) {
      session.runners.add(column.runner);
      column.runner.start(toColumnInput(column, { prompt, draft, values }));
    }
  };
  const stop = () => {
    for (const { runner } of columns) runner.stop();
  };
  const change = (id: number, part: Partial<Column>) =>
    setColumns(columns.map((column) => (column.id === id ? { ...column, ...part } : column)));
  const remove = ({ id, runner }: Column) => {
    runner.stop();
    setColumns(columns.filter((column) => column.id !== id));
  };
  useShortcut({ key: 'enter', withControl: true, inDialogs: false }, run);

  return (
    <div className="space-y-5">
      <div className="flex flex-wrap items-center gap-2">
        {isRunning ? (
          <Button onClick={stop}>
            <Square aria-hidden className="size-3.5" />
            Stop all
          </Button>
        ) : (
          <Button kind="primary" disabled={!canRun} onClick={run} title={`Run all columns (${controlKey}+Enter)`}>
            <Play aria-hidden className="size-3.5" />
            Run all
          </Button>
        )}
        <Button disabled={columns.length >= maxColumns} onClick={() => setColumns(addColumn(columns))}>
          <Plus aria-hidden className="size-4" />
          Add column
        </Button>
        <p className="text-warn text-xs">{problem}</p>
      </div>
      <SharedValues prompt={prompt} columns={columns} preview={preview} usesDraft={usesDraft} />
      <div className={cx('grid grid-cols-[minmax(0,1fr)] items-start gap-4', gridClasses[columns.length])}>
        {columns.map((column, index) => (
          <ComparisonColumn
            key={column.id}
            prompt={prompt}
            draft={draft}
            isDirty={work.isDirty}
            connections={connections}
            column={column}
            number={index + 1}
            onChange={(part) => change(column.id, part)}
            onRemove={columns.length > 2 ? () => remove(column) : undefined}
          />
        ))}
      </div>
      <OutputDifferences columns={columns} />
    </div>
  );
}

const gridClasses: Record<number, string> = {
  2: 'md:grid-cols-2',
  3: 'md:grid-cols-2 xl:grid-cols-3',
  4: 'md:grid-cols-2 2xl:grid-cols-4',
};

/** Keeps the columns with the page, so that they remain while the user looks at another view. */
function useColumns(session: RunSession, start: () => Column[]) {
  const [columns, show] = useState(() => {
    session.columns ??= start();
    return session.columns;
  });
  const setColumns = (next: Column[]) => {
    session.columns = next;
    show(next);
  };
  return { columns, setColumns };
}

interface SharedValuesProps {
  prompt: Prompt;
  columns: Column[];
  preview: PreviewState;
  usesDraft: boolean;
}

/** The values of all variables that any of the columns has. */
function SharedValues({ prompt, columns, preview, usesDraft }: SharedValuesProps) {
  const numbers = [...new Set(columns.flatMap(({ content }) => (content === 'draft' ? [] : [content])))];
  const versions = useQueries({ queries: numbers.map((version) => versionQuery(prompt.name, version)) }).flatMap(({ data }) => data ?? []);
  const known = new Map<string, Variable>();
  for (const { variables } of [...versions, ...(usesDraft ? [preview] : [])]) {
    for (const variable of variables) known.set(variable.name, variable);
  }
  const placeholders = versions.flatMap(({ messages = [] }) =>
    messages.flatMap((message) => ('placeholder' in message ? [message.placeholder] : [])),
  );
  const shared = { ...preview, variables: [...known.values()], placeholders: [...placeholders, ...preview.placeholders] };
  return known.size > 0 ? <VariablesCard preview={shared} /> : null;
}

import { ArrowRight } from 'lucide-react';
import { useState } from 'react';
import { Comparison } from '../editor/code/lazy.tsx';
import { Card } from '../ui/Card.tsx';
import { Select } from '../ui/Select.tsx';
import { type Column, titleOf } from './columns.ts';
import { formatIfJson } from './JsonText.tsx';
import type { RunState } from './runner.ts';
import { useRunStates } from './use-runner.ts';

/** Marks the differences between the outputs of two columns, once both runs have ended. */
export function OutputDifferences({ columns }: { columns: Column[] }) {
  const states = useRunStates(columns);
  const [pair, setPair] = useState({ from: columns[0]?.id, to: columns[1]?.id });
  const ended = columns.flatMap((column, index) => {
    const state = states[index];
    return state?.phase === 'ended' && textOf(state) !== ''
      ? [{ id: column.id, title: `${index + 1}: ${titleOf(column)}`, text: textOf(state) }]
      : [];
  });
  const [first, second] = ended;
  if (!first || !second) return null;
  const from = ended.find(({ id }) => id === pair.from) ?? first;
  const to = ended.find(({ id }) => id === pair.to && id !== from.id) ?? ended.find(({ id }) => id !== from.id) ?? second;
  const options = ended.map(({ id, title }) => (
    <option key={id} value={id}>
      {title}
    </option>
  ));
  return (
    <Card className="space-y-3 p-4">
      <div className="flex flex-wrap items-center gap-2">
        <h2 className="mr-2 font-semibold text-sm">Differences between the outputs</h2>
        {ended.length > 2 && (
          <>
            <Select aria-label="From" value={from.id} onChange={(event) => setPair({ from: Number(event.target.value), to: to.id })}>
              {options}
            </Select>
            <ArrowRight aria-hidden className="size-4 text-ink-3" />
            <Select aria-label="To" value={to.id} onChange={(event) => setPair({ from: from.id, to: Number(event.target.value) })}>
              {options}
            </Select>
          </>
        )}
      </div>
      {from.text === to.text ? (
        <p className="rounded-md border border-line bg-sunken px-3 py-6 text-center text-ink-3">The outputs are identical.</p>
      ) : (
        <Comparison language="text" before={from} after={to} />
      )}
    </Card>
  );
}

/** Returns the model's text or the tools that it calls. JSON is indented, so that its parts are compared. */
function textOf({ output, toolCalls }: RunState): string {
  if (output.text === '') return toolCalls.length === 0 ? '' : JSON.stringify(toolCalls, null, 2);
  return formatIfJson(output.text) ?? output.text;
}

import { useQuery } from '@tanstack/react-query';
import { Play, Square } from 'lucide-react';
import { useState } from 'react';
import { casesQuery } from '../cases/queries.ts';
import { plural } from '../lib/format.ts';
import type { Case, ModelConnection, Prompt } from '../lib/types.ts';
import type { Column } from '../runs/columns.ts';
import { initialChoice } from '../runs/initial-choice.ts';
import { ModelFields } from '../runs/ModelFields.tsx';
import { OutputDifferences } from '../runs/OutputDifferences.tsx';
import { RunResult } from '../runs/RunResult.tsx';
import { modelOf, toRunInput } from '../runs/run-input.ts';
import { createRunner } from '../runs/runner.ts';
import { useRunStates } from '../runs/use-runner.ts';
import { WithConnections } from '../runs/WithConnections.tsx';
import { Button } from '../ui/Button.tsx';
import { columnContentOf, type Side, sourceOf } from './sides.ts';

interface SamplesProps {
  prompt: Prompt;
  before: Side | undefined;
  after: Side;
}

/** A test case whose outputs are compared, with a column for each content. */
interface Sample {
  id: string;
  name: string;
  columns: Column[];
}

const maxChosen = 5;

/** Runs chosen test cases with the current and the proposed content. The runs are stored like all runs of the prompt. */
export function Samples(props: SamplesProps) {
  const cases = useQuery(casesQuery(props.prompt.name));
  if (!cases.data || cases.data.length === 0) return null;
  return (
    <details className="group rounded-md border border-line">
      <summary className="cursor-default px-4 py-2 font-semibold">Sample outputs</summary>
      <div className="space-y-4 border-line border-t p-4">
        <WithConnections>{(connections) => <Chooser {...props} cases={cases.data} connections={connections} />}</WithConnections>
      </div>
    </details>
  );
}

function Chooser({ prompt, before, after, cases, connections }: SamplesProps & { cases: Case[]; connections: ModelConnection[] }) {
  const configured = modelOf(after.content.config);
  const [choice, setChoice] = useState(() => initialChoice(connections, configured));
  const [chosen, setChosen] = useState<readonly string[]>(() => cases.slice(0, 1).map(({ id }) => id));
  const [samples, setSamples] = useState<Sample[]>([]);
  const isRunning = useRunStates(samples.flatMap(({ columns }) => columns)).some(({ phase }) => phase === 'running');
  const sides = before ? [before, after] : [after];

  const run = () => {
    const started = cases
      .filter(({ id }) => chosen.includes(id))
      .map(({ id, name, variables }) => {
        const columns = sides.map((side, index): Column => {
          const runner = createRunner();
          runner.start(toRunInput(sourceOf(side, prompt), { ...choice, values: variables }));
          return { id: index + 1, ...choice, content: columnContentOf(side), parameters: '', runner };
        });
        return { id, name, columns };
      });
    setSamples(started);
  };
  const stop = () => {
    for (const { columns } of samples) for (const { runner } of columns) runner.stop();
  };

  return (
    <>
      <fieldset>
        <legend className="mb-1.5 font-medium">Test cases, up to {maxChosen}</legend>
        <div className="flex max-h-48 flex-wrap gap-x-4 gap-y-1.5 overflow-y-auto">
          {cases.map(({ id, name }) => (
            <label key={id} className="flex min-w-0 items-center gap-2">
              <input
                type="checkbox"
                className="size-4 shrink-0 accent-accent"
                checked={chosen.includes(id)}
                disabled={!chosen.includes(id) && chosen.length >= maxChosen}
                onChange={({ target }) => setChosen(target.checked ? [...chosen, id] : chosen.filter((other) => other !== id))}
              />
              <span dir="auto" className="wrap-anywhere">
                {name}
              </span>
            </label>
          ))}
        </div>
      </fieldset>
      <div className="flex flex-wrap items-end gap-3">
        <div className="min-w-0 flex-1 basis-64">
          <ModelFields connections={connections} choice={choice} configured={configured} prefix="Samples: " onChange={setChoice} />
        </div>
        {isRunning ? (
          <Button onClick={stop}>
            <Square aria-hidden className="size-3.5" />
            Stop
          </Button>
        ) : (
          <Button disabled={chosen.length === 0 || choice.model === ''} onClick={run}>
            <Play aria-hidden className="size-3.5" />
            Run {plural(chosen.length * sides.length, 'sample')}
          </Button>
        )}
      </div>
      {samples.map((sample) => (
        <SampleOutputs key={sample.id} sample={sample} titles={sides.map(({ title }) => title)} />
      ))}
    </>
  );
}

function SampleOutputs({ sample: { name, columns }, titles }: { sample: Sample; titles: string[] }) {
  return (
    <section aria-label={`Sample: ${name}`} className="space-y-3 border-line border-t pt-3">
      <p dir="auto" className="font-medium wrap-anywhere">
        {name}
      </p>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 md:grid-cols-2">
        {columns.map(({ id, runner }, index) => (
          <div key={id} className="min-w-0">
            <p className="mb-1 text-ink-2 wrap-anywhere">{titles[index]}</p>
            <RunResult runner={runner} label={`Output of ${titles[index]} for ${name}`} />
          </div>
        ))}
      </div>
      <OutputDifferences columns={columns} />
    </section>
  );
}

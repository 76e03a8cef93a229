import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { findNameProblem, normalizeName } from '../../../src/contract/prompt-names.ts';
import { moveToFolder } from '../../../src/formats/convert.ts';
import type { Conversion } from '../../../src/formats/draft-types.ts';
import { type ImportResult, readCurrent, runImport } from '../../../src/formats/import.ts';
import { type PlannedPrompt, planPrompt } from '../../../src/formats/plan.ts';
import { messageOf } from '../lib/api.ts';
import { plural } from '../lib/format.ts';
import { useDebounced } from '../lib/use-debounced.ts';
import { refreshPrompts } from '../prompts/queries.ts';
import { Card } from '../ui/Card.tsx';
import { Problem } from '../ui/Problem.tsx';
import { Loading } from '../ui/Skeleton.tsx';
import { ImportOptions } from './ImportOptions.tsx';
import { OtherFindings } from './OtherFindings.tsx';
import { PlanList } from './PlanList.tsx';
import { importService } from './service.ts';

interface ReviewProps {
  id: number;
  conversion: Conversion;
  initialFolder: string;
  onReset: () => void;
}

/** Shows the planned changes to each prompt and, after the import, the results. */
export function Review({ id, conversion, initialFolder, onReset }: ReviewProps) {
  const [folderText, setFolderText] = useState(initialFolder);
  const [label, setLabel] = useState('');
  const folder = normalizeName(useDebounced(folderText, 300).trim()).replace(/\/+$/, '');
  const folderProblem = folder === '' ? undefined : findNameProblem(folder);
  const moved = useMemo(
    () => conversion.prompts.map((prompt) => moveToFolder(folderProblem ? '' : folder, prompt)),
    [conversion, folder, folderProblem],
  );
  // The key contains the name without the target folder. If the user changes the folder, the prompts get other names, but the same prompts
  // stay selected.
  const keyOf = ({ path, name }: Pick<PlannedPrompt, 'path' | 'name'>) =>
    `${path} ${folder !== '' && name.startsWith(`${folder}/`) ? name.slice(folder.length + 1) : name}`;
  const [asText, setAsText] = useState<ReadonlySet<string>>(new Set());
  const [skipped, setSkipped] = useState<ReadonlySet<string>>(new Set());
  const chosen = moved.map((prompt) => (asText.has(keyOf(prompt)) && prompt.asText) || prompt);
  const current = useQuery({
    queryKey: ['import', id, folder],
    queryFn: () =>
      readCurrent(
        moved.map((prompt) => prompt.asText ?? prompt),
        importService,
      ),
    enabled: !folderProblem,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const labels = useMemo(() => (label === '' ? [] : [label]), [label]);
  const planned = current.data && chosen.map((prompt) => planPrompt(prompt, current.data.get(prompt.name), labels));
  const { run, results, error, isRunning, isDone } = useRun(labels);
  // The original plan stays visible, even if a retry finds that part of the plan is done.
  const [started, setStarted] = useState<PlannedPrompt[]>();
  const shown = started ?? planned;
  const isSkipped = (prompt: PlannedPrompt) => skipped.has(keyOf(prompt));
  const total = shown?.filter((prompt) => isPending(prompt) && !isSkipped(prompt)).length ?? 0;
  /** Selects or deselects a prompt. A selected prompt that cannot be converted is imported as text. */
  const toggle = (prompt: PlannedPrompt) => {
    const key = keyOf(prompt);
    if (prompt.action === 'refuse' || asText.has(key)) setAsText(withToggled(asText, key));
    else setSkipped(withToggled(skipped, key));
  };

  const start = async (isRetry: boolean) => {
    // A retry plans the import again. Prompts that were already saved, before the connection was lost, then need no change.
    setStarted(shown);
    const { data } = isRetry ? await current.refetch() : current;
    const wanted = chosen.filter((prompt) => !skipped.has(keyOf(prompt)));
    if (data) await run(wanted.map((prompt) => planPrompt(prompt, data.get(prompt.name), labels)));
  };

  return (
    <div className="space-y-4">
      <ImportOptions
        folder={folderText}
        folderProblem={folderProblem}
        label={label}
        isLocked={isRunning || isDone || error !== undefined}
        onFolder={setFolderText}
        onLabel={setLabel}
        state={{ planned: shown?.filter((prompt) => !isSkipped(prompt)), results, total, error, isRunning, isDone }}
        onImport={() => void start(error !== undefined)}
        onReset={onReset}
      />
      <OtherFindings findings={conversion.findings} ignored={conversion.ignored} />
      <Card className="overflow-hidden">
        {current.isPending && !shown && !folderProblem && (
          <Loading label="Comparing with your prompts" rows={6} className="divide-y divide-line px-4" />
        )}
        {current.isError && !shown && <Problem error={current.error} onRetry={() => current.refetch()} />}
        {shown && shown.length > 0 && (
          <PlanList
            planned={shown}
            results={results}
            isDone={isDone}
            isSkipped={isSkipped}
            onToggle={isRunning || isDone || error !== undefined ? undefined : toggle}
          />
        )}
        {shown?.length === 0 && (
          <p className="px-4 py-10 text-center text-ink-2">None of the files contains a prompt that can be imported.</p>
        )}
      </Card>
    </div>
  );
}

function withToggled(keys: ReadonlySet<string>, key: string): ReadonlySet<string> {
  return keys.has(key) ? new Set([...keys].filter((each) => each !== key)) : new Set([...keys, key]);
}

/** Returns whether an import changes anything. */
function isPending({ action }: PlannedPrompt): boolean {
  return action !== 'same' && action !== 'refuse';
}

function useRun(labels: string[]) {
  const [results, setResults] = useState<ReadonlyMap<string, ImportResult>>(new Map());
  const [state, setState] = useState<'idle' | 'running' | 'done' | 'failed'>('idle');
  const [error, setError] = useState<string>();
  const isGone = useRef(false);
  useEffect(() => {
    isGone.current = false;
    return () => {
      isGone.current = true;
    };
  }, []);

  const run = async (planned: PlannedPrompt[]) => {
    setState('running');
    setError(undefined);
    const done = new Map(results);
    // If the component is no longer shown, the import stops, because nobody would see the result.
    const savePrompts: typeof importService.savePrompts = (items) => {
      if (isGone.current) throw new Error('You left the page');
      return importService.savePrompts(items);
    };
    try {
      await runImport(planned, {
        labels,
        service: { ...importService, savePrompts },
        onResult: (result) => {
          done.set(result.name, result);
          setResults(new Map(done));
        },
      });
      setState('done');
    } catch (err) {
      setState('failed');
      setError(`${messageOf(err)} ${plural(done.size, 'prompt')} imported so far. Try again to import the rest.`);
    }
    await refreshPrompts();
  };
  return { run, results, error, isRunning: state === 'running', isDone: state === 'done' };
}

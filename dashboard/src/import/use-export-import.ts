import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { ImportedPrompt } from '../../../client/src/types.ts';
import { mergeImportResults } from '../../../src/contract/import-results.ts';
import { chooseLines } from '../../../src/formats/export-file.ts';
import { refreshPrompts } from '../prompts/queries.ts';
import { describeFailure } from './describe-failure.ts';
import { type Choices, choiceOf, linesOf } from './export-choices.ts';
import { type ExportSource, importLines } from './transfer.ts';

/** Returns the changes that an import of these lines would make to each prompt, without making them. */
export function useTrial(id: string, source: ExportSource) {
  const [count, setCount] = useState(0);
  const query = useQuery({
    queryKey: ['import-trial', id],
    queryFn: async ({ signal }) => {
      setCount(0);
      const onProgress = (prompts: ImportedPrompt[]) => setCount((before) => before + prompts.length);
      const found = await importLines(source.lines(), { dryRun: true, skipInvalid: true, signal, onProgress });
      return [...found, ...source.refused];
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  return { ...query, count };
}

/** Imports the selected prompts. If the user cancels, the prompts imported so far are kept. */
export function useExportImport(source: ExportSource) {
  const [results, setResults] = useState<ReadonlyMap<string, ImportedPrompt>>(new Map());
  const [state, setState] = useState<'idle' | 'running' | 'done' | 'canceled'>('idle');
  const [error, setError] = useState<string>();
  const running = useRef<AbortController>(undefined);
  // The import is aborted when the component is removed, because nobody would see its result.
  useEffect(() => () => running.current?.abort(), []);

  const run = async (prompts: ImportedPrompt[], choices: Choices) => {
    const controller = new AbortController();
    running.current = controller;
    setState('running');
    setError(undefined);
    const done = new Map(results);
    const add = (imported: ImportedPrompt[]) => {
      for (const prompt of imported) done.set(prompt.name, mergeImportResults(done.get(prompt.name), prompt));
      setResults(new Map(done));
    };
    const actions = prompts.map((prompt) => choiceOf(prompt, choices).action);
    try {
      for (const replace of [false, true]) {
        if (!actions.some((action) => action !== 'skip' && (action === 'replace') === replace)) continue;
        const lines = chooseLines(source.lines(), linesOf(prompts, choices, replace));
        add(await importLines(lines, { replace, skipInvalid: true, signal: controller.signal, onProgress: add }));
      }
      setState('done');
    } catch (err) {
      setState(controller.signal.aborted ? 'canceled' : 'idle');
      if (!controller.signal.aborted)
        setError(`${describeFailure(err)} The prompts imported so far are kept. Try again to import the rest.`);
    }
    await refreshPrompts();
  };
  return { run, cancel: () => running.current?.abort(), results, state, error };
}

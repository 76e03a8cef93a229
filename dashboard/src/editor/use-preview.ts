import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { ApiError, type Fault, request } from '../lib/api.ts';
import type { Preview, PromptType, Version } from '../lib/types.ts';
import { useDebounced } from '../lib/use-debounced.ts';
import { contentOf, type Draft, textOf } from './draft.ts';

type Variable = Version['variables'][number];

export interface PreviewState {
  variables: Variable[];
  values: Record<string, string>;
  setValue: (name: string, value: string) => void;
  rendered: Preview | undefined;
  /** What does not parse, with its place. */
  faults: Fault[];
  /** Why it cannot be rendered although it parses. */
  problem: string | undefined;
}

const settleMs = 250;

/** What the server makes of the text as it is being typed, with the values at hand. */
export function usePreview(type: PromptType, draft: Draft, known: Variable[]): PreviewState {
  const [values, setValues] = useState<Record<string, string>>({});
  const [missing, setMissing] = useState<string[]>([]);
  const [lastKnown, setLastKnown] = useState(known);
  const names = mergeVariables(lastKnown, missing);
  const body = useMemo(
    () => ({ ...contentOf(type, draft), variables: { ...guessVariables(type, draft), ...toVariables(names, values, draft) } }),
    [type, draft, names, values],
  );
  const settled = useDebounced(JSON.stringify(body), settleMs);

  const preview = useQuery({
    queryKey: ['preview', settled],
    queryFn: async () => {
      try {
        const rendered = await request<Preview>('POST', '/api/render', JSON.parse(settled));
        setLastKnown(rendered.variables);
        setMissing([]);
        return rendered;
      } catch (err) {
        if (err instanceof ApiError && err.code === 'missing_variables')
          setMissing(err.details.map(({ path }) => path.split('/')[2] ?? ''));
        throw err;
      }
    },
    placeholderData: keepPreviousData,
    gcTime: 10_000,
    retry: false,
  });

  const error = preview.error instanceof ApiError ? preview.error : undefined;
  const faults = useMemo(() => (error?.code === 'invalid_template' ? error.details : []), [error]);
  return {
    variables: names,
    values,
    setValue: (name, value) => setValues((before) => ({ ...before, [name]: value })),
    rendered: preview.data,
    faults,
    problem: error && error.code !== 'invalid_template' && error.code !== 'missing_variables' ? describe(error) : undefined,
  };
}

function describe(error: ApiError): string {
  const [fault] = error.details;
  return fault?.path.startsWith('/variables') ? `${fault.path.split('/')[2]}: ${fault.message}` : error.message;
}

function mergeVariables(known: Variable[], missing: string[]): Variable[] {
  const more = missing.filter((name) => !known.some((variable) => variable.name === name));
  return more.length === 0 ? known : [...known, ...more.map((name) => ({ name, required: true }))];
}

/** Empty required ones are shown by name, so that there always is something to see; empty optional ones are left out. */
function toVariables(variables: Variable[], values: Record<string, string>, { messages }: Draft): Record<string, unknown> {
  const placeholders = new Set(messages.flatMap((message) => ('placeholder' in message ? [message.placeholder] : [])));
  const entries = variables.flatMap(({ name, required }): [string, unknown][] => {
    const typed = values[name] ?? '';
    if (typed !== '') return [[name, parseValue(typed)]];
    return required && !placeholders.has(name) ? [[name, `‹${name}›`]] : [];
  });
  return Object.fromEntries(entries);
}

/**
 * A stand-in for every name that an output seems to want, so that a variable just typed shows at once instead of being
 * refused first. What is no variable after all does not matter: the server takes only what the template needs.
 */
function guessVariables(type: PromptType, draft: Draft): Record<string, string> {
  const names = [...textOf(type, draft).matchAll(/\{\{-?\s*([A-Za-z_]\w*)/g)].map(([, name = '']) => name);
  return Object.fromEntries(names.map((name) => [name, `‹${name}›`]));
}

/** Lists and objects are typed as JSON; everything else is text. */
function parseValue(typed: string): unknown {
  if (!/^\s*[[{]/.test(typed)) return typed;
  try {
    return JSON.parse(typed);
  } catch {
    return typed;
  }
}

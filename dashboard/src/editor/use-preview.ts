import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { ApiError, request } from '../lib/api.ts';
import type { FieldError, Preview, PromptType, Variable } from '../lib/types.ts';
import { useDebounced } from '../lib/use-debounced.ts';
import { contentOf, type Draft, textOf } from './draft.ts';

export interface PreviewState {
  variables: Variable[];
  values: Record<string, string>;
  setValue: (name: string, value: string) => void;
  rendered: Preview | undefined;
  syntaxErrors: FieldError[];
  /** Why a template without syntax errors cannot be rendered. */
  renderError: string | undefined;
}

const settleMs = 250;

/** Renders the draft on the server while the user types. */
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
  const syntaxErrors = useMemo(() => (error?.code === 'invalid_template' ? error.details : []), [error]);
  return {
    variables: names,
    values,
    setValue: (name, value) => setValues((before) => ({ ...before, [name]: value })),
    rendered: preview.data,
    syntaxErrors,
    renderError: error && error.code !== 'invalid_template' && error.code !== 'missing_variables' ? describe(error) : undefined,
  };
}

function describe(error: ApiError): string {
  const [fieldError] = error.details;
  return fieldError?.path.startsWith('/variables') ? `${fieldError.path.split('/')[2]}: ${fieldError.message}` : error.message;
}

function mergeVariables(known: Variable[], missing: string[]): Variable[] {
  const more = missing.filter((name) => !known.some((variable) => variable.name === name));
  return more.length === 0 ? known : [...known, ...more.map((name) => ({ name, required: true }))];
}

/** An empty required variable is replaced by its name in the preview; an empty optional one is left out. */
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
 * A placeholder value for every name in an output, so that a new variable does not fail the first preview with
 * `missing_variables`. The server ignores names that are not variables.
 */
function guessVariables(type: PromptType, draft: Draft): Record<string, string> {
  const names = [...textOf(type, draft).matchAll(/\{\{-?\s*([A-Za-z_]\w*)/g)].map(([, name = '']) => name);
  return Object.fromEntries(names.map((name) => [name, `‹${name}›`]));
}

/** Lists and objects are entered as JSON; everything else is text. */
function parseValue(typed: string): unknown {
  if (!/^\s*[[{]/.test(typed)) return typed;
  try {
    return JSON.parse(typed);
  } catch {
    return typed;
  }
}

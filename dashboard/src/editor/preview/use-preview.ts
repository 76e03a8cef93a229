import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { ApiError } from '../../../../client/src/errors.ts';
import { call } from '../../lib/api.ts';
import { sessionQuery, useSessionLost } from '../../lib/session.ts';
import type { FieldError, Preview, PromptType, Variable } from '../../lib/types.ts';
import { useDebounced } from '../../lib/use-debounced.ts';
import { describeFieldError } from '../describe-place.ts';
import { type Draft, unsavedContentOf } from '../drafts/draft.ts';
import { previewKey, readEntries, writeEntries } from './preview-storage.ts';
import { type Entries, type Entry, valuesOf } from './preview-values.ts';

export interface PreviewState {
  variables: Variable[];
  /** Names of the variables that hold the caller's messages. */
  placeholders: string[];
  entries: Entries;
  setEntry: (name: string, entry: Entry) => void;
  setEntries: (entries: Entries) => void;
  rendered: Preview | undefined;
  syntaxErrors: FieldError[];
  /** The service's errors in the tools and the output schema. */
  declarationErrors: FieldError[];
  /** The reason why a template without syntax errors cannot be rendered. */
  renderError: string | undefined;
  /** Whether the server is unreachable or busy. The request is retried until it succeeds. */
  isRetrying: boolean;
}

const settleMs = 250;
const maxRetryMs = 10_000;

/** Renders the draft on the server while the user types. The values are kept when the user leaves or reloads the page. */
export function usePreview(type: PromptType, draft: Draft, known: Variable[], prompt: { id: string; name?: string }): PreviewState {
  const { entries, setEntry, setEntries } = useEntries(prompt.id);
  const { values, broken } = useMemo(() => valuesOf(entries), [entries]);
  const body = {
    ...unsavedContentOf(type, draft),
    ...(prompt.name !== undefined && { name: prompt.name }),
    variables: values,
    placeholders: true,
    problems: true,
  };
  const current = JSON.stringify(body);
  const settled = useDebounced(current, settleMs);

  const preview = useQuery({
    queryKey: ['preview', settled],
    queryFn: () => call('previewPrompt', { body: JSON.parse(settled) }),
    placeholderData: keepPreviousData,
    // After the user has signed in again, the request is retried.
    enabled: !useSessionLost(),
    gcTime: 10_000,
    retry: (_failures, err) => isTemporary(err),
    retryDelay: (failures, err) => retryAfter(err) ?? Math.min(1000 * 2 ** failures, maxRetryMs),
  });

  // While the template has an error, the variables of the last valid template are shown.
  const [last, setLast] = useState<Preview>();
  if (preview.data && preview.data !== last) setLast(preview.data);
  const variables = last?.variables ?? known;
  const error = preview.error instanceof ApiError ? preview.error : undefined;
  const syntaxErrors = useMemo(() => (error?.code === 'invalid_template' ? error.details : []), [error]);
  // An error in a field disappears as soon as the user corrects the field.
  const details = settled === current ? (error?.details ?? []) : [];
  const brokenName = broken.find((name) => variables.some((variable) => variable.name === name));
  const renderError = error ? (error.code === 'invalid_template' ? undefined : describe(error, draft)) : preview.data?.problem;
  return {
    variables,
    placeholders: draft.messages.flatMap((message) => ('placeholder' in message ? [message.placeholder] : [])),
    entries,
    setEntry,
    setEntries,
    rendered: preview.data,
    syntaxErrors,
    declarationErrors: details.filter(({ path }) => /^\/(?:tools|output)(?:\/|$)/.test(path)),
    // Rendering without the value would show a result that the user did not ask for.
    renderError: brokenName === undefined ? renderError : `The value of ${brokenName} is not valid JSON.`,
    isRetrying: preview.fetchStatus === 'paused' || (preview.isFetching && isTemporary(preview.failureReason)),
  };
}

function useEntries(promptId: string) {
  const { data: user } = useQuery(sessionQuery);
  const [key] = useState(() => previewKey(user?.userId ?? '', promptId));
  const [entries, setEntries] = useState<Entries>(() => readEntries(key));
  useEffect(() => writeEntries(key, entries), [key, entries]);
  const setEntry = useCallback((name: string, entry: Entry) => setEntries((before) => ({ ...before, [name]: entry })), []);
  return { entries, setEntry, setEntries };
}

function isTemporary(err: unknown): boolean {
  return err instanceof ApiError && (err.status === 0 || err.status === 429 || err.status >= 500);
}

function retryAfter(err: unknown): number | undefined {
  const ms = err instanceof ApiError ? err.retryAfterMs : undefined;
  return ms === undefined ? undefined : Math.min(ms, maxRetryMs);
}

function describe(error: ApiError, { variables }: Draft): string {
  const [detail] = error.details;
  if (!detail || error.code !== 'invalid_input') return error.message;
  const names = variables.map(({ name }) => name);
  return describeFieldError(detail, names);
}

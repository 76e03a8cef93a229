import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  snippet,
  startCompletion,
} from '@codemirror/autocomplete';
import type { Extension } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { latestLabel } from '../../../../src/contract/label-names.ts';
import { call } from '../../lib/api.ts';
import { queryClient } from '../../lib/query-client.ts';
import { promptQuery } from '../../prompts/queries.ts';
import { findPlace, type Place } from './completion-place.ts';
import { liquidBlocks, liquidBranches, liquidFilters, liquidTags } from './liquid-words.ts';

/** The maximum number of characters before the cursor in which to search for the start of the tag. */
const maxTagLength = 2000;
const maxNames = 50;

/** Completes variables, tags and filters, and the names and labels of included prompts. `variables` returns the known variables. */
export function liquidCompletion(variables: () => readonly string[]): Extension {
  return autocompletion({ icons: false, override: [(context) => complete(context, variables())] });
}

async function complete(context: CompletionContext, variables: readonly string[]): Promise<CompletionResult | null> {
  const { state, pos } = context;
  const place = findPlace(state.sliceDoc(Math.max(0, pos - maxTagLength), pos));
  if (!place) return null;
  const from = pos - place.text.length;
  switch (place.kind) {
    case 'tag':
      return { from, options: tagOptions, validFor: /^[\w#]*$/ };
    case 'filter':
      return { from, options: filterOptions, validFor: /^\w*$/ };
    case 'variable':
      return { from, options: variableOptions(state.doc.toString(), place, variables), validFor: /^\w*$/ };
    case 'prompt':
    case 'label':
      try {
        return { from, ...(place.kind === 'prompt' ? await findNames(place) : await findLabels(place)) };
      } catch {
        // Without the server, there are no names to offer. The user can keep typing.
        return null;
      }
  }
}

const tagOptions: Completion[] = [
  ...Object.entries(liquidTags).map(
    ([name, rest]): Completion => ({
      label: name,
      detail: rest.replaceAll(/#\{|\}/g, ''),
      ...(name === 'render' && { info: 'Includes another prompt, at production or at the label that you add.' }),
      apply: (view, _, from, to) => insertTag(view, name, from, to),
    }),
  ),
  ...liquidBranches.map((label) => ({ label })),
  ...[...liquidBlocks].map((name) => ({ label: `end${name}`, boost: -1 })),
];

const filterOptions: Completion[] = liquidFilters.map((label) => ({ label }));

/** Inserts a tag with its arguments and end tag, or only its name if the tag is already complete. */
function insertTag(view: EditorView, name: string, from: number, to: number): void {
  const isClosed = /^[^{}]*%\}/.test(view.state.sliceDoc(to, view.state.doc.lineAt(to).to));
  const rest = liquidTags[name] ? ` ${liquidTags[name]}` : '';
  const end = liquidBlocks.has(name) ? `#{}{% end${name} %}` : '';
  snippet(isClosed ? name : `${name}${rest} %}${end}`)(view, null, from, to);
  if (name === 'render' && !isClosed) startCompletion(view);
}

/**
 * Returns the variables of the prompt and the variables that the template assigns. After a dot, returns the fields that the template uses
 * elsewhere.
 */
function variableOptions(text: string, { object }: Place, variables: readonly string[]): Completion[] {
  const pattern = object
    ? new RegExp(`\\b${object.replaceAll('.', '\\.')}\\.(\\w+)`, 'g')
    : /\{%-?\s*(?:assign|capture|for|tablerow)\s+(\w+)/g;
  const found = [...text.matchAll(pattern)].map(([, name = '']) => name);
  return [...new Set(object ? found : [...variables, ...found])].map((label) => ({ label }));
}

async function findNames({ text, quote }: Place): Promise<Omit<CompletionResult, 'from'>> {
  const { data, nextCursor } = await queryClient.fetchQuery({
    queryKey: ['prompts', 'names', text],
    queryFn: () => call('listPrompts', { query: { limit: maxNames, ...(text !== '' && { search: text, searchIn: 'name' }) } }),
  });
  const options = data.map(
    ({ name }): Completion => ({ label: name, apply: (view, _, from, to) => insertQuoted(view, { name, quote, from, to }) }),
  );
  // If the list is complete, it also contains the matches for longer input.
  return nextCursor === null ? { options, validFor: /^[^'"]*$/ } : { options };
}

async function findLabels({ prompt = '', quote }: Place): Promise<Omit<CompletionResult, 'from'>> {
  const { labels, latestVersion } = await queryClient.fetchQuery(promptQuery(prompt));
  const options = Object.entries({ ...labels, [latestLabel]: latestVersion }).map(
    ([name, version]): Completion => ({
      label: name,
      detail: `v${version}`,
      apply: (view, _, from, to) => insertQuoted(view, { name, quote, from, to }),
    }),
  );
  return { options, validFor: /^[^'"]*$/ };
}

interface QuotedText {
  name: string;
  quote: string | undefined;
  from: number;
  to: number;
}

/** Inserts a name or label with its quotes. A name that contains a single quote needs double quotes. */
function insertQuoted(view: EditorView, { name, quote, from, to }: QuotedText): void {
  const end = view.state.sliceDoc(to, to + 1) === quote ? to + 1 : to;
  const around = name.includes("'") ? '"' : (quote ?? "'");
  const insert = `${around}${name}${around}`;
  view.dispatch({
    changes: { from: from - 1, to: end, insert },
    selection: { anchor: from - 1 + insert.length },
    userEvent: 'input.complete',
  });
}

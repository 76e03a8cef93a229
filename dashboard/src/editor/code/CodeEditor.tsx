import { closeBrackets, closeBracketsKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint';
import { openSearchPanel, search, searchKeymap } from '@codemirror/search';
import { Annotation, EditorState, type Extension, type Text } from '@codemirror/state';
import { EditorView, keymap, lineNumbers, placeholder } from '@codemirror/view';
import { type Ref, useEffect, useImperativeHandle, useRef } from 'react';
import { cx } from '../../lib/cx.ts';
import type { FieldError } from '../../lib/types.ts';
import { baseExtensions, type Language } from './code-mirror.ts';
import { liquidCompletion } from './completion.ts';

export interface CodeEditorHandle {
  openSearch: () => void;
}

interface CodeEditorProps {
  label: string;
  language: Language;
  value: string;
  onChange: (value: string) => void;
  /** The syntax errors, which are marked at their position. */
  errors?: FieldError[];
  /** The names of variables to complete. */
  variables?: readonly string[];
  /** The maximum height. Longer content scrolls inside the editor. */
  className?: string;
  ref?: Ref<CodeEditorHandle>;
}

const hint = 'Write here. {{ name }} is a variable.';
/** The editor's phrases. They replace CodeMirror's own phrases, which are all lower case. */
const searchPhrases = {
  next: 'Next',
  previous: 'Previous',
  all: 'All',
  'match case': 'Match case',
  regexp: 'Regular expression',
  'by word': 'Whole words',
  replace: 'Replace',
  'replace all': 'Replace all',
  close: 'Close',
};
/** The default keys without Mod-Enter, which runs the prompt. By default, this key would insert a line. */
const editingKeymap = defaultKeymap.filter(({ key }) => key !== 'Mod-Enter');
const fromOutside = Annotation.define<boolean>();

/** A CodeMirror editor as a controlled field. */
export function CodeEditor({ label, language, value, onChange, errors = [], variables = [], className, ref }: CodeEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const latest = useRef({ onChange, value, variables });
  latest.current = { onChange, value, variables };
  useImperativeHandle(ref, () => ({ openSearch: () => view.current && openSearchPanel(view.current) }), []);

  useEffect(() => {
    if (!host.current) return;
    const editor = new EditorView({
      parent: host.current,
      doc: latest.current.value,
      extensions: [
        history(),
        lineNumbers(),
        lintGutter(),
        search({ top: true }),
        EditorState.phrases.of(searchPhrases),
        helpFor(language, () => latest.current.variables),
        keymap.of([...closeBracketsKeymap, ...searchKeymap, ...editingKeymap, ...historyKeymap]),
        baseExtensions(language, label),
        EditorView.domEventHandlers({ beforeinput: replaceSelection }),
        EditorView.updateListener.of(({ docChanged, transactions, state }) => {
          if (docChanged && !transactions.some((each) => each.annotation(fromOutside))) latest.current.onChange(state.doc.toString());
        }),
      ],
    });
    view.current = editor;
    return () => editor.destroy();
  }, [label, language]);

  useEffect(() => {
    const editor = view.current;
    if (!editor || editor.state.doc.toString() === value) return;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value }, annotations: fromOutside.of(true) });
  }, [value]);

  // The errors are compared by content, because callers create a new array on each render.
  const serialized = JSON.stringify(errors);
  useEffect(() => {
    const editor = view.current;
    if (editor) editor.dispatch(setDiagnostics(editor.state, toDiagnostics(editor.state.doc, JSON.parse(serialized))));
  }, [serialized]);

  return <div ref={host} className={cx('flex min-h-0 flex-col *:min-h-0 *:flex-1', className)} />;
}

/** Returns the typing aids for a language. Only Liquid has tags and filters to complete. */
function helpFor(language: Language, variables: () => readonly string[]): Extension {
  if (language === 'json') return closeBrackets();
  return language === 'liquid' ? [liquidCompletion(variables), placeholder(hint)] : placeholder(hint);
}

/**
 * Handles typing over a selection. Otherwise Chromium copies the style of the replaced text into style attributes, which the content
 * security policy forbids.
 */
function replaceSelection(event: InputEvent, view: EditorView): boolean {
  const { main } = view.state.selection;
  const text = event.data;
  if (event.inputType !== 'insertText' || !text || main.empty || view.composing || !event.cancelable) return false;
  event.preventDefault();
  const replacement = () => view.state.update(view.state.replaceSelection(text), { userEvent: 'input.type', scrollIntoView: true });
  const isHandled = view.state.facet(EditorView.inputHandler).some((handle) => handle(view, main.from, main.to, text, replacement));
  if (!isHandled) view.dispatch(replacement());
  return true;
}

function toDiagnostics(doc: Text, errors: FieldError[]): Diagnostic[] {
  return errors.map(({ line = 1, column = 1, message }) => {
    const { from, to } = doc.line(Math.min(Math.max(line, 1), doc.lines));
    const start = Math.min(from + Math.max(column, 1) - 1, to);
    return { from: start, to: Math.max(start, to), severity: 'error', message };
  });
}

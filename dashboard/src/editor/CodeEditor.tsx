import { closeBrackets, closeBracketsKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint';
import { Annotation, type Text } from '@codemirror/state';
import { EditorView, keymap, lineNumbers } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import type { FieldError } from '../lib/types.ts';
import { baseExtensions, type Language } from './code-mirror.ts';

interface CodeEditorProps {
  label: string;
  language: Language;
  value: string;
  onChange: (value: string) => void;
  /** Syntax errors, marked at their position. */
  errors?: FieldError[];
}

const fromOutside = Annotation.define<boolean>();

/** A CodeMirror editor as a controlled field. */
export function CodeEditor({ label, language, value, onChange, errors = [] }: CodeEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const latest = useRef({ onChange, value });
  latest.current = { onChange, value };

  useEffect(() => {
    if (!host.current) return;
    const editor = new EditorView({
      parent: host.current,
      doc: latest.current.value,
      extensions: [
        history(),
        lineNumbers(),
        lintGutter(),
        language === 'json' ? closeBrackets() : [],
        keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap]),
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

  // Compared by content, because callers create a new array on each render.
  const serialized = JSON.stringify(errors);
  useEffect(() => {
    const editor = view.current;
    if (editor) editor.dispatch(setDiagnostics(editor.state, toDiagnostics(editor.state.doc, JSON.parse(serialized))));
  }, [serialized]);

  return <div ref={host} className="min-h-full" />;
}

/**
 * Handles typing over a selection. Chromium itself would copy the style of the replaced text into style attributes, which
 * the content security policy forbids.
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

import { json } from '@codemirror/lang-json';
import { EditorState, type Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { cspNonce } from '../lib/nonce.ts';
import { highlighting, liquidLanguage } from './liquid.ts';

export type Language = 'liquid' | 'json';

const theme = EditorView.theme({
  '&': { backgroundColor: 'transparent', color: 'var(--ink)', fontSize: '13px' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--font-mono)', lineHeight: '20px' },
  '.cm-content': { padding: '10px 0', caretColor: 'var(--accent)' },
  // The direction of each line follows its text.
  '.cm-line': { padding: '0 12px', unicodeBidi: 'plaintext', textAlign: 'start' },
  '.cm-gutters': { backgroundColor: 'transparent', color: 'var(--ink-3)', border: 'none', fontSize: '11px' },
  '.cm-lineNumbers .cm-gutterElement': { padding: '0 4px 0 12px', minWidth: '32px' },
  '.cm-cursor': { borderLeftColor: 'var(--accent)', borderLeftWidth: '2px' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--selection)',
  },
  '.cm-tooltip': { backgroundColor: 'var(--surface)', color: 'var(--ink)', border: '1px solid var(--line-strong)', borderRadius: '6px' },
  '.cm-diagnostic': { padding: '6px 10px', fontFamily: 'var(--font-sans)', fontSize: '12px' },
  '.cm-diagnostic-error': { borderLeft: '3px solid var(--danger)' },
  '.cm-lintRange-error': { backgroundImage: 'none', textDecoration: 'underline wavy var(--danger)', textUnderlineOffset: '3px' },
  '.cm-lint-marker-error': { content: 'none', width: '8px', height: '8px', borderRadius: '50%', backgroundColor: 'var(--danger)' },
  '.cm-gutter-lint': { width: '14px' },
  '.cm-collapsedLines': { background: 'var(--sunken)', color: 'var(--ink-3)', padding: '4px 12px', fontSize: '12px' },
  '.cm-deletedChunk': { paddingLeft: '0' },
  '.cm-deletedChunk .cm-deletedLine': { padding: '0 12px', unicodeBidi: 'plaintext', textAlign: 'start' },
  '&.cm-merge-a .cm-changedLine, .cm-deletedChunk': { backgroundColor: 'var(--danger-soft)' },
  '&.cm-merge-b .cm-changedLine, &.cm-merge-a .cm-insertedLine': { backgroundColor: 'var(--accent-soft)' },
  '&.cm-merge-a .cm-changedText, .cm-deletedChunk .cm-deletedText': {
    background: 'color-mix(in srgb, var(--danger) 18%, transparent)',
  },
  '&.cm-merge-b .cm-changedText': { background: 'color-mix(in srgb, var(--accent) 18%, transparent)' },
});

/** The extensions that all editors and comparisons share. */
export function baseExtensions(language: Language, label: string): Extension[] {
  return [
    EditorView.cspNonce.of(cspNonce),
    EditorView.lineWrapping,
    EditorView.perLineTextDirection.of(true),
    EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false', autocapitalize: 'off', autocorrect: 'off' }),
    EditorState.tabSize.of(2),
    language === 'json' ? json() : liquidLanguage(),
    highlighting,
    theme,
  ];
}

import { json } from '@codemirror/lang-json';
import { EditorState, type Extension, RangeSetBuilder } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, ViewPlugin } from '@codemirror/view';
import { cspNonce } from '../../lib/nonce.ts';
import type { TemplateSyntax } from '../../lib/types.ts';
import { highlighting, liquidLanguage } from './liquid.ts';

export type Language = TemplateSyntax | 'json' | 'text';

const theme = EditorView.theme({
  '&': { backgroundColor: 'transparent', color: 'var(--ink)', fontSize: '13px' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--font-mono)', lineHeight: '20px' },
  '.cm-content': { padding: '10px 0', caretColor: 'var(--accent)' },
  '.cm-line': { padding: '0 12px' },
  '.cm-placeholder': { color: 'var(--ink-3)' },
  '.cm-gutters': { backgroundColor: 'transparent', color: 'var(--ink-3)', border: 'none', fontSize: '11px' },
  '.cm-lineNumbers .cm-gutterElement': { padding: '0 4px 0 12px', minWidth: '32px' },
  '.cm-cursor': { borderLeftColor: 'var(--accent)', borderLeftWidth: '2px' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--selection)',
  },
  '.cm-tooltip': { backgroundColor: 'var(--surface)', color: 'var(--ink)', border: '1px solid var(--line-strong)', borderRadius: '6px' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--font-mono)', fontSize: '12px', maxHeight: '15rem', padding: '4px' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '3px 8px', borderRadius: '4px' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { backgroundColor: 'var(--accent-soft)', color: 'var(--accent-ink)' },
  '.cm-completionDetail': { color: 'var(--ink-3)', fontStyle: 'normal' },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '600' },
  '.cm-snippetField': { backgroundColor: 'var(--accent-soft)' },
  // Panels stay below dialogs and below the top bar of the page.
  '.cm-panels': { zIndex: '1', backgroundColor: 'var(--sunken)', color: 'var(--ink)' },
  '.cm-panels-top': { borderBottom: '1px solid var(--line)' },
  '.cm-panel.cm-search, .cm-panel.cm-gotoLine': { padding: '6px 36px 6px 10px', fontFamily: 'var(--font-sans)', fontSize: '12px' },
  '.cm-panel.cm-search label': { display: 'inline-flex', alignItems: 'center', gap: '6px', margin: '0 6px', fontSize: '12px' },
  '.cm-panel.cm-search input[type=checkbox]': { margin: '0', accentColor: 'var(--accent)' },
  '.cm-panel.cm-search [name=close]': { top: '4px', right: '6px', width: '28px', height: '28px', fontSize: '16px', color: 'var(--ink-2)' },
  '.cm-textfield': {
    backgroundColor: 'var(--surface)',
    border: '1px solid var(--line-strong)',
    borderRadius: '6px',
    padding: '3px 8px',
    fontSize: '12px',
  },
  '.cm-button': {
    backgroundColor: 'var(--surface)',
    backgroundImage: 'none',
    border: '1px solid var(--line-strong)',
    borderRadius: '6px',
    padding: '3px 8px',
    fontSize: '12px',
    '&:active': { backgroundImage: 'none', backgroundColor: 'var(--hover)' },
  },
  '.cm-searchMatch': { backgroundColor: 'var(--warn-soft)', outline: '1px solid var(--warn)' },
  '.cm-searchMatch-selected': { backgroundColor: 'var(--selection)' },
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

const automaticDirection = Decoration.line({ attributes: { dir: 'auto' } });

/** Sets the direction of every line by its text, for right-to-left scripts. */
const lineDirections = [
  EditorView.perLineTextDirection.of(true),
  ViewPlugin.define(
    (view) => ({
      lines: directVisibleLines(view),
      update({ docChanged, viewportChanged, view: updated }) {
        if (docChanged || viewportChanged) this.lines = directVisibleLines(updated);
      },
    }),
    { decorations: ({ lines }) => lines },
  ),
];

function directVisibleLines({ state, visibleRanges }: EditorView): DecorationSet {
  const lines = new RangeSetBuilder<Decoration>();
  for (const { from, to } of visibleRanges) {
    for (let at = from; at <= to; at = state.doc.lineAt(at).to + 1) {
      const start = state.doc.lineAt(at).from;
      lines.add(start, start, automaticDirection);
    }
  }
  return lines.finish();
}

/** Returns the extensions that all editors and comparisons share. */
export function baseExtensions(language: Language, label: string): Extension[] {
  return [
    EditorView.cspNonce.of(cspNonce),
    EditorView.lineWrapping,
    lineDirections,
    EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0', spellcheck: 'false', autocapitalize: 'off', autocorrect: 'off' }),
    EditorState.tabSize.of(2),
    ...(language === 'text' ? [] : [language === 'json' ? json() : liquidLanguage()]),
    highlighting,
    theme,
  ];
}

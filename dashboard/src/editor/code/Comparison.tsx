import { MergeView, unifiedMergeView } from '@codemirror/merge';
import { EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { ArrowRight } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import { cx } from '../../lib/cx.ts';
import { baseExtensions, type Language } from './code-mirror.ts';
import { annotateLines, showAnnotations } from './line-annotations.ts';

/** The content that a side shows below some of its lines. */
export interface SideAnnotations {
  lines: number[];
  render: (line: number) => ReactNode;
  /** Called when the user wants to comment on a line. Undefined if the user may not comment. */
  onAdd: ((line: number) => void) | undefined;
}

interface Side {
  title: string;
  text: string;
  annotations?: SideAnnotations | undefined;
}

interface ComparisonProps {
  language: Language;
  before: Side;
  after: Side;
}

type Slots = ReadonlyMap<number, HTMLElement>;
const noSlots: Slots = new Map();

const wide = matchMedia('(min-width: 48rem)');
const collapse = { margin: 3, minSize: 6 };

/** A diff of two strings: side by side, or unified on narrow screens. */
export function Comparison({ language, before, after }: ComparisonProps) {
  const host = useRef<HTMLDivElement>(null);
  const isWide = useSyncExternalStore(
    (listener) => {
      wide.addEventListener('change', listener);
      return () => wide.removeEventListener('change', listener);
    },
    () => wide.matches,
  );
  const [beforeTitle, beforeText, afterTitle, afterText] = [before.title, before.text, after.title, after.text];

  const views = useRef<{ before?: EditorView | undefined; after?: EditorView }>({});
  const [slots, setSlots] = useState({ before: noSlots, after: noSlots });
  // The editor calls the newest function through this ref, so that the editor need not be created again at each render.
  const latest = useRef({ before, after });
  latest.current = { before, after };
  const [annotatesBefore, annotatesAfter] = [before.annotations, after.annotations].map(toMode);

  useEffect(() => {
    const parent = host.current;
    if (!parent) return;
    const readOnly = (label: string) => [
      baseExtensions(language, label),
      EditorState.readOnly.of(true),
      EditorView.editable.of(false),
      EditorView.contentAttributes.of({ role: 'textbox', 'aria-multiline': 'true', 'aria-readonly': 'true' }),
    ];
    const annotate = (side: 'before' | 'after', title: string, mode: Mode | undefined) =>
      mode === undefined
        ? []
        : annotateLines({
            title,
            onAdd: mode === 'adding' ? (line) => latest.current[side].annotations?.onAdd?.(line) : undefined,
            onSlots: (found) => setSlots((current) => ({ ...current, [side]: found })),
          });
    const view = isWide
      ? new MergeView({
          parent,
          a: { doc: beforeText, extensions: [readOnly(beforeTitle), annotate('before', beforeTitle, annotatesBefore)] },
          b: { doc: afterText, extensions: [readOnly(afterTitle), annotate('after', afterTitle, annotatesAfter)] },
          collapseUnchanged: collapse,
          gutter: true,
        })
      : new EditorView({
          parent,
          doc: afterText,
          extensions: [
            readOnly(`${beforeTitle} and ${afterTitle}`),
            unifiedMergeView({ original: beforeText, mergeControls: false, collapseUnchanged: collapse }),
            annotate('after', afterTitle, annotatesAfter),
          ],
        });
    views.current = view instanceof MergeView ? { before: view.a, after: view.b } : { after: view };
    return () => {
      views.current = {};
      setSlots({ before: noSlots, after: noSlots });
      view.destroy();
    };
  }, [language, beforeTitle, beforeText, afterTitle, afterText, isWide, annotatesBefore, annotatesAfter]);

  const [beforeLines, afterLines] = [before.annotations, after.annotations].map((annotations) => annotations?.lines.join(' ') ?? '');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect above creates the editors again when one of its dependencies changes.
  useEffect(() => {
    if (annotatesBefore && views.current.before) showAnnotations(views.current.before, parseLines(beforeLines));
    if (annotatesAfter && views.current.after) showAnnotations(views.current.after, parseLines(afterLines));
  }, [beforeLines, afterLines, language, beforeTitle, beforeText, afterTitle, afterText, isWide, annotatesBefore, annotatesAfter]);

  return (
    <div className="overflow-hidden rounded-lg border border-line bg-surface">
      <div className="flex border-line border-b bg-sunken font-medium text-ink-2 text-xs">
        <div className={cx('truncate py-1.5 pl-3', isWide && 'w-1/2')}>{beforeTitle}</div>
        {!isWide && <ArrowRight aria-label="to" className="mx-2 my-2 size-3 shrink-0 text-ink-3" />}
        <div className={cx('truncate py-1.5 pr-3', isWide ? 'w-1/2 border-line border-l pl-3' : 'flex-1')}>{afterTitle}</div>
      </div>
      <div
        ref={host}
        className="[&_.cm-mergeViewEditor+.cm-mergeViewEditor]:border-line [&_.cm-mergeViewEditor+.cm-mergeViewEditor]:border-l"
      />
      {[...slots.before].map(([line, slot]) => createPortal(before.annotations?.render(line), slot, `before ${line}`))}
      {[...slots.after].map(([line, slot]) => createPortal(after.annotations?.render(line), slot, `after ${line}`))}
    </div>
  );
}

type Mode = 'reading' | 'adding';

function toMode(annotations: SideAnnotations | undefined): Mode | undefined {
  return annotations && (annotations.onAdd ? 'adding' : 'reading');
}

function parseLines(lines = ''): number[] {
  return lines === '' ? [] : lines.split(' ').map(Number);
}

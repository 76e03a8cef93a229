import { MergeView, unifiedMergeView } from '@codemirror/merge';
import { EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { ArrowRight } from 'lucide-react';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { cx } from '../../lib/cx.ts';
import { baseExtensions, type Language } from './code-mirror.ts';

interface ComparisonProps {
  language: Language;
  before: { title: string; text: string };
  after: { title: string; text: string };
}

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

  useEffect(() => {
    const parent = host.current;
    if (!parent) return;
    const readOnly = (label: string) => [
      baseExtensions(language, label),
      EditorState.readOnly.of(true),
      EditorView.editable.of(false),
      EditorView.contentAttributes.of({ role: 'textbox', 'aria-multiline': 'true', 'aria-readonly': 'true' }),
    ];
    const view = isWide
      ? new MergeView({
          parent,
          a: { doc: beforeText, extensions: readOnly(beforeTitle) },
          b: { doc: afterText, extensions: readOnly(afterTitle) },
          collapseUnchanged: collapse,
          gutter: true,
        })
      : new EditorView({
          parent,
          doc: afterText,
          extensions: [
            readOnly(`${beforeTitle} and ${afterTitle}`),
            unifiedMergeView({ original: beforeText, mergeControls: false, collapseUnchanged: collapse }),
          ],
        });
    return () => view.destroy();
  }, [language, beforeTitle, beforeText, afterTitle, afterText, isWide]);

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
    </div>
  );
}

import type { CommentPart } from '../../../../src/contract/comment-parts.ts';
import type { PromptType } from '../../lib/types.ts';
import type { SideAnnotations } from '../code/Comparison.tsx';
import { Comparison } from '../code/lazy.tsx';
import { type Draft, textOf, variablesText } from './draft.ts';

interface Side {
  title: string;
  draft: Draft;
  /** Returns the annotations below the lines of a part of the content. */
  annotate?: ((part: CommentPart, text: string) => SideAnnotations) | undefined;
}

interface ContentComparisonProps {
  type: PromptType;
  before: Side;
  after: Side;
}

/** Compares the text, the declarations and the config of two versions. Parts that are identical are left out. */
export function ContentComparison({ type, before, after }: ContentComparisonProps) {
  const parts = listChangedParts(type, before.draft, after.draft);
  if (parts.length === 0) {
    return <p className="rounded-md border border-line bg-sunken px-3 py-6 text-center text-ink-3">The text and config are identical.</p>;
  }
  return (
    // The minimum height equals the height of the skeleton, so that the buttons below do not move under a click.
    <div className="min-h-24 space-y-3">
      {parts.map(({ part, textBefore, textAfter }) => (
        <Comparison
          key={part}
          language={part === 'text' ? 'liquid' : 'json'}
          before={{ title: titlePart(before.title, part), text: textBefore, annotations: before.annotate?.(part, textBefore) }}
          after={{ title: titlePart(after.title, part), text: textAfter, annotations: after.annotate?.(part, textAfter) }}
        />
      ))}
    </div>
  );
}

/** Lists the parts in which two contents differ. */
export function listChangedParts(
  type: PromptType,
  before: Draft,
  after: Draft,
): { part: CommentPart; textBefore: string; textAfter: string }[] {
  const text = { part: 'text', textBefore: textOf(type, before), textAfter: textOf(type, after) } as const;
  const others = [
    { part: 'variables', textBefore: variablesText(before), textAfter: variablesText(after) },
    { part: 'tools', textBefore: before.tools, textAfter: after.tools },
    { part: 'output', textBefore: before.output, textAfter: after.output },
    { part: 'config', textBefore: before.config, textAfter: after.config },
  ] as const;
  return [
    ...(text.textBefore === text.textAfter ? [] : [text]),
    ...others.filter(({ textBefore, textAfter }) => textBefore.trim() !== textAfter.trim()),
  ];
}

function titlePart(title: string, part: CommentPart): string {
  if (part === 'text') return title;
  return `${title}, ${part === 'output' ? 'output schema' : part}`;
}

import type { PromptType } from '../../lib/types.ts';
import { Comparison } from '../code/lazy.tsx';
import { type Draft, textOf } from './draft.ts';

interface ContentComparisonProps {
  type: PromptType;
  before: { title: string; draft: Draft };
  after: { title: string; draft: Draft };
}

/** Diffs of the text and the config of two versions; identical parts are left out. */
export function ContentComparison({ type, before, after }: ContentComparisonProps) {
  const [textBefore, textAfter] = [textOf(type, before.draft), textOf(type, after.draft)];
  const hasSameText = textBefore === textAfter;
  const hasSameConfig = before.draft.config === after.draft.config;
  if (hasSameText && hasSameConfig) {
    return <p className="rounded-md border border-line bg-sunken px-3 py-6 text-center text-ink-3">The text and config are identical.</p>;
  }
  return (
    // The minimum height equals that of the skeleton, so that the buttons below do not move under a click.
    <div className="min-h-24 space-y-3">
      {!hasSameText && (
        <Comparison language="liquid" before={{ title: before.title, text: textBefore }} after={{ title: after.title, text: textAfter }} />
      )}
      {!hasSameConfig && (
        <Comparison
          language="json"
          before={{ title: `${before.title}, config`, text: before.draft.config }}
          after={{ title: `${after.title}, config`, text: after.draft.config }}
        />
      )}
    </div>
  );
}

import type { PromptType } from '../../lib/types.ts';
import { Comparison } from '../code/lazy.tsx';
import { type Draft, textOf, variablesText } from './draft.ts';

interface ContentComparisonProps {
  type: PromptType;
  before: { title: string; draft: Draft };
  after: { title: string; draft: Draft };
}

/** Diffs of the text, the declarations and the config of two versions; identical parts are left out. */
export function ContentComparison({ type, before, after }: ContentComparisonProps) {
  const [textBefore, textAfter] = [textOf(type, before.draft), textOf(type, after.draft)];
  const hasSameText = textBefore === textAfter;
  const parts = [
    { name: 'variables', textBefore: variablesText(before.draft), textAfter: variablesText(after.draft) },
    { name: 'tools', textBefore: before.draft.tools, textAfter: after.draft.tools },
    { name: 'output schema', textBefore: before.draft.output, textAfter: after.draft.output },
    { name: 'config', textBefore: before.draft.config, textAfter: after.draft.config },
  ].filter((part) => part.textBefore.trim() !== part.textAfter.trim());
  if (hasSameText && parts.length === 0) {
    return <p className="rounded-md border border-line bg-sunken px-3 py-6 text-center text-ink-3">The text and config are identical.</p>;
  }
  return (
    // The minimum height equals that of the skeleton, so that the buttons below do not move under a click.
    <div className="min-h-24 space-y-3">
      {!hasSameText && (
        <Comparison language="liquid" before={{ title: before.title, text: textBefore }} after={{ title: after.title, text: textAfter }} />
      )}
      {parts.map((part) => (
        <Comparison
          key={part.name}
          language="json"
          before={{ title: `${before.title}, ${part.name}`, text: part.textBefore }}
          after={{ title: `${after.title}, ${part.name}`, text: part.textAfter }}
        />
      ))}
    </div>
  );
}

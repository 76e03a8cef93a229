import { useId, useState } from 'react';
import type { PromptType, Version } from '../../lib/types.ts';
import { Segmented } from '../../ui/Segmented.tsx';
import { ContentComparison } from '../drafts/ContentComparison.tsx';
import { type Draft, draftOf } from '../drafts/draft.ts';

interface MergeResultProps {
  type: PromptType;
  mine: Draft;
  theirs: Version;
  noun: 'version' | 'revision';
  result: Draft;
}

/** Shows the merged content, compared with either side. */
export function MergeResult({ type, mine, theirs, noun, result }: MergeResultProps) {
  const headingId = useId();
  const [side, setSide] = useState<'theirs' | 'mine'>('theirs');
  const before =
    side === 'theirs'
      ? { title: `${noun === 'version' ? 'Version' : 'Revision'} ${theirs.version}`, draft: draftOf(theirs) }
      : { title: 'My draft', draft: mine };
  return (
    <section aria-labelledby={headingId}>
      <div className="mb-1.5 flex flex-wrap items-center justify-between gap-2">
        <h3 id={headingId} className="font-medium">
          Result
        </h3>
        <Segmented
          label="Compare the result with"
          value={side}
          options={[
            { value: 'theirs', label: `With ${noun} ${theirs.version}` },
            { value: 'mine', label: 'With my draft' },
          ]}
          onChange={setSide}
        />
      </div>
      <ContentComparison type={type} before={before} after={{ title: 'Result', draft: result }} />
    </section>
  );
}

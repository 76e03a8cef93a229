import { useState } from 'react';
import { Segmented } from '../ui/Segmented.tsx';
import { formatIfJson, JsonText } from './JsonText.tsx';
import { StreamedText, textClass } from './StreamedText.tsx';
import type { TextBuffer } from './text-buffer.ts';

interface OutputProps {
  label: string;
  buffer: TextBuffer;
  /** Whether the text is complete. */
  isComplete: boolean;
  maxHeight: string;
}

const views = [
  { value: 'formatted', label: 'Formatted' },
  { value: 'sent', label: 'Raw' },
] as const;

/** The output of a model. JSON is indented once it is complete. */
export function Output({ label, buffer, isComplete, maxHeight }: OutputProps) {
  const [view, setView] = useState<'formatted' | 'sent'>('formatted');
  const formatted = isComplete ? formatIfJson(buffer.text) : undefined;
  return (
    <div>
      {formatted !== undefined && (
        <div className="mb-2">
          <Segmented label="Show JSON" value={view} options={views} onChange={setView} />
        </div>
      )}
      {formatted !== undefined && view === 'formatted' ? (
        <section
          aria-label={label}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard.
          tabIndex={0}
          className={`${textClass} ${maxHeight}`}
        >
          <JsonText text={formatted} />
        </section>
      ) : (
        <StreamedText label={label} buffer={buffer} className={maxHeight} />
      )}
    </div>
  );
}

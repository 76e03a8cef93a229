import { useState } from 'react';
import { cx } from '../lib/cx.ts';

interface LongTextProps {
  /** The description for screen readers. */
  label: string;
  text: string;
}

const maxLines = 8;
const maxCharacters = 600;

/** Shows text exactly as it was written. Long text is collapsed. */
export function LongText({ label, text }: LongTextProps) {
  const [isOpen, setIsOpen] = useState(false);
  const isLong = text.length > maxCharacters || text.split('\n', maxLines + 1).length > maxLines;
  const isFolded = isLong && !isOpen;
  return (
    <section aria-label={label} className="overflow-hidden rounded-md border border-line bg-surface">
      <div
        dir="auto"
        className={cx('whitespace-pre-wrap px-3 py-2 font-mono text-xs leading-5 wrap-anywhere', isFolded && 'max-h-40 overflow-hidden')}
      >
        {text === '' ? <span className="text-ink-3">(empty)</span> : isFolded ? text.slice(0, maxCharacters * 4) : text}
      </div>
      {isLong && (
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
          className="w-full border-line border-t px-3 py-1.5 text-left font-medium text-accent-ink text-xs -outline-offset-2 hover:bg-hover"
        >
          {isOpen ? 'Show less' : 'Show all'}
        </button>
      )}
    </section>
  );
}

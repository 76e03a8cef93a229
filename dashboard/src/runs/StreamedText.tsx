import { useEffect, useRef } from 'react';
import { cx } from '../lib/cx.ts';
import type { TextBuffer } from './text-buffer.ts';

interface StreamedTextProps {
  label: string;
  buffer: TextBuffer;
  className?: string;
}

/** The minimum number of characters in a block. The text is split into blocks, so that a new chunk never lays out the whole text again. */
const blockLength = 4000;
const nearEnd = 24;

/** Shows growing text, which is updated once per frame. The component scrolls along as long as the end of the text is visible. */
export function StreamedText({ label, buffer, className }: StreamedTextProps) {
  const host = useRef<HTMLElement>(null);
  useEffect(() => (host.current ? follow(host.current, buffer) : undefined), [buffer]);
  return (
    <section
      ref={host}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard.
      tabIndex={0}
      dir="auto"
      className={cx(textClass, className)}
    />
  );
}

/** This class sets the direction of each line by its text. */
export const textClass =
  'min-h-10 overflow-y-auto whitespace-pre-wrap font-mono text-xs leading-5 -outline-offset-2 wrap-anywhere *:[unicode-bidi:plaintext]';

function follow(host: HTMLElement, buffer: TextBuffer): () => void {
  let shown = 0;
  let block = addBlock(host);
  let frame = 0;

  function show(): void {
    frame = 0;
    const isAtEnd = host.scrollTop + host.clientHeight >= host.scrollHeight - nearEnd;
    const isFirst = shown === 0;
    let rest = withoutHalf(buffer.text.slice(shown));
    shown += rest.length;
    while (rest !== '') {
      const room = Math.max(blockLength - block.length, 0);
      const end = rest.length <= room ? -1 : rest.indexOf('\n', room);
      block.appendData(end === -1 ? rest : rest.slice(0, end));
      if (end === -1) break;
      // A block always ends at the end of a line.
      rest = rest.slice(end + 1);
      block = addBlock(host);
    }
    if (isAtEnd && !isFirst) host.scrollTop = host.scrollHeight;
  }

  show();
  const unsubscribe = buffer.subscribe(() => {
    frame ||= requestAnimationFrame(show);
  });
  return () => {
    unsubscribe();
    cancelAnimationFrame(frame);
    host.replaceChildren();
  };
}

function addBlock(host: HTMLElement): Text {
  return host.appendChild(document.createElement('div')).appendChild(document.createTextNode(''));
}

/** Removes half of a surrogate pair from the end of a text, because the next chunk contains the other half. */
function withoutHalf(text: string): string {
  return /[\ud800-\udbff]$/.test(text) ? text.slice(0, -1) : text;
}

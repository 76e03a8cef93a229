import type { CSSProperties } from 'react';
import { cx } from '../lib/cx.ts';

interface AvatarProps {
  userId: string;
  name: string;
  size?: 'sm' | 'md';
}

/** Shows a person's initials in the person's color. The avatar is decoration, because the name is always next to it. */
export function Avatar({ userId, name, size = 'md' }: AvatarProps) {
  // React's type for styles does not know custom properties.
  const style = { '--hue': hueOf(userId) } as CSSProperties;
  return (
    <span
      aria-hidden
      style={style}
      className={cx(
        'person-color inline-flex shrink-0 select-none items-center justify-center rounded-full font-semibold leading-none',
        size === 'sm' ? 'size-5 text-[9px]' : 'size-6 text-[10px]',
      )}
    >
      {initialsOf(name)}
    </span>
  );
}

/** Returns the first characters of the first and the last word: "AL" for Ada Lovelace and ada.lovelace. */
function initialsOf(name: string): string {
  const words = name.split(/[\s._-]+/).filter((word) => word !== '');
  return [...new Set([words[0], words.at(-1)])].map((word) => firstCharacter(word ?? '?')).join('');
}

/** Splits the text as a reader sees it: an emoji or a letter with accents is one character. */
function firstCharacter(word: string): string {
  const [first] = segmenter.segment(word);
  return (first?.segment ?? '').toLocaleUpperCase('en');
}

const segmenter = new Intl.Segmenter('en');

/** Returns one of 24 hues. */
function hueOf(userId: string): number {
  let hash = 0;
  for (let index = 0; index < userId.length; index += 1) hash = (Math.imul(hash, 31) + userId.charCodeAt(index)) >>> 0;
  return (hash % 24) * 15;
}

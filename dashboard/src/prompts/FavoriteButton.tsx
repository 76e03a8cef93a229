import { Star } from 'lucide-react';
import { cx } from '../lib/cx.ts';
import type { Prompt } from '../lib/types.ts';
import { IconButton } from '../ui/Button.tsx';
import { toggleFavorite } from './favorites.ts';

interface FavoriteButtonProps {
  prompt: Prompt;
  isFavorite: boolean;
  tabIndex?: number;
  className?: string;
}

/** A star that is filled for favorites. */
export function FavoriteButton({ prompt, isFavorite, tabIndex, className }: FavoriteButtonProps) {
  return (
    <IconButton
      label={`Favorite ${prompt.name}`}
      title={isFavorite ? 'Remove from favorites' : 'Add to favorites'}
      aria-pressed={isFavorite}
      tabIndex={tabIndex}
      className={className}
      onClick={() => void toggleFavorite(prompt, isFavorite)}
    >
      <Star aria-hidden className={cx('size-4', isFavorite && 'fill-current text-warn')} />
    </IconButton>
  );
}

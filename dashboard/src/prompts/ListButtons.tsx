import { ListFilter, Star } from 'lucide-react';
import { cx } from '../lib/cx.ts';
import { Button } from '../ui/Button.tsx';
import type { PromptFilters } from './filter-search.ts';
import { ViewsMenu } from './ViewsMenu.tsx';

interface ListButtonsProps {
  filters: PromptFilters;
  /** Whether the panel of filters is open. */
  isOpen: boolean;
  onToggle: () => void;
  onChange: (filters: PromptFilters) => void;
}

/** The buttons next to the search field: filters, favorites and saved views. */
export function ListButtons({ filters, isOpen, onToggle, onChange }: ListButtonsProps) {
  const { favorites, ...withoutFavorites } = filters;
  return (
    <div className="flex w-full gap-2 sm:w-auto">
      <Button className="flex-1 sm:flex-none" aria-expanded={isOpen} aria-controls="filters" onClick={onToggle}>
        <ListFilter aria-hidden className="size-4" />
        Filters
      </Button>
      <Button
        aria-pressed={favorites === true}
        className={cx('flex-1 sm:flex-none', favorites && 'bg-hover')}
        onClick={() => onChange(favorites ? withoutFavorites : { ...filters, favorites: true })}
      >
        <Star aria-hidden className={cx('size-4', favorites && 'fill-current text-warn')} />
        Favorites
      </Button>
      <ViewsMenu filters={filters} onChange={onChange} />
    </div>
  );
}

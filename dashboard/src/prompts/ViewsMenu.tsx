import { useQuery } from '@tanstack/react-query';
import { Bookmark, BookmarkCheck, BookmarkPlus, ChevronDown, Pencil } from 'lucide-react';
import { useState } from 'react';
import { lazyComponent } from '../lib/chunks.ts';
import { Button } from '../ui/Button.tsx';
import { Menu, MenuItem, MenuSeparator } from '../ui/Menu.tsx';
import type { PromptFilters } from './filter-search.ts';
import { keyOfFilters, viewsQuery } from './views.ts';

const SaveViewDialog = lazyComponent(async () => (await import('./ViewDialogs.tsx')).SaveViewDialog);
const ManageViewsDialog = lazyComponent(async () => (await import('./ViewDialogs.tsx')).ManageViewsDialog);

interface ViewsMenuProps {
  filters: PromptFilters;
  onChange: (filters: PromptFilters) => void;
}

/** A menu of the user's saved views. A view consists of filters and a name. */
export function ViewsMenu({ filters, onChange }: ViewsMenuProps) {
  const { data: views = [] } = useQuery(viewsQuery);
  const [dialog, setDialog] = useState<'save' | 'manage'>();
  const current = views.find((view) => keyOfFilters(view.filters) === keyOfFilters(filters));
  const close = () => setDialog(undefined);
  return (
    <>
      <Menu
        trigger={
          <Button className="min-w-0 max-w-48 flex-1 sm:flex-none">
            <Bookmark aria-hidden className="size-4 shrink-0" />
            <span dir="auto" className="truncate">
              {current?.name ?? 'Views'}
            </span>
            <ChevronDown aria-hidden className="size-4 shrink-0 text-ink-3" />
          </Button>
        }
      >
        <div className="max-h-[50dvh] max-w-80 overflow-y-auto">
          {views.map((view) => (
            <MenuItem key={view.id} icon={view === current ? BookmarkCheck : Bookmark} onSelect={() => onChange(view.filters)}>
              <span dir="auto" className="truncate" title={view.name}>
                {view.name}
              </span>
            </MenuItem>
          ))}
        </div>
        {views.length > 0 && <MenuSeparator />}
        <MenuItem icon={BookmarkPlus} onSelect={() => setDialog('save')}>
          Save these filters…
        </MenuItem>
        {views.length > 0 && (
          <MenuItem icon={Pencil} onSelect={() => setDialog('manage')}>
            Rename or delete views…
          </MenuItem>
        )}
      </Menu>
      {dialog === 'save' && <SaveViewDialog filters={filters} onClose={close} />}
      {dialog === 'manage' && <ManageViewsDialog onClose={close} />}
    </>
  );
}

import { Dialog as RadixDialog } from 'radix-ui';
import { useReturnFocus } from '../ui/use-return-focus.ts';
import { Sidebar } from './Sidebar.tsx';

/** The navigation on narrow screens. */
export function NavigationDrawer({ onClose, onSearch }: { onClose: () => void; onSearch: () => void }) {
  const returnFocus = useReturnFocus(true);
  return (
    <RadixDialog.Root open onOpenChange={onClose}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className="fixed inset-0 z-50 bg-scrim data-[state=open]:animate-fade" />
        <RadixDialog.Content
          aria-describedby={undefined}
          {...returnFocus}
          className="fixed inset-y-0 left-0 z-50 w-64 border-line border-r bg-sunken focus:outline-none"
        >
          <RadixDialog.Title className="sr-only">Navigation</RadixDialog.Title>
          <Sidebar
            onNavigate={onClose}
            onSearch={() => {
              onClose();
              onSearch();
            }}
          />
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}

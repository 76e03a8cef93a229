import { Copy, Download, Ellipsis, FolderInput, PenLine, Rocket, Trash2 } from 'lucide-react';
import { mayEdit, useWorkspace } from '../lib/workspace.ts';
import { IconButton } from '../ui/Button.tsx';
import { Menu, MenuItem, MenuSeparator } from '../ui/Menu.tsx';

export type RowAction = 'deploy' | 'details' | 'duplicate' | 'copy' | 'export' | 'delete';

export function RowMenu({ name, tabIndex, onAction }: { name: string; tabIndex: number; onAction: (action: RowAction) => void }) {
  const canEdit = mayEdit(useWorkspace());
  return (
    <Menu
      trigger={
        <IconButton label={`Actions for ${name}`} tabIndex={tabIndex}>
          <Ellipsis aria-hidden className="size-4" />
        </IconButton>
      }
    >
      {canEdit && (
        <>
          <MenuItem icon={Rocket} onSelect={() => onAction('deploy')}>
            Deploy
          </MenuItem>
          <MenuItem icon={PenLine} onSelect={() => onAction('details')}>
            Name, description, tags
          </MenuItem>
          <MenuItem icon={Copy} onSelect={() => onAction('duplicate')}>
            Duplicate
          </MenuItem>
        </>
      )}
      <MenuItem icon={FolderInput} onSelect={() => onAction('copy')}>
        Copy to workspace…
      </MenuItem>
      <MenuItem icon={Download} onSelect={() => onAction('export')}>
        Export as JSON
      </MenuItem>
      {canEdit && (
        <>
          <MenuSeparator />
          <MenuItem icon={Trash2} danger onSelect={() => onAction('delete')}>
            Delete
          </MenuItem>
        </>
      )}
    </Menu>
  );
}

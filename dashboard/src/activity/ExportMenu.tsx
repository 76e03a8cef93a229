import { Download } from 'lucide-react';
import { useState } from 'react';
import { ApiError } from '../../../client/src/errors.ts';
import { toRequest } from '../../../client/src/http/operations.ts';
import { messageOf, sender } from '../lib/api.ts';
import { saveFile } from '../lib/save-file.ts';
import { Button } from '../ui/Button.tsx';
import { Menu, MenuItem } from '../ui/Menu.tsx';
import { toastFailure } from '../ui/toasts.ts';
import { type ActivitySearch, toQuery } from './search.ts';

/** Downloads all entries that match the filters, including those that the page has not loaded. */
export function ExportMenu({ search }: { search: ActivitySearch }) {
  const [busy, setBusy] = useState(false);
  const download = async (format: 'csv' | 'jsonl') => {
    setBusy(true);
    try {
      const request = toRequest('listWorkspaceActivity', { query: { ...toQuery(search), format } });
      const response = await sender.open(request, { timeoutMs: Number.POSITIVE_INFINITY });
      // Excel reads a file as UTF-8 only if it begins with this byte order mark.
      const mark = format === 'csv' ? ['\uFEFF'] : [];
      saveFile(`activity.${format}`, new Blob([...mark, await response.blob()]));
    } catch (err) {
      toastFailure(err instanceof ApiError ? messageOf(err) : 'The export was interrupted. Try again.');
    }
    setBusy(false);
  };
  return (
    <Menu
      trigger={
        <Button busy={busy}>
          <Download aria-hidden className="size-4" />
          Export
        </Button>
      }
    >
      <MenuItem icon={Download} onSelect={() => void download('csv')}>
        CSV
      </MenuItem>
      <MenuItem icon={Download} onSelect={() => void download('jsonl')}>
        JSON Lines
      </MenuItem>
    </Menu>
  );
}

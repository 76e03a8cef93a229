import { Download } from 'lucide-react';
import { type OperationId, toRequest } from '../../../client/src/http/operations.ts';
import { messageOf, sender } from '../lib/api.ts';
import { saveFile } from '../lib/save-file.ts';
import { Button } from '../ui/Button.tsx';
import { Menu, MenuItem } from '../ui/Menu.tsx';
import { toastFailure } from '../ui/toasts.ts';

/** The tables of each kind of statistics, by the value of the parameter `by`. */
const tablesOf = {
  calls: {
    time: 'Over time',
    prompt: 'By prompt',
    version: 'By version and label',
    member: 'By member',
    route: 'By route',
    status: 'By status',
  },
  prompt: { time: 'Over time', version: 'By version and label', status: 'By status' },
  runs: { time: 'Over time', model: 'By model', member: 'By member' },
  promptResults: { version: 'By version', time: 'Over time', model: 'By model', score: 'Scores' },
  results: { prompt: 'By prompt', model: 'By model', time: 'Over time' },
};

const fileNames = { getStatistics: 'calls', getRunStatistics: 'runs', getPromptResults: 'results', getResults: 'results' };

interface CsvMenuProps {
  operation: Extract<OperationId, keyof typeof fileNames>;
  tables: keyof typeof tablesOf;
  path?: object;
  /** Returns the parameters of the statistics that the page shows. */
  queryOf: () => object;
}

/** Downloads a table of the statistics for a spreadsheet. */
export function CsvMenu({ operation, tables, path = {}, queryOf }: CsvMenuProps) {
  const download = async (by: string) => {
    try {
      const response = await sender.open(toRequest(operation, { path, query: { ...queryOf(), format: 'csv', by } }));
      const name = `${fileNames[operation]}-by-${by}.csv`;
      // Excel reads a file as UTF-8 only if it begins with this byte order mark.
      saveFile(name, `\uFEFF${await response.text()}`, 'text/csv');
    } catch (err) {
      toastFailure(messageOf(err));
    }
  };
  return (
    <Menu
      trigger={
        <Button>
          <Download aria-hidden className="size-4" />
          CSV
        </Button>
      }
    >
      {Object.entries(tablesOf[tables]).map(([by, title]) => (
        <MenuItem key={by} icon={Download} onSelect={() => void download(by)}>
          {title}
        </MenuItem>
      ))}
    </Menu>
  );
}

import { messageOf } from '../lib/api.ts';
import { queryClient } from '../lib/query-client.ts';
import { saveFile } from '../lib/save-file.ts';
import { toastFailure } from '../ui/toasts.ts';
import { formatCsvCases } from './case-csv.ts';
import { formatJsonCases } from './case-file.ts';
import { casesQuery } from './queries.ts';

/** Saves all test cases of a prompt as a file that can be imported into any prompt. */
export async function exportCases(promptName: string, format: 'csv' | 'json'): Promise<void> {
  try {
    const cases = await queryClient.fetchQuery(casesQuery(promptName));
    const name = `${promptName.replaceAll('/', '-')}-cases.${format}`;
    if (format === 'csv') saveFile(name, formatCsvCases(cases), 'text/csv');
    else saveFile(name, formatJsonCases(cases));
  } catch (err) {
    toastFailure(messageOf(err));
  }
}

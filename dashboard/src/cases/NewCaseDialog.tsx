import { call } from '../lib/api.ts';
import type { Case, NewCase } from '../lib/types.ts';
import { refreshPrompts } from '../prompts/queries.ts';
import { toast } from '../ui/toasts.ts';
import { CaseDialog } from './CaseDialog.tsx';
import { showSavedCases } from './queries.ts';

interface NewCaseDialogProps {
  promptName: string;
  /** The initial values, such as the values of the preview or of a run. */
  values: Record<string, unknown>;
  /** The initial name and checks, if a test case is duplicated. */
  from?: Pick<Case, 'name' | 'checks'>;
  onClose: () => void;
}

/** Saves an input as a test case of a prompt. */
export function NewCaseDialog({ promptName, values, from, onClose }: NewCaseDialogProps) {
  const create = async (input: Required<NewCase>) => {
    showSavedCases(promptName, [await call('createCase', { path: { name: promptName }, body: input })]);
    onClose();
    toast(`Test case “${input.name}” added.`);
    await refreshPrompts();
  };
  return (
    <CaseDialog
      promptName={promptName}
      title={from ? 'Duplicate test case' : 'New test case'}
      confirm="Add test case"
      initial={{ name: from?.name ?? suggestName(values), variables: values, checks: from?.checks ?? [] }}
      onSubmit={create}
      onClose={onClose}
    />
  );
}

const maxSuggestionLength = 60;

/** Returns the first line of the first value that is text. */
function suggestName(values: Record<string, unknown>): string {
  const text = Object.values(values).find((value) => typeof value === 'string' && value.trim() !== '');
  const line = typeof text === 'string' ? (text.trim().split('\n')[0] ?? '') : '';
  return line.length > maxSuggestionLength ? `${line.slice(0, maxSuggestionLength).toWellFormed()}…` : line;
}

import { call } from '../lib/api.ts';
import type { Case, NewCase } from '../lib/types.ts';
import { refreshPrompts } from '../prompts/queries.ts';
import { toast } from '../ui/toasts.ts';
import { CaseDialog } from './CaseDialog.tsx';
import { showSavedCases } from './queries.ts';

interface EditCaseDialogProps {
  promptName: string;
  edited: Case;
  onClose: () => void;
}

export function EditCaseDialog({ promptName, edited, onClose }: EditCaseDialogProps) {
  const save = async (input: Required<NewCase>) => {
    showSavedCases(promptName, [await call('changeCase', { path: { name: promptName, id: edited.id }, body: input })]);
    onClose();
    toast(`Test case “${input.name}” saved.`);
    await refreshPrompts();
  };
  return <CaseDialog promptName={promptName} title="Edit test case" confirm="Save" initial={edited} onSubmit={save} onClose={onClose} />;
}

import type { PromptType } from '../lib/types.ts';
import { PreviewOutput } from './PreviewOutput.tsx';
import type { PreviewState } from './use-preview.ts';
import { VariablesCard } from './VariablesCard.tsx';

export function PreviewPanel({ type, preview }: { type: PromptType; preview: PreviewState }) {
  return (
    <div className="space-y-4">
      <VariablesCard preview={preview} />
      <PreviewOutput type={type} preview={preview} />
    </div>
  );
}

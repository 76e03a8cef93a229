import type { Dispatch, SetStateAction } from 'react';
import type { FieldError } from '../../lib/types.ts';
import type { Draft } from '../drafts/draft.ts';
import { OutputCard } from './OutputCard.tsx';
import { ToolsCard } from './ToolsCard.tsx';

export interface ToolsPaneProps {
  draft: Draft;
  setDraft: Dispatch<SetStateAction<Draft>>;
  /** The service's errors in the draft. */
  errors: FieldError[];
}

/** The tools that the model may call, and the schema that its output must follow. */
export function ToolsPane({ draft, setDraft, errors }: ToolsPaneProps) {
  return (
    <>
      <ToolsCard
        text={draft.tools}
        errors={errors.filter(({ path }) => /^\/tools(?:\/|$)/.test(path))}
        onChange={(tools) => setDraft((before) => ({ ...before, tools }))}
      />
      <OutputCard
        text={draft.output}
        errors={errors.filter(({ path }) => /^\/output(?:\/|$)/.test(path))}
        onChange={(output) => setDraft((before) => ({ ...before, output }))}
      />
    </>
  );
}

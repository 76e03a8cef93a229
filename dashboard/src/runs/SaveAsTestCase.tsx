import { FlaskConical } from 'lucide-react';
import { Suspense, useState } from 'react';
import { lazyComponent } from '../lib/chunks.ts';
import { Button } from '../ui/Button.tsx';

const NewCaseDialog = lazyComponent(async () => (await import('../cases/NewCaseDialog.tsx')).NewCaseDialog);

/** Saves the values of a run as a test case, so that every version can be checked with them. */
export function SaveAsTestCase({ promptName, values }: { promptName: string; values: Record<string, unknown> }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button kind="ghost" size="sm" onClick={() => setIsOpen(true)}>
        <FlaskConical aria-hidden className="size-3.5" />
        Save as test case
      </Button>
      <Suspense>{isOpen && <NewCaseDialog promptName={promptName} values={values} onClose={() => setIsOpen(false)} />}</Suspense>
    </>
  );
}

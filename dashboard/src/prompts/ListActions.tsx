import { Link } from '@tanstack/react-router';
import { Upload } from 'lucide-react';
import { useState } from 'react';
import { Button, buttonClass } from '../ui/Button.tsx';
import { exportAll } from './export.ts';

/** Exports all prompts, or opens the import. */
export function ListActions({ folder, canEdit }: { folder: string | undefined; canEdit: boolean }) {
  return (
    <>
      <ExportButton />
      {canEdit && <ImportLink folder={folder} />}
    </>
  );
}

function ExportButton() {
  const [busy, setBusy] = useState(false);
  const save = async () => {
    setBusy(true);
    await exportAll();
    setBusy(false);
  };
  return (
    <Button kind="ghost" busy={busy} onClick={save} title="All prompts with their versions, labels and history">
      Export all
    </Button>
  );
}

export function ImportLink({ folder }: { folder: string | undefined }) {
  return (
    <Link to="/dashboard/import" search={folder === undefined ? {} : { folder }} className={buttonClass('secondary')}>
      <Upload aria-hidden className="size-4" />
      Import
    </Link>
  );
}

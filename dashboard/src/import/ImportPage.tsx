import { useSearch } from '@tanstack/react-router';
import { Upload } from 'lucide-react';
import { useState } from 'react';
import type { Conversion } from '../../../src/formats/draft-types.ts';
import { mayEdit, useWorkspace } from '../lib/workspace.ts';
import { Card } from '../ui/Card.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { Page } from '../ui/Page.tsx';
import { ChooseFiles } from './ChooseFiles.tsx';
import { Review } from './Review.tsx';

/** Imports files of other programs: choose them, see what will happen, import. */
export function ImportPage() {
  const { folder = '' } = useSearch({ from: '/dashboard/import' });
  const canEdit = mayEdit(useWorkspace());
  const [chosen, setChosen] = useState<{ id: number; conversion: Conversion }>();
  if (!canEdit) {
    return (
      <Page title="Import">
        <Card>
          <EmptyState icon={Upload} title="Only editors import prompts">
            Your role here is viewer. Ask an admin of this workspace for the role of an editor.
          </EmptyState>
        </Card>
      </Page>
    );
  }
  return (
    <Page title="Import" description="Prompts of dotprompt, Prompty and promptfoo, .prompt.yaml files, and exports of this dashboard.">
      {chosen ? (
        <Review key={chosen.id} id={chosen.id} conversion={chosen.conversion} initialFolder={folder} onReset={() => setChosen(undefined)} />
      ) : (
        <ChooseFiles onRead={(conversion) => setChosen({ id: Date.now(), conversion })} />
      )}
    </Page>
  );
}

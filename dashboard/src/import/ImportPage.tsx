import { useSearch } from '@tanstack/react-router';
import { Upload } from 'lucide-react';
import { useState } from 'react';
import { mayEdit, useWorkspace } from '../lib/workspace.ts';
import { Card } from '../ui/Card.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { Page } from '../ui/Page.tsx';
import { ChooseFiles, hasPrompts } from './ChooseFiles.tsx';
import { ExportReview } from './ExportReview.tsx';
import { LangfuseForm } from './LangfuseForm.tsx';
import { Review } from './Review.tsx';
import type { ReadResult } from './read-files.ts';
import { type ExportSource, toSource } from './transfer.ts';

/** Imports files of other programs. The user selects the files, reviews what will happen, and starts the import. */
export function ImportPage() {
  const { folder = '' } = useSearch({ from: '/dashboard/import' });
  const canEdit = mayEdit(useWorkspace());
  const [chosen, setChosen] = useState<ReadResult & { id: number }>();
  const [project, setProject] = useState<ExportSource>();
  if (!canEdit) {
    return (
      <Page title="Import">
        <Card>
          <EmptyState icon={Upload} title="Only editors can import prompts">
            Your role is viewer. Ask an admin of this workspace for the editor role.
          </EmptyState>
        </Card>
      </Page>
    );
  }
  return (
    <Page
      title="Import"
      description="Import PromptHarbor exports, dotprompt, Prompty, promptfoo and .prompt.yaml files, and Langfuse projects."
    >
      {!chosen && !project && (
        <div className="space-y-6">
          <ChooseFiles onRead={(result) => setChosen({ ...result, id: Date.now() })} />
          <LangfuseForm onRead={setProject} />
        </div>
      )}
      <div className="space-y-4">
        {project && <ExportReview id={`langfuse-${project.title}`} source={project} onReset={() => setProject(undefined)} />}
        {chosen?.exports.map(({ path, file }, index) => (
          <ExportReview key={path} id={`${chosen.id}-${index}`} source={toSource(path, file)} onReset={() => setChosen(undefined)} />
        ))}
        {chosen && hasPrompts(chosen.conversion) && (
          <Review
            key={chosen.id}
            id={chosen.id}
            conversion={chosen.conversion}
            initialFolder={folder}
            onReset={() => setChosen(undefined)}
          />
        )}
      </div>
    </Page>
  );
}

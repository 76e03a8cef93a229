import { useQuery } from '@tanstack/react-query';
import { Lock, Plus } from 'lucide-react';
import { useState } from 'react';
import type { ModelPreset } from '../../../src/contract/model-presets.ts';
import type { ModelConnection } from '../lib/types.ts';
import { mayEdit, mayManage, titleOf, useWorkspace, workspacesQuery } from '../lib/workspace.ts';
import { Button } from '../ui/Button.tsx';
import { Section } from '../ui/Card.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { Problem } from '../ui/Problem.tsx';
import { Loading } from '../ui/Skeleton.tsx';
import { BudgetSection } from './BudgetSection.tsx';
import { ConnectionDialog } from './ConnectionDialog.tsx';
import { ConnectionRow } from './ConnectionRow.tsx';
import { PresetChoice } from './PresetChoice.tsx';
import { connectionsQuery } from './queries.ts';
import { TestDialog } from './TestDialog.tsx';

/** The servers that run the prompts of this workspace. */
export function ModelsPage() {
  const { isPending } = useQuery(workspacesQuery);
  const workspace = useWorkspace();
  if (mayEdit(workspace)) return <Models canManage={mayManage(workspace)} />;
  if (isPending) return <Loading label="Loading models" rows={4} />;
  return (
    <EmptyState icon={Lock} title="Only editors can use models">
      Your role in {workspace.listed && titleOf(workspace.listed)} is {workspace.role}. To run its prompts on a model, ask an admin for the
      editor role.
    </EmptyState>
  );
}

type OpenDialog = { preset: ModelPreset | undefined } | { edit: ModelConnection; arePricesFirst?: boolean } | { test: ModelConnection };

function Models({ canManage }: { canManage: boolean }) {
  const connections = useQuery(connectionsQuery);
  const [dialog, setDialog] = useState<OpenDialog>();
  const close = () => setDialog(undefined);
  if (connections.isPending) return <Loading label="Loading models" rows={4} />;
  if (!connections.data) return <Problem error={connections.error} onRetry={() => connections.refetch()} />;
  const isFirst = connections.data.length === 0;
  const create = canManage && !isFirst && (
    <Button kind="primary" onClick={() => setDialog({ preset: undefined })}>
      <Plus aria-hidden className="size-4" />
      New connection
    </Button>
  );
  return (
    <>
      <Section title="Models" description={isFirst ? firstText(canManage) : listText} actions={create}>
        {isFirst && canManage && <PresetChoice onChoose={(preset) => setDialog({ preset })} />}
        {!isFirst && (
          <ul className="-mx-4 -mb-4 divide-y divide-line border-line border-t sm:-mx-6 sm:-mb-6">
            {connections.data.map((connection) => (
              <ConnectionRow
                key={connection.id}
                connection={connection}
                canManage={canManage}
                onEdit={() => setDialog({ edit: connection })}
                onEditPrices={() => setDialog({ edit: connection, arePricesFirst: true })}
                onTest={() => setDialog({ test: connection })}
              />
            ))}
          </ul>
        )}
      </Section>
      <BudgetSection canManage={canManage} />
      {dialog && 'preset' in dialog && (
        <ConnectionDialog preset={dialog.preset} onClose={close} onSaved={(connection) => setDialog({ test: connection })} />
      )}
      {dialog && 'edit' in dialog && (
        <ConnectionDialog
          connection={dialog.edit}
          arePricesFirst={dialog.arePricesFirst}
          onClose={close}
          onSaved={(connection, isOther) => setDialog(isOther ? { test: connection } : undefined)}
        />
      )}
      {dialog && 'test' in dialog && (
        <TestDialog connection={dialog.test} onClose={close} onEdit={(connection) => setDialog({ edit: connection })} />
      )}
    </>
  );
}

const listText = 'Editors can run prompts and checks on these servers. Stored keys are never shown again.';

function firstText(canManage: boolean): string {
  if (!canManage) return 'No model is connected yet. An admin of the workspace can connect one.';
  return 'Connect a server to run prompts here: Anthropic, Gemini, or any server with an OpenAI-compatible API, hosted or your own.';
}

import { Plus } from 'lucide-react';
import { useState } from 'react';
import type { Member } from '../lib/types.ts';
import { mayManage, useWorkspace } from '../lib/workspace.ts';
import { Button } from '../ui/Button.tsx';
import { Section } from '../ui/Card.tsx';
import { KeyDialog, type ShownKey } from './KeyDialog.tsx';
import { NewServiceAccountDialog } from './NewServiceAccountDialog.tsx';
import { ServiceAccountRow } from './ServiceAccountRow.tsx';

/** Lists the service accounts, each with a key and a role. */
export function ServiceAccounts({ accounts }: { accounts: Member[] }) {
  const canManage = mayManage(useWorkspace());
  const [creating, setCreating] = useState(false);
  const [shownKey, setShownKey] = useState<ShownKey>();
  if (accounts.length === 0 && !canManage) return null;
  return (
    <Section
      title="Service accounts"
      description="API keys for programs, each with its own role. With the viewer role, a program can only read and render prompts."
      actions={
        canManage && (
          <Button onClick={() => setCreating(true)} aria-label="New service account">
            <Plus aria-hidden className="size-4" />
            New
          </Button>
        )
      }
    >
      {accounts.length > 0 && (
        <ul className="divide-y divide-line">
          {accounts.map((account) => (
            <ServiceAccountRow key={account.userId} account={account} canManage={canManage} onKey={setShownKey} />
          ))}
        </ul>
      )}
      {creating && (
        <NewServiceAccountDialog
          onClose={() => setCreating(false)}
          onCreated={(key) => {
            setCreating(false);
            setShownKey(key);
          }}
        />
      )}
      {shownKey && <KeyDialog shownKey={shownKey} onClose={() => setShownKey(undefined)} />}
    </Section>
  );
}

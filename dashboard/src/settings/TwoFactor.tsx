import { useQueryClient } from '@tanstack/react-query';
import { ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { call } from '../lib/api.ts';
import type { Account, TwoFactorSecret } from '../lib/types.ts';
import { Badge } from '../ui/Badge.tsx';
import { Button } from '../ui/Button.tsx';
import { Section } from '../ui/Card.tsx';
import { toast } from '../ui/toasts.ts';
import { accountQuery } from './account.ts';
import { ConfirmedDialog } from './ConfirmedDialog.tsx';
import { RecoveryCodes } from './RecoveryCodes.tsx';
import { TwoFactorSetup } from './TwoFactorSetup.tsx';

type Step = 'setup' | 'off' | 'codes' | { secret: TwoFactorSecret } | { recoveryCodes: string[] };

export function TwoFactor({ account }: { account: Account }) {
  const queries = useQueryClient();
  const [step, setStep] = useState<Step>();
  const refresh = () => queries.invalidateQueries(accountQuery);
  const close = () => setStep(undefined);
  const showCodes = (recoveryCodes: string[]) => {
    setStep({ recoveryCodes });
    void refresh();
  };

  return (
    <Section
      title="Two-factor authentication"
      description={
        account.twoFactor
          ? 'You need a code from your authenticator app to sign in with your password, and to get your API key over the API.'
          : 'Require a code from an authenticator app in addition to your password, to sign in and to get your API key over the API.'
      }
      actions={
        account.twoFactor ? (
          <Badge tone="accent">
            <ShieldCheck aria-hidden className="size-3" />
            On
          </Badge>
        ) : (
          <Button onClick={() => setStep('setup')}>Set up</Button>
        )
      }
    >
      {account.twoFactor && (
        <div className="flex flex-wrap gap-2">
          <Button onClick={() => setStep('codes')}>New recovery codes</Button>
          <Button kind="danger-quiet" onClick={() => setStep('off')}>
            Turn off
          </Button>
        </div>
      )}
      {step === 'setup' && (
        <ConfirmedDialog
          account={account}
          title="Set up two-factor authentication"
          description="Enter your password to continue."
          confirm="Continue"
          kind="primary"
          onConfirm={async (proof) => setStep({ secret: await call('startTwoFactor', { body: proof }) })}
          onClose={close}
        />
      )}
      {step === 'codes' && (
        <ConfirmedDialog
          account={account}
          title="Create new recovery codes?"
          description="Your current codes stop working."
          confirm="Create new codes"
          kind="primary"
          onConfirm={async ({ password, code = '' }) => {
            const codes = await call('replaceRecoveryCodes', { body: { password, code } });
            showCodes(codes.recoveryCodes);
          }}
          onClose={close}
        />
      )}
      {step === 'off' && (
        <ConfirmedDialog
          account={account}
          title="Turn off two-factor authentication?"
          description="You will sign in with your password only."
          confirm="Turn off"
          onConfirm={async ({ password, code = '' }) => {
            await call('stopTwoFactor', { body: { password, code } });
            close();
            void refresh();
            toast('Two-factor authentication is off.');
          }}
          onClose={close}
        />
      )}
      {typeof step === 'object' && 'secret' in step && <TwoFactorSetup secret={step.secret} onClose={close} onDone={showCodes} />}
      {typeof step === 'object' && 'recoveryCodes' in step && <RecoveryCodes codes={step.recoveryCodes} onClose={close} />}
    </Section>
  );
}

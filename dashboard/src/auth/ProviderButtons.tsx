import { useQuery } from '@tanstack/react-query';
import { cx } from '../lib/cx.ts';
import { buttonClass } from '../ui/Button.tsx';
import { providerPath, signInOptionsQuery } from './sign-in-options.ts';

interface ProviderButtonsProps {
  next: string | undefined;
  verb?: string;
  /** The ids of the providers to show. Undefined for all. */
  only?: readonly (string | null)[];
  /** Whether a password is offered below. */
  hasAlternative?: boolean;
  /** Whether the person must sign in at the provider again. */
  fresh?: boolean;
}

/** Links that sign in at the providers of this service. Shows nothing if there are none. */
export function ProviderButtons({ next, verb = 'Continue with', only, hasAlternative = true, fresh = false }: ProviderButtonsProps) {
  const { data } = useQuery(signInOptionsQuery);
  const providers = (data?.providers ?? []).filter(({ id }) => only === undefined || only.includes(id));
  if (providers.length === 0) return null;
  return (
    <div className="space-y-2">
      {providers.map(({ id, name, icon }) => (
        <a key={id} href={providerPath(id, next, { fresh })} className={cx(buttonClass('secondary'), 'w-full')}>
          {icon !== null && <img src={icon} alt="" className="size-4" />}
          {verb} {name}
        </a>
      ))}
      {hasAlternative && (
        <div className="flex items-center gap-3 pt-2 pb-1 text-ink-3 text-xs before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
          or
        </div>
      )}
    </div>
  );
}

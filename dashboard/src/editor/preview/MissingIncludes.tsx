import { mayEdit, useWorkspace } from '../../lib/workspace.ts';
import type { Include } from '../../prompts/includes.ts';
import { useIncluded } from '../../prompts/use-included.ts';
import { CreatePromptLink } from '../CreatePromptLink.tsx';

/** Offers to create included prompts that do not exist. */
export function MissingIncludes({ includes }: { includes: Include[] }) {
  const missing = useIncluded(includes)?.filter(({ prompt }) => !prompt) ?? [];
  const names = [...new Set(missing.map(({ name }) => name))];
  if (!mayEdit(useWorkspace()) || names.length === 0) return null;
  return (
    <ul className="mx-4 mb-4 space-y-1">
      {names.map((name) => (
        <li key={name} className="wrap-anywhere">
          <CreatePromptLink name={name}>Create {name}</CreatePromptLink>
        </li>
      ))}
    </ul>
  );
}
